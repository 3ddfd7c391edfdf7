/*
 * bench/store.c: measure filling the store from the journal, and searching it.
 *
 *   store DIR [RECORDS]
 *
 * Writes a journal of RECORDS records (5,000,000) below DIR unless one exists, fills a new
 * store from it, and searches all records: the median of several searches.  The goals are
 * 50,000 records a second and 100 ms.
 */
#define _GNU_SOURCE
#include "daemon/store/store.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define GOAL_RATE 50000.0
#define GOAL_MS 100.0
#define ROUNDS 5

static const char *const programs[] = { "git", "npm", "make", "cargo", "python3", "ls",
	"grep", "sed", "cat", "curl", "docker", "pytest", "node", "go", "rg", "find", "mv",
	"cp", "rm", "terraform" };
static const char *const words[] = { "build", "src", "test", "main", "install", "--force",
	"release", "index.js", "config", "status", "origin", "server", "README.md", "lib",
	"parser", "commit", "-m", "--all", "node_modules", "target", "docs", "util", "api",
	"handler", "schema", "users", "login", "cache", "worker", "queue" };

static uint64_t seed = 88172645463325252u;

static uint64_t
chance(uint64_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % below;
}

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void
die(const char *what, const struct err *e)
{
	fprintf(stderr, "%s: %s\n", what, e->why ? e->why : "");
	exit(1);
}

static void
write_journal(struct journal *j, struct arena *a, size_t n)
{
	char command[512], session[64], reason[128];
	struct err e = { 0 };

	for (size_t i = 0; i < n; i++) {
		const char *program = programs[chance(sizeof programs / sizeof *programs)];
		size_t at = (size_t)snprintf(command, sizeof command, "%s", program);
		struct record r = { .kind = RECORD_DECISION,
			.host = chance(3) ? STR("claude") : STR("cursor"),
			.tool = STR("bash"),
			.cwd = STR("/home/somebody/src/project"),
			.program = str_from_c(program),
			.gate = STR("sandbox"),
			.verdict = { true, chance(4) },
			.hard = { true, 0 },
			.policy = { true, { 1 } } };

		for (uint64_t k = 2 + chance(8); k > 0; k--)
			at += (size_t)snprintf(command + at, sizeof command - at, " %s",
			    words[chance(sizeof words / sizeof *words)]);
		/* One unique word, and one rare word. */
		at += (size_t)snprintf(command + at, sizeof command - at, " id%zu", i);
		if (i % 50000 == 7)
			at +=
			    (size_t)snprintf(command + at, sizeof command - at, " seldom");
		r.command = str_of(command, at);
		r.session = str_of(session,
		    (size_t)snprintf(session, sizeof session, "session-%zu", i / 500));
		r.reason = str_of(
		    reason, (size_t)snprintf(reason, sizeof reason,
				"no rule names %s: it runs inside the sandbox", program));
		if (journal_append(j, a, &r, NULL, &e))
			die("append", &e);
	}
}

static bool
take_time(void *context, struct str body, const struct record *r)
{
	(void)body;
	*(int64_t *)context = r->time;
	return false;
}

static bool
count(void *context, struct str body, const struct record *r)
{
	(void)body;
	(void)r;
	++*(size_t *)context;
	return true;
}

static int
by_value(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;

	return (a > b) - (a < b);
}

static int
search(struct db *d, struct arena *a, const char *name, struct db_filter f, bool goal)
{
	double took[ROUNDS];
	size_t found = 0;
	struct err e = { 0 };

	f.limit = 100;
	for (int i = 0; i < ROUNDS; i++) {
		double began = now();

		found = 0;
		if (db_search(d, a, &f, count, &found, &e))
			die(name, &e);
		took[i] = (now() - began) * 1e3;
	}
	qsort(took, ROUNDS, sizeof *took, by_value);
	printf("  %-44s %8.2f ms, first %8.2f, found %zu%s\n", name, took[ROUNDS / 2],
	    took[ROUNDS - 1], found,
	    !goal                         ? ""
	    : took[ROUNDS / 2] <= GOAL_MS ? "  pass"
					  : "  MISS");
	return goal && took[ROUNDS / 2] > GOAL_MS;
}

