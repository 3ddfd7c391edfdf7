#include "parse/parser.h"

int
node_new(struct parser *p, enum node_kind kind, uint32_t start, struct node **ret)
{
	struct node *n = arena_alloc(p->a, sizeof *n);

	if (!n)
		return no_memory(p);
	*n = (struct node){ .kind = kind, .at = { start, p->pos } };
	*ret = n;
	return 0;
}

/* Read the redirections and set the end of the span. */
static int
node_finish(struct parser *p, struct node *n)
{
	uint32_t end = p->pos;
	int r = redirs_read(p, &n->redirs);

	if (r < 0)
		return r;
	n->at.end = end;
	for (const struct redir *redir = n->redirs; redir; redir = redir->next)
		n->at.end = redir->at.end;
	return 0;
}

/* Read (( expr )), or ( ( if it is not arithmetic. */
int
paren_read(struct parser *p, struct node **ret)
{
	uint32_t start = p->pos, second = pos_after(p, start);
	const bool twice = p->s[second] == '(';
	struct retry again;
	struct node *n;
	int r;

	if (twice) {
		r = dialect_only_bash(p, start, "sh and bash differ: ((");
		if (r < 0 || (r = node_new(p, NODE_ARITH, start, &n)) < 0)
			return r;
		p->pos = second + 1;
		again = retry_mark(p);
		if ((r = arith_command_read(p, &n->arith)) < 0)
			return r;
		if (n->arith) {
			*ret = n;
			return node_finish(p, n);
		}
		if ((r = retry_from(p, &again)) < 0)
			return r;
	}
	if ((r = node_new(p, NODE_SUBSHELL, start, &n)) < 0 || (r = nest(p)) < 0)
		return r;
	p->pos = second;
	p->retries += twice;
	if ((r = list_needed(p, &n->body)) < 0)
		return r;
	p->retries -= twice;
	if (p->s[p->pos] != ')')
		return invalid(p, p->s[p->pos] ? p->pos : start,
		    p->s[p->pos] ? "unexpected token inside ( )"
				 : "this ( is never closed");
	p->pos++;
	unnest(p);
	*ret = n;
	return node_finish(p, n);
}

static int
group_body(struct parser *p, struct list **ret)
{
	int r;

	if ((r = list_needed(p, ret)) < 0)
		return r;
	return reserved_take(p, RES_CLOSE, "} expected");
}

static int
do_body(struct parser *p, struct list **ret)
{
	int r;

	if ((r = reserved_take(p, RES_DO, "do expected")) < 0)
		return r;
	if ((r = list_needed(p, ret)) < 0)
		return r;
	return reserved_take(p, RES_DONE, "done expected");
}

/* Read do ... done, or { ... }, which for and select accept too. */
static int
loop_body(struct parser *p, struct list **ret)
{
	uint32_t end;
	int r;

	if (reserved_at(p, &end) != RES_OPEN)
		return do_body(p, ret);
	r = dialect_only_bash(p, p->pos, "sh and bash differ: { after for");
	if (r < 0)
		return r;
	p->pos = end;
	return group_body(p, ret);
}

static int
if_read(struct parser *p, struct node *n)
{
	struct branch **tail = &n->cond_list.branches;
	uint32_t end;
	int r;

	for (;;) {
		struct branch *b = arena_alloc(p->a, sizeof *b);

		if (!b)
			return no_memory(p);
		*b = (struct branch){ 0 };
		*tail = b;
		tail = &b->next;
		if ((r = list_needed(p, &b->cond)) < 0 ||
		    (r = reserved_take(p, RES_THEN, "then expected")) < 0 ||
		    (r = list_needed(p, &b->body)) < 0)
			return r;
		switch ((int)reserved_at(p, &end)) {
		case RES_ELIF:
			p->pos = end;
			continue;
		case RES_ELSE:
			p->pos = end;
			if ((r = list_needed(p, &n->cond_list.otherwise)) < 0)
				return r;
			break;
		}
		return reserved_take(p, RES_FI, "fi expected");
	}
}

static int
while_read(struct parser *p, struct node *n)
{
	int r;

	if ((r = list_needed(p, &n->repeat.cond)) < 0)
		return r;
	return do_body(p, &n->repeat.body);
}

/* Read the words after `in`, up to ; or newline. */
static int
loop_words(struct parser *p, struct node *n)
{
	struct word **tail = &n->loop.words;
	uint32_t end;
	int c, r;

	n->loop.has_in = true;
	if ((c = skip_blanks(p)) < 0)
		return c;
	/* bash counts open cases, and this word after any `in` closes one. */
	if (p->cases > 0 && reserved_at(p, &end) == RES_ESAC)
		return invalid(p, p->pos, "bash takes this esac for the end of the case");
	while ((c = skip_blanks(p)) >= 0 && at_word(p)) {
		if ((r = word_read(p, WORD_PLAIN, tail)) < 0)
			return r;
		tail = &(*tail)->next;
	}
	if (c < 0)
		return c;
	if (c != ';' && c != '\n')
		return invalid(
		    p, p->pos, "; or a newline expected after the words of the loop");
	if (p->sh && c == '\n' && p->npending > p->pending_base)
		return refuse(p, p->pos,
		    "sh and bash differ: a here-document after the words of for");
	if (c == ';')
		p->pos++;
	c = skip_newlines(p);
	return c < 0 ? c : 0;
}

