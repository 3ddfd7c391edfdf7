/*
 * launch/run_hosts.h: rules about hosts, held by the sandbox for code that nobody has read.
 *
 * MUST
 * 1. Refuse what `deny net` names, whatever list or flag opens the network.
 */
#pragma once
#include "gate/judge.h"

/* A host_denied; the context is the decision's input. */
bool run_hosts_denied(void *in, struct str host);
/* The whole network cannot be kept from one host; a list of all hosts can, less private
 * networks and what is not TCP.  CORDON_ENOMEM. */
int run_hosts_hold(
    struct arena *a, const struct decide_input *in, struct sandbox_policy *p);
