/* policy/image/pool.h: internal: the text pool of an image that is being written. */
#pragma once
#include "policy/image/image.h"

struct pool {
	struct buf bytes; /* .full: no memory */
	bool too_big;
	/* Hash table of the stored texts. */
	struct image_text *known;
	uint32_t known_n, known_size; /* a power of two */
	/* The current line: substrings of it are shared with it. */
	struct str line;
	uint32_t line_at;
};

/* Store a text once.  An absent text stays absent; a substring of the current line is
 * shared. */
struct image_text pool_put(struct pool *x, struct str s);
/* Store a line; substrings stored until pool_line_done() are shared with it. */
struct image_text pool_line(struct pool *x, struct str s);
void pool_line_done(struct pool *x);
