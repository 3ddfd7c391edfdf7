/*
 * broker/broker.h: system calls that the seccomp filter sends to the supervisor are
 * resolved once, judged on the object that they reach, and then performed or refused.
 *
 * MUST
 * 1. Read the caller's memory once.  Copy names and addresses, resolve them to descriptors
 * in the caller's own view, and judge the path that the kernel reports for those.
 * 2. Never let a call continue in order to enforce something: another thread may change its
 *    arguments meanwhile.  What must be forbidden, the mounts and Landlock forbid as well.
 * 3. Act on the object that was judged, not on its name.
 * 4. Refuse a call that the filter should not have sent.
 */
#pragma once
#include "base/str.h"
#include "decide/decide.h"
#include <sys/types.h>

/* ---- what the run may do: rules, as callbacks */

/* One execve(2) or execveat(2) to be judged. */
struct exec_request {
	struct str file; /* resolved path */
	const struct str *argv;
	size_t argc;
	struct str cwd;
	pid_t pid;
	bool first;  /* the command itself, which was judged before the run */
	bool traced; /* a debugger inside traces it: it can only be judged at entry */
	/* The callback may say why it refuses; valid until it is called again. */
	struct str *ret_why;
};

/* The operation of a call on an object, as it is judged and reported. */
enum run_op {
	RUN_WRITE,
	RUN_CREATE,
	RUN_DELETE,
	RUN_RENAME,
	RUN_LINK,
	RUN_ATTRIBUTE,
	RUN_READ,
	RUN_EXEC,
	RUN_CONNECT,
	RUN_OPS,
};

/* The operation's name in reports: "write", "create", ... */
const char *run_op_name(enum run_op op);

enum run_path_answer {
	RUN_PATH_SILENT,  /* no rule matches the path */
	RUN_PATH_REFUSED, /* *ret_why names the rule; valid until the next call */
	RUN_PATH_LIFTED,  /* a rule allows it, although the name is protected */
};

/* The callbacks and options that a run is judged by.  Each callback gets `ctx`. */
struct run_policy {
	void *ctx;
	/* Judge an exec.  Ask and deny refuse it, confine and allow let it happen.  NULL:
	 * there is no exec gate. */
	enum verdict (*judge)(void *ctx, const struct exec_request *request);
	/* Judge a change of a writable path, or a read.  NULL: there are no such rules. */
	enum run_path_answer (*path)(
	    void *ctx, enum run_op op, struct str path, struct str *ret_why);
	/* True if a read rule names files below this directory by its path: moving the
	 * directory would take them out of the rule's reach.  NULL: there are none. */
	bool (*way)(void *ctx, struct str directory);
	/* True if a rule denies this host, whatever list allows it.  NULL: there are none.
	 */
	bool (*host_denied)(void *ctx, struct str host);
	bool gate_reports;  /* report what the exec gate refuses, and let it happen */
	bool refuse_traced; /* refuse an exec of a process that a debugger inside traces */
	/* Learning: perform writes outside these paths, where the plan lets them happen,
	 * and list them.  NULL: do not learn. */
	const struct str *learn;
	size_t learn_n;
};

/* ---- what is reported of a run */

/* A refusal; also used for a write that was learned, and for a host that was reached. */
struct violation {
	enum run_op op;
	struct str path, program;
	const char *why; /* lives as long as the run; NULL: the mount is read-only */
	uint64_t count;
};

/* A file that the run created or changed and that other programs execute or obey later.
 * Nothing was refused; a person should know. */
struct dropped_code {
	struct str path;
	const char *why;
	bool quiet; /* ordinary work: listed in the JSON report only */
	bool gone;  /* existed before the run and was removed: listed nowhere */
	char *text; /* the memory that holds `path`, and its size */
	size_t size;
};

/* The reason in a violation when git would write a protected file that no commit holds. */
#define BROKER_WHY_NOT_COMMITTED "no earlier commit holds what git would write there"

/* ---- the supervisor's interface; struct broker is in broker/state.h */

struct broker;

/* Allocate the tables, once the fields of the first part are set.  False without memory. */
bool broker_begin(struct broker *br);
/* Close all descriptors. */
void broker_end(struct broker *br);
/* Receive one call from the seccomp listener and answer it. */
void broker_next_call(struct broker *br);
/* Handle a stop or the end of a task that the exec gate traces. */
void exec_stopped(struct broker *br, pid_t pid, int status);
/* Copy a reason into the run's memory.  Returns `other` if it does not fit. */
const char *broker_keep_why(struct broker *br, struct str why, const char *other);
/* Remember the mounts that stdin, stdout and stderr lie on.  Call it before anything is
 * started.  False if the kernel does not report a mount: nothing could be enforced there.
 */
bool target_note_streams(struct broker *br);
/* Read the record of vacated paths that earlier runs left. */
void vacated_load(struct broker *br);
/* After the run: report what makes git run code in repositories that the run created. */
void dropped_sweep_repositories(struct broker *br);
/* Forget all known tasks and close their /proc directories. */
void task_end(struct broker *br);

/* Start the helper process for a list of hosts.  Returns NULL, or why it cannot start. */
const char *net_start(struct broker *br);
/* Read the reports of the helper: hosts that it refused or let be reached. */
void net_read_reports(struct broker *br);
/* End the helper. */
void net_end(struct broker *br);
