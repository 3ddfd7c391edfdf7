/* Expand {a,b} in the words of a rule, and check each for its use. */
#include "policy/read.h"

static bool
is_sign(char c)
{
	return c == CODE_STAR || c == CODE_ANY;
}

static bool
has_sign(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (is_sign(s.p[i]))
			return true;
	return false;
}

/* ---- {a,b} */

#define GROUPS 8

struct brace_group {
	size_t start, end; /* of the text between { and } */
	size_t count;
};

static int
find_groups(
    struct rule_reader *r, const struct token *t, struct brace_group *v, size_t *ret_n)
{
	struct str code = t->code;
	size_t n = 0, total = 1;

	for (size_t i = 0; i < code.n; i++) {
		if (code.p[i] == CODE_OPEN) {
			if (n == GROUPS)
				return read_fail(r, t, "at most 8 { } in one word", NULL);
			v[n] = (struct brace_group){ .start = i + 1, .count = 1 };
		} else if (code.p[i] == CODE_NEXT) {
			v[n].count++;
		} else if (code.p[i] == CODE_CLOSE) {
			v[n].end = i;
			if (v[n].count < 2)
				return read_fail(r, t,
				    "{ } needs two or more words separated by commas; "
				    "quote it if you mean the characters",
				    NULL);
			total *= v[n++].count;
			if (total > DRAFT_ALTERNATIVES)
				return read_fail(
				    r, t, "{ } may make at most 256 words", NULL);
		}
	}
	*ret_n = n;
	return 0;
}

/* The `pick`-th alternative of a group. */
static struct str
group_part(struct str code, const struct brace_group *g, size_t pick)
{
	size_t from = g->start, to;

	for (; pick > 0; pick--) {
		while (code.p[from] != CODE_NEXT)
			from++;
		from++;
	}
	to = from;
	while (to < g->end && code.p[to] != CODE_NEXT)
		to++;
	return str_cut(code, from, to);
}

/* The `index`-th combination of all groups. */
static struct str
combination(
    struct arena *a, struct str code, const struct brace_group *v, size_t n, size_t index)
{
	struct buf b;
	size_t at = 0;

	buf_init(&b, a);
	for (size_t i = 0; i < n; i++) {
		buf_put(&b, str_cut(code, at, v[i].start - 1));
		buf_put(&b, group_part(code, &v[i], index % v[i].count));
		index /= v[i].count;
		at = v[i].end + 1;
	}
	buf_put(&b, str_skip(code, at));
	return b.full ? (struct str){ 0 } : buf_str(&b);
}

/* ---- words that are neither paths nor hosts */

/* ~ and @ in front are ordinary here. */
static int
plain_front(struct rule_reader *r, struct str *code)
{
	char *copy;

	if (code->n == 0 || (code->p[0] != CODE_TILDE && code->p[0] != CODE_AT))
		return 0;
	copy = arena_alloc(r->d->a, code->n);
	if (!copy)
		return read_no_memory(r);
	memcpy(copy, code->p, code->n);
	copy[0] = code->p[0] == CODE_TILDE ? '~' : '@';
	code->p = copy;
	return 0;
}

static bool
is_option(struct str s)
{
	return s.n >= 2 && (s.p[0] == '-' || s.p[0] == '+') && str_find(s, '=') == s.n &&
	       !has_sign(s);
}

static bool
is_name(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (!is_sign(c) && c != '_' && !(c >= '0' && c <= '9') &&
		    !((c | 32) >= 'a' && (c | 32) <= 'z'))
			return false;
	}
	return s.n > 0;
}

static bool
is_tool(struct str s)
{
	return str_find(s, ':') < s.n || (s.n == 1 && s.p[0] == CODE_STAR);
}

static bool
is_file_name(struct str s)
{
	return s.n > 0 && s.p[0] != '/' && !has_sign(s) && !path_has_dots(s);
}

static bool
is_program(struct str s)
{
	return s.n > 0 && !has_sign(s) && s.p[0] != '-';
}

static bool
is_word(struct str s)
{
	return s.n > 0;
}

static const struct {
	bool (*good)(struct str s);
	const char *why;
} uses[] = {
	[USE_WORD] = { is_word, "an empty word" },
	[USE_PROGRAM] = { is_program, "expected the name of a program, without * and ?" },
	[USE_OPTION] = { is_option, "expected an option as it is typed, such as -f or "
				    "--force, without a value, * and ?" },
	[USE_ENV] = { is_name,
	    "expected the name of a variable, such as LD_PRELOAD or GIT_*" },
	[USE_TOOL] = { is_tool, "expected SERVER:TOOL, such as github:* (or * for all)" },
	[USE_NAME] = { is_file_name,
	    "expected the name of a file below the project, such as .cordonignore" },
};

static int
read_word(struct rule_reader *r, const struct token *t, enum pattern_use use,
    struct str code, struct alternative *alt)
{
	int e = plain_front(r, &code);

