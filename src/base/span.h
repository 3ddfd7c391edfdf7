/* base/span.h: a range of a text. */
#pragma once
#include "base/str.h"
#include <stdint.h>

struct span {
	uint32_t start, end; /* bytes [start, end) */
};

static inline bool
span_holds(struct span outer, struct span inner)
{
	return inner.start >= outer.start && inner.end <= outer.end;
}

/* Its part of `text`; empty if it is of another text. */
static inline struct str
span_text(struct str text, struct span at)
{
	if (at.start > at.end || at.end > text.n)
		return STR("");
	return str_cut(text, at.start, at.end);
}
