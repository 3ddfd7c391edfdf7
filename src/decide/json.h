/* decide/json.h: a decision as one line of JSON, as the contract fixes it. */
#pragma once
#include "base/buf.h"
#include "decide/decide.h"

struct decision_extra {
	struct str id;      /* raw JSON, comes first; .p == NULL: none */
	struct str command; /* the text to run instead; .p == NULL: none */
	struct str path;    /* of a file tool; .p == NULL: none */
	bool trace;         /* every step, too */
};

/* Without a newline. */
void decision_json(struct buf *out, const struct decide_input *in, const struct decision *d,
    const struct decision_extra *extra);
/* A decision that did not fit in memory: a deny that says so. */
void decision_json_full(struct buf *out, struct str id);
