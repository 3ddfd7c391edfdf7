/*
 * Sockets that the run has bound.  The host sees a socket in a writable path, and can
 * listen at such a path itself.  So the supervisor records the inode of every socket that
 * it binds for a command, and only those can be connected to.
 */
#define _GNU_SOURCE
#include "broker/socket/socket.h"
#include <sys/mman.h>
#include <sys/socket.h>

#define SOCKETS_MAX ((off_t)4096)

/* In a session the keeper holds the record, for all of its runs. */
static int
open_notes(struct broker *br)
{
	char path[64], link[FD_LINK_SIZE];
	cleanup_fd int fd = -1;

	if (!br->in_session) {
		fd = memfd_create("sockets", MFD_CLOEXEC);
		return fcntl(fd, F_SETFL, O_APPEND) ? -1 : fd_steal(&fd);
	}
	fd = openat(AT_FDCWD,
	    proc_path(path, sizeof path, br->session.keeper,
		fd_link(link, br->session.sockets_fd) + sizeof "/proc/self/" - 1),
	    O_RDWR | O_APPEND | O_CLOEXEC);
	/* The keeper is still alive, so its PID was not reused. */
	return syscall(SYS_pidfd_send_signal, br->session.pidfd, 0, NULL, 0)
		   ? -1
		   : fd_steal(&fd);
}

static bool
have_notes(struct broker *br)
{
	if (br->sockets < 0)
		br->sockets = open_notes(br);
	return br->sockets >= 0;
}

bool
sockets_have_room(struct broker *br)
{
	struct stat st;

	return have_notes(br) && fstat(br->sockets, &st) == 0 &&
	       st.st_size < SOCKETS_MAX * (off_t)sizeof(struct inode_id);
}

static bool
look_at(int dir, const char *name, struct inode_id *ret)
{
	struct stat st;

	*ret = (struct inode_id){ 0 };
	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW | (name[0] ? 0 : AT_EMPTY_PATH)) ||
	    !S_ISSOCK(st.st_mode) || !file_birth(dir, name, &ret->birth))
		return false;
	ret->dev = st.st_dev;
	ret->ino = st.st_ino;
	return true;
}

bool
socket_note(const struct broker *br, int dir, const char *name)
{
	struct inode_id own;

	return look_at(dir, name, &own) &&
	       write(br->sockets, &own, sizeof own) == (ssize_t)sizeof own;
}

bool
socket_is_own(struct broker *br, int fd)
{
	struct inode_id own, note;

	if (!have_notes(br) || !look_at(fd, "", &own))
		return false;
	for (off_t at = 0;
	     pread(br->sockets, &note, sizeof note, at) == (ssize_t)sizeof note;
	     at += (off_t)sizeof note)
		if (note.dev == own.dev && note.ino == own.ino &&
		    note.birth.tv_sec == own.birth.tv_sec &&
		    note.birth.tv_nsec == own.birth.tv_nsec)
			return true;
	return false;
}

/*
 * socketpair(2) of datagram sockets.  Each of them could send to any path, and no filter
 * sees the address in sendmsg(2).  Sequenced packets keep message boundaries as well and
 * only go to the peer, so the caller gets a pair of those.
 */
void
perform_socketpair(struct call *c)
{
	const uint64_t *a = c->n.data.args;
	const unsigned flags = (unsigned)a[1] & ~0xfU;
	int pair[2], numbers[2] = { -1, -1 };
	int error = 0;

	if ((int)a[0] != AF_UNIX || ((unsigned)a[1] & 0xf) != SOCK_DGRAM) {
		call_answer(c, EAFNOSUPPORT);
		return;
	}
	if (!child_write((pid_t)c->n.pid, a[3], numbers, sizeof numbers)) {
		call_answer(c, EFAULT);
		return;
	}
	if (socketpair(
		AF_UNIX, SOCK_SEQPACKET | (int)flags | SOCK_CLOEXEC, (int)a[2], pair)) {
		call_answer(c, errno);
		return;
	}
	for (int i = 0; i < 2 && !error; i++)
		if ((numbers[i] = call_add_fd(c, pair[i], flags & SOCK_CLOEXEC)) < 0)
			error = errno;
	(void)close(pair[0]);
	(void)close(pair[1]);
	if (!error && !child_write((pid_t)c->n.pid, a[3], numbers, sizeof numbers))
		error = EFAULT;
	call_answer(c, error);
}
