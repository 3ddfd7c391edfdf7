/* Apply the changes outside: each one whole, on directories that were opened without
 * following symlinks. */
#define _GNU_SOURCE
#include "base/limits.h"
#include "os/fd.h"
#include "os/sys.h"
#include "run/review/review.h"
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
	int from, to; /* parent directories in the overlay and outside */
	char name[256];
	bool later; /* something in it was changed by somebody else */
	bool kept;  /* the file under the temporary name is somebody else's: keep it */
};

static bool
leave(struct applying *p, const char *why)
{
	p->c->left = why;
	return false;
}

/* True if it was changed since the run began. */
static bool
is_later(const struct review *r, const struct stat *st)
{
	return st->st_ctim.tv_sec > r->began.tv_sec ||
	       (st->st_ctim.tv_sec == r->began.tv_sec &&
		   st->st_ctim.tv_nsec > r->began.tv_nsec);
}

/* True if we removed another name of the inode, which changes its ctime. */
static bool
is_unlinked(const struct review *r, const struct stat *st)
{
	for (size_t i = 0; i < r->unlinked_n; i++)
		if (r->unlinked[i].dev == st->st_dev && r->unlinked[i].ino == st->st_ino)
			return true;
	return false;
}

static void
note_unlinked(struct review *r, const struct stat *st)
{
	if (st->st_nlink < 2 || is_unlinked(r, st))
		return;
	/* If the table is full its other names are left, and reported. */
	if (r->unlinked_n == REVIEW_LINKS) {
		r->unlinked_more = true;
		return;
	}
	r->unlinked[r->unlinked_n].dev = st->st_dev;
	r->unlinked[r->unlinked_n++].ino = st->st_ino;
}

/* The ctime of a directory changes with its entries. */
static bool
is_others(const struct review *r, const struct stat *st)
{
	return !S_ISDIR(st->st_mode) && is_later(r, st) && !is_unlinked(r, st);
}

/* ---- removing */

static bool remove_all(struct applying *p, int dir, const char *name, int depth);

static bool
remove_names(struct applying *p, int dir, const char *name, int depth)
{
	int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *d = fd >= 0 && depth < DEPTH_MAX ? fdopendir(fd) : NULL;
	const struct dirent *e;

	if (!d) {
		fd_close(&fd);
		return false;
	}
	while ((e = readdir(d)))
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			(void)remove_all(p, fd, e->d_name, depth + 1);
	(void)closedir(d);
	return true;
}

/* Keep what somebody else has changed, and the directories above it. */
static bool
remove_all(struct applying *p, int dir, const char *name, int depth)
{
	struct stat st;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT;
	if (is_others(p->r, &st)) {
		p->later = true;
		return false;
	}
	if (!S_ISDIR(st.st_mode)) {
		note_unlinked(p->r, &st);
		return unlinkat(dir, name, 0) == 0;
	}
	if (unlinkat(dir, name, AT_REMOVEDIR) == 0)
		return true;
	return remove_names(p, dir, name, depth) && unlinkat(dir, name, AT_REMOVEDIR) == 0;
}

static bool
remove_here(struct applying *p, const char *why)
{
	return remove_all(p, p->to, p->name, 0) ||
	       leave(p, !p->later ? why
			: p->r->unlinked_more
			    ? "something in it was changed since the run began, or lost "
			      "another name"
			    : "something in it was changed since the run began");
}

/* ---- creating */

