/* decide/show.h: print a decision for a person: one line, a drawing, or every step. */
#pragma once
#include "base/buf.h"
#include "decide/decide.h"

/* Print `ask: git push is on the ask list (...)` and the hint; no final newline. */
void decision_line(struct buf *out, const struct decision *d);
/* Print every finding, gate by gate. */
void decision_trace(
    struct buf *out, const struct decide_input *in, const struct decision *d);

/* The text of one command or effect; empty: its position is outside. */
struct str decision_part(struct str text, struct span at);

#define SHOW_COLUMNS 80

/* Draw the command with each part marked, its effects, the reason and the hint.  No line
 * has more than SHOW_COLUMNS columns, except for longer words. */
void decision_show(
    struct buf *out, const struct decide_input *in, const struct decision *d, bool colour);

/* Parts of decision_show(): each command with its verdict and rule, all effects, and what
 * the sandbox gives. */
void decision_show_parts(
    struct buf *out, struct str text, const struct decision *d, bool colour);
void decision_show_effects(struct buf *out, const struct effects *e);
void decision_show_sandbox(struct buf *out, const struct sandbox_policy *p);

/* show_draw.c: draw the text in rows, with marks below each. */
void draw_command(struct buf *out, struct str text, const struct decision *d, bool colour);
/* Wrap words, starting at `column`; later lines are indented to `indent`.  Ends with a
 * newline. */
void show_wrap(struct buf *out, struct str text, size_t column, size_t indent);
/* Print the verdict's name in its colour. */
void verdict_put(struct buf *out, enum verdict verdict, bool colour);
/* The number of a command in the drawing; 0: not numbered. */
size_t draw_number(const struct decision *d, const struct judged *j);
/* The smallest part that contains this byte, then the strictest; NULL: none. */
const struct judged *draw_part_at(const struct decision *d, size_t at);
