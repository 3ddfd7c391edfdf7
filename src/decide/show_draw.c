#include "base/show.h"
#include "base/utf8.h"
#include "decide/show.h"

#define INDENT 4
#define ROW (SHOW_COLUMNS - INDENT)
/* Later parts have no number in the drawing. */
#define NUMBERED 99

static const char *
colour_of(enum verdict verdict)
{
	switch (verdict) {
	case VERDICT_ALLOW:
		return "\x1b[32m";
	case VERDICT_CONFINE:
		return "\x1b[36m";
	case VERDICT_ASK:
		return "\x1b[33m";
	case VERDICT_DENY:
		break;
	}
	return "\x1b[31m";
}

static char
mark_of(enum verdict verdict)
{
	switch (verdict) {
	case VERDICT_ALLOW:
		return '~';
	case VERDICT_CONFINE:
		return '-';
	case VERDICT_ASK:
		return '^';
	case VERDICT_DENY:
		break;
	}
	return 'x';
}

void
verdict_put(struct buf *out, enum verdict verdict, bool colour)
{
	if (colour)
		buf_puts(out, colour_of(verdict));
	buf_puts(out, verdict_name(verdict));
	if (colour)
		buf_puts(out, "\x1b[0m");
}

size_t
draw_number(const struct decision *d, const struct judged *j)
{
	size_t n = 0;

	for (const struct judged *k = d->judged; k; k = k->next) {
		n++;
		if (k == j)
			return n <= NUMBERED ? n : 0;
	}
	return 0;
}

const struct judged *
draw_part_at(const struct decision *d, size_t at)
{
	const struct judged *best = NULL;
	size_t seen = 0;

	for (const struct judged *j = d->judged; j && seen < NUMBERED;
	     j = j->next, seen++) {
		size_t n = j->at.end - j->at.start;

		if (at < j->at.start || at >= j->at.end)
			continue;
		if (!best || n < best->at.end - best->at.start ||
		    (n == best->at.end - best->at.start && j->verdict < best->verdict))
			best = j;
	}
	return best;
}

/* ---- one row */

struct draw_row {
	char marks[ROW + 8];  /* below the text */
	char labels[ROW + 8]; /* below those: numbers */
	enum verdict verdicts[ROW + 8];
	size_t columns;
	const struct judged *last;
};

/* The columns of a character: roughly, East Asian scripts and pictographs take two. */
static size_t
width_of(uint32_t c)
{
	static const uint32_t wide[][2] = { { 0x1100, 0x115f }, { 0x2e80, 0xa4cf },
		{ 0xac00, 0xd7a3 }, { 0xf900, 0xfaff }, { 0xfe30, 0xfe6f },
		{ 0xff00, 0xff60 }, { 0xffe0, 0xffe6 }, { 0x1f300, 0x1f64f },
		{ 0x1f900, 0x1f9ff }, { 0x20000, 0x3fffd } };

	for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
		if (c >= wide[i][0] && c <= wide[i][1])
			return 2;
	return 1;
}

/* Print the character at `at`, escaped; return its bytes, and in *columns its width. */
static size_t
put_character(struct buf *out, struct str text, size_t at, size_t *columns)
{
	uint32_t c = 0;
	size_t n = utf8_take(text, at, &c), before = out->n;

	show_put(out, str_cut(text, at, at + (n ? n : 1)), 0);
	*columns = out->n - before;
	if (n > 1 && *columns == n)
		*columns = width_of(c);
	return n ? n : 1;
}

static void
label(struct draw_row *r, size_t column, size_t number)
{
	char digits[8];
	size_t n = 0;

	if (column > 0 && r->labels[column - 1] != ' ')
		return; /* two numbers would run into one */
	for (; number; number /= 10)
		digits[n++] = (char)('0' + number % 10);
	for (size_t i = 0; i < n && column + i < ROW; i++)
		r->labels[column + i] = digits[n - 1 - i];
}

