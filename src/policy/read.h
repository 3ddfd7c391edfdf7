/* policy/read.h: what the readers of lines share. */
#pragma once
#include "policy/draft.h"

/*
 * All return 0, or an error with r->why and r->column set.  A reader takes the
 * words of its line from r with read_next.
 */
int read_fail(struct reading *r, const struct token *t, const char *why, const char *rest);
int read_no_room(struct reading *r);
/* "expected a, b or c" */
int read_expected(struct reading *r, const struct token *t, const struct word_value *table);
/* The next word, or NULL at the end of the line. */
const struct token *read_next(struct reading *r);
const struct token *read_peek(const struct reading *r);
/* Nothing stands behind. */
int read_end(struct reading *r);
/* The word is exactly this one, and not quoted. */
bool token_is(const struct token *t, const char *word);

int read_rule(struct reading *r, enum verdict verdict);
int read_setting(struct reading *r, enum setting id);

/*
 * A line of policy_print: takes its origin from the comment.  *ret_skip: the
 * line says a default, or what has no effect, and is done with.
 */
int printed_origin(struct reading *r, bool *ret_skip);

int read_pattern(struct reading *r, const struct token *t, enum pattern_use use,
    struct draft_list *list);
/* One alternative, without braces: checked, and put into *alt. */
int read_path(struct reading *r, const struct token *t, enum pattern_use use,
    struct str code, struct alternative *alt);
int read_host(
    struct reading *r, const struct token *t, struct str code, struct alternative *alt);
