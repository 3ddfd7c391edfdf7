/* policy/sandbox/sandbox_ignore.h: an ignore mapping as sorted rows; for this room alone.
 */
#pragma once
#include "base/ignore/ignore.h"
#include "policy/sandbox/sandbox.h"

/* One mapping as it was given. */
struct source {
	struct str root;
	struct ignore_text *files;
	size_t n;
	struct source *next;
};

/* One line of one file, or (with a negation in it) one whole mapping. */
struct row {
	struct str root;
	bool ordered;
	const struct ignore_text *files;
	size_t n;
};

struct rows {
	struct arena *a;
	struct source *sources;
	struct row *v;
	size_t n;
	struct err *reterr;
};

/* The rows of one or two mappings, sorted, each once. */
int rows_read(
    struct arena *a, struct str x, struct str y, struct rows *ret, struct err *reterr);
int row_cmp(const struct row *x, const struct row *y);
int rows_no_room(const struct rows *r);
