/*
 * bench/core.c: measure parse and analyse in this process.
 *
 *   core set ROUNDS     all texts one after the other; best round, divided by the texts
 *   core each ROUNDS    every text alone; its best time
 *
 * Texts come on stdin, separated by NUL.  Prints one line of numbers for the set or for
 * each text: parse in ns, its result, the peak of the arena in bytes, the same three for
 * analyse with JSON, and ns for analyse without JSON.
 */
#include "analyse/analyse.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/limits.h"
#include "parse/parse.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct result {
	uint64_t ns;
	int code;
	size_t peak;
};

typedef int work(struct arena *a, struct str text);

static uint64_t
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int
do_parse(struct arena *a, struct str text)
{
	struct list *top;
	struct err e;

	return parse(a, text, NULL, &top, &e);
}

/* Analyse only, as a decision needs it. */
static int
do_analyse(struct arena *a, struct str text)
{
	const struct analyse_opts opts = { STR("/w/c"), STR("/home/u") };
	struct effects effects;
	struct err e;

	return analyse(a, text, &opts, &effects, &e);
}

/* Analyse and print JSON, as `cordon analyse` does. */
static int
do_answer(struct arena *a, struct str text)
{
	const struct analyse_opts opts = { STR("/w/c"), STR("/home/u") };
	struct buf out;

	buf_init(&out, a);
	return analyse_json(a, text, &opts, &out);
}

/* Return the best of `rounds` rounds over `n` texts. */
static struct result
measure(work *w, struct arena *a, const struct str *texts, size_t n, int rounds)
{
	struct result best = { UINT64_MAX, 0, 0 };
	uint64_t began, took;

	a->peak = 0;
	for (int r = 0; r < rounds; r++) {
		began = now();
		for (size_t i = 0; i < n; i++) {
			arena_reset(a);
			best.code = w(a, texts[i]);
		}
		took = now() - began;
		if (took < best.ns)
			best.ns = took;
	}
	best.peak = a->peak;
	return best;
}

static void
report(struct arena *a, const struct str *texts, size_t n, int rounds)
{
	struct result p = measure(do_parse, a, texts, n, rounds);
	struct result q = measure(do_answer, a, texts, n, rounds);
	struct result r = measure(do_analyse, a, texts, n, rounds);

	printf("%.1f %d %zu %.1f %d %zu %.1f\n", (double)p.ns / (double)n, p.code, p.peak,
	    (double)q.ns / (double)n, q.code, q.peak, (double)r.ns / (double)n);
}

int
main(int argc, char **argv)
{
	static struct str texts[4096];
	cleanup_arena struct arena *a = arena_new(LIMIT_ARENA);
	char *line = NULL;
	size_t n = 0, room = 0;
	ssize_t got;
	int rounds;

	if (argc != 3 || !a)
		return 64;
	rounds = (int)strtol(argv[2], NULL, 10);
	while (n < sizeof texts / sizeof *texts &&
	       (got = getdelim(&line, &room, 0, stdin)) > 0) {
		texts[n++] = str_of(line, (size_t)got - (line[got - 1] == 0));
		line = NULL;
		room = 0;
	}
	if (strcmp(argv[1], "set") == 0)
		report(a, texts, n, rounds);
	else
		for (size_t i = 0; i < n; i++)
			report(a, &texts[i], 1, rounds);
	return 0;
}
