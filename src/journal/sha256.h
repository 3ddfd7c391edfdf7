/* journal/sha256.h: SHA-256 (FIPS 180-4), for the journal's chain. */
#pragma once
#include "base/str.h"
#include <stdint.h>

#define SHA256_BYTES 32

struct sha256 {
	uint32_t state[8];
	uint64_t total; /* bytes so far */
	uint8_t block[64];
};

void sha256_init(struct sha256 *s);
void sha256_put(struct sha256 *s, struct str bytes);
/* Finish the digest; `s` cannot be used afterwards. */
void sha256_done(struct sha256 *s, uint8_t ret[static SHA256_BYTES]);
