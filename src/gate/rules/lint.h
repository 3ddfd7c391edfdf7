/* gate/rules/lint.h: warn about rules that are well formed but useless or too wide. */
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
	size_t wide; /* how many of them: rules that allow too much */
};

/* Report one finding at a source position. */
void lint_report(struct lint *l, bool error, const struct policy_origin *at,
    struct str line, const struct str *parts, size_t n);
#define LINT(l, error, at, line, ...)                                                      \
	lint_report((l), (error), (at), (line), (const struct str[]){ __VA_ARGS__ },       \
	    sizeof((const struct str[]){ __VA_ARGS__ }) / sizeof(struct str))

/* Check every rule and line above the built-in ones. */
void lint_policy(struct lint *l);
/* lint_cover.c: report a rule that other rules make ineffective. */
void lint_cover(struct lint *l, size_t rule, const struct rule *r);
/* Check Gemini CLI settings.  Return NULL, or a message; *ret_at is the offset of a JSON
 * syntax error, else SIZE_MAX. */
const char *lint_gemini(struct lint *l, struct str file, struct str text, size_t *ret_at);
