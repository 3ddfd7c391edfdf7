/*
 * Whether an object may be changed: protected names, rules about paths, and what the run
 * created itself.  confine/guard.h judges names; this file adds what the run and the file
 * system know.
 */
#define _GNU_SOURCE
#include "broker/git/git.h"
#include "broker/report/report.h"

/* True if the run created what is at this path, or nothing is there yet. */
bool
dir_is_new(struct broker *br, const char *path, size_t n)
{
	cleanup_fd int fd = -1;
	struct stat st;

	/* In an overlay every copied-up file looks new; the lower layer knows. */
	if (br->plan->review && plan_is_writable(br->plan, str_of(path, n)))
		return lstat(path, &st) && errno == ENOENT;
	fd = sys_openat2(br->root, path, O_PATH | O_NOFOLLOW, 0,
	    KERNEL_RESOLVE_IN_ROOT | KERNEL_RESOLVE_NO_SYMLINKS);
	return fd < 0 ? errno == ENOENT : created_has(br, fd);
}

bool
target_is_new(struct broker *br, const struct target *p)
{
	return dir_is_new(br, p->path, p->path_n);
}

/* True if the run created the directory that holds the protected name, and none was there
 * before. */
static bool
is_free(struct broker *br, const struct target *p, const struct guard_hit *h)
{
	char path[LIMIT_PATH];
	size_t n = h->free_if_new;

	memcpy(path, p->path, n);
	path[n] = '\0';
	return n && dir_is_new(br, path, n) &&
	       !vacated_holds(br, target_path(p), h->inside_git);
}

/* True if the path lies in a nested repository, such as a clone or a worktree.  While a
 * repository is being removed, its .git may have gone before. */
static bool
is_in_nested(struct broker *br, const struct target *p, size_t n)
{
	char path[LIMIT_PATH];

	for (; n > 0; n = str_rfind(str_of(p->path, n), '/')) {
		cleanup_fd int fd = -1;
		size_t length = n + sizeof "/.git" - 1;

		if (length >= sizeof path ||
		    !plan_is_writable(br->plan, str_of(p->path, n)))
			return false;
		for (size_t i = 0; i < br->plan->writable_n; i++)
			if (str_eq(br->plan->writable[i], str_of(p->path, n)))
				return false;
		memcpy(path, p->path, n);
		memcpy(path + n, "/.git", sizeof "/.git");
		fd = sys_openat2(br->root, path, O_PATH | O_NOFOLLOW, 0,
		    KERNEL_RESOLVE_IN_ROOT | KERNEL_RESOLVE_NO_SYMLINKS);
		if (fd >= 0 || vacated_holds(br, str_of(path, length), true))
			return true;
	}
	return false;
}

/* True if the protected name may be deleted.  Deleting code drops none, so names below the
 * top of the workspace may go.  Ignore files and cordon's rules protect what is around
 * them: they may go only with a whole repository, and an ignore file not while it hides
 * something. */
static bool
is_removable(struct broker *br, const struct target *p, const struct guard_hit *h)
{
	struct target dir = { .exists = true, .st = { .st_mode = S_IFDIR } };

	if (h->package)
		return true;
	if (!h->nested || (br->plan->block_git && h->inside_git))
		return false;
	if (h->kind != NAME_IGNORE && h->kind != NAME_OWN)
		return true;
	if (!is_in_nested(br, p, h->free_if_new))
		return false;
	dir.path_n = h->free_if_new;
	memcpy(dir.path, p->path, dir.path_n);
	return !hidden_below(br, &dir);
}

/* True for what git init does in a repository that the run creates where another one was:
 * it creates samples and empty directories, and tries the mode of its configuration. */
static bool
is_set_up(
    struct broker *br, const struct target *p, enum run_op op, const struct guard_hit *h)
{
	struct str rest = str_skip(target_path(p), h->git_dir + 1);
	bool sample = str_starts(rest, STR("hooks/")) && str_ends(rest, STR(".sample"));
	char path[LIMIT_PATH];

	if (!h->git_dir)
		return false;
	if (op == RUN_ATTRIBUTE ? !sample && h->git != GIT_CONFIG
				: (op != RUN_CREATE && op != RUN_WRITE) ||
				      (!sample && !str_among(rest, "hooks\0branches\0")))
		return false;
	memcpy(path, p->path, h->git_dir);
	path[h->git_dir] = '\0';
	return dir_is_new(br, path, h->git_dir);
}

const char *
guarded_why(struct broker *br, const struct target *p, enum run_op op)
{
	struct guard_hit h = guard_look(br->plan, target_path(p));
	struct str why = { NULL, 0 };

	if (h.own)
		return h.why;
	git_judge_name(br, p, op, &h);
	/* The user approved this exact path, or the removal of this tree. */
	if (p->agreed && (!p->agreed->make || str_eq(p->agreed->path, target_path(p))))
		h.why = NULL;
	switch (br->policy->path
		    ? br->policy->path(br->policy->ctx, op, target_path(p), &why)
		    : RUN_PATH_SILENT) {
	case RUN_PATH_REFUSED:
		return broker_keep_why(br, why, "a rule forbids it");
	case RUN_PATH_LIFTED:
		return NULL;
	case RUN_PATH_SILENT:
		break;
	}

	if (h.why && op == RUN_DELETE && is_removable(br, p, &h))
		return NULL;
	/* The lock is judged when it is renamed. */
	if (h.git == GIT_LOCK && !br->plan->block_git)
		return NULL;
	if (h.why && is_free(br, p, &h)) {
		dropped_add(br, target_path(p), h.why);
		return NULL;
	}
	if (h.why && is_set_up(br, p, op, &h))
		return NULL;
	if (!h.why && op != RUN_DELETE && op != RUN_RENAME && alias_is_protected(br, p))
		return "it is a hard link to a protected file";
	return h.why;
}
