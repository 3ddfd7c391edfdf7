/* Print the steps of a check, and errors, for people. */
#include "base/show.h"
#include "dialects/gemini/gemini.h"

void
gemini_put_error(struct buf *out, const struct gemini_result *r, bool chinese)
{
	static const char *const words[2][4] = {
		{ "The security policy blocked the command: ",
		    "These commands are not allowed: ", "Unknown permission error: ",
		    "no details" },
		{ "安全策略阻止了命令执行: ", "以下命令未被允许: ", "未知权限错误: ",
		    "无详细信息" },
	};
	const char *const *w = words[chinese];

	if (r->hard) {
		buf_puts(out, w[0]);
		buf_put(out, r->reason);
		return;
	}
	buf_puts(out, r->disallowed.n ? w[1] : w[2]);
	for (size_t i = 0; i < r->disallowed.n; i++) {
		if (i)
			buf_puts(out, ", ");
		buf_put(out, r->disallowed.v[i]);
	}
	if (r->disallowed.n)
		return;
	if (r->reason.n)
		buf_put(out, r->reason);
	else
		buf_puts(out, w[3]);
}

void
gemini_note(struct gemini_trace *t, const char *name, struct str found)
{
	if (!t || t->n == GEMINI_STEPS)
		return;
	t->v[t->n++] =
	    (struct gemini_step){ name, found.p ? found : STR("(more than fits)") };
}

void
gemini_note_list(struct gemini_trace *t, const char *name, const struct gemini_list *l)
{
	struct buf b;

	if (!t)
		return;
	buf_init(&b, t->a);
	gemini_put_list(&b, l);
	gemini_note(t, name, gemini_text(&b));
}

/* run_shell_command(entry) and ShellTool(entry), as the original compares them. */
static void
note_session(struct gemini_trace *t, const struct gemini_list *session)
{
	struct gemini_list both = { 0 };

	if (!session->given) {
		gemini_note(t, "session allowlist", STR("none given"));
		return;
	}
	for (size_t i = 0; i < session->n; i++)
		for (size_t k = 0; k < 2; k++) {
			struct buf b;

			buf_init(&b, t->a);
			buf_put(&b, gemini_shell_names[k]);
			buf_putc(&b, '(');
			buf_put(&b, session->v[i]);
			buf_putc(&b, ')');
			gemini_add(t->a, &both, gemini_text(&b));
		}
	gemini_note_list(t, "session allowlist", &both);
}

static void
note_text(struct gemini_trace *t, struct str command)
{
	struct gemini_list split = { 0 }, roots = { 0 };

	gemini_note(t, "original", command);
	gemini_note(t, "normalised", gemini_normalise(t->a, command));
	gemini_note(t, "without its wrapper", gemini_strip_wrapper(command));
	gemini_split(t->a, command, &split);
	gemini_note_list(t, "split", &split);
	gemini_roots(t->a, command, &roots);
	gemini_note_list(t, "roots", &roots);
}

static void
note_answer(struct gemini_trace *t, const struct gemini_result *r)
{
	struct buf words;

	gemini_note(t, "result",
	    r->all_allowed ? STR("allowed")
	    : r->hard      ? STR("denied, and approval cannot change it")
			   : STR("denied unless a person approves"));
	if (r->all_allowed)
		return;
	gemini_note(t, "block reason", r->reason);
	gemini_note_list(t, "disallowed commands", &r->disallowed);
	buf_init(&words, t->a);
	gemini_put_error(&words, r, false);
	gemini_note(t, "in other words", gemini_text(&words));
}

static void
put_step(struct buf *out, const struct gemini_step *s)
{
	buf_puts(out, s->name);
	buf_puts(out, ": ");
	show_put(out, s->found, 0);
	buf_putc(out, '\n');
}

enum verdict
gemini_explain(
    struct arena *a, struct str command, const struct gemini_config *c, struct buf *out)
{
	struct gemini_trace t = { .a = a };
	struct gemini_result r = { 0 };

	note_text(&t, command);
	note_session(&t, &c->session);
	gemini_check_all(a, command, c, &t, &r);
	note_answer(&t, &r);
	for (size_t i = 0; i < t.n; i++)
		put_step(out, &t.v[i]);
	return gemini_verdict(&r, c->headless);
}
