/* look/git/objects/inflate.h: zlib streams, as git's objects are packed (RFC 1950, 1951).
 */
#pragma once
#include "base/str.h"

/*
 * Unpacks the stream at the start of `in` into `out`.  Returns the number of bytes written,
 * at most `n`, or -1 when the stream is broken or cut short before `n` bytes.  A stream
 * that holds more than `n` bytes stops there.  The checksum at its end is not read: callers
 * verify the object's name instead.
 */
ptrdiff_t inflate_zlib(struct str in, char *out, size_t n);
