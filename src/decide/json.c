#include "decide/json.h"
#include "base/json/json.h"
#include "decide/show.h"

static void
put_argv(struct buf *b, const struct command *c)
{
	buf_putc(b, '[');
	for (size_t i = 0; c && i < c->argc; i++) {
		json_put_sep(b);
		switch (c->argv[i].kind) {
		case FIELD_STR:
			json_put_str(b, c->argv[i].text);
			break;
		case FIELD_ONE:
			buf_puts(b, "{\"prefix\":");
			json_put_str(b, c->argv[i].text);
			buf_putc(b, '}');
			break;
		case FIELD_MANY:
			buf_puts(b, "null");
			break;
		}
	}
	buf_putc(b, ']');
}

static void
put_rule(struct buf *b, const struct rule_ref *r)
{
	json_put_key(b, "rule");
	if (!r->set) {
		buf_puts(b, "null");
		return;
	}
	buf_putc(b, '{');
	json_put_member(b, "layer", str_from_c(layer_name(r->layer)));
	json_put_member(b, "file", r->file);
	json_put_member_u(b, "line", r->line);
	json_put_member(b, "text", r->text);
	buf_putc(b, '}');
}

static void
put_judged(struct buf *b, struct str text, const struct judged *j)
{
	json_put_sep(b);
	buf_putc(b, '{');
	json_put_member(b, "text", decision_part(text, j->at));
	json_put_key(b, "argv");
	put_argv(b, j->command);
	json_put_range(b, j->at.start, j->at.end);
	json_put_member(b, "verdict", str_from_c(verdict_name(j->verdict)));
	json_put_member(b, "reason", j->reason.p ? j->reason : STR(""));
	put_rule(b, &j->rule);
	buf_putc(b, '}');
}

static void
put_steps(struct buf *b, const struct decision_step *s)
{
	json_put_key(b, "trace");
	buf_putc(b, '[');
	for (; s; s = s->next) {
		json_put_sep(b);
		buf_putc(b, '{');
		json_put_member_u(b, "gate", (uint64_t)s->gate);
		json_put_member(b, "name", str_from_c(gate_name(s->gate)));
		json_put_range(b, s->at.start, s->at.end);
		json_put_member(b, "verdict", str_from_c(verdict_name(s->verdict)));
		json_put_member_bool(b, "hard", s->hard);
		json_put_member(b, "reason", s->reason.p ? s->reason : STR(""));
		put_rule(b, &s->rule);
		buf_putc(b, '}');
	}
	buf_putc(b, ']');
}

static void
put_head(struct buf *b, struct str id, enum verdict verdict, bool hard, struct str reason)
{
	buf_putc(b, '{');
	if (id.p) {
		json_put_key(b, "id");
		buf_put(b, id);
	}
	json_put_member(b, "verdict", str_from_c(verdict_name(verdict)));
	json_put_member_bool(b, "hard", hard);
	json_put_member(b, "reason", reason);
}

void
decision_json(struct buf *out, const struct decide_input *in, const struct decision *d,
    const struct decision_extra *extra)
{
	put_head(out, extra->id, d->verdict, d->hard, d->reason.p ? d->reason : STR(""));
	json_put_key(out, "commands");
	buf_putc(out, '[');
	for (const struct judged *j = d->judged; j; j = j->next)
		put_judged(out, in->text, j);
	buf_putc(out, ']');
	json_put_key(out, "candidates");
	buf_putc(out, '[');
	for (size_t i = 0; i < d->candidates_n; i++) {
		json_put_sep(out);
		json_put_str(out, d->candidates[i]);
	}
	buf_putc(out, ']');
	json_put_key(out, "sandbox");
	sandbox_print(&d->sandbox, out);
	json_put_member(out, "fix", d->fix.p ? d->fix : STR(""));
	if (extra->command.p)
		json_put_member(out, "command", extra->command);
	if (extra->path.p)
		json_put_member(out, "path", extra->path);
	if (extra->trace)
		put_steps(out, d->steps);
	buf_putc(out, '}');
}

void
decision_json_full(struct buf *out, struct str id)
{
	static const struct sandbox_policy least = { .type = SANDBOX_WORKSPACE_READONLY,
		.block_git_writes = true,
		.disable_tmp_write = true };

	put_head(out, id, VERDICT_DENY, false,
	    STR("judging the command needs more memory than allowed"));
	buf_puts(out, ",\"commands\":[],\"candidates\":[],\"sandbox\":");
	sandbox_print(&least, out);
	buf_puts(out, ",\"fix\":\"write the command in a simpler form\"}");
}
