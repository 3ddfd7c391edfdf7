#include "launch/learn_rules.h"
#include "base/path.h"
#include "base/quote.h"
#include "base/show.h"
#include "os/file.h"

/* With more sibling directories than this, name their parent instead. */
#define SIBLINGS 4

struct learning {
	struct str *dirs; /* at most one for each write */
	size_t n;
	struct str home;
};

/* True for directories too wide for a rule: the home, its parents, and / with its
 * children. */
static bool
is_wide(const struct learning *l, struct str dir)
{
	return str_is(dir, "/") || str_find(str_skip(dir, 1), '/') + 1 >= dir.n ||
	       (l->home.n && path_is_within(dir, l->home));
}

/* True if a directory in the list contains this one. */
static bool
is_covered(const struct learning *l, struct str dir)
{
	for (size_t i = 0; i < l->n; i++)
		if (path_is_within(l->dirs[i], dir))
			return true;
	return false;
}

static void
drop_below(struct learning *l, struct str dir)
{
	for (size_t i = 0; i < l->n; i++)
		if (path_is_within(dir, l->dirs[i]))
			l->dirs[i--] = l->dirs[--l->n];
}

static void
add_dir(struct learning *l, struct str dir)
{
	struct str above = path_parent(dir);
	size_t beside = 0;

	if (is_covered(l, dir))
		return;
	for (size_t i = 0; i < l->n; i++)
		beside += str_eq(path_parent(l->dirs[i]), above);
	if (beside >= SIBLINGS && !is_wide(l, above)) {
		add_dir(l, above);
		return;
	}
	drop_below(l, dir);
	l->dirs[l->n++] = dir;
}

/* Write a path as in a rule: with ~ and @project where possible. */
static void
put_path(struct buf *out, struct str path, const struct str *roots, size_t roots_n,
    struct str home)
{
	for (size_t i = 0; i < roots_n; i++)
		if (path_is_within(roots[i], path)) {
			buf_puts(out, "@project");
			path = str_skip(path, roots[i].n);
			home.n = 0;
			break;
		}
	if (home.n && path_is_within(home, path)) {
		buf_putc(out, '~');
		path = str_skip(path, home.n);
	}
	if (path.n)
		(void)quote_put(out, QUOTE_RULE, path, NULL);
}

/* Suggest no rule for a name with invisible bytes: the program chose it. */
static bool
put_unseen(struct buf *out, const char *what, struct str name)
{
	if (show_is_same(name))
		return false;
	buf_puts(out, "# ");
	buf_puts(out, what);
	show_put(out, name, 0);
	buf_puts(out, ": the name has invisible characters\n");
	return true;
}

/* Write the program and its subcommand: words before the first option, two at most.  Return
 * false for a quoted word: people would not look for it in a rule. */
static bool
put_command(struct buf *out, struct str shown)
{
	size_t words = 0;

	buf_puts(out, "allow");
	while (shown.n && words < 2) {
		size_t n = str_find(shown, ' ');
		struct str word = str_cut(shown, 0, n);

		if (word.n == 0 || (words && word.p[0] == '-'))
			break;
		if (str_find(word, '\'') < word.n)
			return false;
		buf_putc(out, ' ');
		/* Quoted, so that it is not a keyword of the rule language. */
		(void)quote_put_always(
		    out, QUOTE_RULE, words ? word : str_base(word), NULL);
		shown = str_skip(shown, n + 1);
		words++;
	}
	return words > 0;
}

static void
put_rule(struct buf *out, const struct violation *v, const struct str *roots,
    size_t roots_n, struct str home)
{
	size_t before;
	const char *verb = v->op == RUN_READ     ? "allow read  "
			   : v->op == RUN_DELETE ? "allow delete  "
						 : "allow write  ";

	if (v->op != RUN_CONNECT && put_unseen(out, "tried to use ", v->path))
		return;
	switch (v->op) {
	case RUN_EXEC:
		before = out->n;
		if (put_command(out, v->path))
			break;
		out->n = before;
		buf_puts(out, "# tried to start ");
		show_put(out, v->path, 0);
		buf_puts(out, ": no rule is suggested for such a name");
		break;
	case RUN_CONNECT:
		buf_puts(out, "# tried to reach ");
		show_put(out, v->path, 0);
		buf_puts(out, ": network on, or off except HOST");
		break;
	default:
		buf_puts(out, verb);
		put_path(out, v->path, roots, roots_n, home);
	}
	buf_putc(out, '\n');
}

/* Return false if out of memory. */
static bool
put_directories(struct arena *a, const struct run_result *result, const struct str *roots,
    size_t roots_n, struct str home, struct buf *out)
{
	struct learning l = { .dirs = arena_array(a, result->learned_n, sizeof *l.dirs),
		.home = home };

	if (!l.dirs)
		return false;
	for (size_t i = 0; i < result->learned_n; i++)
		add_dir(&l, path_parent(result->learned[i].path));
	for (size_t i = 0; i < l.n; i++) {
		if (put_unseen(out, "writes in ", l.dirs[i]))
			continue;
		buf_puts(out, "writable  ");
		put_path(out, l.dirs[i], roots, roots_n, home);
		buf_putc(out, '\n');
	}
	return true;
}

void
launch_learn_rules(struct arena *a, const struct run_result *result,
    const struct str *roots, size_t roots_n, struct str home, struct buf *out)
{
	size_t start = out->n;
	bool all_of_it = put_directories(a, result, roots, roots_n, home, out) &&
			 !result->learned_more && !result->violations_lost;

	for (size_t i = 0; i < result->violations_n; i++) {
		size_t before = out->n;
		struct str line, all;

		put_rule(out, &result->violations[i], roots, roots_n, home);
		line = str_of(out->p + before, out->n - before);
		all = str_of(out->p + start, before - start);
		/* Print a rule once, even if it covers several refusals. */
		for (size_t k = 0; k + line.n <= all.n; k++)
			if (memcmp(all.p + k, line.p, line.n) == 0) {
				out->n = before;
				break;
			}
	}
	if (!all_of_it)
		buf_puts(out,
		    "# needed more than one report holds: run --learn again with these\n");
	else if (out->n == start)
		buf_puts(out, "# the policy already allows all it did\n");
}
