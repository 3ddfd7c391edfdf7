/*
 * kill(0, sig): a signal to the caller's own process group.  A run shares the group of the
 * process that started cordon, so that keys of the terminal reach it; its signals must not
 * leave the sandbox.  Landlock enforces that for a single run, but not between the runs of
 * a session, nor before ABI 6.
 */
#define _GNU_SOURCE
#include "broker/call.h"
#include <dirent.h>
#include <signal.h>

#define SIGNAL_MOST 64

/* stat(2) the PID namespace of a process; false if that fails. */
static bool
namespace_of(pid_t pid, struct stat *ret)
{
	char path[64];

	return stat(proc_path(path, sizeof path, pid, "ns/pid"), ret) == 0;
}

/* Signal a process of the group in the caller's PID namespace.  The open pidfd keeps its
 * PID from being reused. */
static void
signal_one(const struct broker *br, pid_t pid, const struct stat *home, int sig)
{
	cleanup_fd int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	struct stat st;

	if (pidfd >= 0 && getpgid(pid) == br->shared_pgrp && namespace_of(pid, &st) &&
	    st.st_dev == home->st_dev && st.st_ino == home->st_ino)
		(void)syscall(SYS_pidfd_send_signal, pidfd, sig, NULL, 0);
}

/* Signal all but the caller and the reaper, which exists only because of us. */
static void
signal_others(const struct broker *br, pid_t caller, const struct stat *home, int sig)
{
	DIR *d = opendir("/proc");
	const struct dirent *e;

	while (d && (e = readdir(d))) {
		uint64_t pid;

		if (str_number(str_from_c(e->d_name), INT32_MAX, &pid) &&
		    (pid_t)pid != caller && (pid_t)pid != br->init)
			signal_one(br, (pid_t)pid, home, sig);
	}
	if (d)
		(void)closedir(d);
}

void
perform_kill(struct call *c)
{
	const pid_t caller = child_process((pid_t)c->n.pid);
	const int sig = (int)c->n.data.args[1];
	struct stat home;

	/* A process that left the group cannot return: the group has no ID inside. */
	if (getpgid(caller) != c->br->shared_pgrp) {
		call_continue(c);
		return;
	}
	if (sig < 0 || sig > SIGNAL_MOST) {
		call_answer(c, EINVAL);
		return;
	}
	if (!namespace_of(caller, &home)) {
		call_answer(c, EPERM);
		return;
	}
	if (!call_is_valid(c))
		return;
	if (sig)
		signal_others(c->br, caller, &home, sig);
	if (sig)
		signal_one(c->br, caller, &home, sig);
	call_answer(c, 0);
}
