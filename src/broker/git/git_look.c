/*
 * Recognise git directories.  One that is called .git, or that the plan lists, is known by
 * its path.  All others are known by their content: HEAD, objects and refs, or HEAD and
 * commondir.  This is only checked next to names that git would obey.
 */
#define _GNU_SOURCE
#include "base/path.h"
#include "broker/git/git.h"

/* Deep enough for objects/info/alternates and for names in logs. */
#define UP_MOST 6
static const char up[] = "../../../../../../";

static bool
has(int dir, const char *above, const char *name, mode_t type)
{
	char path[sizeof up + 16];
	size_t n = strlen(above);
	struct stat st;

	memcpy(path, above, n);
	memcpy(path + n, name, strlen(name) + 1);
	return fstatat(dir, path, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       (!type || (st.st_mode & S_IFMT) == type);
}

/* True if the directory `levels` above `dir` is a git directory.  One of the three signs
 * may have been moved away for a moment. */
static bool
is_git(int dir, unsigned levels)
{
	const char *above = up + sizeof up - 1 - (size_t)levels * 3;
	bool head = has(dir, above, "HEAD", 0);

	return (head && has(dir, above, "commondir", S_IFREG)) ||
	       head + has(dir, above, "objects", S_IFDIR) +
		       has(dir, above, "refs", S_IFDIR) >=
		   2;
}

/* Open the directory that holds the name. */
static int
open_parent(struct broker *br, const struct target *p)
{
	char path[LIMIT_PATH];
	size_t n = str_rfind(target_path(p), '/');

	if (p->parent >= 0)
		return fcntl(p->parent, F_DUPFD_CLOEXEC, 0);
	if (n >= p->path_n)
		return -1;
	memcpy(path, p->path, n);
	path[n] = '\0';
	return sys_openat2(br->root, n ? path : "/", O_PATH | O_DIRECTORY, 0,
	    KERNEL_RESOLVE_IN_ROOT | KERNEL_RESOLVE_NO_SYMLINKS);
}

/* Look for a git directory above the name; `any`: for any name, not only those that git
 * obeys. */
static void
recognise(struct broker *br, const struct target *p, bool any, struct guard_hit *h)
{
	struct str path = target_path(p);
	size_t at = path.n, root = guard_root_length(br->plan, path);
	cleanup_fd int dir = -1;

	for (unsigned levels = 0; levels <= UP_MOST; levels++) {
		enum git_name name;
		size_t slash = str_rfind(str_cut(path, 0, at), '/');

		if (slash >= at || slash == 0 || slash < root)
			return;
		at = slash;
		name = git_name(str_skip(path, at + 1), NULL);
		if (!any && (name == GIT_FREE || name == GIT_OTHER))
			continue;
		if (dir < 0 && (dir = open_parent(br, p)) < 0)
			return;
		if (!is_git(dir, levels))
			continue;
		h->git = name;
		h->git_dir = at;
		h->inside_git = true;
		h->nested |= at > root;
		if (name >= GIT_CODE) {
			h->why = name == GIT_CONFIG ? "git takes it for a repository, "
						      "and obeys its config"
						    : git_name_why(name);
			h->free_if_new = at;
		}
		return;
	}
}

/* True if the run created the git directory, or will. */
static bool
is_made(struct broker *br, const struct target *p, size_t n)
{
	char path[LIMIT_PATH];

	memcpy(path, p->path, n);
	path[n] = '\0';
	return dir_is_new(br, path, n);
}

bool
gitdir_is_old(struct broker *br, const struct target *p, size_t n)
{
	return !is_made(br, p, n) || vacated_holds(br, target_path(p), true);
}

size_t
git_read_line(int dir, const char *name, char *buf, size_t size)
{
	cleanup_fd int fd =
	    openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	ssize_t n = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode)
			? read(fd, buf, size - 1)
			: -1;

	while (n > 0 && buf[n - 1] == '\n')
		n--;
	buf[n > 0 ? n : 0] = '\0';
	return n > 0 ? (size_t)n : 0;
}

