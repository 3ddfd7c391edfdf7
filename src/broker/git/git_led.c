/*
 * Hooks and included files of repositories that the plan does not list: nested ones and
 * submodules.  core.hooksPath and include.path in their configuration may name files in
 * their worktrees.  This is only checked for names that could be such a file.
 */
#define _GNU_SOURCE
#include "base/path.h"
#include "broker/git/git.h"
#include "look/git/gitconf.h"

#define CONFIG_MAX ((size_t)1 << 18)
#define ROOM ((size_t)2 << 20)

struct leading {
	struct arena *a;
	struct str path;     /* the path that the call reaches */
	struct str worktree; /* of the repository */
	struct str dir;      /* of the configuration file */
	bool found;
};

static bool
is_hook(struct str name)
{
	static const char names[] =
	    "applypatch-msg\0pre-applypatch\0post-applypatch\0pre-commit\0"
	    "pre-merge-commit\0prepare-commit-msg\0commit-msg\0post-commit\0pre-rebase\0"
	    "post-checkout\0post-merge\0pre-push\0pre-receive\0update\0proc-receive\0"
	    "post-receive\0post-update\0reference-transaction\0push-to-checkout\0"
	    "pre-auto-gc\0post-rewrite\0sendemail-validate\0fsmonitor-watchman\0"
	    "post-index-change\0";

	return str_among(name, names);
}

static bool
has_word(struct str name, struct str word)
{
	for (; name.n >= word.n; name = str_skip(name, 1))
		if (str_starts(name, word))
			return true;
	return false;
}

/* True for the name of a hook or a configuration file, and for a directory that may hold
 * them. */
static bool
could_be_led_to(const struct target *p, enum run_op op)
{
	struct str name = str_base(target_path(p));

	return is_hook(name) || has_word(name, STR("git")) || has_word(name, STR("conf")) ||
	       (op == RUN_RENAME && p->exists && S_ISDIR(p->st.st_mode)) || op == RUN_LINK;
}

/* Compare both ways: moving a directory above takes the file with it. */
static bool
see_key(void *context, const struct gitconf_entry *e)
{
	struct leading *l = context;
	bool hooks = str_is(e->section, "core") && str_is(e->name, "hookspath"),
	     include = str_starts(e->section, STR("include")) && str_is(e->name, "path");
	struct str path;

	if ((!hooks && !include) || e->value.n == 0 ||
	    path_normal(l->a, hooks ? l->worktree : l->dir, e->value, &path, NULL))
		return true;
	l->found = path_is_within(path, l->path) ||
		   (path_is_within(l->path, path) && !str_eq(l->path, path));
	return !l->found;
}

static void
read_one(struct broker *br, struct leading *l, int dir, const char *name)
{
	cleanup_fd int fd =
	    openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	char where[LIMIT_PATH];
	struct stat st;
	char *text;
	ssize_t n;

	if (l->found || fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode))
		return;
	l->dir = str_of(where, task_own_path(br, dir, where, sizeof where));
	text = (size_t)st.st_size <= CONFIG_MAX ? arena_alloc(l->a, (size_t)st.st_size + 1)
						: NULL;
	n = text ? read(fd, text, (size_t)st.st_size) : -1;
	/* A configuration that is too long could name anything; one that git cannot parse
	 * names nothing. */
	if (n < 0 || l->dir.n == 0)
		l->found = true;
	else
		(void)gitconf_read(l->a, str_of(text, (size_t)n), see_key, l, NULL);
}

/* Open the directory that the file `name` names, or `name` itself. */
static int
open_named(int dir, const char *name, struct str start)
{
	char text[LIMIT_PATH];
	size_t n = git_read_line(dir, name, text, sizeof text);

	if (n > start.n && memcmp(text, start.p, start.n) == 0)
		return openat(dir, text + start.n, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return start.n ? openat(dir, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
		       : fcntl(dir, F_DUPFD_CLOEXEC, 0);
}

bool
git_leads_to_new(struct broker *br, const struct target *p)
{
	cleanup_fd int git = p->exists && p->parent >= 0 && S_ISREG(p->st.st_mode)
				 ? open_named(p->parent, p->name, STR("gitdir: "))
				 : -1;

	return git >= 0 && created_has(br, git) && !vacated_holds(br, target_path(p), true);
}

/* True if the repository with the worktree at the first `n` bytes of the path names the
 * file. */
static bool
leads(struct broker *br, const struct target *p, int tree, size_t n)
{
	cleanup_fd int git = open_named(tree, ".git", STR("gitdir: ")), common = -1;
	cleanup_arena struct arena *a = git >= 0 ? arena_new(ROOM) : NULL;
	struct leading l = { a, target_path(p), str_cut(target_path(p), 0, n), STR(""),
		false };

	if (git < 0)
		return false;
	if (!a || (common = open_named(git, "commondir", STR(""))) < 0)
		return true;
	read_one(br, &l, common, "config");
	read_one(br, &l, git, "config.worktree");
	return l.found && gitdir_is_old(br, p, n);
}

static bool
is_known(const struct plan *plan, struct str path)
{
	for (size_t i = 0; i < plan->git_n; i++)
		if (plan->git[i].worktree.p && str_eq(plan->git[i].worktree, path))
			return true;
	return false;
}

bool
git_is_led_to(struct broker *br, const struct target *p, enum run_op op, size_t root)
{
	struct str path = target_path(p);
	char dir[LIMIT_PATH];
	size_t n = path.n;

	if (op == RUN_DELETE || !could_be_led_to(p, op))
		return false;
	while ((n = str_rfind(str_cut(path, 0, n), '/')) >= root && n > 0 && n < path.n) {
		cleanup_fd int tree = -1;
		struct stat st;

		if (is_known(br->plan, str_cut(path, 0, n)))
			continue;
		memcpy(dir, path.p, n);
		dir[n] = '\0';
		tree = sys_openat2(br->root, dir, O_PATH | O_DIRECTORY, 0,
		    KERNEL_RESOLVE_IN_ROOT | KERNEL_RESOLVE_NO_SYMLINKS);
		if (tree >= 0 && fstatat(tree, ".git", &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		    leads(br, p, tree, n))
			return true;
	}
	return false;
}
