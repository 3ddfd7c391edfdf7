/* Find the file that a command starts, and whether the user could have replaced it. */
#include "base/path.h"
#include "look/lookup.h"
#include "os/dir_cache.h"
#include "os/file.h"
#include <errno.h>

static bool
is_root(struct lookup *g)
{
	if (!g->user_known)
		g->root_user = geteuid() == 0;
	g->user_known = true;
	return g->root_user;
}

/* True if this user could have changed the file.  For root, check the owner and the mode
 * for others. */
static bool
is_writable(struct lookup *g, struct str path, const struct stat *st)
{
	bool sticky = S_ISDIR(st->st_mode) && (st->st_mode & S_ISVTX);
	struct arena *a = g->a;
	size_t used = a->used;
	const char *c;
	bool may;

	if (st->st_uid != 0 || (!sticky && (st->st_mode & S_IWOTH)))
		return true;
	if (!sticky && (st->st_mode & S_IWGRP) && st->st_gid != 0 && is_root(g))
		return true;
	if (is_root(g))
		return false;
	c = str_to_path(a, path);
	may = !c || access(c, W_OK) == 0;
	arena_back(a, used);
	return may;
}

/* True if the path or a directory above it is writable.  A missing file could be created in
 * its parent. */
static bool
way_is_writable(struct lookup *g, struct str path)
{
	for (;; path = path_parent(path)) {
		struct stat st;

		if (dir_cache_stat(path, &st) || file_stat(g->a, path, true, &st)
			? is_writable(g, path, &st)
			: !file_is_missing())
			return true;
		if (path.n <= 1)
			return false;
	}
}

/* True if commands may write there without approval. */
static bool
is_granted(struct lookup *g, struct str real)
{
	const struct path_grant *in = lookup_grant(g, real);

	return in && in->kind != PATH_GRANT_READABLE && in->path.n > 1;
}

static bool
is_reachable(struct lookup *g, struct str real)
{
	struct str home = lookup_home(g);

	return is_granted(g, real) ||
	       (home.p && home.n > 1 && path_is_within(home, real)) ||
	       way_is_writable(g, real);
}

/* Check the file as named and the target of its symlinks. */
static bool
is_user_writable(struct lookup *g, struct str path)
{
	struct resolved r;

	if (look_resolve(g->a, path, 0, NULL, &r, NULL)) {
		g->full = true;
		return true;
	}
	return !r.real.p || is_reachable(g, path) ||
	       (!str_eq(path, r.real) && is_reachable(g, r.real));
}

/* Check a directory of PATH; cached. */
static bool
dir_is_user_writable(struct lookup *g, struct str dir)
{
	struct user_writable *p = g->user_writable;

	while (p && !str_eq(p->dir, dir))
		p = p->next;
	if (p)
		return p->could;
	p = ARENA_NEW(g->a, struct user_writable);
	if (!p) {
		g->full = true;
		return true;
	}
	*p = (struct user_writable){ dir, is_user_writable(g, dir), g->user_writable };
	g->user_writable = p;
	return p->could;
}

/* Check a file itself, with symlinks resolved; its directories are cached.  `st` is from
 * lstat(2). */
static bool
file_is_user_writable(
    struct lookup *g, struct str dir, struct str file, const struct stat *st)
{
	if (dir_is_user_writable(g, dir))
		return true;
	return S_ISLNK(st->st_mode) ? is_user_writable(g, file) : is_writable(g, file, st);
}

/* Files that a shell skips: it would not run them either. */
static bool
is_passed(void)
{
	return file_is_missing() || errno == EACCES || errno == ELOOP ||
	       errno == ENAMETOOLONG;
}

