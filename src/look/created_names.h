/*
 * look/created_names.h: internal: names that the command text itself may create or turn
 * into symlinks.
 *
 * `ln -s /etc d && echo x >d/f`: when we look, d does not exist yet.  So every path through
 * such a name is unknown, wherever it stands in the text: a loop or a function may run it
 * later.
 */
#pragma once
#include "analyse/effects.h"
#include "base/arena.h"
#include "base/err.h"

#define MADE_DEPTH 3

struct created_name {
	struct str path;   /* real path, as far as it exists */
	bool below;        /* anything in that directory, but not the directory */
	struct str source; /* of a copied or moved file; .p == NULL: unknown */
	const struct file_effect *from; /* the effect that creates it */
	struct created_name *next;
};

struct created {
	const struct created_name *names;
	const struct file_effect *except; /* names created by this effect do not count */
	bool careful; /* the writer does not follow symlinks: git, tar */
	int depth;
};

/* Find the names that the text creates; *ret is NULL if there are none.  Fails only with
 * CORDON_ENOMEM. */
int created_find(struct arena *a, const struct effects *e, const struct created_name **ret,
    struct err *reterr);
/* The created name that a path met while resolving is, or lies below; or NULL. */
const struct created_name *created_find_name(const struct created *m, struct str path);
/* Programs that unpack or check out. */
enum created_how {
	CREATES_NAMES = 1,   /* may create any name in a directory, as a symlink too */
	CREATES_CAREFUL = 2, /* does not write through symlinks */
	CREATES_ARCHIVE =
	    4, /* takes names from an archive, and follows symlinks that existed before */
};
unsigned created_how(struct str program);
/* Join with a slash; `rest` may be empty.  .p == NULL: no memory. */
struct str created_join(struct arena *a, struct str dir, struct str rest);
