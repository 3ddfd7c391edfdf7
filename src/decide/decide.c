#include "decide/judge.h"

const char *
gate_name(enum gate gate)
{
	static const char names[GATES][12] = { "none", "parse", "auto-run", "deny rules",
		"containment", "protections", "ask rules", "allow rules", "mode", "sandbox",
		"hooks" };

	return gate < GATES ? names[gate] : "none";
}

const char *
verdict_name(enum verdict verdict)
{
	switch (verdict) {
	case VERDICT_DENY:
		return "deny";
	case VERDICT_ASK:
		return "ask";
	case VERDICT_CONFINE:
		return "confine";
	case VERDICT_ALLOW:
		return "allow";
	}
	return "deny";
}

bool
verdict_find(struct str name, enum verdict *ret)
{
	for (int v = VERDICT_DENY; v <= VERDICT_ALLOW; v++)
		if (str_is(name, verdict_name((enum verdict)v))) {
			*ret = (enum verdict)v;
			return true;
		}
	return false;
}

const char *
mode_name(enum mode mode)
{
	switch (mode) {
	case MODE_ASK_EVERY_TIME:
		return "ask_every_time";
	case MODE_USE_ALLOWLIST:
		return "use_allowlist";
	case MODE_RUN_EVERYTHING:
		return "run_everything";
	}
	return "ask_every_time";
}

struct str
judge_say(struct deciding *d, const struct str *parts, size_t n)
{
	struct buf b;

	buf_init(&b, d->a);
	for (size_t i = 0; i < n; i++)
		buf_put(&b, parts[i]);
	if (b.full)
		d->full = true;
	return buf_str(&b);
}

enum verdict
judge_contained(const struct deciding *d)
{
	return d->in->sandbox ? VERDICT_CONFINE : VERDICT_ASK;
}

struct rule_ref
rule_ref(const struct rule *r)
{
	if (!r)
		return (struct rule_ref){ 0 };
	return (struct rule_ref){ true, r->layer, r->file, r->text, r->line };
}

void
judge_note(struct deciding *d, struct span at, const struct finding *f)
{
	struct decision_step *s;

	if (!d->in->trace)
		return;
	s = arena_zalloc(d->a, sizeof *s);
	if (!s) {
		d->full = true;
		return;
	}
	*s = (struct decision_step){ f->gate, f->verdict, f->hard, at, f->reason,
		rule_ref(f->rule), NULL };
	*d->steps_end = s;
	d->steps_end = &s->next;
}

/* Lower is stricter; of two equal verdicts, the hard one. */
static int
rank(enum verdict verdict, bool hard)
{
	return 2 * (int)verdict - hard;
}

void
judge_tighten(struct deciding *d, struct judged *j, struct finding f)
{
	int had = rank(j->verdict, j->hard), now = rank(f.verdict, f.hard);

	judge_note(d, j->at, &f);
	if (now > had || (now == had && j->reason.p))
		return;
	j->verdict = f.verdict;
	j->hard = f.hard;
	j->gate = f.gate;
	j->reason = f.reason;
	j->instead = f.rule ? f.rule->instead : (struct str){ NULL, 0 };
	j->rule = rule_ref(f.rule);
}

void
judge_gate(struct deciding *d, struct judged *j, enum verdict verdict, enum gate gate,
    struct str reason)
{
	judge_tighten(
	    d, j, (struct finding){ .verdict = verdict, .gate = gate, .reason = reason });
}

/* ---- choosing among rules */

static bool
outranks(const struct rule *x, const struct rule *y)
{
	if (x->layer != y->layer)
		return x->layer > y->layer;
	if (x->specificity != y->specificity)
		return x->specificity > y->specificity;
	return x->verdict < y->verdict;
}

static void
take(struct best *b, const struct rule *r, enum match match)
{
	*b = (struct best){ true, match, *r };
}

void
best_take(struct best_rules *b, const struct rule *r, enum match match)
{
	if (match == MATCH_NO)
		return;
	if (r->verdict == VERDICT_DENY) {
		if (!b->deny.any || match > b->deny.match)
			take(&b->deny, r, match);
		return;
	}
	if (match == MATCH_POSSIBLE) {
		/* A possible match of an allow proves nothing. */
		if (r->verdict == VERDICT_ASK &&
		    (!b->possible_ask.any || outranks(r, &b->possible_ask.rule)))
			take(&b->possible_ask, r, match);
		return;
	}
	if (!b->open.any || outranks(r, &b->open.rule))
		take(&b->open, r, match);
}

struct best_search {
	const struct matching *m;
	rule_matches *matches;
	const void *subject;
	struct best_rules best;
};

