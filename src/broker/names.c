/*
 * Calls that create, move and remove names.
 *
 * Below a writable path the supervisor performs them on directories that it has opened; the
 * command has no right of its own to make them.
 */
#define _GNU_SOURCE
#include "broker/git/git.h"
#include "broker/git/tracked.h"
#include "broker/name_call.h"
#include "broker/report/report.h"
#include <dirent.h>

/* True if the target is below a writable path, however it was reached. */
static bool
is_writable(const struct name_call *m, const struct target *p)
{
	const struct plan *plan = m->c->br->plan;

	return (p->object >= 0 || p->parent >= 0) &&
	       (p->agreed || (!plan->readonly && plan_is_writable(plan, target_path(p))));
}

/* The same, and it is a name in a directory: the call can be performed there. */
static bool
is_ours(const struct name_call *m, const struct target *p)
{
	return p->object < 0 && is_writable(m, p);
}

/* A hard link would be another name for something that nobody approved. */
static void
find_agreed(struct name_call *m)
{
	struct broker *br = m->c->br;

	if (m->what == LINK ||
	    (m->what == RENAME && (m->flags & ~KERNEL_RENAME_NO_REPLACE)))
		return;
	target_agree(br, &m->to, m->what == UNLINK || m->what == RMDIR);
	if (m->what == RENAME)
		target_agree(br, &m->from, true);
}

/* True if the name exists already (mkdir -p); the kernel checks that before all else. */
static bool
is_there(const struct name_call *m)
{
	return m->to.exists && (m->what == MKDIR || m->what == MKNOD ||
				   m->what == SYMLINK || m->what == LINK);
}

/* True if a git directory is created where one was before: it is empty, and each name that
 * git writes into it is judged. */
static bool
begins_repository(const struct name_call *m, const struct target *p)
{
	struct guard_hit h = guard_look(m->c->br->plan, target_path(p));

	return m->what == MKDIR && h.gitdir && h.nested && !m->c->br->plan->block_git;
}

/* True if an old directory would move inside a git directory: moved aside and copied back,
 * its configuration and hooks would be the run's own. */
static bool
moves_git(const struct name_call *m, const struct target *p)
{
	return m->what == RENAME && p->exists && S_ISDIR(p->st.st_mode) &&
	       guard_look(m->c->br->plan, target_path(p)).inside_git &&
	       !target_is_new(m->c->br, p);
}

/* Why the target may not be changed so; NULL: it may. */
static const char *
why_not(struct name_call *m, const struct target *p)
{
	struct broker *br = m->c->br;
	const char *why;

	if (hidden_is(br, p))
		return "it is hidden";
	if (m->what == RENAME && hidden_below(br, p))
		return "it contains hidden files, which patterns match by name";
	if ((why = guarded_why(br, p, m->what == SYMLINK ? RUN_LINK : name_call_op(m))))
		return begins_repository(m, p) ? NULL : why;
	if (m->what == SYMLINK)
		return below_guard(br, p, NULL, RUN_CREATE);
	if (m->what == RENAME && ((why = below_guard(br, p, &m->from, RUN_RENAME)) ||
				     ((m->flags & KERNEL_RENAME_EXCHANGE) &&
					 (why = below_guard(br, p, &m->to, RUN_RENAME)))))
		return why;
	return moves_git(m, p) ? "git directories must not be moved" : NULL;
}

/* True if rmdir(2) fails anyway because the directory is not empty: report no refusal. */
static bool
is_full(const struct name_call *m)
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

/* Report the object of the call that is protected; false: none is. */
static bool
is_guarded(struct name_call *m)
{
	struct target *const both[] = { &m->from, &m->to };

	for (size_t i = 0; i < 2; i++) {
		const char *why;

		if (!is_writable(m, both[i]) || !(why = why_not(m, both[i])))
			continue;
		if (is_full(m))
			return true;
		violation_add(m->c->br, (pid_t)m->c->n.pid, name_call_op(m),
		    target_path(both[i]), why);
		return true;
	}
	return false;
}

