/* daemon/store/sql.h: SQL statements that close themselves.  Internal. */
#pragma once
#include "daemon/store/store.h"

static inline void
sql_finish(sqlite3_stmt **s)
{
	(void)sqlite3_finalize(*s);
	*s = NULL;
}
#define cleanup_sql __attribute__((cleanup(sql_finish)))

/* Return CORDON_EIO; d->message has SQLite's message. */
int sql_error(struct db *d, const char *why, struct err *reterr);
int sql_run(struct db *d, const char *sql, const char *why, struct err *reterr);
int sql_prepare(struct db *d, const char *sql, sqlite3_stmt **ret, struct err *reterr);

/* Bind NULL for an absent text. */
void sql_bind_bytes(sqlite3_stmt *s, int at, struct str bytes);
void sql_bind_number(sqlite3_stmt *s, int at, struct record_number n);
struct str sql_bytes(sqlite3_stmt *s, int column);
struct record_number sql_number(sqlite3_stmt *s, int column);

/* open.c: only one process at a time creates or fills the store. */
int db_lock(struct journal *j, int *ret, struct err *reterr);
void db_unlock(int *lock);
#define cleanup_db_lock __attribute__((cleanup(db_unlock)))
/* True if the open file still has its name. */
bool db_is_current(const struct db *d, struct journal *j);
