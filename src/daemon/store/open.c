/* Create, open, check and remove the store's file. */
#define _GNU_SOURCE
#include "daemon/store/sql.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define DB_LOCK DB_DIR ".lock"
/* "cord" marks the file as ours. */
#define DB_APPLICATION 0x636f7264
#define DB_PATH_MAX (JOURNAL_PATH_MAX + 64)

/* How long to wait for another process that fills the store. */
#define LOCK_WAIT_MS 10000

/*
 * Columns serve searches; `body` is the record as in the journal.  Each index ends in the
 * sequence, so that the newest come first without sorting.  `tally` counts records by kind
 * and hour: statistics read it instead of all rows.
 */
static const char schema[] =
    "PRAGMA application_id = 1668248164;"
    "PRAGMA user_version = 2;"
    "CREATE TABLE place(one INTEGER PRIMARY KEY CHECK(one = 1), file INTEGER NOT NULL,"
    " last INTEGER NOT NULL, next INTEGER NOT NULL, sequence INTEGER NOT NULL,"
    " chain BLOB NOT NULL, newest INTEGER NOT NULL, skew INTEGER NOT NULL) STRICT;"
    "CREATE TABLE record(sequence INTEGER PRIMARY KEY, time INTEGER NOT NULL,"
    " kind INTEGER NOT NULL, verdict INTEGER, about INTEGER, program BLOB, host BLOB,"
    " session BLOB, path BLOB, body BLOB NOT NULL) STRICT;"
    "CREATE INDEX by_time ON record(time);"
    "CREATE INDEX by_kind ON record(kind);"
    "CREATE INDEX by_verdict ON record(verdict) WHERE verdict IS NOT NULL;"
    "CREATE INDEX by_program ON record(program) WHERE program IS NOT NULL;"
    "CREATE INDEX by_host ON record(host) WHERE host IS NOT NULL;"
    "CREATE INDEX by_session ON record(session) WHERE session IS NOT NULL;"
    "CREATE INDEX by_path ON record(path) WHERE path IS NOT NULL;"
    "CREATE INDEX by_about ON record(about) WHERE about IS NOT NULL;"
    "CREATE TABLE tally(hour INTEGER NOT NULL, kind INTEGER NOT NULL,"
    " verdict INTEGER NOT NULL, program BLOB NOT NULL, host BLOB NOT NULL,"
    " n INTEGER NOT NULL, PRIMARY KEY(hour, kind, verdict, program, host))"
    " STRICT, WITHOUT ROWID;"
    "CREATE TABLE gap(sequence INTEGER PRIMARY KEY, missing INTEGER NOT NULL) STRICT;"
    "CREATE TABLE head(sequence INTEGER PRIMARY KEY, chain BLOB NOT NULL,"
    " seen INTEGER NOT NULL) STRICT;"
    "CREATE VIRTUAL TABLE words USING fts5(text, content='', detail=none, columnsize=0,"
    " tokenize='ascii');"
    /* Bytes of words to sort before they are written. */
    "INSERT INTO words(words, rank) VALUES('hashsize', 67108864);";

static const char settings[] = "PRAGMA journal_mode = WAL;"
			       "PRAGMA synchronous = NORMAL;"
			       "PRAGMA trusted_schema = OFF;"
			       "PRAGMA cell_size_check = ON;"
			       "PRAGMA foreign_keys = ON;"
			       "PRAGMA temp_store = MEMORY;"
			       "PRAGMA cache_size = -65536;"
			       "PRAGMA mmap_size = 1073741824;";

/* ---- the lock */

void
db_unlock(int *lock)
{
	if (*lock >= 0)
		(void)close(*lock);
	*lock = -1;
}

int
db_lock(struct journal *j, int *ret, struct err *reterr)
{
	struct timespec pause = { 0, 2000000 };
	int fd = openat(
	    j->dir, DB_LOCK, O_RDWR | O_CREAT | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC, 0600);

	if (fd < 0)
		return err_at(reterr, CORDON_EIO, 0, "cannot open the store's lock file");
	for (int ms = 0; flock(fd, LOCK_EX | LOCK_NB); ms += 2) {
		if (errno != EWOULDBLOCK || ms >= LOCK_WAIT_MS) {
			db_unlock(&fd);
			return err_at(reterr, CORDON_EIO, 0,
			    "another process is filling the store; try again later");
		}
		(void)nanosleep(&pause, NULL);
	}
	*ret = fd;
	return 0;
}

/* ---- opening */

/* Open through the open directory, whatever its name leads to meanwhile. */
static void
path_of(const struct journal *j, const char *name, char ret[static DB_PATH_MAX])
{
	struct arena a;
	struct buf b;

	arena_init(&a, ret, DB_PATH_MAX);
	buf_init(&b, &a);
	buf_puts(&b, "/proc/self/fd/");
	buf_putu(&b, (uint64_t)j->dir);
	buf_putc(&b, '/');
	buf_puts(&b, name);
	buf_putc(&b, '\0');
	if (b.p != ret)
		memmove(ret, b.p, b.n);
}

static int
number_of(struct db *d, const char *sql, int64_t *ret, struct err *reterr)
{
	cleanup_sql sqlite3_stmt *s = NULL;
	int err = sql_prepare(d, sql, &s, reterr);

	if (err)
		return err;
	if (sqlite3_step(s) != SQLITE_ROW)
		return sql_error(d, "cannot read the store", reterr);
	*ret = sqlite3_column_int64(s, 0);
	return 0;
}

