/* Match options of a rule against those of a command, in any spelling. */
#include "decide/words.h"

bool
option_has(const struct know_option *option, struct str spelling)
{
	for (size_t i = 0;; i++) {
		struct str name = know_option_name(option, i);

		if (name.n == 0)
			return false;
		if (str_eq(name, spelling))
			return true;
	}
}

bool
option_is_cluster(struct str spelling)
{
	return spelling.n > 2 && spelling.p[0] == '-' && spelling.p[1] != '-' &&
	       !know_is_number(spelling);
}

/* Look for an option in the text, in clusters too. */
static enum match
raw_letters(const struct command *c, struct str spelling)
{
	bool letter = spelling.n == 2 && spelling.p[0] == '-';
	enum match best = MATCH_NO;

	for (size_t i = 1; i < c->argc; i++) {
		struct str t = c->argv[i].text;
		size_t end = str_find(t, '=');

		if (c->argv[i].kind == FIELD_MANY ||
		    (c->argv[i].kind == FIELD_ONE && (t.n == 0 || t.p[0] == '-')))
			best = MATCH_POSSIBLE;
		if (str_eq(t, spelling) || str_eq(str_cut(t, 0, end), spelling))
			return MATCH_CERTAIN;
		if (letter && t.n > 2 && t.p[0] == '-' && t.p[1] != '-' &&
		    str_find(t, spelling.p[1]) < t.n)
			return MATCH_CERTAIN;
	}
	return best;
}

/* -rf may be one option or two: then the letters may stand in different words. */
enum match
match_raw_option(const struct command *c, struct str spelling)
{
	enum match whole = raw_letters(c, spelling), all = MATCH_POSSIBLE;

	if (whole == MATCH_CERTAIN || !option_is_cluster(spelling))
		return whole;
	for (size_t k = 1; k < spelling.n && all; k++) {
		const char letter[] = { '-', spelling.p[k] };

		all = match_min(all, raw_letters(c, str_of(letter, 2)));
	}
	return match_max(all, whole);
}

bool
option_same(const struct know_option *x, const struct know_option *y)
{
	return x == y || option_has(x, know_option_name(y, 0));
}

/* Match the option's value.  `every`: the option must have no other value; `make -f x -f y`
 * reads both. */
static enum match
has_value(
    const struct command *c, const struct know_option *option, struct str value, bool every)
{
	enum match best = MATCH_NO, least = MATCH_CERTAIN;

	for (size_t i = 0; i < c->scan->count; i++) {
		const struct know_item *item = &c->scan->items[i];
		enum match one;

		if (!item->option || item->option_only ||
		    !option_same(item->option, option))
			continue;
		one = item->value.kind != FIELD_STR     ? MATCH_POSSIBLE
		      : str_eq(item->value.text, value) ? MATCH_CERTAIN
							: MATCH_NO;
		best = match_max(best, one);
		least = match_min(least, one);
	}
	if (every && least == MATCH_NO)
		return MATCH_NO;
	if (every)
		best = match_min(best, least);
	if (best == MATCH_NO && c->scan->unsure < c->argc)
		best = MATCH_POSSIBLE;
	return best;
}

/* -kfx.mk: a letter that takes a value is followed by it. */
static bool
is_valued_cluster(const struct know_node *node, struct str word)
{
	for (size_t k = 1; k + 1 < word.n; k++) {
		const char letter[] = { '-', word.p[k] };
		const struct know_option *option = know_option(node, str_of(letter, 2));

		if (!option)
			return false;
		if (know_option_takes_value(option))
			return true;
	}
	return false;
}

bool
pattern_gives_value(
    const struct matching *m, const struct command *c, const struct pattern *x)
{
	const struct know_node *node = c->scan ? c->scan->node : NULL;
	const struct know_option *option;
	struct str word, value;

	for (size_t i = 0;
	     node && (word = pattern_alternative(m->in->policy, x, i, NULL)).p; i++) {
		if (option_is_cluster(word) && know_has_clusters(node) &&
		    !know_option(node, word)) {
			if (is_valued_cluster(node, word))
				return true;
			continue;
		}
		option = know_option_spelt(node, word, &value);
		if (option && value.p && know_option_takes_value(option))
			return true;
	}
	return false;
}

static enum match has_option(const struct command *c, struct str spelling, bool every);

/* `rm -rf`: every letter in any spelling; `make -fx.mk`: the rest after a letter that takes
 * a value is that value, as the scanner reads it. */
