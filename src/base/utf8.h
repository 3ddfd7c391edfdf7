/* base/utf8.h: decode and encode one UTF-8 character, strictly. */
#pragma once
#include "base/str.h"
#include <stdint.h>

/*
 * Decode the character at `at`, which is inside `s`. Return its length, 1 to 4, and the
 * character in *ret. Return 0 and keep *ret if the bytes are not UTF-8: overlong, a
 * surrogate, above U+10FFFF, cut off or a continuation byte.
 */
size_t utf8_take(struct str s, size_t at, uint32_t *ret);
/* Encode `c`, which must not be a surrogate or above U+10FFFF; return 1 to 4. */
size_t utf8_give(uint32_t c, char out[static 4]);
