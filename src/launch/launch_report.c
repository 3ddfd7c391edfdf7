/* Report a run to the journal, the console and the hook programs.  A run without rules (a
 * test) is not reported. */
#include "launch/launch_internal.h"

void
launch_report_begin(struct launch *l)
{
	struct live_run run = {
		.command = l->text, .cwd = l->who.cwd, .session = l->who.session
	};

	if (l->judged)
		live_begin(&l->live, l->cli, &run);
}

void
launch_report_end(struct launch *l, const struct run_result *result)
{
	if (!l->judged)
		return;
	live_end(&l->live);
	if (policy_entry(l->answer.in.policy, LIST_AFTER_HOOK, 0).p &&
	    !external_after(&l->a, l->cli, &l->call, &l->answer, run_exit_status(result),
		result->wall_ms))
		(void)launch_complain(
		    "a `hook after-shell` program failed", (struct str){ NULL, 0 }, NULL);
	if (launch_record_run(&l->keep, &l->who, l->number, l->text, result))
		keep_complain(&l->keep);
}

bool
launch_report_review(struct launch *l, bool apply, size_t changes, struct str why)
{
	if (!l->judged || !launch_record_review(
			      &l->keep, &l->who, l->number, l->text, apply, changes, why))
		return true;
	keep_complain(&l->keep);
	return !policy_settings(l->answer.in.policy)->journal_required;
}
