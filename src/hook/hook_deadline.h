/*
 * hook/hook_deadline.h: make sure that a hook ends with an answer.
 *
 * Nearly every agent treats no answer, a crash and a late answer as a yes.
 *
 * MUST
 * 1. Have the refusal ready and the timer running before anything can fail.
 * 2. Exit with the refusal on every fault and at the deadline: on an alternate stack, with
 *    async-signal-safe calls.  Block other signals until the answer is written, so that
 *    only SIGKILL ends the process without one.
 * 3. Write exactly one answer: once writing begins, no signal interrupts it.
 */
#pragma once
#include "agents/agents.h"
#include <stdnoreturn.h>
#include <sys/types.h>

/* Deadline if the hook is registered without --deadline. */
#define HOOK_DEADLINE_MS 5000
#define HOOK_DEADLINE_MAX 3600000

/* From here on the process ends with `refusal` or an answer.  The bytes of `refusal` must
 * stay valid. */
void hook_arm(struct agent_bytes refusal);
/* Replace the refusal by a better one, when the agent is known. */
void hook_set_refusal(struct agent_bytes refusal);
void hook_set_deadline(unsigned ms);
/* Milliseconds until the deadline. */
unsigned hook_time_left(void);
/* Set the process group to kill on a fault; 0: none. */
void hook_set_child(pid_t group);

noreturn void hook_refuse(void);
/* Write the answer and exit. */
noreturn void hook_leave(const struct agent_bytes *answer);
