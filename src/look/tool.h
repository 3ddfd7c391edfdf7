/*
 * look/tool.h: the paths of an agent's file tools, checked and made absolute.
 *
 * MUST
 * 1. Refuse an empty path, a NUL, a variable or a tilde in front: nobody knows
 *    what the tool makes of it.
 * 2. Refuse what leads outside of the roots and granted paths, links followed,
 *    whatever the mode gate says.
 * 3. Hand back an absolute path inside unchanged, byte for byte.
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

/* By the name in a request; false when it is none of these. */
bool tool_by_name(struct str name, enum tool *ret);

/* What decide/ must turn into a refusal; the first that holds. */
enum tool_problem {
	TOOL_FINE,
	TOOL_EMPTY,     /* no path, or one that is no path: NUL, too long */
	TOOL_VARIABLE,  /* $NAME or ~ in front */
	TOOL_OUTSIDE,   /* of every root and granted path */
	TOOL_UNKNOWN,   /* could not be followed */
	TOOL_DIRECTORY, /* a directory is to be read, written or edited as a file */
	TOOL_IGNORED,   /* an ignore file names it */
};

struct tool_fact {
	enum tool_problem problem;
	const char *why;  /* static text; NULL when it is fine */
	const char *hint; /* what would work instead, or NULL */
	struct str path;  /* absolute; as given when the mode gate forbids rewriting */
	bool rewritten;   /* `path` is not what was given */
	bool writes;      /* the tool changes what is there */
	struct place_fact fact; /* dot files, protected files and the rest */
};

/*
 * Relative paths are taken from the first root.  `rewrite` false is the mode
 * gate (print, json): nothing is rewritten and no directory is looked at, but
 * outside is refused all the same.  0, or CORDON_ENOMEM, CORDON_EINVAL.
 */
int tool_path(struct arena *a, enum tool tool, struct str path, bool rewrite,
    const struct look_opts *o, struct tool_fact *ret, struct err *reterr);
/* The same on what look_open() has found out already. */
int tool_path_on(struct arena *a, struct ground *g, enum tool tool, struct str path,
    bool rewrite, const struct look_opts *o, struct tool_fact *ret, struct err *reterr);
