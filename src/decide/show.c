#include "decide/show.h"
#include "base/show.h"

#define LABEL 14 /* columns of a label */
#define LISTED ((size_t)40)

struct str
decision_part(struct str text, struct span at)
{
	if (at.start > at.end || at.end > text.n)
		return STR("");
	return str_cut(text, at.start, at.end);
}

/* Escape text from outside for a terminal, in a new buffer. */
static struct str
shown(struct buf *out, struct str s)
{
	struct buf b;

	buf_init(&b, out->a);
	show_put(&b, s, 0);
	if (b.full)
		out->full = true;
	return buf_str(&b);
}

static void
put_label(struct buf *out, const char *label)
{
	size_t n = strlen(label);

	buf_puts(out, "  ");
	buf_puts(out, label);
	for (; n + 2 < LABEL; n++)
		buf_putc(out, ' ');
}

/* Print texts as one paragraph after a label. */
static void
put_fact(struct buf *out, const char *label, const struct str *parts, size_t n)
{
	struct buf b;

	buf_init(&b, out->a);
	for (size_t i = 0; i < n; i++)
		show_put(&b, parts[i], 0);
	if (b.full)
		out->full = true;
	put_label(out, label);
	show_wrap(out, buf_str(&b), LABEL, LABEL);
}

#define FACT(out, label, ...)                                                              \
	put_fact((out), (label), (const struct str[]){ __VA_ARGS__ },                      \
	    sizeof((const struct str[]){ __VA_ARGS__ }) / sizeof(struct str))

/* ---- what it does */

static const char *
where_text(enum where where)
{
	switch (where) {
	case WHERE_OUTSIDE:
		return " (outside the workspace)";
	case WHERE_TMP:
		return " (temporary)";
	case WHERE_UNKNOWN:
		return " (not known where)";
	case WHERE_INSIDE:
	case WHERE_DEVICE:
		break;
	}
	return "";
}

static void
show_files(struct buf *out, const struct effects *e)
{
	size_t n = 0, left = 0;

	for (const struct file_effect *f = e->files; f; f = f->next) {
		if (f->fact.where == WHERE_DEVICE)
			continue;
		if (n++ >= LISTED) {
			left++;
			continue;
		}
		FACT(out, file_op_name(f->op), f->path.n ? f->path : STR("an unknown file"),
		    f->known || !f->path.n ? STR("") : STR("..."),
		    f->tree ? STR(" and all below it") : STR(""),
		    str_from_c(f->op == FILE_READ ? "" : where_text(f->fact.where)));
	}
	if (left)
		FACT(out, "", STR("and more files"));
}

void
decision_show_effects(struct buf *out, const struct effects *e)
{
	size_t before = out->n;

	for (const struct chdir_effect *c = e->chdirs; c; c = c->next)
		FACT(out, "enters", c->known ? c->path : STR("an unknown directory"),
		    str_from_c(where_text(c->fact.where)));
	show_files(out, e);
	for (const struct net_effect *n = e->nets; n; n = n->next)
		FACT(out, "network", n->host.n ? n->host : STR("an unknown host"));
	for (const struct env_change *v = e->env; v; v = v->next)
		FACT(out, "sets", v->name,
		    v->runs ? STR(", which names code that runs") : STR(""));
	for (const struct unknown *u = e->unknowns; u; u = u->next)
		FACT(out, "unknown", str_from_c(u->why));
	if (out->n == before)
		FACT(out, "",
		    e->commands ? STR("nothing beyond running what stands above")
				: STR("nothing"));
}

/* ---- each part */

static void
show_rule(struct buf *out, const struct rule_ref *r)
{
	struct buf b;

	if (!r->set)
		return;
	buf_init(&b, out->a);
	buf_puts(&b, "rule: ");
	show_put(&b, r->text, 0);
	buf_puts(&b, " (");
	buf_puts(&b, layer_name(r->layer));
	buf_puts(&b, ", ");
	show_put(&b, r->file, 0);
	buf_putc(&b, ':');
	buf_putu(&b, r->line);
	buf_putc(&b, ')');
	if (b.full)
		out->full = true;
	buf_puts(out, "      ");
	show_wrap(out, buf_str(&b), 6, 8);
}

