#include "parse/parser.h"

static const struct group arith_group = {
	.open = '(', .close = ')', .cx = CX_DOUBLE | CX_PAIRED | CX_NESTED
};

/* Limit for (( that turn out to be nested subshells: each costs a second pass. */
#define RETRY_MAX 4

struct retry
retry_mark(const struct parser *p)
{
	return (struct retry){ p->pos, p->words, p->commands, p->heredocs, p->first_heredoc,
		p->last_heredoc, p->retried, p->a->used };
}

int
retry_from(struct parser *p, const struct retry *r)
{
	if (p->retried != r->retried || p->retries >= RETRY_MAX)
		return refuse(
		    p, r->pos, "(( that are subshells inside each other: write ( (");
	p->retried++;
	p->pos = r->pos;
	p->words = r->words;
	p->commands = r->commands;
	p->heredocs = r->heredocs;
	p->first_heredoc = r->first_heredoc;
	p->last_heredoc = r->last_heredoc;
	arena_back(p->a, r->used);
	return 0;
}

static int
arith_part(
    struct parser *p, unsigned cx, uint32_t start, struct word *word, struct parts *out)
{
	struct part *part;
	int r = part_add(p, out, PART_ARITH, cx & CX_QUOTED, start, &part);

	if (r < 0)
		return r;
	part->arith = word;
	return 0;
}

/*
 * Find the ) of the ( before `pos` as bash does for ((, by counting. Then return to the
 * saved state, to parse commands.
 */
int
paren_end(struct parser *p, const struct retry *again, uint32_t *ret_end)
{
	struct parts parts = { NULL, NULL };
	int r = group_read(p, &arith_group, &parts);

	if (r < 0)
		return r;
	*ret_end = p->pos;
	return retry_from(p, again);
}

/*
 * bash reads $(( as arithmetic if the ) that closes the inner parenthesis is followed by
 * another ). Else it is $( ( ...: parse again as commands, which must end where the
 * parentheses end.
 */
int
arith_sub_read(struct parser *p, unsigned cx, uint32_t start, struct parts *out)
{
	struct parts parts = { NULL, NULL };
	const struct retry again = retry_mark(p);
	uint32_t from = p->pos, end;
	struct word *word;
	int r;

	if ((r = nest(p)) < 0)
		return r;
	if ((r = group_read(p, &arith_group, &parts)) < 0)
		return r;
	end = pos_after(p, p->pos);
	if (p->s[end] == ')') {
		unnest(p);
		if ((r = word_finish(p, from, &parts, &word)) < 0)
			return r;
		p->pos = end + 1;
		return arith_part(p, cx, start, word, out);
	}
	r = dialect_only_bash(p, start, "sh and bash differ: $(( that is a subshell");
	if (r < 0)
		return r;
	p->pos++;
	if ((r = paren_end(p, &again, &end)) < 0)
		return r;
	unnest(p);
	p->pos--; /* to the second parenthesis */
	p->retries++;
	r = command_sub_read(p, cx, start, end, out);
	p->retries--;
	return r;
}

/* $[ ] ends at the first ], so no ] may occur inside. */
int
arith_old_read(struct parser *p, unsigned cx, uint32_t start, struct parts *out)
{
	struct group g = arith_group;
	struct parts parts = { NULL, NULL };
	uint32_t from = p->pos;
	const char *first = memchr(p->s + from, ']', p->end - from);
	struct word *word;
	int r;

	g.open = '[';
	g.close = ']';
	r = dialect_only_bash(p, start, "sh and bash differ: $[ ]");
	if (r < 0 || (r = nest(p)) < 0)
		return r;
	if ((r = group_read(p, &g, &parts)) < 0)
		return r;
	if (first != p->s + p->pos || memchr(p->s + from, '[', p->pos - from))
		return refuse(p, start, "it is not certain where this $[ ends: use $(( ))");
	unnest(p);
	if ((r = word_finish(p, from, &parts, &word)) < 0)
		return r;
	p->pos++;
	return arith_part(p, cx, start, word, out);
}

int
arith_command_read(struct parser *p, struct word **ret)
{
	struct parts parts = { NULL, NULL };
	uint32_t from = p->pos, end;
	int r;

	if ((r = nest(p)) < 0)
		return r;
	if ((r = group_read(p, &arith_group, &parts)) < 0)
		return r;
	unnest(p);
	end = pos_after(p, p->pos);
	*ret = NULL;
	if (p->s[end] != ')')
		return 0;
	if ((r = word_finish(p, from, &parts, ret)) < 0)
		return r;
	p->pos = end + 1;
	return 0;
}

/* Read one of the three expressions, up to `stop`. */
static int
for_expr(struct parser *p, char stop, struct word **ret)
{
	struct group g = arith_group;
	struct parts parts = { NULL, NULL };
	uint32_t from = p->pos;
	int c, r;

	g.split = ';';
	g.parens = true;
	c = group_read(p, &g, &parts);
	if (c < 0)
		return c;
	if (c != stop)
		return invalid(p, p->pos, "for (( needs three expressions");
	if ((r = word_finish(p, from, &parts, ret)) < 0)
		return r;
	p->pos++;
	return 0;
}

int
arith_for_read(struct parser *p, struct node *n)
{
	int r;

	if ((r = nest(p)) < 0)
		return r;
	if ((r = for_expr(p, ';', &n->arith_for.init)) < 0)
		return r;
	if ((r = for_expr(p, ';', &n->arith_for.test)) < 0)
		return r;
	if ((r = for_expr(p, ')', &n->arith_for.step)) < 0)
		return r;
	unnest(p);
	if (cur(p) != ')')
		return invalid(p, p->pos, "for (( is never closed by ))");
	p->pos++;
	return 0;
}
