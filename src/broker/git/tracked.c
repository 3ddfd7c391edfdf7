#define _GNU_SOURCE
#include "broker/git/tracked.h"
#include "base/path.h"
#include "broker/report/report.h"
#include <fcntl.h>
#include <sys/mman.h>

#ifndef O_TMPFILE
#define O_TMPFILE (020000000 | O_DIRECTORY)
#endif

static struct tracked *
known(struct broker *br)
{
	if (!br->tracked)
		br->tracked = ARENA_NEW(br->a, struct tracked);
	return br->tracked;
}

bool
tracked_allows(const struct broker *br, struct str path, const struct git_file *to)
{
	const struct tracked *t = br->tracked;

	for (size_t i = 0; t && i < t->files_n; i++)
		if (str_eq(t->files[i].path, path) && git_file_eq(&t->files[i].to, to))
			return true;
	return false;
}

bool
tracked_add(struct broker *br, struct str path, const struct git_file *to)
{
	struct tracked *t = known(br);

	if (tracked_allows(br, path, to))
		return true;
	if (!t || t->files_n == TRACKED_MAX || !(path = arena_copy(br->a, path)).p)
		return false;
	t->files[t->files_n++] = (struct tracked_file){ path, *to };
	return true;
}

enum how { COMES = 1, GOES = 2 };

/* Changes that are allowed for the file at `path`, or with `below` to files in it. */
static unsigned
find_how(const struct broker *br, struct str path, bool below)
{
	const struct tracked *t = br->tracked;
	unsigned how = 0;

	for (size_t i = 0; t && i < t->files_n; i++)
		if (below ? path_is_within(path, t->files[i].path)
			  : str_eq(t->files[i].path, path))
			how |= t->files[i].to.mode ? COMES : GOES;
	return how;
}

/* Find a copy of the path that lives as long as the run. */
static struct str
find_path(const struct tracked *t, struct str path)
{
	for (size_t i = 0; i < t->files_n; i++)
		if (str_eq(t->files[i].path, path))
			return t->files[i].path;
	return (struct str){ NULL, 0 };
}

/* ---- locks */

static struct tracked_lock *
find_lock(struct broker *br, struct str path)
{
	for (size_t i = 0; br->tracked && i < TRACKED_LOCKS; i++)
		if (str_eq(br->tracked->locks[i].path, path))
			return &br->tracked->locks[i];
	return NULL;
}

/* If the table is full nothing is recorded, and no guarded file is replaced under this
 * lock. */
static void
note_lock(struct broker *br, struct str path, struct str worktree, pid_t process)
{
	struct tracked *t = known(br);
	struct tracked_lock *l = find_lock(br, path);

	for (size_t i = 0; t && !l && i < TRACKED_LOCKS; i++)
		if (!t->locks[i].path.p) {
			l = &t->locks[i];
			l->path = arena_copy(br->a, path);
			l->worktree = arena_copy(br->a, worktree);
		}
	if (l && l->path.p && l->worktree.p) {
		l->process = process;
		l->refused = false;
	}
}

/* True if git holds the index lock of the worktree that the file is in. */
static bool
is_locked(const struct broker *br, struct str path)
{
	for (size_t i = 0; i < TRACKED_LOCKS; i++)
		if (br->tracked->locks[i].process &&
		    path_is_within(br->tracked->locks[i].worktree, path))
			return true;
	return false;
}

void
tracked_refused(struct broker *br, pid_t pid)
{
	for (size_t i = 0; br->tracked && i < TRACKED_LOCKS; i++)
		if (br->tracked->locks[i].process &&
		    br->tracked->locks[i].process == child_process(pid))
			br->tracked->locks[i].refused = true;
}

/* ---- files that wait to be put in place */

static void
drop(struct tracked *t, size_t i)
{
	fd_close(&t->pending[i].dir);
	fd_close(&t->pending[i].file);
	t->pending[i] = t->pending[--t->pending_n];
}

