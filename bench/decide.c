/*
 * bench/decide.c: measure decisions in this process.
 *
 *   decide ROUNDS RULES    the built-in policy with RULES additional user rules
 *
 * Commands come on stdin, one per line.  Prints one line: ns for decide alone, for analyse
 * and decide, and for opening the image, each per command, best of all rounds.
 */
#include "decide/decide.h"
#include "analyse/analyse.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/limits.h"
#include "policy/builtin.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define COMMANDS 1024

static const struct str root = STR_INIT("/home/u/w"), home = STR_INIT("/home/u");

static uint64_t
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static struct str
image_with(struct arena *a, size_t rules)
{
	struct policy_source sources[2] = { { .layer = LAYER_BUILTIN,
						.trusted = true,
						.file = STR("builtin.rules"),
						.text = policy_builtin() },
		{ .layer = LAYER_USER, .file = STR("user.rules") } };
	struct policy_error e;
	struct buf text, image;
	char line[128];

	buf_init(&text, a);
	for (size_t i = 0; i < rules; i++) {
		snprintf(line, sizeof line, "%s tool%zu run%zu%s\n",
		    i % 3 ? "allow" : "deny", i / 4, i % 4, i % 5 ? "" : " with --force");
		buf_puts(&text, line);
	}
	sources[1].text = buf_str(&text);
	buf_init(&image, a);
	if (text.full || policy_compile(a, sources, rules ? 2 : 1, &image, &e) ||
	    image.full)
		exit(1);
	return buf_str(&image);
}

struct sums {
	uint64_t decide, both;
};

static struct sums
one_round(struct arena *a, const struct policy *p, const struct str *texts, size_t n)
{
	struct sums s = { 0, 0 };

	for (size_t i = 0; i < n; i++) {
		struct analyse_opts where = { root, home };
		struct effects e = { 0 };
		struct decide_input in = { .text = texts[i],
			.policy = p,
			.base = { home, &root, 1 },
			.interactive = true,
			.sandbox = true,
			.hook = VERDICT_ALLOW };
		struct decision d;
		uint64_t began = now(), middle;

		arena_reset(a);
		if (analyse(a, texts[i], &where, &e, &in.error) == 0) {
			effects_assume(&e, &root, 1);
			in.effects = &e;
		}
		middle = now();
		decide(a, &in, &d);
		s.decide += now() - middle;
		s.both += now() - began;
	}
	return s;
}

static size_t
read_texts(struct str *texts)
{
	static char mem[1 << 20];
	size_t n = fread(mem, 1, sizeof mem - 1, stdin), count = 0;

	for (char *p = strtok(mem, "\n"); p && n && count < COMMANDS;
	     p = strtok(NULL, "\n"))
		if (*p != '#')
			texts[count++] = str_from_c(p);
	return count;
}

int
main(int argc, char **argv)
{
	static struct str texts[COMMANDS];
	struct arena *big = arena_new((size_t)512 << 20), *a = arena_new(LIMIT_ARENA);
	size_t rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 200,
	       rules = argc > 2 ? strtoul(argv[2], NULL, 10) : 0, n = read_texts(texts);
	struct sums best = { UINT64_MAX, UINT64_MAX };
	const struct policy *p = NULL;
	struct str image = image_with(big, rules);
	uint64_t began = now(), opened;

	if (n == 0 || policy_open(big, image, &p))
		return 1;
	opened = now() - began;
	for (size_t i = 0; i < rounds; i++) {
		struct sums s = one_round(a, p, texts, n);

		best.decide = s.decide < best.decide ? s.decide : best.decide;
		best.both = s.both < best.both ? s.both : best.both;
	}
	printf("%lu %lu %lu\n", (unsigned long)(best.decide / n),
	    (unsigned long)(best.both / n), (unsigned long)opened);
	return 0;
}
