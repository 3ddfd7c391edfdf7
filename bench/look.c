/* bench/look DIR: measure one path check below DIR with a warm cache, in microseconds. */
#include "look/look.h"
#include "look/tool.h"
#include <stdio.h>
#include <time.h>

#define ROUNDS 20000

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void
bench(struct arena *a, const char *what, struct str path, const struct look_opts *o)
{
	struct tool_fact t = { 0 };
	struct lookup *g;
	size_t used;
	double start;

	arena_reset(a);
	if (look_open(a, o, &g, NULL) ||
	    tool_path_on(a, g, TOOL_WRITE, path, true, o, &t, NULL))
		return;
	used = a->used;
	start = now();
	for (int i = 0; i < ROUNDS; i++) {
		a->used = used;
		if (tool_path_on(a, g, TOOL_WRITE, path, true, o, &t, NULL))
			return;
	}
	printf(
	    "%-28s %6.2f us  %s\n", what, (now() - start) / ROUNDS, t.why ? t.why : "fine");
}

int
main(int argc, char **argv)
{
	cleanup_arena struct arena *a = arena_new((size_t)1 << 20);
	struct str root = str_from_c(argc > 1 ? argv[1] : "/usr/lib");
	struct look_opts o = { .roots = { &root, 1 }, .cwd = root, .home = STR("/root") };

	bench(a, "relative, missing", STR("a/b/c.txt"), &o);
	bench(a, "the root itself", root, &o);
	bench(a, "absolute outside", STR("/etc/passwd"), &o);
	bench(a, "through ..", STR("../../etc/passwd"), &o);
	bench(a, "through a link", STR("/bin/../etc/passwd"), &o);
	return 0;
}
