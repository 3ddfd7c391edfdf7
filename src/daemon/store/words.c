#include "daemon/store/words.h"

static bool
is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (c & 0x80);
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\0';
}

bool
words_put(struct buf *b, struct str text)
{
	bool any = false;

	for (size_t i = 0; i < text.n;) {
		size_t end = i;

		while (end < text.n && is_word(text.p[end]))
			end++;
		if (end == i) {
			i++;
			continue;
		}
		buf_puts(b, any ? " AND \"" : "\"");
		buf_put(b, str_cut(text, i, end));
		buf_putc(b, '"');
		if (end < text.n && text.p[end] == '*')
			buf_putc(b, '*');
		any = true;
		i = end;
	}
	return any;
}

static bool
stands_in(struct str part, struct str field)
{
	for (size_t i = 0; field.p && i + part.n <= field.n; i++) {
		size_t k = 0;

		while (k < part.n && byte_lower(field.p[i + k]) == byte_lower(part.p[k]))
			k++;
		if (k == part.n)
			return true;
	}
	return false;
}

bool
words_stand(struct str text, const struct str *fields, size_t n)
{
	for (size_t i = 0; i < text.n;) {
		size_t end = i;
		struct str part;
		bool found = false;

		while (end < text.n && !is_blank(text.p[end]))
			end++;
		part = str_cut(text, i, end);
		i = end + 1;
		if (part.n && part.p[part.n - 1] == '*')
			part.n--;
		/* For a single word, the index has decided. */
		for (size_t k = 0; k < part.n && !found; k++)
			found = !is_word(part.p[k]);
		if (!found)
			continue;
		found = false;
		for (size_t k = 0; k < n && !found; k++)
			found = stands_in(part, fields[k]);
		if (!found)
			return false;
	}
	return true;
}
