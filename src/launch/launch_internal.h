/* launch/launch_internal.h: the steps of a run, shared by the files of launch/. */
#pragma once
#include "launch/launch.h"

/* launch_sandbox.c: set l->sandbox and the members of l->plan and l->run that depend on it.
 * Return 0, or an exit status after a message. */
int launch_find_sandbox(struct launch *l);

/* launch_start.c: run a decided command to its end.  Return its exit status, or our own. */
int launch_start(struct launch *l);

/* launch_report.c: report a run to the journal, the console and the hook programs. */
void launch_report_begin(struct launch *l);
void launch_report_end(struct launch *l, const struct run_result *result);
/* Record the person's answer to a review before changes are applied.  Return false if
 * recording failed: then apply nothing. */
bool launch_report_review(struct launch *l, bool apply, size_t changes, struct str why);

/* record_run.c: record the result of the run that record `about` decided: one record for
 * the run, one for each violation.  After a run nothing can be denied: on failure the
 * caller reports k->why and continues. */
int launch_record_run(struct keep *k, const struct keep_who *who, uint64_t about,
    struct str command, const struct run_result *result);
/* Record whether a person applied or dropped the changes of the run `about` (--review).
 * Nonzero: not recorded; see keep_answer(). */
int launch_record_review(struct keep *k, const struct keep_who *who, uint64_t about,
    struct str command, bool apply, size_t changes, struct str why);

/* warn_stored.c: warn about hidden files that git stores. */
void launch_warn_stored(struct arena *a, const struct plan *plan);

/* launch_review.c: show the changes on stderr, then apply or drop them.  Return 0, or
 * EXIT_NOT_STARTED if some accepted changes could not be applied. */
int launch_review(
    struct launch *l, const struct plan *plan, const struct run_result *result);
