/* Bit sets of the names in a path: which a pattern needs, and which a path has. */
#include "base/hash.h"
#include "policy/image/image.h"

/* FNV-1a with a final mix; 16 bits. */
static uint32_t
hash_of(struct str name, uint32_t seed)
{
	return hash32(HASH32_START + seed, name) * 0x9e3779b1u >> 16;
}

static uint64_t
bit_of(struct str name, uint32_t seed)
{
	return (uint64_t)1 << (hash_of(name, seed) & 63);
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
			bits |= bit_of(part, 0);
		path = str_skip(path, part.n + 1);
	}
	return bits;
}

static uint64_t
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

/* ---- the place of a path */

enum {
	SEED_LAST = 1,
	SEED_ENDING,
	SEED_START,
};

/* The last bytes of a name distinguish most names. */
#define ENDING 2

/* Each anchor has its own range of bits for the names after it. */
static const struct {
	uint8_t first, n;
} regions[ANCHORS] = {
	[ANCHOR_NONE] = { 0, 24 }, [ANCHOR_HOME] = { 24, 32 }, [ANCHOR_PROJECT] = { 56, 8 }
};

static uint64_t
start_bit(enum pattern_anchor anchor, struct str name)
{
	uint32_t at = hash_of(name, SEED_START) * regions[anchor].n >> 16;

	return (uint64_t)1 << (regions[anchor].first + at);
}

/* All bits of an anchor: any name. */
static uint64_t
start_any(enum pattern_anchor anchor)
{
	return (((uint64_t)1 << regions[anchor].n) - 1) << regions[anchor].first;
}

static uint64_t
ending_bit(struct str name)
{
	return bit_of(str_skip(name, name.n - ENDING), SEED_ENDING);
}

static struct str
first_part(struct str rest)
{
	rest = str_skip(rest, 1);
	return str_cut(rest, 0, str_find(rest, '/'));
}

/* A pattern that begins with `**`: add a name that the path must have, or its last name. */
static void
place_add_name(struct path_place *place, const struct alternative *x)
{
	struct str last = str_base(x->code);

	for (struct str rest = x->code; rest.n;) {
		struct str part = first_part(rest);

		rest = str_skip(rest, part.n + 1);
		if (!is_plain(part) || part.n == 0)
			continue;
		if (rest.n || x->tree)
			place->names |= bit_of(part, 0);
		else
			place->lasts |= bit_of(part, SEED_LAST);
		return;
	}
	if (!x->tree && last.n > ENDING && is_plain(str_skip(last, last.n - ENDING)))
		place->lasts |= ending_bit(last);
	else
		place->names = UINT64_MAX;
}

void
place_add(struct path_place *place, const struct alternative *x, bool path, struct str text)
{
	struct str first = first_part(x->code);
	bool whole = x->code.n == 0 && x->tree;

	if (!path)
		place->starts = UINT64_MAX;
	else if (!whole && (!x->glob || is_plain(first)))
		place->starts |= start_bit(x->anchor, first);
	else if (!whole && str_starts(text, STR("**")))
		place_add_name(place, x);
	else
		place->starts |= start_any(x->anchor);
}

static bool
is_at(struct str dir, struct str path)
{
	return str_starts(path, dir) && (path.n == dir.n || path.p[dir.n] == '/');
}

/* The bit of the first name below the directory; all bits if the path is the directory or
 * above. */
static uint64_t
start_of(enum pattern_anchor anchor, struct str dir, struct str path)
{
	struct str first;

	while (dir.n > 0 && dir.p[dir.n - 1] == '/')
		dir.n--;
	if (!is_at(dir, path))
		return is_at(path, dir) ? start_any(anchor) : 0;
	first = first_part(str_skip(path, dir.n));
	if (first.n == 0 || str_is(first, "."))
		return start_any(anchor);
	return start_bit(anchor, first);
}

struct path_place
path_place(struct str path, const struct pattern_base *base)
{
	struct path_place place;
	struct str last;

	if (path.n == 0 || path.p[0] != '/' || !base->home.p || base->roots_n == 0)
		return PLACE_ANY;
	while (path.n > 0 && path.p[path.n - 1] == '/')
		path.n--;
	last = str_base(path);
	place.names = path_bits(path);
	place.lasts = bit_of(last, SEED_LAST) | (last.n < ENDING ? 0 : ending_bit(last));
	place.starts =
	    start_of(ANCHOR_NONE, STR(""), path) | start_of(ANCHOR_HOME, base->home, path);
	for (size_t i = 0; i < base->roots_n; i++)
		place.starts |= start_of(ANCHOR_PROJECT, base->roots[i], path);
	return place;
}
