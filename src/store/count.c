#include "store/sql.h"

#define HOUR 3600000000000
#define DAY 86400000000000

static const struct {
	unsigned bit;
	const char *sql;
} groups_sql[] = {
	{ DB_BY_DAY | DB_BY_HOUR, "time / ?6" },
	{ DB_BY_KIND, "kind" },
	{ DB_BY_VERDICT, "verdict" },
	{ DB_BY_PROGRAM, "program" },
	{ DB_BY_HOST, "host" },
	{ DB_BY_PATH, "path" },
};

#define GROUPS (sizeof groups_sql / sizeof *groups_sql)

static void
put_sql(struct buf *b, unsigned groups, const struct db_filter *f)
{
	buf_puts(b, "SELECT ");
	for (size_t i = 0; i < GROUPS; i++) {
		buf_puts(b, groups & groups_sql[i].bit ? groups_sql[i].sql : "NULL");
		buf_puts(b, ", ");
	}
	/* by_time has all that is counted, but for paths: few records have one. */
	buf_puts(b, "count(*) FROM record INDEXED BY ");
	buf_puts(b,
	    groups & DB_BY_PATH ? "by_path WHERE path IS NOT NULL AND" : "by_time WHERE");
	buf_puts(b, " time >= ?1 AND time <= ?2");
	if (f->kind.set)
		buf_puts(b, " AND kind = ?3");
	if (f->verdict.set)
		buf_puts(b, " AND verdict = ?4");
	buf_puts(
	    b, " GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 7 DESC, 1, 2, 3, 4, 5, 6 LIMIT ?5");
	buf_putc(b, '\0');
}

int
db_count(struct db *d, unsigned groups, const struct db_filter *f, uint64_t limit,
    db_counter *each, void *context, struct err *reterr)
{
	cleanup_sql sqlite3_stmt *s = NULL;
	int64_t unit = groups & DB_BY_HOUR ? HOUR : DAY;
	char mem[1024];
	struct arena a;
	struct buf b;
	int code, err;

	arena_init(&a, mem, sizeof mem);
	buf_init(&b, &a);
	put_sql(&b, groups, f);
	err = sql_prepare(d, b.p, &s, reterr);
	if (err)
		return err;
	(void)sqlite3_bind_int64(s, 1, f->has_since ? f->since : INT64_MIN);
	(void)sqlite3_bind_int64(s, 2, f->has_until ? f->until : INT64_MAX);
	(void)sqlite3_bind_int64(s, 3, (sqlite3_int64)f->kind.n);
	(void)sqlite3_bind_int64(s, 4, (sqlite3_int64)f->verdict.n);
	(void)sqlite3_bind_int64(s, 5, limit ? (sqlite3_int64)limit : -1);
	(void)sqlite3_bind_int64(s, 6, unit);
	while ((code = sqlite3_step(s)) == SQLITE_ROW) {
		struct db_count c = { .day = sqlite3_column_int64(s, 0) * unit,
			.kind = sql_number(s, 1),
			.verdict = sql_number(s, 2),
			.program = sql_bytes(s, 3),
			.host = sql_bytes(s, 4),
			.path = sql_bytes(s, 5),
			.n = (uint64_t)sqlite3_column_int64(s, 6) };

		each(context, &c);
	}
	return code == SQLITE_DONE ? 0 : sql_error(d, "the store cannot be read", reterr);
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
	return code == SQLITE_DONE ? 0 : sql_error(d, "the store cannot be read", reterr);
}
