/*
 * Consistent overhead byte stuffing: each zero byte becomes the distance to the next.  A
 * zero byte then ends a frame and occurs nowhere else, so no command text can look like the
 * end of a record, and a reader resynchronises after any damage.
 */
#include "journal/record.h"

#define RUN_MAX 254

size_t
frame_room(size_t body)
{
	return body + body / RUN_MAX + 2;
}

size_t
frame_put(struct str body, char *out)
{
	size_t n = 0;

	for (size_t at = 0; at <= body.n;) {
		struct str rest = str_skip(body, at);
		size_t run =
		    str_find(rest.n > RUN_MAX ? str_cut(rest, 0, RUN_MAX) : rest, '\0');

		out[n++] = (char)(uint8_t)(run + 1);
		if (run)
			memcpy(out + n, rest.p, run);
		n += run;
		at += run;
		if (run < RUN_MAX)
			at++; /* skip the zero byte, or the virtual one at the end */
		else if (at == body.n)
			break;
	}
	out[n++] = '\0';
	return n;
}

bool
frame_take(struct str frame, char *out, size_t *ret_n)
{
	size_t n = 0, at = 0;
	bool full = false; /* the last run had 254 bytes and no zero byte after it */

	while (at < frame.n) {
		size_t code = (uint8_t)frame.p[at++];

		if (code == 0 || code - 1 > frame.n - at)
			return false;
		if (full && code == 1 && at == frame.n)
			return false; /* an empty last run: not the canonical form */
		full = code > RUN_MAX;
		memcpy(out + n, frame.p + at, code - 1);
		n += code - 1;
		at += code - 1;
		if (code <= RUN_MAX && at < frame.n)
			out[n++] = '\0';
	}
	*ret_n = n;
	return frame.n > 0 && str_find(frame, '\0') == frame.n;
}
