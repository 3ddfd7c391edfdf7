/*
 * hook/hook_guard.h: a hook ends with an answer, whatever happens to it.
 *
 * Nearly every agent takes silence, a crash and a late answer for a yes.
 *
 * MUST
 * 1. Have the bytes of the refusal, and a clock that runs, before anything can fail.
 * 2. Leave with the refusal on every fault, and when the time is over; on a stack of its
 *    own, with calls that are safe there.  Other signals wait until the answer is out, so
 *    that no signal but SIGKILL ends the process without one.
 * 3. Let exactly one answer out: once it begins to leave, no signal interrupts.
 */
#pragma once
#include "agents/agents.h"
#include <stdnoreturn.h>
#include <sys/types.h>

/* How long a hook may think when nobody says how long its host waits. */
#define GUARD_MS 5000
#define GUARD_MS_MOST 3600000

/* From here on the process ends with `refusal`, or an answer.  Its bytes must stay. */
void guard_arm(struct agent_bytes refusal);
/* A better refusal, now that more is known. */
void guard_refusal(struct agent_bytes refusal);
void guard_deadline(unsigned ms);
/* Milliseconds until the deadline. */
unsigned guard_left(void);
/* A process group that must not outlive this one; 0: none. */
void guard_child(pid_t group);

noreturn void guard_refuse(void);
/* Returns only to be able to say so to the compiler: it does not. */
noreturn void guard_leave(const struct agent_bytes *answer);
