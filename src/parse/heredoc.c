#include "parse/parser.h"

/* The delimiter without its quotes. Any quote in it makes the body inert. */
static int
delimiter_text(struct parser *p, const struct word *w, bool *ret_quoted, struct str *ret)
{
	size_t n = 0;
	char *text;

	for (const struct part *part = w->parts; part; part = part->next) {
		if (part->kind != PART_TEXT)
			return refuse(
			    p, part->at.start, "a here-document delimiter with $ or `");
		n += part->text.n;
	}
	text = arena_alloc(p->a, n);
	if (!text)
		return no_memory(p);
	*ret = str_of(text, n);
	*ret_quoted = false;
	for (const struct part *part = w->parts; part; part = part->next) {
		if (part->text.n)
			memcpy(text, part->text.p, part->text.n);
		text += part->text.n;
		*ret_quoted = *ret_quoted || part->quoted;
	}
	return 0;
}

/* Register a here-document after its delimiter; its body begins after the next newline. */
int
heredoc_begin(struct parser *p, struct redir *r, bool strip)
{
	const struct span at = r->target->at;
	struct str raw = str_of(p->s + at.start, at.end - at.start), delimiter;
	bool quoted;
	int res;

	if (memchr(raw.p, '$', raw.n) || memchr(raw.p, '`', raw.n))
		return refuse(p, at.start, "a here-document delimiter with $ or `");
	if ((res = delimiter_text(p, r->target, &quoted, &delimiter)) < 0)
		return res;
	if (memchr(delimiter.p, '\n', delimiter.n))
		return refuse(p, at.start, "a here-document delimiter with a newline");
	if (p->retries)
		return refuse(p, at.start, "a here-document inside (( that is a subshell");
	if (p->npending == LIMIT_HEREDOCS)
		return fail(
		    p, CORDON_ELIMIT, r->at.start, "too many here-documents on a line");
	r->inert = quoted;
	p->pending[p->npending++] = (struct pending){ r, strip };
	if (p->heredocs++ == 0)
		p->first_heredoc = r->at.start;
	p->last_heredoc = r->at.start;
	return 0;
}

/* Is the line, without joined lines, exactly the delimiter? */
static bool
line_matches(const struct parser *p, uint32_t from, uint32_t to, struct str d, bool joined)
{
	size_t n = 0;

	if (!joined)
		return to - from == d.n && memcmp(p->s + from, d.p, d.n) == 0;
	for (uint32_t i = from; i < to; i++) {
		if (p->s[i] == '\\' && i + 1 < to && p->s[i + 1] == '\n') {
			i++;
			continue;
		}
		if (n == d.n || p->s[i] != d.p[n++])
			return false;
	}
	return n == d.n;
}

/* Is the newline at `nl` escaped, after an odd number of backslashes? */
static bool
is_joined(const struct parser *p, uint32_t from, uint32_t nl)
{
	uint32_t i = nl;

	while (i > from && p->s[i - 1] == '\\')
		i--;
	return (nl - i) & 1;
}

/* The end of the line at `from`: its newline, or the end of the text. */
static uint32_t
line_end(const struct parser *p, uint32_t from, bool join, bool *ret_joined)
{
	uint32_t at = from;

	*ret_joined = false;
	for (;;) {
		const char *nl = memchr(p->s + at, '\n', p->end - at);
		uint32_t to = nl ? (uint32_t)(nl - p->s) : p->end;

		if (!nl || !join || !is_joined(p, at, to))
			return to;
		*ret_joined = true;
		at = to + 1;
	}
}

/*
 * Inside $( ) bash also ends a here-document at a line that begins with the delimiter and
 * has a ) after it: refuse such lines.
 */
static int
check_sub_line(struct parser *p, uint32_t from, uint32_t to, struct str d)
{
	struct str line = str_of(p->s + from, to - from);

	if (p->in_sub && str_starts(line, d) && memchr(line.p + d.n, ')', line.n - d.n))
		return refuse(p, from, "a line that begins like the delimiter and has a )");
	return 0;
}

/* Find the delimiter line; *ret_body is the end of the body, *ret_next the start of the
 * next line. */
static int
find_end(struct parser *p, const struct pending *h, struct str d, uint32_t *ret_body,
    uint32_t *ret_next)
{
	uint32_t line = p->pos;

	while (line < p->end) {
		uint32_t from = line, to;
		bool joined;
		int r;

		to = line_end(p, line, !h->redir->inert, &joined);
		while (h->strip && p->s[from] == '\t')
			from++;
		if (line_matches(p, from, to, d, joined)) {
			*ret_body = line;
			*ret_next = to + (to < p->end);
			return 0;
		}
		if ((r = check_sub_line(p, from, to, d)) < 0)
			return r;
		line = to + 1;
	}
	return invalid(p, h->redir->at.start, "this here-document is never ended");
}

/* Copy the bytes of an inert body, without the leading tabs for <<-. */
static int
inert_body(struct parser *p, bool strip, uint32_t to, struct parts *out)
{
	struct str text = str_of(p->s + p->pos, to - p->pos);
	uint32_t from = p->pos;

	if (strip && memchr(text.p, '\t', text.n)) {
		char *copy = arena_alloc(p->a, text.n);
		bool start = true;
		size_t n = 0;

		if (!copy)
			return no_memory(p);
		for (size_t i = 0; i < text.n; i++) {
			if (start && text.p[i] == '\t')
				continue;
			start = text.p[i] == '\n';
			copy[n++] = text.p[i];
		}
		text = str_of(copy, n);
	}
	p->pos = to;
	return part_text(p, out, true, text, from);
}

static int
live_body(struct parser *p, bool strip, uint32_t to, struct parts *out)
{
	struct window w = window_open(p, to);
	int r;

	while (strip && p->s[p->pos] == '\t')
		p->pos++;
	r = nest(p);
	if (r == 0)
		r = quote_text(p, CX_QUOTED | CX_DOUBLE | CX_HEREDOC, strip, out);
	unnest(p);
	window_close(p, w);
	if (r < 0)
		return r;
	return p->pos == to ? 0 : invalid(p, p->pos, "unexpected end of a here-document");
}

static int
body_read(struct parser *p, const struct pending *h)
{
	struct parts parts = { NULL, NULL };
	uint32_t start = p->pos, to, next;
	struct str delimiter;
	bool quoted;
	int r;

	if ((r = delimiter_text(p, h->redir->target, &quoted, &delimiter)) < 0)
		return r;
	if ((r = find_end(p, h, delimiter, &to, &next)) < 0)
		return r;
	if (h->redir->inert)
		r = inert_body(p, h->strip, to, &parts);
	else
		r = live_body(p, h->strip, to, &parts);
	if (r < 0 || (r = word_finish(p, start, &parts, &h->redir->body)) < 0)
		return r;
	p->pos = next;
	return 0;
}

int
heredoc_bodies(struct parser *p)
{
	const unsigned base = p->pending_base, n = p->npending;
	int r;

	/* Here-documents inside a body are queued after ours. */
	p->pending_base = n;
	for (unsigned i = base; i < n; i++)
		if ((r = body_read(p, &p->pending[i])) < 0)
			return r;
	p->npending = p->pending_base = base;
	return 0;
}
