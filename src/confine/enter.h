/*
 * confine/enter.h: the plan, applied to the process that calls.
 *
 * MUST
 * 1. Every step that fails stops the run: the command is never started with less.
 * 2. The steps stand in one list, in the order in which they are made; what a later
 *    step forbids an earlier one may still need.
 * 3. Nothing that the caller had open stays open but 0, 1, 2 and the control socket.
 * 4. The filter comes last, and its listener leaves with the report.
 */
#pragma once
#include "confine/plan/plan.h"
#include <sys/types.h>

#define ENTER_CONTROL 3 /* where the control socket is kept */
/* Where the proxy listens inside: above what the kernel gives out by itself. */
#define ENTER_PROXY_PORT 61053

enum enter_socket {
	ENTER_NAMES, /* questions for names */
	ENTER_PROXY,
	ENTER_SOCKETS,
};

/* What the process inside tells the supervisor, one message each. */
enum enter_kind {
	ENTER_FAILED, /* a step failed: step, error, path */
	ENTER_UPPER,  /* where writes go that are looked at first: a descriptor */
	ENTER_SOCKET, /* one of the sockets for a list of hosts: status says which */
	ENTER_READY,  /* confined: status is Landlock's ABI, the listener comes along if
			 there is one */
	ENTER_NOT_STARTED, /* the command could not be started: error */
	ENTER_ENDED,       /* status is the command's, processes what the tree had */
	ENTER_LOST,        /* who waited for words was killed before they came */
};

struct enter_report {
	int32_t kind;
	int32_t step, error;
	int32_t status;
	uint32_t processes;
	uint32_t left;            /* in a session: others of the tree go on */
	uint64_t cpu_us, max_rss; /* in a session */
	char path[200];           /* what it was about, cut where it is longer */
};

/* What of the plan is made. */
enum enter_part {
	ENTER_WHOLE,
	ENTER_PLACE,   /* what runs of a session share */
	ENTER_JOIN,    /* what a run adds that joins one; nothing is reported */
	ENTER_AHEAD,   /* the same without its mounts and its directory */
	ENTER_LAST,    /* the directory; nothing is reported */
	ENTER_COMMAND, /* what holds the command itself, and not who buries it */
	ENTER_BARE,    /* what is left without namespaces; nothing is reported */
};

struct entering {
	const struct plan *plan;
	enum enter_part part;
	struct str place; /* ENTER_JOIN: "wPATH" can be written there, "rPATH" is closed */
	bool differs;     /* and what the plan lets be written is not the same */
	int control;
	int *sources;  /* a detached copy of each mount's tree, or -1 */
	int covers[2]; /* the first mount over a hidden file, and directory, or -1 */
	bool root;     /* the user is 0 */
	int listener;  /* -1: none */
	int landlock;  /* the ABI that holds it; 0: none */
	const char *path;
	struct arena *a; /* for words that come later; NULL: none will */
	bool has_words;  /* they came */
};

/* The namespaces that the process is to be started in, for clone(). */
unsigned long enter_namespaces(const struct plan *plan);
/* Outside: who is who inside.  0, or a negative errno. */
int enter_map_users(pid_t pid);

/* Inside, as the first of its pid namespace: all of the plan.  Does not return on failure:
 * it reports and exits. */
void enter(struct entering *e);
/* Two plans for which a process is held by the same rights, filter and limits, if what can
 * be written is the same. */
bool enter_is_same(const struct plan *x, const struct plan *y);
/* For messages: the name of a step, which field it holds, and what a person can do. */
const char *enter_step_name(int step);
enum plan_field enter_step_field(int step);
const char *enter_step_advice(int step, int error);
/* It failed because namespaces, or mounts in them, are not to be had here.  A step below 0:
 * the namespaces themselves. */
bool enter_needs_namespaces(int step, int error);
/* One line for each step of `part`: made, or the one that failed (`failed` below 0: none),
 * or not tried. */
void enter_print(enum enter_part part, int failed, struct buf *out);

/* To the supervisor; `fd` goes along unless it is -1. */
bool enter_send(int control, const struct enter_report *report, int fd);
/* From inside; *ret_fd is -1 if none came.  False at the end or on error. */
bool enter_receive(int control, struct enter_report *report, int *ret_fd);

/* ---- the steps: 0, or a negative errno with e->path set if it is about one */

int step_sources(struct entering *e); /* mount.c */
int step_freeze(struct entering *e);
int step_private(struct entering *e);
int step_mounts(struct entering *e);
int step_join(struct entering *e);
int step_cwd(struct entering *e);
int step_close_private(struct entering *e);
int step_review_place(struct entering *e); /* review.c */
int step_review(struct entering *e);
int step_dev(struct entering *e);  /* dev.c */
int step_proc(struct entering *e); /* proc.c */
/* A kernel of this release counts each pid namespace's processes by itself. */
bool proc_has_own_pid_max(struct str release);
int step_names(struct entering *e);    /* names.c */
int step_loopback(struct entering *e); /* net.c */
int step_sockets(struct entering *e);
int step_limits(struct entering *e); /* limits.c */
/* Processes and threads of a run that asks for no limit: more than ordinary work has, and
 * less than a machine. */
#define LIMIT_PROCESSES_DEFAULT 4096
/* What the tree may have, without namespaces: 0, for there all of the user's count. */
uint64_t limit_processes(const struct plan *plan);
int step_keyring(struct entering *e); /* privilege.c */
int step_descriptors(struct entering *e);
/* streams.c: they come from outside, and lie on its mounts.  `e` is where they are taken
 * in: what has to be is replaced, what cannot be had is refused. */
int streams_take(struct entering *e);
bool stream_is_outside(int fd);
bool streams_are_outside(void);
/* The same file, on whatever mounts. */
bool stream_is_same(int x, int y);
/* The terminal of the streams, in a /dev of our own. */
#define STREAM_TERMINAL "/dev/console"
int step_privilege(struct entering *e);
/* Drop all capabilities of this process. */
bool privilege_clear(void);
int step_landlock(struct entering *e); /* landlock.c */
int step_filter(struct entering *e);   /* filter_load.c */

/* mount.c, for the steps: a detached copy of `path`, with attributes set on all of it. */
int mount_copy(const char *path, uint64_t attributes);
/* Puts it at `path`, and closes it. */
int mount_place(int *fd, const char *path);
/* Directories on the way to `path` that a private directory covers, and itself. */
int mount_way(const char *path, bool directory);
int mount_tmpfs(const char *path, unsigned long flags, const char *options);
/* Covers it with something that has no permission at all. */
int mount_hide(const char *path, bool directory);
/* review.c: an overlay can have its upper layer there.  0, or a negative errno. */
int review_try(const char *upper);
/* The plan's mount `i` at `at`, under an overlay. */
int review_place(struct entering *e, size_t i, int at);

/* 0: the kernel has none. */
int landlock_abi(void);
/* What a run that writes needs of it; and from where on it holds truncation, which before
 * no name is left to the caller for. */
#define LANDLOCK_WANTED 2
#define LANDLOCK_TRUNCATION 3
#define LANDLOCK_SIGNALS 6
