#include "agents/setup/setup.h"
#include "base/show.h"

#define CONTEXT 3
/* Settings are short; of two longer texts the whole middle is shown as changed. */
#define LINES 1024

struct lines {
	struct str *v;
	size_t n;
};

static bool
split(struct arena *a, struct str text, struct lines *ret)
{
	size_t n = 0;

	for (size_t i = 0; i < text.n; i++)
		n += text.p[i] == '\n' || i + 1 == text.n;
	ret->v = arena_array(a, n, sizeof *ret->v);
	ret->n = 0;
	if (!ret->v)
		return false;
	while (text.n) {
		size_t end = str_find(text, '\n');

		end += end < text.n;
		ret->v[ret->n++] = str_cut(text, 0, end);
		text = str_skip(text, end);
	}
	return true;
}

static void
put_line(struct buf *out, char mark, struct str line)
{
	bool ends = line.n && line.p[line.n - 1] == '\n';

	buf_putc(out, mark);
	show_put(out, ends ? str_cut(line, 0, line.n - 1) : line, 0);
	buf_puts(out, ends ? "\n" : "\n\\ No newline at end of file\n");
}

/* Lengths of the longest common part of the rests, one row for each old line. */
static unsigned short *
common(struct arena *a, struct lines x, struct lines y)
{
	size_t w = y.n + 1;
	unsigned short *c = arena_array(a, (x.n + 1) * w, sizeof *c);

	for (size_t i = x.n; c && i-- > 0;)
		for (size_t j = y.n; j-- > 0;) {
			unsigned short down = c[(i + 1) * w + j], right = c[i * w + j + 1];

			c[i * w + j] = str_eq(x.v[i], y.v[j])
					   ? (unsigned short)(c[(i + 1) * w + j + 1] + 1)
				       : down > right ? down
						      : right;
		}
	return c;
}

static int
put_middle(struct arena *a, struct lines x, struct lines y, struct buf *out)
{
	unsigned short *c = NULL;
	size_t i = 0, j = 0, w = y.n + 1;

	if (x.n <= LINES && y.n <= LINES) {
		c = common(a, x, y);
		if (!c)
			return CORDON_ENOMEM;
	}
	while (i < x.n || j < y.n) {
		if (c && i < x.n && j < y.n && str_eq(x.v[i], y.v[j])) {
			put_line(out, ' ', x.v[i++]);
			j++;
		} else if (i < x.n &&
			   (j >= y.n || !c || c[(i + 1) * w + j] >= c[i * w + j + 1])) {
			put_line(out, '-', x.v[i++]);
		} else {
			put_line(out, '+', y.v[j++]);
		}
	}
	return 0;
}

static void
put_head(struct buf *out, size_t at, size_t old, size_t new)
{
	buf_puts(out, "@@ -");
	buf_putu(out, at + (old > 0));
	buf_putc(out, ',');
	buf_putu(out, old);
	buf_puts(out, " +");
	buf_putu(out, at + (new > 0));
	buf_putc(out, ',');
	buf_putu(out, new);
	buf_puts(out, " @@\n");
}

int
setup_diff(struct arena *a, struct str old, struct str new, struct buf *out)
{
	struct lines x, y;
	size_t same = 0, tail = 0, from, after;
	struct buf body;
	int err;

	if (str_eq(old, new))
		return 0;
	if (!split(a, old, &x) || !split(a, new, &y))
		return CORDON_ENOMEM;
	while (same < x.n && same < y.n && str_eq(x.v[same], y.v[same]))
		same++;
	while (tail < x.n - same && tail < y.n - same &&
	       str_eq(x.v[x.n - 1 - tail], y.v[y.n - 1 - tail]))
		tail++;
	from = same > CONTEXT ? same - CONTEXT : 0;
	after = tail > CONTEXT ? CONTEXT : tail;
	put_head(out, from, x.n - tail - from + after, y.n - tail - from + after);
	buf_init(&body, a);
	for (size_t i = from; i < same; i++)
		put_line(&body, ' ', x.v[i]);
	err = put_middle(a, (struct lines){ x.v + same, x.n - same - tail },
	    (struct lines){ y.v + same, y.n - same - tail }, &body);
	for (size_t i = 0; i < after; i++)
		put_line(&body, ' ', x.v[x.n - tail + i]);
	buf_put(out, buf_str(&body));
	return err || body.full || out->full ? CORDON_ENOMEM : 0;
}
