/* base/near.h: recognise a word with one typing error. */
#pragma once
#include "base/str.h"

/* True if `a` and `b` differ by one letter, or by two swapped neighbours. */
bool is_near(struct str a, struct str b);