static int
searches(struct db *d, struct arena *a, uint64_t n)
{
	int64_t middle = 0;
	int missed = 0;

	missed +=
	    search(d, a, "by program", (struct db_filter){ .program = STR("git") }, true);
	missed += search(d, a, "by program that is not there",
	    (struct db_filter){ .program = STR("gcc") }, true);
	missed += search(d, a, "full text, a frequent word",
	    (struct db_filter){ .words = STR("build") }, true);
	missed += search(d, a, "full text, a word of one record",
	    (struct db_filter){ .words = STR("id123456") }, true);
	missed += search(d, a, "full text, a word of few records",
	    (struct db_filter){ .words = STR("seldom") }, true);
	missed += search(d, a, "full text, two frequent words and a seldom one",
	    (struct db_filter){ .words = STR("build test seldom") }, true);
	missed += search(d, a, "full text, the beginning of a word",
	    (struct db_filter){ .words = STR("id12345*") }, true);
	missed += search(d, a, "full text, with signs",
	    (struct db_filter){ .words = STR("README.md --force") }, true);
	missed += search(d, a, "program and full text",
	    (struct db_filter){ .program = STR("git"), .words = STR("commit") }, true);
	missed += search(d, a, "program and verdict",
	    (struct db_filter){ .program = STR("rm"), .verdict = { true, 0 } }, true);
	missed += search(
	    d, a, "session", (struct db_filter){ .session = STR("session-77") }, true);
	if (db_search(
		d, a, &(struct db_filter){ .before = n / 2 }, take_time, &middle, NULL))
		return 1;
	missed += search(d, a, "a second in the middle",
	    (struct db_filter){ .has_since = true,
		.since = middle,
		.has_until = true,
		.until = middle + 1000000000 },
	    true);
	missed += search(d, a, "the newest of all", (struct db_filter){ 0 }, true);
	return missed;
}

int
main(int argc, char **argv)
{
	size_t n = argc > 2 ? strtoul(argv[2], NULL, 10) : 5000000;
	struct arena *a = arena_new(DB_SCRATCH + JOURNAL_SCRATCH);
	struct journal_opts opts = { .files = 500 };
	struct db_filled filled = { 0 };
	struct db_place place;
	struct journal j;
	struct err e = { 0 };
	struct db d;
	double began, took;
	int missed;

	if (argc < 2 || !a) {
		fputs("usage: store DIR [RECORDS]\n", stderr);
		return 64;
	}
	if (journal_open(&j, str_from_c(argv[1]), &opts, &e)) {
		fprintf(stderr, "store: %s: %s (mode 0700, and yours?)\n", argv[1],
		    e.why ? e.why : "cannot be opened");
		return 64;
	}
	(void)db_forget(&j, &e);
	if (db_open(&d, &j, &e))
		die("open", &e);
	began = now();
	if (db_fill(&d, &j, a, &filled, &e))
		die("fill", &e);
	if (filled.records < n) {
		write_journal(&j, a, n - filled.records);
		db_close(&d);
		(void)db_forget(&j, &e);
		if (db_open(&d, &j, &e))
			die("open", &e);
		began = now();
		if (db_fill(&d, &j, a, &filled, &e))
			die("fill", &e);
	}
	took = now() - began;
	missed = (double)filled.records / took < GOAL_RATE;
	printf("store: %llu records, %llu MiB\n", (unsigned long long)filled.records,
	    (unsigned long long)filled.bytes >> 20);
	printf("  %-44s %8.0f records/s, %.1f s%s\n", "fill", (double)filled.records / took,
	    took, missed ? "  MISS" : "  pass");
	if (db_place(&d, &place, &e))
		die("place", &e);
	missed += searches(&d, a, filled.records);
	printf("  goals: %.0f records/s, %.0f ms: %s\n", GOAL_RATE, GOAL_MS,
	    missed ? "MISS" : "pass");
	db_close(&d);
	journal_close(&j);
	arena_free(a);
	return missed ? 1 : 0;
}
