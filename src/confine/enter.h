/*
 * confine/enter.h: apply the plan to the calling process.
 *
 * MUST
 * 1. Stop the run when a step fails: the command is never started with less.
 * 2. Keep the steps in one table, in the order in which they run; an earlier step may need
 *    what a later one forbids.
 * 3. Leave nothing open that the caller had open, except 0, 1, 2 and the control socket.
 * 4. Load the filter last, and send its listener with the report.
 */
#pragma once
#include "confine/plan/plan.h"
#include <sys/types.h>

#define ENTER_CONTROL 3 /* descriptor number of the control socket */
/* The port on which the proxy listens inside, above the kernel's ephemeral ports. */
#define ENTER_PROXY_PORT 61053

enum enter_socket {
	ENTER_NAMES, /* DNS */
	ENTER_PROXY,
	ENTER_SOCKETS,
};

/* Messages that the process inside reports to the supervisor, one message each. */
enum enter_kind {
	ENTER_FAILED, /* a step failed: step, error, path */
	ENTER_UPPER,  /* the overlay's upper layer, as a descriptor */
	ENTER_SOCKET, /* a socket for a list of hosts; status is its enum enter_socket */
	ENTER_READY,  /* confined; status is the Landlock ABI, the listener is attached if
			 there  is one */
	ENTER_NOT_STARTED, /* exec of the command failed: error */
	ENTER_ENDED,       /* status of the command, number of processes of the tree */
	ENTER_LOST,        /* the process was killed before it got its argv */
};

struct enter_report {
	int32_t kind;
	int32_t step, error;
	int32_t status;
	uint32_t processes;
	uint32_t left;            /* in a session: other processes of the tree continue */
	uint64_t cpu_us, max_rss; /* in a session */
	char path[200];           /* the path that it is about, truncated */
};

/* The steps of the plan to apply. */
enum enter_part {
	ENTER_WHOLE,
	ENTER_SESSION, /* what the runs of a session share */
	ENTER_JOIN,    /* what a run adds when it joins a session; nothing is reported */
	ENTER_PREJOIN, /* the same without its mounts and its working directory */
	ENTER_LAST,    /* the working directory; nothing is reported */
	ENTER_COMMAND, /* restrictions applied to the command but not to its reaper */
	ENTER_BARE,    /* what is left without namespaces; nothing is reported */
};

struct entering {
	const struct plan *plan;
	enum enter_part part;
	struct str session_paths; /* ENTER_JOIN: "wPATH" is writable in the session, "rPATH"
				     is not */
	bool differs;             /* the plan's writable paths are not the session's */
	int control;
	int *sources;  /* a detached copy of each mount's tree, or -1 */
	int covers[2]; /* the first mount over a hidden file, and directory, or -1 */
	bool root;     /* the user ID is 0 */
	int listener;  /* of the filter; -1: none */
	int landlock;  /* the Landlock ABI in use; 0: none */
	const char *path;
	struct arena *a; /* for an argv that comes later; NULL: none will */
	bool has_argv;   /* argv came */
};

/* The namespaces that the process is to be started in, as flags of clone(2). */
unsigned long enter_namespaces(const struct plan *plan);
/* In the supervisor: write the user and group maps of `pid`.  0, or a negative errno. */
int enter_map_users(pid_t pid);

/* In the first process inside: run the steps of e->part.  On failure report it and exit. */
void enter_apply(struct entering *e);
/* True if both plans give a process the same rights, filter and limits, provided that their
 * writable paths are the same. */
bool enter_is_same(const struct plan *x, const struct plan *y);
/* The name of a step, for messages. */
const char *enter_step_name(int step);
/* The field that a step enforces. */
enum plan_field enter_step_field(int step);
/* Advice for a person when a step fails with `error`. */
const char *enter_step_advice(int step, int error);
/* True if the step failed because namespaces, or mounts in them, are not available here.  A
 * step below 0 stands for the namespaces themselves. */
bool enter_needs_namespaces(int step, int error);
/* Print one line for each step of `part`: made, failed (`failed` below 0: none), not tried.
 */
void enter_print(enum enter_part part, int failed, struct buf *out);

/* Send a report to the supervisor, with `fd` unless it is -1. */
bool enter_send(int control, const struct enter_report *report, int fd);
/* Receive a report; *ret_fd is -1 if none was attached.  False at end of file or on error.
 */
bool enter_receive(int control, struct enter_report *report, int *ret_fd);

/* limits.c: how many processes the tree may have; 0 without namespaces, where the kernel
 * counts all processes of the user. */
uint64_t limit_processes(const struct plan *plan);
/* privilege.c: drop all capabilities of this process. */
bool privilege_clear(void);
/* streams.c: true if the stream lies on a mount of the host. */
bool stream_is_outside(int fd);
/* True if both descriptors refer to the same file, on whatever mounts. */
bool stream_is_same(int x, int y);

/* The first Landlock ABI that covers truncate(2). */
#define LANDLOCK_TRUNCATION 3
