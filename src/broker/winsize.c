/*
 * The size of the user's terminal.  The user changes it by resizing the window; nothing
 * inside may set it.
 */
#define _GNU_SOURCE
#include "broker/call.h"
#include "confine/enter.h"
#include <sys/ioctl.h>

#define STREAMS 3

/* True for one of our streams, and for our controlling terminal by any name.  The master
 * end of a terminal (TIOCGPTN) is always a command's own. */
static bool
is_users(int fd)
{
	unsigned number = 0;
	pid_t leader;

	if (sys_ioctl(fd, TIOCGPTN, &number) == 0)
		return false;
	if (ioctl(fd, TIOCGSID, &leader) == 0)
		return true;
	for (int stream = 0; stream < STREAMS; stream++)
		if (stream_is_same(fd, stream))
			return true;
	return false;
}

/* The filter sends one request: TIOCSWINSZ. */
void
perform_ioctl(struct call *c)
{
	const uint64_t *a = c->n.data.args;
	cleanup_fd int fd = -1;
	struct winsize size;

	if ((uint32_t)a[1] != TIOCSWINSZ) {
		call_answer(c, EPERM);
		return;
	}
	if (!child_read((pid_t)c->n.pid, a[2], &size, sizeof size)) {
		call_answer(c, EFAULT);
		return;
	}
	fd = call_socket(c);
	if (fd < 0)
		call_answer(c, -fd);
	else if (is_users(fd))
		call_answer(c, EPERM);
	else if (call_is_valid(c))
		call_answer(c, ioctl(fd, TIOCSWINSZ, &size) ? errno : 0);
}
