/*
 * Find branches that only this repository has.  Commits are not followed: a branch counts
 * as pushed when a remote branch is at the same commit, which errs on the side of a
 * warning.
 */
#include "base/limits.h"
#include "look/lookup.h"
#include "look/unsaved/blast.h"
#include "os/file.h"

#define PACKED_MAX ((size_t)8 << 20)
#define REFS_MAX ((size_t)2000)
#define HASH 40

struct ref {
	struct str name, hash;
};

struct refs {
	struct arena *a;
	struct str dir;
	struct ref *v;
	size_t n;
	bool more; /* some were skipped */
};

static void
add(struct refs *r, struct str name, struct str hash)
{
	if (hash.n < HASH)
		return;
	/* A loose reference was read first and is newer. */
	for (size_t i = 0; i < r->n; i++)
		if (str_eq(r->v[i].name, name))
			return;
	if (r->n == REFS_MAX) {
		r->more = true;
		return;
	}
	r->v[r->n++] = (struct ref){ name, str_cut(hash, 0, HASH) };
}

static enum tree_step
see(void *context, struct str path, bool directory)
{
	static const struct file_read how = { .max = 1024, .nofollow = true };
	struct refs *r = context;
	struct str text, name;
	bool missing;

	if (directory)
		return TREE_GO;
	name = arena_copy(r->a, str_skip(path, r->dir.n + 1));
	if (!name.p || r->more)
		return TREE_STOP;
	if (file_read(r->a, path, &how, &text, &missing, NULL) == 0)
		add(r, name, str_cut(text, 0, str_find(text, '\n')));
	return TREE_GO;
}

static void
read_packed(struct refs *r)
{
	static const struct file_read how = { .max = PACKED_MAX };
	struct str path = created_join(r->a, r->dir, STR("packed-refs")), text;
	bool missing;

	if (!path.p || file_read(r->a, path, &how, &text, &missing, NULL)) {
		r->more |= !path.p || !missing;
		return;
	}
	while (text.n) {
		size_t end = str_find(text, '\n');
		struct str line = str_cut(text, 0, end);

		if (line.n > HASH + 1 && line.p[HASH] == ' ')
			add(r, str_skip(line, HASH + 1), str_cut(line, 0, HASH));
		text = str_skip(text, end + 1);
	}
}

static bool
at_remote(const struct refs *r, struct str hash)
{
	for (size_t i = 0; i < r->n; i++)
		if (str_starts(r->v[i].name, STR("refs/remotes/")) &&
		    str_eq(r->v[i].hash, hash))
			return true;
	return false;
}

int
refs_unpushed(
    struct arena *a, struct str commondir, struct str **ret, size_t *ret_n, bool *ret_more)
{
	struct refs r = {
		.a = a, .dir = commondir, .v = arena_array(a, REFS_MAX, sizeof(struct ref))
	};
	struct str loose = created_join(a, commondir, STR("refs")), *names;
	size_t n = 0;

	names = arena_array(a, REFS_MAX, sizeof *names);
	if (!r.v || !loose.p || !names)
		return CORDON_ENOMEM;
	if (tree_walk(a, loose, 4 * REFS_MAX, see, &r) != TREE_DONE)
		r.more = true;
	read_packed(&r);
	for (size_t i = 0; i < r.n; i++)
		if (str_starts(r.v[i].name, STR("refs/heads/")) &&
		    !at_remote(&r, r.v[i].hash))
			names[n++] = str_skip(r.v[i].name, sizeof "refs/heads/" - 1);
	*ret = names;
	*ret_n = n;
	*ret_more |= r.more;
	return 0;
}

uint64_t
refs_stashes(struct arena *a, struct str commondir, bool *ret_more)
{
	static const struct file_read how = { .max = PACKED_MAX };
	struct str path = created_join(a, commondir, STR("logs/refs/stash")), text;
	uint64_t n = 0;
	bool missing;

	if (!path.p || file_read(a, path, &how, &text, &missing, NULL)) {
		*ret_more |= !path.p || !missing;
		return 0;
	}
	for (size_t i = 0; i < text.n; i++)
		n += text.p[i] == '\n';
	return n;
}
