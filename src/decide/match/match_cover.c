/*
 * Does a rule cover all of a command: `exactly`, and options that make a program do more.
 */
#include "decide/words.h"

/* True if a word of a rule spells this option: -f, -kf, -fx.mk, --file=x.mk. */
static bool
is_named(const struct command *c, const struct know_option *option, struct str word)
{
	const struct know_node *node = c->scan->node;
	const struct know_option *spelt;
	struct str value;

	if (option_has(option, word))
		return true;
	if (!option_is_cluster(word) || !know_has_clusters(node) ||
	    know_option(node, word)) {
		spelt = know_option_spelt(node, word, &value);
		return spelt && option_same(option, spelt);
	}
	for (size_t k = 1; k < word.n; k++) {
		const char letter[] = { '-', word.p[k] };

		if (option_has(option, str_of(letter, 2)))
			return true;
		spelt = know_option(node, str_of(letter, 2));
		if (!spelt || know_option_takes_value(spelt))
			return false;
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
		n += i == 0 || !pattern_is_option(
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
	/* A relative path names another file in another directory. */
	if (str_find(name, '/') < name.n && name.p[0] != '/' && !command_in_root(m, c))
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
			/* A rule cannot spell this option's value. */
			return r->verdict == VERDICT_ALLOW ? MATCH_NO : MATCH_POSSIBLE;
	}
	if (s->rest < c->argc)
		n += c->argc - s->rest;
	return n == plain_words(m, r) ? MATCH_CERTAIN : MATCH_NO;
}

/* True if the item is another file, host or code; numbers and names do not count. */
static bool
is_another(const struct matching *m, const struct rule *r, const struct command *c,
    const struct know_item *item)
{
	return item->option && !item->option_only && item->role != ROLE_DATA &&
	       !names_option(m, r, c, item->option, item->value.text);
}

bool
match_is_all(const struct matching *m, const struct rule *r, const struct command *c)
{
	const struct know_scan *s = c->scan;
	struct spelt by = match_spelt(m, r, c);
	size_t n = 1;

	if (r->more)
		return true;
	/* In an unknown program every word may be an operand, or an option that makes it do
	 * more. */
	if (!s)
		return by.words == 1 || c->argc == r->words.n;
	n += s->depth;
	if (by.words <= n && !by.value)
		return true;
	for (size_t i = 0; i < s->count; i++) {
		if (is_another(m, r, c, &s->items[i]))
			return false;
		n += !s->items[i].option && !s->items[i].option_only;
	}
	if (s->rest < c->argc)
		n += c->argc - s->rest;
	return n == by.words;
}

/* True if the scanner recognised this option, so that its effect is known. */
static bool
is_read(const struct command *c, struct str word)
{
	for (size_t i = 0; i < c->scan->count; i++)
		if (c->scan->items[i].option && is_named(c, c->scan->items[i].option, word))
			return true;
	return false;
}

/* True if the command has an option of the rule that the scanner did not recognise. */
static bool
spells_option(const struct matching *m, const struct rule *r, const struct command *c)
{
	const struct patterns lists[] = { r->words, r->with };

	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < lists[k].n; i++) {
			const struct pattern *x = patterns_at(m->in->policy, lists[k], i);
			struct str word;

			for (size_t j = 0;
			     pattern_is_option(m->in->policy, x) &&
			     (word = pattern_alternative(m->in->policy, x, j, NULL)).p;
			     j++)
				if (!is_read(c, word) &&
				    match_raw_option(c, word) == MATCH_CERTAIN)
					return true;
		}
	return false;
}

/* `npm --script-shell x test`: an option of the program itself that names code to run. */
static bool
is_global(const struct command *c, const struct know_option *option)
{
	const struct know_node *node = know_program(c->program);

	return c->scan->depth > 0 && node && know_option_class(option) >= CLASS_EXEC &&
	       know_option(node, know_option_name(option, 0)) == option;
}

/* `node -e X`, `make --eval=X`, `java -javaagent:X`: the option adds code. */
static bool
is_code(const struct know_item *item)
{
	if (item->class >= CLASS_EXEC)
		return true;
	switch (item->role) {
	case ROLE_EXEC_FILE:
	case ROLE_CMD:
	case ROLE_SHELL:
	case ROLE_KEY_SHELL:
	case ROLE_SHELL_WORDS:
	case ROLE_REMOTE_SHELL:
	case ROLE_REMOTE_CMD:
	case ROLE_CODE:
		return !item->option_only;
	default:
		return false;
	}
}

/* The rule names arguments, not only the program. */
static bool
is_narrow(const struct rule *r, const struct command *c)
{
	return r->with.n || r->words.n > c->scan->depth + 1;
}

/* True if this option makes the program do more than the rule covers. */
static bool
is_beyond(const struct rule *r, const struct command *c, const struct know_item *item)
{
	enum know_class base = know_node_base(c->scan->node);

	if (is_global(c, item->option) || (is_code(item) && is_narrow(r, c)))
		return true;
	return c->class > base &&
	       (item->class > base || (!item->option_only && item->role > ROLE_READ));
}

bool
match_covers_raised(const struct matching *m, const struct rule *r, const struct command *c)
{
	const struct know_scan *s = c->scan;
	enum know_class covered = s ? know_node_base(s->node) : CLASS_UNKNOWN;
	size_t words = s ? s->depth + 1 : 0, spelt = match_spelt(m, r, c).words;

	if (!s)
		return true;
	for (size_t i = 0; i < s->count; i++) {
		const struct know_item *item = &s->items[i];
		bool operand = !item->option && !item->option_only;

		words += operand;
		if (operand && words <= spelt && item->class > covered)
			covered = (enum know_class)item->class;
		if (!item->option)
			continue;
		if (!names_option(m, r, c, item->option, item->value.text)) {
			if (is_beyond(r, c, item))
				return false;
		} else if (item->class > covered) {
			covered = (enum know_class)item->class;
		}
	}
	/* An operand makes it do more: then the rule must spell all operands. */
	return c->class <= covered || spells_option(m, r, c) ||
	       (words > s->depth + 1 && words <= spelt);
}
