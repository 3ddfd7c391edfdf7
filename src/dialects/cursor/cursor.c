/* The thirteen steps of Cursor's approval flow (H4c and xOh). */
#include "dialects/cursor/cursor.h"

/* A list that the user did not set is empty for the request: an agent's request adds
 * nothing.  Without a user policy there is nothing to restrict. */
/* The meet of the user's policy and the request.  Both may be NULL. */
static int
cursor_merge(struct arena *a, const struct sandbox_policy *user,
    const struct sandbox_policy *requested, struct sandbox_policy *ret)
{
	struct sandbox_voices voices = { .layers = user, .n = 1, .request = requested };

	if (user && requested)
		return sandbox_effective(a, &voices, ret);
	*ret = user ? *user : requested ? *requested : (struct sandbox_policy){ 0 };
	return 0;
}

void
cursor_note(
    struct cursor_result *r, enum cursor_step step, const char *what, struct str which)
{
	if (r->notes_n < CURSOR_NOTES)
		r->notes[r->notes_n++] = (struct cursor_note){ step, what, which };
}

static void
ask(struct cursor_result *r, enum cursor_step step, const char *what, struct str which)
{
	cursor_note(r, step, what, which);
	r->runs = false;
	r->step = step;
}

void
cursor_runs(struct cursor_result *r, enum cursor_step step, const char *what)
{
	cursor_note(r, step, what, STR(""));
	r->runs = true;
	r->step = step;
}

static void
offer(struct cursor_result *r, const struct cursor_view *v, bool all)
{
	cursor_candidates(v, all, &r->candidates);
	r->has_candidates = true;
}

static bool
runs_everything(const struct cursor_input *in)
{
	return in->mode == MODE_RUN_EVERYTHING &&
	       (!in->settings.admin_controlled || in->settings.enable_run_everything);
}

/* Steps 3 and 5: unknown what would run, so require a sandbox or approval. */
static void
decide_unread(const struct cursor_input *in, enum cursor_step step, const char *what,
    struct cursor_result *r)
{
	if (!runs_everything(in) || in->settings.blocked.n) {
		ask(r, step, what, STR(""));
		return;
	}
	r->effective = sandbox_tightened(&r->effective);
	cursor_note(r, step, what, STR(""));
	cursor_runs(r, step, "run_everything with nothing blocked: confined");
}

/* Step 4.  An unknown command may be a blocked one. */
static bool
is_blocked(const struct cursor_view *v, struct cursor_result *r)
{
	for (const struct command *c = v->effects->commands; c; c = c->next) {
		struct str entry = cursor_blocked(v, c);

		if (entry.p) {
			ask(r, STEP_BLOCKED, "a blocked command, or one that may be",
			    entry);
			return true;
		}
	}
	if (v->blocked.n && v->effects->unknowns) {
		ask(r, STEP_BLOCKED,
		    "an unknown command may run, and some commands are blocked",
		    str_from_c(v->effects->unknowns->why));
		return true;
	}
	cursor_note(r, STEP_BLOCKED, "no command is blocked", STR(""));
	return false;
}

static bool
is_empty(const struct effects *e)
{
	for (const struct command *c = e->commands; c; c = c->next)
		if (cursor_counts(c))
			return false;
	return true;
}

/* Steps 7 and 8, and the original's file protections. */
static bool
is_protected(const struct cursor_view *v, struct cursor_result *r)
{
	static const struct str raisers[] = { STR_INIT("sudo"), STR_INIT("doas"),
		STR_INIT("su") };
	struct str which = STR("");
	const char *why;

	if (v->in->settings.delete_protection && cursor_deletes(v, &which)) {
		ask(r, STEP_DELETE, "files are protected from being deleted", which);
		return true;
	}
	for (const struct command *c = v->effects->commands; c; c = c->next)
		for (size_t i = 0; i < sizeof raisers / sizeof *raisers; i++)
			if (cursor_is(v, c, raisers[i])) {
				ask(r, STEP_SUDO, "the command raises privileges",
				    raisers[i]);
				return true;
			}
	why = cursor_protected(v, &which);
	if (why)
		ask(r, STEP_PROTECT, why, which);
	else
		cursor_note(r, STEP_SUDO, "nothing protected is touched", STR(""));
	return why != NULL;
}

static int
requested_level(const struct cursor_input *in)
{
	const struct sandbox_policy *p = in->requested ? in->requested : in->user;

	return p ? sandbox_level(p) : LEVEL_UNSANDBOXED;
}

/* Step 12. */
static bool
is_acceptable(const struct cursor_view *v, struct cursor_result *r)
{
	int user = v->in->user ? sandbox_level(v->in->user) : LEVEL_UNSANDBOXED;
	struct str which = STR("");

	if (!v->in->sandbox_enabled)
		return false;
	if (sandbox_level(&r->effective) >= LEVEL_UNSANDBOXED)
		cursor_note(r, STEP_SANDBOX, "the policy gives no sandbox", STR(""));
	else if (requested_level(v->in) > user)
		cursor_note(
		    r, STEP_SANDBOX, "more is requested than the user gives", STR(""));
	else if (r->effective.block_git_writes && cursor_writes_git(v, &which))
		cursor_note(
		    r, STEP_SANDBOX, "the command would write to the repository", which);
	else
		return true;
	return false;
}

