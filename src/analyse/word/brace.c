/*
 * Brace expansion, the first step, as in bash: split the word into active bytes and opaque
 * parts, and join them again once for each alternative.
 */
#include "analyse/word/word.h"
#include "base/limits.h"

/* Limit for braces that open nothing: each is searched for to the end of the word. */
#define TRIES_MAX 8

/* One active byte, or one opaque part (part != NULL). */
struct unit {
	char c;
	const struct part *part;
};

struct units {
	struct unit *v;
	size_t n;
};

/* The alternatives of a run of units. */
struct alternatives {
	struct units *v;
	size_t n;
};

struct bracing {
	struct walk *w;
	size_t fields, bytes; /* counted against the limits */
	bool too_many;
	int depth;
};

static char
active(struct units u, size_t i)
{
	return i < u.n && !u.v[i].part ? u.v[i].c : '\0';
}

static bool
has_brace(const struct word *word)
{
	for (const struct part *p = word->parts; p; p = p->next)
		if (p->kind == PART_TEXT && !p->quoted &&
		    str_find(p->text, '{') < p->text.n)
			return true;
	return false;
}

static struct units
take_apart(struct walk *w, const struct word *word)
{
	struct units u = { NULL, 0 };
	size_t n = 0;

	for (const struct part *p = word->parts; p; p = p->next)
		n += p->kind == PART_TEXT && !p->quoted ? p->text.n : 1;
	u.v = walk_alloc(w, n * sizeof *u.v);
	if (!u.v)
		return u;
	for (const struct part *p = word->parts; p; p = p->next) {
		if (p->kind != PART_TEXT || p->quoted) {
			u.v[u.n++].part = p;
			continue;
		}
		for (size_t i = 0; i < p->text.n; i++)
			u.v[u.n++].c = p->text.p[i];
	}
	return u;
}

static struct units
slice(struct units u, size_t from, size_t to)
{
	return (struct units){ u.v + from, to - from };
}

/* The closing brace; bash accepts one only after a comma or dots. */
static size_t
closing(struct units u, size_t from)
{
	size_t level = 0;
	bool reason = false;

	for (size_t i = from; i < u.n; i++) {
		char c = active(u, i);

		if (c == '}' && level == 0 && reason)
			return i;
		if (c == '{')
			level++;
		else if (c == '}' && level > 0)
			level--;
		else if (level == 0 && (c == ',' || (c == '.' && active(u, i + 1) == '.' &&
							active(u, i + 2) != '}')))
			reason = true;
	}
	return u.n;
}

/* The first brace that opens an expansion, or u.n. */
static size_t
opening(struct bracing *b, struct units u, size_t *ret_close)
{
	size_t tries = 0;

	for (size_t i = 0; i < u.n; i++) {
		if (active(u, i) != '{')
			continue;
		/* {} at the start of a word is literal: find and xargs use it. */
		if (i == 0 && active(u, i + 1) == '}')
			continue;
		*ret_close = closing(u, i + 1);
		if (*ret_close < u.n)
			return i;
		/* Each try reads to the end of the word: limit them, to stay linear. */
		if (++tries > TRIES_MAX) {
			b->too_many = true;
			return u.n;
		}
	}
	return u.n;
}

static bool
charge(struct bracing *b, size_t fields, size_t units)
{
	b->fields += fields;
	b->bytes += units;
	if (b->fields > LIMIT_BRACE_FIELDS || b->bytes > LIMIT_BRACE_BYTES)
		b->too_many = true;
	return !b->too_many && !b->w->failed;
}

static bool
add(struct bracing *b, struct alternatives *to, struct units u)
{
	if (!charge(b, 1, u.n))
		return false;
	if ((to->n & (to->n - 1)) == 0) { /* capacity doubles at each power of two */
		size_t cap = to->n ? to->n * 2 : 1;
		struct units *v = walk_alloc(b->w, cap * sizeof *v);

		if (!v)
			return false;
		if (to->n)
			memcpy(v, to->v, to->n * sizeof *v);
		to->v = v;
	}
	to->v[to->n++] = u;
	return true;
}

