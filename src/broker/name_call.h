/* broker/name_call.h: a call that creates, moves or removes names. */
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

/* The positions of a call's arguments; -1: it has none, and the default applies. */
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
	char text[LIMIT_PATH];
	char text2[LIMIT_PATH]; /* the other path, or the content of a symlink */
	struct target to, from;
	unsigned flags;
	mode_t mode;
};

/* The operation that the call is reported as. */
enum run_op name_call_op(const struct name_call *m);
/* Read the call's arguments and resolve its paths.  Returns 0 or a positive errno.  The
 * caller closes m->to and m->from in any case. */
int name_call_read(struct call *c, struct name_call *m);
/* Perform the call on what was resolved.  Returns 0 or a positive errno. */
int name_call_perform(const struct name_call *m);
