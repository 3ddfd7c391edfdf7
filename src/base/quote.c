#include "base/quote.h"
#include "base/show.h"

static bool
is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (byte_is_digit(c)) ||
	       (c && strchr("%+,-./:@_", c));
}

static bool
is_plain_in_rules(char c)
{
	return is_plain(c) && c != ',' && c != '@';
}

/* True for a word that every shell reads literally. Bytes with a meaning, such as ~, are
 * not plain. */
static bool
needs_no_quotes(enum quote_shell shell, struct str s)
{
	bool (*plain)(char) = shell == QUOTE_RULE ? is_plain_in_rules : is_plain;

	if (shell != QUOTE_BASH && shell != QUOTE_RULE)
		return false;
	for (size_t i = 0; i < s.n; i++)
		if (!plain(s.p[i]))
			return false;
	return s.n > 0;
}

/* Quote with `q`; write each `q` inside as `instead`. */
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

/* PowerShell treats the curly single quotes U+2018 to U+201B as single quotes: double them,
 * too. */
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

/* Write invisible characters as \xHH. */
static void
put_rule(struct buf *b, struct str s)
{
	bool seen = show_is_same(s);

	buf_putc(b, '"');
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c < 32 || c == 127 || (c > 127 && !seen)) {
			buf_puts(b, "\\x");
			buf_putc(b, "0123456789abcdef"[c >> 4]);
			buf_putc(b, "0123456789abcdef"[c & 15]);
			continue;
		}
		if (c == '"' || c == '\\')
			buf_putc(b, '\\');
		buf_putc(b, s.p[i]);
	}
	buf_putc(b, '"');
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
	case QUOTE_RULE:
		put_rule(b, arg);
		return 0;
	}
	return err_at(reterr, CORDON_EINVAL, 0, "no such shell");
}

int
quote_put(struct buf *b, enum quote_shell shell, struct str arg, struct err *reterr)
{
	if (needs_no_quotes(shell, arg)) {
		buf_put(b, arg);
		return 0;
	}
	return quote_put_always(b, shell, arg, reterr);
}
