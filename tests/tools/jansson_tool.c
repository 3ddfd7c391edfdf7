/* jansson_tool: framed documents; `ok`, `refused`, or `range` for a number that
 * jansson cannot hold. */
#include "tools/frames.h"
#include <jansson.h>

int
main(void)
{
	size_t n;

	for (char *p; (p = frame_next(&n)); free(p)) {
		json_error_t e;
		json_t *v = json_loadb(p, n, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &e);

		if (v)
			puts("ok");
		else if (json_error_code(&e) == json_error_numeric_overflow)
			puts("range");
		else
			puts("refused");
		json_decref(v);
	}
	return 0;
}
