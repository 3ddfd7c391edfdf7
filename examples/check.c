/*
 * check RULES: read one command per line and print its verdict.
 *
 *	cc check.c -lcordon -lpthread -o check
 *	printf '%s\n' 'git status' 'git push' | ./check my.rules
 *
 * Two threads share one policy, each with its own handle.  The file of rules is read again
 * for every line, so that a change applies from the next command on.  With a policy that does
 * not compile, every command is denied.
 */
#include <cordon.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define RULES_MAX (1 << 20)
#define LINE_MAX_BYTES 65536

struct worker {
	const struct cordon_policy *policy;
	const char *line;
	int verdict;
	char reason[512];
	uint64_t hits, misses;
	struct cordon *handle;
};

static const char *
name_of(int verdict)
{
	switch (verdict) {
	case CORDON_ALLOW:
		return "allow";
	case CORDON_CONFINE:
		return "confine";
	case CORDON_ASK:
		return "ask";
	default:
		return "deny"; /* also for verdicts that a later library may add */
	}
}

static void *
check(void *context)
{
	struct worker *w = context;
	struct cordon_check_opts how = { .size = sizeof how, .flags = CORDON_BY_NAME };
	const char *json;
	size_t n;

	how.now = time(NULL);
	how.cwd = "/srv/project";
	how.cwd_len = strlen(how.cwd);
	how.home = "/home/somebody";
	how.home_len = strlen(how.home);
	/* On any error the verdict is deny. */
	if (cordon_check(w->handle, w->policy, w->line, strlen(w->line), &how, &w->verdict,
		&json, &n) == 0)
		snprintf(
		    w->reason, sizeof w->reason, "%.*s", (int)(n < 511 ? n : 511), json);
	else
		snprintf(w->reason, sizeof w->reason, "%s", cordon_error(w->handle));
	cordon_cache_counts(w->handle, &w->hits, &w->misses);
	return NULL;
}

static struct cordon_policy *
compile(struct cordon *handle, const char *path)
{
	static char text[RULES_MAX];
	struct cordon_source source = { .size = sizeof source, .layer = CORDON_LAYER_USER };
	struct cordon_policy_opts how = {
		.size = sizeof how, .sources = &source, .sources_n = 1
	};
	struct cordon_policy *policy = NULL;
	FILE *file = fopen(path, "r");

	if (!file) {
		perror(path);
		return NULL;
	}
	source.name = path;
	source.name_len = strlen(path);
	source.text = text;
	source.text_len = fread(text, 1, sizeof text, file);
	fclose(file);
	if (cordon_policy_new(handle, &how, &policy))
		fprintf(stderr, "%s\n", cordon_error(handle));
	return policy;
}

int
main(int argc, char **argv)
{
	static char line[LINE_MAX_BYTES];
	struct worker w[2] = { 0 };

	if (argc != 2) {
		fprintf(stderr, "usage: check RULES\n");
		return 64;
	}
	for (int i = 0; i < 2; i++)
		if (!(w[i].handle = cordon_new()))
			return 70;
	while (fgets(line, sizeof line, stdin)) {
		struct cordon_policy *policy = compile(w[0].handle, argv[1]);
		pthread_t thread[2];

		line[strcspn(line, "\n")] = '\0';
		if (!policy) {
			printf("deny\t%s\n", line);
			fflush(stdout);
			continue;
		}
		for (int i = 0; i < 2; i++) {
			w[i].policy = policy;
			w[i].line = line;
			w[i].verdict = CORDON_DENY;
			if (pthread_create(&thread[i], NULL, check, &w[i]))
				return 70;
		}
		for (int i = 0; i < 2; i++)
			pthread_join(thread[i], NULL);
		printf("%s\t%s\n",
		    w[0].verdict == w[1].verdict ? name_of(w[0].verdict) : "deny", line);
		fflush(stdout);
		cordon_policy_free(policy);
	}
	fprintf(stderr, "%llu kept, %llu made\n", (unsigned long long)w[0].hits,
	    (unsigned long long)w[0].misses);
	cordon_free(w[0].handle);
	cordon_free(w[1].handle);
	return 0;
}