/* Report a file that must not be read and would get a name that no rule matches. */
static bool
frees_denied(struct name_call *m)
{
	const bool swap = m->what == RENAME && (m->flags & KERNEL_RENAME_EXCHANGE);
	const struct target *const both[] = { &m->from, swap ? &m->to : NULL };

	if (m->what != LINK && m->what != RENAME)
		return false;
	for (size_t i = 0; i < 2; i++) {
		const char *why = both[i] ? denied_move(m->c->br, both[i]) : NULL;

		if (!why)
			continue;
		violation_add(m->c->br, (pid_t)m->c->n.pid, name_call_op(m),
		    target_path(both[i]), why);
		return true;
	}
	return false;
}

/* True for a path of the plan: without mounts these must stay where they are.  A file that
 * a person approved is in the plan as well, and may be replaced. */
static bool
is_plan_path(const struct name_call *m, const struct target *p)
{
	return plan_has_below(m->c->br->plan, target_path(p)) &&
	       !(p->agreed && p->exists && !S_ISDIR(p->st.st_mode));
}

/* True if something is mounted on a name that would be removed or replaced. */
static bool
is_busy(const struct name_call *m)
{
	if (m->what != UNLINK && m->what != RMDIR && m->what != RENAME)
		return false;
	if (m->c->br->plan->bare &&
	    (is_plan_path(m, &m->to) || (m->what == RENAME && is_plan_path(m, &m->from))))
		return true;
	return target_is_mount(&m->to) || (m->what == RENAME && target_is_mount(&m->from));
}

static void
note_refusal(struct name_call *m)
{
	if (m->what == RENAME && m->from.parent >= 0)
		broker_note_refusal(m->c, &m->from, RUN_RENAME);
	if (m->to.parent < 0 && m->to.object < 0)
		return;
	/* Report nothing for a name that does not exist. */
	if (!m->to.exists && (m->what == UNLINK || m->what == RMDIR || m->what == TRUNCATE))
		return;
	if (is_there(m))
		return;
	broker_note_refusal(m->c, &m->to, name_call_op(m));
}

/* Without mounts, a hard link would make a read-only file writable under its new name. */
static bool
is_own_source(const struct name_call *m)
{
	const struct plan *plan = m->c->br->plan;

	return plan_is_writable(plan, target_path(&m->from));
}

/* True for a trailing slash after something that neither is nor becomes a directory: the
 * kernel has an error for that. */
static bool
is_misnamed(const struct name_call *m)
{
	return m->to.slash && !m->to.exists && m->what != MKDIR &&
	       !(m->what == RENAME && m->from.exists && S_ISDIR(m->from.st.st_mode));
}

/* True if the inode has no name left after the call. */
static bool
drops_inode(const struct name_call *m)
{
	return m->what == RMDIR ||
	       ((m->what == UNLINK || m->what == RENAME) && m->to.st.st_nlink < 2);
}

/* Guarded files that git replaces.  True: the call was answered. */
static bool
is_tracked(struct name_call *m)
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

/* Things that the call takes away, found before it is performed. */
struct left {
	unsigned from, to; /* kinds of protected names in directories that are moved */
	size_t own;        /* index of a hidden file of the run's own that is removed */
};

/* Answer the call if the supervisor does not perform it.  False: it does. */
static bool
check(struct name_call *m)
{
	struct call *c = m->c;
	bool ours = is_ours(m, &m->to);

	if (is_misnamed(m)) {
		call_continue(c);
		return true;
	}
	if (m->what == RENAME && ours && is_ours(m, &m->from) &&
	    git_perform_rename(c, &m->from, &m->to))
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
		(m->what == LINK && c->br->plan->bare && !is_own_source(m))) &&
	    !(call_is_unenforced(c) && target_reopen_inside(c->br, &m->to) == 0)) {
		note_refusal(m);
		call_continue(c);
		return true;
	}
	return false;
}

