/* tests/unit/decide/decide_help.h: a policy, and where commands are judged. */
#pragma once
#include "../cm.h"
#include "analyse/analyse.h"
#include "decide/decide.h"

static const struct str root = STR_INIT("/w"), home = STR_INIT("/home/u");

static inline const struct policy *
policy_of(struct arena *a, enum layer layer, const char *rules)
{
	struct policy_source s = {
		.layer = layer, .file = STR("r"), .text = str_from_c(rules)
	};
	struct policy_error e;
	const struct policy *p = NULL;
	struct buf image;

	buf_init(&image, a);
	assert_int_equal(policy_compile(a, &s, 1, &image, &e), 0);
	assert_int_equal(policy_open(a, buf_str(&image), &p), 0);
	return p;
}
