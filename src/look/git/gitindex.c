#define _GNU_SOURCE /* st_mtim */
#include "look/git/gitindex.h"
#include "base/err.h"
#include "base/limits.h"
#include "look/created_names.h"
#include "os/file.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>

#define INDEX_MAX ((size_t)256 << 20)
#define HASH 20

struct map {
	const unsigned char *p;
	size_t n;
};

static void
map_done(struct map *m)
{
	if (m->p)
		(void)munmap((void *)(uintptr_t)m->p, m->n);
}
#define cleanup_map __attribute__((cleanup(map_done)))

static uint32_t
number(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

struct index_reader {
	struct map m;
	size_t at, end; /* of the entries and extensions, without the checksum */
	uint32_t version;
	char name[LIMIT_PATH];
	size_t n;
	uint64_t written, written_ns;
};

/* Version 4: the number of bytes to drop from the previous name. */
static bool
read_strip(struct index_reader *r, size_t *ret)
{
	uint64_t v = 0;

	for (int i = 0; r->at < r->end && i < 4; i++) {
		unsigned char c = r->m.p[r->at++];

		v = i ? ((v + 1) << 7 | (c & 127)) : (c & 127);
		if (!(c & 128)) {
			*ret = (size_t)v;
			return v <= r->n;
		}
	}
	return false;
}

static bool
read_name(struct index_reader *r, size_t start)
{
	size_t strip = r->n;
	const unsigned char *nul;
	size_t n;

	if (r->version == 4 && !read_strip(r, &strip))
		return false;
	r->n -= strip;
	nul = r->at < r->end ? memchr(r->m.p + r->at, 0, r->end - r->at) : NULL;
	if (!nul)
		return false;
	n = (size_t)(nul - r->m.p) - r->at;
	if (r->n + n >= sizeof r->name || r->n + n == 0)
		return false;
	memcpy(r->name + r->n, r->m.p + r->at, n);
	r->n += n;
	r->at += n + 1;
	if (r->version != 4) /* padded to eight, with one NUL at least */
		r->at = start + ((r->at - 1 - start) / 8 + 1) * 8;
	return r->at <= r->end;
}

static bool
read_entry(struct index_reader *r, struct index_entry *e)
{
	size_t start = r->at;
	const unsigned char *p = r->m.p + start;
	unsigned flags, more = 0;

	if (r->end - start < 40 + HASH + 4)
		return false;
	flags = (unsigned)p[40 + HASH] << 8 | p[41 + HASH];
	r->at += 42 + HASH;
	if (flags & 0x4000) {
		if (r->version < 3)
			return false;
		more = (unsigned)p[42 + HASH] << 8 | p[43 + HASH];
		r->at += 2;
	}
	*e = (struct index_entry){ .mtime = number(p + 8),
		.mtime_ns = number(p + 12),
		.mode = number(p + 24),
		.size = number(p + 36) };
	e->odd = (flags & 0x3000) || (more & 0x2000) || (e->mode & 0170000) == 040000;
	e->racy = e->mtime > r->written ||
		  (e->mtime == r->written && e->mtime_ns >= r->written_ns);
	if (!read_name(r, start))
		return false;
	e->name = str_of(r->name, r->n);
	return true;
}

/* A split index has most entries in another file: not supported. */
static bool
is_split(const struct index_reader *r)
{
	for (size_t at = r->at; at + 8 <= r->end;) {
		if (memcmp(r->m.p + at, "link", 4) == 0)
			return true;
		at += 8 + (size_t)number(r->m.p + at + 4);
	}
	return false;
}

static int
visit_all(struct index_reader *r, index_visitor *each, void *context)
{
	uint32_t count = number(r->m.p + 8);

	for (uint32_t i = 0; i < count; i++) {
		struct index_entry e;

		if (!read_entry(r, &e))
			return CORDON_EINVAL;
		if (!each(context, &e))
			return 0;
	}
	return is_split(r) ? CORDON_EINVAL : 0;
}

int
index_read(struct arena *a, struct str gitdir, index_visitor *each, void *context)
{
	struct str path = created_join(a, gitdir, STR("index"));
	const char *c = path.p ? str_to_path(a, path) : NULL;
	cleanup_fd int fd = -1;
	cleanup_map struct map m = { NULL, 0 };
	struct index_reader r = { .at = 12 };
	struct stat st;
	void *p;

	if (!c)
		return CORDON_EIO;
	fd = open(c, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return errno == ENOENT ? 0 : CORDON_EIO;
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size < 12 + HASH ||
	    (size_t)st.st_size > INDEX_MAX)
		return CORDON_EIO;
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return CORDON_EIO;
	m = (struct map){ p, (size_t)st.st_size };
	r.m = m;
	r.end = m.n - HASH;
	r.version = number(m.p + 4);
	r.written = (uint64_t)st.st_mtim.tv_sec;
	r.written_ns = (uint64_t)st.st_mtim.tv_nsec;
	if (memcmp(m.p, "DIRC", 4) != 0 || r.version < 2 || r.version > 4)
		return CORDON_EINVAL;
	return visit_all(&r, each, context);
}
