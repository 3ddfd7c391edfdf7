/* Visit a listing in the order of its names. */
#define _GNU_SOURCE /* d_type */
#include "look/listing/listing.h"
#include "look/listing/listing_parts.h"
#include "os/file.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>

struct listing_visit {
	struct listing *l;
	listing_visitor *each;
	const struct str *names; /* file names to report; NULL: all */
	size_t names_n;
	listing_linked *linked;
	void *context;
	bool too_long;
	bool covered; /* report files of covered directories */
	char path[LIMIT_PATH];
};

static bool
add_name(struct listing_visit *w, size_t at, const char *name, size_t n)
{
	w->too_long |= at + n + 2 > sizeof w->path;
	if (at + n + 2 > sizeof w->path)
		return false;
	memcpy(w->path + at, name, n + 1);
	return true;
}

/* Few names match: compare the first letter first. */
static bool
is_named(const struct listing_visit *w, const char *name)
{
	for (size_t i = 0; i < w->names_n; i++)
		if (w->names[i].n && w->names[i].p[0] == name[0] &&
		    str_is(w->names[i], name))
			return true;
	return !w->names;
}

static void walk_dir(struct listing_visit *w, const struct listing_node *d, size_t at);

static void
walk_entry(struct listing_visit *w, const struct listing_entry *e, struct listing_node *in,
    size_t at)
{
	size_t n = strlen(e->name);

	if (!add_name(w, at, e->name, n))
		return;
	switch (w->each(w->context, str_of(w->path, at + n), at, in != NULL)) {
	case LISTING_SKIP:
		break;
	case LISTING_COVER:
		if (in)
			in->covered = w->l->walks;
		break;
	case LISTING_GO:
		if (!in)
			break;
		w->path[at + n] = '/';
		walk_dir(w, in, at + n + 1);
		break;
	}
}

static void
walk_dir(struct listing_visit *w, const struct listing_node *d, size_t at)
{
	struct listing_node *in = d->first;

	for (const struct block *b = d->blocks; b; b = b->next)
		for (size_t k = 0; k < b->n; k += entry_at(b, k)->size) {
			const struct listing_entry *e = entry_at(b, k);
			bool directory = e->type == DT_DIR;

			if (is_dots(e->name) || is_git(e->name) ||
			    (!directory && !is_named(w, e->name)))
				continue;
			walk_entry(w, e, directory ? in : NULL, at);
			in = directory ? in->next : in;
		}
}

bool
listing_walk(struct listing *l, listing_visitor *each, void *context)
{
	struct listing_visit w = { .l = l, .each = each, .context = context };

	l->walks++;
	walk_dir(&w, l->top, 0);
	return !w.too_long;
}

bool
listing_find(struct listing *l, const struct str *names, size_t n, listing_visitor *each,
    void *context)
{
	struct listing_visit w = {
		.l = l, .each = each, .names = names, .names_n = n, .context = context
	};

	l->walks++;
	walk_dir(&w, l->top, 0);
	return !w.too_long;
}

/* ---- files with several names */

static void
look_at(struct lister *t, int fd, const struct listing_entry *e, struct link ***end)
{
	struct stat st;
	struct link *x;

	if (fstatat(fd, e->name, &st, AT_SYMLINK_NOFOLLOW)) {
		if (errno != ENOENT)
			listing_fail(t->l, "a file cannot be examined");
		return;
	}
	if (st.st_nlink < 2 || S_ISDIR(st.st_mode) || S_ISLNK(st.st_mode))
		return;
	if (!(x = listing_take(t, sizeof *x)))
		return;
	*x = (struct link){ NULL, e->name, st.st_dev, st.st_ino, (uint64_t)st.st_nlink };
	**end = x;
	*end = &x->next;
}

static void
find_links(struct lister *t, struct listing_node *d)
{
	cleanup_fd int fd = listing_open(t, d);
	struct link **end = &d->links;

	d->links = NULL;
	for (const struct block *b = d->blocks; fd >= 0 && b; b = b->next)
		for (size_t k = 0; k < b->n; k += entry_at(b, k)->size) {
			const struct listing_entry *e = entry_at(b, k);

			if (e->type != DT_DIR && e->type != DT_LNK && !is_git(e->name))
				look_at(t, fd, e, &end);
		}
}

/* Start with all covered directories, or the root. */
static void
wait_for_covered(struct listing *l, struct listing_node *d)
{
	for (struct listing_node *in = d->first; in; in = in->next)
		if (listing_is_covered(l, in))
			listing_wait(l, in);
		else
			wait_for_covered(l, in);
}

static void
show_links(struct listing_visit *w, const struct listing_node *d, size_t at, bool told)
{
	for (const struct link *x = d->links; told && x; x = x->next) {
		size_t n = strlen(x->name);

		if (add_name(w, at, x->name, n))
			w->linked(
			    w->context, &(struct listing_link){ str_of(w->path, at + n),
					    x->dev, x->ino, x->names });
	}
	for (const struct listing_node *in = d->first; in; in = in->next) {
		size_t n = strlen(in->name);
		bool covered = listing_is_covered(w->l, in);

		if ((covered && !w->covered) || !add_name(w, at, in->name, n))
			continue;
		w->path[at + n] = '/';
		show_links(w, in, at + n + 1, told || covered);
	}
}

bool
listing_links(struct listing *l, bool covered, listing_linked *each, void *context,
    const char **ret_why)
{
	struct listing_visit w = {
		.l = l, .linked = each, .context = context, .covered = covered
	};

	l->job = find_links;
	if (covered)
		wait_for_covered(l, l->top);
	else
		listing_wait(l, l->top);
	*ret_why = NULL;
	if (l->fd >= 0 && !listing_crew(l, NULL))
		*ret_why = l->failed;
	if (*ret_why)
		return false;
	show_links(&w, l->top, 0, !covered);
	*ret_why = w.too_long ? "a path is too long" : NULL;
	return !w.too_long;
}
