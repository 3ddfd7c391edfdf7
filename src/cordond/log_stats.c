#include "base/json.h"
#include "base/show.h"
#include "cordond/log.h"
#include "decide/decide.h"

#define TOP 10
#define STATS_BYTES ((size_t)8 << 20)

struct stats {
	struct log *log;
	struct arena out;
	struct buf b;
	bool json, days;
};

static void
put_name(struct stats *s, const struct db_count *c, unsigned groups)
{
	if (groups & DB_BY_DAY) {
		char mem[64];
		struct arena a;
		struct buf day;

		arena_init(&a, mem, sizeof mem);
		buf_init(&day, &a);
		record_put_time(&day, c->day, false);
		day.n = 10;
		buf_puts(&s->b, s->json ? ",\"day\":\"" : "  ");
		buf_put(&s->b, buf_str(&day));
		buf_puts(&s->b, s->json ? "\"" : "");
	}
	if (groups & DB_BY_KIND) {
		const char *name =
		    c->kind.set ? record_kind_name((enum record_kind)c->kind.n) : NULL;

		buf_puts(&s->b, s->json ? ",\"kind\":" : "  ");
		if (s->json)
			json_put_str_or_null(&s->b, str_from_c(name));
		else
			buf_puts(&s->b, name ? name : "-");
	}
	if (groups & DB_BY_VERDICT) {
		const char *name =
		    c->verdict.set ? verdict_name((enum verdict)c->verdict.n) : NULL;

		buf_puts(&s->b, s->json ? ",\"verdict\":" : "  ");
		if (s->json)
			json_put_str_or_null(&s->b, str_from_c(name));
		else
			buf_puts(&s->b, name ? name : "-");
	}
	if (groups & (DB_BY_PROGRAM | DB_BY_HOST)) {
		struct str name = groups & DB_BY_PROGRAM ? c->program : c->host;

		buf_puts(&s->b, !s->json                 ? "  "
				: groups & DB_BY_PROGRAM ? ",\"program\":"
							 : ",\"host\":");
		if (s->json)
			json_put_str_or_null(&s->b, name);
		else
			show_put(&s->b, name.p ? name : STR("-"), 0);
	}
}

struct part {
	struct stats *s;
	unsigned groups;
};

static void
put_count(void *context, const struct db_count *c)
{
	struct part *p = context;
	struct buf *b = &p->s->b;
	size_t digits = 1;

	if (p->s->json) {
		json_put_sep(b);
		buf_puts(b, "{\"n\":");
		buf_putu(b, c->n);
		put_name(p->s, c, p->groups);
		buf_putc(b, '}');
		return;
	}
	for (uint64_t n = c->n; n >= 10; n /= 10)
		digits++;
	for (; digits < 10; digits++)
		buf_putc(b, ' ');
	buf_putu(b, c->n);
	put_name(p->s, c, p->groups);
	buf_putc(b, '\n');
}

static int
put_part(struct stats *s, const char *key, const char *title, unsigned groups,
    const struct db_filter *f, uint64_t limit)
{
	struct part p = { s, groups };
	struct err e = { 0 };

	if (s->json) {
		json_put_key(&s->b, key);
		buf_putc(&s->b, '[');
	} else {
		buf_puts(&s->b, title);
		buf_putc(&s->b, '\n');
	}
	if (db_count(&s->log->d, groups, f, limit, put_count, &p, &e))
		return log_error(s->log, "cannot count", &e);
	buf_puts(&s->b, s->json ? "]" : "\n");
	return 0;
}

static int
put_all(struct stats *s, const struct db_filter *f)
{
	struct db_filter asked = *f, denied = *f, refused = *f, decided = *f;
	int status;

	decided.kind = (struct record_number){ true, RECORD_DECISION };
	asked.kind = denied.kind = decided.kind;
	asked.verdict = (struct record_number){ true, VERDICT_ASK };
	denied.verdict = (struct record_number){ true, VERDICT_DENY };
	refused.kind = (struct record_number){ true, RECORD_VIOLATION };
	status = put_part(s, "kinds", "records", DB_BY_KIND, f, 0);
	if (!status)
		status = put_part(s, "verdicts", "decisions", DB_BY_VERDICT, &decided, 0);
	if (!status)
		status = put_part(
		    s, "hosts", "decisions by agent", DB_BY_HOST, &decided, f->limit);
	if (!status)
		status =
		    put_part(s, "asked", "asked most", DB_BY_PROGRAM, &asked, f->limit);
	if (!status)
		status =
		    put_part(s, "denied", "denied most", DB_BY_PROGRAM, &denied, f->limit);
	if (!status)
		status = put_part(s, "violations", "refused by the sandbox", DB_BY_PROGRAM,
		    &refused, f->limit);
	if (!status && s->days)
		status = put_part(
		    s, "days", "decisions by day", DB_BY_DAY | DB_BY_VERDICT, &decided, 0);
	return status;
}

int
log_stats(const struct cli *cli, int argc, char **argv)
{
	cleanup_log struct log l = { .cli = cli, .j = { .dir = -1 } };
	struct stats s = { .log = &l };
	struct log_filter given = { 0 };
	struct db_filter f;
	const struct opt opts[] = {
		{ "--json", &s.json, NULL },
		{ "--days", &s.days, NULL },
		{ "--stale", &l.stale, NULL },
		{ "--dir", NULL, &l.dir },
		{ "--since", NULL, &given.since },
		{ "--until", NULL, &given.until },
		{ "-n", NULL, &given.count },
	};
	struct opts_result got =
	    opts_read(cli, argc, argv, opts, sizeof opts / sizeof *opts);
	int status;

	if (got.done)
		return got.status;
	if (got.operand < argc)
		return usage_error(cli, "stats takes no", str_from_c(argv[got.operand]));
	status = log_filter_take(cli, &given, TOP, &f);
	if (!status)
		status = log_start(&l, false);
	if (status)
		return status;
	if (!arena_map(&s.out, STATS_BYTES))
		return internal_error("no memory", 0);
	buf_init(&s.b, &s.out);
	if (s.json)
		buf_putc(&s.b, '{');
	status = put_all(&s, &f);
	if (s.json)
		buf_puts(&s.b, "}\n");
	if (status)
		return status;
	return s.b.full ? internal_error("no memory for the answer", 0)
			: put_out(buf_str(&s.b));
}
