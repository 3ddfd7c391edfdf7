/* decide/json.h: print a decision as one line of JSON; the format is fixed. */
#pragma once
#include "base/buf.h"
#include "decide/decide.h"

struct decision_extra {
	struct str id;      /* raw JSON, comes first; .p == NULL: none */
	struct str command; /* the text to run instead; .p == NULL: none */
	struct str path;    /* of a file tool; .p == NULL: none */
	bool trace;         /* print every step as well */
};

/* Print without a final newline. */
void decision_json(struct buf *out, const struct decide_input *in, const struct decision *d,
    const struct decision_extra *extra);
/* Print a deny for a decision that did not fit in memory. */
void decision_json_full(struct buf *out, struct str id);
