/* Read packs and their indexes (gitformat-pack(5), version 2). */
#define _GNU_SOURCE
#include "base/limits.h"
#include "look/git/objects/gitobj.h"
#include "look/git/objects/inflate.h"
#include "os/file.h"
#include <dirent.h>
#include <fcntl.h>

#define FANOUT 8
#define NAMES (FANOUT + 1024)
#define DELTA_DEPTH 256
#define ENTRY_HEAD 64

enum { OFS_DELTA = 6, REF_DELTA = 7 };

static bool
read_at(int fd, uint64_t at, void *buf, size_t n)
{
	return pread(fd, buf, n, (off_t)at) == (ssize_t)n;
}

static uint32_t
number(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static bool
read_number(int fd, uint64_t at, uint32_t *ret)
{
	unsigned char v[4];

	if (!read_at(fd, at, v, sizeof v))
		return false;
	*ret = number(v);
	return true;
}

/* ---- finding packs */

static void
add_pack(struct git_store *s, int dir, struct str name)
{
	static const unsigned char magic[FANOUT] = { 0xff, 't', 'O', 'c', 0, 0, 0, 2 };
	const int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
	struct git_pack p = { .idx = -1, .pack = -1 };
	unsigned char head[FANOUT];
	char file[256];

	if (name.n + 2 > sizeof file)
		return;
	memcpy(file, name.p, name.n);
	file[name.n] = '\0';
	p.idx = openat(dir, file, flags);
	memcpy(file + name.n - 3, "pack", sizeof "pack");
	p.pack = openat(dir, file, flags);
	if (p.idx < 0 || p.pack < 0 || !read_at(p.idx, 0, head, sizeof head) ||
	    memcmp(head, magic, sizeof head) != 0 || !read_number(p.idx, NAMES - 4, &p.n)) {
		fd_close(&p.idx);
		fd_close(&p.pack);
		return;
	}
	p.old = git_is_older(p.idx, s->before);
	s->packs[s->packs_n++] = p;
}

void
git_packs_open(struct git_store *s, int objects)
{
	int dir = openat(objects, "pack", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *d = dir < 0 ? NULL : fdopendir(dir);
	const struct dirent *e;

	if (!d) {
		fd_close(&dir);
		return;
	}
	while (s->packs_n < GIT_PACKS && (e = readdir(d))) {
		struct str name = str_from_c(e->d_name);

		if (name.n > 4 && str_ends(name, STR(".idx")))
			add_pack(s, dir, name);
	}
	(void)closedir(d);
}

/* ---- the index */

/* The first entry not less than `oid`, or the number of entries. */
static uint32_t
lower_bound(const struct git_pack *p, const struct git_oid *oid)
{
	uint32_t low = 0, high = 0;

	if (oid->v[0] && !read_number(p->idx, FANOUT + 4 * (oid->v[0] - 1U), &low))
		return p->n;
	if (!read_number(p->idx, FANOUT + 4U * oid->v[0], &high) || high > p->n)
		return p->n;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		struct git_oid at;

		if (!read_at(
			p->idx, NAMES + (uint64_t)middle * SHA1_BYTES, at.v, sizeof at.v))
			return p->n;
		if (memcmp(at.v, oid->v, sizeof at.v) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool
entry_name(const struct git_pack *p, uint32_t i, struct git_oid *ret)
{
	return i < p->n &&
	       read_at(p->idx, NAMES + (uint64_t)i * SHA1_BYTES, ret->v, sizeof ret->v);
}

uint64_t
git_pack_find(const struct git_pack *p, const struct git_oid *oid)
{
	uint32_t i = lower_bound(p, oid), at;
	uint64_t offsets = NAMES + (uint64_t)p->n * (SHA1_BYTES + 4);
	struct git_oid found;
	unsigned char wide[8];

	if (!entry_name(p, i, &found) || !git_oid_eq(&found, oid) ||
	    !read_number(p->idx, offsets + (uint64_t)i * 4, &at))
		return 0;
	if (!(at & 0x80000000))
		return at;
	if (!read_at(p->idx, offsets + (uint64_t)p->n * 4 + (at & 0x7fffffff) * UINT64_C(8),
		wide, sizeof wide))
		return 0;
	return (uint64_t)number(wide) << 32 | number(wide + 4);
}

unsigned
git_pack_prefix(
    const struct git_pack *p, const struct git_oid *oid, size_t digits, struct git_oid *ret)
{
	struct git_oid at;
	unsigned found = 0;

	for (uint32_t i = lower_bound(p, oid);
	     found < 2 && entry_name(p, i, &at) && git_same_digits(&at, oid, digits);
	     i++, found++)
		*ret = at;
	return found;
}

/* ---- objects */

struct pack_entry {
	unsigned type;
	size_t size;
	uint64_t data; /* offset of its stream */
	uint64_t base; /* offset of the delta's base in the same pack; 0: `base_oid` */
	struct git_oid base_oid;
};

static bool
read_base(const unsigned char *p, size_t n, uint64_t at, struct pack_entry *e, size_t *used)
{
	uint64_t back = 0;

	if (e->type == REF_DELTA) {
		if (n - *used < SHA1_BYTES)
			return false;
		memcpy(e->base_oid.v, p + *used, SHA1_BYTES);
		*used += SHA1_BYTES;
		return true;
	}
	for (bool first = true; *used < n; first = false) {
		unsigned char c = p[(*used)++];

		back = first ? c & 127 : (back + 1) << 7 | (c & 127);
		if (!(c & 128)) {
			e->base = back < at ? at - back : 0;
			return back && e->base;
		}
	}
	return false;
}

static bool
read_entry(const struct git_pack *p, uint64_t at, struct pack_entry *e)
{
	unsigned char head[ENTRY_HEAD];
	ssize_t n = pread(p->pack, head, sizeof head, (off_t)at);
	size_t used = 1;
	int shift = 4;

	if (n < 2)
		return false;
	*e = (struct pack_entry){ .type = head[0] >> 4 & 7, .size = head[0] & 15 };
	for (; head[used - 1] & 128; shift += 7) {
		if (used >= (size_t)n || shift > 28)
			return false;
		e->size |= (size_t)(head[used++] & 127) << shift;
	}
	if (e->type >= OFS_DELTA && !read_base(head, (size_t)n, at, e, &used))
		return false;
	e->data = at + used;
	return e->size <= GIT_OBJECT_MAX;
}

static bool
unpack(struct git_store *s, const struct git_pack *p, const struct pack_entry *e, char *out)
{
	/* zlib expands incompressible data by at most this much. */
	size_t most = e->size + e->size / 1024 + 128, mark;
	ssize_t n;
	bool ok;
	char *packed = arena_alloc(s->a, most);

	if (!packed)
		return false;
	mark = s->a->used - most;
	n = pread(p->pack, packed, most, (off_t)e->data);
	ok = n > 0 &&
	     inflate_zlib(str_of(packed, (size_t)n), out, e->size) == (ptrdiff_t)e->size;
	arena_back(s->a, mark);
	return ok;
}

static bool
take_size(struct str *delta, size_t *ret)
{
	size_t size = 0;

	for (int shift = 0; delta->n && shift <= 28; shift += 7) {
		unsigned char c = (unsigned char)delta->p[0];

		*delta = str_skip(*delta, 1);
		size |= (size_t)(c & 127) << shift;
		if (!(c & 128)) {
			*ret = size;
			return true;
		}
	}
	return false;
}

/* Read the bytes of a number whose presence `bits` shows. */
static bool
take_bytes(struct str *delta, unsigned bits, int count, size_t *ret)
{
	*ret = 0;
	for (int i = 0; i < count; i++) {
		if (!(bits >> i & 1))
			continue;
		if (!delta->n)
			return false;
		*ret |= (size_t)(unsigned char)delta->p[0] << (8 * i);
		*delta = str_skip(*delta, 1);
	}
	return true;
}

static bool
apply_delta(struct git_store *s, struct str base, struct str delta, struct str *ret)
{
	size_t from, to, at = 0, offset, n;
	char *out;

	if (!take_size(&delta, &from) || from != base.n || !take_size(&delta, &to) ||
	    to > GIT_OBJECT_MAX || !git_charge(s, to) || !(out = arena_alloc(s->a, to)))
		return false;
	while (delta.n) {
		unsigned op = (unsigned char)delta.p[0];
		struct str source = delta = str_skip(delta, 1);

		offset = 0;
		n = op;
		if (op & 128) {
			if (!take_bytes(&delta, op, 4, &offset) ||
			    !take_bytes(&delta, op >> 4 & 7, 3, &n))
				return false;
			n = n ? n : 0x10000;
			source = base;
		}
		if (!n || offset > source.n || n > source.n - offset || n > to - at)
			return false;
		memcpy(out + at, source.p + offset, n);
		at += n;
		if (!(op & 128))
			delta = str_skip(delta, n);
	}
	*ret = str_of(out, to);
	return at == to;
}

/* Follow the chain of deltas down to a whole object, then apply them. */
static bool
read_packed(struct git_store *s, const struct git_pack *p, uint64_t at,
    enum git_type *ret_type, struct str *ret)
{
	struct str deltas[DELTA_DEPTH];
	struct pack_entry e;
	size_t n = 0;

	for (;;) {
		char *text;

		if (!read_entry(p, at, &e) || !git_charge(s, e.size) ||
		    !(text = arena_alloc(s->a, e.size)) || !unpack(s, p, &e, text))
			return false;
		if (e.type < OFS_DELTA) {
			*ret = str_of(text, e.size);
			break;
		}
		if (n == DELTA_DEPTH)
			return false;
		deltas[n++] = str_of(text, e.size);
		at = e.base ? e.base : git_pack_find(p, &e.base_oid);
		if (!at)
			return false;
	}
	if (e.type < OBJ_COMMIT || e.type > OBJ_TAG)
		return false;
	*ret_type = (enum git_type)e.type;
	while (n > 0)
		if (!apply_delta(s, *ret, deltas[--n], ret))
			return false;
	return true;
}

bool
git_pack_read(struct git_store *s, const struct git_oid *oid, enum git_type *ret_type,
    struct str *ret)
{
	for (size_t i = 0; i < s->packs_n; i++) {
		uint64_t at = git_pack_find(&s->packs[i], oid);

		if (at && read_packed(s, &s->packs[i], at, ret_type, ret))
			return true;
	}
	return false;
}
