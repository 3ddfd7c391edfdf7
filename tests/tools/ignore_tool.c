/*
 * ignore_tool [fold]: pairs of framed documents on standard input: a mapping as JSON, then
 * paths, each with d or f in front and a NUL behind.  Prints a line for each path: the
 * number of the file and of the line that decides, and + or -; or `none`.
 */
#include "base/ignore.h"
#include "tools/frames.h"

static void
answer(const struct ignore_file *files, size_t n, struct str path)
{
	struct ignore_hit hit;

	ignore_match(files, n, str_skip(path, 1), path.p[0] == 'd', &hit);
	if (hit.found)
		printf("%zu %u %c\n", hit.file, hit.line, hit.ignored ? '+' : '-');
	else
		printf("none\n");
}

int
main(int argc, char **argv)
{
	unsigned flags = argc > 1 && str_is(str_from_c(argv[1]), "fold") ? IGNORE_CASE : 0;
	cleanup_arena struct arena *a = arena_new((size_t)64 << 20);
	size_t n, count;

	for (char *p; (p = frame_next(&n)); free(p)) {
		struct ignore_file *files;
		struct str root, rest;
		struct err e = { 0 };
		char *paths;

		arena_reset(a);
		if (ignore_read_json(a, str_of(p, n), flags, &root, &files, &count, &e)) {
			printf("refused %zu %s\n", e.at, e.why);
			return 1;
		}
		paths = frame_next(&n);
		if (!paths)
			return 2;
		for (rest = str_of(paths, n); rest.n;) {
			size_t end = str_find(rest, '\0');

			answer(files, count, str_cut(rest, 0, end));
			rest = str_skip(rest, end + 1);
		}
		fflush(stdout);
		free(paths);
	}
	return 0;
}
