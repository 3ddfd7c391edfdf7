#include "parse/parser.h"

/* Read <( inside a group: a substitution, literal bytes, or refused as ambiguous. */
static int
group_process(struct parser *p, const struct group *g, struct parts *out)
{
	if (g->cx & CX_PROCESS)
		return process_read(p, out);
	if (g->open == '(' && (g->cx & CX_PAIRED)) { /* arithmetic: a < ( b ) */
		p->pos++;
		return part_slice(p, out, false, p->pos - 1, p->pos);
	}
	return refuse(p, p->pos, "<( or >( where bash reads it in two ways");
}

/*
 * bash looks for the ) of a group without skipping ${ }, and in a pattern not even $( ):
 * parentheses inside them count, so they must be balanced.
 */
static int
group_dollar(struct parser *p, const struct group *g, struct parts *out)
{
	uint32_t start = p->pos, second = pos_after(p, start);
	int r = dollar_read(p, g->cx, out), level = 0;

	if (r < 0 || g->open != '(' || ((g->cx & CX_PAIRED) && p->s[second] == '('))
		return r;
	for (uint32_t i = second + 1; i + 1 < p->pos && level >= 0; i++)
		level += (p->s[i] == '(') - (p->s[i] == ')');
	if (level != 0)
		return refuse(p, start, "a single parenthesis in an expansion inside ( )");
	return 0;
}

/* True if this byte begins a quote or an expansion, or is an error. */
static bool
group_special(const struct parser *p, char c)
{
	if (c == '<' || c == '>')
		return at_process(p, p->pos);
	return c == '\0' || strchr("\\'\"`$\r", c);
}

static int
group_quote(struct parser *p, const struct group *g, struct parts *out)
{
	switch (p->s[p->pos]) {
	case '\0':
		return invalid(p, p->pos, "the text ends inside an expansion");
	case '\r':
		return refuse(p, p->pos, "carriage return outside quotes");
	case '\\':
		return quote_escape(p, g->cx, out);
	case '\'':
		if (g->cx & CX_PAIRED)
			return quote_paired(p, g->cx, out);
		return quote_single(p, g->cx, out);
	case '"':
		return quote_double(p, g->cx, out);
	case '`':
		return backquote_read(p, g->cx, out);
	case '$':
		return group_dollar(p, g, out);
	default:
		return group_process(p, g, out);
	}
}

/* Count brackets. Return true if the group stops here. */
static bool
group_stops(const struct group *g, char c, int *level, int *parens)
{
	if (c == g->close && *level == 0)
		return true;
	if (c == g->split && g->split && *level == 0 && *parens == 0)
		return true;
	if (c == g->open && g->open)
		++*level;
	else if (c == g->close)
		--*level;
	if (g->parens && c == '(')
		++*parens;
	else if (g->parens && c == ')')
		--*parens;
	return false;
}

int
group_read(struct parser *p, const struct group *g, struct parts *out)
{
	uint32_t from = p->pos;
	int level = 0, parens = 0, r;

	for (;; p->pos++) {
		char c = p->s[p->pos];
		uint32_t to = p->pos;

		if (!char_is(c, CH_GROUP))
			continue;
		if (group_stops(g, c, &level, &parens))
			return (r = part_slice(p, out, g->cx & CX_QUOTED, from, p->pos)) < 0
				   ? r
				   : (unsigned char)c;
		if (g->split == ':' && c == '?')
			return refuse(p, to, "? : inside the offset of ${x:offset}");
		if (g->split == ';' && c == ';')
			return invalid(p, to, "; inside parentheses of for ((");
		if (g->close == ']' && c == '}')
			return refuse(p, to, "} inside a subscript");
		if (!group_special(p, c))
			continue;
		if ((r = part_slice(p, out, g->cx & CX_QUOTED, from, to)) < 0)
			return r;
		if ((r = group_quote(p, g, out)) < 0)
			return r;
		from = p->pos--;
	}
}

int
subscript_read(struct parser *p, unsigned cx, struct word **ret)
{
	const struct group g = { .open = '[',
		.close = ']',
		.cx = (cx & (CX_QUOTED | CX_HEREDOC)) | CX_DOUBLE | CX_PAIRED | CX_NESTED };
	struct parts parts = { NULL, NULL };
	uint32_t start = p->pos;
	int r;

	if ((r = group_read(p, &g, &parts)) < 0)
		return r;
	if (!parts.first)
		return invalid(p, start, "empty subscript");
	if ((r = word_finish(p, start, &parts, ret)) < 0)
		return r;
	p->pos++;
	return 0;
}
