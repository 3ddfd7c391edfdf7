/* gate/sha256.h: SHA-256 of a text as bytes or hex: keys of images, trust in a project's
 * file. */
#pragma once
#include "journal/sha256.h"

#define SHA256_HEX ((size_t)2 * SHA256_BYTES)

static inline void
sha256_of(struct str text, uint8_t out[static SHA256_BYTES])
{
	struct sha256 s;

	sha256_init(&s);
	sha256_put(&s, text);
	sha256_done(&s, out);
}

static inline void
sha256_hex(struct str text, char out[static SHA256_HEX])
{
	static const char digits[] = "0123456789abcdef";
	uint8_t sum[SHA256_BYTES];

	sha256_of(text, sum);
	for (size_t i = 0; i < SHA256_BYTES; i++) {
		out[2 * i] = digits[sum[i] >> 4];
		out[2 * i + 1] = digits[sum[i] & 15];
	}
}
