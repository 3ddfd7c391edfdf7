#define _GNU_SOURCE
#include "confine/enter_internal.h"
#include "os/fd.h"
#include "os/sys.h"
#include <sys/socket.h>

struct enter_step {
	const char *name;
	int (*make)(struct entering *e);
	unsigned parts; /* bits of enum enter_part, and NEEDS_NAMESPACES */
	enum plan_field field;
	const char *advice;
};

#define PART(part) (1u << ENTER_##part)
/* The step fails as a whole, and not because of one path, where namespaces or mounts in
 * them are not available. */
#define NEEDS_NAMESPACES (1u << 31)
#define OF_SESSION (PART(WHOLE) | PART(SESSION))
#define IN_NAMESPACES (OF_SESSION | NEEDS_NAMESPACES)
#define OF_RUN (OF_SESSION | PART(JOIN) | PART(BARE)) /* made for each run */
#define OF_DIR (OF_RUN | PART(LAST))
#define OF_OWN (OF_RUN | PART(PREJOIN))
#define OF_COMMAND (PART(WHOLE) | PART(COMMAND))

#define MOUNT_ADVICE                                                                       \
	"user namespaces may not mount here: on Ubuntu allow it for this program in an "   \
	"AppArmor profile (userns,); in a container give it what bubblewrap needs"

#define OVERLAY_ADVICE "a kernel from 6.6 on with overlayfs, or run without --review"

/* All steps, in order. */
static const struct enter_step steps[] = {
	{ "copy the trees that stay writable", step_sources, IN_NAMESPACES, FIELD_TYPE,
	    MOUNT_ADVICE },
	{ "make everything read-only", step_freeze, IN_NAMESPACES, FIELD_TYPE,
	    MOUNT_ADVICE },
	{ "a private /dev", step_dev, IN_NAMESPACES, FIELD_PROCESSES, MOUNT_ADVICE },
	{ "a private /tmp and /run", step_private, IN_NAMESPACES, FIELD_TMP, MOUNT_ADVICE },
	{ "names of hosts", step_names, OF_SESSION, FIELD_NETWORK_ALLOW, MOUNT_ADVICE },
	{ "a new /proc", step_proc, IN_NAMESPACES, FIELD_PROCESSES,
	    "the container masks /proc: start it with an unmasked one" },
	{ "memory for an overlay", step_review_place, OF_SESSION, FIELD_READWRITE,
	    OVERLAY_ADVICE },
	{ "mount the paths of the policy", step_mounts, OF_SESSION, FIELD_READWRITE,
	    "check whether the path was moved or replaced" },
	{ "an overlay for review", step_review, OF_SESSION, FIELD_READWRITE,
	    OVERLAY_ADVICE },
	{ "close the private directories", step_close_private, OF_SESSION, FIELD_TMP,
	    MOUNT_ADVICE },
	{ "loopback up", step_loopback, IN_NAMESPACES, FIELD_NETWORK,
	    "allow it network namespaces" },
	{ "sockets for a list of hosts", step_sockets, OF_SESSION, FIELD_NETWORK_ALLOW,
	    "allow it network namespaces" },
	{ "join the session", step_join, PART(JOIN), FIELD_TYPE,
	    "end the session (cordon session end) and start it again" },
	{ "enter the working directory", step_cwd, OF_DIR, FIELD_TYPE,
	    "check whether it was moved or replaced" },
	{ "limits", step_limits, OF_OWN, FIELD_LIMITS, "ask for other limits" },
	{ "a keyring of its own", step_keyring, OF_OWN, FIELD_PROCESSES, "" },
	{ "close descriptors", step_descriptors, OF_OWN, FIELD_PROCESSES,
	    "a kernel from 5.9 on; a stream that is a socket of the host's network is "
	    "taken "
	    "with the network on only, and one that is a directory not at all" },
	{ "drop privileges", step_privilege, OF_OWN, FIELD_PROCESSES, "" },
	{ "Landlock", step_landlock, OF_COMMAND, FIELD_PROTECTED,
	    "boot with Landlock (lsm=landlock,...) on a kernel from 5.19 on, or use the "
	    "type "
	    "WORKSPACE_READONLY" },
	{ "system call filter", step_filter, OF_COMMAND, FIELD_PROTECTED,
	    "inside another sandbox that listens already, use the type "
	    "WORKSPACE_READONLY" },
};

#define STEPS ((int)(sizeof steps / sizeof *steps))

bool
enter_needs_namespaces(int step, int error)
{
	switch (error) {
	case EPERM:
	case EACCES:
	case ENOSYS:
	case ENOSPC:
	case EUSERS:
	case EINVAL:
		return step < 0 || step >= STEPS || (steps[step].parts & NEEDS_NAMESPACES);
	default:
		return false;
	}
}

const char *
enter_step_name(int step)
{
	return step >= 0 && step < STEPS ? steps[step].name : "namespaces";
}

enum plan_field
enter_step_field(int step)
{
	return step >= 0 && step < STEPS ? steps[step].field : FIELD_PROCESSES;
}

