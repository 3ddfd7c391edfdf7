/* What is in the overlays: every name there is a change, or was only looked at. */
#define _GNU_SOURCE
#include "run/review/review.h"
#include "base/limits.h"
#include "os/fd.h"
#include "os/sys.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>

#define CHANGES_MAX ((size_t)200000)
#define DEPTH_MAX 200
#define PART ((size_t)65536)

/* ---- directories */

int
review_upper(const struct review *r, size_t i)
{
	char number[24], name[40];

	(void)fd_number(number, i);
	if (!fd_name(name, sizeof name, number, "/upper"))
		return -1;
	return openat(r->upper, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

int
review_lower(const struct review *r, size_t i)
{
	const struct plan_mount *m = &r->plan->mounts[i];
	cleanup_fd int fd = sys_openat2(
	    AT_FDCWD, m->path, O_RDONLY | O_DIRECTORY, 0, KERNEL_RESOLVE_NO_SYMLINKS);
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		return -1;
	if (st.st_dev != m->dev || st.st_ino != m->ino) {
		errno = ESTALE;
		return -1;
	}
	return fd_steal(&fd);
}

int
review_open(int dir, struct str name, int flags)
{
	char room[LIMIT_PATH];

	if (name.n >= sizeof room) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(room, name.p, name.n);
	room[name.n] = '\0';
	return sys_openat2(dir, name.n ? room : ".", (uint64_t)flags, 0,
	    KERNEL_RESOLVE_NO_SYMLINKS | KERNEL_RESOLVE_BENEATH);
}

/* ---- one walk */

struct walk {
	struct review *r;
	size_t mount;
	int lower; /* of the mount */
	char name[LIMIT_PATH];
};

static bool
add(struct walk *w, enum review_kind kind, size_t n, uint32_t mode)
{
	struct review *r = w->r;
	struct review_change *more;

	if (r->n == r->room) {
		size_t twice = r->room ? 2 * r->room : 256;
		size_t room = twice < CHANGES_MAX ? twice : CHANGES_MAX;

		more = r->n < CHANGES_MAX ? arena_array(r->a, room, sizeof *more) : NULL;
		if (!more) {
			r->failed = "there are too many changes";
			return false;
		}
		if (r->n)
			memcpy(more, r->v, r->n * sizeof *more);
		r->v = more;
		r->room = room;
	}
	r->v[r->n] = (struct review_change){ .kind = kind,
		.mount = w->mount,
		.name = arena_copy(r->a, str_of(w->name, n)),
		.mode = mode };
	if (!r->v[r->n].name.p) {
		r->failed = "there is no memory for the changes";
		return false;
	}
	r->n++;
	return true;
}

/* Where the link leads that was just added. */
static bool
add_target(struct walk *w, int dir, const char *name)
{
	char text[LIMIT_PATH];
	ssize_t n = readlinkat(dir, name, text, sizeof text);
	struct review_change *c = &w->r->v[w->r->n - 1];

	if (n > 0)
		c->target = arena_copy(w->r->a, str_of(text, (size_t)n));
	if (c->target.p)
		return true;
	w->r->failed = "a link cannot be read";
	return false;
}

static bool
has_mark(int fd, const char *attribute)
{
	char link[FD_LINK_ROOM], value[8];

	return getxattr(fd_link(link, fd), attribute, value, sizeof value) > 0;
}

static bool
is_whiteout(const struct stat *st)
{
	return S_ISCHR(st->st_mode) && st->st_rdev == makedev(0, 0);
}

static bool
same_bytes(int x, int y)
{
	static char a[PART], b[PART];
	ssize_t n, m;

	do {
		n = read(x, a, sizeof a);
		m = n > 0 ? read(y, b, (size_t)n) : read(y, b, sizeof b);
		if (n != m || n < 0 || memcmp(a, b, (size_t)n) != 0)
			return false;
	} while (n > 0);
	return true;
}

static bool
same_link(int x, int y, const char *name)
{
	char a[LIMIT_PATH], b[LIMIT_PATH];
	ssize_t n = readlinkat(x, name, a, sizeof a), m = readlinkat(y, name, b, sizeof b);

	return n >= 0 && n == m && memcmp(a, b, (size_t)n) == 0;
}

/* Opened for writing, or touched, and still as it was. */
static bool
is_same(int upper, int lower, const char *name, const struct stat *now,
    const struct stat *before)
{
	const int how = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
	cleanup_fd int x = -1, y = -1;

	if (now->st_mode != before->st_mode || now->st_uid != before->st_uid ||
	    now->st_gid != before->st_gid)
		return false;
	if (S_ISLNK(now->st_mode))
		return same_link(upper, lower, name);
	if (!S_ISREG(now->st_mode) || now->st_size != before->st_size)
		return false;
	x = openat(upper, name, how);
	y = openat(lower, name, how);
	return x >= 0 && y >= 0 && same_bytes(x, y);
}

/* ---- lists of names; one that is cut off tells nothing */

static DIR *
open_list(struct walk *w, int dir)
{
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;

	if (!d) {
		fd_close(&fd);
		w->r->failed = "a directory cannot be read";
	}
	return d;
}

static const struct dirent *
next_entry(DIR *d)
{
	const struct dirent *e;

	while ((e = readdir(d)) &&
	       (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0))
		;
	return e;
}

/* errno is that of the last readdir, if everything was fine. */
static bool
close_list(struct walk *w, DIR *d, bool fine)
{
	if (fine && errno) {
		w->r->failed = "a directory cannot be read to its end";
		fine = false;
	}
	if (d)
		(void)closedir(d);
	return fine;
}

static bool
put_name(struct walk *w, size_t n, const char *name)
{
	size_t length = strlen(name);

	if (n + length + 2 > sizeof w->name) {
		w->r->failed = "a path is too long";
		return false;
	}
	memcpy(w->name + n, name, length + 1);
	return true;
}

static bool look(struct walk *w, int upper, int lower, size_t n, int depth);

/* Of a directory that was removed and made anew: what is not in it again is gone. */
static bool
find_gone(struct walk *w, int upper, int lower, size_t n)
{
	DIR *d = open_list(w, lower);
	const struct dirent *e;
	bool fine = d != NULL;

	for (errno = 0; fine && (e = next_entry(d)); errno = 0) {
		size_t length = strlen(e->d_name);
		struct stat st;

		if (fstatat(upper, e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0)
			continue;
		fine = put_name(w, n, e->d_name) && add(w, REVIEW_REMOVED, n + length, 0);
	}
	return close_list(w, d, fine);
}

static bool
look_directory(struct walk *w, int upper, int lower, const char *name,
    const struct stat *now, const struct stat *before, size_t n, int depth)
{
	cleanup_fd int up =
	    openat(upper, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	cleanup_fd int down = -1;

	if (before && S_ISDIR(before->st_mode))
		down = openat(lower, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (up < 0 || (before && S_ISDIR(before->st_mode) && down < 0)) {
		w->r->failed = "a directory cannot be read";
		return false;
	}
	if (down < 0) {
		if (!add(w, before ? REVIEW_CHANGED : REVIEW_ADDED, n, now->st_mode))
			return false;
		w->r->v[w->r->n - 1].was = before ? before->st_mode : 0;
	}
	if (down >= 0 && now->st_mode != before->st_mode &&
	    !add(w, REVIEW_CHANGED, n, now->st_mode))
		return false;
	w->name[n] = '/';
	if (down >= 0 && has_mark(up, "user.overlay.opaque") &&
	    !find_gone(w, up, down, n + 1))
		return false;
	return look(w, up, down, n + 1, depth + 1);
}

/* One name in `upper`; `lower` is -1 where there was no directory. */
static bool
look_one(struct walk *w, int upper, int lower, const char *name, size_t n, int depth)
{
	struct stat now, old;
	const struct stat *before = NULL;

	if (fstatat(upper, name, &now, AT_SYMLINK_NOFOLLOW)) {
		w->r->failed = "a file cannot be looked at";
		return false;
	}
	if (lower >= 0 && fstatat(lower, name, &old, AT_SYMLINK_NOFOLLOW) == 0)
		before = &old;
	if (is_whiteout(&now))
		return !before || add(w, REVIEW_REMOVED, n, 0);
	if (S_ISDIR(now.st_mode))
		return look_directory(w, upper, lower, name, &now, before, n, depth);
	if (before && is_same(upper, lower, name, &now, before))
		return true;
	if (!add(w, before ? REVIEW_CHANGED : REVIEW_ADDED, n, now.st_mode))
		return false;
	w->r->v[w->r->n - 1].was = before ? before->st_mode : 0;
	w->r->v[w->r->n - 1].linked = S_ISREG(now.st_mode) && now.st_nlink > 1;
	return !S_ISLNK(now.st_mode) || add_target(w, upper, name);
}

static bool
look(struct walk *w, int upper, int lower, size_t n, int depth)
{
	DIR *d = open_list(w, upper);
	const struct dirent *e;
	bool fine = d && depth < DEPTH_MAX;

	if (d && !fine)
		w->r->failed = "a directory lies too deep";
	for (errno = 0; fine && (e = next_entry(d)); errno = 0)
		fine = put_name(w, n, e->d_name) &&
		       look_one(w, upper, lower, e->d_name, n + strlen(e->d_name), depth);
	return close_list(w, d, fine);
}

/* For people, and so that a directory stands before what is in it. */
static int
by_name(const void *x, const void *y)
{
	const struct review_change *a = x, *b = y;
	size_t n = a->name.n < b->name.n ? a->name.n : b->name.n;
	int r = a->mount != b->mount ? (a->mount < b->mount ? -1 : 1)
				     : memcmp(a->name.p, b->name.p, n);

	return r ? r : a->name.n < b->name.n ? -1 : a->name.n > b->name.n;
}

bool
review_find(struct review *r)
{
	for (size_t i = 0; i < r->plan->mounts_n; i++) {
		struct walk w = { .r = r, .mount = i };
		cleanup_fd int upper = -1, lower = -1;

		if (r->plan->mounts[i].kind != PLAN_WRITABLE)
			continue;
		upper = review_upper(r, i);
		lower = review_lower(r, i);
		if (upper < 0 || lower < 0) {
			r->failed = "a writable path was replaced meanwhile";
			return false;
		}
		if (!look(&w, upper, lower, 0, 0))
			return false;
	}
	if (r->n)
		qsort(r->v, r->n, sizeof *r->v, by_name);
	return true;
}

/* ---- texts for a person */

static struct str
read_text(struct arena *a, int dir, struct str name, size_t most)
{
	cleanup_fd int fd = dir < 0 ? -1 : review_open(dir, name, O_RDONLY | O_NONBLOCK);
	struct str none = { NULL, 0 };
	struct stat st;
	char *text;
	ssize_t n;

	/* A link, or a socket. */
	if (fd < 0 && dir >= 0 && (errno == ELOOP || errno == ENXIO))
		return STR("");
	if (fd < 0 || fstat(fd, &st))
		return none;
	if (!S_ISREG(st.st_mode))
		return STR("");
	if ((size_t)st.st_size > most || !(text = arena_alloc(a, (size_t)st.st_size + 1)))
		return none;
	n = read(fd, text, (size_t)st.st_size);
	return n < 0 ? none : str_of(text, (size_t)n);
}

void
review_texts(struct review *r, const struct review_change *c, size_t most,
    struct str *ret_before, struct str *ret_after)
{
	cleanup_fd int upper = review_upper(r, c->mount), lower = review_lower(r, c->mount);

	*ret_before =
	    c->kind == REVIEW_ADDED ? STR("") : read_text(r->a, lower, c->name, most);
	*ret_after =
	    c->kind == REVIEW_REMOVED ? STR("") : read_text(r->a, upper, c->name, most);
}
