#include "parse/parser.h"

/* Read coproc [NAME] compound, or coproc simple command. */
static int
coproc_inner(struct parser *p, struct node *n)
{
	uint32_t end, start = p->pos;
	struct node *inner;
	int c, r;

	if ((c = skip_blanks(p)) < 0)
		return c;
	if (c == '(')
		return paren_read(p, &n->coproc.inner);
	if (reserved_opens(reserved_at(p, &end)))
		return compound_read(p, reserved_at(p, &end), end, &n->coproc.inner);
	if (reserved_at(p, &end) != RES_NONE && reserved_at(p, &end) != RES_TIME)
		return invalid(p, p->pos, "unexpected reserved word after coproc");
	if ((r = simple_read(p, &inner)) < 0)
		return r;
	if (inner->kind != NODE_SIMPLE)
		return invalid(p, start, "a function cannot be defined after coproc");
	n->coproc.inner = inner;
	return 0;
}

/* Read a plain name if bash would look for a compound command after it. */
static int
coproc_name(struct parser *p, struct str *ret)
{
	uint32_t start, end;
	enum reserved which;
	int c, r;

	*ret = STR("COPROC");
	if ((c = skip_blanks(p)) < 0)
		return c;
	start = p->pos;
	if (!char_starts_name(p->s[start]) || reserved_at(p, &end) != RES_NONE)
		return 0;
	if ((r = run_read(p, CH_NONAME, ret)) < 0)
		return r;
	if (char_is(p->s[p->pos], CH_BLANK | CH_BREAK) && (c = skip_blanks(p)) >= 0) {
		which = reserved_at(p, &end);
		if (c == '(' || reserved_opens(which))
			return 0;
		if (which != RES_NONE && which != RES_TIME)
			return invalid(p, p->pos, "unexpected reserved word after coproc");
	}
	p->pos = start;
	*ret = STR("COPROC");
	return c < 0 ? c : 0;
}

/* A word that is not a plain name cannot be the name of a coprocess, but the same reserved
 * words are errors after it. */
static int
coproc_check(struct parser *p, const struct node *inner)
{
	const struct word *first = inner->kind == NODE_SIMPLE ? inner->simple.words : NULL;
	enum reserved which;
	uint32_t end, at = p->pos;

	if (!first || !first->next || inner->simple.assigns)
		return 0;
	p->pos = first->next->at.start;
	which = reserved_at(p, &end);
	p->pos = at;
	if (which == RES_NONE || which == RES_TIME)
		return 0;
	return invalid(p, first->next->at.start, "unexpected reserved word after coproc");
}

static int
coproc_read(struct parser *p, struct node **ret)
{
	uint32_t start = p->pos;
	struct node *n;
	int r;

	r = dialect_only_bash(p, start, "sh and bash differ: coproc");
	if (r < 0 || (r = nest(p)) < 0)
		return r;
	if ((r = node_new(p, NODE_COPROC, start, &n)) < 0)
		return r;
	if ((r = coproc_name(p, &n->coproc.name)) < 0)
		return r;
	if ((r = coproc_inner(p, n)) < 0)
		return r;
	if ((r = coproc_check(p, n->coproc.inner)) < 0)
		return r;
	/* Inside $( ) bash prints the name COPROC before a simple command, and then runs
	 * it. */
	if (p->in_sub && n->coproc.inner->kind == NODE_SIMPLE)
		return refuse(p, start, "coproc with a simple command inside $( )");
	unnest(p);
	n->at.end = n->coproc.inner->at.end;
	*ret = n;
	return 0;
}

static int
command_read(struct parser *p, struct node **ret)
{
	enum reserved which;
	uint32_t end, start;
	int c, r;

	if ((c = skip_blanks(p)) < 0)
		return c;
	if (c == '(')
		return paren_read(p, ret);
	start = p->pos;
	which = reserved_at(p, &end);
	if (which == RES_NONE)
		return simple_read(p, ret);
	if (which == RES_TIME) {
		r = dialect_only_bash(p, p->pos, "sh and bash differ: time");
		return r < 0 ? r : simple_read(p, ret);
	}
	if (reserved_opens(which))
		return compound_read(p, which, end, ret);
	if (which != RES_FUNCTION && which != RES_COPROC)
		return invalid(p, p->pos, "unexpected reserved word");
	p->pos = end;
	r = which == RES_FUNCTION ? function_read(p, ret) : coproc_read(p, ret);
	if (r == 0)
		(*ret)->at.start = start;
	return r;
}

/* Skip -p and -- after `time`, each at most once and in this order. */
static int
time_options(struct parser *p)
{
	static const struct str options[] = { STR_INIT("-p"), STR_INIT("--") };
	uint32_t start;
	struct str text;
	int c, r;

	for (size_t i = 0; i < 2; i++) {
		if ((c = skip_blanks(p)) < 0)
			return c;
		start = p->pos;
		if ((r = run_read(p, CH_SPECIAL, &text)) < 0)
			return r;
		if (!str_eq(text, options[i]) || !char_is(p->s[p->pos], CH_BREAK) ||
		    at_process(p, p->pos))
			p->pos = start;
	}
	return 0;
}

