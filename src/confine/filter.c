#define _GNU_SOURCE
#include "confine/filter_tree.h"

/* No program that an agent runs needs them, and each has led out of a sandbox before. */
static const int never[] = {
	/* mounts and roots */
	SYS_mount,
	SYS_umount2,
	SYS_pivot_root,
	SYS_chroot,
	SYS_open_tree,
	SYS_move_mount,
	SYS_fsopen,
	SYS_fsconfig,
	SYS_fsmount,
	SYS_fspick,
	SYS_mount_setattr,
	SYS_open_tree_attr,
	SYS_statmount,
	SYS_listmount,
	/* namespaces */
	SYS_unshare,
	SYS_setns,
	/* the kernel's own machinery */
	SYS_bpf,
	SYS_perf_event_open,
	SYS_userfaultfd,
	SYS_io_uring_setup,
	SYS_io_uring_enter,
	SYS_io_uring_register,
	SYS_fanotify_init,
	SYS_kcmp,
	SYS_lookup_dcookie,
	/* keys */
	SYS_keyctl,
	SYS_add_key,
	SYS_request_key,
	/* files by handle, and descriptors of others */
	SYS_open_by_handle_at,
	SYS_pidfd_getfd,
	/* the machine */
	SYS_init_module,
	SYS_finit_module,
	SYS_delete_module,
	SYS_kexec_load,
	SYS_reboot,
	SYS_swapon,
	SYS_swapoff,
	SYS_quotactl,
	SYS_quotactl_fd,
	SYS_acct,
	SYS_syslog,
	SYS_settimeofday,
	SYS_clock_settime,
	SYS_sethostname,
	SYS_setdomainname,
	SYS_vhangup,
	SYS_nfsservctl,
#ifdef SYS_kexec_file_load
	SYS_kexec_file_load,
#endif
#ifdef SYS_iopl
	SYS_iopl,
	SYS_ioperm,
	SYS_uselib,
	SYS_ustat,
	SYS_sysfs,
	SYS_modify_ldt,
	SYS__sysctl,
#endif
};

/* Calls that change a file by its name: the supervisor looks, or makes them itself. */
static const int writing[] = {
	/* Files are made with the caller's. */
	SYS_umask,
	SYS_openat2,
	SYS_mkdirat,
	SYS_mknodat,
	SYS_unlinkat,
	SYS_symlinkat,
	SYS_linkat,
	SYS_renameat2,
	SYS_truncate,
#ifdef SYS_renameat
	SYS_renameat,
#endif
#ifdef SYS_open
	SYS_creat,
	SYS_mkdir,
	SYS_mknod,
	SYS_unlink,
	SYS_rmdir,
	SYS_symlink,
	SYS_link,
	SYS_rename,
#endif
};

/* The same for what is known of a file. */
static const int by_name[] = {
	SYS_fchmodat,
	SYS_fchmodat2,
	SYS_fchownat,
	SYS_utimensat,
	SYS_setxattr,
	SYS_lsetxattr,
	SYS_removexattr,
	SYS_lremovexattr,
#ifdef SYS_open
	SYS_chmod,
	SYS_chown,
	SYS_lchown,
	SYS_utime,
	SYS_utimes,
	SYS_futimesat,
#endif
};

/* And of an open file: it could be one whose name is protected. */
static const int by_descriptor[] = {
	SYS_fchmod,
	SYS_fsetxattr,
	SYS_fremovexattr,
};

/* The same again, too new for us to make them. */
static const int too_new[] = {
	SYS_setxattrat,
	SYS_removexattrat,
	SYS_file_setattr,
};

/* Without namespaces: what processes of the host are reached by. */
static const int shared[] = {
	SYS_shmget,
	SYS_shmat,
	SYS_shmctl,
	SYS_msgget,
	SYS_msgsnd,
	SYS_msgrcv,
	SYS_msgctl,
	SYS_semget,
	SYS_semop,
	SYS_semctl,
	SYS_semtimedop,
	SYS_mq_open,
	SYS_mq_unlink,
	SYS_migrate_pages,
	SYS_move_pages,
	SYS_ioprio_set,
};

/* ---- which call meets what; the first word on a call counts */

static void
mark(struct filter_table *t, int nr, enum filter_action action)
{
	if (nr < 0 || nr >= FILTER_CALLS)
		t->full = true;
	else if (t->action[nr] == FILTER_ALLOW)
		t->action[nr] = (uint8_t)action;
}

static void
mark_all(struct filter_table *t, const int *numbers, size_t n, enum filter_action action)
{
	for (size_t i = 0; i < n; i++)
		mark(t, numbers[i], action);
}
#define MARK_ALL(t, table, action)                                                         \
	mark_all(t, table, sizeof(table) / sizeof *(table), action)

