/*
 * look/git/objects/gitobj.h: git's commits and trees, read without git.
 *
 * MUST
 * 1. Return an object only if its bytes hash to its name: a confined command can write
 *    whatever it likes in the store.
 * 2. Call an object old only if a file that holds it, or lists it, was not touched since
 *    the given time.  The kernel sets that stamp (ctime); no call of the command can.
 * 3. Follow no symlinks below the object directories, and map no file that could shrink.
 */
#pragma once
#include "base/arena.h"
#include "look/git/objects/sha1.h"
#include <time.h>

enum git_type { OBJ_COMMIT = 1, OBJ_TREE = 2, OBJ_BLOB = 3, OBJ_TAG = 4 };

struct git_oid {
	unsigned char v[SHA1_BYTES];
};

#define GIT_PACKS 64
#define GIT_STORES 4 /* object directories: its own, and alternates */

struct git_pack {
	int idx, pack;
	uint32_t n; /* objects in it */
	bool old;
};

struct git_store {
	struct arena *a; /* objects are read here; callers give them back */
	int objects[GIT_STORES];
	size_t objects_n;
	struct git_pack packs[GIT_PACKS];
	size_t packs_n;
	struct timespec before; /* what was last changed earlier is old */
	size_t budget; /* bytes that may still be read: a store of the command's own making
			* must not keep its supervisor busy */
};

/* Opens the object directory of the repository at `commondir`, an open directory.  False:
 * there is none. */
bool git_store_open(
    struct git_store *s, struct arena *a, int commondir, struct timespec before);
void git_store_close(struct git_store *s);
#define cleanup_store __attribute__((cleanup(git_store_close)))

/* Reads an object into the arena; false when it is missing, too large or not what its name
 * says. */
bool git_read(struct git_store *s, const struct git_oid *oid, enum git_type *ret_type,
    struct str *ret);
bool git_is_old(const struct git_store *s, const struct git_oid *oid);
/* The one object whose name begins with these digits, four at least. */
bool git_abbreviated(const struct git_store *s, struct str hex, struct git_oid *ret);
/* The name of a blob with this text. */
void git_blob_name(struct str text, struct git_oid *ret);
bool git_oid_read(struct str hex, struct git_oid *ret); /* 40 digits */

static inline bool
git_oid_eq(const struct git_oid *x, const struct git_oid *y)
{
	return memcmp(x->v, y->v, sizeof x->v) == 0;
}

/* ---- gitpack.c, for gitobj.c */

#define GIT_OBJECT_MAX ((size_t)16 << 20)
#define GIT_BUDGET ((size_t)32 << 20)
/* False: there is nothing left for `n` more. */
bool git_charge(struct git_store *s, size_t n);

void git_packs_open(struct git_store *s, int objects);
/* Where the pack has it; 0: nowhere. */
uint64_t git_pack_find(const struct git_pack *p, const struct git_oid *oid);
/* The first object in it whose name begins like `oid`, in `digits` digits, and how many
 * there are, at most two. */
unsigned git_pack_prefix(const struct git_pack *p, const struct git_oid *oid, size_t digits,
    struct git_oid *ret);
bool git_pack_read(struct git_store *s, const struct git_oid *oid, enum git_type *ret_type,
    struct str *ret);
bool git_same_digits(const struct git_oid *x, const struct git_oid *y, size_t digits);
bool git_is_older(int fd, struct timespec before);