/* ---- {1..5} and {a..e} */

static bool
read_number(struct bracing *b, struct units u, size_t *at, int64_t *ret, size_t *ret_width)
{
	size_t i = *at, digits = 0;
	bool minus = active(u, i) == '-';
	int64_t n = 0;

	if (minus || active(u, i) == '+')
		i++;
	for (; byte_is_digit(active(u, i)); i++, digits++) {
		if (digits > 9) { /* bash accepts longer numbers, we need not */
			b->too_many = true;
			return false;
		}
		n = n * 10 + (active(u, i) - '0');
	}
	if (digits == 0)
		return false;
	*ret = minus ? -n : n;
	/* A leading zero means padding to the longer of the two. */
	size_t sign = (size_t)(minus || active(u, *at) == '+');
	*ret_width = digits > 1 && active(u, *at + sign) == '0' ? i - *at : 0;
	*at = i;
	return true;
}

static bool
dots(struct units u, size_t *at)
{
	if (active(u, *at) != '.' || active(u, *at + 1) != '.')
		return false;
	*at += 2;
	return true;
}

static bool
put_number(struct bracing *b, struct alternatives *to, int64_t n, size_t width)
{
	struct unit *v = walk_alloc(b->w, (24 + width) * sizeof *v);
	char digits[24];
	size_t k = 0, len = 0;
	uint64_t rest = (uint64_t)(n < 0 ? -n : n);

	if (!v)
		return false;
	do
		digits[k++] = (char)('0' + rest % 10);
	while (rest /= 10);
	if (n < 0)
		v[len++].c = '-';
	while (len + k < width)
		v[len++].c = '0';
	while (k > 0)
		v[len++].c = digits[--k];
	return add(b, to, (struct units){ v, len });
}

static bool
put_range(struct bracing *b, struct alternatives *to, int64_t from, int64_t end,
    int64_t step, size_t width, bool letters)
{
	if (step < 0)
		step = -step;
	if (step == 0)
		step = 1;
	if ((end > from ? end - from : from - end) / step > LIMIT_BRACE_FIELDS) {
		b->too_many = true;
		return false;
	}
	for (int64_t n = from;; n += end >= from ? step : -step) {
		if (end >= from ? n > end : n < end)
			return true;
		if (!letters) {
			if (!put_number(b, to, n, width))
				return false;
			continue;
		}
		struct unit *v = walk_alloc(b->w, sizeof *v);

		if (!v)
			return false;
		if (!byte_is_letter((char)n)) { /* between Z and a: \ ` [ would quote */
			b->too_many = true;
			return false;
		}
		v->c = (char)n;
		if (!add(b, to, (struct units){ v, 1 }))
			return false;
	}
}

/* Return false if it is not a sequence. */
static bool
sequence(struct bracing *b, struct units u, struct alternatives *to)
{
	size_t at = 0, w1 = 0, w2 = 0, w3;
	int64_t from, end, step = 1;
	bool letters = byte_is_letter(active(u, 0)) && active(u, 1) == '.';

	if (letters) {
		from = (unsigned char)active(u, 0);
		at = 1;
		if (!dots(u, &at) || !byte_is_letter(active(u, at)))
			return false;
		end = (unsigned char)active(u, at++);
	} else if (!read_number(b, u, &at, &from, &w1) || !dots(u, &at) ||
		   !read_number(b, u, &at, &end, &w2))
		return false;
	if (at < u.n && (!dots(u, &at) || !read_number(b, u, &at, &step, &w3)))
		return false;
	if (at != u.n)
		return false;
	put_range(b, to, from, end, step, w1 > w2 ? w1 : w2, letters);
	return true;
}

/* ---- the whole word */

static struct alternatives expand(struct bracing *b, struct units u);

static size_t
comma(struct units u, size_t from)
{
	size_t level = 0;

	for (size_t i = from; i < u.n; i++) {
		char c = active(u, i);

		if (c == '{')
			level++;
		else if (c == '}' && level > 0)
			level--;
		else if (c == ',' && level == 0)
			return i;
	}
	return u.n;
}

