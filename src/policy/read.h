/* policy/read.h (internal): helpers for reading a line of rules. */
#pragma once
#include "policy/draft.h"

/* All return 0, or an error with r->why and r->column set.  A reader takes the words of its
 * line with read_next(). */
int read_fail(struct reading *r, const struct token *t, const char *why, const char *rest);
int read_no_room(struct reading *r);
/* "expected a, b or c" */
int read_expected(struct reading *r, const struct token *t, const struct word_value *table);
/* The next word, or NULL at the end of the line. */
const struct token *read_next(struct reading *r);
const struct token *read_peek(const struct reading *r);
/* Fail unless the line ends here. */
int read_end(struct reading *r);
/* True if the token is exactly this word, unquoted. */
bool token_is(const struct token *t, const char *word);

int read_rule(struct reading *r, enum verdict verdict);
int read_setting(struct reading *r, enum setting id);

/* Take the origin of a line printed by policy_print() from its comment.  *ret_skip: the
 * line states a default or something without effect, and is done. */
int printed_origin(struct reading *r, bool *ret_skip);

int read_pattern(struct reading *r, const struct token *t, enum pattern_use use,
    struct draft_list *list);
/* Check one alternative, without braces, and store it in *alt. */
int read_path(struct reading *r, const struct token *t, enum pattern_use use,
    struct str code, struct alternative *alt);
int read_host(
    struct reading *r, const struct token *t, struct str code, struct alternative *alt);
