#define _GNU_SOURCE /* O_PATH */
#include "look/resolve.h"
#include "base/limits.h"
#include "look/created_names.h"
#include "os/dir_cache.h"
#include "os/file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/vfs.h>

#define LINKS_MAX 40
#define PROC_MAGIC 0x9fa0
#define NAME_LONGEST 255
#define NEAR_PARTS 2     /* names below a known directory that are checked one by one */
#define NO_SYMLINKS 0x04 /* RESOLVE_NO_SYMLINKS of linux/openat2.h */

/* The kernel's struct open_how, which not every libc has. */
struct how {
	uint64_t flags, mode, resolve;
};

struct follow {
	struct arena *a;
	const struct created *made;
	unsigned flags;
	struct resolved out;
	char here[LIMIT_PATH]; /* resolved, without a final slash; "" is the root */
	size_t n;
	char rest[2 * LIMIT_PATH]; /* the remaining path, at the end of the buffer */
	size_t at;
	int links;
	bool missing;
	struct stat st;
};

static void
fill_stat(struct resolved *r, const struct stat *st)
{
	r->exists = true;
	r->directory = S_ISDIR(st->st_mode);
	r->link = S_ISLNK(st->st_mode);
}

/* True if a remaining name is too long for any file system. */
static bool
has_long_name(struct str path)
{
	for (size_t i = 0, n = 0; i < path.n; i++)
		if ((n = path.p[i] == '/' ? 0 : n + 1) > NAME_LONGEST)
			return true;
	return false;
}

/* Resolve with one openat2(2) call if there is no symlink and no `..`.  The call fails at
 * the first symlink, so a component that it reports missing has no symlink before it. */
static bool
resolve_plain(struct arena *a, struct str path, struct resolved *ret)
{
	struct how how = { .flags = O_PATH | O_CLOEXEC, .resolve = NO_SYMLINKS };
	cleanup_fd int fd = -1;
	size_t used = a->used;
	const char *c = str_to_path(a, path);
	struct stat st;

	if (!c)
		return false;
	fd = (int)syscall(
	    SYS_openat2, AT_FDCWD, dir_cache_relative(c, path.n), &how, sizeof how);
	arena_back(a, used);
	if (fd < 0)
		return (errno == ENOENT || errno == ENOTDIR) && !has_long_name(path);
	if (fstat(fd, &st) < 0)
		return false;
	fill_stat(ret, &st);
	if (ret->directory)
		dir_cache_add(path);
	return true;
}

/* True if at most NEAR_PARTS components follow `known` bytes. */
static bool
is_near(struct str path, size_t known)
{
	size_t parts = 0;

	for (size_t i = known; i < path.n; i++)
		parts += path.p[i] == '/' || i == 1;
	return parts <= NEAR_PARTS;
}

/* Resolve one or two components below a cached directory, none of them a symlink. */
static bool
resolve_near(struct arena *a, struct str path, size_t known, struct resolved *ret)
{
	struct stat st = { .st_mode = S_IFDIR };

	while (known < path.n) {
		size_t name = known == 1 ? 1 : known + 1;

		known = name + str_find(str_skip(path, name), '/');
		if (!file_stat(a, str_cut(path, 0, known), false, &st))
			return (errno == ENOENT || errno == ENOTDIR) &&
			       !has_long_name(path);
		if (S_ISLNK(st.st_mode))
			return false;
		if (S_ISDIR(st.st_mode))
			dir_cache_add_stat(str_cut(path, 0, known), &st);
	}
	fill_stat(ret, &st);
	return true;
}

static bool
resolve_quickly(struct arena *a, struct str path, struct resolved *ret)
{
	size_t known = dir_cache_is_on() ? dir_cache_known(path) : path.n + 1;

	return known <= path.n && is_near(path, known) ? resolve_near(a, path, known, ret)
						       : resolve_plain(a, path, ret);
}

static bool
give_up(struct follow *f, const char *why)
{
	f->out.why = why;
	return false;
}

/* Prepend a symlink's target to the remaining path. */
static bool
push_rest(struct follow *f, struct str text)
{
	if (text.n + 1 > f->at)
		return give_up(f, "the path is too long after following symlinks");
	if (f->at < sizeof f->rest)
		f->rest[--f->at] = '/';
	f->at -= text.n;
	memcpy(f->rest + f->at, text.p, text.n);
	if (text.n && text.p[0] == '/')
		f->n = 0;
	return true;
}

static bool
follow_link(struct follow *f, size_t parent)
{
	char text[LIMIT_PATH];
	struct statfs fs;
	ssize_t n;

	if (++f->links > LINKS_MAX)
		return give_up(f, "too many symlinks, or a loop");
	n = readlink(f->here, text, sizeof text);
	if (n <= 0 || (size_t)n == sizeof text)
		return give_up(f, "a symlink in the path cannot be read");
	f->here[parent] = '\0';
	f->n = parent;
	if (statfs(parent ? f->here : "/", &fs) < 0 || fs.f_type == PROC_MAGIC)
		return give_up(f, "a magic link of /proc differs for each process");
	f->out.linked = true;
	return push_rest(f, str_of(text, (size_t)n));
}

/* The next component of the remaining path; empty at its end. */
static struct str
next_part(struct follow *f)
{
	struct str rest, part;

	while (f->at < sizeof f->rest && f->rest[f->at] == '/')
		f->at++;
	rest = str_of(f->rest + f->at, sizeof f->rest - f->at);
	part = str_cut(rest, 0, str_find(rest, '/'));
	f->at += part.n;
	return part;
}

