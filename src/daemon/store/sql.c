#include "daemon/store/sql.h"
#include "base/buf.h"

int
sql_error(struct db *d, const char *why, struct err *reterr)
{
	struct str text = str_from_c(d->sql ? sqlite3_errmsg(d->sql) : "no memory");
	size_t n = text.n < sizeof d->message ? text.n : sizeof d->message - 1;

	memcpy(d->message, text.p, n);
	d->message[n] = '\0';
	return err_at(reterr, CORDON_EIO, 0, why);
}

int
sql_run(struct db *d, const char *sql, const char *why, struct err *reterr)
{
	if (sqlite3_exec(d->sql, sql, NULL, NULL, NULL) == SQLITE_OK)
		return 0;
	return sql_error(d, why, reterr);
}

int
sql_prepare(struct db *d, const char *sql, sqlite3_stmt **ret, struct err *reterr)
{
	if (sqlite3_prepare_v3(d->sql, sql, -1, 0, ret, NULL) == SQLITE_OK)
		return 0;
	return sql_error(d, "SQLite did not accept a statement", reterr);
}

void
sql_bind_bytes(sqlite3_stmt *s, int at, struct str bytes)
{
	if (bytes.p)
		(void)sqlite3_bind_blob64(s, at, bytes.p, bytes.n, SQLITE_STATIC);
	else
		(void)sqlite3_bind_null(s, at);
}

void
sql_bind_number(sqlite3_stmt *s, int at, struct record_number n)
{
	if (n.set)
		(void)sqlite3_bind_int64(s, at, (sqlite3_int64)n.n);
	else
		(void)sqlite3_bind_null(s, at);
}

struct str
sql_bytes(sqlite3_stmt *s, int column)
{
	const char *p;

	if (sqlite3_column_type(s, column) == SQLITE_NULL)
		return str_of(NULL, 0);
	p = sqlite3_column_blob(s, column);
	return str_of(p ? p : "", (size_t)sqlite3_column_bytes(s, column));
}

struct record_number
sql_number(sqlite3_stmt *s, int column)
{
	struct record_number n = { 0 };

	if (sqlite3_column_type(s, column) == SQLITE_NULL)
		return n;
	return (struct record_number){ true, (uint64_t)sqlite3_column_int64(s, column) };
}
