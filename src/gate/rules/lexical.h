/*
 * gate/rules/lexical.h: decide by names alone, without looking at the file system.
 *
 * Used for `test` lines and for records of the past, whose files have changed.  A path
 * below a root is inside, every other path outside; a program is what its name says; any
 * file may hold unsaved work.
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
	/* Instead of a command: a file tool and its path. */
	bool file_tool;
	enum file_op op;
	struct str path;
};

/* Decide.  *ret and *ret_effects point into the arena, `q` and the policy. */
void lexical_decide(struct arena *a, const struct lexical *q, struct effects *ret_effects,
    struct decision *ret);
