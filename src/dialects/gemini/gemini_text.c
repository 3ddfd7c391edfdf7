/* Read text as the original does: JavaScript's blanks, and a scanner without a grammar. */
#include "base/utf8.h"
#include "dialects/gemini/gemini.h"

void
gemini_add(struct arena *a, struct gemini_list *l, struct str s)
{
	l->given = true;
	if (l->full || !s.p) {
		l->full = true;
		return;
	}
	if (l->n == l->cap) {
		size_t cap = l->cap ? l->cap * 2 : 8;
		struct str *v = arena_array(a, cap, sizeof *v);

		if (!v) {
			l->full = true;
			return;
		}
		if (l->n)
			memcpy(v, l->v, l->n * sizeof *v);
		l->v = v;
		l->cap = cap;
	}
	l->v[l->n++] = s;
}

bool
gemini_has(const struct gemini_list *l, struct str s)
{
	for (size_t i = 0; i < l->n; i++)
		if (str_eq(l->v[i], s))
			return true;
	return false;
}

void
gemini_add_once(struct arena *a, struct gemini_list *l, struct str s)
{
	if (!gemini_has(l, s))
		gemini_add(a, l, s);
}

void
gemini_put_list(struct buf *out, const struct gemini_list *l)
{
	buf_putc(out, '[');
	for (size_t i = 0; i < l->n; i++) {
		json_put_sep(out);
		json_put_str(out, l->v[i]);
	}
	buf_putc(out, ']');
}

size_t
gemini_blank(struct str s, size_t at)
{
	unsigned char c = (unsigned char)s.p[at];
	uint32_t wide = 0;
	size_t n;

	if (c < 0x80)
		return c == ' ' || (c >= '\t' && c <= '\r');
	n = utf8_take(s, at, &wide);
	if (wide == 0xa0 || wide == 0x1680 || (wide >= 0x2000 && wide <= 0x200a) ||
	    wide == 0x2028 || wide == 0x2029 || wide == 0x202f || wide == 0x205f ||
	    wide == 0x3000 || wide == 0xfeff)
		return n;
	return 0;
}

/* The end of the run of blanks at `at`. */
static size_t
skip_blanks(struct str s, size_t at)
{
	size_t n;

	while (at < s.n && (n = gemini_blank(s, at)) > 0)
		at += n;
	return at;
}

struct str
gemini_trim(struct str s)
{
	size_t from = skip_blanks(s, 0), end = from, i = from;

	while (i < s.n) {
		size_t n = gemini_blank(s, i);

		i += n ? n : 1;
		if (!n)
			end = i;
	}
	return str_cut(s, from, end);
}

struct str
gemini_normalise(struct arena *a, struct str s)
{
	struct str t = gemini_trim(s);
	char *out = arena_alloc(a, t.n + 1);
	size_t n = 0, i = 0;

	if (!out)
		return (struct str){ NULL, 0 };
	while (i < t.n) {
		size_t next = skip_blanks(t, i);

		out[n++] = next > i ? ' ' : t.p[i];
		i = next > i ? next : i + 1;
	}
	return str_of(out, n);
}

/* ---- splitCommands */

static size_t
separator(struct str s, size_t i)
{
	char c = s.p[i], next = i + 1 < s.n ? s.p[i + 1] : '\0';

	if ((c == '&' || c == '|') && next == c)
		return 2;
	return c == ';' || c == '&' || c == '|';
}

static void
add_trimmed(struct arena *a, struct gemini_list *l, struct str s)
{
	s = gemini_trim(s);
	if (s.n)
		gemini_add(a, l, s);
}

void
gemini_scan_split(struct arena *a, struct str text, struct gemini_list *ret)
{
	size_t from = 0, i = 0, n;
	char quote = 0;

	ret->given = true;
	while (i < text.n) {
		char c = text.p[i];

		/* The original applies this inside '...' as well, unlike the shell. */
		if (c == '\\' && i + 1 < text.n) {
			i += 2;
			continue;
		}
		if ((c == '\'' || c == '"') && (!quote || quote == c))
			quote = quote ? 0 : c;
		n = quote ? 0 : separator(text, i);
		if (n) {
			add_trimmed(a, ret, str_cut(text, from, i));
			from = i + n;
		}
		i += n ? n : 1;
	}
	add_trimmed(a, ret, str_cut(text, from, text.n));
}

