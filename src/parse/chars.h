/* parse/chars.h: the lexical classes of each byte, as one table. */
#pragma once

enum {
	CH_BLANK = 1,    /* space and tab only */
	CH_BREAK = 2,    /* ends a word: blank newline ; & | ( ) < > and the end */
	CH_SPECIAL = 4,  /* stops a run of plain bytes in a word */
	CH_QUOTED = 8,   /* stops a run of plain bytes inside "..." */
	CH_NONAME = 16,  /* not part of a name */
	CH_DIGIT = 32,   /* 0-9 */
	CH_GROUP = 64,   /* stops a run inside ${ }, (( )) and [ ] */
	CH_KEYWORD = 128 /* can begin a reserved word */
};

extern const unsigned char char_class[256];

static inline unsigned
char_is(char c, unsigned mask)
{
	return char_class[(unsigned char)c] & mask;
}

/* The first byte of a name: a letter or _. */
static inline unsigned
char_starts_name(char c)
{
	return !char_is(c, CH_NONAME | CH_DIGIT);
}
