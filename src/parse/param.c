#include "parse/parser.h"

/* The context of words after an operator of ${ }, given the context of the ${. */
static unsigned
word_context(unsigned cx)
{
	if (!(cx & CX_DOUBLE))
		return CX_WORD | (cx & (CX_DOUBT | CX_NESTED));
	return (cx & (CX_QUOTED | CX_HEREDOC)) | CX_DOUBLE | CX_PAIRED | CX_NESTED;
}

/* The context of patterns: they quote as usual even inside "...". */
static unsigned
pattern_context(unsigned cx)
{
	if (!(cx & CX_DOUBLE))
		return word_context(cx);
	return CX_ANSI | CX_NESTED | CX_DOUBT;
}

/* Read a word up to } or `split`; *ret_stop is that byte. */
static int
param_word(struct parser *p, unsigned cx, char split, struct word **ret, char *ret_stop)
{
	const struct group g = {
		.close = '}', .split = split, .parens = split == ':', .cx = cx
	};
	struct parts parts = { NULL, NULL };
	uint32_t start = p->pos;
	int c, r;

	c = group_read(p, &g, &parts);
	if (c < 0)
		return c;
	if ((r = word_finish(p, start, &parts, ret)) < 0)
		return r;
	*ret_stop = (char)c;
	return 0;
}

static int
param_arg(struct parser *p, struct param *m, enum param_op op, unsigned cx)
{
	char stop;

	m->op = op;
	return param_word(p, cx, '\0', &m->arg, &stop);
}

/* Skip an operator byte that may be doubled. */
static void
take_doubled(struct parser *p, struct param *m, char c)
{
	p->pos++;
	if (cur(p) == c) {
		m->doubled = true;
		p->pos++;
	}
}

/* ${x/a/b}, from the first slash. */
static int
param_replace(struct parser *p, struct param *m, unsigned cx)
{
	char c, stop;
	int r;

	m->op = PARAM_REPLACE;
	take_doubled(p, m, '/');
	c = cur(p);
	if (c == '/' && m->doubled)
		return refuse(p, p->pos, "three slashes in ${x///y}");
	if (!m->doubled && (c == '#' || c == '%')) {
		m->letter = c;
		p->pos++;
	}
	cx = pattern_context(cx);
	if ((r = param_word(p, cx, '/', &m->arg, &stop)) < 0 || stop != '/')
		return r;
	p->pos++;
	return param_word(p, cx, '\0', &m->arg2, &stop);
}

/* ${x:offset:length}, from after the first colon. */
static int
param_substring(struct parser *p, struct param *m, unsigned cx)
{
	char stop;
	int r;

	m->op = PARAM_SUBSTRING;
	cx = (cx & (CX_QUOTED | CX_HEREDOC)) | CX_DOUBLE | CX_PAIRED | CX_NESTED;
	if (cur(p) == '}')
		return invalid(p, p->pos, "${x:} without an offset");
	if ((r = param_word(p, cx, ':', &m->arg, &stop)) < 0 || stop != ':')
		return r;
	p->pos++;
	if ((r = param_word(p, cx, ':', &m->arg2, &stop)) < 0)
		return r;
	return stop == '}' ? 0
			   : invalid(p, p->pos, "too many colons in ${x:offset:length}");
}

static int
param_transform(struct parser *p, struct param *m)
{
	p->pos++;
	m->letter = cur(p);
	if (!m->letter || !strchr("UuLQEPAKak", m->letter))
		return invalid(p, p->pos, "unknown letter in ${x@letter}");
	m->op = PARAM_TRANSFORM;
	p->pos++;
	return 0;
}

/* Map the byte of :- := :? :+, or of the same without colon; false if it is another. */
static bool
default_op(char c, enum param_op *ret)
{
	switch (c) {
	case '-':
		*ret = PARAM_DEFAULT;
		return true;
	case '=':
		*ret = PARAM_ASSIGN;
		return true;
	case '?':
		*ret = PARAM_ERROR;
		return true;
	case '+':
		*ret = PARAM_ALTERNATE;
		return true;
	default:
		return false;
	}
}

/* Read an operator that only bash has. */
static int
param_bash_op(struct parser *p, struct param *m, unsigned cx, char c)
{
	int r;

	r = dialect_only_bash(p, p->pos, "sh and bash differ: this ${ } operator");
	if (r < 0)
		return r;
	switch (c) {
	case ':':
		p->pos++;
		return param_substring(p, m, cx);
	case '/':
		return param_replace(p, m, cx);
	case '^':
	case ',':
		take_doubled(p, m, c);
		m->letter = c;
		return param_arg(p, m, PARAM_CASE, pattern_context(cx));
	case '~':
		take_doubled(p, m, c);
		m->letter = c;
		return param_arg(p, m, PARAM_CASE, word_context(cx));
	case '@':
		return param_transform(p, m);
	default:
		return invalid(p, p->pos, "bad substitution: unknown operator in ${ }");
	}
}

