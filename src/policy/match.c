/* Match words against patterns; the result has three values. */
#include "policy/match.h"
#include "base/glob.h"

static const struct glob_wild codes = { CODE_STAR, CODE_ANY, GLOB_CHARS };

bool
pattern_glob(struct str code, struct str text)
{
	return glob_match(&codes, code, text);
}

/* ---- words whose beginning is known */

static bool
is_number(struct str s)
{
	size_t i = s.n && s.p[0] == '-';

	if (i == s.n)
		return false;
	while (i < s.n && s.p[i] >= '0' && s.p[i] <= '9')
		i++;
	return i == s.n;
}

static enum match
literal_begins(struct str code, struct field word)
{
	if (!str_starts(code, word.text))
		return MATCH_NO;
	return !word.number || is_number(str_skip(code, word.text.n)) ? MATCH_POSSIBLE
								      : MATCH_NO;
}

/* True if the pattern agrees with the known text up to its first star. */
static bool
glob_begins(struct str code, struct str text)
{
	size_t c = 0, t = 0;

	while (c < code.n && t < text.n && code.p[c] != CODE_STAR) {
		if (code.p[c] != CODE_ANY && code.p[c] != text.p[t])
			return false;
		t = code.p[c] == CODE_ANY ? glob_char_end(text, t) : t + 1;
		c++;
	}
	return t >= text.n || c < code.n;
}

static enum match
alternative_begins(const struct alternative *x, struct field word)
{
	if (!x->glob)
		return literal_begins(x->code, word);
	/* After a final star, the unknown rest does not matter. */
	if (x->code.p[x->code.n - 1] == CODE_STAR && pattern_glob(x->code, word.text))
		return MATCH_CERTAIN;
	return glob_begins(x->code, word.text) ? MATCH_POSSIBLE : MATCH_NO;
}

static enum match
alternative_word(const struct alternative *x, struct field word)
{
	bool same;

	if (word.kind == FIELD_ONE)
		return alternative_begins(x, word);
	if (word.kind == FIELD_MANY)
		return MATCH_POSSIBLE;
	same = x->glob ? pattern_glob(x->code, word.text) : str_eq(x->code, word.text);
	return same ? MATCH_CERTAIN : MATCH_NO;
}

enum match
pattern_word(const struct policy *p, const struct pattern *x, struct field word)
{
	enum match best = MATCH_NO;

	for (uint32_t i = 0; i < x->n && best != MATCH_CERTAIN; i++) {
		struct alternative alt = image_alternative(p, x->first + i);
		enum match one = alternative_word(&alt, word);

		best = one > best ? one : best;
	}
	return best;
}
