/* gate/secrets.h: find files in a tree that rules protect by name (`deny read **.env`). */
#pragma once
#include "decide/decide.h"
#include "look/look.h"

/* Return false if out of memory.  `in` must outlive the lookup; its policy is used. */
bool secrets_watch(struct arena *a, const struct decide_input *in, struct look_secret *ret);
