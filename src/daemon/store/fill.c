/*
 * Copy the journal into rows.  One transaction holds many records and the position after
 * them, so that a killed process leaves a store that knows how far it came.
 */
#include "daemon/store/tally.h"
#include <time.h>

/* Records per transaction. */
#define BATCH 100000
/* Larger than the magic and a start record. */
#define START_MAX 4096

struct filling {
	struct db *d;
	struct journal *j;
	struct arena *a;
	sqlite3_stmt *row, *words, *place, *gap, *head, *counted;
	struct db_place at;
	uint64_t pending; /* rows since BEGIN */
	struct tally tally;
	struct db_filled sum;
	struct err *reterr;
};

static void
filling_done(struct filling *f)
{
	sql_finish(&f->row);
	sql_finish(&f->words);
	sql_finish(&f->place);
	sql_finish(&f->gap);
	sql_finish(&f->head);
	sql_finish(&f->counted);
	tally_end(&f->tally);
	/* Roll back: nothing uncommitted was reported. */
	if (sqlite3_get_autocommit(f->d->sql) == 0)
		(void)sqlite3_exec(f->d->sql, "ROLLBACK", NULL, NULL, NULL);
}
#define cleanup_filling __attribute__((cleanup(filling_done)))

static int
prepare(struct filling *f)
{
	static const char row[] =
	    "INSERT INTO record(sequence, time, kind, verdict, about, program, host, "
	    "session, path, body) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
	static const char place[] =
	    "INSERT OR REPLACE INTO place(one, file, last, next, sequence, chain, newest, "
	    "skew) VALUES(1, ?1, ?2, ?3, ?4, ?5, ?6, ?7)";
	int err = sql_prepare(f->d, row, &f->row, f->reterr);

	if (!err)
		err = sql_prepare(f->d, "INSERT INTO words(rowid, text) VALUES(?1, ?2)",
		    &f->words, f->reterr);
	if (!err)
		err = sql_prepare(f->d, place, &f->place, f->reterr);
	if (!err)
		err = sql_prepare(f->d,
		    "INSERT OR IGNORE INTO gap(sequence, missing) VALUES(?1, ?2)", &f->gap,
		    f->reterr);
	if (!err)
		err = sql_prepare(f->d,
		    "INSERT OR IGNORE INTO head(sequence, chain, seen) VALUES(?1, ?2, ?3)",
		    &f->head, f->reterr);
	if (!err)
		err = sql_prepare(f->d, tally_sql, &f->counted, f->reterr);
	if (!err && !tally_begin(&f->tally))
		err = err_at(f->reterr, CORDON_ENOMEM, 0, "no memory to count");
	return err;
}

static int
step(struct filling *f, sqlite3_stmt *s)
{
	int code = sqlite3_step(s);

	(void)sqlite3_reset(s);
	if (code == SQLITE_DONE)
		return 0;
	return sql_error(f->d, "cannot write the store", f->reterr);
}

/* ---- transactions */

static int
begin(struct filling *f)
{
	if (sqlite3_get_autocommit(f->d->sql) == 0)
		return 0;
	f->pending = 0;
	return sql_run(f->d, "BEGIN IMMEDIATE", "cannot write the store", f->reterr);
}

static int
commit(struct filling *f, bool end)
{
	const struct db_place *p = &f->at;
	struct timespec now;
	int err;

	if (sqlite3_get_autocommit(f->d->sql))
		return 0;
	(void)sqlite3_bind_int64(f->place, 1, (sqlite3_int64)p->file);
	(void)sqlite3_bind_int64(f->place, 2, (sqlite3_int64)p->last);
	(void)sqlite3_bind_int64(f->place, 3, (sqlite3_int64)p->next);
	(void)sqlite3_bind_int64(f->place, 4, (sqlite3_int64)p->head.sequence);
	sql_bind_bytes(f->place, 5, str_of((const char *)p->head.chain, SHA256_BYTES));
	(void)sqlite3_bind_int64(f->place, 6, p->newest);
	(void)sqlite3_bind_int64(f->place, 7, p->skew);
	err = step(f, f->place);
	if (!err)
		err = tally_put(&f->tally, f->d, f->counted, f->reterr);
	if (!err && end && f->pending) {
		clock_gettime(CLOCK_REALTIME, &now);
		(void)sqlite3_bind_int64(f->head, 1, (sqlite3_int64)p->head.sequence);
		sql_bind_bytes(
		    f->head, 2, str_of((const char *)p->head.chain, SHA256_BYTES));
		(void)sqlite3_bind_int64(
		    f->head, 3, (sqlite3_int64)now.tv_sec * 1000000000 + now.tv_nsec);
		err = step(f, f->head);
	}
	return err ? err : sql_run(f->d, "COMMIT", "cannot write the store", f->reterr);
}

