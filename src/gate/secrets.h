/* gate/secrets.h: names that rules look for wherever they stand: are some in a tree? */
#pragma once
#include "decide/decide.h"
#include "look/look.h"

/* False when there is no memory.  `in` must outlive the look; its policy counts. */
bool secrets_watch(struct arena *a, const struct decide_input *in, struct look_secret *ret);
