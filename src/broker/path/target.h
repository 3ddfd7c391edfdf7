/* broker/path/target.h: the object that a path or descriptor of the caller leads to. */
#pragma once
#include "broker/call.h"

struct target {
	int parent; /* the directory that holds `name`; -1 when `object` is set */
	int object; /* the object that a magic link or descriptor leads to; -1: none */
	char name[256];
	char path[LIMIT_PATH]; /* as the kernel reports it */
	size_t path_n;
	bool exists;
	bool slash;     /* the path ended with a slash: a directory is meant */
	struct stat st; /* when it exists */
	const struct plan_name *agreed; /* the approval that covers it; NULL: none */
};

enum target_flags {
	TARGET_FOLLOW = 1, /* follow a symlink in the last component */
};

/* Returned instead of EACCES for a link of another process in /proc: without a PID
 * namespace only the caller's own links are followed. */
#define TARGET_OTHER_PROCESS EREMCHG

#define cleanup_target __attribute__((cleanup(target_close)))
#define TARGET_NONE ((struct target){ .parent = -1, .object = -1 })

static inline struct str
target_path(const struct target *t)
{
	return str_of(t->path, t->path_n);
}

/* ---- resolving: target.c */

/* Resolve a path of the task.  Returns 0, or a positive errno with nothing left open. */
int target_find(struct broker *br, pid_t pid, int dirfd, const char *text, unsigned flags,
    struct target *ret);
/* The same, with the `resolve` flags of openat2(2). */
int target_find_how(struct broker *br, pid_t pid, int dirfd, const char *text,
    unsigned flags, uint64_t resolve, struct target *ret);
/* The object that the task's descriptor `fd` refers to. */
int target_from_fd(struct broker *br, pid_t pid, int fd, struct target *ret);
/* Close its descriptors. */
void target_close(struct target *t);

/* target_plain.c: resolve a path without symlinks.  False: it may have some. */
bool target_plain(
    struct broker *br, pid_t pid, int dirfd, const char *text, struct target *ret);
/* target_walk.c: resolve any path, component by component. */
int target_walk(struct broker *br, pid_t pid, int dirfd, const char *text, unsigned flags,
    uint64_t resolve, struct target *ret);
/* Open the directory that the path starts at.  Returns a negative errno on failure. */
int target_base(struct broker *br, pid_t pid, int dirfd);
/* Make `t` the entry `name` of its parent. */
int target_set_name(struct broker *br, struct target *t, struct str name);
/* Make `t` the object `fd`, and own `fd`. */
int target_set_object(struct broker *br, struct target *t, int fd);
/* Reopen its directory by its path inside: a descriptor that was passed in may reach it
 * through a mount of the host, where more can be written.  0, or a positive errno. */
int target_reopen_inside(struct broker *br, struct target *t);

/* ---- questions */

/* True if the open file has a name, but not the one that it was opened by. */
bool target_is_lost(struct broker *br, int fd);
/* True if both descriptors refer to the same inode on the same mount. */
bool target_same(int x, int y);
/* True if both descriptors are on the same mount. */
bool target_same_mount(int x, int y);
/* True if something is mounted on it. */
bool target_is_mount(const struct target *t);
/* True if it lies on a mount of the host that came in with a standard stream, of this run
 * or of another. */
bool target_is_outside(struct broker *br, int fd);
/* True if it is a standard stream that was passed in for writing (/dev/stderr). */
bool target_is_stream(const struct broker *br, int fd, uint64_t flags);
/* mounts.c: true if the mount with this ID is one of the sandbox's own. */
bool mount_is_inside(struct broker *br, uint64_t id);

/* ---- what statx(2) reports beyond stat(2) */

/* The ID of its mount; false if the kernel does not report it. */
bool file_mount(int fd, uint64_t *ret);
/* The birth time; false if the file system has none. */
bool file_birth(int dir, const char *name, struct timespec *ret);
/* The identity of an inode; false if the file system has no birth time. */
bool file_id(int dir, const char *name, struct inode_id *ret);
