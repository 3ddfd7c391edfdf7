/* One command: rules by its words, and privilege. */
#include "decide/judge.h"

struct visiting {
	struct deciding *d;
	const struct command *c;
	struct best_rules best;
};

static void
visit(void *context, size_t rule)
{
	struct visiting *v = context;
	struct rule r;

	policy_rule(v->d->in->policy, rule, &r);
	/* The shipped rules are about what it does, and here it does nothing. */
	if (v->c->tells && r.layer == LAYER_BUILTIN && r.verdict != VERDICT_ALLOW)
		return;
	best_take(&v->best, &r, match_command(&v->d->m, &r, v->c));
}

struct str
shown(struct deciding *d, const struct command *c)
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
	struct str what = shown(d, c);

	return (struct finding){ r->verdict,
		r->verdict == VERDICT_ALLOW ? GATE_ALLOW : GATE_ASK, false,
		rule_reason(d, r, what), r };
}

/* make -n deploy: it says what it would do. */
static bool
is_dry(const struct command *c)
{
	return c->scan && c->scan->dry && !c->scan->network && c->scan->unsure >= c->argc &&
	       c->scan->unknown_option >= c->argc && c->class <= CLASS_EXEC;
}

/* The shipped asks name programs; the table, shipped as well, knows what each of their
 * subcommands and options does.  Where that only reads, there is nothing to ask. */
static bool
is_outranked(const struct deciding *d, const struct rule *r, const struct command *c)
{
	return r->layer == LAYER_BUILTIN && r->verdict == VERDICT_ASK &&
	       (is_safe(d, c) || is_dry(c));
}

/*
 * With a root that somebody has named, what is written must be known to lie in it.  It is
 * not where the program itself is unknown, nor where one that writes has an option that
 * could name another place.
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

/* An allow: what it covers, and what its sandbox gets. */
static void
take_allow(struct deciding *d, struct judged *j, const struct finding *f)
{
	note(d, j->at, f);
	j->gate = f->gate;
	j->reason = f->reason;
	j->rule = rule_ref(f->rule);
	j->covered = true;
	if (f->rule)
		j->grant = (struct grant){ f->rule->layer > LAYER_BUILTIN, f->rule->layer,
			f->rule->net, f->rule->writable, f->rule->readable,
			f->rule->sandbox };
	/* Who says what the sandbox gets means it to run there. */
	if (j->grant.net.n || j->grant.writable.n || j->grant.readable.n ||
	    j->grant.sandbox != SANDBOX_UNSPECIFIED)
		tighten(d, j,
		    (struct finding){ held(d), GATE_ALLOW, false,
			SAY(d, f->reason, STR(", in the sandbox")), f->rule });
}

/* What no allow lifts. */
static void
tighten_by_nature(struct deciding *d, struct judged *j, const struct command *c)
{
	/* What the repository makes git run nobody has allowed. */
	if (j->covered && c->git_runs)
		tighten(d, j,
		    (struct finding){ c->scan && c->scan->network ? VERDICT_ASK : held(d),
			GATE_SANDBOX, false,
			SAY(d, shown(d, c), STR(": "), str_from_c(c->git_runs)), NULL });
	if (breaks_out(c))
		tighten(d, j,
		    (struct finding){ held(d), GATE_SANDBOX, false,
			SAY(d, shown(d, c),
			    STR(": the text would run as commands if a quote were lost")),
			NULL });
	if (may_leave(d, c))
		tighten(d, j,
		    (struct finding){ VERDICT_DENY, GATE_CONTAIN, false,
			SAY(d, shown(d, c), STR(": cordon cannot tell where it writes")),
			NULL });
	if ((d->set->protect & PROTECT_SUDO) && c->program.p && !c->tells &&
	    list_has(know_privilege, c->program))
		tighten(d, j,
		    (struct finding){ VERDICT_ASK, GATE_PROTECT, false,
			SAY(d, c->program, STR(" raises privileges")), NULL });
}

/* A rule that an unknown word could make match is never passed over. */
static void
tighten_by_doubt(struct deciding *d, struct judged *j, const struct command *c,
    const struct best_rules *b)
{
	const struct rule *r = b->deny.any ? &b->deny.rule : &b->possible_ask.rule;

	if (!b->deny.any &&
	    (!b->possible_ask.any ||
		(b->open.any && b->possible_ask.rule.layer < b->open.rule.layer)))
		return;
	tighten(d, j,
	    (struct finding){ held(d), b->deny.any ? GATE_DENY : GATE_ASK, false,
		SAY(d, shown(d, c), STR(": an unknown word could match a rule ("),
		    rule_place(d, r), STR(")")),
		r });
}

/* python3 -m pytest: who allowed that has allowed pytest, unless a rule speaks of it. */
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
	struct visiting v = { .d = d, .c = c };
	const struct best_rules *b = &v.best;
	const struct judged *outer = allowed_with(d, c);
	struct finding f;

	policy_commands(d->in->policy, c->program, visit, &v);
	if (b->deny.any && b->deny.match == MATCH_CERTAIN) {
		tighten(d, j,
		    (struct finding){ VERDICT_DENY, GATE_DENY, true,
			rule_reason(d, &b->deny.rule, shown(d, c)), &b->deny.rule });
		return;
	}
	if (b->open.any && !is_outranked(d, &b->open.rule, c))
		f = by_rule(d, c, &b->open.rule);
	else if (outer)
		f = (struct finding){ .verdict = VERDICT_ALLOW,
			.gate = GATE_ALLOW,
			.reason = outer->reason };
	else
		f = by_table(d, c);
	j->verdict = VERDICT_ALLOW;
	j->reason.p = NULL;
	if (f.verdict == VERDICT_ALLOW)
		take_allow(d, j, &f);
	else
		tighten(d, j, f);
	if (outer && !f.rule) {
		j->rule = outer->rule;
		j->grant = outer->grant;
	}
	tighten_by_nature(d, j, c);
	tighten_by_doubt(d, j, c, b);
}
