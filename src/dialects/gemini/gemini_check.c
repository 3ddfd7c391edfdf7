/*
 * checkCommandPermissions, twice: on text as the original does (gemini_scan.c), and over
 * our analysis.  The stricter answer counts; if both deny alike, the second has the better
 * list of commands.
 */
#include "dialects/gemini/gemini.h"

/* Unknowns that an entry covers if it spells out the whole command. */
static const char runs_a_file[] = UNKNOWN_SCRIPT;

struct check {
	struct arena *a;
	const struct gemini_config *c;
	struct gemini_view view;
	struct gemini_entries block, allow;
	bool *unsure; /* for each segment: something in it is unknown */
	const char **why;
};

/* ---- over the analysis */

static bool
prepare(struct check *k)
{
	gemini_add_patterns(k->a, &k->block, &k->c->exclude);
	gemini_add_patterns(k->a, &k->allow, &k->c->core);
	gemini_add_literals(k->a, &k->allow, &k->c->session);
	k->unsure = arena_array(k->a, k->view.n + 1, sizeof *k->unsure);
	k->why = arena_array(k->a, k->view.n + 1, sizeof *k->why);
	if (!k->unsure || !k->why || k->block.full || k->allow.full)
		return false;
	for (const struct unknown *u = k->view.effects.unknowns; u; u = u->next) {
		size_t at = gemini_segment_of(&k->view, u->at);

		/* Keep the reason that no entry covers. */
		if (!k->unsure[at] || strcmp(k->why[at], runs_a_file) == 0)
			k->why[at] = u->why;
		k->unsure[at] = true;
	}
	return true;
}

static bool
is_spelled_out(const struct check *k, size_t segment)
{
	for (size_t i = 0; i < k->allow.n; i++)
		if (str_eq(k->allow.v[i].text, k->view.segments[segment].text))
			return true;
	return false;
}

/* True if something may run that the analysis cannot see. */
static bool
is_open(const struct check *k, size_t segment)
{
	return k->unsure[segment] &&
	       !(strcmp(k->why[segment], runs_a_file) == 0 && is_spelled_out(k, segment));
}

static enum match
command_blocked(const struct check *k, const struct command *c)
{
	enum match best = MATCH_NO;

	for (size_t i = 0; i < k->block.n && best != MATCH_CERTAIN; i++) {
		enum match m = gemini_blocks(&k->block.v[i], c);

		best = m > best ? m : best;
	}
	return best;
}

/* For each segment, whether a block entry matches its text or what it runs. */
static enum match *
find_blocked(const struct check *k)
{
	enum match *found = arena_array(k->a, k->view.n + 1, sizeof *found);

	if (!found)
		return NULL;
	for (size_t i = 0; i < k->view.n; i++) {
		struct gemini_call call = gemini_shell_call(k->view.segments[i].text);

		if (gemini_call_matches(&call, &k->c->exclude))
			found[i] = MATCH_CERTAIN;
		else if (k->block.n && is_open(k, i))
			found[i] = MATCH_POSSIBLE;
	}
	for (const struct command *c = k->view.effects.commands; c; c = c->next) {
		enum match m = command_blocked(k, c);
		size_t at = gemini_segment_of(&k->view, c->at);

		found[at] = m > found[at] ? m : found[at];
	}
	return found;
}

static void
deny_possible(const struct check *k, const enum match *found, struct gemini_result *r)
{
	struct gemini_list commands = { 0 };
	struct buf b;

	buf_init(&b, k->a);
	buf_puts(&b, "Command(s) that could run what is blocked by configuration: ");
	for (size_t i = 0; i < k->view.n; i++) {
		if (found[i] != MATCH_POSSIBLE)
			continue;
		if (commands.n)
			buf_puts(&b, ", ");
		json_put_str(&b, k->view.segments[i].text);
		gemini_add(k->a, &commands, k->view.segments[i].text);
	}
	gemini_deny(r, &commands, gemini_text(&b), false);
}

static bool
check_blocked(const struct check *k, struct gemini_result *r)
{
	enum match *found = find_blocked(k), worst = MATCH_NO;

	if (!found) {
		gemini_deny_one(k->a, r, k->view.command, (struct str){ NULL, 0 }, true);
		return true;
	}
	for (size_t i = 0; i < k->view.n; i++) {
		struct str text = k->view.segments[i].text;

		worst = found[i] > worst ? found[i] : worst;
		if (found[i] == MATCH_CERTAIN) {
			gemini_deny_one(
			    k->a, r, text, gemini_blocked_reason(k->a, text), true);
			return true;
		}
	}
	if (worst == MATCH_POSSIBLE)
		deny_possible(k, found, r);
	return worst == MATCH_POSSIBLE;
}

/* ---- allow entries: match the text and the words of everything that it runs */

