/*
 * launch/deny_hosts.h: enforce rules about hosts in the sandbox, for code that was not
 * analysed.
 *
 * MUST
 * 1. Refuse the hosts that `deny net` names, whatever list or flag opens the network.
 */
#pragma once
#include "gate/judge.h"

/* Replace full network access by the host list `*` if a rule denies a host: only a list can
 * exclude hosts.  The list excludes private networks and everything but TCP.  Return 0 or
 * CORDON_ENOMEM. */
int launch_deny_hosts(
    struct arena *a, const struct decide_input *in, struct sandbox_policy *p);
