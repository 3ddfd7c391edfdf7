/* approve/keys.h: the bytes that a terminal sends → keys. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Characters are themselves; what is no character lies above all of them. */
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

/* What has come of a sequence so far. */
struct keys {
	char held[16];
	size_t n;
	bool pasting; /* between the marks of a bracketed paste */
};

struct key {
	uint32_t code;
	bool pasted;
};

/* One byte; KEY_NONE: more are needed, or it means nothing. */
struct key keys_byte(struct keys *k, unsigned char c);
/* Nothing followed for a while: a held escape was the key itself. */
struct key keys_pause(struct keys *k);
