/*
 * gate/ask/session_tools.h: what a session allows for a tool: a line each, the tool's name
 * and the command, both in JSON, a tab between them.
 */
#pragma once
#include "approve/approve.h"

/* One plain command becomes one rule; NULL, or why it does not. */
const char *session_rule(
    struct arena *a, struct str text, enum approve_level level, struct buf *out);
void session_put_tool(struct buf *out, struct str tool, struct str command);
/* The last line of `text` by which the tool may do what the line `rule` allows; false:
 * there is none. */
bool session_find_tool(struct arena *a, struct str text, struct str tool, struct str rule,
    size_t *ret_from, size_t *ret_to);