/* The alternatives between commas, a sequence, or the text with its braces. */
static struct alternatives
middle(struct bracing *b, struct units u, size_t open, size_t close)
{
	struct alternatives to = { NULL, 0 };
	struct units inside = slice(u, open + 1, close);

	if (comma(inside, 0) == inside.n) {
		if (!sequence(b, inside, &to))
			add(b, &to, slice(u, open, close + 1));
		return to;
	}
	for (size_t from = 0; from <= inside.n;) {
		size_t end = comma(inside, from);
		struct alternatives part = expand(b, slice(inside, from, end));

		for (size_t i = 0; i < part.n; i++)
			add(b, &to, part.v[i]);
		from = end + 1;
	}
	return to;
}

static struct units
glue(struct walk *w, struct units x, struct units y, struct units z)
{
	struct units u = { walk_alloc(w, (x.n + y.n + z.n) * sizeof *u.v), 0 };

	if (!u.v)
		return u;
	for (int k = 0; k < 3; k++) {
		struct units part = k == 0 ? x : k == 1 ? y : z;

		if (part.n)
			memcpy(u.v + u.n, part.v, part.n * sizeof *u.v);
		u.n += part.n;
	}
	return u;
}

static struct alternatives
expand(struct bracing *b, struct units u)
{
	struct alternatives to = { NULL, 0 }, mid, post;
	size_t close = 0, open = opening(b, u, &close);

	if (open == u.n || b->too_many || b->w->failed) {
		add(b, &to, u);
		return to;
	}
	if (++b->depth > LIMIT_NESTING) {
		b->too_many = true;
		return to;
	}
	mid = middle(b, u, open, close);
	post = expand(b, slice(u, close + 1, u.n));
	b->depth--;
	for (size_t i = 0; i < mid.n; i++)
		for (size_t k = 0; k < post.n && !b->too_many && !b->w->failed; k++)
			add(b, &to, glue(b->w, slice(u, 0, open), mid.v[i], post.v[k]));
	return to;
}

/* Build a word from units: runs of bytes become one part. */
static struct word *
put_together(struct walk *w, struct units u, const struct word *from)
{
	struct word *word = walk_alloc(w, sizeof *word);
	struct part **end;

	if (!word)
		return NULL;
	word->at = from->at;
	end = &word->parts;
	for (size_t i = 0; i < u.n;) {
		struct part *p = walk_alloc(w, sizeof *p);
		size_t k = i;
		char *text;

		if (!p)
			return NULL;
		if (u.v[i].part) {
			*p = *u.v[i++].part;
			p->next = NULL;
		} else {
			while (k < u.n && !u.v[k].part)
				k++;
			if ((text = walk_alloc(w, k - i)) == NULL)
				return NULL;
			for (size_t j = i; j < k; j++)
				text[j - i] = u.v[j].c;
			p->kind = PART_TEXT;
			p->at = from->at;
			p->text = str_of(text, k - i);
			i = k;
		}
		*end = p;
		end = &p->next;
	}
	return word;
}

const struct word *
brace_expand(struct walk *w, const struct word *word, bool *too_many)
{
	struct bracing b = { .w = w };
	struct alternatives all;
	struct word *first = NULL, **end = &first;
	struct units u;

	if (!has_brace(word)) {
		/* The caller follows `next`: return a copy without the neighbours. */
		struct word *alone = walk_alloc(w, sizeof *alone);

		if (alone) {
			*alone = *word;
			alone->next = NULL;
		}
		return alone;
	}
	u = take_apart(w, word);
	if (w->failed)
		return NULL;
	all = expand(&b, u);
	*too_many = b.too_many;
	w->cut |= b.too_many;
	if (b.too_many) /* substitutions inside run, whatever the word becomes */
		return put_together(w, u, word);
	for (size_t i = 0; i < all.n && !w->failed; i++) {
		*end = put_together(w, all.v[i], word);
		if (*end)
			end = &(*end)->next;
	}
	return first;
}
