/* policy/sandbox/sandbox_ignore.h: internal: an ignore mapping as sorted rows. */
#pragma once
#include "base/ignore/ignore.h"
#include "policy/sandbox/sandbox.h"

/* One mapping as given. */
struct source {
	struct str root;
	struct ignore_text *files;
	size_t n;
	struct source *next;
};

/* One line of one file, or one whole mapping if it has a negation. */
struct ignore_row {
	struct str root;
	bool ordered;
	const struct ignore_text *files;
	size_t n;
};

struct rows {
	struct arena *a;
	struct source *sources;
	struct ignore_row *v;
	size_t n;
	struct err *reterr;
};

/* Read one or two mappings into sorted rows without duplicates. */
int rows_read(
    struct arena *a, struct str x, struct str y, struct rows *ret, struct err *reterr);
int row_cmp(const struct ignore_row *x, const struct ignore_row *y);
int rows_no_memory(const struct rows *r);