/* Put all files of this worktree in place; false if one of them cannot be. */
static bool
settle_all(struct call *c, struct str worktree)
{
	struct tracked *t = c->br->tracked;
	bool ok = true;

	for (size_t i = 0; i < t->pending_n;) {
		struct tracked_pending *f = &t->pending[i];

		if (!path_is_within(worktree, f->path)) {
			i++;
			continue;
		}
		if (!tracked_put(c->br, f, true)) {
			violation_add(c->br, (pid_t)c->n.pid, RUN_WRITE, f->path,
			    BROKER_WHY_NOT_COMMITTED);
			ok = false;
		}
		drop(t, i);
	}
	return ok;
}

void
tracked_settle(struct broker *br)
{
	struct tracked *t = br->tracked;

	for (size_t i = 0; i < t->pending_n;)
		if (tracked_put(br, &t->pending[i], false))
			drop(t, i);
		else
			i++;
}

void
tracked_end(struct broker *br)
{
	while (br->tracked && br->tracked->pending_n)
		drop(br->tracked, 0);
}

/* ---- opens */

static bool
is_lock(const struct target *p)
{
	return p->parent >= 0 && strcmp(p->name, "index.lock") == 0;
}

static bool
open_lock(struct call *c, const struct target *p)
{
	struct str worktree = { NULL, 0 };
	int error = tracked_find(c, p, &worktree);

	if (error) {
		call_answer(c, error);
		return true;
	}
	if (worktree.p)
		note_lock(c->br, target_path(p), worktree, child_process((pid_t)c->n.pid));
	return false;
}

/* Open a file without a name, or a memfd if the file system has none.  *ret_read is a
 * descriptor for reading. */
static int
open_nameless(int dir, mode_t mode, int *ret_read)
{
	char link[FD_LINK_SIZE];
	int fd = openat(dir, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);

	if (fd < 0)
		fd = memfd_create("cordon-tracked", MFD_CLOEXEC);
	if (fd >= 0 && fchmod(fd, mode) == 0)
		*ret_read = open(fd_link(link, fd), O_RDONLY | O_CLOEXEC);
	return fd;
}

/* Give git a file without a name to write to. */
static void
hand_over(struct call *c, const struct target *p, uint64_t flags, mode_t mode)
{
	struct broker *br = c->br;
	struct tracked *t = br->tracked;
	struct tracked_pending f = { .path = find_path(t, target_path(p)),
		.dir = fcntl(p->parent, F_DUPFD_CLOEXEC, 0),
		.mode = (mode & 0777) & ~task_umask(br, (pid_t)c->n.pid),
		.file = -1 };
	cleanup_fd int fd = f.dir < 0 ? -1 : open_nameless(f.dir, f.mode, &f.file);

	if (t->pending_n == TRACKED_OPEN || !f.path.p || fd < 0 || f.file < 0) {
		fd_close(&f.dir);
		fd_close(&f.file);
		call_answer(c, EACCES);
		return;
	}
	/* If it is opened twice, the later one counts. */
	for (size_t i = 0; i < t->pending_n; i++)
		if (str_eq(t->pending[i].path, f.path)) {
			drop(t, i);
			break;
		}
	t->pending[t->pending_n++] = f;
	call_return_fd(c, fd, (flags & O_CLOEXEC) != 0);
}

/* True if it is guarded, no rule of the user forbids it, and it is not cordon's own. */
static bool
is_ours(struct broker *br, const struct target *p, enum run_op op)
{
	struct guard_hit h = guard_look(br->plan, target_path(p));
	struct str why;

	return is_locked(br, target_path(p)) && h.why && !h.own && !br->plan->readonly &&
	       guarded_why(br, p, op) &&
	       !(br->policy->path && br->policy->path(br->policy->ctx, op, target_path(p),
					 &why) == RUN_PATH_REFUSED);
}

bool
tracked_open(struct call *c, const struct target *p, uint64_t flags, mode_t mode)
{
	if (is_lock(p) && !p->exists && (flags & O_CREAT))
		return open_lock(c, p);
	if (!(find_how(c->br, target_path(p), false) & COMES) ||
	    (flags & O_ACCMODE) != O_WRONLY || !(flags & (O_EXCL | O_TRUNC)) ||
	    p->parent < 0 || (p->exists && !S_ISREG(p->st.st_mode)) ||
	    !is_ours(c->br, p, RUN_WRITE))
		return false;
	hand_over(c, p, flags, mode);
	return true;
}

