#include "confine/address.h"

/* ---- reading */

static int
hex_value(char c)
{
	if (byte_is_digit(c))
		return c - '0';
	c |= 32;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Parse one number of four.  Refuse a leading zero: some parsers read it as octal. */
static bool
read_byte(struct str s, uint8_t *ret)
{
	uint64_t n;

	if ((s.n > 1 && s.p[0] == '0') || !str_number(s, 255, &n))
		return false;
	*ret = (uint8_t)n;
	return true;
}

static bool
read_four(struct str s, uint8_t *ret)
{
	for (size_t i = 0; i < 4; i++) {
		size_t dot = str_find(s, '.');

		if ((i < 3) != (dot < s.n) || !read_byte(str_cut(s, 0, dot), &ret[i]))
			return false;
		s = str_skip(s, dot + 1);
	}
	return true;
}

static bool
read_group(struct str s, uint8_t *ret)
{
	unsigned n = 0;

	if (s.n == 0 || s.n > 4)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		int digit = hex_value(s.p[i]);

		if (digit < 0)
			return false;
		n = n * 16 + (unsigned)digit;
	}
	ret[0] = (uint8_t)(n >> 8);
	ret[1] = (uint8_t)n;
	return true;
}

/* Parse groups with single colons between them into `buf`.  Returns the number of bytes,
 * or -1.  Four decimal numbers may only stand at the end of an address. */
static int
read_groups(struct str s, bool last, uint8_t *buf, size_t n)
{
	size_t at = 0;

	while (s.n) {
		size_t colon = str_find(s, ':');
		struct str part = str_cut(s, 0, colon);

		if (str_find(part, '.') < part.n) {
			if (!last || colon < s.n || at + 4 > n ||
			    !read_four(part, buf + at))
				return -1;
			return (int)at + 4;
		}
		if (at + 2 > n || !read_group(part, buf + at) || colon + 1 == s.n)
			return -1;
		at += 2;
		s = str_skip(s, colon + 1);
	}
	return (int)at;
}

static bool
read_six(struct str s, uint8_t *ret)
{
	uint8_t head[16], tail[16];
	size_t gap = s.n;
	int before, behind;

	for (size_t i = 0; i + 1 < s.n && gap == s.n; i++)
		if (s.p[i] == ':' && s.p[i + 1] == ':')
			gap = i;
	memset(ret, 0, 16);
	if (gap == s.n)
		return read_groups(s, true, ret, 16) == 16;
	before = read_groups(str_cut(s, 0, gap), false, head, sizeof head);
	behind = read_groups(str_skip(s, gap + 2), true, tail, sizeof tail);
	if (before < 0 || behind < 0 || before + behind > 14)
		return false;
	memcpy(ret, head, (size_t)before);
	memcpy(ret + 16 - behind, tail, (size_t)behind);
	return true;
}

void
address_unmap(struct address *a)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };

	if (!a->six || memcmp(a->b, mapped, sizeof mapped) != 0)
		return;
	memmove(a->b, a->b + 12, 4);
	memset(a->b + 4, 0, 12);
	a->six = false;
}

bool
address_read(struct str text, struct address *ret)
{
	struct address a = { .six = str_find(text, ':') < text.n };

	if (!(a.six ? read_six(text, a.b) : read_four(text, a.b)))
		return false;
	address_unmap(&a);
	*ret = a;
	return true;
}

bool
address_is_like(struct str name)
{
	size_t dot;

	if (str_find(name, ':') < name.n)
		return true;
	if (name.n && name.p[name.n - 1] == '.')
		name.n--;
	dot = str_rfind(name, '.');
	if (dot < name.n)
		name = str_skip(name, dot + 1);
	if (name.n > 1 && name.p[0] == '0' && (name.p[1] | 32) == 'x') {
		for (size_t i = 2; i < name.n; i++)
			if (hex_value(name.p[i]) < 0)
				return false;
		return true;
	}
	for (size_t i = 0; i < name.n; i++)
		if (!byte_is_digit(name.p[i]))
			return false;
	return name.n > 0;
}

bool
address_same(const struct address *x, const struct address *y)
{
	return x->six == y->six && memcmp(x->b, y->b, x->six ? 16 : 4) == 0;
}

/* ---- judging */

struct range {
	uint8_t b[16];
	uint8_t bits;
	uint8_t kind;
	uint8_t inside; /* offset of an embedded IPv4 address; 0: there is none */
};

