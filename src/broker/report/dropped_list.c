/*
 * The list of files that the run created or changed and that other programs execute later.
 *
 * It is complete up to DROPPED_MAX entries; more are counted.
 */
#define _GNU_SOURCE
#include "base/hash.h"
#include "base/path.h"
#include "broker/report/report.h"

#define SLOTS (DROPPED_MAX * 4)

/* Find the slot of the path; it is empty if the path is not listed. */
static uint16_t *
slot_of(const struct broker *br, struct str path)
{
	size_t i = hash32(HASH32_START, path) % SLOTS;

	while (br->dropped_slots[i] &&
	       !str_eq(br->dropped[br->dropped_slots[i] - 1].path, path))
		i = (i + 1) % SLOTS;
	return &br->dropped_slots[i];
}

static bool
has_slots(struct broker *br)
{
	size_t size = SLOTS * sizeof *br->dropped_slots;

	if (br->dropped_slots)
		return true;
	br->dropped_slots = arena_alloc(br->a, size);
	if (br->dropped_slots)
		memset(br->dropped_slots, 0, size);
	return br->dropped_slots != NULL;
}

/* Returns NULL if the table is full. */
static struct dropped_code *
add(struct broker *br, struct str path, const char *why, bool quiet)
{
	struct dropped_code *v = &br->dropped[br->dropped_n];
	uint16_t *slot;

	if (br->dropped_n == DROPPED_MAX || !has_slots(br) ||
	    (quiet && br->dropped_quiet_n == DROPPED_QUIET_MAX))
		return NULL;
	*v = (struct dropped_code){ .why = why, .quiet = quiet, .size = path.n };
	if (!(v->text = arena_alloc(br->a, path.n + 1)))
		return NULL;
	memcpy(v->text, path.p, path.n);
	v->path = str_of(v->text, path.n);
	slot = slot_of(br, path);
	br->dropped_n++;
	br->dropped_quiet_n += quiet;
	if (!*slot)
		*slot = (uint16_t)br->dropped_n;
	return v;
}

static struct dropped_code *
find(struct broker *br, struct str path)
{
	uint16_t *slot = br->dropped_slots ? slot_of(br, path) : NULL;

	return slot && *slot ? &br->dropped[*slot - 1] : NULL;
}

void
dropped_add_as(struct broker *br, struct str path, const char *why, bool quiet)
{
	struct dropped_code *v = find(br, path);

	if (!v) {
		if (!add(br, path, why, quiet))
			br->dropped_lost++;
	} else if (v->gone) {
		v->gone = v->quiet = false;
		br->dropped_quiet_n--;
	}
}

void
dropped_add(struct broker *br, struct str path, const char *why)
{
	/* git does not run its samples. */
	if (str_ends(path, STR(".sample")))
		return;
	dropped_add_as(br, path, why, false);
}

void
dropped_add_each(struct broker *br, struct str path, const char *why)
{
	if (!add(br, path, why, false))
		br->dropped_lost++;
}

void
dropped_add_removed(struct broker *br, struct str path, const char *why)
{
	struct dropped_code *v = find(br, path) ? NULL : add(br, path, why, true);

	if (v)
		v->gone = true;
}

/* ---- renames */

/* Give an entry its path after a rename.  Reuse its memory: a command that renames all day
 * must not fill the arena. */
static bool
move(struct broker *br, struct dropped_code *v, struct str from, struct str to)
{
	size_t rest = v->path.n - from.n, n = to.n + rest;

	if (n > v->size) {
		char *text = arena_alloc(br->a, 2 * n);

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
    struct broker *br, struct dropped_code *v, struct str from, struct str to, bool swap)
{
	if (path_is_within(from, v->path))
		return move(br, v, from, to);
	return swap && path_is_within(to, v->path) && move(br, v, to, from);
}

/* Rebuild the slots, and drop entries that the rename made equal to another. */
static void
settle(struct broker *br)
{
	memset(br->dropped_slots, 0, SLOTS * sizeof *br->dropped_slots);
	for (size_t i = 0; i < br->dropped_n; i++) {
		struct dropped_code *v = &br->dropped[i];
		uint16_t *slot = slot_of(br, v->path);

		if (!*slot) {
			*slot = (uint16_t)(i + 1);
		} else if (strcmp(br->dropped[*slot - 1].why, v->why) == 0) {
			br->dropped_quiet_n -= v->quiet;
			*v = br->dropped[--br->dropped_n];
			i--;
		}
	}
}

void
dropped_moved(struct broker *br, struct str from, struct str to, bool swap)
{
	bool any = false;

	for (size_t i = 0; i < br->dropped_n; i++)
		any |= move_or_back(br, &br->dropped[i], from, to, swap);
	if (any)
		settle(br);
}
