#include "base/json/json.h"
#include "base/show.h"
#include "cli/cli.h"
#include "daemon/log/log.h"
#include "decide/decide.h"

#define TOP 10
#define STATS_BYTES ((size_t)8 << 20)

struct stats {
	struct log *log;
	struct arena out;
	struct buf b;
	bool json, days, hours;
};

static void
put_name(struct stats *s, const char *key, struct str name)
{
	if (!s->json) {
		buf_puts(&s->b, "  ");
		show_put(&s->b, name.p ? name : STR("-"), 0);
		return;
	}
	json_put_member_or_null(&s->b, key, name);
}

static void
put_moment(struct stats *s, const char *key, int64_t time, size_t length)
{
	char mem[64];
	struct arena a;
	struct buf b;

	arena_init(&a, mem, sizeof mem);
	buf_init(&b, &a);
	record_put_time(&b, time, true);
	put_name(s, key, str_cut(buf_str(&b), 0, length));
}

static void
put_names(struct stats *s, const struct db_count *c, unsigned groups)
{
	const char *kind =
	    c->kind.set ? record_kind_name((enum record_kind)c->kind.n) : NULL;
	const char *verdict =
	    c->verdict.set ? verdict_name((enum verdict)c->verdict.n) : NULL;

	if (groups & DB_BY_DAY)
		put_moment(s, "day", c->day, sizeof "2026-11-15" - 1);
	if (groups & DB_BY_HOUR)
		put_moment(s, "hour", c->day, sizeof "2026-11-15T11" - 1);
	if (groups & DB_BY_KIND)
		put_name(s, "kind", str_from_c(kind));
	if (groups & DB_BY_VERDICT)
		put_name(s, "verdict", str_from_c(verdict));
	if (groups & DB_BY_PROGRAM)
		put_name(s, "program", c->program);
	if (groups & DB_BY_HOST)
		put_name(s, "host", c->host);
	if (groups & DB_BY_PATH)
		put_name(s, "path", c->path);
}

struct stats_part {
	struct stats *s;
	unsigned groups;
};

static void
put_count(void *context, const struct db_count *c)
{
	struct stats_part *p = context;
	struct buf *b = &p->s->b;
	size_t digits = 1;

	if (p->s->json) {
		json_put_sep(b);
		buf_putc(b, '{');
		json_put_member_u(b, "n", c->n);
		put_names(p->s, c, p->groups);
		buf_putc(b, '}');
		return;
	}
	for (uint64_t n = c->n; n >= 10; n /= 10)
		digits++;
	for (; digits < 10; digits++)
		buf_putc(b, ' ');
	buf_putu(b, c->n);
	put_names(p->s, c, p->groups);
	buf_putc(b, '\n');
}

static int
put_part(struct stats *s, const char *key, const char *title, unsigned groups,
    const struct db_filter *f, uint64_t limit)
{
	struct stats_part p = { s, groups };
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

/* The records that each part counts. */
enum counted { ALL, DECISIONS, ASKED, DENIED, VIOLATIONS };

static struct db_filter
filter_of(const struct db_filter *f, enum counted what)
{
	struct db_filter to = *f;

	if (what != ALL)
		to.kind = (struct record_number){ true,
			what == VIOLATIONS ? RECORD_VIOLATION : RECORD_DECISION };
	if (what == ASKED || what == DENIED)
		to.verdict = (struct record_number){ true,
			what == ASKED ? VERDICT_ASK : VERDICT_DENY };
	return to;
}

static int
put_all(struct stats *s, const struct db_filter *f)
{
	const struct {
		const char *key, *title;
		unsigned groups;
		enum counted what;
		bool wanted, limited;
	} parts[] = {
		{ "kinds", "records", DB_BY_KIND, ALL, true, false },
		{ "verdicts", "decisions", DB_BY_VERDICT, DECISIONS, true, false },
		{ "hosts", "decisions by agent", DB_BY_HOST, DECISIONS, true, true },
		{ "asked", "most asked", DB_BY_PROGRAM, ASKED, true, true },
		{ "denied", "most denied", DB_BY_PROGRAM, DENIED, true, true },
		{ "violations", "refused by the sandbox", DB_BY_PROGRAM, VIOLATIONS, true,
		    true },
		{ "paths", "refused by the sandbox, by path", DB_BY_PATH, VIOLATIONS, true,
		    true },
		{ "days", "decisions by day", DB_BY_DAY | DB_BY_VERDICT, DECISIONS, s->days,
		    false },
		{ "hours", "decisions by hour", DB_BY_HOUR | DB_BY_VERDICT, DECISIONS,
		    s->hours, false },
	};
	int status = 0;

	for (size_t i = 0; !status && i < sizeof parts / sizeof *parts; i++) {
		struct db_filter to = filter_of(f, parts[i].what);

		if (parts[i].wanted)
			status = put_part(s, parts[i].key, parts[i].title, parts[i].groups,
			    &to, parts[i].limited ? f->limit : 0);
	}
	return status;
}

int
log_stats(const struct process *cli, int argc, char **argv)
{
	cleanup_log struct log l = { .cli = cli, .j = { .dir = -1 } };
	struct stats s = { .log = &l };
	struct log_filter given = { 0 };
	struct db_filter f;
	const struct opt opts[] = {
		OPT_FLAG("--json", &s.json),
		OPT_FLAG("--days", &s.days),
		OPT_FLAG("--hours", &s.hours),
		OPT_FLAG("--stale", &l.stale),
		OPT_VALUE("--dir", &l.dir),
		OPT_VALUE("--since", &given.since),
		OPT_VALUE("--until", &given.until),
		OPT_VALUE("-n", &given.count),
	};
	struct opts_result got =
	    opts_read(cli, argc, argv, opts, sizeof opts / sizeof *opts);
	int status;

	if (got.done)
		return got.status;
	if (got.operand < argc)
		return usage_error(cli, "stats takes no arguments; unexpected",
		    str_from_c(argv[got.operand]));
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
