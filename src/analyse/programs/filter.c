/* The output of filters for a known input. */
#include "analyse/programs/programs.h"
#include "analyse/word/word.h"
#include "base/buf.h"

static const struct str nothing_known = { NULL, 0 };

/* Longer inputs are not commands, and each filter costs time and memory. */
#define FILTER_MAX 65536

static int
base64_digit(char c)
{
	return c >= 'A' && c <= 'Z'   ? c - 'A'
	       : c >= 'a' && c <= 'z' ? c - 'a' + 26
	       : byte_is_digit(c)     ? c - '0' + 52
	       : c == '+'             ? 62
	       : c == '/'             ? 63
				      : -1;
}

/* Decode digits of `bits` bits each, ignoring blanks; false at any other byte. */
static bool
decode(struct buf *b, struct str in, int (*digit)(char), unsigned bits)
{
	unsigned held = 0, have = 0;
	bool padded = false;

	for (size_t i = 0; i < in.n; i++) {
		int d = digit(in.p[i]);

		if (in.p[i] == '\n' || in.p[i] == ' ')
			continue;
		padded |= in.p[i] == '=' && bits == 6;
		if (padded && in.p[i] == '=')
			continue;
		if (d < 0 || padded)
			return false;
		held = (held << bits | (unsigned)d) & 0xffff;
		have += bits;
		if (have < 8)
			continue;
		have -= 8;
		/* A variable cannot hold a NUL. */
		if ((held >> have & 255) == 0)
			return false;
		buf_putc(b, (char)(held >> have & 255));
	}
	return bits == 6 || have == 0;
}

static bool
turn_lines(struct buf *b, struct str in)
{
	while (in.n) {
		size_t n = str_find(in, '\n');

		for (size_t i = n; i > 0; i--) {
			if ((unsigned char)in.p[i - 1] > 127)
				return false;
			buf_putc(b, in.p[i - 1]);
		}
		if (n < in.n)
			buf_putc(b, '\n');
		in = str_skip(in, n + 1);
	}
	return true;
}

/* Spell out sets such as a-zA-M; false for classes and escapes. */
static bool
read_set(struct str set, unsigned char *to, size_t *ret_n)
{
	size_t n = 0;

	for (size_t i = 0; i < set.n; i++) {
		unsigned from = (unsigned char)set.p[i], end = from;

		if (from > 127 || memchr("\\[]", set.p[i], 3))
			return false;
		if (i + 2 < set.n && set.p[i + 1] == '-') {
			end = (unsigned char)set.p[i + 2];
			i += 2;
		}
		for (; from <= end; from++) {
			if (n == 256)
				return false;
			to[n++] = (unsigned char)from;
		}
	}
	*ret_n = n;
	return n > 0;
}

static bool
translate(struct buf *b, struct str in, struct str from, struct str to, bool drop)
{
	unsigned char x[256], y[256];
	size_t nx, ny = 0;

	if (!read_set(from, x, &nx) || (!drop && !read_set(to, y, &ny)))
		return false;
	for (size_t i = 0; i < in.n; i++) {
		unsigned char c = (unsigned char)in.p[i];
		size_t at = nx;

		if (c > 127)
			return false;
		for (size_t k = 0; k < nx; k++) /* the last of several counts */
			if (x[k] == c)
				at = k;
		if (at == nx)
			buf_putc(b, (char)c);
		else if (!drop)
			buf_putc(b, (char)y[at < ny ? at : ny - 1]);
	}
	return true;
}

/* ---- one function for each program; its name is f->v[0] */

static bool
filter_cat(struct buf *b, const struct fields *f, struct str in)
{
	if (f->n > 2 || (f->n == 2 && !field_is(f->v[1], "-")))
		return false;
	buf_put(b, in);
	return true;
}

static bool
filter_tee(struct buf *b, const struct fields *f, struct str in)
{
	(void)f;
	buf_put(b, in);
	return true;
}

static bool
filter_rev(struct buf *b, const struct fields *f, struct str in)
{
	return f->n == 1 && turn_lines(b, in);
}

static bool
filter_base64(struct buf *b, const struct fields *f, struct str in)
{
	return f->n == 2 && str_among(f->v[1].text, "-d\0--decode\0-D\0-di\0") &&
	       decode(b, in, base64_digit, 6);
}

/* xxd -r -p, in any order and as one word */
static bool
filter_xxd(struct buf *b, const struct fields *f, struct str in)
{
	static const char two_words[] = "-r\0-p\0-ps\0";
	bool reverts = false;

	if (f->n == 2)
		reverts = str_among(f->v[1].text, "-rp\0-pr\0");
	else if (f->n == 3)
		reverts = str_among(f->v[1].text, two_words) &&
			  str_among(f->v[2].text, two_words) &&
			  !str_eq(f->v[1].text, f->v[2].text);
	return reverts && decode(b, in, byte_hex, 4);
}

static bool
filter_tr(struct buf *b, const struct fields *f, struct str in)
{
	if (f->n != 3)
		return false;
	if (field_is(f->v[1], "-d"))
		return translate(b, in, f->v[2].text, STR(""), true);
	return f->v[1].text.n && f->v[1].text.p[0] != '-' &&
	       translate(b, in, f->v[1].text, f->v[2].text, false);
}

static bool
filter_by(struct buf *b, const struct fields *f, struct str in)
{
	static const struct {
		char name[8];
		bool (*filter)(struct buf *b, const struct fields *f, struct str in);
	} filters[] = { { "cat", filter_cat }, { "tee", filter_tee }, { "rev", filter_rev },
		{ "base64", filter_base64 }, { "xxd", filter_xxd }, { "tr", filter_tr } };

	for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
		if (field_is(f->v[0], filters[i].name))
			return filters[i].filter(b, f, in);
	return false;
}

struct str
filter_output(struct walk *w, const struct fields *f, struct str in)
{
	struct buf b;

	w->cut |= in.n > FILTER_MAX;
	if (!in.p || in.n > FILTER_MAX)
		return nothing_known;
	buf_init(&b, w->a);
	if (!filter_by(&b, f, in) || b.full)
		return nothing_known;
	return buf_str(&b);
}

bool
filter_decodes(const struct node *n, bool before)
{
	const struct word *name = n->simple.words;
	const struct part *p = name ? name->parts : NULL;

	if (!p || p->kind != PART_TEXT)
		return before;
	return str_among(p->text, "cat\0tee\0")
		   ? before
		   : !str_among(p->text, "echo\0printf\0:\0true\0");
}
