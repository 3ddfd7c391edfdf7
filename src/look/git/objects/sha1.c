#include "look/git/objects/sha1.h"

#define BLOCK 64

struct sha1_state {
	uint32_t h[5];
	unsigned char block[BLOCK];
	size_t at; /* bytes in `block` */
	uint64_t total;
};

static uint32_t
rotate(uint32_t x, int n)
{
	return x << n | x >> (32 - n);
}

static void
expand(const unsigned char *p, uint32_t w[80])
{
	for (int i = 0; i < 16; i++, p += 4)
		w[i] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 |
		       p[3];
	for (int i = 16; i < 80; i++)
		w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
}

static void
take_block(uint32_t h[5], const unsigned char *p)
{
	static const uint32_t add[] = { 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6 };
	uint32_t w[80], a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];

	expand(p, w);
	for (int i = 0; i < 80; i++) {
		uint32_t f = i < 20   ? (b & c) | (~b & d)
			     : i < 40 ? b ^ c ^ d
			     : i < 60 ? (b & c) | (b & d) | (c & d)
				      : b ^ c ^ d;
		uint32_t next = rotate(a, 5) + f + e + add[i / 20] + w[i];

		e = d;
		d = c;
		c = rotate(b, 30);
		b = a;
		a = next;
	}
	h[0] += a;
	h[1] += b;
	h[2] += c;
	h[3] += d;
	h[4] += e;
}

static void
take(struct sha1_state *s, const void *bytes, size_t n)
{
	const unsigned char *p = bytes;

	s->total += n;
	while (n) {
		size_t part = BLOCK - s->at < n ? BLOCK - s->at : n;

		memcpy(s->block + s->at, p, part);
		s->at += part;
		p += part;
		n -= part;
		if (s->at == BLOCK) {
			take_block(s->h, s->block);
			s->at = 0;
		}
	}
}

static void
finish(struct sha1_state *s, unsigned char ret[SHA1_BYTES])
{
	static const unsigned char pad[BLOCK] = { 0x80 };
	uint64_t bits = s->total * 8;
	unsigned char length[8];

	for (int i = 0; i < 8; i++)
		length[i] = (unsigned char)(bits >> (56 - 8 * i));
	take(s, pad, s->at < BLOCK - 8 ? BLOCK - 8 - s->at : 2 * BLOCK - 8 - s->at);
	take(s, length, sizeof length);
	for (int i = 0; i < SHA1_BYTES; i++)
		ret[i] = (unsigned char)(s->h[i / 4] >> (24 - 8 * (i % 4)));
}

void
git_sha1(const struct str *parts, size_t n, unsigned char ret[SHA1_BYTES])
{
	struct sha1_state s = { .h = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476,
				    0xc3d2e1f0 } };

	for (size_t i = 0; i < n; i++)
		take(&s, parts[i].p, parts[i].n);
	finish(&s, ret);
}
