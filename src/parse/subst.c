#include "parse/parser.h"

/*
 * Rule H. Since 5.2 bash prints the commands it read inside $( ) back to text and runs that
 * text. It prints a here-document correctly only at the very end: in the first or last
 * command of the last pipeline, if that has only simple commands. In `a <<E | for x in y;
 * do b; c; done` it loses the ; and runs `b c`.
 */
static int
check_heredocs(struct parser *p, const struct list *body, uint32_t start)
{
	const struct pipeline *pl = body->first;
	const struct node *last = NULL;
	bool plain;

	while (pl && pl->next)
		pl = pl->next;
	plain = pl && pl->after == AFTER_END && !pl->timed && pl->first;
	for (const struct node *n = plain ? pl->first : NULL; n; n = n->next) {
		plain = plain && n->kind == NODE_SIMPLE;
		last = n;
	}
	if (plain && p->first_heredoc >= pl->first->at.start &&
	    (p->last_heredoc < pl->first->at.end || p->first_heredoc >= last->at.start))
		return 0;
	return refuse(p, start,
	    "bash runs a here-document in $( ) wrongly unless it is in the last command");
}

/* Rule T. bash 5.2.15 cannot read `time` at the start of $( ) unless a simple command
 * follows. */
static int
check_time(struct parser *p, const struct list *body, uint32_t start)
{
	const struct pipeline *pl = body->first;

	const struct node *n = pl ? pl->first : NULL;
	bool plain = n && n->kind == NODE_SIMPLE;

	for (const struct assign *a = plain ? n->simple.assigns : NULL; a; a = a->next)
		plain = plain && !a->array;
	for (const struct word *w = plain ? n->simple.words : NULL; w; w = w->next)
		plain = plain && !w->assign;
	if (pl && pl->timed && !plain)
		return refuse(p, start,
		    "bash 5.2 cannot read `time` with this command at the start of $( )");
	return 0;
}

/* Read the commands from after the ( to after the ). */
static int
body_read(struct parser *p, uint32_t start, struct list **ret)
{
	const bool in_sub = p->in_sub, no_newline = p->no_newline;
	const unsigned base = p->pending_base;
	const uint32_t heredocs = p->heredocs;
	const uint32_t first = p->first_heredoc, last = p->last_heredoc;
	const int cases = p->cases;
	uint32_t end;
	bool timed;
	int c, r;

	if ((r = nest(p)) < 0)
		return r;
	/* How bash treats a newline here was verified only for the outermost $( ). */
	p->no_newline = no_newline || (in_sub && p->npending > base);
	p->in_sub = true;
	p->pending_base = p->npending;
	p->heredocs = 0;
	p->cases = 0;
	if ((c = skip_newlines(p)) < 0)
		return c;
	timed = reserved_at(p, &end) == RES_TIME;
	if ((r = list_read(p, ret)) < 0)
		return r;
	if (timed && (r = check_time(p, *ret, start)) < 0)
		return r;
	if (p->s[p->pos] != ')')
		return invalid(p, p->s[p->pos] ? p->pos : start,
		    p->s[p->pos] ? "unexpected token inside $( )"
				 : "this ( is never closed");
	if (p->npending > p->pending_base)
		return refuse(
		    p, p->pos, "the body of a here-document would follow after the )");
	if (p->heredocs && (r = check_heredocs(p, *ret, start)) < 0)
		return r;
	p->pos++;
	p->in_sub = in_sub;
	p->no_newline = no_newline;
	p->pending_base = base;
	p->heredocs = heredocs;
	p->cases = cases;
	p->first_heredoc = first;
	p->last_heredoc = last;
	unnest(p);
	return 0;
}

static int
sub_part(struct parser *p, unsigned cx, uint32_t start, struct sub sub, struct parts *out)
{
	bool process = sub.how == SUB_IN || sub.how == SUB_OUT;
	struct sub *copy = arena_alloc(p->a, sizeof *copy);
	struct part *part;
	int r;

	if (!copy)
		return no_memory(p);
	*copy = sub;
	r = part_add(
	    p, out, process ? PART_PROCESS : PART_COMMAND, cx & CX_QUOTED, start, &part);
	if (r < 0)
		return r;
	part->sub = copy;
	return 0;
}

