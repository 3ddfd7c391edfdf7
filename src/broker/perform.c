/*
 * Calls that make, move and remove names.
 *
 * In a writable root they are made here, on directories that were opened; the command has
 * no right of its own to make them.
 */
#define _GNU_SOURCE
#include "broker/git/tracked.h"
#include "broker/making.h"
#include "confine/guard.h"
#include <dirent.h>

/* It lies where the supervisor makes the writes, by whatever way it was reached. */
static bool
is_writable(const struct making *m, const struct place_in *p)
{
	const struct plan *plan = m->c->s->plan;

	return (p->object >= 0 || p->parent >= 0) &&
	       (p->agreed || (!plan->readonly && plan_is_writable(plan, place_path(p))));
}

/* The same, and it is a name in a directory: the call can be made there. */
static bool
is_ours(const struct making *m, const struct place_in *p)
{
	return p->object < 0 && is_writable(m, p);
}

/* A link would be another name of what nobody agreed to. */
static void
agree(struct making *m)
{
	struct supervisor *s = m->c->s;

	if (m->what == LINK ||
	    (m->what == RENAME && (m->flags & ~KERNEL_RENAME_NO_REPLACE)))
		return;
	place_agree(s, &m->to, m->what == UNLINK || m->what == RMDIR);
	if (m->what == RENAME)
		place_agree(s, &m->from, true);
}

/* Nobody needs what is there already: mkdir -p.  The kernel says so before all else. */
static bool
is_there(const struct making *m)
{
	return m->to.exists && (m->what == MKDIR || m->what == MKNOD ||
				   m->what == SYMLINK || m->what == LINK);
}

/* A git directory is begun where one was before: it is empty, and what git may write into
 * it is judged name by name. */
static bool
begins_repository(const struct making *m, const struct place_in *p)
{
	struct guard_hit h = guard_look(m->c->s->plan, place_path(p));

	return m->what == MKDIR && h.gitdir && h.nested && !m->c->s->plan->block_git;
}

/* A directory that was there before keeps its place in a directory of git's: moved aside
 * and copied back, its configuration and hooks would be the run's own. */
static bool
moves_git(const struct making *m, const struct place_in *p)
{
	return m->what == RENAME && p->exists && S_ISDIR(p->st.st_mode) &&
	       guard_look(m->c->s->plan, place_path(p)).inside_git &&
	       !place_is_new(m->c->s, p);
}

/* NULL, or why the path may not be changed so. */
static const char *
why_not(struct making *m, const struct place_in *p)
{
	struct supervisor *s = m->c->s;
	const char *why;

	if (hidden_is(s, p))
		return "it is hidden";
	if (m->what == RENAME && hidden_below(s, p))
		return "it holds hidden files, which patterns find by their names";
	if ((why = perform_guard(s, p, m->what == SYMLINK ? RUN_LINK : making_op(m))))
		return begins_repository(m, p) ? NULL : why;
	if (m->what == SYMLINK)
		return below_guard(s, p, NULL, RUN_CREATE);
	if (m->what == RENAME && ((why = below_guard(s, p, &m->from, RUN_RENAME)) ||
				     ((m->flags & KERNEL_RENAME_EXCHANGE) &&
					 (why = below_guard(s, p, &m->to, RUN_RENAME)))))
		return why;
	return moves_git(m, p) ? "git's directories stay where they are" : NULL;
}

