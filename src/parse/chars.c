#include "parse/chars.h"

#define B CH_BREAK
#define S CH_SPECIAL
#define Q CH_QUOTED
#define N CH_NONAME
#define G CH_GROUP
#define K CH_KEYWORD

/* Each byte once, in order. Letters that begin no reserved word are 0. */
const unsigned char char_class[256] = {
	['\0'] = N | B | S | Q | G,
	[0x01 ... 0x08] = N,
	['\t'] = N | B | S | CH_BLANK,
	['\n'] = N | B | S,
	[0x0b ... 0x0c] = N,
	['\r'] = N | S | G,
	[0x0e ... 0x1f] = N,
	[' '] = N | B | S | CH_BLANK,
	['!'] = N | K,
	['"'] = N | S | Q | G,
	['#'] = N,
	['$'] = N | S | Q | G,
	['%'] = N,
	['&'] = N | B | S,
	['\''] = N | S | G,
	['('] = N | B | S | G,
	[')'] = N | B | S | G,
	['*' ... '.'] = N,
	['/'] = N | G,
	['0' ... '9'] = CH_DIGIT,
	[':'] = N | G,
	[';'] = N | B | S | G,
	['<'] = N | B | S | G,
	['='] = N,
	['>'] = N | B | S | G,
	['?'] = N | G,
	['@'] = N,
	['['] = N | G | K,
	['\\'] = N | S | Q | G,
	[']'] = N | G | K,
	['^'] = N,
	['`'] = N | S | Q | G,
	['c' ... 'f'] = K,
	['i'] = K,
	['s' ... 'u'] = K,
	['w'] = K,
	['{'] = N | K,
	['|'] = N | B | S,
	['}'] = N | G | K,
	['~'] = N,
	[0x7f ... 0xff] = N,
};
