/* One directory of a listing, and the memory for it. */
#define _GNU_SOURCE /* d_type, syscall */
#include "look/listing/listing_parts.h"
#include "os/file.h"
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#define CHUNK_LAST ((size_t)4 << 20)
#define BLOCK_LEAST ((size_t)4 << 10) /* larger than any single entry */
#define NO_SYMLINKS 0x04              /* RESOLVE_NO_SYMLINKS of linux/openat2.h */
#define BENEATH 0x08                  /* RESOLVE_BENEATH */

/* ---- memory */

/* Sizes and offsets are multiples of 16, so that rounded sizes still fit. */
#define ROUND(n) (((n) + 15) & ~(size_t)15)
_Static_assert(ROUND(sizeof(struct block)) == sizeof(struct block), "a block's entries");

struct chunk *
listing_chunk(size_t size)
{
	struct chunk *c =
	    mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (c == MAP_FAILED)
		return NULL;
	c->size = size;
	c->used = ROUND(sizeof *c);
	return c;
}

/* Make sure that `n` bytes are free in the chunk. */
static bool
need(struct lister *t, size_t n)
{
	struct listing *l = t->l;
	size_t size = t->chunk ? t->chunk->size * 2 : LISTING_CHUNK;
	struct chunk *c;
	bool fine;

	assert(!t->chunk || t->chunk->used <= t->chunk->size);
	if (t->chunk && t->chunk->size - t->chunk->used >= n)
		return true;
	size = size > CHUNK_LAST ? CHUNK_LAST : size;
	c = listing_chunk(size);
	(void)pthread_mutex_lock(&l->lock);
	if (c) {
		c->next = l->chunks;
		l->chunks = c;
		l->bytes += size;
	}
	fine = c && l->bytes <= LISTING_BYTES;
	if (!fine)
		l->failed = "too many files to list";
	(void)pthread_mutex_unlock(&l->lock);
	t->chunk = c;
	return fine;
}

void *
listing_take(struct lister *t, size_t n)
{
	void *p;

	n = ROUND(n);
	if (!need(t, n))
		return NULL;
	p = (char *)t->chunk + t->chunk->used;
	t->chunk->used += n;
	return p;
}

/* ---- one directory */

void
listing_fail(struct listing *l, const char *why)
{
	(void)pthread_mutex_lock(&l->lock);
	l->failed = l->failed ? l->failed : why;
	(void)pthread_mutex_unlock(&l->lock);
}

/* The path below the root, built from the end of the thread's buffer; NULL: too long. */
static const char *
path_of(struct lister *t, const struct listing_node *d)
{
	size_t at = sizeof t->path - 1;

	t->path[at] = '\0';
	for (; d->up; d = d->up) {
		size_t n = strlen(d->name);

		if (n + 1 > at)
			return NULL;
		if (t->path[at])
			t->path[--at] = '/';
		memcpy(t->path + (at -= n), d->name, n);
	}
	return t->path + at;
}

/* Skip directories that we may not list: the command may not either.  A directory that is
 * gone hides nothing. */
int
listing_open(struct lister *t, const struct listing_node *d)
{
	struct {
		uint64_t flags, mode, resolve;
	} how = { O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0,
		NO_SYMLINKS | BENEATH };
	const char *path = path_of(t, d);
	int fd;

	if (!path || d->depth > LISTING_DEPTH) {
		listing_fail(t->l, path ? "the tree is too deep" : "a path is too long");
		return -1;
	}
	fd = (int)syscall(SYS_openat2, t->l->fd, d->up ? path : ".", &how, sizeof how);
	if (fd < 0 && errno != EACCES && errno != ENOENT)
		listing_fail(t->l, "a directory cannot be listed");
	return fd;
}

static void
learn_type(int fd, struct listing_entry *e)
{
	struct stat st;

	if (e->type == DT_UNKNOWN && fstatat(fd, e->name, &st, AT_SYMLINK_NOFOLLOW) == 0)
		e->type = S_ISDIR(st.st_mode) ? DT_DIR : DT_REG;
}

/* Append the subdirectories in a block after *last. */
static void
add_dirs(struct lister *t, int fd, const struct listing_node *up, struct block *b,
    struct listing_node ***last)
{
	for (size_t at = 0; at < b->n; at += entry_at(b, at)->size) {
		struct listing_entry *e = (struct listing_entry *)(void *)(b->entries + at);
		struct listing_node *d;

		learn_type(fd, e);
		if (e->type != DT_DIR || is_dots(e->name) || is_git(e->name))
			continue;
		if (!(d = listing_take(t, sizeof *d)))
			return;
		*d = (struct listing_node){
			.up = up, .name = e->name, .depth = up->depth + 1
		};
		**last = d;
		*last = &d->next;
	}
}

void
listing_dir(struct lister *t, struct listing_node *d)
{
	cleanup_fd int fd = listing_open(t, d);
	struct block **end = &d->blocks;
	struct listing_node **last = &d->first;
	long n = 1;

	while (fd >= 0 && n > 0) {
		struct block *b;

		if (!need(t, BLOCK_LEAST))
			return;
		b = (struct block *)(void *)((char *)t->chunk + t->chunk->used);
		n = syscall(SYS_getdents64, fd, b->entries,
		    t->chunk->size - t->chunk->used - sizeof *b);
		if (n <= 0)
			break;
		b->n = (size_t)n;
		t->chunk->used += ROUND(sizeof *b + b->n);
		*end = b;
		end = &b->next;
		add_dirs(t, fd, d, b, &last);
	}
	if (fd >= 0 && n < 0 && errno != ENOENT)
		listing_fail(t->l, "a directory cannot be listed");
}
