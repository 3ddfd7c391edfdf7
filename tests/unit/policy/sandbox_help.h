/* What the tests of SandboxPolicy share. */
#pragma once
#include "../one_arena.h"
#include "policy/sandbox/sandbox.h"

static inline int
try_read(const char *text, struct sandbox_policy *ret, struct err *reterr)
{
	static const struct json_opts how = { .surrogate_bytes = true };
	const struct json *v = NULL;

	assert_int_equal(json_read(arena, str_from_c(text), &how, &v, NULL), 0);
	return sandbox_read(arena, v, ret, reterr);
}

static inline struct sandbox_policy
policy(const char *text)
{
	struct sandbox_policy p = { 0 };
	struct err e = { 0 };

	if (try_read(text, &p, &e))
		fail_msg("%s: %s", text, e.why);
	return p;
}

static inline struct str
given(const struct sandbox_policy *p)
{
	struct buf b;

	buf_init(&b, arena);
	sandbox_print_given(p, &b);
	assert_false(b.full);
	return buf_str(&b);
}

static inline struct str
printed(const struct sandbox_policy *p)
{
	struct buf b;

	buf_init(&b, arena);
	sandbox_print(p, &b);
	assert_false(b.full);
	return buf_str(&b);
}

static inline struct sandbox_policy
meet(const struct sandbox_policy *x, const struct sandbox_policy *y)
{
	struct sandbox_policy m = { 0 };

	assert_int_equal(sandbox_meet(arena, x, y, &m), 0);
	return m;
}