/* ---- detectCommandSubstitution */

bool
gemini_scan_substitution(struct str text)
{
	bool single = false, two = false, back = false;

	for (size_t i = 0; i < text.n; i++) {
		char c = text.p[i], next = i + 1 < text.n ? text.p[i + 1] : '\0';

		if (c == '\\' && !single) {
			i++;
			continue;
		}
		if (c == '\'' && !two && !back)
			single = !single;
		else if (c == '"' && !single && !back)
			two = !two;
		else if (c == '`' && !single)
			back = !back;
		if (single)
			continue;
		/* The original reports only the closing backquote. */
		if ((c == '$' && next == '(') || (c == '`' && !back))
			return true;
		if ((c == '<' || c == '>') && next == '(' && !two && !back)
			return true;
	}
	return false;
}

bool
gemini_scan_powershell(struct str text)
{
	bool single = false;

	for (size_t i = 0; i < text.n; i++) {
		if (text.p[i] == '\'')
			single = !single;
		else if (text.p[i] == '(' && !single)
			return true;
	}
	return false;
}

/* ---- getCommandRoot */

/* The text inside a leading "([^"]+)" or '([^']+)', or .p == NULL. */
static struct str
quoted_start(struct str s)
{
	size_t end;

	if (s.n < 3 || (s.p[0] != '"' && s.p[0] != '\''))
		return (struct str){ NULL, 0 };
	end = str_find(str_skip(s, 1), s.p[0]);
	if (end == 0 || end == s.n - 1)
		return (struct str){ NULL, 0 };
	return str_cut(s, 1, 1 + end);
}

struct str
gemini_root(struct str text)
{
	struct str s = gemini_trim(text), word = s.n ? quoted_start(s) : s;
	size_t from = 0, end = 0;

	if (s.n == 0)
		return (struct str){ NULL, 0 };
	if (!word.p) {
		while (end < s.n && gemini_blank(s, end) == 0)
			end++;
		word = str_cut(s, 0, end);
	}
	for (size_t i = 0; i < word.n; i++)
		if (word.p[i] == '/' || word.p[i] == '\\')
			from = i + 1;
	return str_skip(word, from);
}

/* ---- stripShellWrapper */

/* The position after one of the names, or 0.  The dot of cmd.exe means "any character", as
 * in the original's pattern. */
static size_t
wrapper_name(struct str s, size_t at)
{
	static const char names[][5] = { "sh", "bash", "zsh" };
	struct str rest = str_skip(s, at);
	uint32_t wide = 0;
	size_t n;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (str_starts(rest, str_from_c(names[i])))
			return at + strlen(names[i]);
	if (rest.n < 4 || !str_starts(rest, STR("cmd")))
		return 0;
	n = utf8_take(rest, 3, &wide);
	if (wide == '\n' || wide == '\r' || wide == 0x2028 || wide == 0x2029)
		return 0;
	n = n ? n : 1;
	return str_starts(str_skip(rest, 3 + n), STR("exe")) ? at + 3 + n + 3 : 0;
}

/* The start of the wrapped text, or 0. */
static size_t
wrapper_end(struct str s)
{
	size_t at = wrapper_name(s, skip_blanks(s, 0)), next;

	if (at == 0 || (next = skip_blanks(s, at)) == at)
		return 0;
	at = next;
	if (!str_starts(str_skip(s, at), STR("/c")) &&
	    !str_starts(str_skip(s, at), STR("-c")))
		return 0;
	next = skip_blanks(s, at + 2);
	return next == at + 2 ? 0 : next;
}

struct str
gemini_strip_wrapper(struct str text)
{
	size_t at = wrapper_end(text);
	struct str s = gemini_trim(at ? str_skip(text, at) : text);

	/* Keep a lone quote: it is no pair. */
	if (at && s.n > 1 && (s.p[0] == '"' || s.p[0] == '\'') && s.p[s.n - 1] == s.p[0])
		return str_cut(s, 1, s.n - 1);
	return s;
}
