/* Match the words of a command rule in order. */
#include "decide/words.h"

struct field
command_word(const struct command *c, size_t i)
{
	const struct know_scan *s = c->scan;
	size_t seen = 0;
	struct field none = { .kind = FIELD_MANY, .text = STR("") };

	none.at.start = UINT32_MAX; /* marks "no such word" */
	if (i == 0) {
		struct field name = c->argv[0];

		if (c->program.p)
			name = (struct field){
				.kind = FIELD_STR, .text = c->program, .at = name.at
			};
		return name;
	}
	if (!s)
		return i < c->argc ? c->argv[i] : none;
	if (i <= s->depth)
		return c->argv[s->path[i - 1]];
	i -= s->depth + 1;
	for (size_t k = 0; k < s->count; k++) {
		if (s->items[k].option || s->items[k].option_only)
			continue;
		if (seen++ == i)
			return s->items[k].value;
	}
	if (s->rest < c->argc && s->rest + (i - seen) < c->argc)
		return c->argv[s->rest + (i - seen)];
	return none;
}

/* True if a word before position `i` may expand to any number of words. */
static bool
shifted(const struct command *c, size_t i)
{
	for (size_t k = 0; k < i; k++) {
		struct field f = command_word(c, k);

		if (!is_missing(f) && f.kind == FIELD_MANY)
			return true;
	}
	return false;
}

/*
 * `python3 -m pytest`: the word after an option of the rule is that option's value, if the
 * command gives it one.  An allow needs every value to match: `make -f x -f ok.mk` reads
 * both.
 */
static bool
match_value(const struct matching *m, const struct rule *r, const struct command *c,
    const struct pattern *option, const struct pattern *x, enum match *ret)
{
	bool any = false, allow = r->verdict == VERDICT_ALLOW;
	struct str name;

	*ret = allow ? MATCH_CERTAIN : MATCH_NO;
	for (size_t i = 0; c->scan && i < c->scan->count; i++) {
		const struct know_item *item = &c->scan->items[i];

		for (size_t k = 0;
		     item->option && !item->option_only &&
		     (name = pattern_alternative(m->in->policy, option, k, NULL)).p;
		     k++) {
			enum match one;

			if (!option_has(item->option, name))
				continue;
			any = true;
			one = pattern_word(m->in->policy, x, item->value);
			*ret = allow ? match_min(one, *ret) : match_max(one, *ret);
		}
	}
	return any;
}

struct spelt
match_spelt(const struct matching *m, const struct rule *r, const struct command *c)
{
	const struct pattern *option = NULL;
	struct spelt s = { 0, false };
	enum match ignored;

	for (size_t i = 0; i < r->words.n; i++) {
		const struct pattern *x = patterns_at(m->in->policy, r->words, i);

		if (i > 0 && pattern_is_option(m->in->policy, x)) {
			option = x;
			s.value |= pattern_gives_value(m, c, x);
			continue;
		}
		if (option && match_value(m, r, c, option, x, &ignored))
			s.value = true;
		else
			s.words++;
		option = NULL;
	}
	return s;
}

/* `tool --flag sub`: the flag of an unknown tool may take a value, so `sub` may still be
 * the subcommand. */
static enum match
match_behind_options(
    const struct matching *m, const struct rule *r, const struct command *c)
{
	const struct policy *p = m->in->policy;
	size_t at = 1, i = 1;
	bool dash = false;

	for (; i < r->words.n; i++) {
		const struct pattern *x = patterns_at(p, r->words, i);

		if (pattern_is_option(p, x)) {
			if (!match_one_option(m, c, x, false))
				return MATCH_NO;
			continue;
		}
		for (; at < c->argc; at++) {
			dash |= c->argv[at].text.n && strchr("-+", c->argv[at].text.p[0]);
			if (dash && pattern_word(p, x, c->argv[at]))
				break;
			if (!dash && !pattern_word(p, x, c->argv[at]))
				return MATCH_NO;
			if (!dash)
				break;
		}
		if (at++ >= c->argc)
			return MATCH_NO;
	}
	return dash ? MATCH_POSSIBLE : MATCH_NO;
}

static enum match
match_in_order(const struct matching *m, const struct rule *r, const struct command *c)
{
	const struct policy *p = m->in->policy;
	const struct pattern *option = NULL;
	enum match all = MATCH_CERTAIN;
	size_t at = 0;

	for (size_t i = 0; i < r->words.n && all; i++) {
		const struct pattern *x = patterns_at(p, r->words, i);
		struct field word;
		enum match one;

		if (i > 0 && pattern_is_option(p, x)) { /* an option among the words */
			all = match_min(
			    all, match_one_option(m, c, x, r->verdict == VERDICT_ALLOW));
			option = x;
			continue;
		}
		if (option && match_value(m, r, c, option, x, &one)) {
			all = match_min(all, one);
			option = NULL;
			continue;
		}
		option = NULL;
		word = command_word(c, at);
		one = is_missing(word) ? MATCH_NO
		      : i == 0         ? match_program(m, r, x, c, word)
				       : pattern_word(p, x, word);
		if (one == MATCH_NO && r->verdict != VERDICT_ALLOW && !is_missing(word))
			one = match_subcommand(m, c, x, word, &at);
		/* After a word of unknown length, no position is certain. */
		if (at > 0 && shifted(c, at))
			one = MATCH_POSSIBLE;
		all = match_min(all, one);
		at++;
	}
	return all;
}

enum match
match_words(const struct matching *m, const struct rule *r, const struct command *c)
{
	enum match all = match_in_order(m, r, c);

	if (all == MATCH_NO && (!c->scan || c->scan->unlisted < c->argc) &&
	    r->verdict != VERDICT_ALLOW && r->words.n > 1 &&
	    match_program(
		m, r, patterns_at(m->in->policy, r->words, 0), c, command_word(c, 0)))
		return match_behind_options(m, r, c);
	return all;
}
