/* The names in a path, a bit for each: what a pattern needs, and what a path has. */
#include "policy/image.h"

static uint64_t
bit_of(struct str name)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < name.n; i++)
		hash = (hash ^ (unsigned char)name.p[i]) * 16777619u;
	return (uint64_t)1 << ((hash ^ hash >> 16) & 63);
}

static bool
is_plain(struct str part)
{
	for (size_t i = 0; i < part.n; i++)
		if (part.p[i] == CODE_STAR || part.p[i] == CODE_ANY ||
		    part.p[i] == CODE_DEEP)
			return false;
	return true;
}

static uint64_t
bits_of(struct str path, bool glob)
{
	uint64_t bits = 0;

	while (path.n) {
		struct str part = str_cut(path, 0, str_find(path, '/'));

		if (part.n && (!glob || is_plain(part)))
			bits |= bit_of(part);
		path = str_skip(path, part.n + 1);
	}
	return bits;
}

uint64_t
path_bits(struct str path)
{
	return bits_of(path, false);
}

bool
pattern_needs_no_more(const struct policy *p, const struct pattern *x, uint64_t bits)
{
	for (uint32_t i = 0; i < x->n; i++)
		if (!(p->needs[x->first + i] & ~bits))
			return true;
	return false;
}

uint64_t
image_need(const struct alternative *x, bool path)
{
	return path ? bits_of(x->code, x->glob) : 0;
}