/* ---- names */

/* True below git's object directories.  They must not move as a whole: the age of an object
 * is known by the timestamp of its file, which moving its directory does not change. */
static bool
is_store(const struct plan *plan, struct str path)
{
	static const char inside[] = "/.git/objects";

	for (size_t i = 0; i < plan->git_n; i++) {
		struct str rest = str_skip(path, plan->git[i].commondir.n);

		if (plan->git[i].commondir.p &&
		    path_is_within(plan->git[i].commondir, path) &&
		    (str_is(rest, "/objects") || str_starts(rest, STR("/objects/"))))
			return true;
	}
	return memmem(path.p, path.n, inside, sizeof inside - 1) != NULL;
}

static bool
moves_store(struct call *c, const struct target *from, const struct target *to)
{
	bool dir = S_ISDIR(from->st.st_mode) || (to->exists && S_ISDIR(to->st.st_mode));

	if (!dir || (!is_store(c->br->plan, target_path(from)) &&
			!is_store(c->br->plan, target_path(to))))
		return false;
	violation_add(c->br, (pid_t)c->n.pid, RUN_RENAME, target_path(to),
	    "it is a directory of git's objects");
	call_answer(c, EACCES);
	return true;
}

/* The index is complete (`completes`) or given up. */
static bool
end_lock(struct call *c, const struct target *lock, bool completes)
{
	struct tracked_lock *l = find_lock(c->br, target_path(lock));
	bool ok;

	if (!l || !l->process)
		return false;
	ok = settle_all(c, l->worktree) && !l->refused;
	if (ok || !completes) {
		l->process = 0;
		return false;
	}
	violation_add(c->br, (pid_t)c->n.pid, RUN_RENAME, target_path(lock),
	    "git's new index lists protected files that were not written");
	call_answer(c, EACCES);
	return true;
}

static bool
remove_file(struct call *c, const struct target *p)
{
	cleanup_arena struct arena *a = NULL;
	unsigned how = find_how(c->br, target_path(p), false);

	if (!how || !p->exists || S_ISDIR(p->st.st_mode) || target_is_mount(p) ||
	    !is_ours(c->br, p, RUN_DELETE))
		return false;
	/* git will create it again; the old file stays until then. */
	if (!(how & GOES)) {
		call_answer(c, 0);
		return true;
	}
	if ((a = arena_new(2 * TRACKED_FILE_MAX)))
		tracked_keep(c->br, a, p->parent, p->name, target_path(p));
	call_answer(c, unlinkat(p->parent, p->name, 0) ? errno : 0);
	return true;
}

static bool
change_dir(struct call *c, const struct target *p, bool made)
{
	unsigned how = find_how(c->br, target_path(p), true);

	if (!(how & (made ? COMES : GOES)) || p->exists == made || target_is_mount(p) ||
	    !is_ours(c->br, p, made ? RUN_CREATE : RUN_DELETE))
		return false;
	(void)umask(task_umask(c->br, (pid_t)c->n.pid));
	call_answer(
	    c, (made ? mkdirat(p->parent, p->name,
			   c->n.data.nr == SYS_mkdirat ? (mode_t)c->n.data.args[2] & 0777
						       : (mode_t)c->n.data.args[1] & 0777)
		     : unlinkat(p->parent, p->name, AT_REMOVEDIR))
		   ? errno
		   : 0);
	return true;
}

bool
tracked_names(struct call *c, enum tracked_call what, const struct target *from,
    const struct target *to)
{
	switch (what) {
	case TRACKED_RENAME:
		return moves_store(c, from, to) ||
		       (is_lock(from) && end_lock(c, from, true));
	case TRACKED_UNLINK:
		return (is_lock(to) && end_lock(c, to, false)) || remove_file(c, to);
	case TRACKED_MKDIR:
		return change_dir(c, to, true);
	case TRACKED_RMDIR:
		return change_dir(c, to, false);
	}
	return false;
}
