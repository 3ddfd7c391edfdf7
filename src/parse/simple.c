#include "parse/parser.h"
#include <assert.h>

/* The simple command being read. */
struct simple {
	struct assign *assigns, **assign_tail;
	struct word *words, **word_tail;
	struct redir *redirs, **redir_tail;
	bool declares;   /* declare and the like: arguments may be arrays */
	bool assigned;   /* an assignment was read */
	bool redir_last; /* the last item was a redirection */
	uint32_t end;
};

static bool
is_declaration(const struct word *w)
{
	static const char names[][9] = { "declare", "export", "local", "readonly",
		"typeset" };
	struct str text = word_plain(w);

	for (size_t i = 0; text.p && i < sizeof names / sizeof *names; i++)
		if (str_is(text, names[i]))
			return true;
	return false;
}

static void
add_redir(struct simple *c, struct redir *r)
{
	*c->redir_tail = r;
	c->redir_tail = &r->next;
	c->redir_last = true;
	c->declares = false; /* bash forgets it after any operator */
}

/* Add a word, unless it is the {var} of a redirection. */
static int
add_word(struct parser *p, struct simple *c, struct word *w)
{
	char next = cur(p);
	struct redir *r = NULL;
	int res;

	if ((next == '<' || next == '>') && p->s[w->at.start] == '{' &&
	    (res = redir_var_read(p, w, &r)) < 0)
		return res;
	if (r) {
		add_redir(c, r);
		return 0;
	}
	if (!c->words)
		c->declares = is_declaration(w);
	*c->word_tail = w;
	c->word_tail = &w->next;
	return 0;
}

/* Read an assignment or the command name. */
static int
prefix_read(struct parser *p, struct simple *c)
{
	bool arrays = !(c->assigned && c->redir_last);
	struct assign *assign;
	struct word *w = NULL;
	int r;

	if ((r = assign_or_word(p, arrays, &assign, &w)) < 0)
		return r;
	c->redir_last = false;
	assert(assign || w);
	if (!assign)
		return add_word(p, c, w);
	*c->assign_tail = assign;
	c->assign_tail = &assign->next;
	c->assigned = true;
	return 0;
}

static int
argument_read(struct parser *p, struct simple *c)
{
	struct assign *assign = NULL;
	struct word *w;
	int r;

	if (at_process(p, p->pos))
		c->declares = false;
	if (c->declares && (r = assign_argument(p, &assign)) < 0)
		return r;
	if (!assign) {
		if ((r = word_read(p, WORD_PLAIN, &w)) < 0)
			return r;
		return add_word(p, c, w);
	}
	if ((r = word_new(p, &w)) < 0)
		return r;
	w->assign = assign;
	w->at = assign->at;
	return add_word(p, c, w);
}

/* Read name ( ), valid only as the first and only word. */
static int
function_short(struct parser *p, const struct simple *c, uint32_t start, struct node **ret)
{
	struct str name = c->words ? word_plain(c->words) : str_of(NULL, 0);

	if (!c->words || c->words->next || c->assigns || c->redirs)
		return invalid(p, p->pos, "unexpected (");
	if (!name.p)
		return refuse(p, start, "a function name with quotes or expansions");
	p->pos++;
	if (skip_blanks(p) != ')')
		return invalid(p, p->pos, "unexpected (");
	p->pos++;
	return function_body(p, start, name, ret);
}

/*
 * >f if: here `if` is a plain word. But inside $( ) bash prints the redirection last, and
 * then reads a reserved word. Nobody writes this, so refuse it everywhere.
 */
static int
check_first_word(struct parser *p, const struct simple *c)
{
	if (!c->words || !c->redirs || c->assigns ||
	    c->words->at.start < c->redirs->at.start)
		return 0;
	if (reserved_find(word_plain(c->words)) == RES_NONE)
		return 0;
	return refuse(p, c->words->at.start, "a reserved word after a redirection");
}

static int
simple_finish(struct parser *p, const struct simple *c, uint32_t start, struct node **ret)
{
	struct node *n;
	int r;

	if (!c->words && !c->assigns && !c->redirs)
		return invalid(p, p->pos,
		    p->s[p->pos] ? "a command was expected here"
				 : "the text ends too early");
	if ((r = check_first_word(p, c)) < 0)
		return r;
	if (++p->commands > LIMIT_COMMANDS)
		return fail(p, CORDON_ELIMIT, start, "too many commands");
	if ((r = node_new(p, NODE_SIMPLE, start, &n)) < 0)
		return r;
	n->simple.assigns = c->assigns;
	n->simple.words = c->words;
	n->redirs = c->redirs;
	n->at.end = c->end;
	p->reserved_ok = false;
	*ret = n;
	return 0;
}

int
simple_read(struct parser *p, struct node **ret)
{
	struct simple c;
	uint32_t start = p->pos;
	struct redir *redir;
	int next, r;

	c.assigns = NULL, c.words = NULL, c.redirs = NULL;
	c.assign_tail = &c.assigns, c.word_tail = &c.words, c.redir_tail = &c.redirs;
	c.declares = c.assigned = c.redir_last = false;
	c.end = start;
	for (;;) {
		if ((next = skip_blanks(p)) < 0)
			return next;
		if (at_redir(p)) {
			if ((r = redir_read(p, &redir)) == 0)
				add_redir(&c, redir);
		} else if (next == '(') {
			return function_short(p, &c, start, ret);
		} else if (!at_word(p)) {
			return simple_finish(p, &c, start, ret);
		} else {
			r = c.words ? argument_read(p, &c) : prefix_read(p, &c);
		}
		if (r < 0)
			return r;
		c.end = p->pos;
	}
}
