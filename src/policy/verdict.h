/* policy/verdict.h: the four verdicts.  The smaller is the stricter; zero is deny. */
#pragma once

enum verdict {
	VERDICT_DENY = 0,
	VERDICT_ASK = 1,
	VERDICT_CONFINE = 2,
	VERDICT_ALLOW = 3,
};

static inline enum verdict
verdict_min(enum verdict x, enum verdict y)
{
	return x < y ? x : y;
}
