/* look/listing/listing_parts.h: what the files of a listing share.  For them only. */
#pragma once
#include "base/limits.h"
#include "base/str.h"
#include <pthread.h>
#include <stdint.h>

#define LISTING_DEPTH 128
/* Some 30 million names; beyond, nothing is told of any. */
#define LISTING_BYTES ((size_t)1 << 30)
/* The first of each thread; then twice as much. */
#define LISTING_CHUNK ((size_t)64 << 10)

/* The kernel's own form. */
struct entry {
	uint64_t inode, next;
	unsigned short size;
	unsigned char type;
	char name[];
};

struct block {
	struct block *next;
	size_t n;
	_Alignas(struct entry) char entries[];
};

struct dir {
	const struct dir *up; /* NULL: the root */
	const char *name;
	struct block *blocks;
	struct dir *first, *next; /* the directories in it; the next one beside it */
	struct dir *waits;
	struct link *links; /* of the last look at files with several names */
	int depth;
	uint32_t covered; /* by the walk of this number */
};

struct link {
	struct link *next;
	const char *name;
	uint64_t dev, ino, names;
};

struct chunk {
	struct chunk *next;
	size_t size, used;
};

struct lister;

struct listing {
	void (*job)(struct lister *t, struct dir *d); /* what is done with each directory */
	uint32_t walks;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct dir *waiting;      /* a stack */
	size_t waiting_n, open_n; /* open: waits, or is being listed */
	size_t idle, bytes;
	const char *failed; /* static text */
	struct chunk *chunks;
	struct dir *top;
	int fd;
	struct str root;
};

/* One thread of them. */
struct lister {
	struct listing *l;
	struct chunk *chunk;
	char path[LIMIT_PATH];
};

static inline bool
is_dots(const char *name)
{
	return name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2]));
}

/* Of git's own directory nothing is shown: objects hold every file anyway. */
static inline bool
is_git(const char *name)
{
	return strcmp(name, ".git") == 0;
}

static inline const struct entry *
entry_at(const struct block *b, size_t at)
{
	return (const struct entry *)(const void *)(b->entries + at);
}

/* listing_dir.c: all of these say in the listing what is wrong. */
struct chunk *listing_chunk(size_t size);
/* NULL without memory. */
void *listing_take(struct lister *t, size_t n);
void listing_fail(struct listing *l, const char *why);
/* -1 also where nothing is to be said. */
int listing_open(struct lister *t, const struct dir *d);
/* Lists `d`. */
void listing_dir(struct lister *t, struct dir *d);

/* listing.c: l->job for every directory that waits and those in it, by all threads.  False:
 * l->failed. */
bool listing_is_covered(const struct listing *l, const struct dir *d);
/* It is to be looked at by the next crew. */
void listing_wait(struct listing *l, struct dir *d);
bool listing_crew(struct listing *l, struct chunk *chunk);
