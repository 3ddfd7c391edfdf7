/*
 * look/names.h: names of files that make other programs run code, or configure agents.
 *
 * policy/names.list is the list; the build compiles it.  The facts of a command
 * (protected_names.c), the supervisor (confine/guard.h), the report of a run
 * (broker/report/dropped.c) and the built-in rules all use it.  Case is ignored: some file
 * systems ignore it as well.
 */
#pragma once
#include "base/str.h"

/* Ordered: the strictest counts.  policy/names.list says what each means. */
enum name_action {
	NAME_NONE,
	NAME_CHANGE,
	NAME_REPORT,
	NAME_PROTECT,
	NAME_DENY,
};

enum name_kind {
	NAME_FREE,
	NAME_OWN,      /* cordon's own directory */
	NAME_AGENT,    /* an agent's directory or settings */
	NAME_TOOL,     /* an editor runs or obeys it */
	NAME_IGNORE,   /* hides files from agents */
	NAME_SETTINGS, /* settings of another program */
	NAME_SHELL,    /* a shell runs it */
	NAME_WORDS,    /* text that agents obey */
	NAME_VCS,      /* version control runs or obeys it */
	NAME_START,    /* an interpreter or debugger runs it when it starts */
	NAME_BUILD,    /* builds and package managers run or obey it */
	NAME_CHECK,    /* linters and tests run or obey it */
	NAME_CI,       /* other machines run it */
};

struct name_found {
	enum name_action action; /* NAME_NONE: not in the list; the rest is not set */
	enum name_kind kind;
	const char *why; /* static text: what runs or obeys it */
	size_t n;  /* bytes of the path that the pattern matched; the rest lies below */
	bool tree; /* the pattern is a directory, with everything below it */
};

/* Find the strictest pattern that `path` begins with.  `path` is relative, without a slash
 * at its end; a pattern of a file must be all of it. */
struct name_found name_find(struct str path);
/* Find the strictest pattern that begins at any name of `path`. */
struct name_found name_find_within(struct str path);
/* The kind of a single name that is protected; NAME_FREE for all others. */
enum name_kind name_kind(struct str name);

#define NAME_REST_SIZE 64
/* List patterns of at least this action that begin with `path` and continue: for ".github",
 * "hooks".  Start with *at == 0.  False: no more. */
bool name_below(
    struct str path, enum name_action least, size_t *at, char ret[static NAME_REST_SIZE]);
/* True if a pattern of at least this action begins at some name of `path` and continues
 * after it. */
bool name_begins(struct str path, enum name_action least);

/* True for a directory of installed packages: users do not edit them. */
bool name_is_packages(struct str name);

/* Compare names without case; `name` is in lower case. */
bool name_is(struct str s, const char *name);
