/* journal/report.h: what a check of the journal found, for people and programs. */
#pragma once
#include "journal/journal.h"

/* One JSON object, or one line; no newline. */
void journal_fault_put_json(struct buf *b, const struct journal_fault *f);
void journal_fault_put_line(struct buf *b, const struct journal_fault *f);
/* The sum at the end; with newlines. */
void journal_sum_put_json(struct buf *b, const struct journal_verify *v);
void journal_sum_put_line(struct buf *b, const struct journal_verify *v);

/* SEQUENCE:CHAIN, in hexadecimal digits. */
void journal_head_put(struct buf *b, const struct journal_head *head);
bool journal_head_read(struct str s, struct journal_head *ret);
