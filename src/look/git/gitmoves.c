#define _GNU_SOURCE
#include "look/git/gitmoves.h"
#include "look/git/gitverb.h"
#include "os/file.h"
#include <fcntl.h>

#define FILE_MAX ((size_t)1 << 20)
#define MODE_LINK 0120000U

struct moves_search {
	struct git_repo *r;
	const struct git_moves_query *q;
	struct git_words w;
	struct git_moves *to;
	struct git_commit head;
	struct git_commit
	    old[GIT_OLD_MAX]; /* commits from before the run, nearest to HEAD first */
	size_t old_n;
	const struct git_commit *commit; /* the commit whose files are checked out */
	bool from_before;                /* the commit is old itself */
	/* Something could not be read: a shallow clone, another hash.  Files that are not
	 * found are refused when git writes them. */
	bool cut;
};

/* ---- known changes */

static bool
is_known(struct moves_search *f, struct str path, const struct git_file *to)
{
	if (f->from_before || f->q->is_kept(f->q->context, path, to))
		return true;
	for (size_t i = 0; i < f->old_n; i++) {
		struct git_file there;

		if (git_lookup(f->r, &f->old[i].tree, path, &there) &&
		    git_file_eq(&there, to))
			return true;
	}
	return false;
}

static void
add(struct moves_search *f, struct str path, const struct git_file *to, bool known)
{
	struct git_moves *m = f->to;

	/* The last entry of a path wins. */
	for (size_t i = 0; i < m->n; i++)
		if (str_eq(m->v[i].path, path) && git_file_eq(&m->v[i].to, to)) {
			known &= m->v[i].known;
			m->n--;
			memmove(m->v + i, m->v + i + 1, (m->n - i) * sizeof *m->v);
			break;
		}
	if (m->n == GIT_MOVES_MAX || !(path = arena_copy(f->r->a, path)).p)
		m->more = true;
	else
		m->v[m->n++] = (struct git_move){ path, *to, known };
}

/* The file after the changes so far, or as in HEAD. */
static bool
find_ours(struct moves_search *f, struct str path, struct git_file *ret)
{
	for (size_t i = f->to->n; i > 0; i--)
		if (str_eq(f->to->v[i - 1].path, path)) {
			*ret = f->to->v[i - 1].to;
			return true;
		}
	return git_lookup(f->r, &f->head.tree, path, ret);
}

static void
choose(struct moves_search *f, const struct git_commit *c)
{
	f->commit = c;
	f->from_before = git_is_old(&f->r->store, &c->oid);
	if (!f->from_before)
		git_old_ancestors(f->r, c, f->old, &f->old_n);
}

/* ---- paths that the command names */

static bool
is_named(const struct moves_search *f, struct str path)
{
	if (!f->w.paths)
		return true;
	for (size_t i = 0; i < f->w.specs_n; i++) {
		struct str spec = f->w.specs[i];

		while (str_starts(spec, STR("./")))
			spec = str_skip(spec, 2);
		/* A path in a subdirectory, or with globs, may be any. */
		if (spec.n == 0 || str_is(spec, ".") || str_has_any(spec, "*?[:") ||
		    str_starts(spec, STR("..")) || str_ends(path, spec) ||
		    memmem(path.p, path.n, spec.p, spec.n))
			return true;
	}
	return false;
}

/* ---- kinds of commands */

