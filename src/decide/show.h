/* decide/show.h: a decision for a person: one line, a drawing, or every step. */
#pragma once
#include "base/buf.h"
#include "decide/decide.h"

/* `ask: git push is on the ask list (...)` and what would make it pass; no newline. */
void decision_line(struct buf *out, const struct decision *d);
/* Whatever was found, gate by gate. */
void decision_trace(
    struct buf *out, const struct decide_input *in, const struct decision *d);

#define SHOW_COLUMNS 80

/*
 * The command with each part marked, what it does, what decided, and what would change
 * it.  No line has more than SHOW_COLUMNS columns, but for words that are longer.
 */
void decision_show(
    struct buf *out, const struct decide_input *in, const struct decision *d, bool colour);

/* Its pieces, for doors with a frame of their own: each part with its verdict and rule,
 * everything it touches, and what its sandbox would give. */
void decision_show_parts(
    struct buf *out, struct str text, const struct decision *d, bool colour);
void decision_show_effects(struct buf *out, const struct effects *e);
void decision_show_sandbox(struct buf *out, const struct sandbox_policy *p);

/* show_draw.c: the text in rows, each with its marks below. */
void draw_command(struct buf *out, struct str text, const struct decision *d, bool colour);
/* Words from `column` on, further lines indented to `indent`; ends with a newline. */
void wrap_text(struct buf *out, struct str text, size_t column, size_t indent);
/* The verdict's name in its colour. */
void put_verdict(struct buf *out, enum verdict verdict, bool colour);
/* The commands in the order of their numbers in the drawing; 0: not numbered. */
size_t draw_number(const struct decision *d, const struct judged *j);
/* Of the parts that hold this byte the smallest, then the strictest; NULL: none. */
const struct judged *draw_part_at(const struct decision *d, size_t at);