static void
show_part(struct buf *out, struct str text, const struct decision *d,
    const struct judged *j, bool colour)
{
	size_t number = draw_number(d, j);
	struct str part = decision_part(text, j->at);
	struct buf b;

	buf_puts(out, number < 10 ? "  " : " ");
	if (number)
		buf_putu(out, number);
	else
		buf_putc(out, ' ');
	buf_puts(out, "  ");
	verdict_put(out, j->verdict, colour);
	buf_puts(out, "  ");
	buf_init(&b, out->a);
	if (part.n > 48) {
		buf_put(&b, shown(out, str_cut(part, 0, 45)));
		buf_puts(&b, "...");
	} else
		buf_put(&b, shown(out, part));
	if (b.full)
		out->full = true;
	show_wrap(out, buf_str(&b), 7 + strlen(verdict_name(j->verdict)), 8);
	if (j->reason.n) {
		buf_puts(out, "      ");
		show_wrap(out, shown(out, j->reason), 6, 6);
	}
	show_rule(out, &j->rule);
}

void
decision_show_parts(struct buf *out, struct str text, const struct decision *d, bool colour)
{
	size_t n = 0, left = 0;

	for (const struct judged *j = d->judged; j; j = j->next) {
		/* In a long list, print only the parts that decide. */
		if (n >= LISTED && (j->verdict > d->verdict || n >= 2 * LISTED)) {
			left++;
			continue;
		}
		n++;
		show_part(out, text, d, j, colour);
	}
	if (left)
		buf_puts(out, "      ... and more parts, none of them stricter\n");
}

/* ---- the end */

static const char *
sandbox_text(const struct sandbox_policy *p)
{
	switch (p->type) {
	case SANDBOX_WORKSPACE_READONLY:
		return "the workspace to read";
	case SANDBOX_WORKSPACE_READWRITE:
		return "the workspace to write";
	case SANDBOX_INSECURE_NONE:
	case SANDBOX_UNSPECIFIED:
		break;
	}
	return "no sandbox";
}

void
decision_show_sandbox(struct buf *out, const struct sandbox_policy *p)
{
	struct buf b;

	buf_init(&b, out->a);
	buf_puts(&b, sandbox_text(p));
	if (p->network_access)
		buf_puts(&b, ", the network");
	else if (p->network_allow.n)
		buf_puts(&b, ", of the network only");
	else
		buf_puts(&b, ", no network");
	for (size_t i = 0; !p->network_access && i < p->network_allow.n; i++) {
		buf_putc(&b, ' ');
		buf_put(&b, p->network_allow.v[i]);
	}
	for (size_t i = 0; i < p->readwrite.n; i++) {
		buf_puts(&b, i ? " " : ", also to write ");
		buf_put(&b, p->readwrite.v[i]);
	}
	if (p->disable_tmp_write)
		buf_puts(&b, ", no temporary directory");
	if (b.full)
		out->full = true;
	FACT(out, "confined", buf_str(&b));
}

static const char *
meaning(const struct decision *d)
{
	switch (d->verdict) {
	case VERDICT_ALLOW:
		return " - it runs as it is\n\n";
	case VERDICT_CONFINE:
		return " - it runs without a question, inside the sandbox\n\n";
	case VERDICT_ASK:
		return " - a person must agree first\n\n";
	case VERDICT_DENY:
		break;
	}
	return d->hard ? " - it does not run, and no approval lifts that\n\n"
		       : " - it does not run\n\n";
}

