/* run/run_internal.h: inside the room: the supervisor of one run. */
#pragma once
#include "broker/state.h"
#include "confine/cgroup.h"
#include "confine/enter.h"
#include "os/clock.h"
#include "os/fd.h"
#include "os/file.h"
#include "os/sys.h"
#include "run/run.h"
#include "run/session/prenamespace.h"
#include "run/session/session.h"
#include <termios.h>

#define TERMINALS 3 /* standard streams that can be a terminal */

struct output_state; /* output.c */
struct stall;        /* stall.c */

struct supervisor {
	struct broker br; /* what the calls of the command need */
	const struct run_request *q;
	struct run_result *result;
	int pidfd;   /* of br.init */
	int control; /* socket to the first process inside; reports come from it */
	int signals; /* signalfd */
	int tmp;     /* /tmp inside, to see that it was full; -1: none */
	uint64_t began_ms;
	uint64_t deadline_ms, kill_ms; /* 0: none */
	uint64_t watched_ms;           /* when watch.c last measured the tree */
	unsigned turns;                /* of the loop */
	bool busy;                     /* the last turn had something to do */
	struct stall *stall;           /* NULL: no such thread */
	_Atomic unsigned turn;         /* of the loop; odd while it does something */
	bool termed;                   /* SIGTERM was sent to us */
	struct {
		bool is;
		struct termios modes;
	} terminal[TERMINALS]; /* as they were at the start */
	int output[2]; /* pipes for the command's stdout and stderr, until it starts; -1:
			  none */
	uint64_t output_limit;
	struct output_state *output_state;
	pid_t copier;
	bool ended;         /* the final report has arrived */
	bool lost;          /* that report says that nothing was started */
	bool left;          /* other processes of the tree continue after the command */
	bool prenamespaced; /* its namespaces and their user maps were made before */
	struct session session;
	struct cgroup group; /* .path is empty: none */
	int no_namespaces; /* the errno with which namespaces were refused; 0: they were not
			    */
	struct plan bare;  /* the plan that is applied then */
	char bare_tmp[32]; /* and its own /tmp directory; empty: none */
};

/* ---- start.c */

/* Start the command.  False, with the result filled, if it cannot be started. */
bool supervisor_start(struct supervisor *s);
/* Retry supervisor_start() after the first process died before exec. */
bool supervisor_restart(struct supervisor *s);
/* Record why the run was not started.  Returns false. */
bool not_started(
    struct supervisor *s, enum plan_field field, const struct str *parts, size_t n);
#define NOT_STARTED(s, field, ...)                                                         \
	not_started((s), (field), (const struct str[]){ __VA_ARGS__ },                     \
	    sizeof((const struct str[]){ __VA_ARGS__ }) / sizeof(struct str))
/* In the first process that a helper has made: confine it and run.  Never returns. */
_Noreturn void start_first(struct supervisor *s, const int *pair);
/* Wait until the process inside has confined itself.  False: it failed, and the result says
 * why. */
bool start_wait_ready(struct supervisor *s);
/* The process inside is confined, with this version of Landlock. */
void start_ready(struct supervisor *s, int abi);
/* Record the step that failed.  Returns false. */
bool start_explain(struct supervisor *s, const struct enter_report *r);
/* Find the covers of hidden files in the root inside. */
void start_find_hidden(struct supervisor *s);
/* The run is in its session: tell the broker. */
void start_in_session(struct supervisor *s, bool joined);
/* In the new process: block all signals. */
void start_no_signals(void);
/* Why there are no namespaces, and what a person can do. */
const char *start_why_no_namespaces(int error);

/* ---- bare.c: a run without namespaces */

/* Start the command without namespaces, if every field can be enforced so. */
bool bare_start(struct supervisor *s);
/* At the end: kill processes that were left, and remove the private directory. */
void bare_end(struct supervisor *s);
/* Remove the private directory `tmp` with everything in it. */
void bare_remove(const char *tmp);

/* ---- reaper.c: the first process inside */

/* Start the command, reap the tree, exit with the command. */
_Noreturn void reaper_run(int control, char *const *argv, char *const *envp);
/* In the child: exec the command. */
_Noreturn void reaper_exec(int control, char *const *argv, char *const *envp);
/* How many processes the PID namespace has had. */
uint32_t reaper_count(void);
/* Send a signal to the command; continue it if it is stopped and must end. */
void reaper_forward(pid_t child, int sig);
/* Overwrite the reaper's argv so `pkill -f COMMAND` inside does not match it. */
void reaper_hide_argv(void);

/* ---- loop.c */

/* Serve the command until its tree has ended. */
void supervisor_loop(struct supervisor *s);
/* One turn of the loop.  Waits at most `wait` ms (-1: until the next limit).  True at the
 * end. */
bool supervisor_turn(struct supervisor *s, int wait);
/* Kill the tree. */
void supervisor_kill_tree(struct supervisor *s);

/* ---- stall.c: kills the tree when the loop is stuck after a signal or the deadline */

/* Start the thread, or let it continue.  False without memory or descriptors. */
bool stall_begin(struct supervisor *s);
/* No call of the command can come any more: the thread may end meanwhile. */
void stall_stop(struct supervisor *s);
/* Wait for the thread. */
void stall_end(struct supervisor *s);

/* ---- watch.c: limits of the whole tree */

/* Measure the tree and kill it beyond a limit.  Called in every turn; acts when it is time.
 */
void watch_tree(struct supervisor *s);
/* Report that /tmp is full. */
void watch_tmp(struct supervisor *s);
/* The interval in ms; 0: never. */
uint64_t watch_every(const struct supervisor *s);

/* ---- output.c: a limit on what the command prints */

/* Before anything is started.  False without descriptors or memory. */
bool output_begin(struct supervisor *s, uint64_t limit);
/* In the process that becomes the command: take the pipes as stdout and stderr. */
bool output_take(struct supervisor *s);
/* In the supervisor, once that process exists: close the pipes. */
void output_started(struct supervisor *s);
/* When the tree has ended: wait for the rest. */
void output_end(struct supervisor *s);

/* ---- terminal.c */

/* Save the modes of each standard stream that is a terminal. */
void terminal_save(struct supervisor *s);
/* Restore the modes that the command has changed. */
void terminal_restore(struct supervisor *s);
