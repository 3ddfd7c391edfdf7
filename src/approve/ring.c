#define _GNU_SOURCE /* O_NOFOLLOW, with every C library */
#include "approve/ring.h"
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* `begun` is ahead of `total` while bytes are written, so a reader detects torn reads. */
struct ring_file {
	_Atomic uint64_t total, begun;
	char pad[4096 - 2 * sizeof(uint64_t)];
	char bytes[RING_BYTES];
};

static bool
map_it(struct ring *r, int fd, int protection)
{
	void *p = mmap(NULL, sizeof *r->map, protection, MAP_SHARED, fd, 0);

	(void)close(fd);
	if (p == MAP_FAILED)
		return false;
	r->map = p;
	return true;
}

bool
ring_make(struct ring *r, int dir, const char *name)
{
	int fd =
	    openat(dir, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0)
		return false;
	if (ftruncate(fd, sizeof *r->map)) {
		(void)close(fd);
		return false;
	}
	return map_it(r, fd, PROT_READ | PROT_WRITE);
}

bool
ring_open(struct ring *r, int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return false;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_uid != geteuid() ||
	    st.st_size != (off_t)sizeof *r->map) {
		(void)close(fd);
		return false;
	}
	return map_it(r, fd, PROT_READ);
}

void
ring_close(struct ring *r)
{
	if (r->map)
		(void)munmap(r->map, sizeof *r->map);
	r->map = NULL;
}

void
ring_put(struct ring *r, struct str s)
{
	while (s.n) {
		uint64_t at = atomic_load(&r->map->total);
		size_t place = (size_t)(at % RING_BYTES), room = RING_BYTES - place;
		size_t n = s.n < room ? s.n : room;

		atomic_store(&r->map->begun, at + n);
		memcpy(r->map->bytes + place, s.p, n);
		atomic_store(&r->map->total, at + n);
		s = str_skip(s, n);
	}
}

static void
copy(const struct ring *r, uint64_t at, char *to, size_t n)
{
	while (n) {
		size_t place = (size_t)(at % RING_BYTES), part = RING_BYTES - place;

		part = n < part ? n : part;
		memcpy(to, r->map->bytes + place, part);
		to += part;
		at += part;
		n -= part;
	}
}

size_t
ring_take(const struct ring *r, uint64_t from, char *to, size_t n, uint64_t *ret_at)
{
	uint64_t total = atomic_load(&r->map->total), oldest, begun;
	size_t got;

	oldest = total > RING_BYTES ? total - RING_BYTES : 0;
	if (from > total)
		from = total;
	if (from < oldest)
		from = oldest;
	got = total - from < n ? (size_t)(total - from) : n;
	copy(r, from, to, got);
	/* Drop what was overwritten while we read. */
	begun = atomic_load(&r->map->begun);
	oldest = begun > RING_BYTES ? begun - RING_BYTES : 0;
	if (oldest > from) {
		size_t lost = oldest - from < got ? (size_t)(oldest - from) : got;

		memmove(to, to + lost, got - lost);
		from += lost;
		got -= lost;
	}
	*ret_at = from;
	return got;
}
