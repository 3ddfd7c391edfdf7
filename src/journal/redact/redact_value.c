#include "journal/redact/redact_value.h"
#include "journal/redact/redact_table.h"

/* For longer names only the end counts. */
#define NAME_MAX_BYTES 64
#define MARKER STR("[redacted:")

const uint8_t redact_bytes[256] = {
	['0' ... '9'] = BYTE_DIGIT,
	['a' ... 'z'] = BYTE_LOWER,
	['A' ... 'Z'] = BYTE_UPPER,
	['_'] = BYTE_MARK,
	['-'] = BYTE_MARK,
	['.'] = BYTE_MARK,
	[' '] = BYTE_BLANK,
	['\t'] = BYTE_BLANK,
	['\r'] = BYTE_BLANK,
	['\n'] = BYTE_BLANK | BYTE_ENDS,
	[';'] = BYTE_ENDS,
	['|'] = BYTE_ENDS,
	['&'] = BYTE_ENDS,
	['('] = BYTE_ENDS,
	['`'] = BYTE_ENDS,
};

static bool
in_list(const struct redact_word *list, size_t n, struct str s)
{
	for (size_t i = 0; i < n; i++)
		if (str_eq(word_str(&list[i]), s))
			return true;
	return false;
}

static bool
ends_in(const struct redact_word *list, size_t n, struct str s)
{
	for (size_t i = 0; i < n; i++)
		if (str_ends(s, word_str(&list[i])))
			return true;
	return false;
}

/* Normalise a name: lower case, without _ - and dots, without trailing digits. */
static struct str
plain_name(struct str name, char out[static NAME_MAX_BYTES])
{
	size_t n = 0;

	if (name.n > NAME_MAX_BYTES)
		name = str_skip(name, name.n - NAME_MAX_BYTES);
	for (size_t i = 0; i < name.n; i++)
		if (is_alnum(name.p[i]))
			out[n++] = is_upper(name.p[i]) ? (char)(name.p[i] + 32) : name.p[i];
	while (n && is_digit(out[n - 1]))
		n--;
	return str_of(out, n);
}

/* The last word of a name: after the last _ - or dot, or from the last change to upper
 * case. */
static struct str
last_word(struct str name)
{
	size_t at = name.n;

	while (at > 0 && is_alnum(name.p[at - 1]))
		at--;
	for (size_t i = name.n; i > at + 1; i--)
		if (is_upper(name.p[i - 1]) && is_lower(name.p[i - 2]))
			return str_skip(name, i - 1);
	return str_skip(name, at);
}

bool
secret_is_name(struct str name)
{
	char mem[NAME_MAX_BYTES], mem2[NAME_MAX_BYTES];
	struct str plain = plain_name(name, mem);

	if (plain.n == 0 || in_list(harmless_names, harmless_names_n, plain))
		return false;
	return ends_in(secret_endings, secret_endings_n, plain) ||
	       in_list(secret_words, secret_words_n, plain_name(last_word(name), mem2));
}

bool
secret_is_header(struct str name)
{
	char mem[NAME_MAX_BYTES];

	return ends_in(header_endings, header_endings_n, plain_name(name, mem));
}

/* ---- values */

static bool
is_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Hexadecimal digits, possibly in groups: hashes and UUIDs. */
static bool
is_all_hex(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!is_hex(s.p[i]) && s.p[i] != '-')
			return false;
	return true;
}

/* Count changes of character class: human-made names have fewer than random strings. */
static bool
is_change(char a, char b)
{
	return (is_digit(a) ? is_lower(b) || is_upper(b) : is_alnum(a) && is_digit(b)) ||
	       (is_lower(a) && is_upper(b));
}

bool
secret_looks_random(struct str s)
{
	size_t changes = 0, letters = 0;

	if (s.n < 16 || s.n > SECRET_RANDOM_MAX || is_all_hex(s))
		return false;
	for (size_t i = 0; i < s.n; i++) {
		if (!is_alnum(s.p[i]) && !strchr("+/=_-~!#%^*", s.p[i]))
			return false;
		letters += is_alnum(s.p[i]);
		changes += i && is_change(s.p[i - 1], s.p[i]);
	}
	return changes * 4 >= s.n && letters * 4 >= s.n * 3;
}

