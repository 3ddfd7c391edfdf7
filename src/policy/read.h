/* policy/read.h: internal: helpers for reading a line of rules. */
#pragma once
#include "policy/draft.h"

/* All return 0, or an error with r->why and r->column set.  A reader takes the words of its
 * line with read_next(). */
int read_fail(
    struct rule_reader *r, const struct token *t, const char *why, const char *rest);
int read_no_memory(struct rule_reader *r);
/* "expected a, b or c" */
int read_expected(
    struct rule_reader *r, const struct token *t, const struct word_value *table);
/* The next word, or NULL at the end of the line. */
const struct token *read_next(struct rule_reader *r);
const struct token *read_peek(const struct rule_reader *r);
/* Fail unless the line ends here. */
int read_end(struct rule_reader *r);
/* True if the token is exactly this word, unquoted. */
bool token_is(const struct token *t, const char *word);

int read_rule(struct rule_reader *r, enum verdict verdict);
int read_setting(struct rule_reader *r, enum setting id);

/* Take the origin of a line printed by policy_print() from its comment.  *ret_skip: the
 * line states a default or something without effect, and is done. */
int printed_origin(struct rule_reader *r, bool *ret_skip);

int read_pattern(struct rule_reader *r, const struct token *t, enum pattern_use use,
    struct draft_list *list);
/* Check one alternative, without braces, and store it in *alt. */
int read_path(struct rule_reader *r, const struct token *t, enum pattern_use use,
    struct str code, struct alternative *alt);
int read_host(
    struct rule_reader *r, const struct token *t, struct str code, struct alternative *alt);
