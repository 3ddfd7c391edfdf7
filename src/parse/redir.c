#include "parse/parser.h"
#include <limits.h>

/* The position of the operator after digits, or 0 if there is none. */
static uint32_t
digits_end(const struct parser *p)
{
	uint32_t i = p->pos;

	while (char_is(p->s[i], CH_DIGIT))
		i = pos_after(p, i);
	if ((p->s[i] != '<' && p->s[i] != '>') || at_process(p, i))
		return 0;
	return i;
}

bool
at_redir(struct parser *p)
{
	char c = p->s[p->pos];

	if (char_is(c, CH_DIGIT))
		return digits_end(p) != 0;
	if (c == '&')
		return p->s[pos_after(p, p->pos)] == '>';
	return (c == '<' || c == '>') && !at_process(p, p->pos);
}

static int
fd_read(struct parser *p, int *ret)
{
	uint32_t end = digits_end(p), start = p->pos;
	long long fd = 0;

	for (uint32_t i = start; i < end; i = pos_after(p, i)) {
		fd = fd * 10 + (p->s[i] - '0');
		if (fd > INT_MAX)
			return refuse(
			    p, start, "this file descriptor is too large for bash");
	}
	if (p->sh && fd > 9)
		return refuse(p, start, "sh and bash differ: descriptors above 9");
	p->pos = end;
	*ret = (int)fd;
	return 0;
}

/* Longest operators first. */
static const struct {
	char text[4];
	enum redir_op op;
	bool only_bash;
} operators[] = {
	{ "&>>", REDIR_BOTH_APPEND, true },
	{ "<<<", REDIR_HERESTRING, true },
	{ "<<-", REDIR_HEREDOC, false },
	{ "&>", REDIR_BOTH, true },
	{ "<<", REDIR_HEREDOC, false },
	{ ">>", REDIR_APPEND, false },
	{ "<&", REDIR_DUP_IN, false },
	{ ">&", REDIR_DUP_OUT, false },
	{ "<>", REDIR_RDWR, false },
	{ ">|", REDIR_CLOBBER, false },
	{ "<", REDIR_IN, false },
	{ ">", REDIR_OUT, false },
};

static int
operator_read(struct parser *p, enum redir_op *ret, bool *ret_strip)
{
	size_t i, n;

	for (i = 0;; i++) {
		uint32_t at = p->pos;

		for (n = 0; operators[i].text[n] && p->s[at] == operators[i].text[n]; n++)
			at = pos_after(p, at);
		if (!operators[i].text[n]) {
			if (operators[i].only_bash && p->sh)
				return refuse(
				    p, p->pos, "sh and bash differ: this redirection");
			p->pos = at;
			break;
		}
	}
	*ret = operators[i].op;
	*ret_strip = operators[i].text[2] == '-';
	return 0;
}

/* >&- takes only the -, whatever follows. */
static int
dash_read(struct parser *p, struct word **ret)
{
	struct parts parts = { NULL, NULL };
	uint32_t start = p->pos;
	int r;

	p->pos++;
	if (!char_is(cur(p), CH_BREAK))
		return refuse(p, start, "bash ends the word after >&- here: add a space");
	if ((r = part_slice(p, &parts, false, start, start + 1)) < 0)
		return r;
	return word_finish(p, start, &parts, ret);
}

static bool
all_digits(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!char_is(s.p[i], CH_DIGIT))
			return false;
	return s.n > 0;
}

/*
 * sh accepts only numbers and - after >& and <&. Unlike bash, it reads a number there that
 * is followed by < or > as the descriptor of the next redirection.
 */
static int
check_dup(struct parser *p, const struct word *target)
{
	struct str text = word_plain(target);

	if (p->sh && all_digits(text) && (cur(p) == '<' || cur(p) == '>'))
		return refuse(p, p->pos, "sh and bash differ: >&1> without a space");
	if (!p->sh || all_digits(text) || str_is(text, "-"))
		return 0;
	return refuse(p, target->at.start, "sh and bash differ: >& with a name");
}

/*
 * In a target, bash reads name[ as the start of an assignment and continues to the ]; after
 * &>> it rejects assignments.
 */
static int
check_assignment(struct parser *p, const struct redir *r)
{
	const struct span at = r->target->at;
	uint32_t i = at.start;

	if (!char_starts_name(p->s[i]))
		return 0;
	while (!char_is(p->s[i], CH_NONAME))
		i = pos_after(p, i);
	if (p->s[i] == '[' && !memchr(p->s + i, ']', at.end - i))
		return refuse(p, at.start, "a redirection target with [ but no ]");
	if (r->op == REDIR_BOTH_APPEND && i < at.end && strchr("=[+", p->s[i]))
		return refuse(p, at.start, "&>> with a target like an assignment");
	return 0;
}

static int
target_read(struct parser *p, struct redir *r)
{
	const bool dup = r->op == REDIR_DUP_IN || r->op == REDIR_DUP_OUT;
	int c = skip_blanks(p), res;
	struct str text;

	if (c < 0)
		return c;
	if (!at_word(p))
		return invalid(p, p->pos, "a redirection needs a target");
	if (dup && c == '-')
		return dash_read(p, &r->target);
	if ((res = word_read(p, WORD_PLAIN, &r->target)) < 0)
		return res;
	if ((res = check_assignment(p, r)) < 0)
		return res;
	/* bash reads a number or {x} here as the start of the next redirection. */
	c = (unsigned char)cur(p);
	text = word_plain(r->target);
	if ((c == '<' || c == '>') && text.p &&
	    ((all_digits(text) && !dup) || text.p[0] == '{'))
		return invalid(p, p->pos, "a redirection without a target");
	return dup ? check_dup(p, r->target) : 0;
}

