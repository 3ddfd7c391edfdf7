#include "base/show.h"
#include "daemon/log/log.h"
#include "decide/decide.h"

void
log_csv_names(struct buf *b)
{
	buf_puts(b, "sequence,time,kind,about,host,session,pid,tool,cwd,command,program,op,"
		    "path,verdict,hard,gate,rule,reason,outcome,exit,signal,wall_ms,count,"
		    "detail\r\n");
}

/* Quote a text on one line, without control bytes.  Put an apostrophe before text that a
 * spreadsheet would read as a formula: agents write these texts. */
static void
put_text(struct buf *b, struct str s)
{
	static const char formula[] = "=+-@\t\r";

	buf_putc(b, ',');
	if (!s.p)
		return;
	buf_putc(b, '"');
	if (s.n && s.p[0] && strchr(formula, s.p[0]))
		buf_putc(b, '\'');
	for (;;) {
		size_t quote = str_find(s, '"');

		show_put(b, str_cut(s, 0, quote), SHOW_EXACT);
		if (quote == s.n)
			break;
		buf_puts(b, "\"\"");
		s = str_skip(s, quote + 1);
	}
	buf_putc(b, '"');
}

static void
put_number(struct buf *b, struct record_number n)
{
	buf_putc(b, ',');
	if (n.set)
		buf_putu(b, n.n);
}

void
log_csv(struct buf *b, const struct record *r)
{
	struct str verdict = str_of(NULL, 0);

	if (r->verdict.set)
		verdict = str_from_c(verdict_name((enum verdict)r->verdict.n));
	buf_putu(b, r->sequence);
	buf_putc(b, ',');
	record_put_time(b, r->time, true);
	buf_putc(b, ',');
	buf_puts(b, record_kind_name(r->kind));
	put_number(b, r->about);
	put_text(b, r->host);
	put_text(b, r->session);
	put_number(b, r->pid);
	put_text(b, r->tool);
	put_text(b, r->cwd);
	put_text(b, r->command);
	put_text(b, r->program);
	put_text(b, r->op);
	put_text(b, r->path);
	put_text(b, verdict);
	put_number(b, r->hard);
	put_text(b, r->gate);
	put_text(b, r->rule);
	put_text(b, r->reason);
	put_text(b, r->outcome);
	put_number(b, r->exit);
	put_number(b, r->signal);
	put_number(b, r->wall_ms);
	put_number(b, r->count);
	put_text(b, r->detail);
	buf_puts(b, "\r\n");
}