/* End of the reference (such as $x) that starts at `at`; `at` if there is none. */
static size_t
reference_end(struct str s, size_t at)
{
	size_t end = at + 1;

	if (at + 1 >= s.n || s.p[at] != '$')
		return at;
	if (s.p[end] == '{') {
		end += str_find(str_skip(s, end), '}') + 1;
		return end <= s.n ? end : at;
	}
	if (s.p[end] == '(')
		return s.n; /* command output: unknown here */
	while (end < s.n && (is_alnum(s.p[end]) || s.p[end] == '_'))
		end++;
	return end > at + 1 ? end : at;
}

/* True for a value of only variable references or command output. */
static bool
secret_is_reference(struct str s)
{
	size_t at = 0;

	if (s.n && s.p[0] == '`')
		return true;
	while (at < s.n) {
		size_t end = reference_end(s, at);

		/* user:$TOKEN counts as a reference. */
		if (end == at && !(at && (s.p[at] == ':' || s.p[at] == '@')))
			return false;
		at = end == at ? at + 1 : end;
	}
	return s.n > 0;
}

bool
secret_is_marker(struct str s)
{
	return str_starts(s, MARKER) && str_find(s, ']') == s.n - 1;
}

bool
secret_is_harmless(struct str s)
{
	return s.n == 0 || secret_is_reference(s) || secret_is_marker(s) ||
	       in_list(harmless_values, harmless_values_n, s);
}

/* ---- where a value ends */

size_t
secret_skip_blanks(struct str t, size_t at)
{
	while (at < t.n) {
		if (t.p[at] == '\\' && at + 1 < t.n && t.p[at + 1] == '\n')
			at += 2;
		else if (is_blank(t.p[at]))
			at++;
		else
			break;
	}
	return at;
}

/* The offset after the quote at `at` and the backslashes before it. */
static size_t
quote_at(struct str t, size_t at, size_t *slashes)
{
	size_t i = at;

	while (i < t.n && t.p[i] == '\\')
		i++;
	*slashes = i - at;
	return i < t.n && (t.p[i] == '"' || t.p[i] == '\'') ? i + 1 : at;
}

/* Find the closing quote: the same quote after as many backslashes. */
static size_t
quote_end(struct str t, size_t from, char quote, size_t slashes)
{
	size_t run = 0;

	for (size_t i = from; i < t.n; i++) {
		if (t.p[i] == quote &&
		    (run == slashes || (run < slashes && run == 0) || quote == '\''))
			return i - (run < slashes ? run : slashes);
		run = t.p[i] == '\\' ? run + 1 : 0;
	}
	return t.n;
}

static bool
ends_word(char c, bool list)
{
	return is_blank(c) || strchr(";|&<>()`'\"", c) != NULL ||
	       (list && (c == ',' || c == '}' || c == ']'));
}

struct cut
secret_value_at(struct str t, size_t at, bool list)
{
	size_t slashes, from, to;

	/* $'...' is a quoted string, not a variable. */
	if (at + 1 < t.n && t.p[at] == '$' && t.p[at + 1] == '\'')
		at++;
	from = quote_at(t, at, &slashes);
	if (from > at)
		return (struct cut){ from, quote_end(t, from, t.p[from - 1], slashes) };
	if (at < t.n && (t.p[at] == '`' || str_starts(str_skip(t, at), STR("$("))))
		return (struct cut){ at, at }; /* command output */
	if (str_starts(str_skip(t, at), MARKER)) {
		to = at + str_find(str_skip(t, at), ']') + 1;
		if (to >= t.n || ends_word(t.p[to], true))
			return (struct cut){ at, to < t.n ? to : t.n };
	}
	for (to = at; to < t.n && t.p[to] != '\0' && !ends_word(t.p[to], list); to++)
		if (t.p[to] == '\\' && to + 1 < t.n && t.p[to + 1] != '"' &&
		    t.p[to + 1] != '\'')
			to++;
		else if (t.p[to] == '\\')
			break;
	return (struct cut){ at, to < t.n ? to : t.n };
}

struct cut
secret_header_at(struct str t, size_t at)
{
	size_t slashes, from, to, word;

	while (at < t.n && (t.p[at] == ' ' || t.p[at] == '\t'))
		at++;
	from = quote_at(t, at, &slashes);
	for (word = from; word < t.n && (is_lower(t.p[word]) || is_upper(t.p[word]));)
		word++;
	if (word > from && word < t.n && t.p[word] == ' ')
		from = word + 1;
	for (to = from; to < t.n && !strchr("'\"\n\r", t.p[to]); to++)
		;
	while (to > from && t.p[to - 1] == '\\')
		to--;
	return (struct cut){ from, to };
}
