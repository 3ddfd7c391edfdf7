/* policy/match.h: one piece of text against one piece of a pattern. */
#pragma once
#include "policy/image/image.h"

/* Match `text` against `code`, whose wildcards are CODE_STAR and CODE_ANY. */
bool pattern_glob(struct str code, struct str text);
