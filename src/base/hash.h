/* base/hash.h: FNV-1a, for tables and file names. Not for anything an attacker could
 * forge. */
#pragma once
#include "base/str.h"
#include <stdint.h>

#define HASH32_START 2166136261U
#define HASH64_START UINT64_C(14695981039346656037)

static inline uint32_t
hash32_byte(uint32_t h, char c)
{
	return (h ^ (unsigned char)c) * 16777619U;
}

static inline uint32_t
hash32(uint32_t h, struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		h = hash32_byte(h, s.p[i]);
	return h;
}

static inline uint64_t
hash64(uint64_t h, struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		h = (h ^ (unsigned char)s.p[i]) * UINT64_C(1099511628211);
	return h;
}
