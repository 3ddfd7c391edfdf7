#include "journal/decision.h"
#include "base/buf.h"

/* The command that determines the verdict. */
static const struct judged *
deciding(const struct decision *d)
{
	const struct judged *best = NULL;

	for (const struct judged *j = d->judged; j; j = j->next) {
		if (j->verdict != d->verdict)
			continue;
		if (j->gate == d->gate)
			return j;
		if (!best)
			best = j;
	}
	return best;
}

/* Print layer:file:line. */
static int
put_rule(struct arena *a, const struct rule_ref *rule, struct str *ret, struct err *reterr)
{
	struct buf b;

	buf_init(&b, a);
	buf_puts(&b, layer_name(rule->layer));
	buf_putc(&b, ':');
	buf_put(&b, rule->file);
	buf_putc(&b, ':');
	buf_putu(&b, rule->line);
	if (b.full)
		return err_at(reterr, CORDON_ENOMEM, 0, "no memory for a record");
	*ret = buf_str(&b);
	return 0;
}

int
record_decision(
    struct arena *a, const struct decision *d, struct record *ret, struct err *reterr)
{
	const struct judged *j = deciding(d);
	struct record r = *ret;
	int err = 0;

	r.kind = RECORD_DECISION;
	r.verdict = (struct record_number){ true, d->verdict };
	r.hard = (struct record_number){ true, d->hard };
	r.gate = str_from_c(gate_name(d->gate));
	r.reason = d->reason;
	if (j && j->command)
		r.program = j->command->program;
	if (j && j->rule.set)
		err = put_rule(a, &j->rule, &r.rule, reterr);
	if (err)
		return err;
	*ret = r;
	return 0;
}