/* Like body_read(), but unless `must_end` is 0 the ) must be there. */
static int
body_up_to(struct parser *p, uint32_t start, uint32_t must_end, struct list **ret)
{
	int r = body_read(p, start, ret);

	if (r < 0)
		return r;
	if (must_end && p->pos != must_end + 1)
		return refuse(p, start, "it is not certain where this (( ends: write ( (");
	return 0;
}

int
command_sub_read(
    struct parser *p, unsigned cx, uint32_t start, uint32_t must_end, struct parts *out)
{
	struct sub sub = { .how = SUB_DOLLAR };
	int r = body_up_to(p, start, must_end, &sub.body);

	return r < 0 ? r : sub_part(p, cx, start, sub, out);
}

int
process_read(struct parser *p, struct parts *out)
{
	uint32_t start = p->pos, end = 0;
	struct sub sub = { .how = p->s[start] == '<' ? SUB_IN : SUB_OUT };
	struct retry again;
	int r;

	r = dialect_only_bash(p, start, "sh and bash differ: <( ) and >( )");
	if (r < 0)
		return r;
	p->pos = pos_after(p, start) + 1;
	if (cur(p) == '(') {
		again = retry_mark(p);
		if ((r = paren_end(p, &again, &end)) < 0)
			return r;
	}
	p->retries += end != 0;
	if ((r = body_up_to(p, start, end, &sub.body)) < 0)
		return r;
	p->retries -= end != 0;
	return sub_part(p, 0, start, sub, out);
}

/* The position of the closing backquote, or the end. */
static uint32_t
backquote_end(const struct parser *p, uint32_t i)
{
	while (p->s[i] != '`' && p->s[i] != '\0')
		i += p->s[i] == '\\' && p->s[i + 1] != '\0' ? 2 : 1;
	return i;
}

/* Remove the level of backslashes that belongs to the backquote. */
static int
unescape(struct parser *p, unsigned cx, uint32_t to, struct str *ret)
{
	const bool in_double = (cx & CX_DOUBLE) && !(cx & CX_HEREDOC);
	char *text = arena_alloc(p->a, to - p->pos + 2);
	size_t n = 0;

	if (!text)
		return no_memory(p);
	for (uint32_t i = p->pos; i < to; i++) {
		char c = p->s[i], next = p->s[i + 1];

		if (c == '\\' && next == '\n') {
			i++;
			continue;
		}
		if (c == '\\' && next == '"' && (cx & CX_NESTED))
			return refuse(p, i, "\\\" inside ` ` inside ${ } inside quotes");
		if (c == '\\' && (next == '$' || next == '`' || next == '\\' ||
				     (next == '"' && in_double)))
			c = p->s[++i];
		text[n++] = c;
	}
	text[n] = text[n + 1] = '\0';
	*ret = str_of(text, n);
	return 0;
}

/* Parse the text between backquotes as a source of its own. */
static int
inner_read(struct parser *p, struct str text, struct list **ret)
{
	struct parser inner;
	int r;

	/* Copy all but the array of pending here-documents, which begins empty. */
	memcpy(&inner, p, offsetof(struct parser, pending));
	inner.s = (char *)(uintptr_t)text.p;
	inner.pos = 0;
	inner.res_pos = NO_POS;
	inner.end = (uint32_t)text.n;
	inner.in_sub = inner.no_newline = false;
	inner.npending = inner.pending_base = 0;
	inner.retries = inner.cases = 0;
	if ((r = list_read(&inner, ret)) < 0)
		return r;
	if (inner.s[inner.pos] != '\0')
		return invalid(&inner, inner.pos, "unexpected token inside backquotes");
	if (inner.npending)
		return invalid(&inner, inner.pos, "here-document without a body");
	p->words = inner.words;
	p->commands = inner.commands;
	p->retried = inner.retried;
	return 0;
}

int
backquote_read(struct parser *p, unsigned cx, struct parts *out)
{
	uint32_t start = p->pos, to = backquote_end(p, start + 1);
	struct sub sub = { .how = SUB_BACKQUOTE };
	int r;

	if (p->s[to] != '`')
		return invalid(p, start, "this ` is never closed");
	if ((r = nest(p)) < 0)
		return r;
	p->pos++;
	if ((r = unescape(p, cx, to, &sub.text)) < 0)
		return r;
	if ((r = inner_read(p, sub.text, &sub.body)) < 0) {
		if (p->err) /* a position in the inner text means nothing to the caller */
			p->err->at = start;
		return r;
	}
	p->pos = to + 1;
	unnest(p);
	return sub_part(p, cx, start, sub, out);
}