const char *
enter_step_advice(int step, int error)
{
	if (step >= 0 && step < STEPS)
		return steps[step].advice;
	if (error == EAGAIN || error == ENOMEM)
		return "try again when there are fewer processes (ulimit -u, the group's "
		       "pids.max), or more memory";
	return error == ENOSPC || error == EUSERS
		   ? "raise user.max_user_namespaces"
		   : "allow user namespaces (sysctl kernel.unprivileged_userns_clone, "
		     "user.max_user_namespaces, or the container's seccomp profile)";
}

bool
enter_send(int control, const struct enter_report *report, int fd)
{
	union {
		struct cmsghdr header;
		char buf[CMSG_SPACE(sizeof(int))];
	} along = { 0 };
	struct iovec part = { (void *)(uintptr_t)report, sizeof *report };
	struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1 };

	if (fd >= 0) {
		m.msg_control = &along;
		m.msg_controllen = sizeof along.buf;
		along.header.cmsg_len = CMSG_LEN(sizeof fd);
		along.header.cmsg_level = SOL_SOCKET;
		along.header.cmsg_type = SCM_RIGHTS;
		memcpy(CMSG_DATA(&along.header), &fd, sizeof fd);
	}
	return sendmsg(control, &m, MSG_NOSIGNAL) == (ssize_t)sizeof *report;
}

bool
enter_receive(int control, struct enter_report *report, int *ret_fd)
{
	union {
		struct cmsghdr header;
		char buf[CMSG_SPACE(sizeof(int))];
	} along = { 0 };
	struct iovec part = { report, sizeof *report };
	struct msghdr m = { .msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = &along,
		.msg_controllen = sizeof along.buf };
	ssize_t got;

	*ret_fd = -1;
	do
		got = recvmsg(control, &m, MSG_CMSG_CLOEXEC);
	while (got < 0 && errno == EINTR);
	if (m.msg_controllen >= CMSG_LEN(sizeof(int)) &&
	    along.header.cmsg_type == SCM_RIGHTS)
		memcpy(ret_fd, CMSG_DATA(&along.header), sizeof *ret_fd);
	if (got == (ssize_t)sizeof *report)
		return true;
	if (*ret_fd >= 0)
		(void)close(*ret_fd);
	*ret_fd = -1;
	return false;
}

static _Noreturn void
give_up(const struct entering *e, int step, int error)
{
	struct enter_report report = {
		.kind = ENTER_FAILED, .step = step, .error = -error
	};
	size_t n = e->path ? strlen(e->path) : 0;

	if (n >= sizeof report.path)
		n = sizeof report.path - 1;
	if (n)
		memcpy(report.path, e->path, n);
	(void)enter_send(e->control, &report, -1);
	_exit(125);
}

static bool
is_part(enum enter_part part, int step)
{
	return steps[step].parts >> part & 1;
}

void
enter_print(enum enter_part part, int failed, struct buf *out)
{
	for (int i = 0; i < STEPS; i++) {
		bool joined =
		    (part == ENTER_JOIN || part == ENTER_BARE) && is_part(ENTER_COMMAND, i);

		if (!joined && !is_part(part, i))
			continue;
		buf_puts(out, failed < 0 || i < failed ? "made       "
			      : i == failed            ? "FAILED     "
						       : "not tried  ");
		buf_puts(out, steps[i].name);
		buf_putc(out, '\n');
	}
}

/*
 * Compare what the steps of ENTER_PREJOIN and ENTER_COMMAND depend on.  The caller compares
 * the writable paths with those of the session.
 */
bool
enter_is_same(const struct plan *x, const struct plan *y)
{
	return x->readonly == y->readonly && x->network == y->network &&
	       x->listed == y->listed && x->tmp_write == y->tmp_write &&
	       x->watch_reads == y->watch_reads && x->gate == y->gate &&
	       x->bare == y->bare && x->review == y->review &&
	       x->limits.memory == y->limits.memory &&
	       x->limits.processes == y->limits.processes &&
	       x->limits.files == y->limits.files &&
	       x->limits.file_size == y->limits.file_size;
}

void
enter_apply(struct entering *e)
{
	struct enter_report ready = { .kind = ENTER_READY };
	char go;

	e->listener = e->covers[0] = e->covers[1] = -1;
	for (int i = 0; i < STEPS; i++) {
		int r;

		if (!is_part(e->part, i))
			continue;
		e->path = NULL;
		if ((r = steps[i].make(e)))
			give_up(e, i, r);
	}
	ready.status = e->landlock;
	if ((e->part == ENTER_WHOLE || e->part == ENTER_SESSION ||
		e->part == ENTER_COMMAND) &&
	    !enter_send(e->control, &ready, e->listener))
		_exit(125);
	/* Wait until the supervisor has opened the root with this run's own mounts. */
	if (e->part == ENTER_COMMAND && e->differs && read(e->control, &go, 1) != 1)
		_exit(125);
	fd_close(&e->listener);
}
