#include "look/alias.h"
#include "base/show.h"
#include "base/utf8.h"

/* Characters that fold to ASCII letters. */
static const struct {
	uint32_t from;
	char to[4];
} folds[] = {
	{ 0xdf, "ss" },
	{ 0x17f, "s" },
	{ 0x1e9e, "ss" },
	{ 0x212a, "k" },
	{ 0xfb00, "ff" },
	{ 0xfb01, "fi" },
	{ 0xfb02, "fl" },
	{ 0xfb03, "ffi" },
	{ 0xfb04, "ffl" },
	{ 0xfb05, "st" },
	{ 0xfb06, "st" },
};

bool
alias_could_be(struct str name)
{
	char last = name.n ? name.p[name.n - 1] : 'x';

	return last == '.' || last == ' ' || str_find(name, '~') < name.n ||
	       !str_is_ascii(name);
}

/* Fold a character beyond ASCII; if it does not fold, return one that equals nothing. */
static struct str
fold(struct str character, uint32_t c)
{
	for (size_t i = 0; i < sizeof folds / sizeof *folds; i++)
		if (folds[i].from == c)
			return str_from_c(folds[i].to);
	return show_is_same(character) ? STR("\xff") : STR("");
}

struct str
alias_plain(struct str name, char buf[static ALIAS_SIZE])
{
	size_t n = 0, step;

	for (size_t i = 0; i < name.n; i += step ? step : 1) {
		struct str one = str_cut(name, i, i + 1);
		uint32_t c;

		step = utf8_take(name, i, &c);
		if (step > 1)
			one = fold(str_cut(name, i, i + step), c);
		if (n + one.n > ALIAS_SIZE)
			break;
		memcpy(buf + n, one.p, one.n);
		n += one.n;
	}
	while (n && (buf[n - 1] == '.' || buf[n - 1] == ' '))
		n--;
	return str_of(buf, n);
}

/*
 * Two forms: the first letters, a tilde and a number; or two letters, four digits of a
 * checksum, a tilde and a number.  Leading dots are dropped, and the text after the last
 * dot becomes the extension.
 */
bool
alias_is_short(struct str name, const char *of)
{
	size_t tilde = str_find(name, '~'), n = 0;

	if (tilde + 1 >= name.n || !byte_is_digit(name.p[tilde + 1]))
		return false;
	while (*of == '.')
		of++;
	for (; n < tilde && of[n] && of[n] != '.'; n++)
		if (byte_lower(name.p[n]) != of[n])
			break;
	if (n == tilde)
		return n > 0 && (n >= 6 || of[n] == '\0' || of[n] == '.');
	if (n < 2 || tilde != 6)
		return false;
	for (n = 2; n < tilde; n++)
		if (byte_hex(name.p[n]) < 0)
			return false;
	return true;
}