/* ---- one record */

/* Join the texts for the word index. */
static struct str
texts_of(struct arena *a, const struct record *r)
{
	const struct str texts[] = { r->command, r->path, r->op, r->outcome, r->reason,
		r->rule, r->detail };
	struct buf b;

	buf_init(&b, a);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		if (texts[i].n == 0)
			continue;
		if (b.n)
			buf_putc(&b, '\n');
		buf_put(&b, texts[i]);
	}
	return b.full ? str_of(NULL, 0) : buf_str(&b);
}

static int
put_row(struct filling *f, struct str body, const struct record *r)
{
	struct str texts = texts_of(f->a, r);
	sqlite3_stmt *s = f->row;
	int err;

	if (!texts.p)
		return err_at(f->reterr, CORDON_ENOMEM, 0, "no memory for a record");
	(void)sqlite3_bind_int64(s, 1, (sqlite3_int64)r->sequence);
	(void)sqlite3_bind_int64(s, 2, r->time);
	(void)sqlite3_bind_int64(s, 3, (sqlite3_int64)r->kind);
	sql_bind_number(s, 4, r->verdict);
	sql_bind_number(s, 5, r->about);
	sql_bind_bytes(s, 6, r->program);
	sql_bind_bytes(s, 7, r->host);
	sql_bind_bytes(s, 8, r->session);
	sql_bind_bytes(s, 9, r->path);
	sql_bind_bytes(s, 10, body);
	err = step(f, s);
	if (err || texts.n == 0)
		return err;
	(void)sqlite3_bind_int64(f->words, 1, (sqlite3_int64)r->sequence);
	(void)sqlite3_bind_text64(
	    f->words, 2, texts.p, texts.n, SQLITE_STATIC, SQLITE_UTF8);
	return step(f, f->words);
}

/* Check the chain; note gaps without repairing them. */
static int
check_chain(struct filling *f, struct str body, const struct record_head *head)
{
	const struct journal_head *before = &f->at.head;
	uint8_t chain[SHA256_BYTES];
	uint64_t missing;

	record_chain(body, before->chain, chain);
	if (before->sequence == 0 || (head->sequence == before->sequence + 1 &&
					 memcmp(chain, head->chain, sizeof chain) == 0))
		return 0;
	missing = head->sequence - before->sequence - 1;
	f->sum.gaps++;
	(void)sqlite3_bind_int64(f->gap, 1, (sqlite3_int64)head->sequence);
	(void)sqlite3_bind_int64(f->gap, 2, (sqlite3_int64)missing);
	return step(f, f->gap);
}

static void
note_time(struct db_place *p, int64_t time)
{
	if (time > p->newest)
		p->newest = time;
	else if (p->newest - time > p->skew)
		p->skew = p->newest - time;
}

static int
count(struct filling *f, const struct record *r)
{
	int err = 0;

	if (tally_add(&f->tally, r))
		return 0;
	err = tally_put(&f->tally, f->d, f->counted, f->reterr);
	if (!err && !tally_add(&f->tally, r))
		err = err_at(f->reterr, CORDON_ENOMEM, 0, "no memory to count");
	return err;
}

static int
put_record(struct filling *f, struct str body, const struct record_head *head)
{
	struct record r = { 0 };
	int err;

	/* A duplicate or moved record: `verify` reports it; keep one of each here. */
	if (head->sequence <= f->at.head.sequence) {
		f->sum.gaps++;
		return 0;
	}
	/* From a newer version: keep it, searchable by number only. */
	if (record_decode_whole(body, head, &r, NULL))
		r = (struct record){
			.kind = head->kind, .sequence = head->sequence, .time = f->at.newest
		};
	err = begin(f);
	if (!err)
		err = check_chain(f, body, head);
	if (!err)
		err = put_row(f, body, &r);
	if (!err)
		err = count(f, &r);
	if (err)
		return err;
	note_time(&f->at, r.time);
	f->at.head.sequence = head->sequence;
	memcpy(f->at.head.chain, head->chain, sizeof head->chain);
	f->pending++;
	f->sum.records++;
	f->sum.bytes += body.n;
	return 0;
}

/* ---- one file */

static int
fill_file(struct filling *f, const struct journal_name *name, uint64_t number)
{
	cleanup_journal_file struct journal_file file = { 0 };
	bool same = number == f->at.file;
	uint64_t from = same ? f->at.next : 0;
	size_t at = 0, begin_at, used = f->a->used;
	struct record_head head;
	struct str body;
	int err = journal_read_part(f->j, name, from, UINT64_MAX, &file, f->reterr);

	while (!err && journal_next(f->a, file.bytes, &at, &begin_at, &body, &head)) {
		err = put_record(f, body, &head);
		arena_back(f->a, used);
		f->at.file = number;
		f->at.last = from + begin_at;
		f->at.next = from + at;
		if (!err && f->pending >= (f->d->batch ? f->d->batch : BATCH))
			err = commit(f, false);
	}
	return err;
}

