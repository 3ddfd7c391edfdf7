#include "parse/parser.h"

/* '...': everything inside is literal, even backslash-newline. */
int
quote_single(struct parser *p, unsigned cx, struct parts *out)
{
	uint32_t start = p->pos, from = start + 1;
	const char *end = memchr(p->s + from, '\'', p->end - from);
	struct str text;

	if (!end)
		return invalid(p, start, "this ' is never closed");
	text = str_of(p->s + from, (size_t)(end - p->s) - from);
	if ((cx & CX_DOUBT) &&
	    (memchr(text.p, '$', text.n) || memchr(text.p, '`', text.n) ||
		memchr(text.p, '\\', text.n)))
		return refuse(p, start, "it is not certain that these quotes quote");
	p->pos = (uint32_t)(end - p->s) + 1;
	return part_text(p, out, true, text, start);
}

int
quote_double(struct parser *p, unsigned cx, struct parts *out)
{
	uint32_t start = p->pos;
	struct part *before = out->last;
	int r;

	if ((r = nest(p)) < 0)
		return r;
	p->pos++;
	cx = (cx & CX_NESTED) | CX_QUOTED | CX_DOUBLE;
	if ((r = quote_text(p, cx, false, out)) < 0)
		return r;
	if (p->s[p->pos] != '"')
		return invalid(p, start, "this \" is never closed");
	p->pos++;
	unnest(p);
	/* "" is a word, even if an empty one. */
	if (out->last == before)
		return part_text(p, out, true, str_of(p->s + start + 1, 0), start);
	return 0;
}

/* Does a backslash quote this byte inside "..."? */
static bool
escapes_in_double(char c, unsigned cx)
{
	if (c == '"')
		return !(cx & CX_HEREDOC) || (cx & CX_PAIRED);
	return c == '$' || c == '`' || c == '\\' || (c == '}' && (cx & CX_PAIRED));
}

int
quote_escape(struct parser *p, unsigned cx, struct parts *out)
{
	uint32_t start = p->pos;
	char c = p->s[start + 1];

	if (c == '\n') {
		p->pos += 2;
		return 0;
	}
	if (c == '\0') { /* a backslash at the end of the text is literal */
		if (start + 1 != p->end || cx & CX_DOUBLE)
			return invalid(p, start, "nothing after this backslash");
		p->pos++;
		return part_slice(p, out, true, start, p->pos);
	}
	if (c == '\r' && !(cx & CX_DOUBLE))
		return refuse(p, start, "carriage return outside quotes");
	p->pos += 2;
	if ((cx & CX_DOUBLE) && !escapes_in_double(c, cx))
		return part_slice(p, out, cx & CX_QUOTED, start, p->pos);
	return part_text(p, out, true, str_of(p->s + start + 1, 1), start);
}

/* Skip the leading tabs of a line, for <<-. */
static void
skip_tabs(struct parser *p)
{
	while (p->s[p->pos] == '\t')
		p->pos++;
}

/* Does the source between two positions contain one of these bytes? */
static bool
has_any(const struct parser *p, uint32_t from, uint32_t to, const char *bytes)
{
	for (; from < to; from++)
		if (p->s[from] && strchr(bytes, p->s[from]))
			return true;
	return false;
}

/*
 * In a here-document bash joins lines and strips tabs before it parses $( ), we do so
 * after. Refuse the cases that could differ: such bytes together with quotes and the like.
 */
static int
check_heredoc_part(struct parser *p, uint32_t start, bool strip)
{
	bool joined = false, tabs = false;

	for (uint32_t i = start; i + 1 < p->pos; i++) {
		joined = joined || (p->s[i] == '\\' && p->s[i + 1] == '\n');
		tabs = tabs || (strip && p->s[i] == '\n' && p->s[i + 1] == '\t');
	}
	if (joined && has_any(p, start, p->pos, "'#<`"))
		return refuse(
		    p, start, "joined line inside an expansion in a here-document");
	if (tabs && has_any(p, start, p->pos, "'\"{<`"))
		return refuse(p, start, "tab that <<- strips inside an expansion");
	return 0;
}

static int
quote_expansion(struct parser *p, unsigned cx, bool strip, struct parts *out)
{
	uint32_t start = p->pos;
	int r;

	if (p->s[start] == '$')
		r = dollar_read(p, cx, out);
	else
		r = backquote_read(p, cx, out);
	if (r == 0 && (cx & CX_HEREDOC))
		r = check_heredoc_part(p, start, strip);
	return r;
}

int
quote_text(struct parser *p, unsigned cx, bool strip, struct parts *out)
{
	uint32_t from = p->pos;
	int r;

	for (;;) {
		char c = p->s[p->pos];

		if (strip && c == '\n') {
			p->pos++;
			if ((r = part_slice(p, out, true, from, p->pos)) < 0)
				return r;
			skip_tabs(p);
			from = p->pos;
			continue;
		}
		if (!char_is(c, CH_QUOTED) || (c == '"' && (cx & CX_HEREDOC))) {
			p->pos++;
			continue;
		}
		if ((r = part_slice(p, out, true, from, p->pos)) < 0)
			return r;
		if (c == '"' || c == '\0')
			return 0;
		if (c == '\\')
			r = quote_escape(p, cx, out);
		else
			r = quote_expansion(p, cx, strip, out);
		if (r < 0)
			return r;
		from = p->pos;
	}
}

/*
 * "${x:-'$(a)'}": the quotes are literal and $(a) runs, but bash looks for the } as if they
 * quoted. Read the text between them as inside "...", and accept it only if that reading
 * ends at the same quote.
 */
int
quote_paired(struct parser *p, unsigned cx, struct parts *out)
{
	uint32_t start = p->pos, from = start + 1, to;
	const char *end = memchr(p->s + from, '\'', p->end - from);
	struct window w;
	int r;

	if (!end)
		return invalid(p, start, "this ' is never closed");
	to = (uint32_t)(end - p->s);
	p->pos = from;
	if ((r = part_slice(p, out, cx & CX_QUOTED, start, from)) < 0)
		return r;
	w = window_open(p, to);
	cx &= CX_QUOTED | CX_DOUBLE;
	r = quote_text(p, cx | CX_NESTED, false, out);
	window_close(p, w);
	if (r < 0)
		return r;
	if (p->pos != to)
		return refuse(p, start, "it is not certain where these quotes end");
	p->pos++;
	return part_slice(p, out, cx & CX_QUOTED, to, p->pos);
}
