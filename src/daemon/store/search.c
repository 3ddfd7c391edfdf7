#include "base/limits.h"
#include "daemon/store/sql.h"
#include "daemon/store/words.h"

/* A statement and its values, in the order of the question marks. */
struct sql_query {
	struct buf sql, match, below;
	struct {
		enum { VALUE_NUMBER, VALUE_BYTES, VALUE_TEXT } kind;
		int64_t number;
		struct str bytes;
	} v[24];
	int n;
};

static void
put(struct sql_query *q, const char *sql)
{
	buf_puts(&q->sql, sql);
}

static void
and_number(struct sql_query *q, const char *sql, int64_t n)
{
	put(q, sql);
	q->v[q->n].kind = VALUE_NUMBER;
	q->v[q->n++].number = n;
}

static void
and_bytes(struct sql_query *q, const char *sql, struct str bytes)
{
	if (!bytes.p)
		return;
	put(q, sql);
	q->v[q->n].kind = VALUE_BYTES;
	q->v[q->n++].bytes = bytes;
}

static void
bind(const struct sql_query *q, sqlite3_stmt *s)
{
	for (int i = 0; i < q->n; i++) {
		struct str b = q->v[i].bytes;

		if (q->v[i].kind == VALUE_NUMBER)
			(void)sqlite3_bind_int64(s, i + 1, q->v[i].number);
		else if (q->v[i].kind == VALUE_BYTES)
			sql_bind_bytes(s, i + 1, b);
		else
			(void)sqlite3_bind_text64(
			    s, i + 1, b.p, b.n, SQLITE_STATIC, SQLITE_UTF8);
	}
}

/* Choose the index that usually leaves the fewest rows. */
static const char *
index_for(const struct db_filter *f)
{
	if (f->about.set)
		return " INDEXED BY by_about";
	if (f->session.p)
		return " INDEXED BY by_session";
	if (f->path.p)
		return " INDEXED BY by_path";
	if (f->program.p)
		return " INDEXED BY by_program";
	if (f->verdict.set)
		return " INDEXED BY by_verdict";
	if (f->kind.set)
		return " INDEXED BY by_kind";
	if (f->host.p)
		return " INDEXED BY by_host";
	return " NOT INDEXED";
}

/* ---- convert times to sequence numbers */

/* The sequence of the record with the time nearest to `time`, or 0. */
static int
near(struct db *d, const char *sql, int64_t time, uint64_t *ret, struct err *reterr)
{
	cleanup_sql sqlite3_stmt *s = NULL;
	int code, err = sql_prepare(d, sql, &s, reterr);

	if (err)
		return err;
	(void)sqlite3_bind_int64(s, 1, time);
	code = sqlite3_step(s);
	if (code != SQLITE_ROW && code != SQLITE_DONE)
		return sql_error(d, "cannot read the store", reterr);
	*ret = code == SQLITE_ROW ? (uint64_t)sqlite3_column_int64(s, 0) : 0;
	return 0;
}

/*
 * Records are in the order of writing, and the clock may have gone back, but never by more
 * than place.skew: everything before a record older than since - skew is older than since.
 */
static int
narrow(struct db *d, struct db_filter *f, struct err *reterr)
{
	static const char older[] = "SELECT sequence FROM record INDEXED BY by_time "
				    "WHERE time < ?1 ORDER BY time DESC LIMIT 1";
	static const char newer[] = "SELECT sequence FROM record INDEXED BY by_time "
				    "WHERE time > ?1 ORDER BY time LIMIT 1";
	struct db_place place;
	uint64_t at = 0;
	int err = f->has_since || f->has_until ? db_place(d, &place, reterr) : 0;

	if (!err && f->has_since) {
		err = near(d, older, f->since - place.skew, &at, reterr);
		if (at > f->after)
			f->after = at;
	}
	if (!err && f->has_until) {
		at = 0;
		err = near(d, newer, f->until + place.skew, &at, reterr);
		if (at && (!f->before || at < f->before))
			f->before = at;
	}
	return err;
}

/* ---- the statement */

static bool
put_from(struct sql_query *q, const struct db_filter *f)
{
	if (!f->words.p) {
		put(q, "SELECT r.body FROM record r");
		put(q, index_for(f));
		put(q, " WHERE 1");
		return true;
	}
	if (!words_put(&q->match, f->words))
		return false;
	put(q, "SELECT r.body FROM words w CROSS JOIN record r ON r.sequence = w.rowid "
	       "WHERE words MATCH ?");
	q->v[q->n].kind = VALUE_TEXT;
	q->v[q->n++].bytes = buf_str(&q->match);
	return true;
}

