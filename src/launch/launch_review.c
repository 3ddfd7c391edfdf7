/* `cordon run --review`: list the changes, show diffs, ask. */
#define _GNU_SOURCE
#include "approve/approve.h"
#include "base/diff.h"
#include "base/limits.h"
#include "base/path.h"
#include "base/show.h"
#include "base/utf8.h"
#include "launch/launch_internal.h"
#include "os/fd.h"
#include "run/review/review.h"
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#define TEXT_MAX ((size_t)256 << 10)
/* Limit on the diffs shown; the list is complete. */
#define SHOWN_MAX 200
#define DIFF_BYTES ((size_t)64 << 20)
/* Three paths with each byte escaped as four characters, and the words around them. */
#define LINE_BYTES ((size_t)4 * 3 * LIMIT_PATH + 512)

static void
put_path(struct buf *b, const struct review *r, const struct review_change *c)
{
	show_put(b, str_from_c(r->plan->mounts[c->mount].path), 0);
	buf_putc(b, '/');
	show_put(b, c->name, 0);
	if (S_ISDIR(c->mode))
		buf_putc(b, '/');
	if (S_ISREG(c->mode) && (c->mode & 0111))
		buf_puts(b, " (executable)");
	if (c->linked)
		buf_puts(b, " (has hard links, which become separate files)");
}

/* Append the target of a symlink and the former file type. */
static void
put_kind(struct buf *b, const struct review_change *c)
{
	if (c->target.n) {
		buf_puts(b, " -> ");
		show_put(b, c->target, 0);
	}
	if (c->was && c->mode && (c->was & S_IFMT) != (c->mode & S_IFMT))
		buf_puts(b, S_ISDIR(c->was)   ? " (was a directory)"
			    : S_ISLNK(c->was) ? " (was a symlink)"
			    : S_ISREG(c->was) ? " (was a file)"
					      : " (was neither file nor directory)");
}

/* ---- git objects: summarised, because their names mean nothing to a person */

static bool
is_hex(struct str s, size_t a, size_t b)
{
	for (size_t i = 0; i < s.n; i++)
		if (!(s.p[i] >= '0' && s.p[i] <= '9') && !(s.p[i] >= 'a' && s.p[i] <= 'f'))
			return false;
	return s.n == a || s.n == b;
}

/* True for "pack-SUM.idx" and the like. */
static bool
is_pack(struct str name)
{
	static const char ends[][8] = { ".pack", ".idx", ".rev", ".bitmap", ".mtimes" };
	static const struct str begin = STR_INIT("pack-");

	if (!str_starts(name, begin))
		return false;
	name = str_skip(name, begin.n);
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (str_ends(name, str_from_c(ends[i])))
			return is_hex(str_cut(name, 0, name.n - strlen(ends[i])), 40, 64);
	return false;
}

/* True for names of objects and packs; `name` is relative to .git/objects. */
static bool
is_sum(struct str name)
{
	size_t slash = str_find(name, '/');
	struct str dir = str_cut(name, 0, slash), file = str_skip(name, slash + 1);

	if (slash == name.n)
		return is_hex(dir, 2, 2);
	return (is_hex(dir, 2, 2) && is_hex(file, 38, 62)) ||
	       (str_is(dir, "pack") && is_pack(file));
}

/* True for objects added or removed under a name made from their hash, and not
 * executable. */
static bool
is_object(const struct review_change *c)
{
	static const struct str objects = STR_INIT(".git/objects/");
	bool plain =
	    c->mode == 0 || S_ISDIR(c->mode) || (S_ISREG(c->mode) && !(c->mode & 0111));

	for (size_t i = 0; i + objects.n <= c->name.n && plain; i++)
		if ((i == 0 || c->name.p[i - 1] == '/') &&
		    str_starts(str_skip(c->name, i), objects))
			return c->kind != REVIEW_CHANGED &&
			       is_sum(str_skip(c->name, i + objects.n));
	return false;
}

/* ---- the list */

/* Print one line for a change; fail rather than truncate it. */
static bool
tell(const struct review *r, const struct review_change *c, const char *before,
    const char *after)
{
	char memory[LINE_BYTES];
	struct arena a;
	struct buf b;

	arena_init(&a, memory, sizeof memory);
	buf_init(&b, &a);
	buf_puts(&b, before);
	put_path(&b, r, c);
	if (!*after)
		put_kind(&b, c);
	buf_puts(&b, after);
	buf_putc(&b, '\n');
	return !b.full && write_all(STDERR_FILENO, buf_str(&b));
}

static bool
tell_objects(size_t n, const char *what)
{
	char memory[128];
	struct arena a;
	struct buf b;

	if (n == 0)
		return true;
	arena_init(&a, memory, sizeof memory);
	buf_init(&b, &a);
	buf_puts(&b, what);
	buf_putu(&b, n);
	buf_puts(&b, n == 1 ? " of git's objects or their directories\n"
			    : " of git's objects and their directories\n");
	return !b.full && write_all(STDERR_FILENO, buf_str(&b));
}

