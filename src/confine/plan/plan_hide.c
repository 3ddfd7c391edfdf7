/*
 * Files that ignore patterns match: one walk of each tree, all patterns at once.
 *
 * A hidden file may have other names (hard links); those in the same tree are hidden, too.
 * A second walk finds them, only if there are such files.
 */
#define _GNU_SOURCE /* O_PATH */
#include "base/ignore/ignore.h"
#include "base/limits.h"
#include "base/path.h"
#include "confine/plan/plan_internal.h"
#include "os/fd.h"
#include "os/sys.h"
#include <sys/stat.h>

#define LINKED_MAX ((size_t)1 << 20)
#define SLOTS_FIRST ((size_t)256)

struct inode {
	uint64_t dev, ino, names; /* names: how many were not found yet; ino 0: unused */
};

struct hiding {
	struct planning *p;
	const struct ignore_file *files;
	size_t files_n;
	struct inode *slots; /* files with several names, by inode */
	size_t slots_n, linked_n;
	bool covers;           /* hide a directory as a whole */
	const char *failed;    /* static text: why the walk could not be finished */
	char path[LIMIT_PATH]; /* the root, and the path below it */
	size_t n, root_n;
};

/* Find the slot of an inode, or the free slot for it.  There is always a free one. */
static struct inode *
slot_of(struct inode *slots, size_t n, uint64_t dev, uint64_t ino)
{
	uint64_t at = (ino * 0x9e3779b97f4a7c15u ^ dev) >> 20;

	while (slots[at & (n - 1)].ino &&
	       (slots[at & (n - 1)].ino != ino || slots[at & (n - 1)].dev != dev))
		at++;
	return &slots[at & (n - 1)];
}

static struct inode *
find_linked(const struct hiding *h, uint64_t dev, uint64_t ino)
{
	struct inode *found = h->linked_n ? slot_of(h->slots, h->slots_n, dev, ino) : NULL;

	return found && found->ino ? found : NULL;
}

/* Half of the slots stay free. */
static bool
make_room(struct hiding *h)
{
	size_t n = h->slots_n ? h->slots_n * 2 : SLOTS_FIRST;
	struct inode *more;

	if (h->linked_n == LINKED_MAX)
		return false;
	if (h->linked_n < h->slots_n / 2)
		return true;
	if (!(more = arena_array(h->p->a, n, sizeof *more)))
		return false;
	for (size_t i = 0; i < h->slots_n; i++)
		if (h->slots[i].ino)
			*slot_of(more, n, h->slots[i].dev, h->slots[i].ino) = h->slots[i];
	h->slots = more;
	h->slots_n = n;
	return true;
}

/* Record one name of a hidden file that has several. */
static void
remember(struct hiding *h, uint64_t dev, uint64_t ino, uint64_t names)
{
	struct inode *known = find_linked(h, dev, ino);

	if (known) {
		known->names -= known->names > 0;
		return;
	}
	if (!ino || !make_room(h)) {
		h->failed = "too many files with several names";
		return;
	}
	*slot_of(h->slots, h->slots_n, dev, ino) = (struct inode){ dev, ino, names - 1 };
	h->linked_n++;
}

static void
hide(struct hiding *h)
{
	int error = 0;

	if (!plan_add(h->p, PLAN_HIDDEN, str_of(h->path, h->n), &error))
		h->failed = "a file cannot be hidden";
}

/* Make the whole path, or return false with a reason. */
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

/* Directories without secrets: the system's own, and those that a run has of its own. */
static bool
is_common(const struct plan_input *in, struct str path)
{
	/* Arrays, not pointers: each pointer would be a relocation at every start. */
	static const char places[][12] = { "/usr", "/bin", "/sbin", "/lib", "/lib32",
		"/lib64", "/libx32", "/opt", "/nix", "/gnu", "/snap", "/proc", "/sys",
		"/dev", "/run", "/tmp", "/var/tmp" };

	for (size_t i = 0; i < in->roots_n; i++) {
		if (path_is_within(path, in->roots[i]))
			return true;
		if (path_is_within(in->roots[i], path))
			return false;
	}
	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		if (path_is_within(str_from_c(places[i]), path))
			return true;
	return path_is_within(path, in->home) || path_is_within(path, in->cwd);
}

/* A symlink only shows a name; but if it is hidden, the user means the file that it leads
 * to. */
static void
hide_target(struct hiding *h)
{
	struct str real = plan_real(h->p->a, str_of(h->path, h->n));
	int error = 0;

	if (!real.p || is_common(h->p->in, real))
		return;
	if (!plan_add(h->p, PLAN_HIDDEN, real, &error) && error != ENOENT)
		h->failed = "what a link leads to cannot be hidden";
}

