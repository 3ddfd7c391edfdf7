/*
 * tests/tools/store_tool.c: a journal, a store, and whether they are the same.
 *
 *   store_tool write DIR COUNT FILE_BYTES
 *	COUNT more decisions, in files of FILE_BYTES.
 *   store_tool fill DIR BATCH
 *	Fills the store, BATCH records in a transaction.
 *   store_tool decide DIR
 *	A decision for each line of standard input: VERDICT, CWD, COMMAND, and what a person
 *	said (yes, no or nothing), with tabs between; VERDICT is 0 to 3.
 *   store_tool compare DIR
 *	Every whole record of the journal is a row, byte for byte, and there is no other;
 *	and each is found by its words.  One line of JSON; status 0 when all is equal.
 */
#include "daemon/store/store.h"
#include <stdio.h>
#include <stdlib.h>

static int
die(const char *what, const struct err *e)
{
	fprintf(stderr, "%s: %s\n", what, e->why ? e->why : "?");
	return 1;
}

static int
write_some(struct journal *j, struct arena *a, size_t count)
{
	char command[64];
	struct err e = { 0 };

	for (size_t i = 0; i < count; i++) {
		struct record r = { .kind = RECORD_DECISION,
			.host = STR("claude"),
			.program = i % 2 ? STR("git") : STR("make"),
			.verdict = { true, i % 4 },
			.path = i % 5 ? str_of(NULL, 0) : STR("/w/a b/c") };
		int n = snprintf(command, sizeof command, "git push origin w%zu", i);

		r.command = str_of(command, (size_t)n);
		if (journal_append(j, a, &r, NULL, &e))
			return die("append", &e);
	}
	return 0;
}

/* Takes the next field off. */
static struct str
field(struct str *line)
{
	size_t n = str_find(*line, '\t');
	struct str one = str_cut(*line, 0, n);

	*line = str_skip(*line, n + 1);
	return one;
}

static int
decide_some(struct journal *j, struct arena *a)
{
	static char text[1 << 17];
	struct journal_head head;
	struct err e = { 0 };

	while (fgets(text, sizeof text, stdin)) {
		struct str line = str_of(text, strcspn(text, "\n"));
		struct record r = { .kind = RECORD_DECISION,
			.tool = STR("bash"),
			.verdict = { true, (uint64_t)(field(&line).p[0] - '0') },
			.hard = { true, 0 } };
		struct str said;

		r.cwd = field(&line);
		r.command = field(&line);
		said = field(&line);
		if (journal_append(j, a, &r, &head, &e))
			return die("append", &e);
		if (said.n == 0)
			continue;
		r = (struct record){ .kind = RECORD_ANSWER,
			.about = { true, head.sequence },
			.outcome =
			    str_is(said, "yes") ? STR("accepted once") : STR("rejected") };
		if (journal_append(j, a, &r, NULL, &e))
			return die("append", &e);
	}
	return 0;
}

struct compare {
	struct journal *j;
	struct arena *a;
	struct journal_list list;
	struct journal_file file;
	size_t next, at; /* file, and byte in it */
	uint64_t records, wrong;
};

/* The next whole record of the journal. */
static bool
next_body(struct compare *c, struct str *ret)
{
	struct record_head head;
	size_t begin;

	c->a->used = 0;
	while (!journal_next(c->a, c->file.bytes, &c->at, &begin, ret, &head)) {
		if (c->next == c->list.n)
			return false;
		journal_file_done(&c->file);
		c->at = 0;
		if (journal_read(c->j, &c->list.v[c->next++], &c->file, NULL))
			abort();
	}
	return true;
}

static bool
compare_one(void *context, struct str body, const struct record *r)
{
	struct compare *c = context;
	struct str have;

	(void)r;
	c->records++;
	if (!next_body(c, &have) || !str_eq(have, body))
		c->wrong++;
	return true;
}

static bool
count_one(void *context, struct str body, const struct record *r)
{
	(void)body;
	(void)r;
	++*(uint64_t *)context;
	return true;
}

static int
compare(struct journal *j, struct db *d, struct arena *a)
{
	struct compare c = { .j = j, .a = arena_new(4 * RECORD_MAX) };
	struct arena *names = arena_new(1 << 20);
	struct db_filter all = { .oldest_first = true }, words = { .words = STR("push") };
	uint64_t left = 0, found = 0, made = 0;
	struct db_filter git = { .program = STR("git") }, make = { .program = STR("make") };
	struct str body;
	struct err e = { 0 };

	if (!c.a || !names || journal_list(j, names, &c.list, &e))
		return die("list", &e);
	if (db_search(d, a, &all, compare_one, &c, &e) ||
	    db_search(d, a, &words, count_one, &found, &e) ||
	    db_search(d, a, &git, count_one, &made, &e) ||
	    db_search(d, a, &make, count_one, &made, &e))
		return die("search", &e);
	while (next_body(&c, &body))
		left++;
	printf("{\"records\":%llu,\"wrong\":%llu,\"left\":%llu,\"words\":%llu,"
	       "\"programs\":%llu}\n",
	    (unsigned long long)c.records, (unsigned long long)c.wrong,
	    (unsigned long long)left, (unsigned long long)found, (unsigned long long)made);
	journal_file_done(&c.file);
	journal_list_done(&c.list);
	arena_free(c.a);
	arena_free(names);
	return c.wrong || left || found != made;
}

int
main(int argc, char **argv)
{
	struct arena *a = arena_new(DB_SCRATCH + JOURNAL_SCRATCH);
	struct journal_opts opts = { .files = 500 };
	struct journal j = { .dir = -1 };
	struct db d = { 0 };
	struct err e = { 0 };
	int status = 64;

	if (argc < 3 || !a)
		return 64;
	if (argc == 5)
		opts.file_bytes = strtoul(argv[4], NULL, 10);
	if (journal_open(&j, str_from_c(argv[2]), &opts, &e))
		return die("journal", &e);
	if (argc == 5 && strcmp(argv[1], "write") == 0) {
		status = write_some(&j, a, strtoul(argv[3], NULL, 10));
	} else if (strcmp(argv[1], "decide") == 0) {
		status = decide_some(&j, a);
	} else if (db_open(&d, &j, &e)) {
		status = die(d.message[0] ? d.message : "store", &e);
	} else if (argc == 4 && strcmp(argv[1], "fill") == 0) {
		d.batch = strtoul(argv[3], NULL, 10);
		status = db_fill(&d, &j, a, NULL, &e) ? die(d.message, &e) : 0;
	} else if (strcmp(argv[1], "compare") == 0) {
		status = compare(&j, &d, a);
	}
	db_close(&d);
	journal_close(&j);
	arena_free(a);
	return status;
}
