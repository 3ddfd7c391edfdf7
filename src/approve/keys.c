#include "approve/keys.h"
#include "base/utf8.h"

#define ESC 0x1b

static struct keypress
key(struct keys *k, uint32_t code)
{
	k->n = 0;
	return (struct keypress){ code, k->pasting };
}

static uint32_t
control(unsigned char c)
{
	switch (c) {
	case '\r':
	case '\n':
		return KEY_ENTER;
	case 3:
	case 4:
	case 28:
		return KEY_INTERRUPT;
	case 8:
	case 127:
		return KEY_ERASE;
	case 21:
		return KEY_ERASE_LINE;
	case 12:
		return KEY_REDRAW;
	case 14:
		return KEY_DOWN;
	case 16:
		return KEY_UP;
	default:
		return KEY_OTHER;
	}
}

static uint32_t
final_letter(char c)
{
	switch (c) {
	case 'A':
		return KEY_UP;
	case 'B':
		return KEY_DOWN;
	case 'H':
		return KEY_HOME;
	case 'F':
		return KEY_END;
	default:
		return KEY_OTHER;
	}
}

/* CSI number ~ */
static uint32_t
tilde(struct keys *k, unsigned number)
{
	switch (number) {
	case 200:
		k->pasting = true;
		return KEY_NONE;
	case 201:
		k->pasting = false;
		return KEY_NONE;
	case 5:
		return KEY_PAGE_UP;
	case 6:
		return KEY_PAGE_DOWN;
	case 1:
	case 7:
		return KEY_HOME;
	case 4:
	case 8:
		return KEY_END;
	default:
		return KEY_OTHER;
	}
}

static struct keypress
sequence(struct keys *k, unsigned char c)
{
	unsigned number = 0;

	if (k->n == sizeof k->held)
		return key(k, KEY_OTHER);
	k->held[k->n++] = (char)c;
	if (k->n == 2)
		return c == '[' || c == 'O' ? (struct keypress){ KEY_NONE, false }
					    : key(k, KEY_OTHER);
	if (c < 0x40 || c > 0x7e)
		return (struct keypress){ KEY_NONE, false };
	if (c != '~')
		return key(k, final_letter((char)c));
	for (size_t i = 2; i + 1 < k->n && k->held[i] >= '0' && k->held[i] <= '9'; i++)
		number = number * 10 + (unsigned)(k->held[i] - '0');
	return key(k, tilde(k, number));
}

/* Length of the UTF-8 character with this first byte; 0: invalid. */
static size_t
length_of(unsigned char c)
{
	if (c < 0x80)
		return 1;
	if (c >= 0xc2 && c <= 0xf4)
		return c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
	return 0;
}

struct keypress
keys_byte(struct keys *k, unsigned char c)
{
	uint32_t code;
	size_t want;

	if (k->n && k->held[0] == ESC)
		return sequence(k, c);
	if (k->n == 0 && c == ESC) {
		k->held[k->n++] = ESC;
		return (struct keypress){ KEY_NONE, false };
	}
	if (c < 0x20 || c == 127)
		return key(k, control(c));
	k->held[k->n++] = (char)c;
	want = length_of((unsigned char)k->held[0]);
	if (want == 0)
		return key(k, KEY_OTHER);
	if (k->n < want)
		return (struct keypress){ KEY_NONE, false };
	if (utf8_take(str_of(k->held, k->n), 0, &code) != k->n)
		return key(k, KEY_OTHER);
	return key(k, code);
}

struct keypress
keys_pause(struct keys *k)
{
	if (k->n == 1 && k->held[0] == ESC)
		return key(k, KEY_ESCAPE);
	k->n = 0;
	return (struct keypress){ KEY_NONE, false };
}
