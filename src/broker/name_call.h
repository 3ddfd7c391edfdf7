/* broker/making.h: inside the room: a call that makes, moves or removes names. */
#pragma once
#include "broker/path/target.h"

enum what {
	MKDIR,
	MKNOD,
	UNLINK,
	RMDIR,
	SYMLINK,
	LINK,
	RENAME,
	TRUNCATE,
};

/* Where the arguments of a call stand; -1: it has none, and the default holds. */
struct shape {
	int nr;
	enum what what;
	int dir, path, dir2, path2, mode, flags;
};

/* One call, with its arguments read. */
struct name_call {
	struct call *c;
	const struct shape *shape;
	enum what what;
	char text[LIMIT_PATH],
	    text2[LIMIT_PATH]; /* text2: the other path, or a link's text */
	struct target to, from;
	unsigned flags;
	mode_t mode;
};

/* What the call does to a path, as it is reported. */
enum run_op name_call_op(const struct name_call *m);
/* Read the call's arguments and resolve its paths.  0, or a positive errno; the caller
 * closes m->to and m->from in any case. */
int name_call_read(struct call *c, struct name_call *m);
/* Make the call, on what was resolved; 0, or a positive errno. */
int name_call_perform(const struct name_call *m);
