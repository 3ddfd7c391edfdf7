/*
 * run/session/session.h: runs that share namespaces.
 *
 * Runs of one session share a private /tmp, loopback, background jobs and the caches of
 * build tools.  A keeper holds the namespaces: one process outside, which keeps them by
 * descriptors, and the first process inside.  A run that joins only adds what is its own:
 * its limits, rights, filter and supervisor.
 *
 * MUST
 * 1. Join only a session that was started for the same roots with the same read boundary;
 *    otherwise the run stands alone, and says so.  A run's writable paths are its own: if
 *    they are not the session's, it changes a copy of the mounts, which no other run sees.
 * 2. End a run's processes with its supervisor and with its reaper, whatever ends those,
 *    and no other run.  What is running when the command has exited by itself stays, under
 *    supervision, until the session ends; not when the command was killed, timed out or was
 *    sent SIGTERM.
 * 3. Let the session end with its keeper, whatever ends that: no process, mount or file of
 *    it stays.
 *
 * A session is a file NAME in a directory of the user: its keeper, and its policy.
 */
#pragma once
#include "confine/plan/plan.h"
#include <sys/types.h>

/* A session ends after so long without a process in it and without a new run. */
#define SESSION_IDLE_MS ((uint64_t)30 * 60 * 1000)

struct session_ref {
	/* $XDG_RUNTIME_DIR/cordon or $XDG_STATE_HOME/cordon; created if needed */
	const char *dir;
	struct str name;  /* letters, digits, - and _ */
	uint64_t idle_ms; /* 0: SESSION_IDLE_MS */
};

enum session_how {
	SESSION_NONE,    /* the run asked for no session */
	SESSION_STARTED, /* it was started, and joined */
	SESSION_JOINED,
	SESSION_ALONE, /* the run stands alone; `why` says it */
};

struct session_answer {
	enum session_how how;
	const char *why; /* static text */
};

/* The roots that the session was started with; 0 if there is no such session. */
size_t session_roots(struct arena *a, const struct session_ref *p, struct str **ret);
/* End the session and wait for that; false if there is none. */
bool session_stop(const struct session_ref *p);
/* The environment of a run in a session: caches of build tools are in its /tmp where the
 * usual ones cannot be written.  NULL without memory. */
char **session_env(struct arena *a, char *const *envp, const struct plan *plan);

/* ---- the parts, for this room */

/* Namespaces, by descriptor number of the keeper. */
enum session_ns { NS_USER, NS_MNT, NS_IPC, NS_UTS, NS_CGROUP, NS_NET, NS_PID, NS_COUNT };
#define SESSION_FD_FIRST 10
/* The keeper's descriptor of the root directory inside. */
#define SESSION_FD_ROOT (SESSION_FD_FIRST + NS_COUNT)
/* The keeper's record of sockets that runs have bound (broker/socket/sockets.c). */
#define SESSION_FD_SOCKETS (SESSION_FD_ROOT + 1)

struct session {
	int file; /* open and locked while somebody joins or starts it */
	int ns[NS_COUNT];
	pid_t keeper;
	uint64_t began;
	struct str writable; /* see session_writable() */
	bool differs;        /* from the run's writable paths */
	int keeper_fd;       /* pidfd of the keeper */
	struct str text;     /* session_read(): the key, followed by `writable` */
};

#define SESSION_NOT_OPEN                                                                   \
	{                                                                                  \
		.file = -1, .ns = { -1, -1, -1, -1, -1, -1, -1 }, .keeper_fd = -1          \
	}

struct supervisor;
/* Open the session, ready to be joined.  False: the run stands alone, and
 * s->result->session says why. */
bool session_open(struct supervisor *s, struct session *ret);
void session_close(struct session *x);
/* Lock the session's file unless somebody else is joining; create nothing. */
bool session_lock(const struct session_ref *p, struct session *ret);
/* Read the session's file.  True, with its descriptors open, if the session exists. */
bool session_read(struct arena *a, struct session *x);
/* The path in /proc of the keeper's descriptor `number`. */
#define SESSION_PATH 96
void session_kept_path(const struct session *x, int number, char *buf, size_t n);
/* Check that each path of the plan is the same inode in the session (s->br.root).  Returns
 * NULL, or why not. */
const char *session_check_paths(struct supervisor *s);
/* The roots in a key. */
size_t session_key_roots(struct arena *a, struct str key, struct str **ret);
/* session_file.c: the text that two equal sessions share; .p == NULL without memory. */
struct str session_key(struct arena *a, const struct plan *plan);
/* The paths that a plan makes writable, "wPATH", and those in them that it closes, "rPATH",
 * one per line. */
struct str session_writable(struct arena *a, const struct plan *plan);
bool session_write(int fd, pid_t keeper, struct str key, struct str writable);
/* True if the file names this keeper. */
bool session_is_held(int fd, pid_t keeper);
/* Start time of the process in clock ticks since boot; 0: there is none. */
uint64_t session_began(pid_t pid);
/* ns_keeper.c: start a keeper and wait until the session exists.  Returns its PID, or 0
 * with the report filled. */
struct enter_report;
pid_t ns_keeper_start(struct supervisor *s, const struct session *x, const char *path,
    struct str key, struct enter_report *ret);
/* joined.c: like clone(2); returns 0 in the process that has joined. */
pid_t join_clone(struct session *x, int *ret_pidfd);
struct entering;
/* In the new process: start the command, reap its tree, kill it when the supervisor is
 * gone.  `tmp`: there is no session, and the tree ends with the command; remove that
 * directory then (it may be empty: none).  NULL: in a session.  `argv` NULL: prejoin.h
 * brings it. */
_Noreturn void join_reap(
    struct entering *e, char *const *argv, char *const *envp, const char *tmp);
/* Kill all children until there are none; what they leave becomes our child in turn.  Do
 * not wait for one alone: a process with a traced thread ends only after its tracer, which
 * may be a child that comes to us meanwhile.  `session`: kill everything in the PID
 * namespace when they fork too fast. */
void join_end_children(bool session);
/* In the supervisor: the command has ended, other processes of its tree continue.  Fork a
 * process that stays with them. */
void join_leave(struct supervisor *s);
/* In the supervisor: the reaper was killed, so its children went to the first process of
 * the session.  Have them killed, and wait for that. */
void join_end_orphans(struct supervisor *s);
/* Signal to the keeper, and from it to the first process: kill your children. */
#define SESSION_END_ORPHANS SIGUSR1
