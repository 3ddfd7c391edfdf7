/*
 * ignore_tool [fold]: pairs of framed documents on standard input: a mapping as JSON, then
 * paths, each with d or f in front and a NUL behind.  Prints a line for each path: the
 * number of the file and of the line that decides, and + or -; or `none`.
 */
#include "base/ignore/ignore.h"
#include "tools/frames.h"

/* The same as a walk finds it, which goes into nothing that is ignored. */
static struct ignore_hit
walk_down(const struct ignore_file *files, size_t n, struct str path, bool directory)
{
	struct ignore_hit hit = { 0 };

	for (size_t i = 0; i <= path.n && !hit.ignored; i++)
		if (i == path.n || path.p[i] == '/')
			ignore_match_in(
			    files, n, str_cut(path, 0, i), directory || i < path.n, &hit);
	return hit;
}

static void
answer(const struct ignore_file *files, size_t n, struct str path)
{
	struct ignore_hit hit, walked;

	ignore_match(files, n, str_skip(path, 1), path.p[0] == 'd', &hit);
	walked = walk_down(files, n, str_skip(path, 1), path.p[0] == 'd');
	if (walked.ignored != hit.ignored || walked.found != hit.found ||
	    walked.file != hit.file || walked.line != hit.line)
		printf("a walk differs\n");
	else if (hit.found)
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
