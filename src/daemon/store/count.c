#include "daemon/store/sql.h"

#define HOUR 3600000000000

static const struct {
	unsigned bit;
	const char *sql;
} groups_sql[] = {
	{ DB_BY_DAY | DB_BY_HOUR, "hour / ?8" },
	{ DB_BY_KIND, "kind" },
	{ DB_BY_VERDICT, "nullif(verdict, -1)" },
	{ DB_BY_PROGRAM, "nullif(program, x'')" },
	{ DB_BY_HOST, "nullif(host, x'')" },
	{ DB_BY_PATH, "path" },
};

#define GROUPS (sizeof groups_sql / sizeof *groups_sql)

/* Single records for the partial hours at both ends. */
#define EDGE                                                                               \
	" UNION ALL SELECT time / 3600000000000 AS hour, kind, ifnull(verdict, -1), "      \
	"ifnull(program, x''), ifnull(host, x''), NULL, 1 FROM record INDEXED BY by_time " \
	"WHERE "

/* Without paths: few records have one. */
static const char from_tally[] =
    "(SELECT hour, kind, verdict, program, host, NULL AS path, n FROM tally "
    "WHERE hour >= ?1 AND hour <= ?2" EDGE "time >= ?3 AND time < ?4" EDGE
    "time >= ?5 AND time < ?6)";
static const char from_paths[] =
    "(SELECT time / 3600000000000 AS hour, kind, ifnull(verdict, -1) AS verdict, program, "
    "host, path, 1 AS n FROM record INDEXED BY by_path WHERE path IS NOT NULL "
    "AND time >= ?3 AND time < ?4)";

static void
put_sql(struct buf *b, unsigned groups, const struct db_filter *f)
{
	buf_puts(b, "SELECT ");
	for (size_t i = 0; i < GROUPS; i++) {
		buf_puts(b, groups & groups_sql[i].bit ? groups_sql[i].sql : "NULL");
		buf_puts(b, ", ");
	}
	buf_puts(b, "sum(n) FROM ");
	buf_puts(b, groups & DB_BY_PATH ? from_paths : from_tally);
	buf_puts(b, " WHERE 1");
	if (f->kind.set)
		buf_puts(b, " AND kind = ?9");
	if (f->verdict.set)
		buf_puts(b, " AND verdict = ?10");
	buf_puts(
	    b, " GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 7 DESC, 1, 2, 3, 4, 5, 6 LIMIT ?7");
	buf_putc(b, '\0');
}

/* The whole hours of a period, and the parts before and after; ends are exclusive. */
struct hour_span {
	int64_t first, last;
	int64_t edge[2][2];
};

static int64_t
since_of(const struct db_filter *f)
{
	return f->has_since ? f->since : INT64_MIN;
}

static int64_t
end_of(const struct db_filter *f)
{
	return f->has_until && f->until < INT64_MAX ? f->until + 1 : INT64_MAX;
}

static struct hour_span
span_of(const struct db_filter *f)
{
	int64_t since = since_of(f), end = end_of(f);
	struct hour_span s = { .first = INT64_MIN, .last = INT64_MAX };

	if (f->has_since) {
		s.first = since / HOUR + (since > 0 && since % HOUR != 0);
		s.edge[0][0] = since;
		s.edge[0][1] = s.first * HOUR;
	}
	if (f->has_until) {
		s.last = end / HOUR - (end < 0) - 1;
		s.edge[1][0] = (s.last + 1) * HOUR;
		s.edge[1][1] = end;
	}
	if (s.first > s.last)
		return (struct hour_span){ 1, 0, { { since, end } } };
	return s;
}

static void
bind_span(sqlite3_stmt *s, const struct hour_span *p)
{
	(void)sqlite3_bind_int64(s, 1, p->first);
	(void)sqlite3_bind_int64(s, 2, p->last);
	for (int i = 0; i < 2; i++)
		for (int k = 0; k < 2; k++)
			(void)sqlite3_bind_int64(s, 3 + 2 * i + k, p->edge[i][k]);
}

int
db_count(struct db *d, unsigned groups, const struct db_filter *f, uint64_t limit,
    db_counter *each, void *context, struct err *reterr)
{
	cleanup_sql sqlite3_stmt *s = NULL;
	struct hour_span span =
	    groups & DB_BY_PATH ? (struct hour_span){ 1, 0, { { since_of(f), end_of(f) } } }
				: span_of(f);
	int64_t hours = groups & DB_BY_HOUR ? 1 : 24;
	char mem[2048];
	struct arena a;
	struct buf b;
	int code, err;

	arena_init(&a, mem, sizeof mem);
	buf_init(&b, &a);
	put_sql(&b, groups, f);
	err = sql_prepare(d, b.p, &s, reterr);
	if (err)
		return err;
	bind_span(s, &span);
	(void)sqlite3_bind_int64(s, 7, limit ? (sqlite3_int64)limit : -1);
	(void)sqlite3_bind_int64(s, 8, hours);
	(void)sqlite3_bind_int64(s, 9, (sqlite3_int64)f->kind.n);
	(void)sqlite3_bind_int64(s, 10, (sqlite3_int64)f->verdict.n);
	while ((code = sqlite3_step(s)) == SQLITE_ROW) {
		struct db_count c = { .day = sqlite3_column_int64(s, 0) * hours * HOUR,
			.kind = sql_number(s, 1),
			.verdict = sql_number(s, 2),
			.program = sql_bytes(s, 3),
			.host = sql_bytes(s, 4),
			.path = sql_bytes(s, 5),
			.n = (uint64_t)sqlite3_column_int64(s, 6) };

		each(context, &c);
	}
	return code == SQLITE_DONE ? 0 : sql_error(d, "cannot read the store", reterr);
}

int
db_heads(struct db *d, db_head_visitor *each, void *context, struct err *reterr)
{
	cleanup_sql sqlite3_stmt *s = NULL;
	int code,
	    err = sql_prepare(
		d, "SELECT sequence, chain, seen FROM head ORDER BY sequence", &s, reterr);

	if (err)
		return err;
	while ((code = sqlite3_step(s)) == SQLITE_ROW) {
		struct journal_head head = { .sequence =
						 (uint64_t)sqlite3_column_int64(s, 0) };
		struct str chain = sql_bytes(s, 1);

		if (chain.n != sizeof head.chain)
			continue;
		memcpy(head.chain, chain.p, chain.n);
		each(context, &head, sqlite3_column_int64(s, 2));
	}
	return code == SQLITE_DONE ? 0 : sql_error(d, "cannot read the store", reterr);
}
