/*
 * bench/journal.c: measure one append to the journal.
 *
 *   journal DIR [ROUNDS]
 *
 * Measures in turn, in one process: a plain open with O_APPEND, write, close of as many
 * bytes as the record has; an append that opens its directory each time, as a hook does; an
 * append to an open directory; encoding and redaction alone.  Prints the least and the
 * median of each, in us.  The goal is at most 30 us for the append of a hook.
 */
#define _GNU_SOURCE
#include "journal/journal.h"
#include "journal/redact/redact.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define GOAL_US 30.0

enum { PLAIN, HOOK, OPEN, ENCODE, REDACT, WAYS };

static const char *const names[WAYS] = {
	"open, write with O_APPEND, close",
	"journal: open, append, close",
	"journal: append",
	"  of it: encode, chain, checksum, frame",
	"  of it: redact",
};

static const struct record sample = {
	.kind = RECORD_DECISION,
	.host = STR_INIT("claude"),
	.session = STR_INIT("0b7a6c1e-5f1d-4a58-9d0c-2f6f1f2f7b11"),
	.tool = STR_INIT("bash"),
	.cwd = STR_INIT("/home/somebody/src/project"),
	.command =
	    STR_INIT("cd build && cmake --build . -j 4 2>&1 | tee build.log | tail -20"
		     " && curl -u me:hunter2 https://example.org/api/v1/status"),
	.program = STR_INIT("cmake"),
	.gate = STR_INIT("sandbox"),
	.rule = STR_INIT("user:/home/somebody/.config/cordon/rules:12"),
	.reason = STR_INIT("no rule names cmake --build: it runs inside the sandbox"),
	.verdict = { true, 2 },
	.hard = { true, 0 },
	.pid = { true, 12345 },
	.policy = { true, { 1 } },
};

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static size_t
encode(struct arena *a, bool redacted)
{
	static const uint8_t before[SHA256_BYTES];
	struct record r = sample;
	uint8_t chain[SHA256_BYTES];
	struct str body;
	char *out;

	if (redacted)
		return record_redact(a, &r, NULL) ? 0 : r.command.n;
	if (record_encode(a, &r, &body, NULL))
		exit(1);
	record_finish(body, 1, 1, before, chain);
	out = arena_alloc(a, frame_room(body.n));
	return out ? frame_put(body, out) : 0;
}

static void
plain(int dir, struct str bytes)
{
	int fd = openat(dir, "plain", O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, bytes.p, bytes.n) != (ssize_t)bytes.n)
		exit(1);
	close(fd);
}

static void
once(int way, const char *dir, struct journal *open_one, struct arena *a, struct str bytes)
{
	struct journal j = { 0 };

	switch (way) {
	case PLAIN:
		plain(open_one->dir, bytes);
		break;
	case HOOK:
		if (journal_open(&j, str_from_c(dir), NULL, NULL) ||
		    journal_append(&j, a, &sample, NULL, NULL))
			exit(1);
		journal_close(&j);
		break;
	case OPEN:
		if (journal_append(open_one, a, &sample, NULL, NULL))
			exit(1);
		break;
	default:
		(void)encode(a, way == REDACT);
	}
	arena_reset(a);
}

static int
by_value(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;

	return (a > b) - (a < b);
}

int
main(int argc, char **argv)
{
	size_t rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : 20000, size;
	struct arena *a = arena_new(JOURNAL_SCRATCH);
	static char bytes[4096];
	double *took[WAYS], best = 0;
	struct journal j;

	if (argc < 2 || rounds == 0 || !a ||
	    journal_open(&j, str_from_c(argv[1]), NULL, NULL))
		return 64;
	size = encode(a, false);
	for (int w = 0; w < WAYS; w++)
		took[w] = calloc(rounds, sizeof **took);
	for (size_t i = 0; i < rounds; i++)
		for (int w = 0; w < WAYS; w++) {
			double began = now();

			once(w, argv[1], &j, a, str_of(bytes, size));
			took[w][i] = now() - began;
		}
	printf("journal: one record of %zu bytes, %zu rounds; us, least and median\n", size,
	    rounds);
	for (int w = 0; w < WAYS; w++) {
		qsort(took[w], rounds, sizeof **took, by_value);
		printf("  %-42s %8.2f %8.2f\n", names[w], took[w][0], took[w][rounds / 2]);
		if (w == HOOK)
			best = took[w][rounds / 2];
		free(took[w]);
	}
	printf("  goal: the median of an append at most %.0f us  %s\n", GOAL_US,
	    best <= GOAL_US ? "pass" : "MISS");
	(void)unlinkat(j.dir, "plain", 0);
	journal_close(&j);
	arena_free(a);
	return best <= GOAL_US ? 0 : 1;
}
