/* policy/builtin.h: the shipped rules, the text of policy/builtin.rules. */
#pragma once
#include "base/str.h"

struct str policy_builtin(void);