static bool
text_allowed(const struct check *k, size_t segment)
{
	struct gemini_call call = gemini_shell_call(k->view.segments[segment].text);

	return (k->c->session.given && gemini_session_has(&k->c->session, call.command)) ||
	       gemini_call_matches(&call, &k->c->core);
}

static bool
command_allowed(const struct check *k, const struct command *c)
{
	for (size_t i = 0; i < k->allow.n; i++)
		if (gemini_allows(&k->allow.v[i], c))
			return true;
	return false;
}

static bool *
find_allowed(const struct check *k)
{
	bool *found = arena_array(k->a, k->view.n + 1, sizeof *found);

	if (!found)
		return NULL;
	for (size_t i = 0; i < k->view.n; i++)
		found[i] = text_allowed(k, i) && !is_open(k, i);
	for (const struct command *c = k->view.effects.commands; c; c = c->next) {
		size_t at = gemini_segment_of(&k->view, c->at);

		if (found[at] && !command_allowed(k, c) && !is_spelled_out(k, at))
			found[at] = false;
	}
	return found;
}

static void
check_allowed(const struct check *k, struct gemini_result *r)
{
	bool *found = find_allowed(k);
	struct gemini_list missing = { .full = !found };

	for (size_t i = 0; found && i < k->view.n; i++)
		if (!found[i])
			gemini_add(k->a, &missing, k->view.segments[i].text);
	if (missing.n || missing.full)
		gemini_deny_missing(k->a, r, &missing, k->c->session.given);
	else
		gemini_allow(r);
}

static void
check_by_grammar(struct check *k, struct gemini_result *r)
{
	struct gemini_list all = { .given = true };
	const struct gemini_view *v = &k->view;

	for (size_t i = 0; i < v->n; i++)
		gemini_add(k->a, &all, v->segments[i].text);
	if (v->substitution)
		gemini_deny_one(k->a, r, v->command, gemini_substitution_message, true);
	else if (!v->parsed || v->prompt || (v->n == 0 && v->effects.commands))
		gemini_deny_one(k->a, r, v->command, gemini_unparsed_message, true);
	else if (gemini_names_all(&k->c->exclude))
		gemini_deny(r, &all, gemini_disabled_message, true);
	else if (!prepare(k))
		gemini_deny(r, &all, (struct str){ NULL, 0 }, true);
	else if (check_blocked(k, r))
		return;
	else if (gemini_names_all(&k->c->core) ||
		 (!k->c->session.given && !gemini_names_some(&k->c->core)))
		gemini_allow(r);
	else
		check_allowed(k, r);
}

/* ---- both */

static int
rank(const struct gemini_result *r)
{
	return r->all_allowed ? 2 : r->hard ? 0 : 1;
}

static void
note_result(struct gemini_trace *t, const char *name, const struct gemini_result *r)
{
	struct buf b;

	if (!t)
		return;
	buf_init(&b, t->a);
	buf_puts(&b, r->all_allowed ? "allowed"
		     : r->hard      ? "denied, hard: "
				    : "denied, soft: ");
	buf_put(&b, r->reason);
	gemini_note(t, name, gemini_text(&b));
}

static void
note_gates(struct gemini_trace *t, const struct check *k)
{
	const struct gemini_config *c = k->c;
	bool some = gemini_names_some(&c->core);

	if (!t)
		return;
	gemini_note(t, "parsed",
	    k->view.parsed ? STR("yes")
			   : str_from_c(k->view.error.why ? k->view.error.why : "no"));
	gemini_note(t, "gate 0, substitution",
	    k->view.substitution || gemini_scan_substitution(k->view.command)
		? STR("found")
		: STR("none"));
	gemini_note(t, "gate 1, shell disabled",
	    gemini_names_all(&c->exclude) ? STR("yes") : STR("no"));
	gemini_note_list(t, "gate 2, block entries", &c->exclude);
	gemini_note(t, "gate 3, every command in core",
	    gemini_names_all(&c->core) ? STR("yes") : STR("no"));
	gemini_note(t, "gate 4, mode",
	    c->session.given ? STR("default deny: session and core list")
	    : some           ? STR("default deny: core list")
			     : STR("default allow: no allow entries"));
	gemini_note_list(t, "gate 4, core entries", &c->core);
}

void
gemini_check(struct arena *a, struct str command, const struct gemini_config *c,
    struct gemini_trace *t, struct gemini_result *ret)
{
	struct check k = { .a = a, .c = c };
	struct gemini_result scan = { 0 }, grammar = { 0 };
	bool first;

	gemini_look(a, command, &c->where, &k.view);
	gemini_check_by_scan(a, command, c, &scan);
	check_by_grammar(&k, &grammar);
	/* For text that cannot be parsed, use the original's answer unless it is allow. */
	first = rank(&scan) < rank(&grammar) || (!k.view.parsed && !scan.all_allowed);
	*ret = first ? scan : grammar;
	note_gates(t, &k);
	note_result(t, "as the original splits", &scan);
	note_result(t, "as the shell reads", &grammar);
}
