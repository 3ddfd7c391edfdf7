/* base/near.h: words with one typing error. */
#pragma once
#include "base/str.h"

/* Whether the two differ by one letter, or by two neighbours that changed places. */
bool is_near(struct str a, struct str b);
