/*
 * bench/peer/treesitter.c: parse the same texts with tree-sitter-bash, in this process.
 *
 *   treesitter ROUNDS    texts on stdin, separated by NUL; ns for each in the best round
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <tree_sitter/api.h>

const TSLanguage *tree_sitter_bash(void);

static uint64_t
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

int
main(int argc, char **argv)
{
	static struct {
		char *p;
		uint32_t n;
	} texts[4096];
	TSParser *parser = ts_parser_new();
	uint64_t best = UINT64_MAX, began, took;
	size_t n = 0, room = 0;
	char *line = NULL;
	ssize_t got;
	long rounds;

	if (argc != 2 || !ts_parser_set_language(parser, tree_sitter_bash()))
		return 64;
	rounds = strtol(argv[1], NULL, 10);
	while (n < sizeof texts / sizeof *texts &&
	       (got = getdelim(&line, &room, 0, stdin)) > 0) {
		texts[n].p = line;
		texts[n++].n = (uint32_t)(got - (line[got - 1] == 0));
		line = NULL;
		room = 0;
	}
	for (long r = 0; r < rounds; r++) {
		began = now();
		for (size_t i = 0; i < n; i++)
			ts_tree_delete(
			    ts_parser_parse_string(parser, NULL, texts[i].p, texts[i].n));
		took = now() - began;
		if (took < best)
			best = took;
	}
	printf("%.1f\n", (double)best / (double)n);
	ts_parser_delete(parser);
	return 0;
}
