/* confine/enter_internal.h: inside the room: the steps of enter_apply(), and what they
 * share. */
#pragma once
#include "confine/enter.h"

/* ---- the steps: 0, or a negative errno with e->path set if it is about a path */

int step_sources(struct entering *e);       /* mount.c */
int step_freeze(struct entering *e);        /* mount.c */
int step_private(struct entering *e);       /* mount.c */
int step_mounts(struct entering *e);        /* mount.c */
int step_join(struct entering *e);          /* mount.c */
int step_cwd(struct entering *e);           /* mount.c */
int step_close_private(struct entering *e); /* mount.c */
int step_review_place(struct entering *e);  /* review.c */
int step_review(struct entering *e);        /* review.c */
int step_dev(struct entering *e);           /* dev.c */
int step_proc(struct entering *e);          /* proc.c */
int step_names(struct entering *e);         /* names.c */
int step_loopback(struct entering *e);      /* net.c */
int step_sockets(struct entering *e);       /* net.c */
int step_limits(struct entering *e);        /* limits.c */
int step_keyring(struct entering *e);       /* privilege.c */
int step_descriptors(struct entering *e);   /* privilege.c */
int step_privilege(struct entering *e);     /* privilege.c */
int step_landlock(struct entering *e);      /* landlock.c */
int step_filter(struct entering *e);        /* filter_load.c */

/* ---- mount.c */

/* Make a detached copy of `path`, with attributes set on the whole tree. */
int mount_copy(const char *path, uint64_t attributes);
/* Attach the copy at `path` and close it. */
int mount_place(int *fd, const char *path);
/* Create `path`, and the directories above it that a private directory covers. */
int mount_way(const char *path, bool directory);
/* Mount a tmpfs at `path`. */
int mount_tmpfs(const char *path, unsigned long flags, const char *options);
/* Cover `path` with an inode that has no permission at all. */
int mount_hide(const char *path, bool directory);

/* ---- review.c */

/* Try to mount an overlay with its upper layer there.  0, or a negative errno. */
int review_try(const char *upper);
/* Mount the overlay of the plan's mount `i` at `at`. */
int review_place(struct entering *e, size_t i, int at);

/* ---- proc.c, limits.c */

/* True if a kernel of this release limits the processes of each PID namespace by itself. */
bool proc_has_own_pid_max(struct str release);
/* Processes and threads of a run that asks for no limit: more than ordinary work needs, and
 * fewer than a machine can have. */
#define LIMIT_PROCESSES_DEFAULT 4096

/* ---- streams.c: the standard streams, which lie on mounts of the host */

/* Take the streams over: reopen those that can be reopened inside, refuse those that must
 * not come in. */
int streams_take(struct entering *e);
/* True if any stream lies on a mount of the host. */
bool streams_are_outside(void);
/* The terminal of the streams, in the private /dev. */
#define STREAM_TERMINAL "/dev/console"

/* ---- landlock.c */

/* The Landlock ABI; 0: the kernel has none. */
int landlock_abi(void);
/* The ABI that a run with writes needs. */
#define LANDLOCK_WANTED 2
/* The first ABI that restricts signals. */
#define LANDLOCK_SIGNALS 6
