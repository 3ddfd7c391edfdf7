/* gate/rules/lint.h: rules that are well formed and still not what anybody wants. */
#pragma once
#include "base/buf.h"
#include "gate/rules/load.h"

struct lint {
	struct arena *a;
	const struct policy *p;
	const struct layers_request *q;
	struct buf *out;
	bool json;
	size_t errors, warnings;
	size_t wide; /* of them: rules that allow too much */
};

/* One finding at a place. */
void lint_report(struct lint *l, bool error, const struct policy_origin *at,
    struct str line, const struct str *parts, size_t n);
#define LINT(l, error, at, line, ...)                                                      \
	lint_report((l), (error), (at), (line), (const struct str[]){ __VA_ARGS__ },       \
	    sizeof((const struct str[]){ __VA_ARGS__ }) / sizeof(struct str))

/* Every rule and line above the shipped ones. */
void lint_policy(struct lint *l);
/* lint_cover.c: rules that others leave nothing to say. */
void lint_cover(struct lint *l, size_t rule, const struct rule *r);
/* The settings of Gemini CLI: a message, or NULL when they could be read.  *ret_at is where
 * the text is no JSON, else SIZE_MAX. */
const char *lint_gemini(struct lint *l, struct str file, struct str text, size_t *ret_at);