static void
put_path(struct sql_query *q, const struct db_filter *f)
{
	if (!f->path.p)
		return;
	/* '/' + 1 is '0': everything below the path sorts in between. */
	if (!str_is(f->path, "/"))
		buf_put(&q->below, f->path);
	buf_putc(&q->below, '0');
	and_bytes(q, " AND r.path >= ?", f->path);
	and_bytes(q, " AND r.path < ?", buf_str(&q->below));
}

static void
put_where(struct sql_query *q, const struct db_filter *f)
{
	const char *number = f->words.p ? "w.rowid" : "r.sequence";

	if (f->kind.set)
		and_number(q, " AND r.kind = ?", (int64_t)f->kind.n);
	if (f->verdict.set)
		and_number(q, " AND r.verdict = ?", (int64_t)f->verdict.n);
	if (f->about.set)
		and_number(q, " AND r.about = ?", (int64_t)f->about.n);
	and_bytes(q, " AND r.program = ?", f->program);
	and_bytes(q, " AND r.host = ?", f->host);
	and_bytes(q, " AND r.session = ?", f->session);
	put_path(q, f);
	if (f->has_since)
		and_number(q, " AND r.time >= ?", f->since);
	if (f->has_until)
		and_number(q, " AND r.time <= ?", f->until);
	put(q, " AND ");
	put(q, number);
	and_number(q, " > ?", (int64_t)f->after);
	if (f->before) {
		put(q, " AND ");
		put(q, number);
		and_number(q, " < ?", (int64_t)f->before);
	}
	put(q, " ORDER BY ");
	put(q, number);
	put(q, f->oldest_first ? "" : " DESC");
	buf_putc(&q->sql, '\0');
}

/* ---- filters that the SQL query does not apply */

static bool
same(struct str wanted, struct str have)
{
	return !wanted.p || (have.p && str_eq(wanted, have));
}

static bool
is_below(struct str wanted, struct str have)
{
	return !wanted.p ||
	       (have.p && str_starts(have, wanted) &&
		   (have.n == wanted.n || have.p[wanted.n] == '/' || wanted.n == 1));
}

static bool
is_wanted(const struct db_filter *f, const struct record *r)
{
	const struct str fields[] = { r->command, r->path, r->op, r->outcome, r->reason,
		r->rule, r->detail };

	return same(f->tool, r->tool) && same(f->cwd, r->cwd) && same(f->op, r->op) &&
	       is_below(f->path, r->path) &&
	       (!f->words.p ||
		   words_stand(f->words, fields, sizeof fields / sizeof *fields));
}

static int
visit(struct db *d, sqlite3_stmt *s, const struct db_filter *f, db_visitor *each,
    void *context, struct err *reterr)
{
	uint64_t found = 0;
	int code = SQLITE_DONE;

	while (
	    (f->limit == 0 || found < f->limit) && (code = sqlite3_step(s)) == SQLITE_ROW) {
		struct str body = sql_bytes(s, 0);
		struct record r = { 0 };

		/* From a newer version: stored, but cannot be shown. */
		if (record_decode(body, &r, NULL) || !is_wanted(f, &r))
			continue;
		found++;
		if (!each(context, body, &r))
			return 0;
	}
	if (code == SQLITE_ROW || code == SQLITE_DONE)
		return 0;
	return sql_error(d, "cannot read the store", reterr);
}

int
db_search(struct db *d, struct arena *a, const struct db_filter *f, db_visitor *each,
    void *context, struct err *reterr)
{
	cleanup_sql sqlite3_stmt *s = NULL;
	struct db_filter narrowed = *f;
	struct sql_query q = { 0 };
	char sql[2048], below[LIMIT_PATH + 16];
	struct arena for_sql, for_below;
	size_t used = a->used;
	int err = narrow(d, &narrowed, reterr);

	if (err)
		return err;
	arena_init(&for_sql, sql, sizeof sql);
	arena_init(&for_below, below, sizeof below);
	buf_init(&q.sql, &for_sql);
	buf_init(&q.below, &for_below);
	buf_init(&q.match, a);
	if (!put_from(&q, &narrowed))
		return err_at(reterr, CORDON_EINVAL, 0, "no word to search for");
	put_where(&q, &narrowed);
	if (q.sql.full || q.match.full || q.below.full)
		return err_at(reterr, CORDON_ENOMEM, 0, "the search is too long");
	err = sql_prepare(d, q.sql.p, &s, reterr);
	if (!err) {
		bind(&q, s);
		err = visit(d, s, &narrowed, each, context, reterr);
	}
	arena_back(a, used);
	return err;
}
