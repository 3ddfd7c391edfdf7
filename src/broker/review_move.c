/*
 * Move a directory under --review.
 *
 * An overlay cannot rename a directory of its lower layer (EXDEV), and only mv copies it
 * itself.  So a new directory is created and the entries are renamed into it one by one,
 * which the overlay can do for files.
 */
#define _GNU_SOURCE
#include "broker/call.h"
#include <dirent.h>
#include <stdio.h>

#define DEPTH_MOST 128

static int move_entries(int from, int to, unsigned depth);

static int
move_one(int from, int to, const char *name, unsigned depth)
{
	if (renameat(from, name, to, name) == 0)
		return 0;
	return errno == EXDEV && depth < DEPTH_MOST
		   ? review_move(from, name, to, name, depth + 1)
		   : errno;
}

/* Stop at the first entry that cannot be moved.  Returns 0 or a positive errno. */
static int
move_entries(int from, int to, unsigned depth)
{
	int fd = openat(from, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), error = 0;
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *e;

	if (!d) {
		error = errno;
		fd_close(&fd);
		return error;
	}
	while (!error && (errno = 0, e = readdir(d)))
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			error = move_one(from, to, e->d_name, depth);
	if (!error)
		error = errno;
	(void)closedir(d);
	return error;
}

int
review_move(
    int from_dir, const char *from_name, int to_dir, const char *to_name, unsigned depth)
{
	const int how = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	cleanup_fd int from = openat(from_dir, from_name, how), to = -1;
	struct stat st;
	int error;

	if (from < 0 || fstat(from, &st))
		return errno;
	/* Like rename(2), replace an empty directory. */
	if (unlinkat(to_dir, to_name, AT_REMOVEDIR) && errno != ENOENT)
		return errno;
	if (mkdirat(to_dir, to_name, 0700))
		return errno;
	to = openat(to_dir, to_name, how);
	error = to < 0 ? errno : move_entries(from, to, depth);
	if (!error && (fchmod(to, st.st_mode & 03777) ||
			  futimens(to, (struct timespec[]){ st.st_atim, st.st_mtim }) ||
			  unlinkat(from_dir, from_name, AT_REMOVEDIR)))
		error = errno;
	if (error) {
		if (to >= 0)
			(void)move_entries(to, from, depth);
		(void)unlinkat(to_dir, to_name, AT_REMOVEDIR);
	}
	return error;
}