static int
harden(struct db *d, struct err *reterr)
{
	static const int off[] = { SQLITE_DBCONFIG_TRUSTED_SCHEMA,
		SQLITE_DBCONFIG_WRITABLE_SCHEMA, SQLITE_DBCONFIG_DQS_DDL,
		SQLITE_DBCONFIG_DQS_DML, SQLITE_DBCONFIG_ENABLE_TRIGGER,
		SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION };

	if (sqlite3_db_config(d->sql, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL) != SQLITE_OK)
		return sql_error(d, "this SQLite has no defensive mode", reterr);
	for (size_t i = 0; i < sizeof off / sizeof *off; i++)
		if (sqlite3_db_config(d->sql, off[i], 0, NULL) != SQLITE_OK)
			return sql_error(d, "this SQLite has no defensive mode", reterr);
	(void)sqlite3_busy_timeout(d->sql, LOCK_WAIT_MS);
	(void)sqlite3_limit(d->sql, SQLITE_LIMIT_ATTACHED, 0);
	(void)sqlite3_extended_result_codes(d->sql, 1);
	return sql_run(d, settings, "cannot open the store", reterr);
}

static int
make_tables(struct db *d, struct err *reterr)
{
	int err = sql_run(d, "BEGIN IMMEDIATE", "cannot create the store", reterr);

	if (!err)
		err = sql_run(d, schema, "cannot create the store", reterr);
	if (!err)
		err = sql_run(d, "COMMIT", "cannot create the store", reterr);
	d->fresh = !err;
	return err;
}

enum state {
	STATE_OURS,
	STATE_EMPTY,
	STATE_OLD,     /* another version of cordon's */
	STATE_FOREIGN, /* another program's */
};

static int
look_at(struct db *d, enum state *ret, struct err *reterr)
{
	int64_t tables = 0, application = 0, version = 0;
	int err = number_of(d, "SELECT count(*) FROM sqlite_schema", &tables, reterr);

	if (!err)
		err = number_of(d, "PRAGMA application_id", &application, reterr);
	if (!err)
		err = number_of(d, "PRAGMA user_version", &version, reterr);
	if (err)
		return err;
	*ret = tables == 0 && application == 0 ? STATE_EMPTY
	       : application != DB_APPLICATION ? STATE_FOREIGN
	       : version != DB_VERSION         ? STATE_OLD
					       : STATE_OURS;
	return 0;
}

static int
open_file(struct db *d, struct journal *j, enum state *ret, struct err *reterr)
{
	char path[DB_PATH_MAX];
	struct stat st;
	int err;

	if (mkdirat(j->dir, DB_DIR, 0700) && errno != EEXIST)
		return err_at(reterr, CORDON_EIO, 0, "cannot create the store's directory");
	if (fstatat(j->dir, DB_DIR, &st, AT_SYMLINK_NOFOLLOW) || !S_ISDIR(st.st_mode) ||
	    st.st_uid != j->uid || (st.st_mode & 077))
		return err_at(
		    reterr, CORDON_EIO, 0, "other users can access the store's directory");
	path_of(j, DB_FILE, path);
	if (sqlite3_open_v2(path, &d->sql,
		SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX |
		    SQLITE_OPEN_PRIVATECACHE,
		NULL) != SQLITE_OK)
		return sql_error(d, "cannot open the store", reterr);
	err = harden(d, reterr);
	return err ? err : look_at(d, ret, reterr);
}

static void
close_sql(struct db *d)
{
	(void)sqlite3_close(d->sql);
	d->sql = NULL;
}

/* A file that SQLite cannot read counts as missing: the journal has everything. */
static bool
is_broken(const struct db *d)
{
	int code = d->sql ? sqlite3_errcode(d->sql) & 0xff : 0;

	return code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
}

/* Call with the lock held. */
static int
remove_files(struct journal *j, struct err *reterr)
{
	static const char *const files[] = { DB_FILE, DB_FILE "-wal", DB_FILE "-shm",
		DB_FILE "-journal" };

	/* Remove the database first: SQLite drops a write-ahead log without a database,
	 * but would apply it to another one. */
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		if (unlinkat(j->dir, files[i], 0) && errno != ENOENT && errno != ENOTDIR)
			return err_at(reterr, CORDON_EIO, 0, "cannot remove the old store");
	return 0;
}

static int
open_locked(struct db *d, struct journal *j, struct err *reterr)
{
	enum state state = STATE_EMPTY;
	struct stat st;
	int err = open_file(d, j, &state, reterr);

	if (err ? is_broken(d) : state == STATE_OLD) {
		close_sql(d);
		err = remove_files(j, reterr);
		if (!err)
			err = open_file(d, j, &state, reterr);
	}
	if (!err && state == STATE_FOREIGN)
		err = err_at(reterr, CORDON_EREFUSED, 0,
		    "the store's file is another program's database");
	if (!err && state != STATE_OURS)
		err = make_tables(d, reterr);
	if (!err && fstatat(j->dir, DB_FILE, &st, AT_SYMLINK_NOFOLLOW))
		err = err_at(reterr, CORDON_EIO, 0, "cannot examine the store");
	if (!err)
		d->inode = (uint64_t)st.st_ino;
	return err;
}

int
db_open(struct db *d, struct journal *j, struct err *reterr)
{
	cleanup_db_lock int lock = -1;
	int err;

	*d = (struct db){ 0 };
	err = db_lock(j, &lock, reterr);
	if (!err)
		err = open_locked(d, j, reterr);
	if (err)
		db_close(d);
	return err;
}

bool
db_is_current(const struct db *d, struct journal *j)
{
	struct stat st;

	return fstatat(j->dir, DB_FILE, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       (uint64_t)st.st_ino == d->inode;
}

void
db_close(struct db *d)
{
	close_sql(d);
}

int
db_forget(struct journal *j, struct err *reterr)
{
	cleanup_db_lock int lock = -1;
	int err = db_lock(j, &lock, reterr);

	return err ? err : remove_files(j, reterr);
}
