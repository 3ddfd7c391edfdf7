/*
 * A cache of the calling tasks: their /proc directories stay open, and their umask is
 * read once.  Unpacking an archive is thousands of calls by the same task.
 *
 * An open directory of /proc belongs to its task, not to a later one with the same PID:
 * when the task is gone nothing can be opened in it.  The umask changes only by umask(2),
 * which the filter sends here.  The kernel performs it some time before the same task calls
 * again; until then no umask is remembered.
 */
#define _GNU_SOURCE
#include "broker/call.h"

static struct known_task *
find(struct broker *br, pid_t pid)
{
	for (size_t i = 0; i < TASKS_KNOWN; i++)
		if (br->tasks[i].pid == pid)
			return &br->tasks[i];
	return NULL;
}

static void
forget(struct known_task *t)
{
	if (t->pid)
		fd_close(&t->proc);
	*t = (struct known_task){ .proc = -1 };
}

/* Open the task's directory in place of the one that was met longest ago. */
static struct known_task *
meet(struct broker *br, pid_t pid)
{
	struct known_task *t = &br->tasks[br->tasks_next++ % TASKS_KNOWN];
	char path[64];

	forget(t);
	t->proc = openat(AT_FDCWD, proc_path(path, sizeof path, pid, ""),
	    O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (t->proc < 0)
		return NULL;
	t->pid = pid;
	return t;
}

size_t
task_base(struct broker *br, pid_t pid, int dirfd, char *buf, size_t n)
{
	struct known_task *t = find(br, pid);
	char name[32] = "cwd";
	ssize_t got = -1;

	if (dirfd != AT_FDCWD) {
		if (dirfd < 0)
			return 0;
		memcpy(name, "fd/", 3);
		(void)fd_number(name + 3, (unsigned long)dirfd);
	}
	/* Try again if the link is not there: the PID may have been reused. */
	if (t)
		got = readlinkat(t->proc, name, buf, n - 1);
	if (got <= 0 && t)
		forget(t);
	if (got <= 0 && (t = meet(br, pid)))
		got = readlinkat(t->proc, name, buf, n - 1);
	if (got <= 0 || (size_t)got >= n - 1 || buf[0] != '/')
		return 0;
	t->seen = br->call;
	buf[got] = '\0';
	return (size_t)got;
}

int
task_open(struct broker *br, pid_t pid, const char *what, int flags)
{
	struct known_task *t = find(br, pid);
	int fd = t ? openat(t->proc, what, flags | O_CLOEXEC) : -1;

	if (fd >= 0)
		return fd;
	/* The PID was reused, or there is no such file. */
	if (t)
		forget(t);
	t = meet(br, pid);
	fd = t ? openat(t->proc, what, flags | O_CLOEXEC) : -1;
	return fd < 0 ? -errno : fd;
}

/* True while the task exists. */
static bool
is_there(const struct known_task *t)
{
	return faccessat(t->proc, "comm", F_OK, 0) == 0;
}

/* A task that was about to change its umask may never call again. */
static bool
is_settled(struct broker *br)
{
	struct known_task *t;

	if (!br->umask_changes)
		return true;
	t = find(br, br->umask_changes);
	if (!t || is_there(t))
		return false;
	br->umask_changes = 0;
	return true;
}

mode_t
task_umask(struct broker *br, pid_t pid)
{
	struct known_task *t = find(br, pid);
	cleanup_fd int status = -1;
	mode_t mask;

	if (t && t->has_umask && (t->seen == br->call || is_there(t)))
		return t->umask;
	status = task_open(br, pid, "status", O_RDONLY);
	if (status < 0 || !child_umask(status, &mask))
		return 077;
	t = find(br, pid);
	if (t && is_settled(br)) {
		t->umask = mask;
		t->has_umask = true;
	}
	return mask;
}

void
task_changes_umask(struct broker *br, pid_t pid)
{
	for (size_t i = 0; i < TASKS_KNOWN; i++)
		br->tasks[i].has_umask = false;
	/* Two tasks at once: remember nothing from here on. */
	br->umask_changes = br->umask_changes ? UMASK_UNSETTLED : pid;
	if (br->umask_changes == pid && !find(br, pid) && !meet(br, pid))
		br->umask_changes = UMASK_UNSETTLED;
}

size_t
task_own_path(struct broker *br, int fd, char *buf, size_t n)
{
	char name[24];
	ssize_t got;

	if (br->own_fds < 0)
		br->own_fds =
		    openat(AT_FDCWD, "/proc/self/fd", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (br->own_fds < 0)
		return fd_path_into(fd, buf, n);
	(void)fd_number(name, (unsigned long)fd);
	got = readlinkat(br->own_fds, name, buf, n - 1);
	if (got <= 0 || (size_t)got >= n - 1 || buf[0] != '/')
		return 0;
	buf[got] = '\0';
	return (size_t)got;
}

void
task_in_worker(struct broker *br)
{
	/* The directory shows the supervisor's descriptors, not ours. */
	fd_close(&br->own_fds);
}

void
task_end(struct broker *br)
{
	for (size_t i = 0; i < TASKS_KNOWN; i++)
		forget(&br->tasks[i]);
	fd_close(&br->own_fds);
}