static bool
copy_bytes(int from, int to)
{
	static char part[PART]; /* too large for the stack; one thread */
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

/* Find a free name next to the target. */
static bool
fresh_name(struct applying *p, char *buf, size_t n)
{
	char number[24];
	struct stat st;

	for (unsigned long i = 0; i < 1000; i++) {
		(void)fd_number(number, (unsigned long)getpid() * 1000 + i);
		if (fd_name(buf, n, ".cordon-review-", number) &&
		    fstatat(p->to, buf, &st, AT_SYMLINK_NOFOLLOW) && errno == ENOENT)
			return true;
	}
	return false;
}

static bool
make_file(struct applying *p, const char *fresh, const struct stat *st)
{
	cleanup_fd int from =
	    openat(p->from, p->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	cleanup_fd int to = openat(
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

/* True if nobody has written or replaced the file since we looked at it.  Its ctime means
 * nothing any more: we renamed it. */
static bool
is_still(const struct applying *p, const char *name, const struct stat *before)
{
	struct stat st;

	return fstatat(p->to, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       st.st_dev == before->st_dev && st.st_ino == before->st_ino &&
	       st.st_size == before->st_size &&
	       st.st_mtim.tv_sec == before->st_mtim.tv_sec &&
	       st.st_mtim.tv_nsec == before->st_mtim.tv_nsec;
}

static int
move_with(const struct applying *p, const char *fresh, unsigned flags)
{
	return (int)syscall(SYS_renameat2, p->to, fresh, p->to, p->name, flags);
}

/* Rename the new file to its place.  Where nothing may be, replace nothing; otherwise
 * exchange the two, and exchange them back if the old file is not the one that we looked
 * at. */
static bool
put_in_place(struct applying *p, const char *fresh, const struct stat *before)
{
	if (move_with(
		p, fresh, before ? KERNEL_RENAME_EXCHANGE : KERNEL_RENAME_NO_REPLACE)) {
		if (errno == EEXIST)
			return leave(p, "something was created there since the run began");
		if (errno == ENOENT)
			return leave(p, "it was removed since the run began");
		/* The file system does not support these flags. */
		return (errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP) &&
		       renameat(p->to, fresh, p->to, p->name) == 0;
	}
	if (!before)
		return true;
	if (is_still(p, fresh, before)) {
		(void)unlinkat(p->to, fresh, 0);
		return true;
	}
	p->kept = move_with(p, fresh, KERNEL_RENAME_EXCHANGE) &&
		  move_with(p, fresh, KERNEL_RENAME_NO_REPLACE);
	return leave(
	    p, p->kept
		   ? "it was changed since the run began; the other version lies next to it"
		   : "it was changed since the run began");
}

/* `before` is the file to replace; NULL: none. */
static bool
put_fresh(struct applying *p, const struct stat *st, const struct stat *before)
{
	char fresh[64];
	bool made;

	if (!fresh_name(p, fresh, sizeof fresh))
		return leave(p, "no free name next to it");
	if (S_ISREG(st->st_mode))
		made = make_file(p, fresh, st);
	else if (S_ISLNK(st->st_mode))
		made = make_link(p, fresh);
	else if (S_ISFIFO(st->st_mode))
		made = mkfifoat(p->to, fresh, st->st_mode & 0777) == 0;
	else
		return leave(p, "it is not a file, directory, symlink or FIFO");
	if (made && put_in_place(p, fresh, before))
		return true;
	if (!p->kept)
		(void)unlinkat(p->to, fresh, 0);
	return p->c->left ? false : leave(p, "it cannot be written");
}

static bool
put_directory(struct applying *p, const struct stat *st, bool exists)
{
	cleanup_fd int fd = -1;

	if (!exists && mkdirat(p->to, p->name, 0700))
		return leave(p, "the directory cannot be made");
	fd = openat(p->to, p->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	/* Keep the directory writable until all of its entries are there. */
	if (fd < 0 || fchmod(fd, (st->st_mode & 01777) | 0700))
		return leave(p, "the directory cannot be changed");
	return true;
}

/* Set mode and times when nothing more is created in it. */
static bool
finish_directory(struct applying *p)
{
	const int how = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	cleanup_fd int from = openat(p->from, p->name, how),
		       to = openat(p->to, p->name, how);
	struct stat st;

	return (from >= 0 && to >= 0 && fstat(from, &st) == 0 && like(to, &st)) ||
	       leave(p, "the mode of the directory cannot be set");
}

/* ---- one change */

static bool
apply_here(struct applying *p)
{
	struct stat now, st;
	bool exists = fstatat(p->to, p->name, &now, AT_SYMLINK_NOFOLLOW) == 0;

	if (p->c->kind == REVIEW_ADDED && exists)
		return leave(p, "something was created there since the run began");
	if (p->c->kind != REVIEW_ADDED && !exists)
		return p->c->kind == REVIEW_REMOVED ||
		       leave(p, "it was removed since the run began");
	if (exists && is_others(p->r, &now))
		return leave(
		    p, p->r->unlinked_more
			   ? "it was changed since the run began, or lost another name"
			   : "it was changed since the run began");
	if (p->c->kind == REVIEW_REMOVED)
		return remove_here(p, "it cannot be removed");
	if (fstatat(p->from, p->name, &st, AT_SYMLINK_NOFOLLOW))
		return leave(p, "it cannot be read");
	if (S_ISDIR(st.st_mode) && exists && !S_ISDIR(now.st_mode)) {
		if (!remove_here(p, "it cannot be replaced"))
			return false;
		exists = false;
	}
	if (S_ISDIR(st.st_mode))
		return put_directory(p, &st, exists);
	if (exists && S_ISDIR(now.st_mode) && !remove_here(p, "it cannot be replaced"))
		return false;
	if (exists && !S_ISDIR(now.st_mode))
		note_unlinked(p->r, &now);
	return put_fresh(p, &st, exists && !S_ISDIR(now.st_mode) ? &now : NULL);
}

static bool
apply(struct review *r, struct review_change *c, int upper, int lower,
    bool (*make)(struct applying *))
{
	struct applying p = { .r = r, .c = c };
	size_t slash = str_rfind(c->name, '/');
	struct str dir = slash == c->name.n ? STR("") : str_cut(c->name, 0, slash);
	struct str base = slash == c->name.n ? c->name : str_skip(c->name, slash + 1);
	cleanup_fd int from = review_open(upper, dir, O_RDONLY | O_DIRECTORY);
	cleanup_fd int to = review_open(lower, dir, O_RDONLY | O_DIRECTORY);

	if (to < 0 || base.n >= sizeof p.name || (from < 0 && c->kind != REVIEW_REMOVED))
		return leave(&p, "its directory is not there");
	memcpy(p.name, base.p, base.n);
	p.from = from;
	p.to = to;
	return make(&p);
}

/* Apply all changes of one mount; directories get their modes after their entries. */
static size_t
apply_mount(struct review *r, size_t from, size_t to)
{
	cleanup_fd int upper = review_upper(r, r->v[from].mount);
	cleanup_fd int lower = review_lower(r, r->v[from].mount);
	size_t left = 0;

	for (size_t i = from; i < to; i++)
		if (upper < 0 || lower < 0)
			r->v[i].left = "its directory was replaced since the run began";
		else
			(void)apply(r, &r->v[i], upper, lower, apply_here);
	for (size_t i = to; i-- > from;) {
		struct review_change *c = &r->v[i];

		if (!c->left && c->kind != REVIEW_REMOVED && S_ISDIR(c->mode))
			(void)apply(r, c, upper, lower, finish_directory);
		left += c->left != NULL;
	}
	return left;
}

size_t
review_apply(struct review *r)
{
	size_t left = 0;

	for (size_t i = 0, next; i < r->n; i = next) {
		for (next = i; next < r->n && r->v[next].mount == r->v[i].mount; next++)
			;
		left += apply_mount(r, i, next);
	}
	return left;
}
