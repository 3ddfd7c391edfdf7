/* broker/making.h: inside the room: a call that makes, moves or removes names. */
#pragma once
#include "broker/supervisor.h"

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
struct making {
	struct call *c;
	const struct shape *shape;
	enum what what;
	char text[LIMIT_PATH],
	    text2[LIMIT_PATH]; /* text2: the other path, or a link's text */
	struct place_in to, from;
	unsigned flags;
	mode_t mode;
};

/* What the call does to a path, as it is reported. */
enum run_op making_op(const struct making *m);
/* Read the call's arguments and resolve its paths.  0, or a positive errno; the caller
 * closes m->to and m->from in any case. */
int making_read(struct call *c, struct making *m);
/* Make the call, on what was resolved; 0, or a positive errno. */
int making_do(const struct making *m);
