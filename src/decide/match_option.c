/* Options of a rule against those of a command, in whatever spelling. */
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
is_cluster(struct str spelling)
{
	return spelling.n > 2 && spelling.p[0] == '-' && spelling.p[1] != '-';
}

/* An option of a program that the table does not have: by its text, clusters included. */
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

/* -rf may be one option of this program, or two: then the letters could stand anywhere. */
enum match
raw_option(const struct command *c, struct str spelling)
{
	enum match whole = raw_letters(c, spelling), all = MATCH_POSSIBLE;

	if (whole == MATCH_CERTAIN || !is_cluster(spelling))
		return whole;
	for (size_t k = 1; k < spelling.n && all; k++) {
		const char letter[] = { '-', spelling.p[k] };

		all = match_min(all, raw_letters(c, str_of(letter, 2)));
	}
	return all > whole ? all : whole;
}

static enum match has_option(const struct command *c, struct str spelling);

/* The option has this value in the command. */
static enum match
has_value(const struct command *c, struct str spelling, struct str value)
{
	enum match best = MATCH_NO;

	for (size_t i = 0; i < c->scan->count; i++) {
		const struct know_item *item = &c->scan->items[i];

		if (!item->option || item->option_only ||
		    !option_has(item->option, spelling))
			continue;
		if (item->value.kind != FIELD_STR)
			best = MATCH_POSSIBLE;
		else if (str_eq(item->value.text, value))
			return MATCH_CERTAIN;
	}
	return best;
}

/* `rm -rf`: every letter, in whatever spelling; `make -j4`: a letter and its value. */
static enum match
has_letters(const struct command *c, struct str spelling)
{
	char letter[] = { '-', spelling.p[1] };
	enum match all = MATCH_CERTAIN;

	for (size_t k = 1; k < spelling.n && all; k++) {
		char before = letter[1];

		letter[1] = spelling.p[k];
		if (!know_option(c->scan->node, str_of(letter, 2))) {
			letter[1] = before;
			return k == 1 ? raw_option(c, spelling)
				      : match_min(all, has_value(c, str_of(letter, 2),
							   str_skip(spelling, k)));
		}
		all = match_min(all, has_option(c, str_of(letter, 2)));
	}
	return all;
}

static enum match
has_option(const struct command *c, struct str spelling)
{
	const struct know_scan *s = c->scan;

	if (!s)
		return raw_option(c, spelling);
	if (is_cluster(spelling) && know_has_clusters(s->node) &&
	    !know_option(s->node, spelling))
		return has_letters(c, spelling);
	for (size_t i = 0; i < s->count; i++)
		if (s->items[i].option && option_has(s->items[i].option, spelling))
			return MATCH_CERTAIN;
	if (s->unsure < c->argc)
		return MATCH_POSSIBLE;
	/* One that the table does not have may be the one that is meant. */
	return s->unknown_option < c->argc ? raw_option(c, spelling) : MATCH_NO;
}

enum match
has_one(const struct matching *m, const struct command *c, const struct pattern *x)
{
	enum match best = MATCH_NO;
	struct str text;

	for (size_t i = 0; best != MATCH_CERTAIN &&
			   (text = pattern_alternative(m->in->policy, x, i, NULL)).p;
	     i++) {
		enum match one = has_option(c, text);

		best = one > best ? one : best;
	}
	return best;
}

enum match
match_options(const struct matching *m, const struct rule *r, const struct command *c)
{
	enum match all = MATCH_CERTAIN;

	for (size_t i = 0; i < r->with.n && all; i++)
		all = match_min(all, has_one(m, c, patterns_at(m->in->policy, r->with, i)));
	for (size_t i = 0; i < r->without.n && all; i++) {
		enum match has = has_one(m, c, patterns_at(m->in->policy, r->without, i));

		if (has == MATCH_CERTAIN)
			return MATCH_NO;
		if (has == MATCH_POSSIBLE)
			all = match_min(all, MATCH_POSSIBLE);
	}
	return all;
}

bool
is_option_pattern(const struct policy *p, const struct pattern *x)
{
	struct str text = pattern_text(p, x);

	if (text.n && text.p[0] == '{')
		text = str_skip(text, 1);
	return text.n > 1 && text.p[0] == '-'; /* one in quotes is a word like others */
}
