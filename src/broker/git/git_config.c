/*
 * Renames in git directories.
 *
 * A git directory is known by its name (.git), by the plan, or by its content.  In it, only
 * the names that git itself writes are free (look/git/gitnames.h).  The configuration
 * changes by its lock alone: git writes config.lock and renames it to config.  The command
 * still has that file open, so the supervisor does not rename it.  It reads the text once,
 * judges the keys that change, and puts a new file with the same text in place, which
 * nobody else has ever had open.
 */
#define _GNU_SOURCE
#include "broker/git/git.h"
#include "broker/report/report.h"
#include "look/git/gitkeys.h"
#include "os/replace.h"

#define CONFIG_MAX ((size_t)1 << 20)
/* Space for two texts and the entries of both. */
#define ROOM ((size_t)16 << 20)

static struct guard_hit
look_at(struct broker *br, const struct target *p, enum run_op op)
{
	struct guard_hit h = guard_look(br->plan, target_path(p));

	if (!h.own)
		git_judge_name(br, p, op, &h);
	return h;
}

/* Read a configuration file.  Returns 0 or a positive errno. */
static int
read_config(struct arena *a, int dir, const char *name, struct str *ret, mode_t *ret_mode)
{
	cleanup_fd int fd =
	    openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	size_t got = 0;
	char *text;

	if (fd < 0 || fstat(fd, &st))
		return errno;
	if (!S_ISREG(st.st_mode) || (size_t)st.st_size > CONFIG_MAX)
		return EACCES;
	if (!(text = arena_alloc(a, (size_t)st.st_size + 1)))
		return ENOMEM;
	for (ssize_t n = 1; n > 0 && got <= (size_t)st.st_size; got += (size_t)n)
		if ((n = read(fd, text + got, (size_t)st.st_size + 1 - got)) < 0)
			return errno;
	/* The file grew: somebody is still writing. */
	if (got > (size_t)st.st_size)
		return EBUSY;
	*ret = str_of(text, got);
	*ret_mode = st.st_mode & 0777;
	return 0;
}

static int
put_config(int dir, const char *lock, const char *name, struct str text, mode_t mode)
{
	struct replace how = { .mode = mode };

	/* git made the lock: fail if it is gone. */
	if (unlinkat(dir, lock, 0) || !replace_at(dir, lock, name, text, &how))
		return errno;
	return 0;
}

static bool
is_same_file(int x, int y)
{
	struct stat a, b;

	return fstat(x, &a) == 0 && fstat(y, &b) == 0 && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

/* True if the worktree named `value` has a .git file that names the git directory at
 * *context, as git submodule and git init --separate-git-dir make it. */
static bool
leads_back(void *context, struct str value)
{
	static const char start[] = "gitdir: ";
	const int *dir = context;
	char text[LIMIT_PATH];
	cleanup_fd int tree = -1, back = -1;
	size_t n;

	if (value.n == 0 || value.n >= sizeof text)
		return false;
	memcpy(text, value.p, value.n);
	text[value.n] = '\0';
	if ((tree = openat(*dir, text, O_PATH | O_DIRECTORY | O_CLOEXEC)) < 0 ||
	    (n = git_read_line(tree, ".git", text, sizeof text)) < sizeof start ||
	    memcmp(text, start, sizeof start - 1) != 0)
		return false;
	back = openat(tree, text + sizeof start - 1, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return back >= 0 && is_same_file(back, *dir);
}

/* Name the key, so that the user can leave it out. */
static const char *
why_not(struct broker *br, const struct gitkeys_refusal *r)
{
	static const char *const texts[] = {
		[GITKEYS_UNREADABLE] = "git could not read its configuration",
		[GITKEYS_RUNS] = ", which makes git run code",
		[GITKEYS_UNKNOWN] = ", which is not on the list of harmless keys",
		[GITKEYS_HOST] = ", to a host or program that no remote names yet",
	};
	struct buf b;

	if (r->key.n == 0)
		return texts[GITKEYS_UNREADABLE];
	buf_init(&b, br->a);
	buf_puts(&b, "it would change git's key ");
	buf_put(&b, r->key);
	buf_puts(&b, texts[r->why]);
	return broker_keep_why(
	    br, b.full ? STR("") : buf_str(&b), "it would change what git runs");
}

static int
change(struct call *c, const struct target *from, const struct target *to)
{
	cleanup_arena struct arena *a = arena_new(ROOM);
	struct str before = STR(""), after = STR("");
	struct gitkeys_refusal refusal;
	mode_t mode = 0, unused;
	int dir = to->parent;
	int error = a ? read_config(a, from->parent, from->name, &after, &mode) : ENOMEM;

	if (!error && to->exists)
		error = read_config(a, to->parent, to->name, &before, &unused);
	if (error)
		return error;
	if (!gitkeys_allow(
		a, before, after, created_has(c->br, dir), leads_back, &dir, &refusal)) {
		violation_add(c->br, (pid_t)c->n.pid, RUN_WRITE, target_path(to),
		    why_not(c->br, &refusal));
		return EACCES;
	}
	return target_is_mount(to)
		   ? EBUSY
		   : put_config(from->parent, from->name, to->name, after, mode);
}

/* git moves regular files in its directories.  A symlink or a directory could bring
 * anything with it.  Only a submodule's new directory may come as a whole, where none
 * was. */
static const char *
brings_other(struct broker *br, const struct target *from, const struct target *to)
{
	struct guard_hit h;

	if (!from->exists || S_ISREG(from->st.st_mode))
		return NULL;
	h = look_at(br, to, RUN_LINK);
	if (!h.git_dir || !gitdir_is_old(br, to, h.git_dir) ||
	    (S_ISDIR(from->st.st_mode) && !to->exists && target_is_new(br, from) &&
		str_starts(str_skip(target_path(to), h.git_dir + 1), STR("modules/"))))
		return NULL;
	return "git itself moves only regular files in its directory";
}

static bool
is_new_config(struct broker *br, const struct target *from, const struct target *to)
{
	return !br->plan->block_git && from->exists && from->parent >= 0 &&
	       to->parent >= 0 && look_at(br, to, RUN_RENAME).git == GIT_CONFIG &&
	       look_at(br, from, RUN_RENAME).git == GIT_LOCK &&
	       is_same_file(from->parent, to->parent) &&
	       /* In a repository that the run created, nothing is guarded. */
	       guarded_why(br, to, RUN_RENAME);
}

bool
git_perform_rename(struct call *c, const struct target *from, const struct target *to)
{
	unsigned flags = c->n.data.nr == SYS_renameat2 ? (unsigned)c->n.data.args[4] : 0;
	const char *why = brings_other(c->br, from, to);

	if (!why && (flags & KERNEL_RENAME_EXCHANGE))
		why = brings_other(c->br, to, from);
	if (why) {
		bool inside = guard_look(c->br->plan, target_path(from)).inside_git;

		violation_add(c->br, (pid_t)c->n.pid, RUN_RENAME,
		    target_path(inside ? from : to), why);
		call_answer(c, EACCES);
		return true;
	}
	if (flags || !is_new_config(c->br, from, to))
		return false;
	if (call_is_valid(c))
		call_answer(c, change(c, from, to));
	return true;
}
