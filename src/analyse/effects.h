/*
 * analyse/effects.h: everything that a command text could do.
 *
 * Plain data in the caller's arena, in the order of the text. Lists are linked by `next`.
 * An effect that is not listed cannot happen, unless `unknowns` reports that something is
 * unknown.
 */
#pragma once
#include "base/err.h"
#include "base/span.h"
#include "base/str.h"
#include "know/field.h"
#include "know/know.h"

/* Facts about this machine, filled in by look/. Until then everything is WHERE_UNKNOWN. */
enum where {
	WHERE_UNKNOWN, /* the path is unknown or could not be resolved */
	WHERE_OUTSIDE, /* outside of every root */
	WHERE_INSIDE,  /* inside a root, or in a path that the policy adds for this use */
	WHERE_TMP,     /* the temporary directory, which the policy allows or refuses */
	WHERE_DEVICE,  /* /dev/null, /dev/stdout and the like */
};

struct place_fact {
	enum where where;
	struct str real; /* with symlinks resolved; .p is NULL if unknown */
	bool ignored;    /* matched by an ignore file */
	bool dotfile;    /* a component below the root begins with a dot */
	bool exists;
	bool directory;
	bool unsaved;        /* contains work that is in no commit: untracked or changed */
	const char *why;     /* static reason for OUTSIDE and UNKNOWN */
	bool ignored_below;  /* a tree: something inside is, or could be, ignored */
	bool secret_below;   /* a tree: a rule forbids, or could forbid, reading something
				inside */
	const char *guarded; /* static text: it can make git or an agent run code */
};

/* An absolute directory; physical if no component can be a symlink. */
struct dir {
	struct str path;
	bool physical;
};

/* The possible working directories of the shell. */
struct dirs {
	bool unknown; /* any directory; n is 0 */
	size_t n;
	struct dir at[];
};

/* The program that started a command: "bash -c", "xargs", "env" ... */
struct via {
	struct str text;
	const struct via *outer; /* NULL for the outermost */
};

/* NAME=value before a command, or an argument of env. */
struct env_change {
	struct str name;
	bool known;       /* the value is known */
	struct str value; /* or its known prefix */
	struct span at;
	bool
	    runs; /* the variable names code that will run, or changes what commands mean */
	struct env_change *next;
};

struct command {
	struct field *argv;
	size_t argc;
	struct str program; /* base name of the program; .p is NULL if unknown */
	const struct via *via;
	struct env_change
	    *assigns; /* variables that do not change what other programs do */
	struct span at;
	enum know_class class;
	const struct know_scan *scan; /* NULL: not in the table */
	const struct dirs *cwd;
	bool function; /* a function of the same text, whose body is reported too */
	bool builtin;  /* a builtin of the shell */
	bool remote;   /* runs on another host or in a container */
	bool value;    /* value of a variable that other programs run */
	const struct command
	    *within;     /* the interpreter that runs it as a module; or NULL */
	bool wrapper;    /* only starts the command reported after it */
	uint64_t data;   /* bit i: argv[i] is declared to be text */
	bool tells;      /* only --help or --version: prints and exits */
	bool pure;       /* the code it is given only computes, prints or is checked */
	struct str code; /* the program text that an interpreter reads; .p == NULL */
	struct str
	    found; /* by look/: the file that PATH, or the path as written, leads to */
	bool found_writable; /* the user could have put that file there */
	struct str git_url;  /* by look/: the URL of the remote that git would contact */
	bool git_elsewhere; /* by look/: the configuration may send git to another remote */
	const char
	    *git_runs; /* by look/: the repository's configuration makes git run code */
	struct command *next;
};

struct chdir_effect {
	bool known;
	struct str path;
	struct span at;
	struct place_fact fact;
	struct chdir_effect *next;
};

enum file_op {
	FILE_READ,
	FILE_WRITE,
	FILE_APPEND,
	FILE_DELETE,
	FILE_CREATE,
	FILE_TRUNCATE,
	FILE_EXEC,
};

struct file_effect {
	enum file_op op;
	bool known;
	bool tree;       /* with everything below it */
	bool names;      /* only names and attributes are read, not the contents */
	struct str path; /* or its known prefix, possibly empty */
	struct str
	    among; /* absolute pattern, see struct field: only matching paths are meant; for
		      a known tree, matching paths in it; .p is NULL: any */
	struct str listed; /* by look/: the paths that match now are effects of their own,
			      all in this directory; .p is NULL: they are not */
	struct span at;
	struct str by; /* "redirection", or the program */
	struct place_fact fact;
	struct file_effect *next;
};

struct net_effect {
	bool known;
	struct str host; /* as written: a URL, a host, user@host:path */
	struct span at;
	struct str by;
	struct net_effect *next;
};

/* Reasons that others compare: UNKNOWN_SCRIPT, and parts that were not analysed at any
 * depth. */
#define UNKNOWN_SCRIPT "runs the commands in a file"
#define UNKNOWN_UNREAD "cannot parse a text that is run as commands"
#define UNKNOWN_DEEP "commands nested too deeply in other commands"
#define UNKNOWN_CUT "too long to analyse completely"

struct unknown {
	const char *why; /* static text */
	struct span at;
	struct unknown *next;
};

struct effects {
	struct command *commands;
	struct chdir_effect *chdirs;
	struct file_effect *files;
	struct net_effect *nets;
	struct env_change *env; /* variables that change what programs do */
	struct unknown *unknowns;
	struct effects
	    *guesses; /* possible effects of commands with unknown words; or NULL */
	bool looked;  /* look/ has filled in its facts */
};

const char *file_op_name(enum file_op op);
