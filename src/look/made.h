/*
 * look/made.h: names that a command text itself could make or change into links.
 *
 * `ln -s /etc d && echo x >d/f`: while we look, d is not there yet.  So whatever
 * goes through such a name is not known, wherever in the text it stands (a loop
 * or a function may run it later).
 */
#pragma once
#include "analyse/effects.h"
#include "base/arena.h"
#include "base/err.h"

#define MADE_DEPTH 3

struct made_name {
	struct str path;   /* real as far as it exists */
	bool below;        /* anything in that directory, but not itself */
	struct str source; /* of a copied or moved file; .p == NULL: not known */
	const struct file_effect *from; /* the effect that makes it */
	struct made_name *next;
};

struct made {
	const struct made_name *names;
	const struct file_effect *except; /* what it makes itself does not count */
	bool careful; /* whoever writes here does not go through links: git, tar */
	int depth;
};

/* What the text makes; *ret is NULL when nothing.  Fails only with CORDON_ENOMEM. */
int made_find(struct arena *a, const struct effects *e, const struct made_name **ret,
    struct err *reterr);
/* The name that this path, come by while following, is or lies below; or NULL. */
const struct made_name *made_find_name(const struct made *m, struct str path);
/* Programs that unpack or check out. */
enum made_how {
	MADE_NAMES = 1,   /* could make any name in a directory a link */
	MADE_CAREFUL = 2, /* takes care of links on its way */
	MADE_ARCHIVE = 4, /* takes names from an archive, and goes through links that were
			     there before */
};
unsigned made_how(struct str program);
/* The two with a slash between, `rest` maybe empty; .p == NULL when there is no room. */
struct str made_join(struct arena *a, struct str dir, struct str rest);
