/* The changes, made outside: each one whole, on directories that were opened without links.
 */
#define _GNU_SOURCE
#include "base/limits.h"
#include "confine/fd.h"
#include "confine/sys.h"
#include "run/review.h"
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define PART ((size_t)65536)
#define DEPTH_MAX 200

/* One change, with the directories that it is about. */
struct applying {
	struct review *r;
	struct review_change *c;
	int from, to; /* parents in the overlay and outside */
	char name[256];
};

static bool
leave(struct applying *p, const char *why)
{
	p->c->left = why;
	return false;
}

/* Somebody has changed it since the run began. */
static bool
is_later(const struct review *r, const struct stat *st)
{
	return st->st_ctim.tv_sec > r->began.tv_sec ||
	       (st->st_ctim.tv_sec == r->began.tv_sec &&
		   st->st_ctim.tv_nsec > r->began.tv_nsec);
}

/* ---- removing */

static bool
remove_all(int dir, const char *name, int depth)
{
	int fd;
	DIR *d;
	const struct dirent *e;

	if (unlinkat(dir, name, 0) == 0)
		return true;
	if (errno != EISDIR && errno != EPERM)
		return false;
	if (unlinkat(dir, name, AT_REMOVEDIR) == 0)
		return true;
	fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	d = fd >= 0 && depth < DEPTH_MAX ? fdopendir(fd) : NULL;
	if (!d) {
		confine_fd_close(&fd);
		return false;
	}
	while ((e = readdir(d)))
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			(void)remove_all(fd, e->d_name, depth + 1);
	(void)closedir(d);
	return unlinkat(dir, name, AT_REMOVEDIR) == 0;
}

/* ---- making */

static bool
copy_bytes(int from, int to)
{
	static char part[PART];
	ssize_t n;

	while ((n = read(from, part, sizeof part)) > 0)
		for (ssize_t done = 0, m; done < n; done += m)
			if ((m = write(to, part + done, (size_t)(n - done))) <= 0)
				return false;
	return n == 0;
}

static bool
like(int to, const struct stat *st)
{
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, st->st_mtim };
	struct stat now;

	if (fstat(to, &now))
		return false;
	if ((now.st_uid != st->st_uid || now.st_gid != st->st_gid) &&
	    fchown(to, st->st_uid, st->st_gid))
		return false;
	return fchmod(to, st->st_mode & 01777) == 0 && futimens(to, times) == 0;
}

/* Beside its place, under a name that nothing has. */
static bool
fresh_name(struct applying *p, char *room, size_t n)
{
	char number[24];
	struct stat st;

	for (unsigned long i = 0; i < 1000; i++) {
		(void)fd_number(number, (unsigned long)getpid() * 1000 + i);
		if (fd_name(room, n, ".cordon-review-", number) &&
		    fstatat(p->to, room, &st, AT_SYMLINK_NOFOLLOW) && errno == ENOENT)
			return true;
	}
	return false;
}

static bool
make_file(struct applying *p, const char *fresh, const struct stat *st)
{
	closed_fd int from =
	    openat(p->from, p->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	closed_fd int to = openat(
	    p->to, fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	return from >= 0 && to >= 0 && copy_bytes(from, to) && like(to, st);
}

static bool
make_link(struct applying *p, const char *fresh)
{
	char text[LIMIT_PATH];
	ssize_t n = readlinkat(p->from, p->name, text, sizeof text - 1);

	if (n <= 0)
		return false;
	text[n] = '\0';
	return symlinkat(text, p->to, fresh) == 0;
}

static bool
put_fresh(struct applying *p, const struct stat *st)
{
	char fresh[64];
	bool made;

	if (!fresh_name(p, fresh, sizeof fresh))
		return leave(p, "no name is free beside it");
	if (S_ISREG(st->st_mode))
		made = make_file(p, fresh, st);
	else if (S_ISLNK(st->st_mode))
		made = make_link(p, fresh);
	else if (S_ISFIFO(st->st_mode))
		made = mkfifoat(p->to, fresh, st->st_mode & 0777) == 0;
	else
		return leave(p, "it is no file, directory, link or pipe");
	if (made && renameat(p->to, fresh, p->to, p->name) == 0)
		return true;
	(void)unlinkat(p->to, fresh, 0);
	return leave(p, "it cannot be written");
}

static bool
put_directory(struct applying *p, const struct stat *st, bool exists)
{
	closed_fd int fd = -1;

	if (!exists && mkdirat(p->to, p->name, 0700))
		return leave(p, "the directory cannot be made");
	fd = openat(p->to, p->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || !like(fd, st))
		return leave(p, "the directory cannot be changed");
	return true;
}

/* ---- one change */

static bool
apply_here(struct applying *p)
{
	struct stat now, st;
	bool exists = fstatat(p->to, p->name, &now, AT_SYMLINK_NOFOLLOW) == 0;

	if (p->c->kind == REVIEW_ADDED && exists)
		return leave(p, "something is there meanwhile");
	if (p->c->kind != REVIEW_ADDED && !exists)
		return p->c->kind == REVIEW_REMOVED || leave(p, "it is gone meanwhile");
	/* A directory changes with what is in it. */
	if (exists && is_later(p->r, &now) && !S_ISDIR(now.st_mode))
		return leave(p, "it was changed meanwhile");
	if (p->c->kind == REVIEW_REMOVED)
		return remove_all(p->to, p->name, 0) || leave(p, "it cannot be removed");
	if (fstatat(p->from, p->name, &st, AT_SYMLINK_NOFOLLOW))
		return leave(p, "it cannot be read");
	if (S_ISDIR(st.st_mode) && exists && !S_ISDIR(now.st_mode)) {
		if (!remove_all(p->to, p->name, 0))
			return leave(p, "it cannot be replaced");
		exists = false;
	}
	if (S_ISDIR(st.st_mode))
		return put_directory(p, &st, exists);
	if (exists && S_ISDIR(now.st_mode) && !remove_all(p->to, p->name, 0))
		return leave(p, "it cannot be replaced");
	return put_fresh(p, &st);
}

static bool
apply(struct review *r, struct review_change *c, int upper, int lower)
{
	struct applying p = { .r = r, .c = c };
	size_t slash = str_rfind(c->name, '/');
	struct str dir = slash == c->name.n ? STR("") : str_cut(c->name, 0, slash);
	struct str base = slash == c->name.n ? c->name : str_skip(c->name, slash + 1);
	closed_fd int from = review_open(upper, dir, O_RDONLY | O_DIRECTORY);
	closed_fd int to = review_open(lower, dir, O_RDONLY | O_DIRECTORY);

	if (to < 0 || base.n >= sizeof p.name || (from < 0 && c->kind != REVIEW_REMOVED))
		return leave(&p, "its directory is not there");
	memcpy(p.name, base.p, base.n);
	p.from = from;
	p.to = to;
	return apply_here(&p);
}

size_t
review_apply(struct review *r)
{
	size_t left = 0;

	for (size_t i = 0; i < r->n;) {
		size_t mount = r->v[i].mount;
		closed_fd int upper = review_upper(r, mount);
		closed_fd int lower = review_lower(r, mount);

		for (; i < r->n && r->v[i].mount == mount; i++)
			if (upper < 0 || lower < 0) {
				r->v[i].left = "its directory was replaced meanwhile";
				left++;
			} else if (!apply(r, &r->v[i], upper, lower)) {
				left++;
			}
	}
	return left;
}
