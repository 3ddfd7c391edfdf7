/* Break text into lines of a given width.  Overestimating a character's width leaves a
 * line short; underestimating it would push text out of sight, so every character that
 * may be wide counts as two columns. */
#include "approve/dialog.h"
#include "base/utf8.h"

/* Skip one of our own colours; everything else is escaped. */
static size_t
colour_length(struct str text, size_t at)
{
	size_t i = at + 2;

	if (text.p[at] != 0x1b || at + 1 >= text.n || text.p[at + 1] != '[')
		return 0;
	while (i < text.n && text.p[i] != 'm')
		i++;
	return i < text.n ? i + 1 - at : 0;
}

static size_t
width_at(struct str text, size_t at, size_t *ret_bytes)
{
	uint32_t c = 0;
	size_t n = colour_length(text, at);

	if (n) {
		*ret_bytes = n;
		return 0;
	}
	n = utf8_take(text, at, &c);
	*ret_bytes = n ? n : 1;
	return c >= 0x1100 && !(c >= 0x2000 && c < 0x2600) ? 2 : 1;
}

size_t
layout_line(struct str text, size_t at, size_t columns, size_t *ret_next)
{
	size_t used = 0, n;

	while (at < text.n && text.p[at] != '\n') {
		size_t w = width_at(text, at, &n);

		if (used + w > columns && used > 0)
			break;
		used += w;
		at += n;
	}
	*ret_next = at + (at < text.n && text.p[at] == '\n');
	return at;
}

size_t
layout_lines(struct str text, size_t columns)
{
	size_t n = 0;

	for (size_t at = 0; at < text.n; n++)
		(void)layout_line(text, at, columns, &at);
	return n;
}