/* Find an executable.  *ret is lstat(2) of it; *lost: unknown whether it is one. */
static bool
is_program(struct lookup *g, struct str path, struct stat *ret, bool *lost)
{
	size_t used = g->a->used;
	const char *c = str_to_path(g->a, path);
	struct stat st;
	bool is = c && lstat(c, ret) == 0, asked = is;

	st = *ret;
	if (is && S_ISLNK(st.st_mode))
		asked = is = stat(c, &st) == 0;
	is = is && S_ISREG(st.st_mode) && (st.st_mode & 0111);
	if (is)
		asked = is = access(c, X_OK) == 0;
	*lost |= !c || (!asked && !is_passed());
	arena_back(g->a, used);
	return is;
}

/* One entry of PATH, relative to `cwd`; .p == NULL: unknown. */
static struct str
path_entry(struct lookup *g, struct str entry, struct str cwd)
{
	if (entry.n && entry.p[0] == '/')
		return entry;
	if (!cwd.p)
		return cwd;
	return created_join(g->a, cwd, entry);
}

static void
search(struct lookup *g, struct str name, struct str cwd, struct command *c)
{
	struct str path = g->o->path;
	/*
	 * True if something could be placed before the match without approval.  The user's
	 * own directories, such as ~/.local/bin, do not count: writing there is outside the
	 * workspace and needs approval.
	 */
	bool doubt = false, lost = false;
	struct stat st = { 0 };

	for (size_t at = 0; at <= path.n;) {
		struct str rest = str_skip(path, at);
		struct str entry = str_cut(rest, 0, str_find(rest, ':')), dir, file;

		at += entry.n + 1;
		dir = path_entry(g, entry, cwd);
		file = dir.p ? created_join(g->a, dir, name) : dir;
		if (!file.p) {
			c->found_writable = true;
			return;
		}
		doubt = doubt || entry.n == 0 || entry.p[0] != '/';
		if (is_program(g, file, &st, &lost)) {
			c->found = file;
			c->found_writable =
			    doubt || lost || file_is_user_writable(g, dir, file, &st);
			return;
		}
		doubt = doubt || is_granted(g, dir);
	}
	c->found_writable |= lost;
}

/* Cache the lookup: a name is often started twice. */
static void
search_once(struct lookup *g, struct str word, struct str cwd, struct command *c)
{
	struct hit *h = g->hits;

	while (h && !(str_eq(h->word, word) && (cwd.p != NULL) == (h->cwd.p != NULL) &&
			str_eq(h->cwd, cwd)))
		h = h->next;
	if (h) {
		c->found = h->found;
		c->found_writable = h->writable;
		return;
	}
	search(g, word, cwd, c);
	h = ARENA_NEW(g->a, struct hit);
	if (!h) {
		g->full = true;
		return;
	}
	*h = (struct hit){ word, cwd, c->found, c->found_writable, g->hits };
	g->hits = h;
}

static bool
changes_path(const struct effects *e)
{
	for (const struct env_change *v = e->env; v; v = v->next)
		if (str_is(v->name, "PATH"))
			return true;
	return false;
}

void
lookup_find_program(struct lookup *g, const struct effects *e, struct command *c)
{
	struct str word = c->argc ? c->argv[0].text : STR(""), cwd = { NULL, 0 }, path;
	struct stat st = { 0 };
	bool lost = false; /* assume writable until the file is found */

	if (c->builtin || c->function || c->remote || !c->program.p || c->argc == 0 ||
	    c->argv[0].kind != FIELD_STR)
		return;
	/* `exec -a` sets another name than the program's own. */
	if (!str_eq(str_base(word), c->program))
		word = c->program;
	if (c->cwd && !c->cwd->unknown && c->cwd->n == 1)
		cwd = c->cwd->at[0].path;
	if (str_find(word, '/') < word.n) {
		c->found_writable = true;
		path = path_entry(g, word, cwd);
		if (path.p && is_program(g, path, &st, &lost)) {
			c->found = path;
			c->found_writable = is_user_writable(g, path);
		}
		return;
	}
	if (g->o->path.p && word.n && !changes_path(e))
		search_once(g, word, cwd, c);
}
