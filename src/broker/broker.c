#include "broker/broker.h"
#include "broker/git/tracked.h"

/* The tables are not zeroed: most of their pages are never touched. */
bool
broker_begin(struct broker *br)
{
	br->violations = arena_alloc(br->a, VIOLATIONS_MAX * sizeof *br->violations);
	br->dropped = arena_alloc(br->a, DROPPED_MAX * sizeof *br->dropped);
	br->own = arena_alloc(br->a, OWN_MAX * sizeof *br->own);
	br->vacated = arena_alloc(br->a, VACATED_MAX * sizeof *br->vacated);
	if (br->policy->learn)
		br->learned = arena_alloc(br->a, VIOLATIONS_MAX * sizeof *br->learned);
	if (br->plan->listed)
		br->reached = arena_alloc(br->a, REACHED_MAX * sizeof *br->reached);
	return br->violations && br->dropped && br->own && br->vacated &&
	       (br->learned || !br->policy->learn);
}

void
broker_end(struct broker *br)
{
	fd_close(&br->listener);
	fd_close(&br->root);
	fd_close(&br->sockets);
	tracked_end(br);
	task_end(br);
}
