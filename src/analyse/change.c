/* ${x#a} ${x/a/b} ${x^^} ${x:1:2} of a known value. */
#include "analyse/programs/programs.h"
#include "analyse/word/word.h"
#include "base/glob.h"

/* Longer values are not commands, and matching takes quadratic time. */
#define CHANGED_MAX 4096

/* The pattern of ${x#pattern}. */
struct taken {
	struct str text;  /* literal text */
	struct glob glob; /* if `signs`, instead of text */
	bool signs;
};

static bool
known_word(struct walk *w, const struct word *word, struct state *s, struct str *ret)
{
	struct field f;

	*ret = STR("");
	if (!word)
		return true;
	if (!is_plain(word))
		return false;
	f = eval_single(w, word, s, false);
	*ret = f.text;
	return f.kind == FIELD_STR;
}

static bool
read_taken(struct walk *w, const struct word *word, struct state *s, struct taken *ret)
{
	const struct part *p = word ? word->parts : NULL;

	*ret = (struct taken){ 0 };
	if (!known_word(w, word, s, &ret->text) || !str_is_ascii(ret->text))
		return false;
	if (!str_has_any(ret->text, "*?[\\("))
		return true;
	if (p->next || p->kind != PART_TEXT)
		return false;
	if (p->quoted)
		return true;
	ret->signs = true;
	return !str_has_any(ret->text, "[\\(") &&
	       glob_compile(w->a, ret->text, 0, &ret->glob) && !ret->glob.never;
}

static bool
takes(const struct taken *t, struct str s)
{
	return t->signs ? glob_matches(&t->glob, s) : str_eq(t->text, s);
}

/* Remove the shortest or longest matching prefix or suffix. */
static struct str
without(const struct param *p, const struct taken *t, struct str text)
{
	bool front = p->op == PARAM_PREFIX;

	for (size_t k = 0; k <= text.n; k++) {
		size_t n = p->doubled ? text.n - k : k;
		struct str piece = front ? str_cut(text, 0, n) : str_skip(text, text.n - n);

		if (takes(t, piece))
			return front ? str_skip(text, n) : str_cut(text, 0, text.n - n);
	}
	return text;
}

static bool
replaced(struct walk *w, const struct param *p, struct str what, struct str by,
    struct str text, struct str *ret)
{
	struct buf b;
	bool done = false;

	/* An & in the replacement stands for the matched text. */
	if (what.n == 0 || str_find(by, '&') < by.n || str_find(by, '\\') < by.n)
		return false;
	buf_init(&b, w->a);
	for (size_t i = 0; i < text.n;) {
		bool here = str_starts(str_skip(text, i), what) && (!done || p->doubled);

		if (p->letter == '#')
			here &= i == 0;
		if (p->letter == '%')
			here &= i + what.n == text.n;
		if (here) {
			buf_put(&b, by);
			i += what.n;
			done = true;
		} else
			buf_putc(&b, text.p[i++]);
	}
	*ret = buf_str(&b);
	return !b.full;
}

static bool
cased(struct walk *w, const struct param *p, struct str text, struct str *ret)
{
	char *to = walk_alloc(w, text.n + 1);

	if (!to || (p->arg && p->arg->parts) || !str_is_ascii(text))
		return false;
	for (size_t i = 0; i < text.n; i++) {
		char c = text.p[i];
		bool lower = c >= 'a' && c <= 'z', upper = c >= 'A' && c <= 'Z';
		bool turns = (lower && p->letter != ',') || (upper && p->letter != '^');

		to[i] = turns && (i == 0 || p->doubled) ? (char)(c ^ 32) : c;
	}
	*ret = str_of(to, text.n);
	return true;
}

/* A plain number, optionally after blanks and a minus. */
static bool
plain_number(struct walk *w, const struct word *word, struct state *s, long *ret)
{
	struct str t;
	bool minus = false;
	uint64_t n;

	if (!known_word(w, word, s, &t))
		return false;
	while (t.n && t.p[0] == ' ')
		t = str_skip(t, 1);
	if (t.n && t.p[0] == '-') {
		minus = true;
		t = str_skip(t, 1);
	}
	if (t.n == 0 || (t.p[0] == '0' && t.n > 1) || !str_number(t, CHANGED_MAX, &n))
		return false;
	*ret = minus ? -(long)n : (long)n;
	return true;
}

static bool
piece_of(struct walk *w, const struct param *p, struct str text, struct state *s,
    struct str *ret)
{
	long all = (long)text.n, from, n = all;

	if (!str_is_ascii(text) || !plain_number(w, p->arg, s, &from) ||
	    (p->arg2 && !plain_number(w, p->arg2, s, &n)))
		return false;
	if (from < 0)
		from += all;
	if (from < 0 || from > all) {
		*ret = STR("");
		return true;
	}
	if (n < 0)
		n += all - from;
	if (n < 0) /* an error, which ends the line */
		return false;
	*ret = str_cut(text, (size_t)from, (size_t)(from + n < all ? from + n : all));
	return true;
}

bool
changed_value(struct walk *w, const struct param *p, struct str text, struct state *s,
    struct str *ret)
{
	struct taken t;
	struct str by;

	w->cut |= text.n > CHANGED_MAX;
	if (text.n > CHANGED_MAX || p->all || p->subscript)
		return false;
	if (p->op == PARAM_PREFIX || p->op == PARAM_SUFFIX) {
		if (!read_taken(w, p->arg, s, &t) || (t.signs && !str_is_ascii(text)))
			return false;
		*ret = without(p, &t, text);
		return true;
	}
	/* sh has none of these. */
	if (w->frame.dialect != DIALECT_BASH)
		return false;
	if (p->op == PARAM_REPLACE)
		return read_taken(w, p->arg, s, &t) && !t.signs &&
		       known_word(w, p->arg2, s, &by) &&
		       replaced(w, p, t.text, by, text, ret);
	if (p->op == PARAM_CASE)
		return cased(w, p, text, ret);
	return p->op == PARAM_SUBSTRING && p->arg && piece_of(w, p, text, s, ret);
}
