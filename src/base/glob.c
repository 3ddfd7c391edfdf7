/* Wildcard patterns, matched without recursion. */
#include "base/glob.h"

/* ---- patterns with two wildcards */

size_t
glob_char_end(struct str text, size_t at)
{
	at++;
	while (at < text.n && ((unsigned char)text.p[at] & 0xc0) == 0x80)
		at++;
	return at;
}

bool
glob_match(const struct glob_wild *wild, struct str pattern, struct str text)
{
	bool fold = wild->flags & GLOB_FOLD;
	size_t p = 0, t = 0, star = SIZE_MAX, mark = 0;

	while (t < text.n) {
		char c = p < pattern.n ? pattern.p[p] : '\0';

		if (p < pattern.n && c == wild->star) {
			star = ++p;
			mark = t;
		} else if (p < pattern.n && c == wild->any) {
			t = wild->flags & GLOB_CHARS ? glob_char_end(text, t) : t + 1;
			p++;
		} else if (p < pattern.n &&
			   (c == text.p[t] || (fold && c == byte_lower(text.p[t])))) {
			t++;
			p++;
		} else if (star != SIZE_MAX) {
			/* The last star takes one more byte; earlier stars need no retry.
			 */
			p = star;
			t = ++mark;
		} else {
			return false;
		}
	}
	while (p < pattern.n && pattern.p[p] == wild->star)
		p++;
	return p == pattern.n;
}

bool
glob_is(const char *pattern, struct str text)
{
	static const struct glob_wild wild = { '*', '?', 0 };

	return glob_match(&wild, str_from_c(pattern), text);
}

/* ---- sets */

static bool
in_class(struct str name, unsigned c, bool fold, bool *known)
{
	bool lower = c >= 'a' && c <= 'z', upper = c >= 'A' && c <= 'Z';
	bool digit = c >= '0' && c <= '9', print = c >= 32 && c < 127;

	*known = true;
	if (str_is(name, "alnum"))
		return lower || upper || digit;
	if (str_is(name, "alpha"))
		return lower || upper;
	if (str_is(name, "blank"))
		return c == ' ' || c == '\t';
	if (str_is(name, "cntrl"))
		return c < 32 || c == 127;
	if (str_is(name, "digit"))
		return digit;
	if (str_is(name, "graph"))
		return print && c != ' ';
	if (str_is(name, "lower"))
		return lower;
	if (str_is(name, "print"))
		return print;
	if (str_is(name, "punct"))
		return print && c != ' ' && !lower && !upper && !digit;
	if (str_is(name, "space"))
		return c == ' ' || c == '\t' || c == '\n' || c == '\r';
	if (str_is(name, "upper"))
		return upper || (fold && lower);
	if (str_is(name, "xdigit"))
		return digit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
	*known = false;
	return false;
}

static void
set_add(uint32_t *set, unsigned c)
{
	set[c >> 5] |= 1u << (c & 31);
}

static bool
set_has(const uint32_t *set, unsigned c)
{
	return set[c >> 5] >> (c & 31) & 1;
}

static void
set_add_range(uint32_t *set, unsigned from, unsigned to, bool fold)
{
	for (unsigned c = 0; c < 256; c++) {
		bool lower = c >= 'a' && c <= 'z';

		if ((c >= from && c <= to) ||
		    (fold && lower && c - 32 >= from && c - 32 <= to))
			set_add(set, c);
	}
}

/* The index of the `]` that ends the class name at `from`; 0 if there is no class name. */
static size_t
class_end(struct str p, size_t from)
{
	size_t end = from + str_find(str_skip(p, from), ']');

	if (end == p.n)
		return p.n;
	return end > from && p.p[end - 1] == ':' ? end : 0;
}

static bool
set_add_class(uint32_t *set, struct str name, bool fold)
{
	bool known = false;

	for (unsigned c = 0; c < 256; c++)
		if (in_class(name, c, fold, &known))
			set_add(set, c);
	return known;
}

/* Read the set after the `[` at p[at - 1]. Return the index after its `]`, or 0 if it is
 * malformed. */
static size_t
read_set(struct str p, size_t at, bool path, bool fold, uint32_t *set)
{
	bool negated = at < p.n && (p.p[at] == '!' || p.p[at] == '^');
	unsigned before = 0;

	at += negated;
	/* A `]` in the first place is literal. */
	for (bool first = true; first || at >= p.n || p.p[at] != ']'; first = false, at++) {
		unsigned c;

		if (at >= p.n)
			return 0;
		c = (unsigned char)p.p[at];
		if (c == '\\') {
			if (++at >= p.n)
				return 0;
			before = (unsigned char)p.p[at];
			set_add(set, before);
		} else if (c == '-' && before && at + 1 < p.n && p.p[at + 1] != ']') {
			if (p.p[++at] == '\\' && ++at >= p.n)
				return 0;
			set_add_range(set, before, (unsigned char)p.p[at], fold);
			before = 0;
		} else if (c == '[' && at + 1 < p.n && p.p[at + 1] == ':') {
			size_t end = class_end(p, at + 2);

			if (end == p.n)
				return 0;
			before = end ? 0 : c;
			if (end == 0)
				set_add(set, c);
			else if (!set_add_class(set, str_cut(p, at + 2, end - 1), fold))
				return 0;
			else
				at = end;
		} else {
			set_add(set, c);
			before = c;
		}
	}
	for (size_t i = 0; i < 8 && negated; i++)
		set[i] = ~set[i];
	if (path)
		set['/' >> 5] &= ~(1u << ('/' & 31));
	return at + 1;
}