static bool
all_allowed(const struct cursor_view *v, struct cursor_result *r)
{
	const char *why = cursor_uncovered(v);

	for (const struct command *c = v->effects->commands; c; c = c->next)
		if (cursor_counts(c) && !cursor_allowed(v, c, true)) {
			cursor_note(r, STEP_FILTER, "not on the allowlist",
			    c->program.p ? c->program : STR("an unknown command"));
			return false;
		}
	if (why)
		cursor_note(r, STEP_FILTER, "no entry covers all of it", str_from_c(why));
	return why == NULL;
}

/* Steps 9 to 13. */
static void
decide_by_lists(const struct cursor_view *v, struct cursor_result *r)
{
	const struct cursor_settings *s = &v->in->settings;

	if (!v->in->sandbox_enabled && s->allowed.n == 0) {
		ask(r, STEP_NO_ALLOWLIST, "the allowlist is empty, and there is no sandbox",
		    STR(""));
		offer(r, v, true);
		return;
	}
	if (all_allowed(v, r)) {
		cursor_runs(r, STEP_ALLOWED, "every command is allowed");
		offer(r, v, true);
		return;
	}
	if (is_acceptable(v, r)) {
		cursor_runs(r, STEP_SANDBOX, "the sandbox's policy is acceptable");
		return;
	}
	ask(r, STEP_DEFAULT, "approval is needed", STR(""));
	if (!s->admin_controlled)
		offer(r, v, false);
}

/* Steps 4 to 13, for a text that was parsed. */
static void
decide_effects(struct cursor_view *v, struct cursor_result *r)
{
	struct str which = STR("");
	const char *why;

	if (is_blocked(v, r))
		return;
	why = cursor_ignored(v, &which);
	if (why) {
		ask(r, STEP_IGNORED, why, which);
		return;
	}
	if (is_empty(v->effects)) {
		decide_unread(v->in, STEP_EMPTY, "there is no command", r);
		return;
	}
	if (runs_everything(v->in)) {
		cursor_runs(r, STEP_EVERYTHING, "everything runs");
		return;
	}
	if (!is_protected(v, r))
		decide_by_lists(v, r);
}

static void
decide_shell(struct arena *a, const struct cursor_input *in, struct cursor_result *r)
{
	struct effects effects = { 0 };
	struct err e = { 0 };
	struct cursor_view v;

	if (analyse(a, in->command, &in->where, &effects, &e)) {
		decide_unread(
		    in, STEP_PARSE, e.why ? e.why : "the command cannot be parsed", r);
		return;
	}
	cursor_note(r, STEP_PARSE, "the text can be read", STR(""));
	if (in->look && in->look(in->context, a, in, &effects)) {
		ask(r, STEP_PARSE, "the files cannot be examined", STR(""));
		return;
	}
	cursor_view(a, in, &v);
	v.effects = &effects;
	v.effective = &r->effective;
	if (v.full)
		ask(r, STEP_PARSE, "the lists need more memory than allowed", STR(""));
	else
		decide_effects(&v, r);
	if (r->candidates.full) {
		r->has_candidates = false;
		ask(r, STEP_PARSE, "the answer needs more memory than allowed", STR(""));
	}
}

/* The policy for execution: add workspace folders and the ignore mapping. */
static int
enrich(struct arena *a, const struct cursor_input *in, struct cursor_result *r)
{
	int err =
	    sandbox_add_folders(a, in->roots, in->roots_n, &r->effective, &r->effective);

	if (!err && in->ignore_mapping.p)
		err = sandbox_add_ignore(
		    a, in->ignore_mapping, &r->effective, &r->effective, NULL);
	return err;
}

void
cursor_decide(struct arena *a, const struct cursor_input *in, struct cursor_result *ret)
{
	*ret = (struct cursor_result){ 0 };
	if (cursor_merge(a, in->user, in->requested, &ret->effective)) {
		ask(ret, STEP_MERGE, "the policies cannot be merged", STR(""));
		return;
	}
	cursor_note(ret, STEP_MERGE, "user and requested policy merged",
	    str_from_c(sandbox_type_name(ret->effective.type)));
	if (in->settings.disabled_by_admin)
		ask(ret, STEP_DISABLED, "the administrator switched auto-run off", STR(""));
	else if (in->mode == MODE_ASK_EVERY_TIME)
		ask(ret, STEP_MODE, "the mode is ask_every_time", STR(""));
	else if (in->tool == CURSOR_SHELL)
		decide_shell(a, in, ret);
	else
		cursor_decide_tool(a, in, ret);
	if (enrich(a, in, ret))
		ask(ret, STEP_MERGE, "the policy cannot be completed", STR(""));
}

enum verdict
cursor_verdict(const struct cursor_result *r)
{
	if (!r->runs)
		return VERDICT_ASK;
	return r->step == STEP_SANDBOX || r->step == STEP_PARSE || r->step == STEP_EMPTY
		   ? VERDICT_CONFINE
		   : VERDICT_ALLOW;
}
