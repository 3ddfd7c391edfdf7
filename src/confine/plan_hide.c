/*
 * The files that the ignore mapping names: one walk of each tree, all patterns at once.
 *
 * A file that has other names (hard links) is hidden under those of them that the same
 * trees hold; a second walk looks for them, and only if there are such files.
 */
#define _GNU_SOURCE /* O_PATH */
#include "base/ignore.h"
#include "base/limits.h"
#include "base/path.h"
#include "confine/fd.h"
#include "confine/plan.h"
#include "confine/sys.h"
#include <sys/stat.h>

#define LINKED_MAX 4096

struct inode {
	uint64_t dev, ino, names; /* names: how many have not been found */
};

struct hiding {
	struct planning *p;
	const struct ignore_file *files;
	size_t files_n;
	bool second; /* the walk that looks for other names */
	struct inode *linked;
	size_t linked_n;
	const char *failed;    /* static text: the walk could not be finished */
	char path[LIMIT_PATH]; /* the root, and what is looked at below */
	size_t n, root_n;
};

static struct inode *
find_linked(const struct hiding *h, const struct stat *st)
{
	for (size_t i = 0; i < h->linked_n; i++)
		if (h->linked[i].dev == st->st_dev && h->linked[i].ino == st->st_ino)
			return &h->linked[i];
	return NULL;
}

static void
hide(struct hiding *h)
{
	int error = 0;

	if (!plan_add(h->p, PLAN_HIDDEN, str_of(h->path, h->n), &error))
		h->failed = "a file cannot be hidden";
}

static void
remember(struct hiding *h, const struct stat *st)
{
	if (st->st_nlink < 2 || S_ISDIR(st->st_mode))
		return;
	if (find_linked(h, st)) {
		find_linked(h, st)->names--;
		return;
	}
	if (h->linked_n == LINKED_MAX) {
		h->failed = "too many files with several names";
		return;
	}
	h->linked[h->linked_n++] =
	    (struct inode){ st->st_dev, st->st_ino, (uint64_t)st->st_nlink - 1 };
}

/* The whole path of what is looked at, or false with a reason. */
static bool
name_it(struct hiding *h, struct str path)
{
	if (h->root_n + path.n + 2 > sizeof h->path) {
		h->failed = "a path is too long";
		return false;
	}
	h->path[h->root_n] = '/';
	memcpy(h->path + h->root_n + 1, path.p, path.n);
	h->n = h->root_n + 1 + path.n;
	h->path[h->n] = '\0';
	return true;
}

/* Returns true when the walk shall go into it. */
static bool
visit(void *context, struct str path, size_t name, bool directory)
{
	struct hiding *h = context;
	struct ignore_hit hit;
	struct inode *known;
	struct stat st;

	(void)name;
	/* What lies in a directory that is ignored does not come here. */
	ignore_match_in(h->files, h->files_n, path, directory, &hit);
	if (!hit.ignored && !h->second)
		return directory;
	if ((hit.ignored && h->second) || h->failed || !name_it(h, path))
		return false;
	if (fstatat(AT_FDCWD, h->path, &st, AT_SYMLINK_NOFOLLOW)) {
		h->failed = errno == ENOENT ? h->failed : "a file cannot be looked at";
		return false;
	}
	if (!hit.ignored) {
		known = directory ? NULL : find_linked(h, &st);
		if (known) {
			known->names--;
			hide(h);
		}
		return directory;
	}
	/* A link shows a name only; what it leads to is hidden where it lies. */
	if (S_ISLNK(st.st_mode))
		return false;
	remember(h, &st);
	hide(h);
	return false;
}

static int
walk(struct hiding *h, const struct listing *l)
{
	if (!listing_walk(l, visit, h) && !h->failed)
		h->failed = "a path is too long";
	return h->failed ? plan_refuse(h->p, FIELD_IGNORE, h->failed, listing_root(l)) : 0;
}

/* All names at once, then those of them that are other names. */
static int
walk_twice(struct hiding *h, const struct listing *l)
{
	int r;

	h->linked_n = 0;
	h->second = false;
	if ((r = walk(h, l)))
		return r;
	h->second = true;
	for (size_t i = 0; i < h->linked_n; i++)
		if (h->linked[i].names > 0)
			return walk(h, l);
	return 0;
}

