#include "journal/sha256.h"

/* Fractional parts of the cube roots of the first 64 primes. */
static const uint32_t k[64] = { 0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b,
	0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
	0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6,
	0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d,
	0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
	0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585,
	0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
	0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa,
	0xa4506ceb, 0xbef9a3f7, 0xc67178f2 };

static uint32_t
right(uint32_t x, unsigned n)
{
	return x >> n | x << (32 - n);
}

static uint32_t
big_endian(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void
schedule(const uint8_t *p, uint32_t w[static 64])
{
	for (size_t i = 0; i < 16; i++)
		w[i] = big_endian(p + 4 * i);
	for (size_t i = 16; i < 64; i++) {
		uint32_t x = w[i - 15], y = w[i - 2];

		w[i] = w[i - 16] + w[i - 7] + (right(x, 7) ^ right(x, 18) ^ x >> 3) +
		       (right(y, 17) ^ right(y, 19) ^ y >> 10);
	}
}

/* One round.  The caller rotates the names instead of moving the values. */
static inline void
turn(uint32_t a, uint32_t b, uint32_t c, uint32_t *d, uint32_t e, uint32_t f, uint32_t g,
    uint32_t *h, uint32_t kw)
{
	uint32_t t =
	    *h + (right(e, 6) ^ right(e, 11) ^ right(e, 25)) + (g ^ (e & (f ^ g))) + kw;

	*d += t;
	*h = t + (right(a, 2) ^ right(a, 13) ^ right(a, 22)) + ((a & b) | (c & (a | b)));
}

static void
compress(uint32_t state[static 8], const uint8_t *p)
{
	uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
	uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
	uint32_t w[64];

	schedule(p, w);
	for (size_t i = 0; i < 64; i += 8) {
		turn(a, b, c, &d, e, f, g, &h, k[i] + w[i]);
		turn(h, a, b, &c, d, e, f, &g, k[i + 1] + w[i + 1]);
		turn(g, h, a, &b, c, d, e, &f, k[i + 2] + w[i + 2]);
		turn(f, g, h, &a, b, c, d, &e, k[i + 3] + w[i + 3]);
		turn(e, f, g, &h, a, b, c, &d, k[i + 4] + w[i + 4]);
		turn(d, e, f, &g, h, a, b, &c, k[i + 5] + w[i + 5]);
		turn(c, d, e, &f, g, h, a, &b, k[i + 6] + w[i + 6]);
		turn(b, c, d, &e, f, g, h, &a, k[i + 7] + w[i + 7]);
	}
	state[0] += a;
	state[1] += b;
	state[2] += c;
	state[3] += d;
	state[4] += e;
	state[5] += f;
	state[6] += g;
	state[7] += h;
}

void
sha256_init(struct sha256 *s)
{
	/* Fractional parts of the square roots of the first 8 primes. */
	static const uint32_t start[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
		0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };

	memcpy(s->state, start, sizeof start);
	s->total = 0;
}

void
sha256_put(struct sha256 *s, struct str bytes)
{
	const uint8_t *p = (const uint8_t *)bytes.p;
	size_t n = bytes.n, have = s->total % sizeof s->block;

	s->total += n;
	if (have && n >= sizeof s->block - have) {
		size_t part = sizeof s->block - have;

		memcpy(s->block + have, p, part);
		compress(s->state, s->block);
		p += part;
		n -= part;
		have = 0;
	}
	for (; have == 0 && n >= sizeof s->block; n -= sizeof s->block) {
		compress(s->state, p);
		p += sizeof s->block;
	}
	if (n)
		memcpy(s->block + have, p, n);
}

void
sha256_done(struct sha256 *s, uint8_t ret[static SHA256_BYTES])
{
	size_t have = s->total % sizeof s->block;
	uint64_t bits = s->total * 8;

	s->block[have++] = 0x80;
	if (have > 56) {
		memset(s->block + have, 0, sizeof s->block - have);
		compress(s->state, s->block);
		have = 0;
	}
	memset(s->block + have, 0, 56 - have);
	for (size_t i = 0; i < 8; i++)
		s->block[56 + i] = (uint8_t)(bits >> (56 - 8 * i));
	compress(s->state, s->block);
	for (size_t i = 0; i < SHA256_BYTES; i++)
		ret[i] = (uint8_t)(s->state[i / 4] >> (24 - 8 * (i % 4)));
}
