/* Offer rules that would allow the command, and the hint. */
#include "base/quote.h"
#include "decide/judge.h"

/* `git push origin main` → `git push`; `ls -la` → `ls`. */
static struct str
candidate(struct deciding *d, const struct judged *j)
{
	const struct command *c = j->command;
	struct buf b;

	buf_init(&b, d->a);
	/* A program may be named `net` or `*`, as a keyword is: quote it. */
	if (policy_is_effect(c->program))
		(void)quote_put_always(&b, QUOTE_RULE, c->program, NULL);
	else
		(void)quote_put(&b, QUOTE_RULE, c->program, NULL);
	if (c->scan)
		for (size_t i = 0; i < c->scan->depth; i++) {
			buf_putc(&b, ' ');
			buf_put(&b, c->argv[c->scan->path[i]].text);
		}
	/* Name the hosts, so that the rule allows no others. */
	for (const struct text_list *h = j->hosts; h; h = h->next) {
		buf_puts(&b, h == j->hosts ? " net " : " ");
		decide_put_host(&b, h->text);
	}
	for (const struct text_list *h = j->reads; h; h = h->next) {
		buf_puts(&b, h == j->reads ? " readable " : " ");
		buf_put(&b, h->text);
	}
	if (b.full)
		d->full = true;
	return buf_str(&b);
}

static bool
has(const struct decision *out, struct str text)
{
	for (size_t i = 0; i < out->candidates_n; i++)
		if (str_eq(out->candidates[i], text))
			return true;
	return false;
}

/* Set the hint.  `rule` would allow the command that decided; .p == NULL: no rule would. */
static void
find_fix(struct deciding *d, struct decision *out, struct str rule, bool hosts)
{
	if (out->fix.p)
		return;
	if (out->verdict == VERDICT_ALLOW)
		out->fix = STR("");
	else if (out->hard)
		out->fix = STR("blocked by a deny rule; edit that rule to change this");
	else if (out->gate == GATE_PARSE)
		out->fix = STR("write the command in a simpler form");
	else if (out->gate == GATE_CONTAIN)
		out->fix = STR("use a path inside the workspace, or name its directory in "
			       "`writable` in your rules");
	else if (rule.p)
		out->fix = SAY(d,
		    out->verdict != VERDICT_CONFINE || hosts
			? STR("to allow it, add this line to ")
			: STR("to run it outside the sandbox, add this line to "),
		    hosts ? STR(".cordon/rules") : STR("your rules"), STR(":  allow "),
		    rule);
	else
		out->fix = out->verdict == VERDICT_CONFINE
			       ? STR("nothing is needed: it runs in the sandbox")
			   : d->in->interactive
			       ? STR("approve once")
			       : STR("allow it with a rule, or run it where a person can "
				     "approve it");
}

void
decide_candidates(struct deciding *d, struct decision *out)
{
	struct str decides = { NULL, 0 }; /* the rule for the first command that decided */
	/* In a session that is not interactive, an ask has become a deny. */
	bool hosts = false, asked = out->verdict == VERDICT_DENY;
	size_t cap = 0;

	for (const struct judged *j = d->first; j; j = j->next) {
		cap += j->verdict == VERDICT_ASK || j->verdict == VERDICT_CONFINE;
		asked &= j->verdict != VERDICT_DENY;
	}
	out->candidates = arena_array(d->a, cap, sizeof *out->candidates);
	if (!out->candidates) {
		d->full = true;
		return;
	}
	for (const struct judged *j = d->first; j; j = j->next) {
		struct str text;

		/* Skip commands for which no allow rule would change the answer. */
		if (!j->command || !j->command->program.p || j->hard ||
		    (j->verdict != VERDICT_ASK && j->verdict != VERDICT_CONFINE) ||
		    j->command->function || j->command->value)
			continue;
		text = candidate(d, j);
		if (!decides.p &&
		    (j->verdict == out->verdict || (asked && j->verdict == VERDICT_ASK))) {
			decides = text;
			hosts = j->hosts && text.n;
		}
		if (!has(out, text))
			out->candidates[out->candidates_n++] = text;
	}
	find_fix(d, out, decides, hosts);
}