/* Read for (( ; ; )). The separator before `do` is optional. */
static int
arith_loop(struct parser *p, struct node *n, uint32_t second)
{
	int c, r;

	n->kind = NODE_ARITH_FOR;
	r = dialect_only_bash(p, p->pos, "sh and bash differ: for ((");
	if (r < 0)
		return r;
	p->pos = second + 1;
	if ((r = arith_for_read(p, n)) < 0)
		return r;
	if ((c = skip_blanks(p)) == ';')
		p->pos++;
	if (c < 0 || (c = skip_newlines(p)) < 0)
		return c;
	return loop_body(p, &n->arith_for.body);
}

/* Read for and select. After the name come `in`, `do`, or ; and `do`. */
static int
loop_read(struct parser *p, struct node *n)
{
	struct word *name;
	uint32_t end;
	int c, r;

	if ((c = skip_blanks(p)) < 0)
		return c;
	if (n->kind == NODE_FOR && c == '(' && p->s[pos_after(p, p->pos)] == '(')
		return arith_loop(p, n, pos_after(p, p->pos));
	if (!at_word(p))
		return invalid(p, p->pos, "a name expected after for");
	if ((r = word_read(p, WORD_PLAIN, &name)) < 0)
		return r;
	n->loop.name = word_plain(name);
	if (!str_is_name(n->loop.name))
		return invalid(
		    p, name->at.start, "the variable of a loop must be a plain name");
	if ((c = skip_blanks(p)) < 0)
		return c;
	if (c == ';') {
		p->pos++;
		if ((c = skip_newlines(p)) < 0)
			return c;
		return loop_body(p, &n->loop.body);
	}
	if (c != '\n' && reserved_at(p, &end) == RES_OPEN)
		return invalid(p, p->pos, "; or a newline expected before {");
	if ((c = skip_newlines(p)) < 0)
		return c;
	if (reserved_at(p, &end) == RES_IN) {
		p->pos = end;
		if ((r = loop_words(p, n)) < 0)
			return r;
	}
	return loop_body(p, &n->loop.body);
}

int
function_body(struct parser *p, uint32_t start, struct str name, struct node **ret)
{
	enum reserved which = RES_NONE;
	struct node *n;
	uint32_t end;
	int c, r;

	if (p->sh && !str_is_name(name))
		return refuse(p, start, "sh and bash differ: this function name");
	if ((c = skip_newlines(p)) < 0 || (r = nest(p)) < 0)
		return c < 0 ? c : r;
	if ((r = node_new(p, NODE_FUNCTION, start, &n)) < 0)
		return r;
	n->function.name = name;
	if (c == '(') {
		r = paren_read(p, &n->function.body);
	} else {
		which = reserved_at(p, &end);
		if (!reserved_opens(which))
			return invalid(
			    p, p->pos, "a function body must be a compound command");
		r = compound_read(p, which, end, &n->function.body);
	}
	if (r < 0)
		return r;
	unnest(p);
	n->at.end = n->function.body->at.end;
	*ret = n;
	return 0;
}

int
function_read(struct parser *p, struct node **ret)
{
	uint32_t start = p->pos, close;
	struct word *w;
	struct str name;
	int c, r;

	r = dialect_only_bash(p, start, "sh and bash differ: function");
	if (r < 0)
		return r;
	if ((c = skip_blanks(p)) < 0)
		return c;
	if (!at_word(p))
		return invalid(p, p->pos, "a name expected after function");
	if ((r = word_read(p, WORD_PLAIN, &w)) < 0)
		return r;
	name = word_plain(w);
	if (!name.p)
		return refuse(p, start, "a function name with quotes or expansions");
	if ((c = skip_blanks(p)) < 0)
		return c;
	if (c == '(') {
		close = pos_after(p, p->pos);
		while (char_is(p->s[close], CH_BLANK))
			close = pos_after(p, close);
		if (p->s[close] == ')')
			p->pos = close + 1;
	}
	return function_body(p, start, name, ret);
}

bool
reserved_opens(enum reserved which)
{
	static const bool opens[RES_COUNT] = {
		[RES_OPEN] = true,
		[RES_COND] = true,
		[RES_IF] = true,
		[RES_FOR] = true,
		[RES_WHILE] = true,
		[RES_UNTIL] = true,
		[RES_SELECT] = true,
		[RES_CASE] = true,
	};

	return opens[which];
}

static const struct {
	enum reserved which;
	enum node_kind kind;
	const char *only_bash;
	int (*read)(struct parser *p, struct node *n);
} compounds[] = {
	{ RES_IF, NODE_IF, NULL, if_read },
	{ RES_FOR, NODE_FOR, NULL, loop_read },
	{ RES_SELECT, NODE_SELECT, "sh and bash differ: select", loop_read },
	{ RES_WHILE, NODE_WHILE, NULL, while_read },
	{ RES_UNTIL, NODE_UNTIL, NULL, while_read },
	{ RES_CASE, NODE_CASE, NULL, case_read },
	{ RES_COND, NODE_COND, "sh and bash differ: [[", cond_read },
};

int
compound_read(struct parser *p, enum reserved which, uint32_t end, struct node **ret)
{
	uint32_t start = p->pos;
	struct node *n;
	int r;

	if ((r = nest(p)) < 0)
		return r;
	if ((r = node_new(p, NODE_GROUP, start, &n)) < 0)
		return r;
	p->pos = end;
	if (which == RES_OPEN && (r = group_body(p, &n->body)) < 0)
		return r;
	for (size_t i = 0; i < sizeof compounds / sizeof *compounds; i++) {
		if (compounds[i].which != which)
			continue;
		n->kind = compounds[i].kind;
		if (p->sh && compounds[i].only_bash)
			return refuse(p, start, compounds[i].only_bash);
		if ((r = compounds[i].read(p, n)) < 0)
			return r;
	}
	unnest(p);
	*ret = n;
	return node_finish(p, n);
}