/* Read the text between the name and the }. */
static int
param_operator(struct parser *p, struct param *m, unsigned cx)
{
	char c = cur(p);
	enum param_op op;

	if (c == '}')
		return 0;
	if (c == ':' && default_op(p->s[pos_after(p, p->pos)], &op)) {
		m->colon = true;
		p->pos = pos_after(p, p->pos);
		c = p->s[p->pos];
	}
	if (default_op(c, &op)) {
		p->pos++;
		return param_arg(p, m, op, word_context(cx));
	}
	if (c == '#' || c == '%') {
		if (p->sh && (cx & CX_DOUBLE))
			return refuse(
			    p, p->pos, "sh and bash differ: a pattern inside quotes");
		take_doubled(p, m, c);
		return param_arg(
		    p, m, c == '#' ? PARAM_PREFIX : PARAM_SUFFIX, pattern_context(cx));
	}
	return param_bash_op(p, m, cx, c);
}

/* Read the subscript, from its [. */
static int
param_subscript(struct parser *p, struct param *m, unsigned cx)
{
	char c;
	uint32_t next;
	int r;

	r = dialect_only_bash(p, p->pos, "sh and bash differ: arrays");
	if (r < 0)
		return r;
	if (!str_is_name(m->name))
		return invalid(
		    p, p->pos, "bad substitution: only a variable has a subscript");
	p->pos++;
	c = cur(p);
	next = pos_after(p, p->pos);
	if ((c == '@' || c == '*') && p->s[next] == ']') {
		m->all = true;
		m->star = c == '*';
		p->pos = next + 1;
		return 0;
	}
	return subscript_read(p, cx, &m->subscript);
}

static bool
is_special(char c)
{
	return c && strchr("@*#?-$!", c);
}

static int
param_name(struct parser *p, struct param *m)
{
	char c = cur(p);

	if (char_is(c, CH_DIGIT)) {
		uint32_t start = p->pos;

		while (char_is(p->s[p->pos], CH_DIGIT))
			p->pos++;
		m->name = str_of(p->s + start, p->pos - start);
		return 0;
	}
	if (char_starts_name(c))
		return run_read(p, CH_NONAME, &m->name);
	if (!is_special(c))
		return invalid(p, p->pos, "bad substitution: no name in ${ }");
	m->name = str_of(p->s + p->pos, 1);
	p->pos++;
	return 0;
}

static int
param_end(struct parser *p, struct param *m, struct param **ret)
{
	if (cur(p) != '}')
		return invalid(p, p->pos, "bad substitution: } expected");
	p->pos++;
	*ret = m;
	return 0;
}

/* ${#x}, from after the #. */
static int
param_length(struct parser *p, struct param *m, unsigned cx, struct param **ret)
{
	int r;

	m->op = PARAM_LENGTH;
	if ((r = param_name(p, m)) < 0)
		return r;
	if (cur(p) == '[' && (r = param_subscript(p, m, cx)) < 0)
		return r;
	if (cur(p) != '}')
		return refuse(p, p->pos, "an operator after ${#");
	return param_end(p, m, ret);
}

/* ${!x}, from after the !. */
static int
param_indirect(struct parser *p, struct param *m, unsigned cx, struct param **ret)
{
	char c, first = cur(p);
	int r;

	r = dialect_only_bash(p, p->pos, "sh and bash differ: ${!x}");
	if (r < 0)
		return r;
	if (is_special(first) && first != '#')
		return refuse(p, p->pos, "${! with a special parameter");
	if ((r = param_name(p, m)) < 0)
		return r;
	c = cur(p);
	if ((c == '*' || c == '@') && p->s[pos_after(p, p->pos)] == '}') {
		m->op = PARAM_NAMES;
		p->pos = pos_after(p, p->pos);
		return param_end(p, m, ret);
	}
	m->indirect = true;
	if (c == '[' && (r = param_subscript(p, m, cx)) < 0)
		return r;
	if (m->all && cur(p) == '}') {
		m->op = PARAM_KEYS;
		m->indirect = false;
		return param_end(p, m, ret);
	}
	if (first == '#' && cur(p) != '}')
		return refuse(p, p->pos, "an operator after ${!#");
	if ((r = param_operator(p, m, cx)) < 0)
		return r;
	return param_end(p, m, ret);
}

/* Read ${, from after the {. */
int
param_read(struct parser *p, unsigned cx, struct param **ret)
{
	struct param *m = arena_alloc(p->a, sizeof *m);
	char c = cur(p);
	int r;

	if (!m)
		return no_memory(p);
	*m = (struct param){ .op = PARAM_PLAIN };
	if (c == '|' || c == '\n' || char_is(c, CH_BLANK) || c == '(')
		return refuse(
		    p, p->pos, "${ command; } runs a command in newer versions of bash");
	if ((c == '#' || c == '!') && p->s[pos_after(p, p->pos)] != '}') {
		p->pos = pos_after(p, p->pos);
		return c == '#' ? param_length(p, m, cx, ret)
				: param_indirect(p, m, cx, ret);
	}
	if ((r = param_name(p, m)) < 0)
		return r;
	if (cur(p) == '[' && (r = param_subscript(p, m, cx)) < 0)
		return r;
	if ((r = param_operator(p, m, cx)) < 0)
		return r;
	return param_end(p, m, ret);
}