	if (e)
		return e;
	if (code.n > DRAFT_PATTERN)
		return read_fail(r, t, "a word may have at most 1024 bytes", NULL);
	if (!uses[use].good(code))
		return read_fail(r, t, uses[use].why, NULL);
	*alt = (struct alternative){ .code = code, .glob = has_sign(code) };
	return 0;
}

/* ---- all uses */

static enum pattern_kind
kind_of(enum pattern_use use)
{
	if (use == USE_HOST)
		return PATTERN_HOST;
	return use == USE_PATH || use == USE_DIR || use == USE_FILE || use == USE_EXEC
		   ? PATTERN_PATH
		   : PATTERN_WORD;
}

static int
add_alternative(struct rule_reader *r, const struct token *t, enum pattern_use use,
    struct str code, struct alternative ***end)
{
	struct alternative *alt = ARENA_NEW(r->d->a, struct alternative);
	enum pattern_kind kind = kind_of(use);
	int e;

	if (!alt || !code.p)
		return read_no_memory(r);
	if (kind == PATTERN_HOST)
		e = read_host(r, t, code, alt);
	else if (kind == PATTERN_PATH)
		e = read_path(r, t, use, code, alt);
	else
		e = read_word(r, t, use, code, alt);
	**end = alt;
	*end = &alt->next;
	return e;
}

static int
check_token(struct rule_reader *r, const struct token *t, enum pattern_use use)
{
	if (t->control)
		return read_fail(
		    r, t, "a pattern cannot contain a control character", NULL);
	if (t->bracket && use != USE_HOST)
		return read_fail(r, t,
		    "[ ] has no meaning here: write {a,b}, or quote it if you mean the "
		    "character",
		    NULL);
	return 0;
}

int
read_pattern(struct rule_reader *r, const struct token *t, enum pattern_use use,
    struct draft_list *list)
{
	struct draft_pattern *x = ARENA_NEW(r->d->a, struct draft_pattern);
	struct alternative **end;
	struct brace_group groups[GROUPS] = { 0 };
	size_t n = 0, total = 1;
	int e;

	if (!x)
		return read_no_memory(r);
	e = check_token(r, t, use);
	if (!e)
		e = find_groups(r, t, groups, &n);
	for (size_t i = 0; i < n; i++)
		total *= groups[i].count;
	x->text = t->raw;
	x->kind = kind_of(use);
	x->n = (uint32_t)total;
	end = &x->first;
	for (size_t i = 0; i < total && !e; i++)
		e = add_alternative(r, t, use,
		    n ? combination(r->d->a, t->code, groups, n, i) : t->code, &end);
	if (e)
		return e;
	if (list->last)
		list->last->next = x;
	else
		list->first = x;
	list->last = x;
	list->n++;
	return 0;
}

/* ---- specificity */

static uint32_t
at_most(size_t n, uint32_t limit)
{
	return n < limit ? (uint32_t)n : limit;
}

/* The number of path components or host labels of the widest alternative. */
static size_t
list_depth(const struct draft_list *list, char divider)
{
	size_t least = SIZE_MAX;

	for (const struct draft_pattern *x = list->first; x; x = x->next) {
		for (const struct alternative *alt = x->first; alt; alt = alt->next) {
			size_t depth = alt->anchor != ANCHOR_NONE ? 4 : 2;

			for (size_t i = 0; i < alt->code.n; i++)
				depth += (alt->code.p[i] == divider ? 2u : 0u);
			for (size_t i = 0; i < alt->code.n; i++)
				depth -= alt->code.p[i] == CODE_DEEP && depth > 1 ? 2u : 0u;
			depth -= alt->glob && depth > 0;
			least = depth < least ? depth : least;
		}
	}
	return list->first ? least : 0;
}

static size_t
literal_words(const struct draft_list *list)
{
	size_t n = 0;

	for (const struct draft_pattern *x = list->first; x; x = x->next) {
		bool glob = false;

		for (const struct alternative *alt = x->first; alt; alt = alt->next)
			glob |= alt->glob;
		n += glob ? 0 : 1;
	}
	return n;
}

/* Bits from the top: words 8, words without * 6, options 6, conditions 6, path depth 6. */
uint32_t
draft_specificity(const struct draft_rule *rule)
{
	const struct draft_list *l = rule->lists;
	const bool conditions[] = { l[RULE_ON].n > 0, l[RULE_IN].n > 0, rule->until != 0,
		rule->exact };
	size_t depth = list_depth(&l[RULE_ON], '/') + list_depth(&l[RULE_IN], '/') +
		       list_depth(&l[RULE_OBJECTS], rule->effect == RULE_NET ? '.' : '/');
	size_t n = 0;

	for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
		n += conditions[i] ? 1 : 0;
	for (unsigned bits = rule->when; bits; bits &= bits - 1)
		n++;
	return at_most(l[RULE_WORDS].n, 255) << 24 |
	       at_most(literal_words(&l[RULE_WORDS]), 63) << 18 |
	       at_most(l[RULE_WITH].n + l[RULE_WITHOUT].n, 63) << 12 | at_most(n, 63) << 6 |
	       at_most(depth, 63);
}
