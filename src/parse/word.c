#include "parse/parser.h"

int
word_new(struct parser *p, struct word **ret)
{
	struct word *w;

	if (++p->words > (p->argv ? LIMIT_ARGV_WORDS : LIMIT_WORDS))
		return fail(p, CORDON_ELIMIT, p->pos, "too many words");
	w = arena_alloc(p->a, sizeof *w);
	if (!w)
		return no_memory(p);
	*w = (struct word){ .at = { p->pos, p->pos } };
	*ret = w;
	return 0;
}

int
word_finish(struct parser *p, uint32_t start, struct parts *parts, struct word **ret)
{
	int r = word_new(p, ret);

	if (r < 0)
		return r;
	(*ret)->parts = parts->first;
	(*ret)->at = (struct span){ start, p->pos };
	return 0;
}

int
part_add(struct parser *p, struct parts *out, enum part_kind kind, bool quoted,
    uint32_t start, struct part **ret)
{
	struct part *part = arena_alloc(p->a, sizeof *part);

	if (!part)
		return no_memory(p);
	part->kind = kind;
	part->quoted = quoted;
	part->at = (struct span){ start, p->pos };
	part->next = NULL;
	if (out->last)
		out->last->next = part;
	else
		out->first = part;
	out->last = part;
	*ret = part;
	return 0;
}

int
part_text(struct parser *p, struct parts *out, bool quoted, struct str text, uint32_t start)
{
	struct part *last = out->last;
	int r;

	/* Merge parts that are adjacent in the source. */
	if (last && last->kind == PART_TEXT && last->quoted == quoted && text.n > 0 &&
	    last->at.end == start && last->text.p + last->text.n == text.p) {
		last->text.n += text.n;
		last->at.end = p->pos;
		return 0;
	}
	r = part_add(p, out, PART_TEXT, quoted, start, &last);
	if (r < 0)
		return r;
	last->text = text;
	return 0;
}

int
part_slice(struct parser *p, struct parts *out, bool quoted, uint32_t from, uint32_t to)
{
	if (from == to)
		return 0;
	return part_text(p, out, quoted, str_of(p->s + from, to - from), from);
}

/* Read ( ) of a pattern or regular expression; its content belongs to the word. */
static int
pattern_group(struct parser *p, struct parts *out)
{
	const struct group g = { .open = '(', .close = ')', .cx = CX_ANSI };
	int r;

	p->pos++;
	if ((r = part_slice(p, out, false, p->pos - 1, p->pos)) < 0)
		return r;
	if ((r = group_read(p, &g, out)) < 0)
		return r;
	p->pos++;
	return part_slice(p, out, false, p->pos - 1, p->pos);
}

static bool
opens_pattern(const struct parser *p, unsigned flags, uint32_t run)
{
	if (flags & WORD_REGEX)
		return true;
	return (flags & WORD_PATTERN) && run < p->pos && p->s[p->pos - 1] != '\0' &&
	       strchr("?*+@!", p->s[p->pos - 1]);
}

/* Read one quote, expansion or group. Return 1 if the word ends here. */
static int
word_special(struct parser *p, unsigned flags, uint32_t run, struct parts *out)
{
	switch (p->s[p->pos]) {
	case '\\':
		return quote_escape(p, CX_WORD, out);
	case '\'':
		return quote_single(p, CX_WORD, out);
	case '"':
		return quote_double(p, 0, out);
	case '`':
		return backquote_read(p, CX_WORD, out);
	case '$':
		return dollar_read(p, CX_WORD, out);
	case '<':
	case '>':
		return at_process(p, p->pos) ? process_read(p, out) : 1;
	case '\r':
		return refuse(p, p->pos, "carriage return outside quotes");
	case '(':
		return opens_pattern(p, flags, run) ? pattern_group(p, out) : 1;
	case '|':
		if (!(flags & WORD_REGEX))
			return 1;
		p->pos++;
		return part_slice(p, out, false, p->pos - 1, p->pos);
	default:
		return 1;
	}
}

int
word_parts(struct parser *p, unsigned flags, struct parts *out)
{
	struct str text;
	int r;

	do {
		uint32_t start = p->pos;

		if ((r = run_read(p, CH_SPECIAL, &text)) < 0)
			return r;
		if (text.n > 0 && (r = part_text(p, out, false, text, start)) < 0)
			return r;
		r = word_special(p, flags, start, out);
	} while (r == 0);
	return r < 0 ? r : 0;
}

/* dash does not expand {a,b} and {1..2}, others do: refuse them without checking the exact
 * form. */
static int
check_braces(struct parser *p, const struct word *w)
{
	bool open = false, list = false;

	for (const struct part *part = w->parts; part; part = part->next) {
		if (part->kind != PART_TEXT || part->quoted)
			continue;
		for (size_t i = 0; i < part->text.n; i++) {
			char c = part->text.p[i];

			open = open || c == '{';
			list = list || (open && (c == ',' || c == '.'));
			if (list && c == '}')
				return refuse(
				    p, w->at.start, "sh and bash differ: brace expansion");
		}
	}
	return 0;
}

int
word_read(struct parser *p, unsigned flags, struct word **ret)
{
	struct parts parts = { NULL, NULL };
	uint32_t start = p->pos;
	int r;

	if ((r = word_parts(p, flags, &parts)) < 0)
		return r;
	if (!parts.first)
		return invalid(p, start, "a word was expected here");
	if ((r = word_finish(p, start, &parts, ret)) < 0)
		return r;
	return p->sh ? check_braces(p, *ret) : 0;
}

struct str
word_plain(const struct word *w)
{
	const struct part *part = w->parts;

	if (!part || part->next || part->kind != PART_TEXT || part->quoted)
		return str_of(NULL, 0);
	return part->text;
}

bool
str_is_name(struct str s)
{
	if (s.n == 0 || !char_starts_name(s.p[0]))
		return false;
	for (size_t i = 1; i < s.n; i++)
		if (char_is(s.p[i], CH_NONAME))
			return false;
	return true;
}
