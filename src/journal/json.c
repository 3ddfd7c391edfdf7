#include "base/json/json.h"
#include "base/show.h"
#include "decide/decide.h"
#include "journal/record.h"

/* ---- time conversion without the C library: no zone, no locale */

struct moment {
	int64_t year;
	unsigned month, day, hour, minute, second, ns;
};

static struct moment
moment_of(int64_t time)
{
	const int64_t day_ns = (int64_t)86400 * 1000000000;
	int64_t days = time / day_ns, rest = time % day_ns;
	struct moment m;
	int64_t era, of_era, year, of_year, shifted;

	if (rest < 0) {
		rest += day_ns;
		days--;
	}
	/* Count years from March, in eras of 400 years: the leap day is then the last of
	 * its year. */
	days += 719468;
	era = (days >= 0 ? days : days - 146096) / 146097;
	of_era = days - era * 146097;
	year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
	of_year = of_era - (365 * year + year / 4 - year / 100);
	shifted = (5 * of_year + 2) / 153;
	m.day = (unsigned)(of_year - (153 * shifted + 2) / 5 + 1);
	m.month = (unsigned)(shifted < 10 ? shifted + 3 : shifted - 9);
	m.year = year + era * 400 + (m.month <= 2);
	m.ns = (unsigned)(rest % 1000000000);
	rest /= 1000000000;
	m.hour = (unsigned)(rest / 3600);
	m.minute = (unsigned)(rest / 60 % 60);
	m.second = (unsigned)(rest % 60);
	return m;
}

static void
put_digits(struct buf *b, uint64_t n, size_t digits)
{
	char out[20];

	for (size_t i = digits; i > 0; i--) {
		out[i - 1] = (char)('0' + n % 10);
		n /= 10;
	}
	buf_put(b, str_of(out, digits));
}

void
record_put_time(struct buf *b, int64_t time, bool fraction)
{
	struct moment m = moment_of(time);

	put_digits(b, (uint64_t)m.year, 4);
	buf_putc(b, '-');
	put_digits(b, m.month, 2);
	buf_putc(b, '-');
	put_digits(b, m.day, 2);
	buf_putc(b, 'T');
	put_digits(b, m.hour, 2);
	buf_putc(b, ':');
	put_digits(b, m.minute, 2);
	buf_putc(b, ':');
	put_digits(b, m.second, 2);
	if (fraction) {
		buf_putc(b, '.');
		put_digits(b, m.ns, 9);
	}
	buf_putc(b, 'Z');
}

/* ---- JSON */

static void
put_number(struct buf *b, const char *key, struct record_number n)
{
	json_put_key(b, key);
	if (n.set)
		buf_putu(b, n.n);
	else
		buf_puts(b, "null");
}

void
record_put_hex(struct buf *b, const uint8_t *p, size_t n)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < n; i++) {
		buf_putc(b, digits[p[i] >> 4]);
		buf_putc(b, digits[p[i] & 15]);
	}
}

static void
put_digest(struct buf *b, const char *key, const struct record_digest *d)
{
	json_put_key(b, key);
	if (!d->set) {
		buf_puts(b, "null");
		return;
	}
	buf_putc(b, '"');
	record_put_hex(b, d->b, sizeof d->b);
	buf_putc(b, '"');
}

static struct str
verdict_text(const struct record *r)
{
	return r->verdict.set ? str_from_c(verdict_name((enum verdict)r->verdict.n))
			      : str_of(NULL, 0);
}

/* Print the subject of a decision. */
static void
put_asked(struct buf *b, const struct record *r)
{
	json_put_member_or_null(b, "host", r->host);
	json_put_member_or_null(b, "session", r->session);
	put_number(b, "pid", r->pid);
	json_put_member_or_null(b, "tool", r->tool);
	json_put_member_or_null(b, "cwd", r->cwd);
	json_put_member_or_null(b, "command", r->command);
	json_put_member_or_null(b, "program", r->program);
	json_put_member_or_null(b, "op", r->op);
	json_put_member_or_null(b, "path", r->path);
}

static void
put_decided(struct buf *b, const struct record *r)
{
	json_put_member_or_null(b, "verdict", verdict_text(r));
	json_put_member_bool(b, "hard", r->hard.set && r->hard.n);
	json_put_member_or_null(b, "gate", r->gate);
	json_put_member_or_null(b, "rule", r->rule);
	json_put_member_or_null(b, "reason", r->reason);
	put_digest(b, "policy", &r->policy);
	json_put_member_or_null(b, "outcome", r->outcome);
	put_number(b, "exit", r->exit);
	put_number(b, "signal", r->signal);
	put_number(b, "wall_ms", r->wall_ms);
	put_number(b, "count", r->count);
	json_put_member_or_null(b, "detail", r->detail);
}

void
record_put_json(struct buf *b, const struct record *r)
{
	buf_putc(b, '{');
	json_put_member_u(b, "sequence", r->sequence);
	json_put_key(b, "time");
	buf_putc(b, '"');
	record_put_time(b, r->time, true);
	buf_putc(b, '"');
	json_put_member_or_null(b, "kind", str_from_c(record_kind_name(r->kind)));
	put_number(b, "about", r->about);
	put_asked(b, r);
	put_decided(b, r);
	json_put_member_bool(b, "redacted", r->flags & RECORD_REDACTED);
	json_put_member_bool(b, "cut", r->flags & RECORD_CUT);
	json_put_key(b, "chain");
	buf_putc(b, '"');
	record_put_hex(b, r->chain, sizeof r->chain);
	buf_puts(b, "\"}");
}

/* ---- a line */

static void
put_column(struct buf *b, struct str s, size_t width)
{
	buf_put(b, s);
	for (size_t i = s.n; i < width; i++)
		buf_putc(b, ' ');
	buf_putc(b, ' ');
}

static void
put_shown(struct buf *b, const char *before, struct str s, const char *behind)
{
	if (!s.p || s.n == 0)
		return;
	buf_puts(b, before);
	show_put(b, s, 0);
	buf_puts(b, behind);
}

static void
put_counted(struct buf *b, const char *before, struct record_number n)
{
	if (!n.set)
		return;
	buf_puts(b, before);
	buf_putu(b, n.n);
}

void
record_put_line(struct buf *b, const struct record *r)
{
	static const struct record_number nothing = { 0 };

	record_put_time(b, r->time, false);
	buf_putc(b, ' ');
	buf_putu(b, r->sequence);
	buf_putc(b, ' ');
	put_column(b, str_from_c(record_kind_name(r->kind)), 9);
	put_column(b, r->verdict.set ? verdict_text(r) : STR("-"), 7);
	put_counted(b, "#", r->about);
	put_shown(b, " ", r->op, "");
	put_shown(b, " ", r->path, "");
	put_shown(b, " ", r->command, "");
	put_shown(b, "  -> ", r->outcome, "");
	/* The outcome already says it in words. */
	put_counted(b, "  exit ", r->outcome.n ? nothing : r->exit);
	put_counted(b, "  signal ", r->outcome.n ? nothing : r->signal);
	put_shown(b, "  (", r->reason, ")");
	put_shown(b, "  [", r->rule, "]");
	put_shown(b, "  ", r->host, "");
	put_shown(b, " session ", r->session, "");
	put_counted(b, "  file ", r->file);
	put_counted(b, "  bytes from ", r->at);
	put_counted(b, ", so many: ", r->size);
}