/* rmdir fails by itself: nothing is refused. */
static bool
is_full(const struct making *m)
{
	int fd = m->what == RMDIR && m->to.parent >= 0
		     ? openat(m->to.parent, m->to.name,
			   O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
		     : -1;
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	unsigned n = 0;

	while (d && n < 3 && readdir(d))
		n++;
	if (d)
		(void)closedir(d);
	return n == 3;
}

/* Some object of the call is protected: refused and reported. */
static bool
is_guarded(struct making *m)
{
	struct place_in *const both[] = { &m->from, &m->to };

	for (size_t i = 0; i < 2; i++) {
		const char *why;

		if (!is_writable(m, both[i]) || !(why = why_not(m, both[i])))
			continue;
		if (is_full(m))
			return true;
		violate(
		    m->c->s, (pid_t)m->c->n.pid, making_op(m), place_path(both[i]), why);
		return true;
	}
	return false;
}

/* A file that must not be read would get a name that no rule knows. */
static bool
frees_denied(struct making *m)
{
	const bool swap = m->what == RENAME && (m->flags & KERNEL_RENAME_EXCHANGE);
	const struct place_in *const both[] = { &m->from, swap ? &m->to : NULL };

	if (m->what != LINK && m->what != RENAME)
		return false;
	for (size_t i = 0; i < 2; i++) {
		const char *why = both[i] ? denied_move(m->c->s, both[i]) : NULL;

		if (!why)
			continue;
		violate(
		    m->c->s, (pid_t)m->c->n.pid, making_op(m), place_path(both[i]), why);
		return true;
	}
	return false;
}

/* Without mounts the plan knows what must stay where it is; a file that a person agreed to
 * stands in it as well, and may be replaced. */
static bool
is_planned(const struct making *m, const struct place_in *p)
{
	return plan_has_below(m->c->s->plan, place_path(p)) &&
	       !(p->agreed && p->exists && !S_ISDIR(p->st.st_mode));
}

/* A name that is to go away, or to be replaced, has something mounted on it. */
static bool
is_held(const struct making *m)
{
	if (m->what != UNLINK && m->what != RMDIR && m->what != RENAME)
		return false;
	if (m->c->s->plan->bare &&
	    (is_planned(m, &m->to) || (m->what == RENAME && is_planned(m, &m->from))))
		return true;
	return place_is_mount(&m->to) || (m->what == RENAME && place_is_mount(&m->from));
}

static void
note_refusal(struct making *m)
{
	if (m->what == RENAME && m->from.parent >= 0)
		perform_note(m->c, &m->from, RUN_RENAME);
	if (m->to.parent < 0 && m->to.object < 0)
		return;
	/* Nothing is refused where there is nothing. */
	if (!m->to.exists && (m->what == UNLINK || m->what == RMDIR || m->what == TRUNCATE))
		return;
	if (is_there(m))
		return;
	perform_note(m->c, &m->to, making_op(m));
}

/* Under another name it could be written: without mounts nothing else forbids that. */
static bool
is_own_source(const struct making *m)
{
	const struct plan *plan = m->c->s->plan;

	return plan_is_writable(plan, place_path(&m->from));
}

/* A slash behind what is no directory, nor becomes one: the kernel says what that is. */
static bool
is_misnamed(const struct making *m)
{
	return m->to.slash && !m->to.exists && m->what != MKDIR &&
	       !(m->what == RENAME && m->from.exists && S_ISDIR(m->from.st.st_mode));
}

/* What has that name is no longer there afterwards, under any name. */
static bool
goes(const struct making *m)
{
	return m->what == RMDIR ||
	       ((m->what == UNLINK || m->what == RENAME) && m->to.st.st_nlink < 2);
}

/* Guarded files that git replaces: answered if true. */
static bool
is_tracked(struct making *m)
{
	switch (m->what) {
	case MKDIR:
		return tracked_names(m->c, TRACKED_MKDIR, NULL, &m->to);
	case UNLINK:
		return tracked_names(m->c, TRACKED_UNLINK, NULL, &m->to);
	case RMDIR:
		return tracked_names(m->c, TRACKED_RMDIR, NULL, &m->to);
	case RENAME:
		return tracked_names(m->c, TRACKED_RENAME, &m->from, &m->to);
	default:
		return false;
	}
}

/* What the call would leave behind, found before it is made. */
struct left {
	unsigned from, to; /* protected names in directories that are moved */
	size_t own;        /* a hidden file of the run's own that goes */
};

/* Answered here, because the supervisor does not make it; false: it does. */
static bool
is_settled(struct making *m)
{
	struct call *c = m->c;
	bool ours = is_ours(m, &m->to);

	if (is_misnamed(m)) {
		call_go_on(c);
		return true;
	}
	if (m->what == RENAME && ours && is_ours(m, &m->from) &&
	    perform_git_config(c, &m->from, &m->to))
		return true;
	if (ours && is_tracked(m))
		return true;
	if (ours && is_there(m)) {
		call_answer(c, EEXIST);
		return true;
	}
	if (is_guarded(m) || frees_denied(m)) {
		call_answer(c, is_full(m) ? ENOTEMPTY : EACCES);
		return true;
	}
	if ((!ours || (m->what == RENAME && !is_ours(m, &m->from)) ||
		(m->what == LINK && c->s->plan->bare && !is_own_source(m))) &&
	    !(call_is_unheld(c) && place_inside(c->s, &m->to) == 0)) {
		note_refusal(m);
		call_go_on(c);
		return true;
	}
	return false;
}

/* Records what goes away before it goes; NULL, or why the call cannot be made. */
static const char *
prepare(struct making *m, struct left *ret)
{
	struct supervisor *s = m->c->s;
	bool swap = m->what == RENAME && (m->flags & KERNEL_RENAME_EXCHANGE);

	*ret = (struct left){ .own = s->own_n };
	if (m->what == RENAME && vacated_refuses(s, &m->from, &m->to, swap))
		return "protected names would take the place of others";
	ret->from = m->what == RENAME ? vacated_look(s, &m->from) : 0;
	ret->to = swap ? vacated_look(s, &m->to) : 0;
	if (goes(m))
		ret->own = hidden_find_own(s, &m->to);
	if (!vacated_moves(s, &m->from, &m->to, ret->from) ||
	    !vacated_moves(s, &m->to, &m->from, ret->to) ||
	    ((m->what == UNLINK || m->what == RMDIR) && !vacated_removes(s, &m->to)))
		return "cordon cannot record that it goes (is the disk full?)";
	return NULL;
}

static void
account(struct making *m, const struct left *left)
{
	struct supervisor *s = m->c->s;

	hidden_gone(s, left->own);
	if (m->what == RENAME) {
		vacated_moved(s, &m->from, &m->to, left->from);
		vacated_moved(s, &m->to, &m->from, left->to);
		plant_renamed(s, &m->from, &m->to, m->flags & KERNEL_RENAME_EXCHANGE);
	}
	if (m->what == UNLINK)
		plant_look_removed(s, &m->to);
	if (m->what == MKDIR || m->what == LINK || m->what == SYMLINK)
		plant_look(s, &m->to);
	if (s->q->learn)
		learn(s, making_op(m), place_path(&m->to));
	if (m->what == MKDIR || m->what == RENAME || m->what == LINK)
		hidden_own(s, &m->to, -1);
}

/* The overlay of a review cannot rename it; a worker moves what is in it, which may take
 * long. */
static bool
is_review_move(const struct making *m, int error)
{
	return error == EXDEV && m->what == RENAME && m->c->s->plan->review &&
	       !(m->flags & ~KERNEL_RENAME_NO_REPLACE) && m->from.exists &&
	       S_ISDIR(m->from.st.st_mode) &&
	       place_same_mount(m->from.parent, m->to.parent);
}

static void
move_in_worker(struct making *m, const struct left *left)
{
	int error;

	if (call_in_worker(m->c, &error)) {
		if (call_is_valid(m->c))
			call_answer(m->c, review_move(m->from.parent, m->from.name,
					      m->to.parent, m->to.name, 0));
		_exit(0);
	}
	if (error)
		call_answer(m->c, error);
	else
		account(m, left);
}

static void
decide_call(struct making *m)
{
	struct call *c = m->c;
	struct left left;
	const char *why;
	int error;

	if (is_settled(m))
		return;
	if ((why = prepare(m, &left))) {
		violate(c->s, (pid_t)c->n.pid, making_op(m), place_path(&m->to), why);
		call_answer(c, EACCES);
		return;
	}
	if (!call_is_valid(c))
		return;
	error = is_held(m) ? EBUSY : making_do(m);
	if (is_review_move(m, error)) {
		move_in_worker(m, &left);
		return;
	}
	if (!error)
		account(m, &left);
	if (error == EROFS || error == EBUSY)
		violate(c->s, (pid_t)c->n.pid, making_op(m), place_path(&m->to), NULL);
	call_answer(c, error);
}

void
perform_call(struct call *c)
{
	struct making m = { 0 };
	int error = making_read(c, &m);

	if (error == EPERM || error == ENOSYS)
		call_answer(c, error);
	else if (error)
		call_fail(c, error);
	else {
		agree(&m);
		decide_call(&m);
	}
	place_done(&m.to);
	place_done(&m.from);
}
