#include "daemon/store/tally.h"
#include "base/hash.h"
#include <stdlib.h>

#define HOUR 3600000000000

const char tally_sql[] =
    "INSERT INTO tally(hour, kind, verdict, program, host, n) "
    "VALUES(?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO UPDATE SET n = n + excluded.n";

bool
tally_begin(struct tally *t)
{
	*t = (struct tally){ .names = arena_new(TALLY_BYTES),
		.rows = calloc(TALLY_SLOTS, sizeof *t->rows) };
	return t->names && t->rows;
}

void
tally_end(struct tally *t)
{
	arena_free(t->names);
	free(t->rows);
	*t = (struct tally){ 0 };
}

/* Find the row of this group, or a free one. */
static struct tally_row *
find(const struct tally *t, const struct tally_row *want)
{
	/* A NUL in between: names contain none. */
	uint64_t h = hash64(hash64(HASH64_START, want->program), STR("\0"));

	h = hash64(h, want->host) ^ (uint64_t)want->hour ^ want->kind << 8 ^
	    (uint64_t)want->verdict << 16;
	h *= UINT64_C(0x9e3779b97f4a7c15);
	for (h ^= h >> 32;; h++) {
		struct tally_row *r = &t->rows[h % TALLY_SLOTS];

		if (r->n == 0 ||
		    (r->hour == want->hour && r->kind == want->kind &&
			r->verdict == want->verdict && str_eq(r->program, want->program) &&
			str_eq(r->host, want->host)))
			return r;
	}
}

static bool
keep(struct tally *t, struct str *s)
{
	size_t used = t->names->used;
	char *p = arena_alloc(t->names, s->n);

	if (!p) {
		arena_back(t->names, used);
		return false;
	}
	if (s->n)
		memcpy(p, s->p, s->n);
	*s = str_of(p, s->n);
	return true;
}

bool
tally_add(struct tally *t, const struct record *r)
{
	struct tally_row want = { .hour = r->time / HOUR,
		.verdict = r->verdict.set ? (int64_t)r->verdict.n : -1,
		.kind = (uint64_t)r->kind,
		.program = r->program,
		.host = r->host };
	struct tally_row *row = find(t, &want);

	if (row->n == 0) {
		/* Keep free slots: find() relies on them to terminate. */
		if (t->used >= TALLY_SLOTS / 2 || !keep(t, &want.program) ||
		    !keep(t, &want.host))
			return false;
		*row = want;
		t->used++;
	}
	row->n++;
	return true;
}

int
tally_put(struct tally *t, struct db *d, sqlite3_stmt *s, struct err *reterr)
{
	for (size_t i = 0; i < TALLY_SLOTS; i++) {
		struct tally_row *r = &t->rows[i];
		int code;

		if (r->n == 0)
			continue;
		(void)sqlite3_bind_int64(s, 1, r->hour);
		(void)sqlite3_bind_int64(s, 2, (sqlite3_int64)r->kind);
		(void)sqlite3_bind_int64(s, 3, r->verdict);
		/* Count absent names together; NULL cannot be part of a key. */
		(void)sqlite3_bind_blob64(s, 4, r->program.p, r->program.n, SQLITE_STATIC);
		(void)sqlite3_bind_blob64(s, 5, r->host.p, r->host.n, SQLITE_STATIC);
		(void)sqlite3_bind_int64(s, 6, (sqlite3_int64)r->n);
		code = sqlite3_step(s);
		(void)sqlite3_reset(s);
		if (code != SQLITE_DONE)
			return sql_error(d, "cannot write the store", reterr);
		r->n = 0;
	}
	arena_reset(t->names);
	t->used = 0;
	return 0;
}