static void
visit(void *context, size_t rule)
{
	struct best_search *s = context;
	struct rule r;

	policy_rule(s->m->in->policy, rule, &r);
	best_take(&s->best, &r, s->matches(s->m, &r, s->subject));
}

struct best_rules
best_for_program(
    struct deciding *d, struct str program, rule_matches *matches, const void *subject)
{
	struct best_search s = { .m = &d->m, .matches = matches, .subject = subject };

	policy_commands(d->in->policy, program, visit, &s);
	return s.best;
}

struct best_rules
best_for_effect(
    struct deciding *d, enum rule_effect effect, rule_matches *matches, const void *subject)
{
	struct best_search s = { .m = &d->m, .matches = matches, .subject = subject };

	policy_effects(d->in->policy, effect, visit, &s);
	return s.best;
}

struct str
rule_position(struct deciding *d, const struct rule *r)
{
	char digits[12];
	size_t at = sizeof digits;
	uint32_t line = r->line;

	do
		digits[--at] = (char)('0' + line % 10);
	while (line /= 10);
	return SAY(d, str_from_c(layer_name(r->layer)), STR(" policy, line "),
	    str_of(digits + at, sizeof digits - at));
}

/* `git push` is on the ask list (user policy, line 12): reason */
struct str
rule_reason(struct deciding *d, const struct rule *r, struct str what)
{
	const char *list = r->verdict == VERDICT_DENY  ? " is denied ("
			   : r->verdict == VERDICT_ASK ? " is on the ask list ("
						       : " is allowed (";

	return SAY(d, what, str_from_c(list), rule_position(d, r), STR(")"),
	    r->because.p ? STR(": ") : STR(""), r->because.p ? r->because : STR(""));
}

/* ---- gates that concern the whole */

static struct judged *
whole(struct deciding *d)
{
	return judge_owner(d, (struct span){ 0, (uint32_t)d->in->text.n }, STR(""));
}

/* The position at which parsing stopped. */
static struct str
place_of(struct deciding *d)
{
	struct pos p = err_pos(d->in->text, d->in->error.at);
	struct buf b;

	if (!d->in->error.why)
		return STR("");
	buf_init(&b, d->a);
	buf_puts(&b, " (line ");
	buf_putu(&b, p.line);
	buf_puts(&b, ", column ");
	buf_putu(&b, p.column);
	buf_putc(&b, ')');
	return buf_str(&b);
}

static void
gate_parse(struct deciding *d)
{
	bool run_all = judge_mode(d) == MODE_RUN_EVERYTHING;
	bool empty = policy_rule_count(d->in->policy) == 0;
	struct str why =
	    d->in->error.why ? str_from_c(d->in->error.why) : STR("it could not be read");
	struct finding f = { .verdict = VERDICT_ASK, .gate = GATE_PARSE };

	/* run_everything with an empty policy confines what cannot be parsed; it never runs
	 * outside the sandbox. */
	if (run_all && empty && d->in->sandbox)
		f.verdict = VERDICT_CONFINE;
	f.reason = SAY(d, STR("the command cannot be judged: "), why, place_of(d));
	judge_tighten(d, whole(d), f);
}

enum mode
judge_mode(const struct deciding *d)
{
	enum mode mode = d->set->mode;

	/* A caller may choose a stricter mode; a looser one only if the policy does not
	 * forbid it. */
	if (d->in->has_mode &&
	    (d->in->mode < mode || !(d->set->forbidden_modes & (1u << d->in->mode))))
		mode = d->in->mode;
	if (d->set->forbidden_modes & (1u << mode))
		mode = MODE_ASK_EVERY_TIME;
	return mode;
}

/* Text that an inner shell would run but that the parser could not read. */
static bool
is_unread(const struct unknown *u)
{
	return str_among(
	    str_from_c(u->why), UNKNOWN_UNREAD "\0" UNKNOWN_DEEP "\0" UNKNOWN_CUT "\0");
}

