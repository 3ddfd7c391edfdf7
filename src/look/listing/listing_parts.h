/* look/listing/listing_parts.h: internal: the data structures of a listing. */
#pragma once
#include "base/limits.h"
#include "base/str.h"
#include <pthread.h>
#include <stdint.h>

#define LISTING_DEPTH 128
/* About 30 million names; a larger tree fails as a whole. */
#define LISTING_BYTES ((size_t)1 << 30)
/* The first chunk of each thread; each later one is twice as large. */
#define LISTING_CHUNK ((size_t)64 << 10)

/* struct linux_dirent64. */
struct listing_entry {
	uint64_t inode, next;
	unsigned short size;
	unsigned char type;
	char name[];
};

struct block {
	struct block *next;
	size_t n;
	_Alignas(struct listing_entry) char entries[];
};

struct listing_node {
	const struct listing_node *up; /* NULL: the root */
	const char *name;
	struct block *blocks;
	struct listing_node *first, *next; /* its subdirectories; its next sibling */
	struct listing_node *waits;
	struct link *links; /* from the last search for hard links */
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
	void (*job)(
	    struct lister *t, struct listing_node *d); /* called for each directory */
	uint32_t walks;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct listing_node *waiting; /* a stack */
	size_t waiting_n, open_n;     /* open: waiting, or being listed */
	size_t idle, bytes;
	const char *failed; /* static text */
	struct chunk *chunks;
	struct listing_node *top;
	int fd;
	struct str root;
};

/* One thread. */
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

/* Git directories are not listed: their objects contain every file anyway. */
static inline bool
is_git(const char *name)
{
	return strcmp(name, ".git") == 0;
}

static inline const struct listing_entry *
entry_at(const struct block *b, size_t at)
{
	return (const struct listing_entry *)(const void *)(b->entries + at);
}

/* listing_dir.c: these functions record a failure in the listing. */
struct chunk *listing_chunk(size_t size);
/* Allocate; NULL: no memory. */
void *listing_take(struct lister *t, size_t n);
void listing_fail(struct listing *l, const char *why);
/* Open a directory; -1 also if it is skipped silently. */
int listing_open(struct lister *t, const struct listing_node *d);
void listing_dir(struct lister *t, struct listing_node *d);

/* listing.c: run l->job for every waiting directory and its subdirectories, on all threads.
 * False: l->failed. */
bool listing_is_covered(const struct listing *l, const struct listing_node *d);
/* Queue a directory for the next run. */
void listing_wait(struct listing *l, struct listing_node *d);
bool listing_crew(struct listing *l, struct chunk *chunk);
