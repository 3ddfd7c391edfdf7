/* approve/keys.h: convert bytes from a terminal to keys. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Characters stand for themselves; other keys have values above all of them. */
enum {
	KEY_NONE = 0,
	KEY_ENTER = 0x200000,
	KEY_ESCAPE,
	KEY_INTERRUPT, /* Ctrl-C, Ctrl-D, Ctrl-\ */
	KEY_ERASE,
	KEY_ERASE_LINE, /* Ctrl-U */
	KEY_UP,
	KEY_DOWN,
	KEY_PAGE_UP,
	KEY_PAGE_DOWN,
	KEY_HOME,
	KEY_END,
	KEY_REDRAW, /* Ctrl-L */
	KEY_OTHER,
};

/* A partly received sequence. */
struct keys {
	char held[16];
	size_t n;
	bool pasting; /* inside a bracketed paste */
};

struct keypress {
	uint32_t code;
	bool pasted;
};

/* Take one byte.  KEY_NONE: more bytes are needed, or it means nothing. */
struct keypress keys_byte(struct keys *k, unsigned char c);
/* Timeout after an escape byte: it was the Escape key. */
struct keypress keys_pause(struct keys *k);
