/*
 * Files that rules forbid to read.  They are judged when an open reaches them, by the
 * kernel's path of the object, whatever name, symlink or descriptor led to it.
 *
 * Outside the workspace, mounts cover what existed at the start of the run.  In the
 * workspace, programs rename over such files and remove them, and the host creates new
 * ones.
 */
#define _GNU_SOURCE
#include "base/path.h"
#include "broker/guard/guard.h"
#include <dirent.h>

/* The suffix of a removed file in /proc. */
static const struct str gone = STR_INIT(" (deleted)");

static bool
is_among(struct str path, const char (*dirs)[12], size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (str_starts(path, str_from_c(dirs[i])))
			return true;
	return false;
}

static bool
holds_root(const struct plan *plan, struct str dir)
{
	dir.n--; /* the slash */
	for (size_t i = 0; i < plan->roots_n; i++)
		if (path_is_within(dir, plan->roots[i]))
			return true;
	for (size_t i = 0; i < plan->writable_n; i++)
		if (path_is_within(dir, plan->writable[i]))
			return true;
	return path_is_within(dir, plan->home);
}

/* True for "/proc/NAME" and "/proc/NAME/NAME", unless it is a symlink to an object. */
static bool
is_plain_proc(struct str path)
{
	struct str rest = str_skip(path, sizeof "/proc/" - 1);
	size_t slash = str_find(rest, '/');
	struct str last = str_skip(rest, slash + 1);

	return slash == rest.n ||
	       (str_find(last, '/') == last.n && !str_among(last, "cwd\0root\0exe\0"));
}

/* System directories hold no secret of the user, and most opens lead there. */
bool
denied_is_far(const struct broker *br, struct str text)
{
	static const char far[][12] = { "/usr/", "/lib/", "/lib64/", "/lib32/", "/bin/",
		"/sbin/", "/etc/ld.so.", "/sys/" };

	if (!br->plan->judge_reads || !path_is_plain(text))
		return false;
	if (str_starts(text, STR("/proc/")))
		return is_plain_proc(text);
	for (size_t i = 0; i < sizeof far / sizeof *far; i++)
		if (str_starts(text, str_from_c(far[i])))
			return !holds_root(br->plan, str_from_c(far[i]));
	return str_is(text, "/dev/null") || str_is(text, "/dev/urandom");
}

/* True for directories that the sandbox mounts itself; without namespaces only /proc, /sys
 * and /dev. */
static bool
is_own_place(const struct plan *plan, struct str path)
{
	static const char own[][12] = { "/proc/", "/sys/", "/dev/", "/run/", "/var/run/",
		"/tmp/", "/var/tmp/" };

	if (!is_among(path, own, plan->bare ? 3 : sizeof own / sizeof *own))
		return false;
	for (size_t i = 0; i < plan->roots_n; i++)
		if (path_is_within(plan->roots[i], path))
			return false;
	return !plan_is_writable(plan, path) || str_starts(path, STR("/proc/"));
}

bool
denied_path(struct broker *br, struct str path, struct str *ret_why)
{
	return br->plan->judge_reads && br->policy->path && !is_own_place(br->plan, path) &&
	       br->policy->path(br->policy->ctx, RUN_READ, path, ret_why) ==
		   RUN_PATH_REFUSED;
}

/* ---- hard links */

static bool
is_denied(const struct broker *br, const struct stat *st)
{
	for (size_t i = 0; i < br->denied_n; i++)
		if (br->denied[i].ino == st->st_ino && br->denied[i].dev == st->st_dev)
			return true;
	return br->denied_more;
}

static void
deny(struct broker *br, const struct stat *st)
{
	if (is_denied(br, st))
		return;
	if (br->denied_n == DENIED_MAX) {
		br->denied_more = true;
		return;
	}
	br->denied[br->denied_n].dev = st->st_dev;
	br->denied[br->denied_n++].ino = st->st_ino;
}

/* Record the files in the root directory that rules match; deeper ones are recorded when an
 * open reaches them. */
static void
look_at_top(struct broker *br, int fd, struct str root)
{
	char path[LIMIT_PATH];
	const struct dirent *e;
	DIR *d = fdopendir(fd);

	if (!d) {
		(void)close(fd);
		br->denied_more = true;
		return;
	}
	for (errno = 0; (e = readdir(d)); errno = 0) {
		struct str name = str_from_c(e->d_name), why;
		struct stat st;

		if (e->d_type == DT_DIR || e->d_type == DT_LNK ||
		    root.n + name.n + 1 >= sizeof path)
			continue;
		memcpy(path, root.p, root.n);
		path[root.n] = '/';
		memcpy(path + root.n + 1, name.p, name.n);
		if (denied_path(br, str_of(path, root.n + 1 + name.n), &why) &&
		    fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		    S_ISREG(st.st_mode))
			deny(br, &st);
	}
	br->denied_more |= errno != 0;
	(void)closedir(d);
}

/* List a root again when its mtime has changed. */
static void
look_at_tops(struct broker *br)
{
	const struct plan *plan = br->plan;

	if (!br->root_mtimes)
		br->root_mtimes =
		    arena_array(br->a, plan->roots_n, sizeof *br->root_mtimes);
	for (size_t i = 0; br->root_mtimes && i < plan->roots_n; i++) {
		char path[LIMIT_PATH];
		struct stat st;
		int fd;

		if (plan->roots[i].n >= sizeof path)
			continue;
		memcpy(path, plan->roots[i].p, plan->roots[i].n);
		path[plan->roots[i].n] = '\0';
		if (fstatat(AT_FDCWD, path, &st, 0) == 0 &&
		    st.st_mtim.tv_sec == br->root_mtimes[i].tv_sec &&
		    st.st_mtim.tv_nsec == br->root_mtimes[i].tv_nsec)
			continue;
		fd = sys_openat2(br->root, path, O_RDONLY | O_DIRECTORY, 0,
		    KERNEL_RESOLVE_IN_ROOT | KERNEL_RESOLVE_NO_SYMLINKS);
		if (fd < 0)
			continue;
		br->root_mtimes[i] = st.st_mtim;
		look_at_top(br, fd, plan->roots[i]);
	}
	br->denied_more |= !br->root_mtimes;
}

/* ---- opens and renames */

const char *
denied_why(struct broker *br, const struct target *p)
{
	struct str path = target_path(p), why = { NULL, 0 };
	bool denied;

	if (!br->plan->judge_reads || !p->exists || !S_ISREG(p->st.st_mode))
		return NULL;
	if (p->st.st_nlink == 0 && str_ends(path, gone))
		path.n -= gone.n;
	denied = denied_path(br, path, &why);
	if (!denied && p->st.st_nlink > 1 && !is_own_place(br->plan, path)) {
		look_at_tops(br);
		denied = is_denied(br, &p->st);
		why = STR("it is a hard link to a file that a rule forbids to read");
	}
	if (!denied || hidden_find_own(br, p) < br->own_n)
		return NULL;
	deny(br, &p->st);
	return broker_keep_why(br, why, "a rule forbids reading it");
}

const char *
denied_move(struct broker *br, const struct target *p)
{
	struct str why = { NULL, 0 };

	if (!br->plan->judge_reads || !p->exists)
		return NULL;
	if (!S_ISDIR(p->st.st_mode))
		return denied_why(br, p);
	if (target_is_new(br, p))
		return NULL;
	if (denied_path(br, target_path(p), &why))
		return broker_keep_why(br, why, "a rule forbids reading it");
	return br->policy->way && br->policy->way(br->policy->ctx, target_path(p))
		   ? "rules forbid reading files in it, by their path"
		   : NULL;
}
