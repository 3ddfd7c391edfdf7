/* Check the list for headless sessions: every root must be in it. */
#include "dialects/gemini/gemini.h"

static struct str
headless_reason(struct arena *a, struct str stripped)
{
	struct buf b;

	buf_init(&b, a);
	buf_puts(&b, "Command \"");
	buf_put(&b, stripped);
	buf_puts(&b, "\" is not in the list of allowed tools for non-interactive mode.");
	return gemini_text(&b);
}

static void
add_missing(struct arena *a, const struct gemini_list *set, const struct gemini_list *parts,
    struct gemini_list *missing)
{
	missing->full = missing->full || parts->full;
	for (size_t i = 0; i < parts->n; i++) {
		struct str root = gemini_root(parts->v[i]);

		if (root.n && !gemini_has(set, root))
			gemini_add_once(a, missing, gemini_normalise(a, parts->v[i]));
	}
}

/* True for the wrapper that is stripped before the text runs. */
static bool
is_cut_off(const struct gemini_view *v, const struct command *c)
{
	return v->n == 1 && !c->via && !str_eq(v->stripped, gemini_trim(v->command));
}

/* True if the list contains everything that would run, at any depth. */
static bool
runs_only(const struct gemini_view *v, const struct gemini_list *set)
{
	if (!v->parsed || v->effects.unknowns)
		return false;
	for (const struct command *c = v->effects.commands; c; c = c->next) {
		if (is_cut_off(v, c))
			continue;
		if (!c->program.p || !gemini_has(set, gemini_root(c->program)))
			return false;
	}
	return true;
}

static void
check_roots(struct arena *a, struct str command, const struct gemini_config *c,
    const struct gemini_list *set, struct gemini_result *ret)
{
	struct gemini_list ours = { 0 }, theirs = { 0 }, missing = { .full = set->full };
	struct gemini_view v;

	gemini_look(a, command, &c->where, &v);
	gemini_split(a, v.stripped, &ours);
	gemini_scan_split(a, v.stripped, &theirs);
	add_missing(a, set, &ours, &missing);
	if (!missing.n)
		add_missing(a, set, &theirs, &missing);
	if (!missing.n && !runs_only(&v, set))
		gemini_add(a, &missing, gemini_normalise(a, command));
	if (missing.n || missing.full)
		gemini_deny(ret, &missing, headless_reason(a, v.stripped), true);
}

static void
note_headless(struct gemini_trace *t, const struct gemini_list *set)
{
	if (!t)
		return;
	if (set->given)
		gemini_note_list(t, "gate 5, roots allowed in headless mode", set);
	else
		gemini_note(t, "gate 5, roots allowed in headless mode", STR("all"));
}

void
gemini_check_all(struct arena *a, struct str command, const struct gemini_config *c,
    struct gemini_trace *t, struct gemini_result *ret)
{
	struct gemini_list set = { 0 };

	gemini_check(a, command, c, t, ret);
	if (!c->headless || !ret->all_allowed)
		return;
	gemini_allowed_subcommands(a, &c->allowed, &set);
	note_headless(t, &set);
	if (set.given && !gemini_has(&set, STR("*")))
		check_roots(a, command, c, &set, ret);
}

bool
gemini_covered(struct arena *a, struct str command, const struct gemini_list *patterns)
{
	struct gemini_config c = { .core = *patterns };
	struct gemini_result r = { 0 };

	if (gemini_names_all(patterns))
		return true;
	if (!gemini_names_some(patterns) || gemini_trim(command).n == 0)
		return false;
	gemini_check(a, command, &c, NULL, &r);
	return r.all_allowed;
}
