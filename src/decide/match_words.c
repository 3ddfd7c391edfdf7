/* Rules for commands: words, options, the program itself. */
#include "decide/match.h"

/* ---- words */

/* The words of a command that are no options: the name, subcommands, operands. */
static struct field
word_at(const struct command *c, size_t i)
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

static bool
is_missing(struct field f)
{
	return f.at.start == UINT32_MAX;
}

/* Some word before place `i` could be any number of words. */
static bool
shifted(const struct command *c, size_t i)
{
	for (size_t k = 0; k < i; k++) {
		struct field f = word_at(c, k);

		if (!is_missing(f) && f.kind == FIELD_MANY)
			return true;
	}
	return false;
}

/* ---- options */

static bool
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

/* An option of a program that the table does not have: by its text, clusters included. */
static enum match
raw_option(const struct command *c, struct str spelling)
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

static enum match
has_option(const struct command *c, struct str spelling)
{
	const struct know_scan *s = c->scan;

	if (!s)
		return raw_option(c, spelling);
	for (size_t i = 0; i < s->count; i++)
		if (s->items[i].option && option_has(s->items[i].option, spelling))
			return MATCH_CERTAIN;
	if (s->unsure < c->argc)
		return MATCH_POSSIBLE;
	/* One that the table does not have may be the one that is meant. */
	return s->unknown_option < c->argc ? raw_option(c, spelling) : MATCH_NO;
}

/* {-f,--force}: one of them. */
static enum match
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

/* ---- words and options of a rule */

static bool
is_option_pattern(const struct policy *p, const struct pattern *x)
{
	struct str text = pattern_text(p, x);

	if (text.n && text.p[0] == '{')
		text = str_skip(text, 1);
	return text.n > 1 && text.p[0] == '-'; /* one in quotes is a word like others */
}

/* It is run from a root: what a rule spells ./x is meant there. */
static bool
in_root(const struct matching *m, const struct command *c)
{
	const struct pattern_base *base = &m->in->base;

	if (!c->cwd || c->cwd->unknown || c->cwd->n != 1)
		return false;
	for (size_t i = 0; i < base->roots_n; i++)
		if (str_eq(base->roots[i], c->cwd->at[0].path))
			return true;
	return false;
}

/*
 * A rule may spell a path: /opt/x/tool, ./run.sh.  Then the command must be that file: as
 * it is written, or as it was found.  Else the base name is compared.
 */
static enum match
match_program(const struct matching *m, const struct rule *r, const struct pattern *x,
    const struct command *c, struct field name)
{
	const struct policy *p = m->in->policy;
	enum match best = pattern_word(p, x, name);
	struct str spelt;

	for (size_t i = 0;
	     best != MATCH_CERTAIN && (spelt = pattern_alternative(p, x, i, NULL)).p; i++) {
		bool absolute = spelt.n && spelt.p[0] == '/';

		if (str_find(spelt, '/') == spelt.n || c->argv[0].kind != FIELD_STR)
			continue;
		if (c->found.p && str_eq(spelt, c->found))
			best = MATCH_CERTAIN;
		else if (str_eq(spelt, c->argv[0].text))
			best = absolute || r->verdict != VERDICT_ALLOW || in_root(m, c)
				   ? MATCH_CERTAIN
				   : MATCH_POSSIBLE;
		else if (r->verdict != VERDICT_ALLOW &&
			 str_eq(str_base(spelt), name.text) && !c->found.p)
			best = MATCH_POSSIBLE; /* which file it is, is not known */
	}
	return best;
}

enum match
match_words(const struct matching *m, const struct rule *r, const struct command *c)
{
	const struct policy *p = m->in->policy;
	enum match all = MATCH_CERTAIN;
	size_t at = 0;

	for (size_t i = 0; i < r->words.n && all; i++) {
		const struct pattern *x = patterns_at(p, r->words, i);
		struct field word;
		enum match one;

		if (i > 0 && is_option_pattern(p, x)) { /* an option among the words */
			all = match_min(all, has_one(m, c, x));
			continue;
		}
		word = word_at(c, at);
		one = is_missing(word) ? MATCH_NO
		      : i == 0         ? match_program(m, r, x, c, word)
				       : pattern_word(p, x, word);
		/* Where an unknown number of words stands before, no place is certain. */
		if (at > 0 && shifted(c, at))
			one = MATCH_POSSIBLE;
		all = match_min(all, one);
		at++;
	}
	return all;
}

/* `exactly`: the words of the rule are all there is. */
static bool
names_option(const struct matching *m, const struct rule *r,
    const struct know_option *option, struct str text)
{
	const struct patterns lists[] = { r->words, r->with };

	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < lists[k].n; i++) {
			const struct pattern *x = patterns_at(m->in->policy, lists[k], i);
			struct str word;

			for (size_t j = 0;
			     (word = pattern_alternative(m->in->policy, x, j, NULL)).p; j++)
				if (option ? option_has(option, word) : str_eq(word, text))
					return true;
		}
	return false;
}

static size_t
plain_words(const struct matching *m, const struct rule *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->words.n; i++) {
		n += i == 0 || !is_option_pattern(
				   m->in->policy, patterns_at(m->in->policy, r->words, i));
	}
	return n;
}

bool
match_verbatim(const struct matching *m, const struct rule *r, const struct command *c)
{
	struct str name = c->argv[0].text;

	if (!r->exact || r->words.n != c->argc)
		return false;
	/* ./x is another file in another directory. */
	if (str_find(name, '/') < name.n && name.p[0] != '/' && !in_root(m, c))
		return false;
	for (size_t i = 0; i < c->argc; i++)
		if (c->argv[i].kind != FIELD_STR ||
		    pattern_word(m->in->policy, patterns_at(m->in->policy, r->words, i),
			c->argv[i]) != MATCH_CERTAIN)
			return false;
	return true;
}

enum match
match_exact(const struct matching *m, const struct rule *r, const struct command *c)
{
	const struct know_scan *s = c->scan;
	size_t n = 1;

	if (!r->exact)
		return MATCH_CERTAIN;
	for (size_t i = 0; i < c->argc; i++)
		if (c->argv[i].kind == FIELD_MANY)
			return MATCH_POSSIBLE;
	if (!s)
		return c->argc == r->words.n ? MATCH_CERTAIN : MATCH_NO;
	n += s->depth;
	for (size_t i = 0; i < s->count; i++) {
		const struct know_item *item = &s->items[i];

		if (!item->option && !item->option_only)
			n++;
		else if (item->option_only &&
			 !names_option(m, r, item->option, item->value.text))
			return MATCH_NO;
		else if (!item->option_only)
			/* An option's value is none of the rule's words. */
			return r->verdict == VERDICT_ALLOW ? MATCH_NO : MATCH_POSSIBLE;
	}
	if (s->rest < c->argc)
		n += c->argc - s->rest;
	return n == plain_words(m, r) ? MATCH_CERTAIN : MATCH_NO;
}
