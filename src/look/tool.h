/*
 * look/tool.h: check the paths of an agent's file tools and make them absolute.
 *
 * MUST
 * 1. Refuse an empty path, a NUL, and a leading variable or tilde: tools differ in how they
 *    expand those.
 * 2. Refuse paths that lead outside the roots and grants, with symlinks resolved, also if
 *    rewriting is off.
 * 3. Return an absolute path inside the workspace unchanged, byte for byte.
 */
#pragma once
#include "look/look.h"

enum tool {
	TOOL_READ,
	TOOL_WRITE,
	TOOL_EDIT,
	TOOL_DELETE,
	TOOL_LIST,
	TOOL_GLOB,
	TOOL_GREP,
	TOOLS,
};

/* Find a tool by its name in a request; false: unknown. */
bool tool_by_name(struct str name, enum tool *ret);

/* The first problem of a path, which becomes a deny. */
enum tool_problem {
	TOOL_FINE,
	TOOL_EMPTY,     /* empty, with a NUL, or too long */
	TOOL_VARIABLE,  /* starts with $NAME or ~ */
	TOOL_OUTSIDE,   /* outside every root and grant */
	TOOL_UNKNOWN,   /* could not be resolved */
	TOOL_DIRECTORY, /* a directory, where the tool needs a file */
	TOOL_IGNORED,   /* hidden by an ignore file */
};

struct tool_fact {
	enum tool_problem problem;
	const char *why;        /* static text; NULL: no problem */
	const char *hint;       /* the hint, or NULL */
	struct str path;        /* absolute; as given if rewriting is off */
	bool rewritten;         /* `path` differs from the given one */
	bool writes;            /* the tool writes */
	struct place_fact fact; /* all other facts */
};

/*
 * Check the path of a file tool.  Relative paths start at the first root.  `rewrite` false
 * (print, json): the path is not rewritten and no directory is examined, but paths outside
 * are still refused.  0, or CORDON_ENOMEM, CORDON_EINVAL.
 */
int tool_path(struct arena *a, enum tool tool, struct str path, bool rewrite,
    const struct look_opts *o, struct tool_fact *ret, struct err *reterr);
/* tool_path() with a lookup context from look_open(). */
int tool_path_on(struct arena *a, struct lookup *g, enum tool tool, struct str path,
    bool rewrite, const struct look_opts *o, struct tool_fact *ret, struct err *reterr);
