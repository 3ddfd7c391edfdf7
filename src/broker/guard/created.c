/*
 * Directories that this run created.
 *
 * In such a directory protected names are free: a clone, an unpacked package.  The
 * supervisor knows that the run created it because it performed the mkdir itself, never
 * from timestamps: the host may create directories at the same time.
 */
#define _GNU_SOURCE
#include "broker/guard/guard.h"

#define SLOTS_FIRST ((size_t)256)
#define SLOTS_MOST ((size_t)1 << 20)

/* Find the slot of an inode, or the free slot for it.  There is always a free one. */
static struct inode_id *
slot_of(struct inode_id *slots, size_t n, const struct inode_id *id)
{
	uint64_t at = (id->ino * 0x9e3779b97f4a7c15u ^ id->dev) >> 20;

	while (slots[at & (n - 1)].ino &&
	       (slots[at & (n - 1)].ino != id->ino || slots[at & (n - 1)].dev != id->dev))
		at++;
	return &slots[at & (n - 1)];
}

/* Grow the table so that half of the slots stay free. */
static bool
grow(struct broker *br)
{
	struct created *c = &br->created;
	size_t n = c->slots_n ? c->slots_n * 2 : SLOTS_FIRST;
	struct inode_id *more;

	if (c->n < c->slots_n / 2)
		return true;
	if (n > SLOTS_MOST || !(more = arena_array(br->a, n, sizeof *more)))
		return false;
	for (size_t i = 0; i < c->slots_n; i++)
		if (c->slots[i].ino)
			*slot_of(more, n, &c->slots[i]) = c->slots[i];
	c->slots = more;
	c->slots_n = n;
	return true;
}

void
created_add(struct broker *br, int dir, const char *name)
{
	struct inode_id id, *slot;

	/* If the table is full the directory counts as old: its names stay protected. */
	if (!file_id(dir, name, &id) || id.ino == 0 || !grow(br))
		return;
	slot = slot_of(br->created.slots, br->created.slots_n, &id);
	br->created.n += slot->ino == 0;
	*slot = id;
}

bool
created_has(const struct broker *br, int fd)
{
	struct inode_id id;
	const struct inode_id *found;

	if (br->created.n == 0 || !file_id(fd, "", &id))
		return false;
	found = slot_of(br->created.slots, br->created.slots_n, &id);
	/* Compare the birth time: the inode number of a removed directory is soon
	 * reused. */
	return found->ino && found->birth.tv_sec == id.birth.tv_sec &&
	       found->birth.tv_nsec == id.birth.tv_nsec;
}
