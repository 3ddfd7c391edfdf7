/*
 * git's configuration.  git writes a new one beside it, config.lock, and moves that over
 * the old one.  The command still holds the file that it wrote, so the supervisor moves
 * none of it: it reads the text once, looks whether a key that runs code has changed, and
 * puts a file with the same text there that nobody else ever had open.
 */
#define _GNU_SOURCE
#include "confine/guard.h"
#include "look/gitkeys.h"
#include "run/supervisor.h"
#include <stdio.h>

#define CONFIG_MAX ((size_t)1 << 20)
/* Two texts, and the entries of both. */
#define ROOM ((size_t)16 << 20)

/* 0, or a positive errno. */
static int
read_config(struct arena *a, int dir, const char *name, struct str *ret, mode_t *ret_mode)
{
	closed_fd int fd =
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
	/* Somebody is still writing. */
	if (got > (size_t)st.st_size)
		return EBUSY;
	*ret = str_of(text, got);
	*ret_mode = st.st_mode & 0777;
	return 0;
}

static int
put_config(int dir, const char *lock, const char *name, struct str text, mode_t mode)
{
	closed_fd int fd = -1;

	if (unlinkat(dir, lock, 0))
		return errno;
	fd = openat(dir, lock, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return errno;
	if (fchmod(fd, mode) || write(fd, text.p, text.n) != (ssize_t)text.n ||
	    renameat(dir, lock, dir, name)) {
		int error = errno ? errno : EIO;

		(void)unlinkat(dir, lock, 0);
		return error;
	}
	return 0;
}

static int
change(struct call *c, const struct place_in *from, const struct place_in *to)
{
	cleanup_arena struct arena *a = arena_new(ROOM);
	struct str before = STR(""), after = STR(""), key;
	mode_t mode = 0, unused;
	int error = a ? read_config(a, from->parent, from->name, &after, &mode) : ENOMEM;

	if (!error && to->exists)
		error = read_config(a, to->parent, to->name, &before, &unused);
	if (error)
		return error;
	if (!gitkeys_same(a, before, after, &key)) {
		violate(c->s, (pid_t)c->n.pid, RUN_WRITE, place_path(to),
		    "it would change what git runs");
		return EACCES;
	}
	return place_is_mount(to)
		   ? EBUSY
		   : put_config(from->parent, from->name, to->name, after, mode);
}

bool
perform_git_config(struct call *c, const struct place_in *from, const struct place_in *to)
{
	const struct plan *plan = c->s->plan;
	struct guard_hit h = guard_look(plan, place_path(to));
	struct stat x, y;

	if (plan->block_git || h.git != GIT_CONFIG || !from->exists ||
	    guard_look(plan, place_path(from)).git != GIT_LOCK || fstat(from->parent, &x) ||
	    fstat(to->parent, &y) || x.st_dev != y.st_dev || x.st_ino != y.st_ino)
		return false;
	/* In a repository that the run has made itself nothing is guarded. */
	if (!perform_guard(c->s, to, RUN_RENAME))
		return false;
	if (call_is_valid(c))
		call_answer(c, change(c, from, to));
	return true;
}