/* ---- check that it is the same journal */

/* The number in the file's start record, or 0. */
static int
number_of(struct filling *f, const struct journal_name *name, uint64_t *ret)
{
	cleanup_journal_file struct journal_file file = { 0 };
	size_t at = 0, begin_at, used = f->a->used;
	struct record_head head;
	struct record r = { 0 };
	struct str body;
	int err;

	*ret = name->number;
	if (name->number)
		return 0;
	err = journal_read_part(f->j, name, 0, START_MAX, &file, f->reterr);
	if (!err && journal_next(f->a, file.bytes, &at, &begin_at, &body, &head) &&
	    record_decode(body, &r, NULL) == 0 && r.kind == RECORD_START && r.file.set)
		*ret = r.file.n;
	arena_back(f->a, used);
	return err;
}

/* Check that the last record read is still in its place. */
static int
check_same(struct filling *f, const struct journal_name *name)
{
	cleanup_journal_file struct journal_file file = { 0 };
	size_t at = 0, begin_at, used = f->a->used;
	struct record_head head;
	struct str body;
	bool same;
	int err = journal_read_part(
	    f->j, name, f->at.last, f->at.next - f->at.last, &file, f->reterr);

	if (err)
		return err;
	same = journal_next(f->a, file.bytes, &at, &begin_at, &body, &head) &&
	       begin_at == 0 && head.sequence == f->at.head.sequence &&
	       memcmp(head.chain, f->at.head.chain, sizeof head.chain) == 0;
	arena_back(f->a, used);
	return same ? 0
		    : err_at(f->reterr, CORDON_EREFUSED, 0,
			  "the journal is not the one that the store was filled from");
}

static int
fill_list(struct filling *f, const struct journal_list *list)
{
	uint64_t seen = f->at.file, number = 0;
	bool found = f->at.head.sequence == 0;
	int err = 0;

	for (size_t i = 0; !err && i < list->n; i++) {
		const struct journal_name *name = &list->v[i];

		if (name->bad)
			continue;
		err = number_of(f, name, &number);
		if (err || number < seen)
			continue;
		if (!found && number == seen)
			err = check_same(f, name);
		found |= number >= seen;
		if (!err)
			err = fill_file(f, name, number);
	}
	if (!err && !found)
		err = err_at(f->reterr, CORDON_EREFUSED, 0,
		    "the journal has lost records that the store was filled from");
	return err ? err : commit(f, true);
}

int
db_place(struct db *d, struct db_place *ret, struct err *reterr)
{
	cleanup_sql sqlite3_stmt *s = NULL;
	struct db_place p = { 0 };
	struct str chain;
	int code, err = sql_prepare(d,
		      "SELECT file, last, next, sequence, chain, newest, skew FROM place",
		      &s, reterr);

	if (err)
		return err;
	code = sqlite3_step(s);
	if (code == SQLITE_ROW) {
		p.file = (uint64_t)sqlite3_column_int64(s, 0);
		p.last = (uint64_t)sqlite3_column_int64(s, 1);
		p.next = (uint64_t)sqlite3_column_int64(s, 2);
		p.head.sequence = (uint64_t)sqlite3_column_int64(s, 3);
		chain = sql_bytes(s, 4);
		if (chain.n == sizeof p.head.chain)
			memcpy(p.head.chain, chain.p, chain.n);
		p.newest = sqlite3_column_int64(s, 5);
		p.skew = sqlite3_column_int64(s, 6);
	} else if (code != SQLITE_DONE) {
		return sql_error(d, "cannot read the store", reterr);
	}
	*ret = p;
	return 0;
}

/* The list is in the arena, so finish with it before resetting that. */
static int
fill_files(struct filling *f)
{
	cleanup_journal_list struct journal_list list = { 0 };
	int err = journal_list(f->j, f->a, &list, f->reterr);

	return err ? err : fill_list(f, &list);
}

int
db_fill(struct db *d, struct journal *j, struct arena *a, struct db_filled *ret,
    struct err *reterr)
{
	cleanup_filling struct filling f = { .d = d, .j = j, .a = a, .reterr = reterr };
	cleanup_db_lock int lock = -1;
	size_t used = a->used;
	int err = db_lock(j, &lock, reterr);

	if (!err && !db_is_current(d, j))
		err = err_at(reterr, CORDON_EUSAGE, 0, "the store was rebuilt meanwhile");
	if (!err)
		err = db_place(d, &f.at, reterr);
	if (!err)
		err = prepare(&f);
	if (!err)
		err = fill_files(&f);
	arena_back(a, used);
	if (!err && ret)
		*ret = f.sum;
	return err;
}