static enum match
has_letters(const struct command *c, struct str spelling, bool every)
{
	enum match all = MATCH_CERTAIN;

	for (size_t k = 1; k < spelling.n && all; k++) {
		const char letter[] = { '-', spelling.p[k] };
		const struct know_option *option =
		    know_option(c->scan->node, str_of(letter, 2));

		if (!option)
			return match_min(all, match_raw_option(c, spelling));
		if (know_option_takes_value(option) && k + 1 < spelling.n)
			return match_min(
			    all, has_value(c, option, str_skip(spelling, k + 1), every));
		all = match_min(all, has_option(c, str_of(letter, 2), every));
	}
	return all;
}

/* A word with a dash that is no option of the table: `kill -9`. */
static bool
is_dashed(const struct know_scan *s, const struct know_item *item, struct str spelling)
{
	return (item->option_only || !know_has_options(s->node)) &&
	       str_eq(item->value.text, spelling);
}

/* True if a scanned word is an option with this spelling. */
static bool
is_scanned(const struct know_scan *s, struct str spelling, bool every)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct know_item *item = &s->items[i];

		if (item->option && option_has(item->option, spelling))
			return true;
		if (!item->option && !every && is_dashed(s, item, spelling))
			return true;
	}
	return false;
}

/*
 * Match an option under its other spellings.  A flag with a value, --flag=x, matches that
 * text for certain, and --flag perhaps; of -D*, -Dx does not match -Dy.
 */
static enum match
has_other_spelling(const struct command *c, const struct know_option *option,
    struct str spelling, struct str value)
{
	const struct know_scan *s = c->scan;

	if (value.p && match_raw_option(c, spelling) == MATCH_CERTAIN)
		return MATCH_CERTAIN;
	if (value.p && str_ends(know_option_name(option, 0), STR("*")))
		return MATCH_NO;
	for (size_t i = 0; i < s->count; i++)
		if (s->items[i].option && option_same(s->items[i].option, option))
			return value.p ? MATCH_POSSIBLE : MATCH_CERTAIN;
	return MATCH_NO;
}

/* The option is not there by its spelling; an unknown word or option may be it. */
static enum match
may_have_option(const struct command *c, struct str spelling)
{
	if (c->scan->unsure < c->argc)
		return MATCH_POSSIBLE;
	return c->scan->unknown_option < c->argc ? match_raw_option(c, spelling) : MATCH_NO;
}

static enum match
has_option(const struct command *c, struct str spelling, bool every)
{
	const struct know_scan *s = c->scan;
	const struct know_option *option;
	struct str value = { NULL, 0 };
	enum match other = MATCH_NO;

	if (!s)
		return match_raw_option(c, spelling);
	if (option_is_cluster(spelling) && know_has_clusters(s->node) &&
	    !know_option(s->node, spelling))
		return has_letters(c, spelling, every);
	if (is_scanned(s, spelling, every))
		return MATCH_CERTAIN;
	option = know_option_spelt(s->node, spelling, &value);
	if (option && value.p && know_option_takes_value(option))
		return has_value(c, option, value, every);
	if (option)
		other = has_other_spelling(c, option, spelling, value);
	return other ? other : may_have_option(c, spelling);
}

enum match
match_one_option(
    const struct matching *m, const struct command *c, const struct pattern *x, bool every)
{
	enum match best = MATCH_NO;
	struct str text;

	for (size_t i = 0; best != MATCH_CERTAIN &&
			   (text = pattern_alternative(m->in->policy, x, i, NULL)).p;
	     i++) {
		enum match one = has_option(c, text, every);

		best = match_max(best, one);
	}
	return best;
}

enum match
match_options(const struct matching *m, const struct rule *r, const struct command *c)
{
	bool allow = r->verdict == VERDICT_ALLOW;
	enum match all = MATCH_CERTAIN;

	for (size_t i = 0; i < r->with.n && all; i++)
		all = match_min(all,
		    match_one_option(m, c, patterns_at(m->in->policy, r->with, i), allow));
	for (size_t i = 0; i < r->without.n && all; i++) {
		enum match has = match_one_option(
		    m, c, patterns_at(m->in->policy, r->without, i), !allow);

		if (has == MATCH_CERTAIN)
			return MATCH_NO;
		if (has == MATCH_POSSIBLE)
			all = match_min(all, MATCH_POSSIBLE);
	}
	return all;
}

bool
pattern_is_option(const struct policy *p, const struct pattern *x)
{
	struct str text = pattern_text(p, x);

	if (text.n && text.p[0] == '{')
		text = str_skip(text, 1);
	return text.n > 1 && text.p[0] == '-'; /* a quoted one is an ordinary word */
}
