/* policy/image/pool.h: the texts of an image while it is written. */
#pragma once
#include "policy/image/image.h"

struct pool {
	struct buf bytes; /* .full: no memory */
	bool too_big;
	/* Where texts that were kept lie, by hash. */
	struct image_text *known;
	uint32_t known_n, known_size; /* a power of two */
	/* The line that is written now: pieces of it need no room of their own. */
	struct str line;
	uint32_t line_at;
};

/* An absent text stays absent; a piece of the line that is written now is only pointed at.
 */
struct image_text pool_put(struct pool *x, struct str s);
/* The text of a line: pieces of it that follow are shared with it, up to pool_line_done. */
struct image_text pool_line(struct pool *x, struct str s);
void pool_line_done(struct pool *x);