static void
mark_opens(struct filter_table *t, const struct filter_opts *o)
{
	if (!o->listen)
		return;
	mark(t, SYS_openat, o->watch_reads ? FILTER_NOTIFY : FILTER_OPENAT);
#ifdef SYS_open
	mark(t, SYS_open, o->watch_reads ? FILTER_NOTIFY : FILTER_OPEN);
#endif
}

static void
mark_bare(struct filter_table *t)
{
	static const int others[] = { SYS_prlimit64, SYS_sched_setaffinity,
		SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr };

	MARK_ALL(t, shared, FILTER_EPERM);
	MARK_ALL(t, others, FILTER_OTHERS_0);
	mark(t, SYS_setpriority, FILTER_PRIORITY);
}

/* All that changes what is known of a file.  Where it may lie on a mount that is not our
 * own (`held`) that is owners and times as well, and where nobody makes it, it is not made.
 */
static void
mark_attributes(struct filter_table *t, bool listen, bool held)
{
	enum filter_action action = listen ? FILTER_NOTIFY : FILTER_EPERM;

	if (held)
		mark(t, SYS_fchown, action);
	else if (listen)
		mark(t, SYS_utimensat, FILTER_UTIMENSAT);
	if (!held && !listen)
		return;
	MARK_ALL(t, too_new, action);
	MARK_ALL(t, by_descriptor, action);
	MARK_ALL(t, by_name, action);
}

/* The caller's own group (0): it has processes of outside in it, whatever namespaces and
 * users there are. */
static void
mark_groups(struct filter_table *t, const struct filter_opts *o)
{
	if (o->groups)
		mark(t, SYS_kill, o->listen ? FILTER_KILL : FILTER_KILL_NONE);
	mark(t, SYS_setpriority, FILTER_PRIORITY_GROUP);
	mark(t, SYS_ioprio_set, FILTER_IOPRIO_GROUP);
}

/* Sends and options that lead elsewhere; a listen would open the host. */
static void
mark_sends(struct filter_table *t)
{
	mark(t, SYS_sendto, FILTER_SENDTO);
	mark(t, SYS_sendmsg, FILTER_SENDMSG);
	mark(t, SYS_sendmmsg, FILTER_SENDMMSG);
	mark(t, SYS_setsockopt, FILTER_SETSOCKOPT);
	mark(t, SYS_listen, FILTER_NOTIFY);
}

static void
mark_calls(struct filter_table *t, const struct filter_opts *o)
{
	mark_opens(t, o);
	if (o->bare)
		mark_bare(t);
	mark_attributes(t, o->listen, o->bare || o->attributes);
	mark_groups(t, o);
	if (o->joined)
		mark(t, SYS_prlimit64, FILTER_PRLIMIT);
	/* A program that runs as its owner, left on the host.  By name the supervisor sees
	 * it. */
	mark(t, SYS_fchmod, FILTER_FCHMOD);
	mark(t, SYS_ioctl, FILTER_IOCTL);
	mark(t, SYS_clone, FILTER_CLONE);
	/* Its arguments lie in memory; libraries fall back to clone. */
	mark(t, SYS_clone3, FILTER_ENOSYS);
	mark(t, SYS_socket, FILTER_SOCKET);
	if (o->listed)
		mark_sends(t);
	mark(t, SYS_socketpair, FILTER_SOCKETPAIR);
	mark(t, SYS_personality, FILTER_PERSONALITY);
	if (o->listen) {
		MARK_ALL(t, writing, FILTER_NOTIFY);
		mark(t, SYS_connect, FILTER_NOTIFY);
	}
	if (o->gate) {
		mark(t, SYS_execve, FILTER_NOTIFY);
		mark(t, SYS_execveat, FILTER_NOTIFY);
	}
	MARK_ALL(t, never, FILTER_EPERM);
}

static void
head(struct filter *f)
{
	filter_put(f, LOAD, 0, 0, ARCH);
	filter_put(f, EQUAL, 1, 0, KERNEL_AUDIT_ARCH);
	filter_put(f, RETURN, 0, 0, KERNEL_SECCOMP_RET_KILL);
	filter_put(f, LOAD, 0, 0, NR);
#ifdef KERNEL_X32_BIT
	filter_put(f, NOT_BELOW, 0, 1, KERNEL_X32_BIT);
	filter_put(f, RETURN, 0, 0, REFUSE(ENOSYS));
#endif
}

bool
filter_make(struct filter *f, const struct filter_opts *o)
{
	struct filter_table t = { 0 };
	struct filter_tree tree;

	f->n = 0;
	f->full = false;
	mark_calls(&t, o);
	head(f);
	filter_tree_begin(f, &t, &tree);
	for (unsigned i = 0; i < FILTER_ACTIONS; i++) {
		if (!tree.used[i])
			continue;
		tree.at[i] = f->n;
		filter_body(f, (enum filter_action)i, o);
	}
	filter_tree_end(f, &tree);
	return !f->full && !t.full;
}
