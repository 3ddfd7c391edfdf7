/* broker/state.h: what the broker remembers of one run.  The supervisor embeds it
 * (run/run_internal.h) and sets the fields of the first part. */
#pragma once
#include "base/arena.h"
#include "base/limits.h"
#include "broker/broker.h"
#include "broker/socket/net.h"
#include "confine/plan/plan.h"
#include <sys/stat.h>
#include <time.h>

#define VIOLATIONS_MAX 512
#define REACHED_MAX 256
#define WORKERS_MAX 256
#define EXECS_MAX 256
#define DEFERRED_MAX 1024
#define DROPPED_MAX 1024
#define DROPPED_QUIET_MAX (DROPPED_MAX / 2) /* leaves space for the others */
#define REPOS_MAX 64
#define VACATED_MAX 4096
#define TODOS_MAX 16
/* Files that a pattern hides and that the command created itself: it may read them. */
#define OWN_MAX 1024
/* Inodes that must not be read, so that their other hard links are refused, too. */
#define DENIED_MAX 256
#define TASKS_KNOWN 8
#define UMASK_UNSETTLED (-1)

/* An inode.  The birth time tells it from a later inode with the same number. */
struct inode_id {
	uint64_t dev, ino;
	struct timespec birth;
};

struct watched_exec;  /* exec/exec_gate.h */
struct deferred_exec; /* exec/exec_gate.h */
struct tracked;       /* git/tracked.h */
struct todo;          /* git/git.h */
struct vacated;       /* guard/guard.h */
struct aliases;       /* guard/guard.h */

/* A task that made a call, and its directory in /proc (task.c). */
struct known_task {
	pid_t pid; /* 0: unused */
	int proc;
	mode_t umask;
	bool has_umask;
	uint64_t seen; /* the last call for which its /proc directory was read */
};

/* A hash table of directories that the run created (guard/created.c).  ino == 0 marks a
 * free slot. */
struct created {
	struct inode_id *slots;
	size_t slots_n, n;
};

/* The session that the run has joined. */
struct broker_session {
	pid_t keeper;   /* the process that keeps its namespaces */
	int pidfd;      /* of the keeper */
	int sockets_fd; /* the keeper's descriptor number of the record of bound sockets */
	/* start time of the keeper, in clock ticks since boot; 0: unknown */
	uint64_t began;
};

struct broker {
	/* Set by the supervisor. */
	struct arena *a;
	const struct plan *plan;
	const struct run_policy *policy;
	/* record of vacated paths, kept between runs; NULL: none */
	const char *vacated_file;
	bool wants_session; /* the run asked for a session, whether it has one or not */
	bool in_session;
	struct broker_session session;
	pid_t init;        /* the first process inside, by its PID outside */
	pid_t shared_pgrp; /* process group shared with the process that started cordon */
	int listener;      /* of the seccomp filter */
	int root;          /* the root directory inside */
	int *close_in_worker; /* the reaper waits for this descriptor's end: no worker keeps
				 it */
	struct timespec began; /* CLOCK_REALTIME at the start; no file timestamp is later */
	/* Covers that the mounts put on hidden files and directories. */
	struct stat hidden_file, hidden_directory;
	bool has_hidden;
	/* Landlock ABI < 3 does not cover truncate(2): the supervisor must perform it. */
	bool truncate_unenforced;

	/* Reports: report/. */
	struct violation *violations, *learned, *reached;
	size_t violations_n, learned_n, reached_n;
	uint64_t violations_lost, reached_lost; /* how many did not fit */
	bool learned_more;                      /* some did not fit */
	struct dropped_code *dropped;
	size_t dropped_n, dropped_quiet_n;
	uint64_t dropped_lost;
	/* index + 1 into `dropped`, by hash of path; NULL: empty */
	uint16_t *dropped_slots;
	struct str repos[REPOS_MAX]; /* repositories that the run created */
	size_t repos_n;

	/* Callers: task.c, notify.c. */
	struct known_task tasks[TASKS_KNOWN];
	unsigned tasks_next;
	uint64_t call;       /* ID of the call that is being answered */
	pid_t umask_changes; /* task that is about to change its umask; 0: none */
	int own_fds;         /* /proc/self/fd; -1: not open */
	pid_t workers[WORKERS_MAX];
	size_t workers_n;

	/* Paths: path/. */
	uint64_t stream_mounts[3]; /* mounts of the standard streams; 0: not outside */
	uint8_t *mounts_inside;    /* mounts.c: bit set of mount IDs; NULL: none yet */

	/* Protected names: guard/. */
	struct vacated *vacated;
	size_t vacated_n;
	bool vacated_more;    /* table full: treat every path as vacated */
	struct inode_id *own; /* hidden.c: hidden files that the command created */
	size_t own_n;
	struct {
		uint64_t dev, ino;
	} denied[DENIED_MAX];
	size_t denied_n;
	bool denied_more;             /* table full: refuse every file with several names */
	struct timespec *root_mtimes; /* of each root when denied.c last listed it */
	struct created created;
	struct aliases *aliases; /* NULL: not looked up yet */

	/* git: git/. */
	struct todo *todos;
	size_t todos_n;
	struct tracked *tracked; /* NULL: git has locked no index yet */

	/* The exec gate: exec/. */
	bool started;          /* the command's first exec was seen */
	uint64_t traced_execs; /* judged at entry only */
	char *argv_buf;        /* where argv is read */
	struct str *argv_v;
	struct watched_exec *execs;
	size_t execs_n;
	struct deferred_exec *deferred;
	size_t deferred_n;
	volatile pid_t seizing; /* the process that ptrace(2) waits for; 0: none */
	timer_t seize_timer;
	bool has_seize_timer;

	/* Sockets: socket/. */
	int sockets; /* record of sockets that were bound for the command; -1: not open */
	struct net net;
};
