#include "decide/decide.h"
#include "gate/rules/lint.h"

/* True if `x` matches every word that `y` matches. */
static bool
word_covers(const struct policy *p, const struct pattern *x, const struct pattern *y)
{
	bool glob = false;

	if (str_eq(pattern_text(p, x), pattern_text(p, y)))
		return true;
	for (size_t i = 0;; i++) {
		struct str word = pattern_alternative(p, y, i, &glob);
		struct field f = { .kind = FIELD_STR, .text = word };

		if (!word.p)
			return i > 0;
		if (glob || pattern_word(p, x, f) != MATCH_CERTAIN)
			return false;
	}
}

static bool
same_list(const struct policy *p, struct patterns x, struct patterns y)
{
	if (x.n != y.n)
		return false;
	for (size_t i = 0; i < x.n; i++)
		if (!str_eq(pattern_text(p, patterns_at(p, x, i)),
			pattern_text(p, patterns_at(p, y, i))))
			return false;
	return true;
}

static bool
is_plain(const struct rule *r)
{
	return r->with.n == 0 && r->without.n == 0 && r->on.n == 0 && r->in.n == 0 &&
	       r->when == 0 && r->until == 0 && !r->exact;
}

static bool
same_conditions(const struct policy *p, const struct rule *x, const struct rule *y)
{
	return same_list(p, x->with, y->with) && same_list(p, x->without, y->without) &&
	       same_list(p, x->on, y->on) && same_list(p, x->in, y->in) &&
	       same_list(p, x->branches, y->branches) && x->when == y->when &&
	       x->exact == y->exact && x->more == y->more &&
	       (x->until == 0 || x->until == y->until);
}

/* True if `x` matches everything that `y` matches. */
static bool
covers(const struct policy *p, const struct rule *x, const struct rule *y)
{
	struct patterns of_x = x->effect == RULE_COMMAND ? x->words : x->objects;
	struct patterns of_y = y->effect == RULE_COMMAND ? y->words : y->objects;

	if (!is_plain(x) && !same_conditions(p, x, y))
		return false;
	if (x->effect != RULE_COMMAND)
		return same_list(p, of_x, of_y);
	if (of_x.n > of_y.n || of_x.n == 0)
		return false;
	/* Operands are not analysed here: an allow without `...` may not extend to longer
	 * commands. */
	if (x->verdict == VERDICT_ALLOW && !x->more && of_x.n > 1 && of_x.n < of_y.n)
		return false;
	for (size_t i = 0; i < of_x.n; i++)
		if (!word_covers(p, patterns_at(p, of_x, i), patterns_at(p, of_y, i)))
			return false;
	return true;
}

static bool
is_same(const struct policy *p, const struct rule *x, const struct rule *y)
{
	return covers(p, x, y) && covers(p, y, x);
}

struct covering {
	struct lint *l;
	size_t index;
	const struct rule *r;
	bool found;
};

static void
report(struct covering *c, bool error, const char *what, const struct rule *by)
{
	struct policy_origin at = { c->r->layer, c->r->file, c->r->line };
	struct buf b;

	buf_init(&b, c->l->a);
	buf_put(&b, by->file);
	buf_putc(&b, ':');
	buf_putu(&b, by->line);
	c->found = true;
	LINT(c->l, error, &at, c->r->text, str_from_c(what), by->text, STR(" ("),
	    buf_str(&b), STR(")"));
}

static void
visit(void *context, size_t i)
{
	struct covering *c = context;
	const struct rule *y = c->r;
	struct rule x;

	if (c->found || i == c->index)
		return;
	policy_rule(c->l->p, i, &x);
	if (x.effect != y->effect || !covers(c->l->p, &x, y))
		return;
	if (x.verdict == VERDICT_DENY && y->verdict != VERDICT_DENY)
		report(c, false, "dead: denied by ", &x);
	else if (x.layer > y->layer && y->verdict != VERDICT_DENY)
		report(c, false, "shadowed: a higher layer has ", &x);
	else if (x.layer == y->layer && i < c->index && is_same(c->l->p, &x, y))
		report(c, x.verdict != y->verdict,
		    x.verdict == y->verdict ? "duplicate of "
					    : "contradicts (the stricter one counts): ",
		    &x);
}

void
lint_cover(struct lint *l, size_t rule, const struct rule *r)
{
	struct covering c = { l, rule, r, false };
	struct str program = { NULL, 0 };
	bool glob = false;

	if (r->effect != RULE_COMMAND) {
		policy_effects(l->p, r->effect, visit, &c);
		return;
	}
	if (r->words.n)
		program =
		    pattern_alternative(l->p, patterns_at(l->p, r->words, 0), 0, &glob);
	policy_commands(
	    l->p, glob ? (struct str){ NULL, 0 } : str_base(program), visit, &c);
}
