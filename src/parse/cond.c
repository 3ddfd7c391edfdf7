#include "parse/parser.h"

static int cond_or(struct parser *p, struct cond **ret);

/* Return NULL if the arena is full. */
static struct cond *
cond_new(struct parser *p, enum cond_kind kind)
{
	struct cond *c = arena_alloc(p->a, sizeof *c);

	if (c)
		*c = (struct cond){ .kind = kind };
	return c;
}

static int
cond_newlines(struct parser *p)
{
	int c = skip_blanks(p);

	if (c == '\n' && p->npending > p->pending_base)
		return refuse(p, p->pos, "a here-document begins inside [[ ]]");
	return c == '\n' ? skip_newlines(p) : c;
}

static bool
at_cond_end(struct parser *p)
{
	uint32_t end;

	return reserved_at(p, &end) == RES_COND_END;
}

/* True at && or ||. */
static bool
at_twice(const struct parser *p, char c)
{
	return p->s[p->pos] == c && p->s[pos_after(p, p->pos)] == c;
}

static int
operand_read(struct parser *p, unsigned flags, struct word **ret)
{
	int c = skip_blanks(p), r;
	struct str text;

	if (c < 0)
		return c;
	if ((!at_word(p) && !((flags & WORD_REGEX) && (c == '(' || c == '|'))) ||
	    at_cond_end(p))
		return invalid(p, p->pos, "an operand is missing in [[ ]]");
	if ((r = word_read(p, flags, ret)) < 0)
		return r;
	/* Even here bash reads 2< and {x}< as the start of a redirection. */
	text = word_plain(*ret);
	c = (unsigned char)cur(p);
	if ((c == '<' || c == '>') && text.p && text.n > 0 &&
	    (char_is(text.p[0], CH_DIGIT) || text.p[0] == '{'))
		return invalid(p, p->pos, "a blank is needed before < and > in [[ ]]");
	return 0;
}

static bool
is_unary(struct str s)
{
	return s.p && s.n == 2 && s.p[0] == '-' &&
	       strchr("abcdefghknoprstuvwxzGLNORS", s.p[1]);
}

static bool
is_binary(struct str s)
{
	static const char ops[][4] = { "=", "==", "!=", "=~", "-eq", "-ne", "-lt", "-le",
		"-gt", "-ge", "-nt", "-ot", "-ef" };

	for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
		if (str_is(s, ops[i]))
			return true;
	return false;
}

/* True at < or > as a comparison, not as the start of a longer operator. */
static bool
at_compare(const struct parser *p, int c)
{
	uint32_t next = pos_after(p, p->pos);

	return (c == '<' || c == '>') && !strchr("<>&|(", p->s[next] ? p->s[next] : '<');
}

/* Read an operator and the second operand, if the term does not end here. */
static int
binary_read(struct parser *p, struct cond *term)
{
	unsigned flags = WORD_PLAIN;
	int c = skip_blanks(p), r;

	if (c < 0)
		return c;
	if (c == ')' || at_twice(p, '&') || at_twice(p, '|') || at_cond_end(p))
		return 0;
	term->kind = COND_BINARY;
	if (at_compare(p, c)) {
		p->pos++;
		term->op = str_of(p->s + p->pos - 1, 1);
	} else {
		if ((r = run_read(p, CH_SPECIAL, &term->op)) < 0)
			return r;
		if (!is_binary(term->op) || !char_is(p->s[p->pos], CH_BREAK) ||
		    at_process(p, p->pos))
			return invalid(p, p->pos, "an operator was expected in [[ ]]");
		if (str_is(term->op, "=~"))
			flags = WORD_REGEX;
		else if (term->op.p[0] == '=' || term->op.p[0] == '!')
			flags = WORD_PATTERN;
	}
	if ((r = operand_read(p, flags, &term->b)) < 0)
		return r;
	c = cond_newlines(p);
	return c < 0 ? c : 0;
}

static int
cond_group(struct parser *p, struct cond *term)
{
	int c, r;

	term->kind = COND_GROUP;
	p->pos++;
	if ((r = cond_or(p, &term->left)) < 0)
		return r;
	if (p->s[p->pos] != ')')
		return invalid(p, p->pos, ") expected in [[ ]]");
	p->pos++;
	c = cond_newlines(p);
	return c < 0 ? c : 0;
}

static int
cond_operands(struct parser *p, struct cond *term)
{
	struct str text;
	int c, r;

	if ((r = operand_read(p, WORD_PLAIN, &term->a)) < 0)
		return r;
	text = word_plain(term->a);
	if (!is_unary(text))
		return binary_read(p, term);
	term->kind = COND_UNARY;
	term->op = text;
	if ((r = operand_read(p, WORD_PLAIN, &term->a)) < 0)
		return r;
	c = cond_newlines(p);
	return c < 0 ? c : 0;
}

static int
cond_term(struct parser *p, struct cond **ret)
{
	struct cond *term;
	uint32_t end;
	int c, r;

	if ((c = cond_newlines(p)) < 0)
		return c;
	if ((r = nest(p)) < 0)
		return r;
	term = cond_new(p, COND_WORD);
	if (!term)
		return no_memory(p);
	if (c == '(') {
		r = cond_group(p, term);
	} else if (reserved_at(p, &end) == RES_BANG) {
		term->kind = COND_NOT;
		p->pos = end;
		r = cond_term(p, &term->left);
	} else {
		r = cond_operands(p, term);
	}
	if (r < 0)
		return r;
	unnest(p);
	*ret = term;
	return 0;
}

/* Read a chain of && or ||. It is right-associative as in bash, so each link is one level
 * deeper. */
static int
cond_chain(struct parser *p, char op, struct cond **ret)
{
	struct cond *left = NULL, *c;
	int r;

	if (op == '&')
		r = cond_term(p, &left);
	else
		r = cond_chain(p, '&', &left);
	if (r < 0)
		return r;
	*ret = left;
	if (!at_twice(p, op))
		return 0;
	if ((r = nest(p)) < 0)
		return r;
	p->pos = pos_after(p, p->pos) + 1;
	c = cond_new(p, op == '&' ? COND_AND : COND_OR);
	if (!c)
		return no_memory(p);
	c->left = left;
	if ((r = cond_chain(p, op, &c->right)) < 0)
		return r;
	unnest(p);
	*ret = c;
	return 0;
}

static int
cond_or(struct parser *p, struct cond **ret)
{
	return cond_chain(p, '|', ret);
}

/* Read the expression after `[[`. */
int
cond_read(struct parser *p, struct node *n)
{
	uint32_t end;
	int r = cond_or(p, &n->expr);

	if (r < 0)
		return r;
	if (reserved_at(p, &end) != RES_COND_END)
		return invalid(p, p->pos, "]] expected");
	p->pos = end;
	return 0;
}
