/* tests/unit/policy/help.h: what the tests of the rule language share. */
#pragma once
#include "../cm.h"
#include "policy/policy.h"
#include <stdio.h>
#include <stdlib.h>

#define ROOM ((size_t)64 << 20)

/* Compiles and opens one text; NULL and *e on an error. */
static inline const struct policy *
policy_of(struct arena *a, enum layer layer, struct str text, struct policy_error *e)
{
	struct policy_source s = {
		.layer = layer, .trusted = true, .file = STR("rules"), .text = text
	};
	const struct policy *p = NULL;
	struct buf image;

	buf_init(&image, a);
	if (policy_compile(a, &s, 1, &image, e))
		return NULL;
	assert_int_equal(policy_open(a, buf_str(&image), &p), 0);
	return p;
}

/* Printed, read and printed again: the same bytes. */
static inline void
check_round_trip(struct arena *a, const struct policy *p)
{
	struct policy_source s = { .layer = LAYER_USER, .printed = true };
	const struct policy *again = NULL;
	struct policy_error e = { 0 };
	struct buf first, second, image;

	buf_init(&first, a);
	policy_print(p, &first);
	s.text = buf_str(&first);
	buf_init(&image, a);
	if (policy_compile(a, &s, 1, &image, &e))
		fail_msg("line %zu of what was printed: %.*s\n%.*s", e.line, (int)e.why.n,
		    e.why.p, (int)first.n, first.p);
	assert_int_equal(policy_open(a, buf_str(&image), &again), 0);
	buf_init(&second, a);
	policy_print(again, &second);
	assert_str(buf_str(&second), buf_str(&first));
}

/* A file of the repository: from there, or from where this file stands. */
static inline struct str
repository_file(struct arena *a, const char *name)
{
	struct str here = STR(__FILE__);
	struct buf b;
	FILE *f;
	char *bytes = arena_alloc(a, 1 << 20);

	buf_init(&b, a);
	buf_put(&b, str_cut(here, 0, str_rfind(here, '/')));
	buf_puts(&b, "/../../../");
	buf_puts(&b, name);
	buf_putc(&b, '\0');
	assert_non_null(bytes);
	f = fopen(name, "rb");
	if (!f)
		f = fopen(b.p, "rb");
	if (!f)
		fail_msg("cannot open %s", b.p);
	here = str_of(bytes, fread(bytes, 1, 1 << 20, f));
	fclose(f);
	return here;
}

static inline struct str
case_file(struct arena *a, const char *name)
{
	struct buf b;

	buf_init(&b, a);
	buf_puts(&b, "tests/cases/policy/");
	buf_puts(&b, name);
	buf_putc(&b, '\0');
	return repository_file(a, b.p);
}

/* The next line, without its end; false at the end of the text. */
static inline bool
next_line(struct str *text, struct str *ret)
{
	if (text->n == 0)
		return false;
	*ret = str_cut(*text, 0, str_find(*text, '\n'));
	*text = str_skip(*text, ret->n + 1);
	return true;
}

/* The next word, and the blanks behind it. */
static inline struct str
next_word(struct str *line)
{
	struct str word = str_cut(*line, 0, str_find(*line, ' '));

	*line = str_skip(*line, word.n);
	while (line->n && line->p[0] == ' ')
		*line = str_skip(*line, 1);
	return word;
}

static inline bool
str_has(struct str s, struct str part)
{
	for (size_t i = 0; i + part.n <= s.n; i++)
		if (str_starts(str_skip(s, i), part))
			return true;
	return false;
}

static inline bool
layer_find(struct str name, enum layer *ret)
{
	for (int i = 0; i < LAYERS; i++) {
		if (str_is(name, layer_name((enum layer)i))) {
			*ret = (enum layer)i;
			return true;
		}
	}
	return false;
}
