/*
 * Shortest edit script (Myers, 1986). For each number of changes, keep the furthest point
 * reached on each diagonal; walking back over these points tells which lines were added and
 * removed.
 */
#include "base/diff.h"
#include "base/show.h"
#include <string.h>

#define LINES_MAX ((size_t)20000)
/* The search gives up after this many changes; its memory grows with their square. */
#define CHANGES_MAX 600
#define CONTEXT ((size_t)3)

struct text_lines {
	struct str *v;
	size_t n;
};

struct differ {
	struct arena *a;
	struct text_lines x, y;
	bool *gone, *come; /* removed lines of x, added lines of y */
	struct buf *out;
};

static bool
split(struct arena *a, struct str text, struct text_lines *ret)
{
	size_t n = 0;

	for (size_t i = 0; i < text.n; i++)
		n += text.p[i] == '\n';
	n += text.n && text.p[text.n - 1] != '\n';
	ret->v = arena_array(a, n + 1, sizeof *ret->v);
	for (ret->n = 0; ret->v && text.n; ret->n++) {
		size_t end = str_find(text, '\n');

		ret->v[ret->n] = str_cut(text, 0, end < text.n ? end + 1 : end);
		text = str_skip(text, end + 1);
	}
	return ret->v != NULL;
}

/* ---- find the changed lines */

static bool
is_same(const struct differ *d, long x, long y)
{
	return str_eq(d->x.v[x], d->y.v[y]);
}

/* Walk back from (x, y) and mark the changed lines; rows[c] has the points reached with c
 * changes. */
static void
mark(struct differ *d, long *const *rows, long changes, long x, long y, size_t from)
{
	for (long c = changes; c > 0; c--) {
		const long *v = rows[c - 1] + c;
		long k = x - y;
		bool down = k == -c || (k != c && v[k - 1] < v[k + 1]);

		k = down ? k + 1 : k - 1;
		x = v[k];
		y = x - k;
		if (down)
			d->come[(long)from + y] = true;
		else
			d->gone[(long)from + x] = true;
	}
}

/* Find the shortest edit script after `from` common lines; return false beyond CHANGES_MAX
 * changes. */
static bool
shortest(struct differ *d, size_t from, size_t x_n, size_t y_n)
{
	long *rows[CHANGES_MAX + 1] = { NULL };
	long n = (long)x_n, m = (long)y_n;

	for (long c = 0; c <= CHANGES_MAX; c++) {
		long *v = arena_array(d->a, 2 * (size_t)c + 3, sizeof *v);
		const long *last = c ? rows[c - 1] + c : NULL;

		if (!v)
			return false;
		rows[c] = v;
		v += c + 1;
		for (long k = -c; k <= c; k += 2) {
			long x = c == 0 ? 0
				 : k == -c || (k != c && last[k - 1] < last[k + 1])
				     ? last[k + 1]
				     : last[k - 1] + 1;

			while (x < n && x - k < m &&
			       is_same(d, (long)from + x, (long)from + x - k))
				x++;
			v[k] = x;
			if (x >= n && x - k >= m) {
				mark(d, rows, c, n, m, from);
				return true;
			}
		}
	}
	return false;
}

static void
compare(struct differ *d)
{
	size_t from = 0, x_n = d->x.n, y_n = d->y.n;

	while (from < x_n && from < y_n && is_same(d, (long)from, (long)from))
		from++;
	while (x_n > from && y_n > from && is_same(d, (long)x_n - 1, (long)y_n - 1)) {
		x_n--;
		y_n--;
	}
	if (d->x.n <= LINES_MAX && d->y.n <= LINES_MAX &&
	    shortest(d, from, x_n - from, y_n - from))
		return;
	for (size_t i = from; i < x_n; i++)
		d->gone[i] = true;
	for (size_t i = from; i < y_n; i++)
		d->come[i] = true;
}

/* ---- print them */

static void
put_line(struct buf *out, char sign, struct str line)
{
	bool whole = line.n && line.p[line.n - 1] == '\n';

	buf_putc(out, sign);
	show_put(out, str_cut(line, 0, line.n - whole), 0);
	buf_puts(out, whole ? "\n" : "\n\\ No newline at end of file\n");
}

static void
put_range(struct buf *out, char sign, size_t at, size_t n)
{
	buf_putc(out, ' ');
	buf_putc(out, sign);
	buf_putu(out, n ? at + 1 : at);
	if (n != 1) {
		buf_putc(out, ',');
		buf_putu(out, n);
	}
}

/* Print lines x..x_end and y..y_end: the changes and their context. */
static void
put_hunk(struct differ *d, size_t x, size_t x_end, size_t y, size_t y_end)
{
	buf_puts(d->out, "@@");
	put_range(d->out, '-', x, x_end - x);
	put_range(d->out, '+', y, y_end - y);
	buf_puts(d->out, " @@\n");
	while (x < x_end || y < y_end) {
		if (x < x_end && d->gone[x])
			put_line(d->out, '-', d->x.v[x++]);
		else if (y < y_end && d->come[y])
			put_line(d->out, '+', d->y.v[y++]);
		else {
			put_line(d->out, ' ', d->x.v[x++]);
			y++;
		}
	}
}

static bool
is_change(const struct differ *d, size_t x, size_t y)
{
	return (x < d->x.n && d->gone[x]) || (y < d->y.n && d->come[y]);
}

static void
put_hunks(struct differ *d)
{
	size_t x = 0, y = 0, same = 0;

	while (x < d->x.n || y < d->y.n) {
		size_t x0, y0, quiet = 0;

		if (!is_change(d, x, y)) {
			same++;
			x++;
			y++;
			continue;
		}
		x0 = x - (same < CONTEXT ? same : CONTEXT);
		y0 = y - (same < CONTEXT ? same : CONTEXT);
		while ((x < d->x.n || y < d->y.n) && quiet <= 2 * CONTEXT) {
			if (is_change(d, x, y)) {
				quiet = 0;
				if (x < d->x.n && d->gone[x])
					x++;
				else
					y++;
			} else {
				quiet++;
				x++;
				y++;
			}
		}
		/* The lines after the context begin the next hunk. */
		same = quiet > CONTEXT ? quiet - CONTEXT : 0;
		put_hunk(d, x0, x - same, y0, y - same);
	}
}

bool
diff_put(struct arena *a, struct str before, struct str after, struct buf *out)
{
	struct differ d = { .a = a, .out = out };

	if (!split(a, before, &d.x) || !split(a, after, &d.y))
		return false;
	d.gone = arena_zalloc(a, d.x.n + 1);
	d.come = arena_zalloc(a, d.y.n + 1);
	if (!d.gone || !d.come)
		return false;
	compare(&d);
	put_hunks(&d);
	return !out->full;
}