static enum listing_step
visit(void *context, struct str path, size_t name, bool directory)
{
	struct hiding *h = context;
	struct ignore_hit hit;
	struct stat st;

	(void)name;
	/* The walk does not enter ignored directories. */
	ignore_match_in(h->files, h->files_n, path, directory, &hit);
	if (!hit.ignored)
		return LISTING_GO;
	if (h->failed || !name_it(h, path))
		return LISTING_SKIP;
	if (fstatat(AT_FDCWD, h->path, &st, AT_SYMLINK_NOFOLLOW)) {
		h->failed = errno == ENOENT ? h->failed : "a file cannot be examined";
		return LISTING_SKIP;
	}
	if (S_ISLNK(st.st_mode)) {
		hide_target(h);
		return LISTING_SKIP;
	}
	hide(h);
	if (S_ISDIR(st.st_mode)) {
		h->covers = true;
		return LISTING_COVER;
	}
	if (st.st_nlink > 1)
		remember(h, st.st_dev, st.st_ino, (uint64_t)st.st_nlink);
	return LISTING_SKIP;
}

static void
in_hidden(void *context, const struct listing_link *link)
{
	remember(context, link->dev, link->ino, link->names);
}

/* True for another name of a hidden file, unless a pattern has hidden that already. */
static void
elsewhere(void *context, const struct listing_link *link)
{
	struct hiding *h = context;
	struct inode *known = find_linked(h, link->dev, link->ino);
	struct ignore_hit hit;

	if (!known || h->failed)
		return;
	ignore_match_in(h->files, h->files_n, link->path, false, &hit);
	if (hit.ignored || !name_it(h, link->path))
		return;
	known->names -= known->names > 0;
	hide(h);
}

static bool
names_are_missing(const struct hiding *h)
{
	for (size_t i = 0; i < h->slots_n; i++)
		if (h->slots[i].ino && h->slots[i].names > 0)
			return true;
	return false;
}

static int
walk(struct hiding *h, struct listing *l)
{
	const char *why = NULL;

	h->slots = NULL;
	h->slots_n = h->linked_n = 0;
	h->covers = false;
	if (!listing_walk(l, visit, h))
		why = "a path is too long";
	if (!why && !h->failed && h->covers)
		(void)listing_links(l, true, in_hidden, h, &why);
	if (!why && !h->failed && names_are_missing(h))
		(void)listing_links(l, false, elsewhere, h, &why);
	if (!why)
		why = h->failed;
	return why ? plan_refuse(h->p, FIELD_IGNORE, why, listing_root(l)) : 0;
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
			return walk(h, in->listings[i]);
	l = listing_make(root, &why);
	if (!l)
		return plan_refuse(h->p, FIELD_IGNORE, why, root);
	r = walk(h, l);
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

/* Apply one mapping: walk its tree, and all roots for other names of what it hides. */
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

/* A path that went away meanwhile needs no cover. */
static int
hide_named(struct planning *p)
{
	for (size_t i = 0; i < p->in->hidden_n; i++) {
		int error = 0;

		if (!plan_add(p, PLAN_HIDDEN, p->in->hidden[i], &error) &&
		    error != ENOENT && error != ENOTDIR && error != EACCES)
			return plan_refuse(p, FIELD_PROTECTED,
			    "a file that a rule hides cannot be covered", p->in->hidden[i]);
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
	if (!h)
		return CORDON_ENOMEM;
	h->p = p;
	/* All forms of a mapping become one object, or a list of them. */
	if (sandbox_ignore_union(p->a, mapping, (struct str){ NULL, 0 }, &text, &e) ||
	    (text.p && json_read(p->a, text, &bytes, &v, &e)))
		return plan_refuse(
		    p, FIELD_IGNORE, e.why ? e.why : "it cannot be read", STR(""));
	if (!text.p)
		return 0;
	for (const struct json *m = v->kind == JSON_ARRAY ? v->first : v; m; m = m->next) {
		if ((r = hide_mapping(h, json_source(text, m))))
			return r;
		if (names_are_missing(h))
			plan_note(p, "a hidden file has a hard link outside its directory");
	}
	p->plan->watch_reads = true;
	p->plan->fields[FIELD_IGNORE] = (struct plan_field_state){ PLAN_ENFORCED,
		"an unreadable mount on each file, the supervisor for later ones" };
	return 0;
}
