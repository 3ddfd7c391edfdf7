#include "look/git/objects/inflate.h"

#define CODE_BITS 15
#define LITERALS 288
#define DISTANCES 30

/* The codes of one alphabet: the count of each length, and the symbols in order. */
struct codes {
	uint16_t count[CODE_BITS + 1];
	uint16_t symbol[LITERALS];
};

struct bit_stream {
	const unsigned char *in;
	size_t in_n, in_at;
	char *out;
	size_t out_n, out_at;
	uint32_t bits;
	int bits_n;
	bool broken;
};

enum done { BLOCK_END, FULL, BROKEN };

static unsigned
take_bits(struct bit_stream *s, int n)
{
	unsigned value;

	while (s->bits_n < n) {
		if (s->in_at == s->in_n) {
			s->broken = true;
			return 0;
		}
		s->bits |= (uint32_t)s->in[s->in_at++] << s->bits_n;
		s->bits_n += 8;
	}
	value = s->bits & ((1U << n) - 1);
	s->bits >>= n;
	s->bits_n -= n;
	return value;
}

/* Build the table; false: more codes than the lengths allow. */
static bool
make_codes(struct codes *c, const unsigned char *lengths, unsigned n)
{
	uint16_t at[CODE_BITS + 1] = { 0 };
	int left = 1;

	memset(c, 0, sizeof *c);
	for (unsigned i = 0; i < n; i++)
		c->count[lengths[i]]++;
	c->count[0] = 0;
	for (int i = 1; i <= CODE_BITS; i++) {
		left = left * 2 - c->count[i];
		if (left < 0)
			return false;
	}
	for (int i = 1; i < CODE_BITS; i++)
		at[i + 1] = (uint16_t)(at[i] + c->count[i]);
	for (unsigned i = 0; i < n; i++)
		if (lengths[i])
			c->symbol[at[lengths[i]]++] = (uint16_t)i;
	return true;
}

static unsigned
take_symbol(struct bit_stream *s, const struct codes *c)
{
	int code = 0, first = 0, index = 0;

	for (int length = 1; length <= CODE_BITS && !s->broken; length++) {
		int count = c->count[length];

		code |= (int)take_bits(s, 1);
		if (code - count < first)
			return c->symbol[index + (code - first)];
		index += count;
		first = (first + count) << 1;
		code <<= 1;
	}
	s->broken = true;
	return 0;
}

/* A length or distance: its base, and bits that follow it. */
static unsigned
take_extended(
    struct bit_stream *s, const uint16_t *base, const unsigned char *extra, unsigned symbol)
{
	return base[symbol] + take_bits(s, extra[symbol]);
}

static enum done
copy_match(struct bit_stream *s, const struct codes *distances, unsigned symbol)
{
	static const uint16_t length_base[] = { 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19,
		23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258 };
	static const unsigned char length_extra[] = { 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2,
		2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0 };
	static const uint16_t far_base[DISTANCES] = { 1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33,
		49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
		6145, 8193, 12289, 16385, 24577 };
	static const unsigned char far_extra[DISTANCES] = { 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4,
		4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13 };
	unsigned length, far;

	symbol -= 257;
	if (symbol >= sizeof length_extra)
		return BROKEN;
	length = take_extended(s, length_base, length_extra, symbol);
	symbol = take_symbol(s, distances);
	if (s->broken || symbol >= DISTANCES)
		return BROKEN;
	far = take_extended(s, far_base, far_extra, symbol);
	if (s->broken || far > s->out_at)
		return BROKEN;
	for (; length && s->out_at < s->out_n; length--, s->out_at++)
		s->out[s->out_at] = s->out[s->out_at - far];
	return length ? FULL : BLOCK_END;
}

static enum done
take_coded(
    struct bit_stream *s, const struct codes *literals, const struct codes *distances)
{
	for (;;) {
		unsigned symbol = take_symbol(s, literals);

		if (s->broken)
			return BROKEN;
		if (symbol == 256)
			return BLOCK_END;
		if (symbol < 256) {
			if (s->out_at == s->out_n)
				return FULL;
			s->out[s->out_at++] = (char)symbol;
			continue;
		}
		enum done how = copy_match(s, distances, symbol);

		if (how != BLOCK_END)
			return how;
	}
}

