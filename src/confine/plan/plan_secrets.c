/*
 * Hide credentials while there is a network to send them to: an unreadable inode on each
 * that exists.  The list is made from the `deny read` rules of policy/builtin.rules by
 * tools/names.py.
 *
 * What a person opened by its own path, or works in, is not hidden.
 */
#define _GNU_SOURCE
#include "base/glob.h"
#include "base/path.h"
#include "confine/plan/plan_internal.h"
#include "os/entries.h"
#include "os/fd.h"
#include "secrets_table.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

static bool
is_in(struct str outer, const struct sandbox_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		if (path_is_within(outer, list->v[i]))
			return true;
	return false;
}

/* True if the user works in it, or has named it. */
static bool
is_wanted(const struct planning *p, struct str path)
{
	const struct plan_input *in = p->in;

	for (size_t i = 0; i < in->roots_n; i++)
		if (path_is_within(path, in->roots[i]))
			return true;
	return path_is_within(path, in->cwd) || is_in(path, &in->policy->readwrite) ||
	       is_in(path, &in->policy->readonly);
}

/* The file does not exist, or is closed to the command as well. */
static bool
is_out_of_reach(int error)
{
	return error == ENOENT || error == ENOTDIR || error == EACCES ||
	       error == ENAMETOOLONG;
}

/* Returns false only if it exists and cannot be hidden. */
static bool
hide(struct planning *p, struct str path)
{
	struct str real;
	int error = 0;

	if (is_wanted(p, path) || plan_add(p, PLAN_HIDDEN, path, &error))
		return true;
	if (error != ELOOP)
		return is_out_of_reach(error);
	/* Reached through a symlink it is the same secret. */
	real = plan_real(p->a, path);
	return !real.p || is_wanted(p, real) || plan_add(p, PLAN_HIDDEN, real, &error) ||
	       is_out_of_reach(error);
}

/* The directory of an entry, with its slash; empty: it lies at the top. */
static struct str
folder_of(const char *entry)
{
	struct str e = str_from_c(entry);
	size_t slash = str_rfind(e, '/');

	return str_cut(e, 0, slash < e.n ? slash + 1 : 0);
}

static bool
has_star(const char *entry)
{
	return strchr(entry, '*') != NULL;
}

/* True if `name` matches an entry of `folder` with a star, from `list` on. */
static bool
matches_any(const char *list, struct str folder, struct str name)
{
	for (; *list && str_eq(folder_of(list), folder); list += strlen(list) + 1) {
		if (has_star(list) && glob_is(list + folder.n, name))
			return !str_ends(name, STR(".pub"));
	}
	return false;
}

/* Read the folder once for all entries with a star in it; `list` is the first of them. */
static bool
hide_matches(struct planning *p, struct str top, const char *list)
{
	struct str folder = folder_of(list), path, whole;
	cleanup_fd int fd = -1;
	struct entries e;
	struct str name;
	unsigned char type;
	const char *c;

	if (path_join(p->a, top, str_cut(folder, 0, folder.n - 1), &whole, NULL))
		return false;
	c = str_to_path(p->a, whole);
	fd = c ? open(c, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	if (fd < 0)
		return c && is_out_of_reach(errno);
	entries_init(&e, fd);
	while (entries_next(&e, &name, &type))
		if (matches_any(list, folder, name) &&
		    (path_join(p->a, whole, name, &path, NULL) || !hide(p, path)))
			return false;
	return e.error == 0;
}

/* The first component does not exist: skip the entries after it that begin so. */
static bool
is_missing(struct planning *p, struct str top, struct str first)
{
	struct str path;
	struct stat st;
	const char *c;

	return path_join(p->a, top, first, &path, NULL) == 0 &&
	       (c = str_to_path(p->a, path)) && lstat(c, &st) && errno == ENOENT;
}

/* Entries are sorted by name: those of one directory are adjacent. */
static bool
hide_all(struct planning *p, struct str top, const char *list)
{
	struct str asked = STR(""), starred = STR(""), path;
	bool missing = false;

	for (; *list; list += strlen(list) + 1) {
		struct str entry = str_from_c(list), folder = folder_of(list);
		struct str first = str_cut(entry, 0, str_find(entry, '/'));

		if (folder.n && !str_eq(first, asked)) {
			asked = first;
			missing = is_missing(p, top, first);
		}
		if (folder.n && missing)
			continue;
		if (has_star(list)) {
			if (!str_eq(folder, starred) && !hide_matches(p, top, list))
				return false;
			starred = folder;
		} else if (path_join(p->a, top, entry, &path, NULL) || !hide(p, path)) {
			return false;
		}
	}
	return true;
}

int
plan_add_secrets(struct planning *p)
{
	struct str home = p->in->home.p ? plan_real(p->a, p->in->home) : p->in->home;
	size_t before = p->n;

	if (!hide_all(p, STR("/"), secrets_system) ||
	    (home.p && !str_is(home, "/") && !hide_all(p, home, secrets_home)))
		return plan_refuse(
		    p, FIELD_NETWORK, "credentials cannot be hidden", STR(""));
	/* Log attempts to read them. */
	if (p->n > before)
		p->plan->watch_reads = true;
	return 0;
}
