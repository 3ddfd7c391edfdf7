/*
 * gate/ask/session_tools.h: what a session allows a tool, one line each: tool name and
 * command as JSON strings, separated by a tab.
 */
#pragma once
#include "approve/approve.h"

/* Turn one plain command into one rule.  Return NULL, or why that is impossible. */
const char *session_rule(
    struct arena *a, struct str text, enum approve_level level, struct buf *out);
void session_put_tool(struct buf *out, struct str tool, struct str command);
/* Find the last line of `text` that allows the tool what `rule` allows.  Return false if
 * there is none. */
bool session_find_tool(struct arena *a, struct str text, struct str tool, struct str rule,
    size_t *ret_from, size_t *ret_to);
