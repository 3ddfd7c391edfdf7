#include "parse/parser.h"

/* Read `pattern | pattern )`, from the first pattern. */
static int
patterns_read(struct parser *p, struct case_item *item)
{
	struct word **tail = &item->patterns;
	int c, r;

	for (;;) {
		if ((c = skip_blanks(p)) < 0)
			return c;
		if (!at_word(p))
			return invalid(p, p->pos, "a pattern expected in case");
		if ((r = word_read(p, WORD_PLAIN, tail)) < 0)
			return r;
		tail = &(*tail)->next;
		if ((c = skip_blanks(p)) < 0)
			return c;
		if (c != '|' && c != ')')
			return invalid(p, p->pos, ") expected after the pattern");
		p->pos++;
		if (c == ')')
			return 0;
	}
}

/* Skip ;; ;& or ;;&; return 0 before esac. */
static int
end_read(struct parser *p, enum case_end *ret)
{
	uint32_t second;

	*ret = CASE_BREAK;
	if (p->s[p->pos] != ';')
		return 0;
	second = pos_after(p, p->pos);
	if (p->s[second] == ';' && p->s[pos_after(p, second)] == '&') {
		*ret = CASE_TEST_NEXT;
		second = pos_after(p, second);
	} else if (p->s[second] == '&') {
		*ret = CASE_FALL;
	} else if (p->s[second] != ';') {
		return invalid(p, p->pos, "unexpected ;");
	}
	if (p->sh && *ret != CASE_BREAK)
		return refuse(p, p->pos, "sh and bash differ: ;& and ;;&");
	p->pos = second + 1;
	return 1;
}

/* Read one item. Return 1 if another one may follow. */
static int
item_read(struct parser *p, struct case_item *item)
{
	int r;

	if (p->s[p->pos] == '(')
		p->pos++;
	if ((r = patterns_read(p, item)) < 0)
		return r;
	if ((r = list_read(p, &item->body)) < 0)
		return r;
	return end_read(p, &item->end);
}

int
case_read(struct parser *p, struct node *n)
{
	struct case_item **tail = &n->choice.items;
	uint32_t end;
	int c, r = 1;

	if ((c = skip_blanks(p)) < 0)
		return c;
	if (!at_word(p))
		return invalid(p, p->pos, "a word expected after case");
	if ((r = word_read(p, WORD_PLAIN, &n->choice.subject)) < 0)
		return r;
	if ((r = reserved_take(p, RES_IN, "in expected after the word of case")) < 0)
		return r;
	for (r = 1; r == 1;) {
		if ((c = skip_newlines(p)) < 0)
			return c;
		if (reserved_at(p, &end) == RES_ESAC)
			break;
		*tail = arena_alloc(p->a, sizeof **tail);
		if (!*tail)
			return no_memory(p);
		**tail = (struct case_item){ 0 };
		p->cases++;
		if ((r = item_read(p, *tail)) < 0)
			return r;
		p->cases--;
		tail = &(*tail)->next;
	}
	return reserved_take(p, RES_ESAC, "esac expected");
}
