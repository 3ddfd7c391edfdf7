/*
 * run/session/session.h: a session is one place.
 *
 * Runs of one session share their namespaces: a private /tmp, loopback, background jobs,
 * the caches of build tools.  A holder keeps them: one process outside, which knows them by
 * descriptors, and the first process inside.  A run that joins makes nothing anew but what
 * is its own: its limits, its rights, its filter and its supervisor.
 *
 * MUST
 * 1. Join only a place that was made for the same roots with the same reading; else the run
 *    stands alone, and says so.  What the run may write is its own: where that is not what
 *    the place has, it changes a copy of the mounts, which no other run sees.
 * 2. End a run's processes with its supervisor and with its reaper, whatever ends those,
 *    and no other run.  What is running when the command has exited by itself stays, under
 *    supervision, until the session ends; not when the command was killed, timed out or
 *    was sent SIGTERM.
 * 3. Let the session end with its holder, whatever ends that: no process, mount or file of
 *    it stays.
 *
 * A place is a file NAME in a directory of the user's: who holds it, and by which policy.
 */
#pragma once
#include "confine/plan/plan.h"
#include <sys/types.h>

/* Without anything running in it and without a new run for so long, a place ends. */
#define SESSION_IDLE_MS ((uint64_t)30 * 60 * 1000)

struct session_place {
	const char *dir; /* $XDG_RUNTIME_DIR/cordon or $XDG_STATE_HOME/cordon; it is made */
	struct str name; /* letters, digits, - and _ */
	uint64_t idle_ms; /* 0: SESSION_IDLE_MS */
};

enum session_how {
	SESSION_NONE,    /* the run asked for no session */
	SESSION_STARTED, /* its place was made, and joined */
	SESSION_JOINED,
	SESSION_ALONE, /* it stands alone; `why` says it */
};

struct session_answer {
	enum session_how how;
	const char *why; /* static text */
};

/* The roots that the session was started with; 0 when there is no such place. */
size_t session_roots(struct arena *a, const struct session_place *p, struct str **ret);
/* Ends it and waits for that; false when there is none. */
bool session_stop(const struct session_place *p);
/* The environment of a run in it: caches of build tools lie in its /tmp where the usual
 * ones cannot be written.  NULL without memory. */
char **session_env(struct arena *a, char *const *envp, const struct plan *plan);

/* ---- the parts, for this room */

/* Namespaces that a holder keeps, under these numbers of its descriptors. */
enum session_ns { NS_USER, NS_MNT, NS_IPC, NS_UTS, NS_CGROUP, NS_NET, NS_PID, NS_COUNT };
#define SESSION_FD_FIRST 10
/* And the root directory inside. */
#define SESSION_FD_ROOT (SESSION_FD_FIRST + NS_COUNT)
/* And the notes of sockets that its runs have bound (sockets.c). */
#define SESSION_FD_SOCKETS (SESSION_FD_ROOT + 1)

struct session {
	int file; /* open and locked while somebody joins or makes it */
	int ns[NS_COUNT];
	pid_t holder;
	uint64_t began;
	struct str writable; /* see session_writable() */
	bool differs;        /* from what the run may write */
	int keeper;          /* the same, as a descriptor */
	struct str text;     /* session_read(): the key, and behind it `writable` */
};

#define SESSION_NO_PLACE                                                                   \
	{                                                                                  \
		.file = -1, .ns = { -1, -1, -1, -1, -1, -1, -1 }, .keeper = -1             \
	}

struct supervisor;
/* The place, ready to be joined; false: the run stands alone, s->result->session says why.
 */
bool session_open(struct supervisor *s, struct session *ret);
void session_close(struct session *x);
/* The file of one that nobody else is joining; nothing is made for it. */
bool session_lock(const struct session_place *p, struct session *ret);
/* What the file says: true, and the descriptors are open, when the place stands. */
bool session_read(struct arena *a, struct session *x);
/* The path of what its holder keeps under this number. */
#define SESSION_PATH 96
void session_kept_path(const struct session *x, int number, char *room, size_t n);
/* Each path of the plan is in the place (s->root) what it is outside: NULL, or why not. */
const char *session_check_paths(struct supervisor *s);
/* The roots that a key names. */
size_t session_key_roots(struct arena *a, struct str key, struct str **ret);
/* session_file.c: what makes two places the same, as text; .p == NULL without memory. */
struct str session_key(struct arena *a, const struct plan *plan);
/* What can be written in the place that a plan makes, "wPATH", and what in it is closed,
 * "rPATH": a line for each. */
struct str session_writable(struct arena *a, const struct plan *plan);
bool session_write(int fd, pid_t holder, struct str key, struct str writable);
/* The file names this holder. */
bool session_is_held(int fd, pid_t holder);
/* When the process began, as the kernel counts; 0: there is none. */
uint64_t session_began(pid_t pid);
/* holder.c: starts one and waits until it stands; its pid, or 0 with the report filled. */
struct enter_report;
pid_t holder_start(struct supervisor *s, const struct session *x, const char *path,
    struct str key, struct enter_report *ret);
/* joined.c: as clone(); 0 in the process that has joined. */
pid_t join_clone(struct session *x, int *ret_pidfd);
struct entering;
/* Inside: starts the command, buries its tree, ends it when the supervisor is gone.  `tmp`:
 * there is no place, the tree ends with the command and that directory (which may be empty:
 * none) with the tree; NULL: in a session.  `argv` NULL: ahead.h brings the words. */
_Noreturn void reap_joined(
    struct entering *e, char *const *argv, char *const *envp, const char *tmp);
/* Kill all children until none is there; what they leave becomes our child in turn.  Do not
 * wait for one alone: a process with a traced thread ends only after its tracer, and that
 * may be a child which comes to us meanwhile.  `session`: kill everything in the pid
 * namespace when they fork too fast. */
void join_end_children(bool session);
/* Outside: the command has ended, others of its tree go on.  A process of our own stays
 * with them. */
void join_leave(struct supervisor *s);
/* Outside: the reaper was killed, so that its children went to the first process of the
 * session.  Have them ended, and wait for that. */
void join_end_orphans(struct supervisor *s);
/* To the holder, and from it to the first process: end your children. */
#define SESSION_END_ORPHANS SIGUSR1
