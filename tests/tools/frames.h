/* tests/tools/frames.h: documents on standard input, each after its length and a newline.
 */
#pragma once
#include <stdio.h>
#include <stdlib.h>

/* The next document, to be freed, or NULL at the end. */
static inline char *
frame_next(size_t *ret)
{
	char *p;

	if (scanf("%zu", ret) != 1 || getchar() != '\n')
		return NULL;
	p = malloc(*ret + 1);
	if (!p || fread(p, 1, *ret, stdin) != *ret)
		exit(2);
	return p;
}
