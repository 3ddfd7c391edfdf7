/* The text pool of an image: stores each text once. */
#include "policy/image/pool.h"

uint32_t
image_hash(struct str name)
{
	uint64_t h = 0x9e3779b97f4a7c15u ^ name.n;

	for (size_t i = 0; i < name.n; i++)
		h = (h ^ (unsigned char)name.p[i]) * 0x100000001b3u;
	h ^= h >> 29;
	return (uint32_t)(h ^ h >> 32);
}

static void
known_put(struct image_text *table, uint32_t size, uint32_t hash, struct image_text t)
{
	uint32_t i = hash & (size - 1);

	while (table[i].at != IMAGE_NONE)
		i = (i + 1) & (size - 1);
	table[i] = t;
}

static bool
known_grow(struct pool *x)
{
	uint32_t size = x->known_size ? x->known_size * 2 : 256;
	struct image_text *table = arena_array(x->bytes.a, size, sizeof *table);

	if (!table)
		return false;
	memset(table, 0xff, size * sizeof *table);
	for (uint32_t i = 0; i < x->known_size; i++) {
		struct image_text t = x->known[i];

		if (t.at != IMAGE_NONE)
			known_put(
			    table, size, image_hash(str_of(x->bytes.p + t.at, t.n)), t);
	}
	x->known = table;
	x->known_size = size;
	return true;
}

static struct image_text
pool_append(struct pool *x, struct str s)
{
	struct image_text t = { (uint32_t)x->bytes.n, (uint32_t)s.n };

	if (s.n > IMAGE_BYTES - x->bytes.n)
		x->too_big = true;
	else
		buf_put(&x->bytes, s);
	return t;
}

static struct image_text
pool_known(struct pool *x, struct str s)
{
	uint32_t hash = image_hash(s), i;
	struct image_text t;

	if (x->known_n * 2 >= x->known_size && !known_grow(x)) {
		x->bytes.full = true;
		return (struct image_text){ 0 };
	}
	for (i = hash & (x->known_size - 1); x->known[i].at != IMAGE_NONE;
	     i = (i + 1) & (x->known_size - 1))
		if (str_eq(str_of(x->bytes.p + x->known[i].at, x->known[i].n), s))
			return x->known[i];
	t = pool_append(x, s);
	if (!x->bytes.full && !x->too_big) {
		x->known[i] = t;
		x->known_n++;
	}
	return t;
}

struct image_text
pool_put(struct pool *x, struct str s)
{
	if (!s.p)
		return (struct image_text){ IMAGE_NONE, 0 };
	if (s.n == 0)
		return (struct image_text){ 0 };
	if (x->line.p && (uintptr_t)s.p >= (uintptr_t)x->line.p &&
	    (uintptr_t)s.p + s.n <= (uintptr_t)x->line.p + x->line.n)
		return (struct image_text){ x->line_at + (uint32_t)(s.p - x->line.p),
			(uint32_t)s.n };
	return pool_known(x, s);
}

struct image_text
pool_line(struct pool *x, struct str s)
{
	struct image_text t = pool_known(x, s);

	x->line = s;
	x->line_at = t.at;
	return t;
}

void
pool_line_done(struct pool *x)
{
	x->line = (struct str){ 0 };
}