/* Read the operator and its target; the span begins at `start`. */
static int
redir_finish(struct parser *p, uint32_t start, struct redir *r)
{
	bool strip;
	int res;

	if ((res = operator_read(p, &r->op, &strip)) < 0)
		return res;
	if ((res = target_read(p, r)) < 0)
		return res;
	r->at = (struct span){ start, p->pos };
	return r->op == REDIR_HEREDOC ? heredoc_begin(p, r, strip) : 0;
}

static int
redir_new(struct parser *p, struct redir **ret)
{
	struct redir *r = arena_alloc(p->a, sizeof *r);

	if (!r)
		return no_memory(p);
	*r = (struct redir){ .fd = -1 };
	*ret = r;
	return 0;
}

int
redir_read(struct parser *p, struct redir **ret)
{
	uint32_t start = p->pos;
	struct redir *r;
	int res;

	if ((res = redir_new(p, &r)) < 0)
		return res;
	if (char_is(p->s[start], CH_DIGIT) && (res = fd_read(p, &r->fd)) < 0)
		return res;
	if ((res = redir_finish(p, start, r)) < 0)
		return res;
	*ret = r;
	return 0;
}

/* Remove unquoted text parts without bytes. */
static struct part *
without_empty(struct part *first)
{
	for (struct part **at = &first; *at;) {
		if ((*at)->kind == PART_TEXT && !(*at)->quoted && (*at)->text.n == 0)
			*at = (*at)->next;
		else
			at = &(*at)->next;
	}
	return first;
}

/* {name[sub]}: cut the word's parts down to the subscript. */
static int
cut_subscript(struct parser *p, const struct word *w, size_t skip, struct word **ret)
{
	struct part *last = w->parts;
	size_t brackets = 0;
	int r;

	for (struct part *part = w->parts; part; part = part->next) {
		last = part;
		for (size_t i = 0; part->kind == PART_TEXT && i < part->text.n; i++)
			brackets += part->text.p[i] == '[' || part->text.p[i] == ']';
	}
	if (brackets != 2 || last->kind != PART_TEXT || last->quoted ||
	    !str_ends(last->text, STR("]}")))
		return refuse(
		    p, w->at.start, "a subscript in {name[ ]}> that is not simple");
	if ((r = word_new(p, ret)) < 0)
		return r;
	(*ret)->at = (struct span){ w->at.start + (uint32_t)skip, w->at.end - 2 };
	w->parts->text = str_skip(w->parts->text, skip);
	w->parts->at.start = (*ret)->at.start;
	last->text.n -= 2;
	last->at.end = (*ret)->at.end;
	(*ret)->parts = without_empty(w->parts);
	if (!(*ret)->parts)
		return invalid(p, w->at.start, "empty subscript");
	return 0;
}

int
redir_var_read(struct parser *p, const struct word *w, struct redir **ret)
{
	const struct part *first = w->parts;
	struct str text, name;
	struct redir *r;
	size_t n = 1;
	int res;

	*ret = NULL;
	if (!first || first->kind != PART_TEXT || first->quoted || p->s[p->pos - 1] != '}')
		return 0;
	text = first->text;
	while (n < text.n && !char_is(text.p[n], CH_NONAME))
		n++;
	name = str_cut(text, 1, n);
	if (!str_is_name(name) || n == text.n || (text.p[n] != '}' && text.p[n] != '['))
		return 0;
	if (text.p[n] == '}' && (n + 1 != text.n || first->next))
		return 0;
	if ((res = redir_new(p, &r)) < 0)
		return res;
	r->var = name;
	if (text.p[n] == '[' && (res = cut_subscript(p, w, n + 1, &r->subscript)) < 0)
		return res;
	if (p->sh)
		return refuse(p, w->at.start, "sh and bash differ: {name}>");
	if ((res = redir_finish(p, w->at.start, r)) < 0)
		return res;
	*ret = r;
	return 0;
}

/* Read {var}> after a compound command; any other word there is an error. */
static int
trailing_var(struct parser *p, struct redir **ret)
{
	uint32_t start = p->pos;
	struct word *w;
	int r;

	if ((r = word_read(p, WORD_PLAIN, &w)) < 0)
		return r;
	*ret = NULL;
	if ((p->s[p->pos] == '<' || p->s[p->pos] == '>') &&
	    (r = redir_var_read(p, w, ret)) < 0)
		return r;
	return *ret ? 0 : invalid(p, start, "unexpected word after a compound command");
}

/* True at {x}; the byte after { tells it from the reserved word. */
static bool
at_var(const struct parser *p)
{
	return p->s[p->pos] == '{' && char_starts_name(p->s[p->pos + 1]);
}

int
redirs_read(struct parser *p, struct redir **ret)
{
	struct redir **tail = ret;
	int c, r;

	p->reserved_ok = true;
	for (;;) {
		if ((c = skip_blanks(p)) < 0)
			return c;
		if (at_var(p))
			r = trailing_var(p, tail);
		else if (at_redir(p))
			r = redir_read(p, tail);
		else
			return 0;
		if (r < 0)
			return r;
		tail = &(*tail)->next;
		p->reserved_ok = false;
	}
}
