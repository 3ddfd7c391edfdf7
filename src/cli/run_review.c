/* `cordon run --review`: the changes as a list and as differences, and the question. */
#define _GNU_SOURCE
#include "cli/run_review.h"
#include "approve/approve.h"
#include "base/diff.h"
#include "base/path.h"
#include "base/show.h"
#include "base/utf8.h"
#include "confine/fd.h"
#include "run/review.h"
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEXT_MAX ((size_t)256 << 10)
/* Files whose differences are shown; the list has all of them. */
#define SHOWN_MAX 200
#define DIFF_BYTES ((size_t)64 << 20)

static void
put_path(struct buf *b, const struct review *r, const struct review_change *c)
{
	show_put(b, str_from_c(r->plan->mounts[c->mount].path), 0);
	buf_putc(b, '/');
	show_put(b, c->name, 0);
	if (S_ISDIR(c->mode))
		buf_putc(b, '/');
	if (S_ISREG(c->mode) && (c->mode & 0111))
		buf_puts(b, " (can be run)");
}

/* What git keeps under the sums of its bytes tells a person nothing. */
static bool
is_object(const struct review_change *c)
{
	static const struct str objects = STR_INIT(".git/objects/");

	for (size_t i = 0; i + objects.n <= c->name.n; i++)
		if ((i == 0 || c->name.p[i - 1] == '/') &&
		    str_starts(str_skip(c->name, i), objects))
			return true;
	return false;
}

static void
put_list(struct buf *b, const struct review *r)
{
	static const char *const kinds[] = { "added    ", "changed  ", "removed  " };
	size_t objects = 0;

	for (size_t i = 0; i < r->n; i++) {
		if (is_object(&r->v[i])) {
			objects++;
			continue;
		}
		buf_puts(b, kinds[r->v[i].kind]);
		put_path(b, r, &r->v[i]);
		buf_putc(b, '\n');
	}
	if (objects) {
		buf_puts(b, "and ");
		buf_putu(b, objects);
		buf_puts(b, " files and directories of git's objects\n");
	}
}

static bool
is_text(struct str s)
{
	uint32_t c;

	for (size_t i = 0, n; s.p && i < s.n; i += n)
		if ((n = utf8_take(s, i, &c)) == 0 || c == 0)
			return false;
	return s.p != NULL;
}

/* The differences of one file; memory of its own, so that many files need not much. */
static void
put_difference(const struct review *r, const struct review_change *c)
{
	cleanup_arena struct arena *a = arena_new(DIFF_BYTES);
	struct review own = *r;
	struct str before, after;
	struct buf b;

	if (!a || (c->mode && !S_ISREG(c->mode)) || is_object(c))
		return;
	own.a = a;
	buf_init(&b, a);
	review_texts(&own, c, TEXT_MAX, &before, &after);
	if (!is_text(before) || !is_text(after) || str_eq(before, after))
		return;
	buf_puts(&b, "\n--- ");
	put_path(&b, r, c);
	buf_puts(&b, "\n");
	if (diff_put(a, before, after, &b))
		(void)write_all(STDERR_FILENO, buf_str(&b));
}

/* ---- the question */

static bool
read_yes(int fd)
{
	char line[64];
	ssize_t n = read(fd, line, sizeof line);

	return n > 0 && (line[0] == 'y' || line[0] == 'Y') &&
	       (line[1] == '\n' || (n > 3 && line[1] == 'e' && line[2] == 's'));
}

static bool
ask(struct running *r, const struct review *found, struct str *ret_why)
{
	closed_fd int fd = approve_terminal_open();
	struct buf b;

	if (fd < 0) {
		(void)write_all(STDERR_FILENO,
		    STR("cordon: there is no terminal to ask on: nothing is applied "
			"(--changes apply does it unasked)\n"));
		*ret_why = STR("there was nobody to ask");
		return false;
	}
	buf_init(&b, &r->a);
	buf_puts(&b, "cordon: apply these ");
	buf_putu(&b, found->n);
	buf_puts(&b, found->n == 1 ? " change? [y/N] " : " changes? [y/N] ");
	*ret_why = STR("asked on the terminal");
	return write_all(fd, buf_str(&b)) && read_yes(fd);
}

/* The answer, from whoever gives it, and in the journal; only a yes that could be recorded
 * is one. */
static bool
may_apply(struct running *r, const struct run_answer *answer, const struct review *found)
{
	struct str why = STR("--changes");
	bool yes =
	    r->answer == REVIEW_APPLY || (r->answer == REVIEW_ASK && ask(r, found, &why));
	bool kept = !answer->reviewed ||
		    answer->reviewed(answer->ended_context, yes, found->n, why);

	return yes && kept;
}

/* ---- the end */

static int
apply(struct running *r, struct review *found)
{
	size_t left = review_apply(found);
	struct buf b;

	buf_init(&b, &r->a);
	for (size_t i = 0; i < found->n; i++)
		if (found->v[i].left) {
			buf_puts(&b, "cordon: not applied: ");
			put_path(&b, found, &found->v[i]);
			buf_puts(&b, ": ");
			buf_puts(&b, found->v[i].left);
			buf_putc(&b, '\n');
		}
	buf_puts(&b, "cordon: applied ");
	buf_putu(&b, found->n - left);
	buf_puts(&b, " of ");
	buf_putu(&b, found->n);
	buf_putc(&b, '\n');
	(void)write_all(STDERR_FILENO, buf_str(&b));
	return left ? EXIT_NOT_STARTED : 0;
}

int
run_review(struct running *r, const struct run_answer *answer, const struct plan *plan,
    const struct run_result *result)
{
	struct review found = {
		.a = &r->a, .plan = plan, .upper = result->upper, .began = result->began
	};
	size_t shown = 0;
	struct buf b;

	if (!review_find(&found))
		return run_complain("the changes cannot be shown, and nothing is applied",
		    (struct str){ NULL, 0 }, found.failed);
	buf_init(&b, &r->a);
	put_list(&b, &found);
	if (found.n == 0)
		buf_puts(&b, "cordon: nothing was changed\n");
	if (!write_all(STDERR_FILENO, buf_str(&b)))
		return run_complain("the changes cannot be shown, and nothing is applied",
		    (struct str){ NULL, 0 }, NULL);
	for (size_t i = 0; i < found.n && shown < SHOWN_MAX; i++, shown++)
		put_difference(&found, &found.v[i]);
	if (found.n == 0)
		return 0;
	if (may_apply(r, answer, &found))
		return apply(r, &found);
	(void)write_all(STDERR_FILENO, STR("cordon: dropped; nothing was changed\n"));
	return 0;
}