/* True if nothing remains; a final slash would make the kernel follow. */
static bool
is_last(const struct follow *f)
{
	return f->at == sizeof f->rest;
}

static bool
go_up(struct follow *f)
{
	if (f->missing)
		return give_up(f, "`..` after a name that does not exist");
	while (f->n > 0 && f->here[--f->n] != '/')
		;
	f->here[f->n] = '\0';
	return true;
}

static bool
look_at(struct follow *f, size_t parent)
{
	if (f->missing)
		return true;
	if (fstatat(AT_FDCWD, f->here, &f->st, AT_SYMLINK_NOFOLLOW) < 0) {
		if (errno != ENOENT && errno != ENOTDIR)
			return give_up(
			    f, errno == EACCES
				   ? "no permission to search a directory of the path"
				   : "the path cannot be resolved");
		f->missing = true;
		return true;
	}
	if (!S_ISLNK(f->st.st_mode) || ((f->flags & RESOLVE_NAME) && is_last(f)))
		return true;
	return follow_link(f, parent);
}

/* True if the text creates this name, and it may be a symlink.  A copied or moved file is
 * what its source is.  The existing file is checked in any case. */
static bool
could_become_link(const struct follow *f)
{
	const struct created_name *name = created_find_name(f->made, str_of(f->here, f->n));
	struct created inner = *f->made;
	struct resolved r = { 0 };
	struct str source, rest = str_of(f->rest + f->at, sizeof f->rest - f->at);

	if (!name)
		return false;
	if (!name->source.p || inner.depth >= MADE_DEPTH)
		return true;
	inner.depth++;
	source = created_join(f->a, name->source, rest);
	return !source.p || look_resolve(f->a, source, 0, &inner, &r, NULL) || r.why ||
	       r.linked;
}

static bool
go_down(struct follow *f, struct str name)
{
	size_t parent = f->n;

	if (name.n > NAME_LONGEST)
		return give_up(f, "a name in the path is too long");
	if (f->n + name.n + 2 > sizeof f->here)
		return give_up(f, "the path is too long after following symlinks");
	f->here[f->n++] = '/';
	memcpy(f->here + f->n, name.p, name.n);
	f->n += name.n;
	f->here[f->n] = '\0';
	if (f->made && !((f->flags & RESOLVE_NAME) && is_last(f)) && could_become_link(f))
		return give_up(f, "the command may turn this name into a symlink");
	return look_at(f, parent);
}

static bool
walk(struct follow *f)
{
	for (struct str part; (part = next_part(f)).n > 0;) {
		if (str_is(part, "."))
			continue;
		if (str_is(part, "..") ? !go_up(f) : !go_down(f, part))
			return false;
	}
	return true;
}

static int
resolve_slowly(struct follow *f, struct str path, struct resolved *ret, struct err *reterr)
{
	f->at = sizeof f->rest - path.n;
	memcpy(f->rest + f->at, path.p, path.n);
	f->here[0] = '\0';
	if (!walk(f)) {
		*ret = f->out;
		return 0;
	}
	if (f->n == 0)
		f->here[f->n++] = '/';
	f->here[f->n] = '\0';
	if (!f->missing) {
		if (fstatat(AT_FDCWD, f->here, &f->st, AT_SYMLINK_NOFOLLOW) == 0)
			fill_stat(&f->out, &f->st);
		else if (!file_is_missing()) {
			(void)give_up(f, "the path cannot be resolved");
			*ret = f->out;
			return 0;
		}
	}
	f->out.real = arena_copy(f->a, str_of(f->here, f->n));
	if (!f->out.real.p)
		return err_at(
		    reterr, CORDON_ENOMEM, 0, "a path needs more memory than allowed");
	*ret = f->out;
	return 0;
}

static bool
has_dots(struct str path)
{
	for (size_t i = 0; i + 1 < path.n; i++) {
		size_t end = i + 1;

		if (path.p[i] != '/')
			continue;
		while (end < path.n && end < i + 3 && path.p[end] == '.')
			end++;
		if (path.p[i + 1] == '/' ||
		    (end > i + 1 && (end == path.n || path.p[end] == '/')))
			return true;
	}
	return path.n > 1 && path.p[path.n - 1] == '/';
}

/* A separate function, so that look_resolve() itself touches little stack. */
static __attribute__((noinline)) int
resolve_step_by_step(struct arena *a, struct str path, unsigned flags,
    const struct created *made, struct resolved *ret, struct err *reterr)
{
	struct follow f;

	memset(&f, 0, offsetof(struct follow, here));
	f.a = a;
	f.made = made && made->names ? made : NULL;
	f.flags = flags;
	f.n = f.at = 0;
	f.links = 0;
	f.missing = false;
	return resolve_slowly(&f, path, ret, reterr);
}

int
look_resolve(struct arena *a, struct str path, unsigned flags, const struct created *made,
    struct resolved *ret, struct err *reterr)
{
	struct resolved r = { 0 };

	if (path.n == 0 || path.p[0] != '/' || str_find(path, '\0') < path.n ||
	    path.n >= LIMIT_PATH) {
		r.why = "the kernel does not accept this path";
		*ret = r;
		return 0;
	}
	if (!(made && made->names) && !has_dots(path) && resolve_quickly(a, path, &r)) {
		r.real = path;
		*ret = r;
		return 0;
	}
	return resolve_step_by_step(a, path, flags, made, ret, reterr);
}
