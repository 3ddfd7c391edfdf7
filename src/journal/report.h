/* journal/report.h: print the result of a journal check. */
#pragma once
#include "journal/journal.h"

/* Print one JSON object, or one line; without a newline. */
void journal_fault_put_json(struct buf *b, const struct journal_fault *f);
void journal_fault_put_line(struct buf *b, const struct journal_fault *f);
/* Print the summary; with newlines. */
void journal_sum_put_json(struct buf *b, const struct journal_verify *v);
void journal_sum_put_line(struct buf *b, const struct journal_verify *v);

/* Print SEQUENCE:CHAIN in hexadecimal. */
void journal_head_put(struct buf *b, const struct journal_head *head);
bool journal_head_read(struct str s, struct journal_head *ret);
