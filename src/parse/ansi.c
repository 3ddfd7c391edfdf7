#include "parse/parser.h"

/* $'...': decode into the arena. The decoded text is never longer than its source. */
struct ansi {
	struct parser *p;
	struct parts *out;
	char *text;
	size_t n;
	uint32_t i;     /* next byte to read */
	uint32_t start; /* start of the part being built */
	bool cut;       /* a NUL was decoded: bash drops the rest */
};

/* Read up to `most` digits of `base`; *ret_n is their number. */
static unsigned
number_read(struct ansi *d, unsigned base, unsigned most, unsigned *ret_n)
{
	unsigned value = 0, n = 0;

	while (n < most && (unsigned)byte_hex(d->p->s[d->i]) < base) {
		value = value * base + (unsigned)byte_hex(d->p->s[d->i++]);
		n++;
	}
	*ret_n = n;
	return value;
}

static void
put(struct ansi *d, unsigned c)
{
	if ((c & 0xff) == 0)
		d->cut = true;
	if (!d->cut)
		d->text[d->n++] = (char)c;
}

/* Add the decoded text as a part. */
static int
flush(struct ansi *d, uint32_t end)
{
	int r;

	d->p->pos = end;
	r = part_text(d->p, d->out, true, str_of(d->text, d->n), d->start);
	d->text += d->n;
	d->n = 0;
	d->start = end;
	return r;
}

/* \u and \U: above ASCII the bytes depend on the locale. */
static int
decode_unicode(struct ansi *d, char letter)
{
	uint32_t start = d->i - 2;
	unsigned n, value = number_read(d, 16, letter == 'u' ? 4 : 8, &n);
	struct part *part;
	int r;

	if (n == 0) {
		put(d, '\\');
		put(d, (unsigned char)letter);
		return 0;
	}
	if (value <= 0x7f || d->cut) {
		put(d, value);
		return 0;
	}
	if (d->n > 0 && (r = flush(d, start)) < 0)
		return r;
	d->p->pos = d->i;
	if ((r = part_add(d->p, d->out, PART_OPAQUE, true, start, &part)) < 0)
		return r;
	part->text = str_of(d->p->s + start, d->i - start);
	d->start = d->i;
	return 0;
}

static int
decode_hex(struct ansi *d)
{
	unsigned n, value;

	if (d->p->s[d->i] == '{') {
		uint32_t open = d->i++;

		value = number_read(d, 16, 2, &n);
		if (n == 0 || d->p->s[d->i] != '}')
			return refuse(d->p, open, "\\x{ } needs one or two hex digits");
		d->i++;
		put(d, value);
		return 0;
	}
	value = number_read(d, 16, 2, &n);
	if (n == 0) {
		put(d, '\\');
		value = 'x';
	}
	put(d, value);
	return 0;
}

static int
decode_control(struct ansi *d)
{
	unsigned char c = (unsigned char)d->p->s[d->i];

	if (c == '\\' || c == '\'' || c >= 0x80)
		return refuse(d->p, d->i, "\\c with this byte in $'...'");
	d->i++;
	if (c >= 'a' && c <= 'z')
		c = (unsigned char)(c - 'a' + 'A');
	put(d, c == '?' ? 0x7f : c & 0x1f);
	return 0;
}

/* The byte for a one-letter escape, or 0. */
static char
simple_escape(char c)
{
	static const char letters[] = "abeEfnrtv\\'\"?";
	static const char bytes[] = "\a\b\033\033\f\n\r\t\v\\'\"?";
	const char *hit = c ? strchr(letters, c) : NULL;

	return hit ? bytes[hit - letters] : '\0';
}

/* Decode one escape; `i` is after the backslash. */
static int
decode_escape(struct ansi *d)
{
	char c = d->p->s[d->i];
	unsigned n;

	if (simple_escape(c)) {
		d->i++;
		put(d, (unsigned char)simple_escape(c));
		return 0;
	}
	if (c >= '0' && c <= '7') {
		put(d, number_read(d, 8, 3, &n) & 0xff);
		return 0;
	}
	d->i++;
	switch (c) {
	case 'x':
		return decode_hex(d);
	case 'u':
	case 'U':
		return decode_unicode(d, c);
	case 'c':
		return decode_control(d);
	default:
		put(d, '\\');
		put(d, (unsigned char)c);
		return 0;
	}
}

/* The position of the closing quote, or the end. */
static uint32_t
find_end(const struct parser *p, uint32_t i)
{
	while (p->s[i] != '\'' && p->s[i] != '\0')
		i += p->s[i] == '\\' && p->s[i + 1] != '\0' ? 2 : 1;
	return i;
}

/* `pos` is at the quote, `start` at the dollar. */
int
quote_ansi(struct parser *p, uint32_t start, struct parts *out)
{
	uint32_t end = find_end(p, p->pos + 1);
	struct part *before = out->last;
	struct ansi d = { .p = p, .out = out, .i = p->pos + 1, .start = start };
	int r = 0;

	if (p->s[end] == '\0')
		return invalid(p, start, "this $' is never closed");
	d.text = arena_alloc(p->a, end - d.i);
	if (!d.text)
		return no_memory(p);
	while (d.i < end && r == 0) {
		char c = p->s[d.i++];

		if (c == '\\')
			r = decode_escape(&d);
		else
			put(&d, (unsigned char)c);
	}
	if (r < 0)
		return r;
	p->pos = end + 1;
	if (d.n > 0 || out->last == before)
		return flush(&d, end + 1);
	return 0;
}
