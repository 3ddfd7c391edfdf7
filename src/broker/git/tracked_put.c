/* Put guarded files that git has written in place. */
#define _GNU_SOURCE
#include "broker/git/tracked.h"
#include <fcntl.h>

static bool
read_file(struct arena *a, int fd, struct git_file *ret, struct str *ret_text)
{
	char *text = arena_alloc(a, TRACKED_FILE_MAX);
	struct stat st;
	ssize_t n = text ? pread(fd, text, TRACKED_FILE_MAX, 0) : -1;

	if (n < 0 || (size_t)n == TRACKED_FILE_MAX || fstat(fd, &st))
		return false;
	ret->mode = st.st_mode & S_IXUSR ? 0100755 : 0100644;
	*ret_text = str_of(text, (size_t)n);
	git_blob_name(*ret_text, &ret->oid);
	return true;
}

void
tracked_keep(struct broker *br, struct arena *a, int dir, const char *name, struct str path)
{
	cleanup_fd int fd =
	    openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct git_file file;
	struct stat st;
	struct str text;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    read_file(a, fd, &file, &text))
		(void)tracked_add(br, path, &file);
}

/* True if the directory is still the one at this path. */
static bool
is_same_place(struct broker *br, const struct tracked_pending *f)
{
	char path[LIMIT_PATH];
	size_t n = task_own_path(br, f->dir, path, sizeof path);

	return n && str_eq(str_of(path, n), path_parent(f->path));
}

static bool
put_file(int dir, const char *name, struct str text, mode_t mode)
{
	cleanup_fd int fd = -1;

	if (unlinkat(dir, name, 0) && errno != ENOENT)
		return false;
	fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return false;
	return write(fd, text.p, text.n) == (ssize_t)text.n && fchmod(fd, mode) == 0;
}

/* Link the inode that git wrote, so that git's index has the right timestamps.  The lease
 * is granted only if nobody has the file open for writing, and blocks any process that
 * tries meanwhile; an open that waited is refused by target_is_lost(). */
static bool
link_file(int dir, const char *name, int file)
{
	char link[FD_LINK_SIZE];

	if (unlinkat(dir, name, 0) && errno != ENOENT)
		return false;
	return linkat(AT_FDCWD, fd_link(link, file), dir, name, AT_SYMLINK_FOLLOW) == 0;
}

static bool
take_lease(int file)
{
	return fcntl(file, F_SETLEASE, F_RDLCK) == 0;
}

/* Put the file in place if its content is allowed: the file itself if nobody can write to
 * it any more (`leased`), else a copy. */
static bool
put_pending(struct broker *br, const struct tracked_pending *f, bool leased)
{
	cleanup_arena struct arena *a = arena_new(2 * TRACKED_FILE_MAX + 64);
	struct target p = { .parent = f->dir, .object = -1 };
	struct git_file file;
	struct stat st;
	struct str text, name = str_base(f->path);

	if (!a || name.n >= sizeof p.name || fstat(f->file, &st) ||
	    !read_file(a, f->file, &file, &text))
		return false;
	file.mode = f->mode & S_IXUSR ? 0100755 : 0100644;
	memcpy(p.name, name.p, name.n);
	p.exists = fstatat(f->dir, p.name, &p.st, AT_SYMLINK_NOFOLLOW) == 0;
	if (!tracked_allows(br, f->path, &file) || !is_same_place(br, f) ||
	    target_is_mount(&p))
		return false;
	tracked_keep(br, a, f->dir, p.name, f->path);
	if (leased && st.st_nlink == 0 && (st.st_mode & 07777) == f->mode &&
	    link_file(f->dir, p.name, f->file) && fstat(f->file, &st) == 0 &&
	    st.st_nlink == 1)
		return true;
	return put_file(f->dir, p.name, text, f->mode);
}

bool
tracked_put(struct broker *br, const struct tracked_pending *f, bool last)
{
	bool leased = take_lease(f->file), ok;

	if (!leased && !last)
		return false;
	ok = put_pending(br, f, leased);
	if (leased)
		(void)fcntl(f->file, F_SETLEASE, F_UNLCK);
	return ok;
}