static void
mark(struct draw_row *r, const struct decision *d, size_t at, size_t columns)
{
	const struct judged *j = draw_part_at(d, at);

	for (size_t i = 0; i < columns && r->columns + i < ROW; i++) {
		r->marks[r->columns + i] = j ? mark_of(j->verdict) : ' ';
		r->verdicts[r->columns + i] = j ? j->verdict : VERDICT_ALLOW;
	}
	if (j && j != r->last)
		label(r, r->columns, draw_number(d, j));
	r->last = j;
}

static bool
is_blank(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] != ' ')
			return false;
	return true;
}

static size_t
trimmed(const char *p, size_t n)
{
	while (n && p[n - 1] == ' ')
		n--;
	return n;
}

static void
put_indent(struct buf *out, size_t n)
{
	for (size_t i = 0; i < n; i++)
		buf_putc(out, ' ');
}

static void
put_marks(struct buf *out, const struct draw_row *r, bool colour)
{
	size_t n = trimmed(r->marks, r->columns);

	put_indent(out, INDENT);
	for (size_t i = 0; i < n; i++) {
		bool begins =
		    r->marks[i] != ' ' && (i == 0 || r->marks[i - 1] != r->marks[i]);
		bool ends =
		    r->marks[i] != ' ' && (i + 1 == n || r->marks[i + 1] != r->marks[i]);

		if (colour && begins)
			buf_puts(out, colour_of(r->verdicts[i]));
		buf_putc(out, r->marks[i]);
		if (colour && ends)
			buf_puts(out, "\x1b[0m");
	}
	buf_putc(out, '\n');
}

static void
end_row(struct buf *out, struct draw_row *r, bool colour)
{
	buf_putc(out, '\n');
	if (!is_blank(r->marks, r->columns))
		put_marks(out, r, colour);
	if (!is_blank(r->labels, ROW)) {
		put_indent(out, INDENT);
		buf_put(out, str_of(r->labels, trimmed(r->labels, ROW)));
		buf_putc(out, '\n');
	}
	r->columns = 0;
	memset(r->marks, ' ', sizeof r->marks);
	memset(r->labels, ' ', sizeof r->labels);
}

void
draw_command(struct buf *out, struct str text, const struct decision *d, bool colour)
{
	struct draw_row r = { 0 };
	size_t columns;

	memset(r.marks, ' ', sizeof r.marks);
	memset(r.labels, ' ', sizeof r.labels);
	put_indent(out, INDENT);
	for (size_t at = 0; at < text.n;) {
		size_t before = out->n, bytes;

		if (text.p[at] == '\n') {
			end_row(out, &r, colour);
			if (++at < text.n)
				put_indent(out, INDENT);
			continue;
		}
		bytes = put_character(out, text, at, &columns);
		if (r.columns + columns > ROW) {
			/* Start the next row with a character that does not fit. */
			out->n = before;
			end_row(out, &r, colour);
			put_indent(out, INDENT);
			continue;
		}
		mark(&r, d, at, columns);
		r.columns += columns;
		at += bytes;
	}
	end_row(out, &r, colour);
}

/* ---- text in lines */

static size_t
columns_of(struct str word)
{
	size_t columns = 0;
	uint32_t c;

	for (size_t at = 0; at < word.n;) {
		size_t n = utf8_take(word, at, &c);

		columns += n ? width_of(c) : 1;
		at += n ? n : 1;
	}
	return columns;
}

void
show_wrap(struct buf *out, struct str text, size_t column, size_t indent)
{
	bool first = true;

	while (text.n) {
		size_t end = str_find(text, ' ');
		struct str word = str_cut(text, 0, end);
		size_t n = columns_of(word);

		text = str_skip(text, end + 1);
		if (word.n == 0)
			continue;
		if (!first && column + 1 + n > SHOW_COLUMNS) {
			buf_putc(out, '\n');
			put_indent(out, indent);
			column = indent;
		} else if (!first) {
			buf_putc(out, ' ');
			column++;
		}
		buf_put(out, word);
		column += n;
		first = false;
	}
	buf_putc(out, '\n');
}
