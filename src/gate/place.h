/* gate/place.h: the options that say where a command would run, and what they come to. */
#pragma once
#include "gate/judge.h"
#include "os/output.h"

struct place_opts {
	struct str cwd, home, policy, session, mode;
	struct opt_values roots;
	/* Of a command that a hook has rewritten: */
	struct opt_values projects; /* directories that the agent has open */
	struct str agent;           /* HOST:ID of its session */
	bool untrusted;             /* it does not trust the project */
};

/* The current directory; .p == NULL when it is gone. */
struct str here(struct arena *a);
/* Fills cwd, home, roots, PATH, policy, session and mode of *ret.  0, or EXIT_USAGE after a
 * message. */
int place_take(const struct process *cli, struct arena *a, const struct place_opts *o,
    struct judge_request *ret);
/* PATH, and where git's configuration is. */
void place_environment(const struct process *cli, struct judge_request *ret);
/* ask_every_time, use_allowlist, run_everything. */
bool mode_read(struct str name, enum mode *ret);
/* HOST-ID, if somebody keeps rules for this session of an agent's; else .p == NULL. */
struct str place_agent_session(
    struct arena *a, const struct process *cli, struct str home, struct str agent);
