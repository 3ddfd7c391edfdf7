/* base/utf8.h: one character of UTF-8, strictly. */
#pragma once
#include "base/str.h"
#include <stdint.h>

/*
 * The length (1 to 4) of the character at `at`, and the character in *ret; 0
 * when the bytes there are not UTF-8: overlong, a surrogate, above U+10FFFF, cut
 * off or not a first byte.  `at` must lie inside `s`; *ret is untouched on 0.
 */
size_t utf8_take(struct str s, size_t at, uint32_t *ret);
/* Writes `c`, which must not be a surrogate or above U+10FFFF; returns 1 to 4. */
size_t utf8_give(uint32_t c, char out[static 4]);