/* Skip any number of ! and time. Return 1 if they stand alone. */
static int
prefix_read(struct parser *p, struct pipeline *pl)
{
	bool any = false;
	uint32_t end;
	int c, r;

	for (;; any = true) {
		enum reserved which;

		if ((c = skip_blanks(p)) < 0)
			return c;
		which = reserved_at(p, &end);
		if (which != RES_BANG && which != RES_TIME)
			break;
		if (p->sh && (which == RES_TIME || any))
			return refuse(p, p->pos, "sh and bash differ: time and ! !");
		p->pos = end;
		if (which == RES_BANG) {
			pl->negated = !pl->negated;
			continue;
		}
		pl->timed = true;
		if ((r = time_options(p)) < 0)
			return r;
	}
	if (!any || !(c == '\n' || c == '\0' ||
			(c == ';' && p->s[pos_after(p, p->pos)] != ';' &&
			    p->s[pos_after(p, p->pos)] != '&')))
		return 0;
	if (p->sh)
		return refuse(p, p->pos, "sh and bash differ: ! without a command");
	return 1;
}

/* Skip | or |& and the newlines after it. Return 1 if there was one. */
static int
pipe_take(struct parser *p, struct node *left)
{
	uint32_t next, after_pipe, end;
	int c;

	if ((c = skip_blanks(p)) != '|')
		return c < 0 ? c : 0;
	next = pos_after(p, p->pos);
	if (p->s[next] == '|')
		return 0;
	left->pipe_errors = p->s[next] == '&';
	if (left->pipe_errors && p->sh)
		return refuse(p, p->pos, "sh and bash differ: |&");
	p->pos = left->pipe_errors ? next + 1 : next;
	after_pipe = p->pos;
	if ((c = skip_newlines(p)) < 0)
		return c;
	/* After one newline bash reads `time` as a program, after two as an error. */
	if (reserved_at(p, &end) == RES_TIME &&
	    memchr(p->s + after_pipe, '\n', p->pos - after_pipe))
		return refuse(p, p->pos, "`time` on a line of its own after |");
	return 1;
}

static int
pipeline_read(struct parser *p, struct pipeline **ret)
{
	struct pipeline *pl = arena_alloc(p->a, sizeof *pl);
	struct node **tail, *last;
	int r;

	if (!pl)
		return no_memory(p);
	*pl = (struct pipeline){ .at = { p->pos, p->pos } };
	*ret = pl;
	if ((r = prefix_read(p, pl)) != 0) {
		pl->at.end = p->pos;
		return r < 0 ? r : 0;
	}
	tail = &pl->first;
	do {
		if ((r = command_read(p, tail)) < 0)
			return r;
		last = *tail;
		tail = &last->next;
	} while ((r = pipe_take(p, last)) == 1);
	pl->at.end = last->at.end;
	return r;
}

/* Skip the operator after a pipeline. Return 1 if another must follow, 2 if one may, 0 at
 * the end. */
static int
separator_take(struct parser *p, struct pipeline *pl)
{
	uint32_t next;
	int c = skip_blanks(p), must = 0;

	if (c < 0)
		return c;
	if (c == '\n') {
		c = skip_newlines(p);
		return c < 0 ? c : 2;
	}
	if (c != '&' && c != '|' && c != ';')
		return 0;
	next = pos_after(p, p->pos);
	if (c == ';' && (p->s[next] == ';' || p->s[next] == '&'))
		return 0;
	if (c != ';' && p->s[next] == c) {
		pl->after = c == '&' ? AFTER_AND : AFTER_OR;
		next++;
		must = 1;
	} else if (c == '&') {
		pl->after = AFTER_BACKGROUND;
	} else if (c == '|') {
		return invalid(p, p->pos, "unexpected |");
	}
	p->pos = next;
	c = skip_newlines(p);
	return c < 0 ? c : must ? 1 : 2;
}

/* True at the end of a list; the caller checks that it is the right one. */
static bool
at_list_end(struct parser *p)
{
	static const bool ends[RES_COUNT] = {
		[RES_CLOSE] = true,
		[RES_THEN] = true,
		[RES_ELIF] = true,
		[RES_ELSE] = true,
		[RES_FI] = true,
		[RES_DO] = true,
		[RES_DONE] = true,
		[RES_ESAC] = true,
	};
	char c = p->s[p->pos];
	uint32_t end;

	if (c == '\0' || c == ')')
		return true;
	if (c == ';') {
		c = p->s[pos_after(p, p->pos)];
		return c == ';' || c == '&';
	}
	return ends[reserved_at(p, &end)];
}

int
list_read(struct parser *p, struct list **ret)
{
	struct list *list = arena_alloc(p->a, sizeof *list);
	struct pipeline **tail;
	int r;

	if (!list)
		return no_memory(p);
	if ((r = skip_newlines(p)) < 0)
		return r;
	*list = (struct list){ .at = { p->pos, p->pos } };
	tail = &list->first;
	for (r = 2; r == 1 || (r == 2 && !at_list_end(p));) {
		if ((r = pipeline_read(p, tail)) < 0)
			return r;
		list->at.end = (*tail)->at.end;
		if ((r = separator_take(p, *tail)) < 0)
			return r;
		tail = &(*tail)->next;
		if (r == 0 && (!at_list_end(p) ||
				  (!p->reserved_ok && char_is(p->s[p->pos], CH_KEYWORD))))
			return invalid(p, p->pos, "unexpected token after a command");
	}
	*ret = list;
	return 0;
}

int
list_needed(struct parser *p, struct list **ret)
{
	int r = list_read(p, ret);

	if (r < 0)
		return r;
	if (!(*ret)->first)
		return invalid(p, p->pos,
		    p->s[p->pos] ? "a command was expected here"
				 : "the text ends too early");
	return 0;
}
