/* Judge one command: rules about its words, the know/ table, privilege. */
#include "decide/judge.h"

static enum match
matches(const struct matching *m, const struct rule *r, const void *subject)
{
	const struct command *c = subject;

	/* The built-in rules are about what programs do; --help and --version do nothing.
	 */
	if (c->tells && r->layer == LAYER_BUILTIN && r->verdict != VERDICT_ALLOW)
		return MATCH_NO;
	return match_command(m, r, c);
}

struct str
command_text(struct deciding *d, const struct command *c)
{
	struct buf b;

	buf_init(&b, d->a);
	for (size_t i = 0; i < c->argc && b.n < 60; i++) {
		if (i)
			buf_putc(&b, ' ');
		buf_put(&b, c->argv[i].text);
		if (c->argv[i].kind != FIELD_STR)
			buf_puts(&b, "\xe2\x80\xa6");
	}
	if (b.full)
		d->full = true;
	return buf_str(&b);
}

static struct finding
by_rule(struct deciding *d, const struct command *c, const struct rule *r)
{
	struct str what = command_text(d, c);

	return (struct finding){ r->verdict,
		r->verdict == VERDICT_ALLOW ? GATE_ALLOW : GATE_ASK, false,
		rule_reason(d, r, what), r };
}

/* A dry run (make -n deploy): it only prints what it would do. */
static bool
is_dry(const struct command *c)
{
	return c->scan && c->scan->dry && !c->scan->network && c->scan->unsure >= c->argc &&
	       c->scan->unknown_option >= c->argc && c->class <= CLASS_EXEC;
}

/* A built-in ask names a program; the know/ table knows each subcommand and option.  Where
 * the table says that this one only reads, do not ask. */
static bool
is_outranked(const struct deciding *d, const struct rule *r, const struct command *c)
{
	return r->layer == LAYER_BUILTIN && r->verdict == VERDICT_ASK &&
	       (judge_is_safe(d, c) || is_dry(c));
}

/*
 * With an explicit root, every write must be known to stay inside.  It is not known for an
 * unknown program, nor for one that writes and has an unknown option, which could name
 * another path.
 */
static bool
may_leave(const struct deciding *d, const struct command *c)
{
	const struct know_scan *s = c->scan;

	if (!d->in->explicit_root || c->remote || c->function)
		return false;
	if (!c->program.p)
		return true;
	if (!s || s->unknown_option >= c->argc)
		return false;
	for (size_t i = 0; i < s->count; i++)
		if (know_role_writes(s->items[i].role) && !s->items[i].option_only)
			return true;
	return false;
}

/* Record an allow and what it gives the sandbox. */
static void
take_allow(struct deciding *d, struct judged *j, const struct finding *f)
{
	judge_note(d, j->at, f);
	j->gate = f->gate;
	j->reason = f->reason;
	j->rule = rule_ref(f->rule);
	j->covered = true;
	if (f->rule)
		j->grant = (struct rule_grant){ f->rule->layer > LAYER_BUILTIN,
			f->rule->layer, f->rule->net, f->rule->writable, f->rule->readable,
			f->rule->sandbox };
	/* A rule that gives the sandbox something means the command to run there. */
	if (j->grant.net.n || j->grant.writable.n || j->grant.readable.n ||
	    j->grant.sandbox != SANDBOX_UNSPECIFIED)
		judge_tighten(d, j,
		    (struct finding){ judge_contained(d), GATE_ALLOW, false,
			SAY(d, f->reason, STR(", in the sandbox")), f->rule });
}

static void
take_finding(struct deciding *d, struct judged *j, struct finding f)
{
	if (f.verdict == VERDICT_ALLOW)
		take_allow(d, j, &f);
	else
		judge_tighten(d, j, f);
}

/* An allow for `python3 -m pytest` also allows the inner pytest, with the same grants. */
static void
take_outer(struct deciding *d, struct judged *j, const struct judged *outer)
{
	take_allow(d, j,
	    &(struct finding){
		.verdict = VERDICT_ALLOW, .gate = GATE_ALLOW, .reason = outer->reason });
	j->rule = outer->rule;
	j->grant = outer->grant;
}

/* Apply the checks that no allow rule lifts. */
static void
tighten_by_nature(struct deciding *d, struct judged *j, const struct command *c)
{
	/* An allow for git does not cover programs that the repository makes git run. */
	if (j->covered && c->git_runs)
		judge_gate(d, j,
		    c->scan && c->scan->network ? VERDICT_ASK : judge_contained(d),
		    GATE_SANDBOX,
		    SAY(d, command_text(d, c), STR(": "), str_from_c(c->git_runs)));
	if (command_breaks_out(c))
		judge_gate(d, j, judge_contained(d), GATE_SANDBOX,
		    SAY(d, command_text(d, c),
			STR(": the text would run as commands if a quote were lost")));
	if (may_leave(d, c))
		judge_gate(d, j, VERDICT_DENY, GATE_CONTAIN,
		    SAY(d, command_text(d, c),
			STR(": cordon cannot tell where it writes")));
	if ((d->set->protect & PROTECT_SUDO) && c->program.p && !c->tells &&
	    know_list_has(know_privilege, c->program))
		judge_gate(d, j, VERDICT_ASK, GATE_PROTECT,
		    SAY(d, c->program, STR(" raises privileges")));
}

/* Tighten by rules that an unknown word could make match. */
static void
tighten_by_doubt(struct deciding *d, struct judged *j, const struct command *c,
    const struct best_rules *b)
{
	const struct rule *r = b->deny.any ? &b->deny.rule : &b->possible_ask.rule;

	if (!b->deny.any &&
	    (!b->possible_ask.any ||
		(b->open.any && b->possible_ask.rule.layer < b->open.rule.layer)))
		return;
	judge_tighten(d, j,
	    (struct finding){ judge_contained(d), b->deny.any ? GATE_DENY : GATE_ASK, false,
		SAY(d, command_text(d, c), STR(": an unknown word could match a rule ("),
		    rule_position(d, r), STR(")")),
		r });
}

/* The allowed command that starts `c` (`python3 -m pytest` starts pytest); NULL: none. */
static const struct judged *
allowed_with(const struct deciding *d, const struct command *c)
{
	for (const struct judged *j = d->first; j && c->within; j = j->next)
		if (j->command == c->within)
			return j->rule.set && j->covered ? j : NULL;
	return NULL;
}

void
judge_command(struct deciding *d, struct judged *j, const struct command *c)
{
	struct best_rules b = best_for_program(d, c->program, matches, c);
	const struct judged *outer = allowed_with(d, c);

	if (b.deny.any && b.deny.match == MATCH_CERTAIN) {
		judge_tighten(d, j,
		    (struct finding){ VERDICT_DENY, GATE_DENY, true,
			rule_reason(d, &b.deny.rule, command_text(d, c)), &b.deny.rule });
		return;
	}
	if (b.open.any && !is_outranked(d, &b.open.rule, c))
		take_finding(d, j, by_rule(d, c, &b.open.rule));
	else if (outer)
		take_outer(d, j, outer);
	else
		take_finding(d, j, judge_by_table(d, c));
	tighten_by_nature(d, j, c);
	tighten_by_doubt(d, j, c, &b);
}