static void
gates_of_the_whole(struct deciding *d)
{
	const struct effects *e = d->in->effects; /* NULL: the text could not be parsed */
	const struct unknown *u = e ? e->unknowns : NULL;

	if (!d->set->autorun)
		judge_gate(d, whole(d), VERDICT_ASK, GATE_AUTORUN,
		    STR("auto-run is switched off by the administrator"));
	if (d->set->shell_disabled)
		judge_tighten(d, whole(d),
		    (struct finding){ .verdict = VERDICT_DENY,
			.gate = GATE_DENY,
			.hard = true,
			.reason = STR("the shell is disabled by policy") });
	if (judge_mode(d) == MODE_ASK_EVERY_TIME && (!e || e->commands))
		judge_gate(d, whole(d), VERDICT_ASK, GATE_MODE,
		    STR("this mode asks before every command"));
	for (; u && !d->full; u = u->next)
		judge_tighten(d, judge_owner(d, u->at, STR("")),
		    (struct finding){
			.verdict = is_unread(u) ? VERDICT_ASK : judge_contained(d),
			.gate = is_unread(u) ? GATE_PARSE : GATE_SANDBOX,
			.reason = SAY(
			    d, STR("cannot be fully analysed: "), str_from_c(u->why)) });
	if (d->in->hook != VERDICT_ALLOW)
		judge_tighten(d, whole(d),
		    (struct finding){ .verdict = d->in->hook,
			.gate = GATE_HOOK,
			.reason = d->in->hook_reason.p
				      ? d->in->hook_reason
				      : STR("Command execution was blocked by a hook") });
}

static void
judge_all(struct deciding *d)
{
	struct judged *j;

	for (const struct command *c = d->in->effects->commands; c; c = c->next)
		d->any_remote |= c->remote;
	for (const struct command *c = d->in->effects->commands; c && !d->full;
	     c = c->next) {
		j = arena_zalloc(d->a, sizeof *j);
		if (!j) {
			d->full = true;
			return;
		}
		j->command = c;
		j->at = c->at;
		j->verdict = VERDICT_ALLOW;
		*d->end = j;
		d->end = &j->next;
		judge_command(d, j, c);
	}
	if (d->in->inside) {
		judge_files(d);
		return;
	}
	judge_directories(d);
	judge_files(d);
	judge_environment(d);
	judge_network(d);
	gates_of_the_whole(d);
}

/* ---- the answer */

static void
conclude(struct deciding *d, struct decision *out)
{
	const struct judged *worst = NULL;

	*out = (struct decision){
		.verdict = VERDICT_ALLOW, .judged = d->first, .steps = d->steps
	};
	for (const struct judged *j = d->first; j; j = j->next)
		if (!worst || rank(j->verdict, j->hard) < rank(worst->verdict, worst->hard))
			worst = j;
	if (worst) {
		out->verdict = worst->verdict;
		out->hard = worst->hard;
		out->gate = worst->gate;
		out->reason = worst->reason;
	}
	if (!out->reason.p)
		out->reason = worst ? STR("all of it is known to be harmless")
				    : STR("no command to run");
	if (out->verdict == VERDICT_ASK && !d->in->interactive) {
		out->verdict = VERDICT_DENY;
		out->reason = SAY(d, out->reason,
		    STR(" (needs approval, but this session is not interactive)"));
	}
	if (worst && worst->instead.p)
		out->fix = SAY(d, STR("try: "), worst->instead);
	decide_sandbox(d, out);
	decide_candidates(d, out);
}

/* Judge the guessed values of unknown words.  Guesses can only tighten: keep their verdict
 * if it is ask or deny. */
static void
take_guesses(struct arena *a, const struct decide_input *in, struct decision *ret)
{
	struct decide_input guess = *in;
	struct decision d;
	struct judged **end = &ret->judged;

	guess.effects = in->effects->guesses;
	guess.hook = VERDICT_ALLOW;
	decide(a, &guess, &d);
	if (d.verdict >= VERDICT_CONFINE || d.verdict > ret->verdict)
		return;
	while (*end)
		end = &(*end)->next;
	for (struct judged *j = d.judged; j; j = j->next)
		if (j->verdict < VERDICT_CONFINE) {
			*end = j;
			end = &j->next;
		}
	*end = NULL;
	if (d.verdict == ret->verdict)
		return;
	d.judged = ret->judged;
	d.sandbox = ret->sandbox;
	d.steps = ret->steps;
	*ret = d;
}

void
decide(struct arena *a, const struct decide_input *in, struct decision *ret)
{
	struct path_hint hint = { 0 };
	struct deciding d = { .a = a,
		.in = in,
		.set = policy_settings(in->policy),
		.m = { in, in->effects, &hint } };

	d.end = &d.first;
	d.steps_end = &d.steps;
	if (in->effects)
		judge_all(&d);
	else {
		gate_parse(&d);
		gates_of_the_whole(&d);
	}
	conclude(&d, ret);
	if (in->effects && in->effects->guesses && !in->inside)
		take_guesses(a, in, ret);
	if (d.full)
		*ret = (struct decision){ .verdict = VERDICT_DENY,
			.gate = GATE_PARSE,
			.reason =
			    STR("judging the command needs more memory than allowed") };
}
