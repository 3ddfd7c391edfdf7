/* policy/match.h: one piece of text against one piece of a pattern. */
#pragma once
#include "policy/image/image.h"

/*
 * `text` against `code` with CODE_STAR and CODE_ANY, whatever bytes stand in
 * them.  No recursion; at worst the product of both lengths.
 */
bool glob_match(struct str code, struct str text);
