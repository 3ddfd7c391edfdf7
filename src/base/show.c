#include "base/show.h"
#include "base/utf8.h"

/*
 * Characters that are invisible or displace others, sorted. Blanks other than the space are
 * included: they separate words for the eye but not for the shell.
 */
static const struct {
	uint32_t from, to;
} hidden[] = {
	{ 0x80, 0xa0 },       /* C1 controls, no-break space */
	{ 0xad, 0xad },       /* soft hyphen */
	{ 0x34f, 0x34f },     /* combining grapheme joiner */
	{ 0x600, 0x605 },     /* Arabic number signs */
	{ 0x61c, 0x61c },     /* Arabic letter mark */
	{ 0x6dd, 0x6dd },     /* Arabic end of ayah */
	{ 0x70f, 0x70f },     /* Syriac abbreviation mark */
	{ 0x890, 0x891 },     /* Arabic pound and piastre marks */
	{ 0x8e2, 0x8e2 },     /* Arabic disputed end of ayah */
	{ 0x115f, 0x1160 },   /* Hangul fillers */
	{ 0x1680, 0x1680 },   /* Ogham space */
	{ 0x17b4, 0x17b5 },   /* Khmer inherent vowels */
	{ 0x180b, 0x180f },   /* Mongolian selectors and vowel separator */
	{ 0x2000, 0x200f },   /* spaces of all widths, zero-width, left and right marks */
	{ 0x2028, 0x202f },   /* separators, bidi embeddings and overrides, narrow space */
	{ 0x205f, 0x206f },   /* mathematical space, word joiner, bidi isolates */
	{ 0x2800, 0x2800 },   /* blank Braille pattern */
	{ 0x3000, 0x3000 },   /* ideographic space */
	{ 0x3164, 0x3164 },   /* Hangul filler */
	{ 0xe000, 0xf8ff },   /* private use */
	{ 0xfdd0, 0xfdef },   /* non-characters */
	{ 0xfe00, 0xfe0f },   /* variation selectors */
	{ 0xfeff, 0xfeff },   /* byte order mark */
	{ 0xffa0, 0xffa0 },   /* half-width Hangul filler */
	{ 0xfff0, 0xfffb },   /* specials, interlinear annotation */
	{ 0xfffe, 0xffff },   /* non-characters */
	{ 0x110bd, 0x110bd }, /* Kaithi number signs */
	{ 0x110cd, 0x110cd }, { 0x13430, 0x1345f }, /* Egyptian format controls */
	{ 0x1bca0, 0x1bca3 },                       /* shorthand format controls */
	{ 0x1d159, 0x1d159 },                       /* musical null note head */
	{ 0x1d173, 0x1d17a },                       /* musical format controls */
	{ 0xe0000, 0x10ffff },                      /* tags, more selectors, private use */
};

static bool
is_hidden(uint32_t c)
{
	size_t low = 0, high = sizeof hidden / sizeof *hidden;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (c > hidden[mid].to)
			low = mid + 1;
		else if (c < hidden[mid].from)
			high = mid;
		else
			return true;
	}
	/* The last two code points of each plane are non-characters. */
	return (c & 0xfffe) == 0xfffe;
}

static void
put_hex(struct buf *b, uint32_t number, int digits)
{
	for (int i = digits - 1; i >= 0; i--)
		buf_putc(b, "0123456789abcdef"[number >> (4 * i) & 15]);
}

static void
put_byte(struct buf *b, char c)
{
	if (c == '\n') {
		buf_puts(b, "\\n");
	} else if (c == '\t') {
		buf_puts(b, "\\t");
	} else if (c == '\r') {
		buf_puts(b, "\\r");
	} else {
		buf_puts(b, "\\x");
		put_hex(b, (unsigned char)c, 2);
	}
}

static void
put_character(struct buf *b, uint32_t c)
{
	int digits = 2;

	while (digits < 6 && c >> (4 * digits))
		digits++;
	buf_puts(b, "\\u{");
	put_hex(b, c, digits);
	buf_putc(b, '}');
}

void
show_put(struct buf *b, struct str s, unsigned flags)
{
	size_t i = 0, n;

	for (; i < s.n; i += n ? n : 1) {
		char c = s.p[i];
		uint32_t u = 0;

		n = utf8_take(s, i, &u);
		if (n > 1 && is_hidden(u))
			put_character(b, u);
		else if (n > 1)
			buf_put(b, str_cut(s, i, i + n));
		else if (n == 0 ||
			 ((u < 0x20 || u == 0x7f) && !(c == '\n' && flags & SHOW_NEWLINES)))
			put_byte(b, c);
		else if (c == '\\' && flags & SHOW_EXACT)
			buf_puts(b, "\\\\");
		else
			buf_putc(b, c);
	}
}

bool
show_is_same(struct str s)
{
	size_t n;

	for (size_t i = 0; i < s.n; i += n) {
		uint32_t u = 0;

		n = utf8_take(s, i, &u);
		if (n == 0 || u < 0x20 || u == 0x7f || (n > 1 && is_hidden(u)))
			return false;
	}
	return true;
}
