#include "base/utf8.h"

size_t
utf8_take(struct str s, size_t at, uint32_t *ret)
{
	/* The smallest character of each length; a smaller one is overlong. */
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char first = (unsigned char)s.p[at];
	size_t n = first < 0x80   ? 1
		   : first < 0xc0 ? 0
		   : first < 0xe0 ? 2
		   : first < 0xf0 ? 3
				  : 4;
	uint32_t c = first;

	if (n == 0 || first > 0xf4 || n > s.n - at)
		return 0;
	if (n > 1)
		c &= 0x7fu >> n;
	for (size_t i = 1; i < n; i++) {
		unsigned char next = (unsigned char)s.p[at + i];

		if ((next & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (next & 0x3f);
	}
	if (c < least[n] || (c >= 0xd800 && c < 0xe000) || c > 0x10ffff)
		return 0;
	*ret = c;
	return n;
}

size_t
utf8_give(uint32_t c, char out[static 4])
{
	static const unsigned char mark[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

	for (size_t i = n - 1; i > 0; i--) {
		out[i] = (char)(0x80 | (c & 0x3f));
		c >>= 6;
	}
	out[0] = (char)(mark[n] | c);
	return n;
}
