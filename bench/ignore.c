/* bench/ignore: match 10,000 paths with 10,000 patterns; print milliseconds. */
#include "base/ignore/ignore.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define MANY 10000

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static unsigned
next(unsigned *seed)
{
	*seed = *seed * 1103515245u + 12345u;
	return *seed >> 16 & 0x7fff;
}

/* Mix of a large ignore file: names, suffixes, paths, globs with a star inside. */
static void
put_pattern(struct buf *b, unsigned i, unsigned *seed)
{
	static const char *const forms[] = { "name%", "*.e%", "/dir%/sub%/", "pre%*",
		"*mid%*x", "dir%/**/f%", "**/n%/*.c", "!keep%", "a?c%", "[ab]%x" };

	for (const char *p = forms[i % 10]; *p; p++)
		if (*p == '%')
			buf_putu(b, next(seed) % 5000);
		else
			buf_putc(b, *p);
	buf_putc(b, '\n');
}

int
main(void)
{
	cleanup_arena struct arena *a = arena_new((size_t)64 << 20);
	struct ignore_file file = { STR(""), STR("x"), NULL };
	struct str *paths = calloc(MANY, sizeof *paths);
	size_t ignored = 0;
	unsigned seed = 1;
	double start;
	struct buf b;

	buf_init(&b, a);
	for (unsigned i = 0; i < MANY; i++)
		put_pattern(&b, i, &seed);
	start = now();
	if (!paths || ignore_compile(a, buf_str(&b), 0, &file.list, NULL))
		return 1;
	printf("compile %d patterns: %.1f ms\n", MANY, now() - start);
	for (int i = 0; i < MANY; i++) {
		char text[128];
		int n = snprintf(text, sizeof text, "dir%u/sub%u/n%u/file%u.e%u",
		    next(&seed) % 200, next(&seed) % 50, next(&seed) % 5000, next(&seed),
		    next(&seed) % 9000);

		paths[i] = arena_copy(a, str_of(text, (size_t)n));
	}
	start = now();
	for (int i = 0; i < MANY; i++) {
		struct ignore_hit hit;

		ignore_match(&file, 1, paths[i], false, &hit);
		ignored += hit.ignored;
	}
	printf("match %d paths: %.1f ms, %zu ignored\n", MANY, now() - start, ignored);
	free(paths);
	return 0;
}
