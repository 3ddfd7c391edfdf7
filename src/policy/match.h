/* policy/match.h: internal: match text against one pattern. */
#pragma once
#include "policy/image/image.h"

/* Match `text` against `code`, whose wildcards are CODE_STAR and CODE_ANY. */
bool pattern_glob(struct str code, struct str text);