static bool
put_list(const struct review *r)
{
	static const char *const kinds[] = { "added    ", "changed  ", "removed  " };
	size_t objects[3] = { 0 };

	for (size_t i = 0; i < r->n; i++)
		if (is_object(&r->v[i]))
			objects[r->v[i].kind]++;
		else if (!tell(r, &r->v[i], kinds[r->v[i].kind], ""))
			return false;
	return tell_objects(objects[REVIEW_ADDED], "added    ") &&
	       tell_objects(objects[REVIEW_REMOVED], "removed  ");
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

/* Print the diff of one file, with its own arena, so that memory does not grow with the
 * number of files.  Return false if it cannot be shown. */
static bool
put_difference(const struct review *r, const struct review_change *c)
{
	cleanup_arena struct arena *a = arena_new(DIFF_BYTES);
	struct review own = *r;
	struct str before, after;
	struct buf b;

	if (!a)
		return false;
	own.a = a;
	buf_init(&b, a);
	review_texts(&own, c, TEXT_MAX, &before, &after);
	if (before.p && after.p && str_eq(before, after))
		return true;
	if (!is_text(before) || !is_text(after))
		return false;
	buf_puts(&b, "\n--- ");
	put_path(&b, r, c);
	buf_puts(&b, "\n");
	return diff_put(a, before, after, &b) && !b.full &&
	       write_all(STDERR_FILENO, buf_str(&b));
}

static bool
has_difference(const struct review_change *c)
{
	return (c->mode == 0 || S_ISREG(c->mode)) && !is_object(c);
}

/* True if a rule forbids reading the file: the reader of the diff may be an agent. */
static bool
is_denied(const struct launch *l, const struct review *r, const struct review_change *c)
{
	struct str path, why;

	return l->plan.judge_reads &&
	       (path_join(r->a, str_from_c(r->plan->mounts[c->mount].path), c->name, &path,
		    NULL) ||
		   l->run.policy.path(l->run.policy.ctx, RUN_READ, path, &why) ==
		       RUN_PATH_REFUSED);
}

static void
put_differences(struct buf *b, const struct review *r, const struct launch *l)
{
	size_t tried = 0, missing = 0;

	for (size_t i = 0; i < r->n; i++)
		if (has_difference(&r->v[i]) &&
		    (tried++ >= SHOWN_MAX || is_denied(l, r, &r->v[i]) ||
			!put_difference(r, &r->v[i])))
			missing++;
	if (missing == 0)
		return;
	buf_puts(b, "\ncordon: not shown: the diffs of ");
	buf_putu(b, missing);
	buf_puts(b, missing == 1 ? " change" : " changes");
	buf_puts(b, " (binary, too long, too many, or denied by a rule)\n");
	(void)write_all(STDERR_FILENO, buf_str(b));
}

/* ---- the question */

/* Accept only a whole line with exactly one of these words. */
static bool
read_yes(int fd)
{
	char line[64];
	ssize_t n = read(fd, line, sizeof line);

	return n > 0 && str_among(str_of(line, (size_t)n), "y\n\0Y\n\0yes\n\0");
}

static bool
ask(struct launch *l, const struct review *found, struct str *ret_why)
{
	cleanup_fd int fd = approve_terminal_open();
	struct buf b;

	if (fd < 0) {
		(void)write_all(STDERR_FILENO,
		    STR("cordon: no terminal to ask on: nothing is applied\n"
			"  hint: --changes apply applies them without asking\n"));
		*ret_why = STR("no terminal to ask on");
		return false;
	}
	buf_init(&b, &l->a);
	if (found->n == 1) {
		buf_puts(&b, "cordon: apply this change? [y/N] ");
	} else {
		buf_puts(&b, "cordon: apply these ");
		buf_putu(&b, found->n);
		buf_puts(&b, " changes? [y/N] ");
	}
	*ret_why = STR("asked on the terminal");
	/* Discard input typed before the question. */
	return !b.full && tcflush(fd, TCIFLUSH) == 0 && write_all(fd, buf_str(&b)) &&
	       read_yes(fd);
}

/* Get the answer and record it; a yes counts only if it was recorded. */
static bool
may_apply(struct launch *l, const struct review *found)
{
	struct str why = STR("--changes");
	bool yes =
	    l->changes == REVIEW_APPLY || (l->changes == REVIEW_ASK && ask(l, found, &why));
	bool kept = launch_report_review(l, yes, found->n, why);

	return yes && kept;
}

/* ---- applying */

static bool
tell_left(const struct review *found, const struct review_change *c)
{
	char why[256] = ": ";

	memcpy(why + 2, c->left, strnlen(c->left, sizeof why - 3));
	return tell(found, c, "cordon: not applied: ", why);
}

static int
apply(struct launch *l, struct review *found)
{
	size_t left = review_apply(found);
	struct buf b;

	buf_init(&b, &l->a);
	for (size_t i = 0; i < found->n; i++)
		if (found->v[i].left)
			(void)tell_left(found, &found->v[i]);
	buf_puts(&b, "cordon: applied ");
	buf_putu(&b, found->n - left);
	buf_puts(&b, " of ");
	buf_putu(&b, found->n);
	buf_putc(&b, '\n');
	(void)write_all(STDERR_FILENO, buf_str(&b));
	return left ? EXIT_NOT_STARTED : 0;
}

int
launch_review(struct launch *l, const struct plan *plan, const struct run_result *result)
{
	struct review found = {
		.a = &l->a, .plan = plan, .upper = result->upper, .began = result->began
	};
	struct buf b;

	if (!review_find(&found) || !put_list(&found))
		return launch_complain("cannot show the changes; nothing is applied",
		    (struct str){ NULL, 0 }, found.failed);
	if (found.n == 0) {
		(void)write_all(STDERR_FILENO, STR("cordon: nothing was changed\n"));
		return 0;
	}
	buf_init(&b, &l->a);
	put_differences(&b, &found, l);
	if (may_apply(l, &found))
		return apply(l, &found);
	(void)write_all(STDERR_FILENO, STR("cordon: dropped; nothing was changed\n"));
	return 0;
}
