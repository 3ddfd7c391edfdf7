/* gate/place.h: --cwd, --root, --policy and the like → a judge_request. */
#pragma once
#include "gate/judge.h"
#include "os/output.h"

struct place_opts {
	struct str cwd, home, policy, session, mode;
	struct opt_values roots;
	/* Set by a hook that rewrote the command: */
	struct opt_values projects; /* folders open in the agent */
	struct str agent;           /* AGENT:ID of its conversation */
	bool untrusted;             /* the agent does not trust the project */
};

/* Return the current directory; .p == NULL if it was removed. */
struct str place_here(struct arena *a);
/* Fill cwd, home, roots, PATH, policy, session and mode of *ret.  Return 0, or EXIT_USAGE
 * after printing a message. */
int place_take(const struct process *cli, struct arena *a, const struct place_opts *o,
    struct judge_request *ret);
/* Read PATH and the variables that select a git configuration. */
void place_environment(const struct process *cli, struct judge_request *ret);
/* Parse ask_every_time, use_allowlist or run_everything. */
bool place_mode_read(struct str name, enum mode *ret);
/* Return the session name AGENT-ID if rules for this conversation exist; else .p == NULL.
 */
struct str place_agent_session(
    struct arena *a, const struct process *cli, struct str home, struct str agent);