static enum done
take_stored(struct bit_stream *s)
{
	unsigned n;

	s->bits = 0;
	s->bits_n = 0;
	if (s->in_n - s->in_at < 4)
		return BROKEN;
	n = s->in[s->in_at] | (unsigned)s->in[s->in_at + 1] << 8;
	s->in_at += 4;
	if (s->in_n - s->in_at < n)
		return BROKEN;
	if (n > s->out_n - s->out_at)
		n = (unsigned)(s->out_n - s->out_at);
	memcpy(s->out + s->out_at, s->in + s->in_at, n);
	s->in_at += n;
	s->out_at += n;
	return BLOCK_END;
}

static enum done
take_fixed(struct bit_stream *s)
{
	unsigned char lengths[LITERALS];
	struct codes literals, distances;

	memset(lengths, 8, 144);
	memset(lengths + 144, 9, 112);
	memset(lengths + 256, 7, 24);
	memset(lengths + 280, 8, 8);
	(void)make_codes(&literals, lengths, LITERALS);
	memset(lengths, 5, DISTANCES);
	(void)make_codes(&distances, lengths, DISTANCES);
	return take_coded(s, &literals, &distances);
}

/* Read the code lengths of both alphabets. */
static bool
take_lengths(
    struct bit_stream *s, const struct codes *c, unsigned char *lengths, unsigned n)
{
	unsigned at = 0;

	while (at < n) {
		unsigned symbol = take_symbol(s, c), times = 1;
		unsigned char value = (unsigned char)symbol;

		if (s->broken || (symbol == 16 && at == 0))
			return false;
		if (symbol >= 16) {
			value = symbol == 16 ? lengths[at - 1] : 0;
			times = symbol == 16   ? 3 + take_bits(s, 2)
				: symbol == 17 ? 3 + take_bits(s, 3)
					       : 11 + take_bits(s, 7);
		}
		if (s->broken || times > n - at)
			return false;
		memset(lengths + at, value, times);
		at += times;
	}
	return true;
}

static enum done
take_dynamic(struct bit_stream *s)
{
	static const unsigned char order[] = { 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12,
		3, 13, 2, 14, 1, 15 };
	unsigned char lengths[LITERALS + 32] = { 0 };
	struct codes literals, distances;
	unsigned nlen = take_bits(s, 5) + 257, ndist = take_bits(s, 5) + 1;
	unsigned ncode = take_bits(s, 4) + 4;

	if (s->broken || nlen > 286 || ndist > DISTANCES)
		return BROKEN;
	for (unsigned i = 0; i < ncode; i++)
		lengths[order[i]] = (unsigned char)take_bits(s, 3);
	if (s->broken || !make_codes(&literals, lengths, 19))
		return BROKEN;
	memset(lengths, 0, sizeof lengths);
	if (!take_lengths(s, &literals, lengths, nlen + ndist) ||
	    !make_codes(&literals, lengths, nlen) ||
	    !make_codes(&distances, lengths + nlen, ndist))
		return BROKEN;
	return take_coded(s, &literals, &distances);
}

ptrdiff_t
inflate_zlib(struct str in, char *out, size_t n)
{
	struct bit_stream s = { .in = (const unsigned char *)in.p,
		.in_n = in.n,
		.in_at = 2,
		.out = out,
		.out_n = n };
	bool last = false;

	if (in.n < 2 || (s.in[0] & 15) != 8 || (s.in[0] * 256 + s.in[1]) % 31 ||
	    (s.in[1] & 32))
		return -1;
	while (!last && s.out_at < n) {
		enum done how = BROKEN;

		last = take_bits(&s, 1);
		switch (take_bits(&s, 2)) {
		case 0:
			how = take_stored(&s);
			break;
		case 1:
			how = take_fixed(&s);
			break;
		case 2:
			how = take_dynamic(&s);
			break;
		default:
			break;
		}
		if (s.broken || how == BROKEN)
			return -1;
	}
	return (ptrdiff_t)s.out_at;
}
