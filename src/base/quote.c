#include "base/quote.h"

static bool
is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (c && strchr("%+,-./:@_", c));
}

/* A word that no shell reads as anything else; not one with a dash or tilde trick. */
static bool
needs_no_quotes(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!is_plain(s.p[i]))
			return false;
	return s.n > 0;
}

/* Inside the quote `q`, each byte `q` is written as `instead`. */
static void
put_quoted(struct buf *b, struct str s, char q, const char *instead)
{
	buf_putc(b, q);
	for (size_t from = 0; from < s.n;) {
		struct str rest = str_skip(s, from),
			   part = str_cut(rest, 0, str_find(rest, q));

		buf_put(b, part);
		if (part.n < rest.n)
			buf_puts(b, instead);
		from += part.n + 1;
	}
	buf_putc(b, q);
}

/* PowerShell takes the curly single quotes U+2018 to U+201B for the straight one. */
static void
put_powershell(struct buf *b, struct str s)
{
	buf_putc(b, '\'');
	for (size_t i = 0; i < s.n; i++) {
		struct str rest = str_skip(s, i);
		bool curly = str_starts(rest, STR("\xe2\x80")) && rest.n > 2 &&
			     (rest.p[2] & 0xfc) == 0x98;

		if (curly) {
			buf_put(b, str_cut(rest, 0, 3));
			buf_put(b, str_cut(rest, 0, 3));
			i += 2;
			continue;
		}
		if (s.p[i] == '\'')
			buf_putc(b, '\'');
		buf_putc(b, s.p[i]);
	}
	buf_putc(b, '\'');
}

int
quote_put_always(struct buf *b, enum quote_shell shell, struct str arg, struct err *reterr)
{
	size_t nul = str_find(arg, '\0');

	if (nul < arg.n)
		return err_at(reterr, CORDON_EINVAL, nul, "NUL in an argument");
	switch (shell) {
	case QUOTE_BASH:
		put_quoted(b, arg, '\'', "'\\''");
		return 0;
	case QUOTE_CMD:
		put_quoted(b, arg, '"', "\"\"");
		return 0;
	case QUOTE_POWERSHELL:
		put_powershell(b, arg);
		return 0;
	}
	return err_at(reterr, CORDON_EINVAL, 0, "no such shell");
}

int
quote_put(struct buf *b, enum quote_shell shell, struct str arg, struct err *reterr)
{
	if (shell == QUOTE_BASH && needs_no_quotes(arg)) {
		buf_put(b, arg);
		return 0;
	}
	return quote_put_always(b, shell, arg, reterr);
}