/* Record what goes away before it goes.  Returns NULL, or why the call cannot be
 * performed. */
static const char *
prepare(struct name_call *m, struct left *ret)
{
	struct broker *br = m->c->br;
	bool swap = m->what == RENAME && (m->flags & KERNEL_RENAME_EXCHANGE);

	*ret = (struct left){ .own = br->own_n };
	if (m->what == RENAME && vacated_refuses(br, &m->from, &m->to, swap))
		return "it would replace protected names";
	ret->from = m->what == RENAME ? vacated_look(br, &m->from) : 0;
	ret->to = swap ? vacated_look(br, &m->to) : 0;
	if (drops_inode(m))
		ret->own = hidden_find_own(br, &m->to);
	if (!vacated_moves(br, &m->from, &m->to, ret->from) ||
	    !vacated_moves(br, &m->to, &m->from, ret->to) ||
	    ((m->what == UNLINK || m->what == RMDIR) && !vacated_removes(br, &m->to)))
		return "cordon cannot record its removal (is the disk full?)";
	return NULL;
}

static void
account(struct name_call *m, const struct left *left)
{
	struct broker *br = m->c->br;

	hidden_remove_own(br, left->own);
	if (m->what == RENAME) {
		vacated_moved(br, &m->from, &m->to, left->from);
		vacated_moved(br, &m->to, &m->from, left->to);
		dropped_check_renamed(
		    br, &m->from, &m->to, m->flags & KERNEL_RENAME_EXCHANGE);
	}
	if (m->what == UNLINK)
		dropped_check_removed(br, &m->to);
	if (m->what == MKDIR || m->what == LINK || m->what == SYMLINK)
		dropped_check(br, &m->to);
	if (br->policy->learn)
		learned_add(br, name_call_op(m), target_path(&m->to));
	if (m->what == MKDIR || m->what == RENAME || m->what == LINK)
		hidden_add_own(br, &m->to, -1);
}

/* True if an overlay cannot rename the directory: a worker moves its entries, which may
 * take long. */
static bool
is_review_move(const struct name_call *m, int error)
{
	return error == EXDEV && m->what == RENAME && m->c->br->plan->review &&
	       !(m->flags & ~KERNEL_RENAME_NO_REPLACE) && m->from.exists &&
	       S_ISDIR(m->from.st.st_mode) &&
	       target_same_mount(m->from.parent, m->to.parent);
}

static void
move_in_worker(struct name_call *m, const struct left *left)
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

/* Perform the call on the directories that were opened, and answer it. */
static void
perform(struct name_call *m, const struct left *left)
{
	struct call *c = m->c;
	int error = is_busy(m) ? EBUSY : name_call_perform(m);

	if (is_review_move(m, error)) {
		move_in_worker(m, left);
		return;
	}
	if (!error)
		account(m, left);
	if (error == EROFS || error == EBUSY)
		violation_add(
		    c->br, (pid_t)c->n.pid, name_call_op(m), target_path(&m->to), NULL);
	call_answer(c, error);
}

/* Check, record what goes away, perform, account. */
static void
serve(struct name_call *m)
{
	struct call *c = m->c;
	struct left left;
	const char *why;

	if (check(m))
		return;
	if ((why = prepare(m, &left))) {
		violation_add(
		    c->br, (pid_t)c->n.pid, name_call_op(m), target_path(&m->to), why);
		call_answer(c, EACCES);
		return;
	}
	if (call_is_valid(c))
		perform(m, &left);
}

void
perform_names(struct call *c)
{
	struct name_call m = { 0 };
	int error = name_call_read(c, &m);

	if (error == EPERM || error == ENOSYS)
		call_answer(c, error);
	else if (error)
		call_fail(c, error);
	else {
		find_agreed(&m);
		serve(&m);
	}
	target_close(&m.to);
	target_close(&m.from);
}
