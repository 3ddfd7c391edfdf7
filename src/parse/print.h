/* parse/print.h: print the tree, for people and tests. The format may change. */
#pragma once
#include "base/buf.h"
#include "parse/tree.h"

/* Indented text, one node per line, for `cordon parse --tree`. */
void tree_print(struct buf *b, const struct list *top);
/* One line of JSON, for `cordon parse --json`. */
void tree_print_json(struct buf *b, const struct list *top);
