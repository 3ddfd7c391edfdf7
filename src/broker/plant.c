/*
 * The list of files that the run made or changed and that other programs run later.
 *
 * It is complete up to PLANTED_MAX, and counts what did not fit.
 */
#define _GNU_SOURCE
#include "base/hash.h"
#include "base/path.h"
#include "broker/supervisor.h"

#define SLOTS (PLANTED_MAX * 4)

/* The slot of this path: it is empty where the path is not listed. */
static uint16_t *
slot_of(const struct supervisor *s, struct str path)
{
	size_t i = hash32(HASH32_START, path) % SLOTS;

	while (
	    s->planted_slots[i] && !str_eq(s->planted[s->planted_slots[i] - 1].path, path))
		i = (i + 1) % SLOTS;
	return &s->planted_slots[i];
}

static bool
has_slots(struct supervisor *s)
{
	size_t size = SLOTS * sizeof *s->planted_slots;

	if (s->planted_slots)
		return true;
	s->planted_slots = arena_alloc(s->a, size);
	if (s->planted_slots)
		memset(s->planted_slots, 0, size);
	return s->planted_slots != NULL;
}

/* NULL: there is no room. */
static struct planted *
add(struct supervisor *s, struct str path, const char *why, bool quiet)
{
	struct planted *v = &s->planted[s->planted_n];
	uint16_t *slot;

	if (s->planted_n == PLANTED_MAX || !has_slots(s) ||
	    (quiet && s->planted_quiet_n == PLANTED_QUIET_MAX))
		return NULL;
	*v = (struct planted){ .why = why, .quiet = quiet, .size = path.n };
	if (!(v->text = arena_alloc(s->a, path.n + 1)))
		return NULL;
	memcpy(v->text, path.p, path.n);
	v->path = str_of(v->text, path.n);
	slot = slot_of(s, path);
	s->planted_n++;
	s->planted_quiet_n += quiet;
	if (!*slot)
		*slot = (uint16_t)s->planted_n;
	return v;
}

static struct planted *
find(struct supervisor *s, struct str path)
{
	uint16_t *slot = s->planted_slots ? slot_of(s, path) : NULL;

	return slot && *slot ? &s->planted[*slot - 1] : NULL;
}

void
plant_as(struct supervisor *s, struct str path, const char *why, bool quiet)
{
	struct planted *v = find(s, path);

	if (!v) {
		if (!add(s, path, why, quiet))
			s->result->planted_lost++;
	} else if (v->gone) {
		v->gone = v->quiet = false;
		s->planted_quiet_n--;
	}
}

void
plant(struct supervisor *s, struct str path, const char *why)
{
	/* Git's own samples are not run. */
	if (str_ends(path, STR(".sample")))
		return;
	plant_as(s, path, why, false);
}

void
plant_each(struct supervisor *s, struct str path, const char *why)
{
	if (!add(s, path, why, false))
		s->result->planted_lost++;
}

void
plant_gone(struct supervisor *s, struct str path, const char *why)
{
	struct planted *v = find(s, path) ? NULL : add(s, path, why, true);

	if (v)
		v->gone = true;
}

/* ---- renames */

/* Give it its path after a rename.  The memory is used again: a command that renames all
 * day fills none. */
static bool
move(struct supervisor *s, struct planted *v, struct str from, struct str to)
{
	size_t rest = v->path.n - from.n, n = to.n + rest;

	if (n > v->size) {
		char *text = arena_alloc(s->a, 2 * n);

		if (!text)
			return false;
		memcpy(text, v->text, v->path.n);
		v->text = text;
		v->size = 2 * n;
	}
	memmove(v->text + to.n, v->text + from.n, rest);
	memcpy(v->text, to.p, to.n);
	v->path = str_of(v->text, n);
	return true;
}

static bool
move_or_back(
    struct supervisor *s, struct planted *v, struct str from, struct str to, bool swap)
{
	if (path_is_within(from, v->path))
		return move(s, v, from, to);
	return swap && path_is_within(to, v->path) && move(s, v, to, from);
}

/* Find slots anew, and drop what the rename made equal to another. */
static void
settle(struct supervisor *s)
{
	memset(s->planted_slots, 0, SLOTS * sizeof *s->planted_slots);
	for (size_t i = 0; i < s->planted_n; i++) {
		struct planted *v = &s->planted[i];
		uint16_t *slot = slot_of(s, v->path);

		if (!*slot) {
			*slot = (uint16_t)(i + 1);
		} else if (strcmp(s->planted[*slot - 1].why, v->why) == 0) {
			s->planted_quiet_n -= v->quiet;
			*v = s->planted[--s->planted_n];
			i--;
		}
	}
}

void
plant_moved(struct supervisor *s, struct str from, struct str to, bool swap)
{
	bool any = false;

	for (size_t i = 0; i < s->planted_n; i++)
		any |= move_or_back(s, &s->planted[i], from, to, swap);
	if (any)
		settle(s);
}