/* True if the linked worktree is no longer where the git directory says: then git worktree
 * move and repair rewrite that path. */
static bool
is_gone(struct broker *br, const struct target *p)
{
	cleanup_fd int dir = open_parent(br, p), tree = -1;
	char text[LIMIT_PATH];

	if (dir < 0 || !git_read_line(dir, "gitdir", text, sizeof text) || text[0] != '/')
		return false;
	tree = sys_openat2(br->root, text, O_PATH, 0, KERNEL_RESOLVE_IN_ROOT);
	return tree < 0 && errno == ENOENT;
}

/* Why a directory must not be moved or closed as a whole; NULL: it may. */
static const char *
holds_git(struct broker *br, const struct target *p)
{
	cleanup_fd int dir = -1;

	if (!p->exists || !S_ISDIR(p->st.st_mode))
		return NULL;
	for (size_t i = 0; i < br->plan->led_n; i++)
		if (path_is_within(target_path(p), br->plan->led[i]))
			return "it contains a file that git's configuration names";
	dir = p->parent < 0 ? fcntl(p->object, F_DUPFD_CLOEXEC, 0)
			    : openat(p->parent, p->name,
				  O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return dir >= 0 && is_git(dir, 0) && gitdir_is_old(br, p, p->path_n)
		   ? "it is a git directory"
		   : NULL;
}

/* True for a change that git itself does not make to a name that it writes. */
static bool
is_unlike_git(
    struct broker *br, const struct target *p, enum run_op op, const struct guard_hit *h)
{
	if (op == RUN_LINK)
		return !git_name_is_linked(str_skip(target_path(p), h->git_dir + 1));
	switch (h->git) {
	case GIT_PART:
		return op == RUN_RENAME && p->exists;
	case GIT_TODO:
		return op != RUN_DELETE && !todo_note(br, p);
	case GIT_OTHER:
		return op != RUN_DELETE;
	default:
		return false;
	}
}

/* Guard the name, even in a directory that the run created. */
static void
refuse(struct guard_hit *h, const char *why)
{
	if (why) {
		h->why = why;
		h->free_if_new = 0;
	}
}

/* True for a new name next to a HEAD: a repository may begin here.  Most directories have
 * none. */
static bool
begins_here(const struct target *p, enum run_op op)
{
	return (op == RUN_CREATE || op == RUN_RENAME) && p->parent >= 0 &&
	       faccessat(p->parent, "HEAD", F_OK, 0) == 0;
}

void
git_judge_name(
    struct broker *br, const struct target *p, enum run_op op, struct guard_hit *h)
{
	if (h->gitdir && op == RUN_WRITE && git_leads_to_new(br, p))
		h->why = NULL;
	if (!h->why && (op == RUN_RENAME || op == RUN_ATTRIBUTE))
		refuse(h, holds_git(br, p));
	/* The name of a submodule may have slashes: only its directory shows where it
	 * ends. */
	if (!h->why && (!h->git_dir || h->git == GIT_PART))
		recognise(br, p, op == RUN_LINK || h->git_dir || begins_here(p, op), h);
	if (!h->git_dir && !h->why &&
	    git_is_led_to(br, p, op, guard_root_length(br->plan, target_path(p))))
		refuse(h, git_name_why(GIT_CODE));
	if (!h->git_dir || (h->git == GIT_FREE && op != RUN_LINK))
		return;
	if (h->git == GIT_BACKLINK && op == RUN_WRITE && !br->plan->block_git &&
	    is_gone(br, p))
		h->why = NULL;
	/* git init tries names that it does not keep. */
	else if (!h->why &&
		 (h->git == GIT_TODO ? gitdir_is_old(br, p, h->git_dir)
				     : !is_made(br, p, h->git_dir)) &&
		 is_unlike_git(br, p, op, h))
		refuse(h, op == RUN_LINK ? "git itself creates no links there"
					 : git_name_why(h->git));
}
