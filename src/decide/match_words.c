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

static bool
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
static enum match
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

/* `python3 -m pytest`: the word behind an option of the rule is the value of that option,
 * if it has one in the command. */
static bool
match_value(const struct matching *m, const struct command *c, const struct pattern *option,
    const struct pattern *x, enum match *ret)
{
	bool any = false;
	struct str name;

	*ret = MATCH_NO;
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
			*ret = one > *ret ? one : *ret;
		}
	}
	return any;
}

/* npm i is npm install, docker container run is docker run. */
static bool
is_other_name(const struct matching *m, const struct command *c, const struct pattern *x,
    struct str word)
{
	struct str name = know_subcommand_name(c->program, word), spelt;

	for (size_t i = 0; (spelt = pattern_alternative(m->in->policy, x, i, NULL)).p; i++)
		if (str_eq(know_subcommand_name(c->program, spelt), name))
			return true;
	return false;
}

/* The first subcommand under another name.  *at moves on over one of two words. */
static enum match
match_subcommand(const struct matching *m, const struct command *c, const struct pattern *x,
    struct field word, size_t *at)
{
	char two[64];
	struct field next;

	if (*at != 1 || !c->program.p || word.kind != FIELD_STR)
		return MATCH_NO;
	if (is_other_name(m, c, x, word.text))
		return MATCH_CERTAIN;
	next = word_at(c, 2);
	if (is_missing(next) || next.kind != FIELD_STR ||
	    word.text.n + next.text.n + 1 > sizeof two)
		return MATCH_NO;
	memcpy(two, word.text.p, word.text.n);
	two[word.text.n] = ' ';
	memcpy(two + word.text.n + 1, next.text.p, next.text.n);
	if (!is_other_name(m, c, x, str_of(two, word.text.n + 1 + next.text.n)))
		return MATCH_NO;
	++*at;
	return MATCH_CERTAIN;
}

/* tool --flag sub: whether the flag takes a word nobody knows, so sub could be meant. */
static enum match
match_behind_options(
    const struct matching *m, const struct rule *r, const struct command *c)
{
	const struct policy *p = m->in->policy;
	size_t at = 1, i = 1;
	bool dash = false;

	for (; i < r->words.n; i++) {
		const struct pattern *x = patterns_at(p, r->words, i);

		if (is_option_pattern(p, x)) {
			if (!has_one(m, c, x))
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

		if (i > 0 && is_option_pattern(p, x)) { /* an option among the words */
			all = match_min(all, has_one(m, c, x));
			option = x;
			continue;
		}
		if (option && match_value(m, c, option, x, &one)) {
			all = match_min(all, one);
			option = NULL;
			continue;
		}
		option = NULL;
		word = word_at(c, at);
		one = is_missing(word) ? MATCH_NO
		      : i == 0         ? match_program(m, r, x, c, word)
				       : pattern_word(p, x, word);
		if (one == MATCH_NO && r->verdict != VERDICT_ALLOW && !is_missing(word))
			one = match_subcommand(m, c, x, word, &at);
		/* Where an unknown number of words stands before, no place is certain. */
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
	    match_program(m, r, patterns_at(m->in->policy, r->words, 0), c, word_at(c, 0)))
		return match_behind_options(m, r, c);
	return all;
}

/* `exactly`: the words of the rule are all there is. */
static bool
is_named(const struct command *c, const struct know_option *option, struct str word)
{
	if (option_has(option, word))
		return true;
	for (size_t k = 1; is_cluster(word) && k < word.n; k++) {
		const char letter[] = { '-', word.p[k] };

		if (know_has_clusters(c->scan->node) && !know_option(c->scan->node, word) &&
		    option_has(option, str_of(letter, 2)))
			return true;
	}
	return false;
}

static bool
names_option(const struct matching *m, const struct rule *r, const struct command *c,
    const struct know_option *option, struct str text)
{
	const struct patterns lists[] = { r->words, r->with };

	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < lists[k].n; i++) {
			const struct pattern *x = patterns_at(m->in->policy, lists[k], i);
			struct str word;

			for (size_t j = 0;
			     (word = pattern_alternative(m->in->policy, x, j, NULL)).p; j++)
				if (option ? is_named(c, option, word) : str_eq(word, text))
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
			 !names_option(m, r, c, item->option, item->value.text))
			return MATCH_NO;
		else if (!item->option_only)
			/* An option's value is none of the rule's words. */
			return r->verdict == VERDICT_ALLOW ? MATCH_NO : MATCH_POSSIBLE;
	}
	if (s->rest < c->argc)
		n += c->argc - s->rest;
	return n == plain_words(m, r) ? MATCH_CERTAIN : MATCH_NO;
}

/* ---- what a rule covers */

/* An option of the rule that the table does not list, or a handler reads, is there. */
static bool
spells_option(const struct matching *m, const struct rule *r, const struct command *c)
{
	const struct patterns lists[] = { r->words, r->with };

	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < lists[k].n; i++) {
			const struct pattern *x = patterns_at(m->in->policy, lists[k], i);
			struct str word;

			for (size_t j = 0;
			     is_option_pattern(m->in->policy, x) &&
			     (word = pattern_alternative(m->in->policy, x, j, NULL)).p;
			     j++)
				if (raw_option(c, word) == MATCH_CERTAIN)
					return true;
		}
	return false;
}

/* npm --script-shell x test: the program's own option, which names code to run. */
static bool
is_global(const struct command *c, const struct know_option *option)
{
	const struct know_node *node = know_program(c->program);

	return c->scan->depth > 0 && node && know_option_class(option) >= CLASS_EXEC &&
	       know_option(node, know_option_name(option, 0)) == option;
}

bool
match_covers_raised(const struct matching *m, const struct rule *r, const struct command *c)
{
	const struct know_scan *s = c->scan;
	enum know_class base = s ? know_node_base(s->node) : CLASS_UNKNOWN;
	size_t words = s ? s->depth + 1 : 0;
	bool named = false;

	if (!s)
		return true;
	for (size_t i = 0; c->class <= base && i < s->count; i++)
		if (s->items[i].option && is_global(c, s->items[i].option) &&
		    !names_option(m, r, c, s->items[i].option, s->items[i].value.text))
			return false;
	if (c->class <= base)
		return true;
	for (size_t i = 0; i < s->count; i++) {
		const struct know_item *item = &s->items[i];

		words += !item->option && !item->option_only;
		if (!item->option)
			continue;
		if (names_option(m, r, c, item->option, item->value.text))
			named = true;
		else if (is_global(c, item->option) ||
			 know_option_class(item->option) > base ||
			 (!item->option_only && item->role > ROLE_READ))
			return false;
	}
	/* The word that makes more of it is an operand: then all of them are spelt. */
	return named || spells_option(m, r, c) ||
	       (words > s->depth + 1 && words <= plain_words(m, r));
}