/* ---- compiled patterns */

/* Read the stars at p[at] into one token; return the index after them. */
static size_t
read_stars(struct str p, size_t at, bool path, struct glob_token *t)
{
	size_t end = at;
	bool front = at == 0 || p.p[at - 1] == '/', slash;

	while (end < p.n && p.p[end] == '*')
		end++;
	t->kind = path ? GLOB_STAR : GLOB_ALL;
	if (!path || end - at < 2 || !front)
		return end;
	slash = end < p.n && p.p[end] == '/';
	if (slash || end == p.n ||
	    (p.p[end] == '\\' && end + 1 < p.n && p.p[end + 1] == '/'))
		t->kind = slash ? GLOB_DIRS : GLOB_ALL;
	return end + slash;
}

bool
glob_compile(struct arena *a, struct str p, unsigned flags, struct glob *ret)
{
	bool path = flags & GLOB_PATH, fold = flags & GLOB_FOLD;
	struct glob g = { .path = path, .fold = fold };

	g.tokens = arena_array(a, p.n + 1, sizeof *g.tokens);
	if (!g.tokens)
		return false;
	for (size_t at = 0; at < p.n && !g.never;) {
		struct glob_token *t = &g.tokens[g.n++];
		unsigned char c = (unsigned char)p.p[at];

		if (c == '*') {
			at = read_stars(p, at, path, t);
		} else if (c == '[') {
			uint32_t *set = arena_array(a, 8, sizeof *set);

			if (!set)
				return false;
			t->kind = GLOB_SET;
			t->set = set;
			at = read_set(p, at + 1, path, fold, set);
			g.never = at == 0;
		} else if (c == '?') {
			t->kind = GLOB_ANY;
			at++;
		} else if (c == '\\') {
			/* A backslash at the end matches nothing. An escaped byte keeps its
			 * case. */
			g.never = ++at == p.n;
			t->kind = GLOB_BYTE;
			t->byte = g.never ? 0 : (uint8_t)p.p[at++];
		} else {
			t->kind = GLOB_BYTE;
			t->byte = fold ? glob_lower(c) : c;
			at++;
		}
	}
	*ret = g;
	return true;
}

static bool
token_takes(const struct glob *g, const struct glob_token *t, unsigned char c)
{
	if (g->fold)
		c = glob_lower(c);
	switch ((enum glob_kind)t->kind) {
	case GLOB_BYTE:
		return c == t->byte;
	case GLOB_ANY:
		return !g->path || c != '/';
	case GLOB_SET:
		return set_has(t->set, c);
	default:
		return false;
	}
}

/* A star and the position where its next attempt begins. */
struct glob_retry {
	size_t token, text;
	bool set;
};

static bool
retry_star(struct glob_retry *r, struct str text)
{
	if (!r->set)
		return false;
	r->set = r->text < text.n && text.p[r->text] != '/';
	r->text++;
	return r->set;
}

static bool
retry_all(struct glob_retry *r, struct str text, bool dirs)
{
	if (!r->set)
		return false;
	if (dirs)
		r->text += str_find(str_skip(text, r->text), '/');
	r->set = r->text < text.n;
	r->text++;
	return r->set;
}

/*
 * Two positions to return to are enough. After a later `*` of the same component the
 * earlier one needs no retry, and so after a later `**`: the shortest match that reached it
 * leaves it the most text.
 */
bool
glob_matches(const struct glob *g, struct str text)
{
	struct glob_retry star = { 0 }, all = { 0 };
	size_t k = 0, i = 0;
	bool dirs = false;

	if (g->never)
		return false;
	for (;;) {
		const struct glob_token *t = &g->tokens[k];

		if (k == g->n) {
			if (i == text.n)
				return true;
		} else if (t->kind == GLOB_STAR) {
			star = (struct glob_retry){ ++k, i, true };
			continue;
		} else if (t->kind == GLOB_ALL || t->kind == GLOB_DIRS) {
			all = (struct glob_retry){ ++k, i, true };
			dirs = t->kind == GLOB_DIRS;
			star.set = false;
			continue;
		} else if (i < text.n && token_takes(g, t, (unsigned char)text.p[i])) {
			k++;
			i++;
			continue;
		}
		if (retry_star(&star, text)) {
			k = star.token;
			i = star.text;
		} else if (retry_all(&all, text, dirs)) {
			star.set = false;
			k = all.token;
			i = all.text;
		} else
			return false;
	}
}
