/*
 * tests/portable/answers.c: what libcordon answers to what stands in a file; the same bytes
 * on every machine.  The file has pieces: `c LENGTH` or `p LENGTH`, a newline, that many
 * bytes. A `p` is a file of rules, a `c` a command, judged under the last rules that were
 * none with a mistake.
 */
#include "cordon.h"
#include <stdio.h>
#include <stdlib.h>
#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#endif

#define PIECE_MAX ((size_t)1 << 20)

static void
take_rules(struct cordon *c, struct cordon_policy **policy, const char *text, size_t n)
{
	struct cordon_source source = { .size = sizeof source,
		.layer = CORDON_LAYER_USER,
		.name = "rules",
		.name_len = 5,
		.text = text,
		.text_len = n };
	struct cordon_policy_opts opts = {
		.size = sizeof opts, .sources = &source, .sources_n = 1
	};
	struct cordon_policy *made = NULL;
	int r = cordon_policy_new(c, &opts, &made);

	printf("rules %d %s\n", r, r ? cordon_error(c) : "");
	if (r)
		return;
	cordon_policy_free(*policy);
	*policy = made;
}

static void
take_command(
    struct cordon *c, const struct cordon_policy *policy, const char *text, size_t n)
{
	static const char *const roots[] = { "/w" };
	struct cordon_analyse_opts opts = { .size = sizeof opts,
		.cwd = "/w",
		.cwd_len = 2,
		.home = "/home/u",
		.home_len = 7 };
	struct cordon_check_opts check = { .size = sizeof check,
		.flags = CORDON_BY_NAME | CORDON_TRACE,
		.cwd = "/w",
		.cwd_len = 2,
		.home = "/home/u",
		.home_len = 7,
		.roots = roots,
		.roots_n = 1,
		.now = 1790000000 };
	const char *json = "";
	size_t json_n = 0;
	int verdict = -1, r;

	r = cordon_analyse(c, text, n, &opts, &json, &json_n);
	printf("%d %.*s\n", r, (int)json_n, json);
	json = "";
	json_n = 0;
	r = cordon_check(c, policy, text, n, &check, &verdict, &json, &json_n);
	printf("%d %d %.*s\n", r, verdict, (int)json_n, json);
}

int
main(int argc, char **argv)
{
	FILE *f = argc == 2 ? fopen(argv[1], "rb") : NULL;
	char *text = malloc(PIECE_MAX);
	struct cordon *c = cordon_new();
	struct cordon_policy *policy = NULL;
	char kind;
	int n;

#ifdef _WIN32
	_setmode(_fileno(stdout), _O_BINARY);
#endif
	if (!f || !text || !c || cordon_policy_new(c, NULL, &policy))
		return 2;
	while (fscanf(f, "%c %d", &kind, &n) == 2) {
		if (fgetc(f) != '\n' || n < 0 || (size_t)n > PIECE_MAX ||
		    fread(text, 1, (size_t)n, f) != (size_t)n || fgetc(f) != '\n')
			return 2;
		if (kind == 'p')
			take_rules(c, &policy, text, (size_t)n);
		else
			take_command(c, policy, text, (size_t)n);
	}
	cordon_policy_free(policy);
	cordon_free(c);
	free(text);
	fclose(f);
	return 0;
}