/* The first row that matches counts. */
static const struct range ranges4[] = {
	{ { 0 }, 8, ADDRESS_NEVER, 0 },
	{ { 127 }, 8, ADDRESS_NEVER, 0 },
	{ { 169, 254 }, 16, ADDRESS_NEVER, 0 },
	{ { 100, 100, 100, 200 }, 32, ADDRESS_NEVER, 0 }, /* metadata: Alibaba */
	{ { 168, 63, 129, 16 }, 32, ADDRESS_NEVER, 0 },   /* Azure */
	{ { 192, 0, 0, 192 }, 32, ADDRESS_NEVER, 0 },     /* Oracle */
	{ { 224 }, 4, ADDRESS_NEVER, 0 },
	{ { 240 }, 4, ADDRESS_NEVER, 0 },
	{ { 10 }, 8, ADDRESS_PRIVATE, 0 },
	{ { 100, 64 }, 10, ADDRESS_PRIVATE, 0 },
	{ { 172, 16 }, 12, ADDRESS_PRIVATE, 0 },
	{ { 192, 168 }, 16, ADDRESS_PRIVATE, 0 },
	{ { 192, 0, 0 }, 24, ADDRESS_PRIVATE, 0 },
	{ { 192, 0, 2 }, 24, ADDRESS_PRIVATE, 0 },
	{ { 192, 88, 99 }, 24, ADDRESS_PRIVATE, 0 },
	{ { 198, 18 }, 15, ADDRESS_PRIVATE, 0 },
	{ { 198, 51, 100 }, 24, ADDRESS_PRIVATE, 0 },
	{ { 203, 0, 113 }, 24, ADDRESS_PRIVATE, 0 },
	{ { 0 }, 0, ADDRESS_PUBLIC, 0 },
};

static const struct range ranges6[] = {
	{ { 0, 0x64, 0xff, 0x9b }, 96, ADDRESS_PUBLIC, 12 },    /* NAT64 */
	{ { 0x20, 0x01, 0x0d, 0xb8 }, 32, ADDRESS_PRIVATE, 0 }, /* for documents */
	{ { 0x3f, 0xff }, 20, ADDRESS_PRIVATE, 0 },
	{ { 0x20, 0x01 }, 23, ADDRESS_NEVER, 0 },          /* Teredo and other protocols */
	{ { 0x20, 0x02 }, 16, ADDRESS_PUBLIC, 2 },         /* 6to4 */
	{ { 0xfd, 0, 0x0e, 0xc2 }, 32, ADDRESS_NEVER, 0 }, /* metadata: AWS */
	{ { 0xfc }, 7, ADDRESS_PRIVATE, 0 },
	{ { 0x20 }, 3, ADDRESS_PUBLIC, 0 },
	/* Unspecified, loopback, mapped, link-local, multicast, and everything
	 * unassigned. */
	{ { 0 }, 0, ADDRESS_NEVER, 0 },
};

static bool
holds(const struct range *r, const uint8_t *b)
{
	unsigned whole = r->bits / 8, rest = r->bits % 8;
	uint8_t mask = (uint8_t)(0xff00 >> rest);

	return memcmp(r->b, b, whole) == 0 &&
	       (rest == 0 || !((r->b[whole] ^ b[whole]) & mask));
}

static const struct range *
range_of(const struct address *a)
{
	const struct range *r = a->six ? ranges6 : ranges4;

	while (!holds(r, a->b))
		r++;
	return r;
}

bool
address_inner(const struct address *a, struct address *ret)
{
	const struct range *r = range_of(a);

	*ret = (struct address){ 0 };
	if (r->inside)
		memcpy(ret->b, a->b + r->inside, 4);
	return r->inside != 0;
}

enum address_kind
address_kind(const struct address *a)
{
	enum address_kind outer = (enum address_kind)range_of(a)->kind, kind;
	struct address inner;

	if (!address_inner(a, &inner))
		return outer;
	kind = (enum address_kind)range_of(&inner)->kind;
	return kind < outer ? kind : outer;
}

/* ---- printing */

static void
put_hex(struct buf *out, unsigned n)
{
	bool begun = false;

	for (int shift = 12; shift >= 0; shift -= 4) {
		unsigned digit = n >> shift & 15;

		begun |= digit || shift == 0;
		if (begun)
			buf_putc(out, "0123456789abcdef"[digit]);
	}
}

static unsigned
group(const struct address *a, size_t i)
{
	return (unsigned)(a->b[2 * i] << 8 | a->b[2 * i + 1]);
}

/* Find the longest row of zeros: its start and its length. */
static size_t
longest_gap(const struct address *a, size_t *ret_n)
{
	size_t best = 8, best_n = 1;

	for (size_t i = 0; i < 8; i++) {
		size_t n = 0;

		while (i + n < 8 && group(a, i + n) == 0)
			n++;
		if (n > best_n) {
			best = i;
			best_n = n;
		}
	}
	*ret_n = best_n;
	return best;
}

void
address_put(struct buf *out, const struct address *a)
{
	size_t gap, gap_n;

	if (!a->six) {
		for (size_t i = 0; i < 4; i++) {
			if (i)
				buf_putc(out, '.');
			buf_putu(out, a->b[i]);
		}
		return;
	}
	gap = longest_gap(a, &gap_n);
	buf_putc(out, '[');
	for (size_t i = 0; i < 8; i++) {
		if (i == gap) {
			buf_puts(out, "::");
			i += gap_n - 1;
			continue;
		}
		if (i && !(i == gap + gap_n && gap < 8))
			buf_putc(out, ':');
		put_hex(out, group(a, i));
	}
	buf_putc(out, ']');
}
