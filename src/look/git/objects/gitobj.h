/*
 * look/git/objects/gitobj.h: read git's objects without git.
 *
 * MUST
 * 1. Return an object only if its bytes hash to its name: a confined command can write
 *    anything to the store.
 * 2. Call an object old only if a file that contains or lists it has not changed since the
 *    given time.  The kernel sets that timestamp (ctime); the command cannot.
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
	struct arena *a; /* objects are read into it; callers release them */
	int objects[GIT_STORES];
	size_t objects_n;
	struct git_pack packs[GIT_PACKS];
	size_t packs_n;
	struct timespec before; /* objects unchanged since then are old */
	size_t budget; /* bytes that may still be read: a store written by the command must
			  not keep the supervisor busy */
};

/* Open the object directory of the repository at `commondir`, an open directory.  False:
 * there is none. */
bool git_store_open(
    struct git_store *s, struct arena *a, int commondir, struct timespec before);
void git_store_close(struct git_store *s);
#define cleanup_store __attribute__((cleanup(git_store_close)))

/* Read an object into the arena; false: missing, too large, or its hash is wrong. */
bool git_read(struct git_store *s, const struct git_oid *oid, enum git_type *ret_type,
    struct str *ret);
bool git_is_old(const struct git_store *s, const struct git_oid *oid);
/* Find the only object whose hash begins with these digits, at least four. */
bool git_abbreviated(const struct git_store *s, struct str hex, struct git_oid *ret);
/* Compute the hash of a blob with this text. */
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
/* Spend `n` bytes of the budget; false: too little is left. */
bool git_charge(struct git_store *s, size_t n);

void git_packs_open(struct git_store *s, int objects);
/* The object's offset in the pack; 0: not in it. */
uint64_t git_pack_find(const struct git_pack *p, const struct git_oid *oid);
/* Find the first object whose hash shares `digits` digits with `oid`; return the number of
 * such objects, at most two. */
unsigned git_pack_prefix(const struct git_pack *p, const struct git_oid *oid, size_t digits,
    struct git_oid *ret);
bool git_pack_read(struct git_store *s, const struct git_oid *oid, enum git_type *ret_type,
    struct str *ret);
bool git_same_digits(const struct git_oid *x, const struct git_oid *y, size_t digits);
bool git_is_older(int fd, struct timespec before);