/* The file in the worktree. */
static bool
is_there(const struct moves_search *f, struct str path, const struct git_file *to)
{
	size_t mark = f->r->store.a->used;
	const char *name = str_to_path(f->r->store.a, path);
	cleanup_fd int fd =
	    name ? openat(f->q->worktree, name,
		       O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
		 : -1;
	char *text = arena_alloc(f->r->store.a, FILE_MAX);
	struct git_oid oid;
	struct stat st;
	ssize_t n;
	bool same = false;

	if (fd >= 0 && text && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && to->mode &&
	    (n = pread(fd, text, FILE_MAX, 0)) >= 0) {
		git_blob_name(str_of(text, (size_t)n), &oid);
		same = git_oid_eq(&oid, &to->oid) &&
		       !(st.st_mode & S_IXUSR) == !(to->mode & S_IXUSR);
	} else if (fd < 0) {
		same = !to->mode;
	}
	arena_back(f->r->store.a, mark);
	return same;
}

static bool
see_target(
    void *context, struct str path, const struct git_file *from, const struct git_file *to)
{
	struct moves_search *f = context;

	(void)from;
	if (f->q->is_guarded(f->q->context, path) && is_named(f, path) &&
	    !is_there(f, path, to))
		add(f, path, to, is_known(f, path, to));
	return true;
}

static void
find_target(struct moves_search *f, const struct git_commit *c)
{
	choose(f, c);
	f->cut |= !git_diff(f->r, &f->head.tree, &c->tree, see_target, f);
	if (f->w.force || f->w.paths)
		f->cut |= !git_files(f->r, &c->tree, see_target, f);
}

/* Both sides changed it: the merge result is unknown. */
static bool
see_picked(
    void *context, struct str path, const struct git_file *from, const struct git_file *to)
{
	struct moves_search *f = context;
	struct git_file ours;

	if (!f->q->is_guarded(f->q->context, path))
		return true;
	if (!find_ours(f, path, &ours))
		return false;
	if (git_file_eq(&ours, to))
		return true;
	add(f, path, to, git_file_eq(&ours, from) && is_known(f, path, to));
	return true;
}

static void
find_picked(struct moves_search *f, const struct git_oid *base, const struct git_commit *c)
{
	f->cut |= !git_diff(f->r, base, &c->tree, see_picked, f);
}

static void
find_pick(struct moves_search *f, const struct git_commit *c, bool reverted)
{
	struct git_commit parent;

	choose(f, c);
	if (!c->parents_n || !git_commit_read(f->r, &c->parents[0], &parent)) {
		f->cut = true;
		return;
	}
	if (!reverted)
		find_picked(f, &parent.tree, c);
	else {
		f->from_before = git_is_old(&f->r->store, &parent.oid);
		find_picked(f, &c->tree, &parent);
	}
}

static void
find_merge(struct moves_search *f, const struct git_commit *c)
{
	struct git_commit base;

	choose(f, c);
	if (git_merge_base(f->r, &f->head, c, &base))
		find_picked(f, &base.tree, c);
	else
		f->cut = true;
}

static void
find_range(
    struct moves_search *f, const struct git_commit *from, const struct git_commit *to)
{
	struct git_commit *v;
	size_t n;

	f->cut |= !git_range(f->r, from, to, &v, &n);
	while (n > 0)
		find_pick(f, &v[--n], f->w.verb == VERB_REVERT);
}

static void
find_rebase(struct moves_search *f)
{
	struct git_commit upstream, onto, branch = f->head;

	if (!git_rev(f->r, f->w.revs_n ? f->w.revs[0] : STR("@{u}"), &upstream) ||
	    (f->w.revs_n > 1 && !git_rev(f->r, f->w.revs[1], &branch))) {
		f->cut = true;
		return;
	}
	onto = upstream;
	if (f->w.onto.n && !git_rev(f->r, f->w.onto, &onto)) {
		f->cut = true;
		return;
	}
	find_target(f, &onto);
	find_range(f, &upstream, &branch);
}

/* ---- operations that were stopped */

static void
find_todo(struct moves_search *f, const char *name)
{
	struct str text = git_text(f->r, false, name);

	while (text.n) {
		struct str line = str_cut(text, 0, str_find(text, '\n'));
		struct str word = str_cut(line, 0, str_find(line, ' '));
		struct str rest = str_skip(line, word.n + 1);
		struct git_commit c;

		if (str_among(word, "pick\0p\0reword\0r\0edit\0e\0squash\0s\0fixup\0f\0"
				    "revert\0") &&
		    git_rev(f->r, str_cut(rest, 0, str_find(rest, ' ')), &c))
			find_pick(f, &c, str_is(word, "revert"));
		text = str_skip(text, line.n + 1);
	}
}

static void
find_stopped(struct moves_search *f)
{
	static const char heads[][24] = { "rebase-merge/orig-head",
		"rebase-apply/orig-head", "sequencer/head", "ORIG_HEAD" };

	f->w.force = true;
	find_target(f, &f->head);
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
		struct str text = git_text(f->r, false, heads[i]);
		struct git_commit c;

		if (git_rev(f->r, str_cut(text, 0, str_find(text, '\n')), &c))
			find_target(f, &c);
	}
	find_todo(f, "rebase-merge/git-rebase-todo");
	find_todo(f, "sequencer/todo");
	/* Drop changes that cannot be: it is unknown which commit git applies next. */
	for (size_t i = 0; i < f->to->n;)
		if (f->to->v[i].known)
			i++;
		else
			f->to->v[i] = f->to->v[--f->to->n];
}

/* ---- the whole command */

static void
find_rev(struct moves_search *f, struct str rev)
{
	const char *dots = memmem(rev.p, rev.n, "..", 2);
	struct git_commit c, from;

	if (dots) {
		size_t at = (size_t)(dots - rev.p);
		struct str end = str_skip(rev, at + 2 + (rev.n > at + 2 && dots[2] == '.'));

		if (git_rev(f->r, at ? str_cut(rev, 0, at) : STR("HEAD"), &from) &&
		    git_rev(f->r, end.n ? end : STR("HEAD"), &c))
			find_range(f, &from, &c);
		return;
	}
	if (!git_rev(f->r, rev, &c))
		return;
	switch (f->w.verb) {
	case VERB_TARGET:
		find_target(f, &c);
		break;
	case VERB_MERGE:
		find_merge(f, &c);
		break;
	case VERB_PICK:
	case VERB_STASH:
		find_pick(f, &c, false);
		break;
	case VERB_REVERT:
		find_pick(f, &c, true);
		break;
	case VERB_REBASE:
	case VERB_OTHER:
		break;
	}
}

void
git_moves_find(struct git_repo *r, const struct git_moves_query *q, struct git_moves *ret)
{
	struct moves_search f = { .r = r, .q = q, .to = ret };

	ret->n = 0;
	ret->more = false;
	git_words(q->argv, q->argc, &f.w);
	if (f.w.verb == VERB_OTHER || !git_rev(r, STR("HEAD"), &f.head))
		return;
	git_old_ancestors(r, &f.head, f.old, &f.old_n);
	if (f.w.resumes)
		find_stopped(&f);
	else if (f.w.verb == VERB_REBASE)
		find_rebase(&f);
	else {
		for (size_t i = 0; i < f.w.revs_n; i++)
			find_rev(&f, f.w.revs[i]);
		if (f.w.verb == VERB_MERGE && !f.w.revs_n)
			find_rev(&f, STR("@{u}"));
		/* A checkout of paths, or of HEAD. */
		if (f.w.verb == VERB_TARGET && !f.commit) {
			f.w.force = true;
			find_target(&f, &f.head);
		}
	}
}
