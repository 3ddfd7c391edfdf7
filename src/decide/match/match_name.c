/* Match the program and the subcommand that a rule names. */
#include "decide/words.h"

bool
command_in_root(const struct matching *m, const struct command *c)
{
	const struct pattern_base *base = &m->in->base;

	if (!c->cwd || c->cwd->unknown || c->cwd->n != 1)
		return false;
	for (size_t i = 0; i < base->roots_n; i++)
		if (str_eq(base->roots[i], c->cwd->at[0].path))
			return true;
	return false;
}

enum match
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
			best =
			    absolute || r->verdict != VERDICT_ALLOW || command_in_root(m, c)
				? MATCH_CERTAIN
				: MATCH_POSSIBLE;
		else if (r->verdict != VERDICT_ALLOW &&
			 str_eq(str_base(spelt), name.text) && !c->found.p)
			best = MATCH_POSSIBLE; /* the file is not known */
	}
	return best;
}

bool
pattern_spells(const struct matching *m, const struct pattern *x, struct str name)
{
	struct str spelt;

	for (size_t i = 0; (spelt = pattern_alternative(m->in->policy, x, i, NULL)).p; i++)
		if (str_eq(spelt, name))
			return true;
	return false;
}

/* `npm i` is `npm install`, `docker container run` is `docker run`: true if the pattern
 * spells any name of the subcommand that `word` means. */
static bool
is_other_name(
    const struct matching *m, struct str aliases, const struct pattern *x, struct str word)
{
	struct str list = aliases, other, name, meant = word;

	while (know_next_alias(&list, &other, &name))
		if (str_eq(other, word))
			meant = name;
	if (pattern_spells(m, x, meant))
		return true;
	for (list = aliases; know_next_alias(&list, &other, &name);)
		if (str_eq(name, meant) && pattern_spells(m, x, other))
			return true;
	return false;
}

enum match
match_subcommand(const struct matching *m, const struct command *c, const struct pattern *x,
    struct field word, size_t *at)
{
	char two[64];
	struct field next;
	struct str aliases;

	if (*at != 1 || !c->program.p || word.kind != FIELD_STR)
		return MATCH_NO;
	aliases = know_aliases_of(c->program);
	if (is_other_name(m, aliases, x, word.text))
		return MATCH_CERTAIN;
	next = command_word(c, 2);
	if (is_missing(next) || next.kind != FIELD_STR ||
	    word.text.n + next.text.n + 1 > sizeof two)
		return MATCH_NO;
	memcpy(two, word.text.p, word.text.n);
	two[word.text.n] = ' ';
	memcpy(two + word.text.n + 1, next.text.p, next.text.n);
	if (!is_other_name(m, aliases, x, str_of(two, word.text.n + 1 + next.text.n)))
		return MATCH_NO;
	++*at;
	return MATCH_CERTAIN;
}
