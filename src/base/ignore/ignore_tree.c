/* Ignore files at several depths of a tree. */
#include "base/ignore/ignore.h"

/* Is `path` inside `dir`, so that the ignore file there applies? */
static bool
covers(struct str dir, struct str path)
{
	if (dir.n == 0)
		return true;
	return path.n > dir.n && path.p[dir.n] == '/' && str_starts(path, dir);
}

/* The ignore file to ask after `before`, from the deepest directory upwards; before == n
 * gives the first, a result of n means none is left. */
static size_t
next_file(const struct ignore_file *files, size_t n, struct str path, size_t before)
{
	size_t best = n;

	for (size_t i = 0; i < n; i++) {
		if (!covers(files[i].dir, path))
			continue;
		if (before < n &&
		    (files[i].dir.n > files[before].dir.n ||
			(i >= before && files[i].dir.n == files[before].dir.n)))
			continue;
		if (best == n || files[i].dir.n >= files[best].dir.n)
			best = i;
	}
	return best;
}

static bool
match_one(const struct ignore_file *files, size_t n, struct str path, bool directory,
    struct ignore_hit *ret)
{
	for (size_t f = next_file(files, n, path, n); f < n;
	     f = next_file(files, n, path, f)) {
		size_t skip = files[f].dir.n ? files[f].dir.n + 1 : 0;
		long hit = ignore_last(files[f].list, str_skip(path, skip), directory);
		struct ignore_line p;

		if (hit < 0)
			continue;
		p = ignore_line(files[f].list, hit);
		*ret = (struct ignore_hit){ .ignored = !p.negative,
			.found = true,
			.file = f,
			.line = p.line,
			.pattern = p.text };
		return true;
	}
	return false;
}

void
ignore_match(const struct ignore_file *files, size_t n, struct str path, bool directory,
    struct ignore_hit *ret)
{
	*ret = (struct ignore_hit){ 0 };
	for (size_t i = 0; i < path.n; i++) {
		struct ignore_hit above;

		if (path.p[i] != '/' ||
		    !match_one(files, n, str_cut(path, 0, i), true, &above))
			continue;
		if (above.ignored) {
			*ret = above;
			ret->directory = true;
			return;
		}
	}
	(void)match_one(files, n, path, directory, ret);
}

void
ignore_match_in(const struct ignore_file *files, size_t n, struct str path, bool directory,
    struct ignore_hit *ret)
{
	*ret = (struct ignore_hit){ 0 };
	(void)match_one(files, n, path, directory, ret);
}
