#include "parse/parser.h"

static int
assign_new(struct parser *p, struct str name, uint32_t start, struct assign **ret)
{
	struct assign *a = arena_alloc(p->a, sizeof *a);

	if (!a)
		return no_memory(p);
	*a = (struct assign){ .name = name, .at = { start, start } };
	*ret = a;
	return 0;
}

/* Skip = or +=; return 1 if there was one. */
static int
equals_take(struct parser *p, bool *ret_append)
{
	char c = cur(p);

	*ret_append = c == '+' && p->s[pos_after(p, p->pos)] == '=';
	if (c != '=' && !*ret_append)
		return 0;
	p->pos = (*ret_append ? pos_after(p, p->pos) : p->pos) + 1;
	return 1;
}

/* Read the value of x=, which may be empty. */
static int
value_read(struct parser *p, struct word **ret)
{
	struct parts parts = { NULL, NULL };
	uint32_t start = p->pos;
	int r = word_parts(p, WORD_PLAIN, &parts);

	return r < 0 ? r : word_finish(p, start, &parts, ret);
}

/*
 * [ ] was read as a subscript, but no = follows: continue as a word. Refuse it if the two
 * readings differ.
 */
static int
bracket_word(struct parser *p, uint32_t start, struct word **ret)
{
	struct parts parts = { NULL, NULL };
	int r;

	for (uint32_t i = start; i < p->pos; i++)
		if (char_is(p->s[i], CH_BREAK) || strchr("'\"\\$`", p->s[i]))
			return refuse(p, start,
			    "[ ] that is neither a subscript nor a plain pattern");
	if ((r = part_slice(p, &parts, false, start, p->pos)) < 0)
		return r;
	if ((r = word_parts(p, WORD_PLAIN, &parts)) < 0)
		return r;
	return word_finish(p, start, &parts, ret);
}

/* Read one element of =( ). */
static int
element_read(struct parser *p, struct element *e)
{
	uint32_t start = p->pos;
	struct word *sub;
	int r;

	if (p->s[start] != '[')
		return word_read(p, WORD_PLAIN, &e->value);
	p->pos++;
	if ((r = subscript_read(p, 0, &sub)) < 0)
		return r;
	if (!equals_take(p, &e->append))
		return bracket_word(p, start, &e->value);
	e->subscript = sub;
	return value_read(p, &e->value);
}

/* Read the elements from after the ( to after the ). */
static int
array_read(struct parser *p, struct assign *a)
{
	struct element **tail = &a->elements;
	uint32_t open = p->pos - 1;
	int c, r;

	a->array = true;
	r = dialect_only_bash(p, open, "sh and bash differ: arrays");
	if (r < 0)
		return r;
	if ((r = nest(p)) < 0)
		return r;
	while ((c = skip_blanks(p)) != ')') {
		if (c < 0)
			return c;
		if (c == '\n' && p->npending > p->pending_base)
			return refuse(p, p->pos, "a here-document begins inside an array");
		if (c == '\n') {
			if ((c = skip_newlines(p)) < 0)
				return c;
			continue;
		}
		if (c == '\0')
			return invalid(p, open, "this ( is never closed");
		if (!at_word(p))
			return invalid(p, p->pos, "unexpected token in an array");
		*tail = arena_alloc(p->a, sizeof **tail);
		if (!*tail)
			return no_memory(p);
		**tail = (struct element){ 0 };
		if ((r = element_read(p, *tail)) < 0)
			return r;
		tail = &(*tail)->next;
	}
	p->pos++;
	unnest(p);
	if (!char_is(cur(p), CH_BREAK))
		return refuse(p, p->pos, "a word continues after the ) of an array");
	return 0;
}

/* Read the value after = or +=. */
static int
assign_value(struct parser *p, bool arrays, struct assign *a)
{
	int r;

	if (cur(p) == '(') {
		if (!arrays)
			return invalid(p, p->pos, "an array cannot be assigned here");
		if (a->subscript)
			return refuse(p, p->pos, "an array cannot be an element");
		p->pos++;
		r = array_read(p, a);
	} else {
		r = value_read(p, &a->value);
	}
	a->at.end = p->pos;
	return r;
}

/* Read a name if =, += or [ follows; else .n is 0 and `pos` is unchanged. */
static int
name_read(struct parser *p, struct str *ret)
{
	uint32_t start = p->pos, i = start, next;
	int r;

	*ret = str_of(NULL, 0);
	if (!char_starts_name(p->s[i]))
		return 0;
	while (!char_is(p->s[i], CH_NONAME))
		i = pos_after(p, i);
	next = pos_after(p, i);
	if (p->s[i] != '=' && p->s[i] != '[' && !(p->s[i] == '+' && p->s[next] == '='))
		return 0;
	if ((r = run_read(p, CH_NONAME, ret)) < 0)
		return r;
	return 0;
}

int
assign_or_word(
    struct parser *p, bool arrays, struct assign **ret_assign, struct word **ret_word)
{
	uint32_t start = p->pos;
	struct word *sub = NULL;
	struct str name;
	bool append;
	int r;

	*ret_assign = NULL;
	if ((r = name_read(p, &name)) < 0)
		return r;
	if (name.n == 0)
		return word_read(p, WORD_PLAIN, ret_word);
	if (p->s[p->pos] == '[') {
		if (!arrays)
			return refuse(p, p->pos, "a subscript where bash may end the word");
		if (p->sh)
			return refuse(p, p->pos, "sh and bash differ: arrays");
		p->pos++;
		if ((r = subscript_read(p, 0, &sub)) < 0)
			return r;
	}
	if (!equals_take(p, &append))
		return bracket_word(p, start, ret_word);
	if (append && p->sh)
		return refuse(p, start, "sh and bash differ: +=");
	if ((r = assign_new(p, name, start, ret_assign)) < 0)
		return r;
	(*ret_assign)->subscript = sub;
	(*ret_assign)->append = append;
	return assign_value(p, arrays, *ret_assign);
}

int
assign_argument(struct parser *p, struct assign **ret)
{
	uint32_t start = p->pos;
	struct str name;
	bool append;
	int r;

	*ret = NULL;
	if ((r = name_read(p, &name)) < 0)
		return r;
	if (name.n > 0 && equals_take(p, &append) && cur(p) == '(') {
		if ((r = assign_new(p, name, start, ret)) < 0)
			return r;
		(*ret)->append = append;
		return assign_value(p, true, *ret);
	}
	p->pos = start;
	return 0;
}
