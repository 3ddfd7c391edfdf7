/* policy/builtin.h: the built-in rules, the text of policy/builtin.rules. */
#pragma once
#include "base/str.h"

struct str policy_builtin(void);
