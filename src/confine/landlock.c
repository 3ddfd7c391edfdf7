/*
 * Landlock, the second layer for writes: it still works if the mounts are wrong.
 *
 * Below the writable roots it gives the command no right to write, create, rename or
 * remove: the supervisor performs those calls, and knows the names.  So no call that the
 * supervisor lets continue can do more than the mounts and these rules allow.
 */
#define _GNU_SOURCE
#include "confine/landlock.h"
#include "confine/enter_internal.h"
#include "os/fd.h"
#include "os/sys.h"

#define FS_ABI_1                                                                           \
	(KERNEL_LANDLOCK_WRITE_FILE | KERNEL_LANDLOCK_REMOVE_DIR |                         \
	    KERNEL_LANDLOCK_REMOVE_FILE | KERNEL_LANDLOCK_MAKE_CHAR |                      \
	    KERNEL_LANDLOCK_MAKE_DIR | KERNEL_LANDLOCK_MAKE_REG |                          \
	    KERNEL_LANDLOCK_MAKE_SOCK | KERNEL_LANDLOCK_MAKE_FIFO |                        \
	    KERNEL_LANDLOCK_MAKE_BLOCK | KERNEL_LANDLOCK_MAKE_SYM)

/* The rights that each ABI adds. */
static const struct {
	int abi;
	uint64_t fs, scoped;
} added[] = {
	{ 1, FS_ABI_1, 0 },
	{ 2, KERNEL_LANDLOCK_REFER, 0 },
	{ LANDLOCK_TRUNCATION, KERNEL_LANDLOCK_TRUNCATE, 0 },
	{ 5, KERNEL_LANDLOCK_IOCTL_DEV, 0 },
	{ LANDLOCK_SIGNALS, 0,
	    KERNEL_LANDLOCK_SCOPE_ABSTRACT | KERNEL_LANDLOCK_SCOPE_SIGNAL },
};

int
landlock_abi(void)
{
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, KERNEL_LANDLOCK_VERSION);

	return abi < 0 ? 0 : (int)abi;
}

/* The size of the structure that a kernel with this ABI knows. */
static size_t
ruleset_size(int abi)
{
	if (abi < 4)
		return offsetof(struct kernel_landlock_ruleset, handled_net);
	if (abi < 6)
		return offsetof(struct kernel_landlock_ruleset, scoped);
	return sizeof(struct kernel_landlock_ruleset);
}

int
landlock_give(
    struct entering *e, const struct ruleset *rules, const char *path, uint64_t rights)
{
	/* Without mounts of our own, a symlink could lead to what must not be granted. */
	cleanup_fd int fd = sys_openat2(AT_FDCWD, e->path = path, O_PATH, 0,
	    e->plan->bare ? KERNEL_RESOLVE_NO_SYMLINKS : 0);
	struct kernel_landlock_path rule = { rights & rules->handled, fd };

	if (fd < 0)
		return -errno;
	if (!rule.allowed)
		return 0;
	return syscall(SYS_landlock_add_rule, rules->fd, KERNEL_LANDLOCK_PATH, &rule, 0)
		   ? -errno
		   : 0;
}

static int
give_all(struct entering *e, const struct ruleset *rules)
{
	const uint64_t write = KERNEL_LANDLOCK_WRITE_FILE | KERNEL_LANDLOCK_TRUNCATE;
	const struct plan *plan = e->plan;
	int r = landlock_give(e, rules, "/dev", write | KERNEL_LANDLOCK_IOCTL_DEV);

	if (!r)
		r = landlock_give(e, rules, "/dev/shm", rules->handled);
	if (!r && plan->tmp_write)
		r = landlock_give(e, rules, "/tmp", rules->handled);
	/* User 0 owns the machine's own files in /proc, even without capabilities. */
	if (!r && !e->root)
		r = landlock_give(e, rules, "/proc", write);
	return r;
}

int
landlock_keep_below(int dir, uint64_t rights)
{
	struct kernel_landlock_ruleset attr = { .handled_fs = rights };
	struct kernel_landlock_path rule = { rights, dir };
	cleanup_fd int fd = (int)syscall(
	    SYS_landlock_create_ruleset, &attr, ruleset_size(landlock_abi()), 0);

	return fd < 0 ||
		       syscall(SYS_landlock_add_rule, fd, KERNEL_LANDLOCK_PATH, &rule, 0) ||
		       syscall(SYS_landlock_restrict_self, fd, 0)
		   ? -errno
		   : 0;
}

static int
give_for(struct entering *e, const struct ruleset *rules)
{
	return e->plan->bare ? landlock_give_bare(e, rules) : give_all(e, rules);
}

int
step_landlock(struct entering *e)
{
	struct kernel_landlock_ruleset attr = { 0 };
	struct ruleset rules;
	cleanup_fd int fd = -1;
	int r, abi = landlock_abi();

	if (abi < LANDLOCK_WANTED && !e->plan->readonly)
		return -EOPNOTSUPP;
	/* Read-only mounts enforce that type alone; the report says so. */
	if ((e->landlock = abi) == 0)
		return 0;
	for (size_t i = 0; i < sizeof added / sizeof *added; i++)
		if (abi >= added[i].abi) {
			attr.handled_fs |= added[i].fs;
			attr.scoped |= added[i].scoped;
		}
	if (e->plan->bare)
		attr.handled_fs |= KERNEL_LANDLOCK_READ_FILE;
	/* Runs of a session may signal each other's jobs; their PID namespace is the
	 * limit. */
	else if (e->part == ENTER_COMMAND)
		attr.scoped &= ~KERNEL_LANDLOCK_SCOPE_SIGNAL;
	fd = (int)syscall(SYS_landlock_create_ruleset, &attr, ruleset_size(abi), 0);
	if (fd < 0)
		return -errno;
	rules = (struct ruleset){ fd, attr.handled_fs };
	if ((r = give_for(e, &rules)))
		return r;
	e->path = NULL;
	return syscall(SYS_landlock_restrict_self, fd, 0) ? -errno : 0;
}
