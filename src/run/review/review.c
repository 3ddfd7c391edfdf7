/* Find the changes in the overlays: every name of an upper layer was changed, or only
 * opened. */
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
	char buf[LIMIT_PATH];

	if (name.n >= sizeof buf) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(buf, name.p, name.n);
	buf[name.n] = '\0';
	return sys_openat2(dir, name.n ? buf : ".", (uint64_t)flags, 0,
	    KERNEL_RESOLVE_NO_SYMLINKS | KERNEL_RESOLVE_BENEATH);
}

/* ---- walking the upper layer */

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

	if (r->n == r->cap) {
		size_t twice = r->cap ? 2 * r->cap : 256;
		size_t cap = twice < CHANGES_MAX ? twice : CHANGES_MAX;

		more = r->n < CHANGES_MAX ? arena_array(r->a, cap, sizeof *more) : NULL;
		if (!more) {
			r->failed = "there are too many changes";
			return false;
		}
		if (r->n)
			memcpy(more, r->v, r->n * sizeof *more);
		r->v = more;
		r->cap = cap;
	}
	r->v[r->n] = (struct review_change){ .kind = kind,
		.mount = w->mount,
		.name = arena_copy(r->a, str_of(w->name, n)),
		.mode = mode };
	if (!r->v[r->n].name.p) {
		r->failed = "no memory for the changes";
		return false;
	}
	r->n++;
	return true;
}

/* Store the content of the symlink that was just added. */
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
	w->r->failed = "a symlink cannot be read";
	return false;
}

static bool
has_mark(int fd, const char *attribute)
{
	char link[FD_LINK_SIZE], value[8];

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
	static char a[PART], b[PART]; /* too large for the stack; one thread */
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

/* True if the file was opened for writing, or touched, but has not changed. */
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

/* ---- directory listings; a listing that fails is a failure of the review */

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

/* errno is that of the last readdir(3), if everything was fine. */
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

/* Add what is missing in a directory that was removed and created again. */
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

/* One name of the upper layer, compared with the lower one. */
struct entry {
	int upper, lower; /* the directories that hold it; lower -1: there was none */
	const char *name;
	size_t n; /* length of the path in w->name, up to this name */
	struct stat now;
	struct stat before;
	bool existed; /* `before` is set */
};

static bool
add_entry(struct walk *w, const struct entry *e)
{
	if (!add(w, e->existed ? REVIEW_CHANGED : REVIEW_ADDED, e->n, e->now.st_mode))
		return false;
	w->r->v[w->r->n - 1].was = e->existed ? e->before.st_mode : 0;
	return true;
}

/* The directory exists in both layers: compare its mode, and find what was removed with an
 * older directory of this name. */
static bool
look_both(struct walk *w, const struct entry *e, int upper, int lower)
{
	if (e->now.st_mode != e->before.st_mode &&
	    !add(w, REVIEW_CHANGED, e->n, e->now.st_mode))
		return false;
	w->name[e->n] = '/';
	return !has_mark(upper, "user.overlay.opaque") ||
	       find_gone(w, upper, lower, e->n + 1);
}

static bool
look_directory(struct walk *w, const struct entry *e, int depth)
{
	const int how = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	const bool both = e->existed && S_ISDIR(e->before.st_mode);
	cleanup_fd int upper = openat(e->upper, e->name, how);
	cleanup_fd int lower = both ? openat(e->lower, e->name, how) : -1;

	if (upper < 0 || (both && lower < 0)) {
		w->r->failed = "a directory cannot be read";
		return false;
	}
	if (both ? !look_both(w, e, upper, lower) : !add_entry(w, e))
		return false;
	w->name[e->n] = '/';
	return look(w, upper, lower, e->n + 1, depth + 1);
}

static bool
look_one(struct walk *w, struct entry *e, int depth)
{
	if (fstatat(e->upper, e->name, &e->now, AT_SYMLINK_NOFOLLOW)) {
		w->r->failed = "a file cannot be examined";
		return false;
	}
	e->existed = e->lower >= 0 &&
		     fstatat(e->lower, e->name, &e->before, AT_SYMLINK_NOFOLLOW) == 0;
	if (is_whiteout(&e->now))
		return !e->existed || add(w, REVIEW_REMOVED, e->n, 0);
	if (S_ISDIR(e->now.st_mode))
		return look_directory(w, e, depth);
	if (e->existed && is_same(e->upper, e->lower, e->name, &e->now, &e->before))
		return true;
	if (!add_entry(w, e))
		return false;
	w->r->v[w->r->n - 1].linked = S_ISREG(e->now.st_mode) && e->now.st_nlink > 1;
	return !S_ISLNK(e->now.st_mode) || add_target(w, e->upper, e->name);
}

static bool
look(struct walk *w, int upper, int lower, size_t n, int depth)
{
	DIR *d = open_list(w, upper);
	const struct dirent *e;
	bool fine = d && depth < DEPTH_MAX;

	if (d && !fine)
		w->r->failed = "a directory is nested too deeply";
	for (errno = 0; fine && (e = next_entry(d)); errno = 0) {
		struct entry one = { .upper = upper,
			.lower = lower,
			.name = e->d_name,
			.n = n + strlen(e->d_name) };

		fine = put_name(w, n, e->d_name) && look_one(w, &one, depth);
	}
	return close_list(w, d, fine);
}

/* Sort for people, and so that a directory comes before its entries. */
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
			r->failed = "a writable path was replaced during the run";
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

	/* A symlink or a socket. */
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
