/*
 * gate/rules/lexical.h: a decision where nobody may look: by names alone.
 *
 * For `test` lines and for the past, whose files are others now.  What lies below a root is
 * inside, everything else outside; programs are what they are called; work that nothing
 * else holds could be anywhere.
 */
#pragma once
#include "decide/decide.h"

struct lexical {
	const struct policy *policy;
	struct str text;      /* the command */
	struct str cwd, home; /* absolute; .p == NULL: unknown */
	const struct str *roots;
	size_t roots_n;
	int64_t now;
	/* Instead of a command: a tool that touches this path. */
	bool file_tool;
	enum file_op op;
	struct str path;
};

/* What is in *ret points to the arena, to `q` and to the policy; *ret_effects, too. */
void lexical_decide(struct arena *a, const struct lexical *q, struct effects *ret_effects,
    struct decision *ret);