static int
walk_root(struct hiding *h, struct str root)
{
	const struct plan_input *in = h->p->in;
	struct listing *l = NULL;
	const char *why;
	int r;

	if (root.n + 2 > sizeof h->path)
		return plan_refuse(h->p, FIELD_IGNORE, "a path is too long", root);
	memcpy(h->path, root.p, root.n);
	h->root_n = root.n;
	for (size_t i = 0; i < in->listings_n; i++)
		if (str_eq(listing_root(in->listings[i]), root))
			return walk_twice(h, in->listings[i]);
	l = listing_make(root, &why);
	if (!l)
		return plan_refuse(h->p, FIELD_IGNORE, why, root);
	r = walk_twice(h, l);
	listing_free(l);
	return r;
}

static bool
remember_patterns(struct hiding *h, struct str root, const struct ignore_file *files)
{
	struct plan_ignore *i = ARENA_NEW(h->p->a, struct plan_ignore);

	if (!i)
		return false;
	*i = (struct plan_ignore){ root, files, h->files_n, h->p->plan->ignores };
	h->p->plan->ignores = i;
	return true;
}

bool
plan_is_ignored(const struct plan *plan, struct str path, bool directory)
{
	for (const struct plan_ignore *i = plan->ignores; i; i = i->next) {
		struct ignore_hit hit;

		if (!path_is_within(i->root, path) || path.n <= i->root.n + 1)
			continue;
		ignore_match(
		    i->files, i->n, str_skip(path, i->root.n + 1), directory, &hit);
		if (hit.ignored)
			return true;
	}
	return false;
}

/* One mapping: its tree, and for other names of what it hides all roots. */
static int
hide_mapping(struct hiding *h, struct str json)
{
	struct ignore_file *files;
	struct str root, real;
	struct err e = { 0 };
	int r = ignore_read_json(h->p->a, json, 0, &root, &files, &h->files_n, &e);

	if (r)
		return plan_refuse(h->p, FIELD_IGNORE, e.why, STR(""));
	real = plan_real(h->p->a, root);
	if (!real.p)
		return plan_refuse(h->p, FIELD_IGNORE, "its root does not exist", root);
	if (!remember_patterns(h, real, files))
		return CORDON_ENOMEM;
	h->files = files;
	return walk_root(h, real);
}

static void
warn_of_other_names(struct hiding *h)
{
	for (size_t i = 0; i < h->linked_n; i++)
		if (h->linked[i].names > 0)
			plan_note(
			    h->p, "a hidden file has another name outside of its tree");
}

/* What has gone meanwhile needs no cover. */
static int
hide_named(struct planning *p)
{
	for (size_t i = 0; i < p->in->hidden_n; i++) {
		int error = 0;

		if (!plan_add(p, PLAN_HIDDEN, p->in->hidden[i], &error) &&
		    error != ENOENT && error != ENOTDIR && error != EACCES)
			return plan_refuse(p, FIELD_PROTECTED,
			    "what a rule hides cannot be covered", p->in->hidden[i]);
	}
	return 0;
}

int
plan_add_hidden(struct planning *p)
{
	static const struct json_opts bytes = { .surrogate_bytes = true };
	struct str mapping = p->in->policy->ignore_mapping, text;
	struct hiding *h = arena_zalloc(p->a, sizeof *h);
	const struct json *v;
	struct err e = { 0 };
	int r;

	if ((r = hide_named(p)) || !mapping.p)
		return r;
	if (!h || !(h->linked = arena_array(p->a, LINKED_MAX, sizeof *h->linked)))
		return CORDON_ENOMEM;
	h->p = p;
	/* All forms of a mapping come out as one object, or a list of them. */
	if ((r = sandbox_ignore_union(p->a, mapping, (struct str){ NULL, 0 }, &text, &e)) ||
	    (text.p && (r = json_read(p->a, text, &bytes, &v, &e))))
		return plan_refuse(
		    p, FIELD_IGNORE, e.why ? e.why : "it cannot be read", STR(""));
	if (!text.p)
		return 0;
	for (const struct json *m = v->kind == JSON_ARRAY ? v->first : v; m; m = m->next) {
		if ((r = hide_mapping(h, json_source(text, m))))
			return r;
		warn_of_other_names(h);
	}
	p->plan->watch_reads = true;
	p->plan->fields[FIELD_IGNORE] = (struct plan_field_state){ PLAN_ENFORCED,
		"an unreadable mount on each file, the supervisor for later ones" };
	return 0;
}