static void
show_decision(struct buf *out, const struct decision *d)
{
	struct buf b;

	buf_puts(out, "\nWhy\n");
	buf_init(&b, out->a);
	buf_puts(&b, "gate ");
	buf_putu(&b, (uint64_t)d->gate);
	buf_puts(&b, ", ");
	buf_puts(&b, gate_name(d->gate));
	if (b.full)
		out->full = true;
	if (d->gate != GATE_NONE)
		FACT(out, "decided by", buf_str(&b));
	FACT(out, "because", d->reason);
	if (d->verdict == VERDICT_CONFINE || d->verdict == VERDICT_ASK)
		decision_show_sandbox(out, &d->sandbox);
	if (d->fix.n)
		FACT(out, "hint:", d->fix);
}

void
decision_show(
    struct buf *out, const struct decide_input *in, const struct decision *d, bool colour)
{
	if (colour)
		buf_puts(out, "\x1b[1m");
	verdict_put(out, d->verdict, colour);
	buf_puts(out, meaning(d));
	draw_command(out, in->text, d, colour);
	if (d->judged)
		buf_putc(out, '\n');
	decision_show_parts(out, in->text, d, colour);
	if (in->effects) {
		buf_puts(out, "\nWhat it does\n");
		decision_show_effects(out, in->effects);
	}
	show_decision(out, d);
}

/* ---- shorter and longer forms */

void
decision_line(struct buf *out, const struct decision *d)
{
	buf_puts(out, verdict_name(d->verdict));
	buf_puts(out, ": ");
	show_put(out, d->reason, 0);
	if (d->fix.n) {
		buf_puts(out, "\n  hint: ");
		show_put(out, d->fix, 0);
	}
}

static void
trace_row(struct buf *out, const char *name, struct str value)
{
	put_label(out, name);
	show_put(out, value, 0);
	buf_putc(out, '\n');
}

static void
trace_step(struct buf *out, struct str text, const struct decision_step *s)
{
	size_t n = strlen(gate_name(s->gate));

	buf_puts(out, "  ");
	buf_puts(out, s->gate < 10 ? " " : "");
	buf_putu(out, (uint64_t)s->gate);
	buf_putc(out, ' ');
	buf_puts(out, gate_name(s->gate));
	for (; n < 13; n++)
		buf_putc(out, ' ');
	buf_puts(out, verdict_name(s->verdict));
	buf_puts(out, s->hard ? " (hard)  " : "  ");
	show_put(out, s->reason.n ? s->reason : decision_part(text, s->at), 0);
	if (s->rule.set) {
		buf_puts(out, "  [");
		show_put(out, s->rule.file, 0);
		buf_putc(out, ':');
		buf_putu(out, s->rule.line);
		buf_putc(out, ']');
	}
	buf_putc(out, '\n');
}

void
decision_trace(struct buf *out, const struct decide_input *in, const struct decision *d)
{
	const struct policy_settings *set = policy_settings(in->policy);

	buf_puts(out, "the question\n");
	trace_row(out, "original", in->text);
	for (size_t i = 0; i < in->base.roots_n; i++)
		trace_row(out, "root", in->base.roots[i]);
	trace_row(out, "mode", str_from_c(mode_name(in->has_mode ? in->mode : set->mode)));
	trace_row(out, "interactive", in->interactive ? STR("yes") : STR("no"));
	buf_puts(out, "the commands\n");
	for (const struct judged *j = d->judged; j; j = j->next) {
		if (j->command)
			trace_row(out, "root",
			    j->command->program.p ? j->command->program : STR("?"));
		trace_row(out, "split", decision_part(in->text, j->at));
		trace_row(out, "verdict", str_from_c(verdict_name(j->verdict)));
	}
	buf_puts(out, "the gates\n");
	for (const struct decision_step *s = d->steps; s; s = s->next)
		trace_step(out, in->text, s);
	buf_puts(out, "the answer\n");
	trace_row(out, "verdict", str_from_c(verdict_name(d->verdict)));
	trace_row(out, "hard", d->hard ? STR("yes") : STR("no"));
	trace_row(out, "reason", d->reason);
	for (const struct judged *j = d->judged; j; j = j->next)
		if (j->verdict <= VERDICT_ASK)
			trace_row(out, "refused", decision_part(in->text, j->at));
	put_label(out, "hint:");
	show_put(out, d->fix, 0);
}
