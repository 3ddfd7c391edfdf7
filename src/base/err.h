/* base/err.h: errors with a place.  0 is success everywhere, an error is a negative number.
 */
#pragma once
#include "base/str.h"
#include <stddef.h>

/* One table gives the numbers, the names and a sentence for a person. */
#define CORDON_ERR_MAP(X)                                                                  \
	X(EINVAL, -1, "not well formed")                                                   \
	X(ENOMEM, -2, "needs more memory than it is allowed")                              \
	X(ELIMIT, -3, "is larger than a limit")                                            \
	X(EREFUSED, -4, "is something bash may run differently than it reads")             \
	X(EIO, -5, "could not be read or written")                                         \
	X(EUSAGE, -6, "was called in a way it does not know")                              \
	X(EINTERNAL, -7, "hit a fault of its own")

enum cordon_err {
#define X(name, number, text) CORDON_##name = number,
	CORDON_ERR_MAP(X)
#undef X
};

struct err {
	int code;
	size_t at;       /* byte offset in the text that was read */
	const char *why; /* static text */
};

/* Fills *e if it is given, and returns `code`, so that a caller can return at once. */
static inline int
err_at(struct err *e, int code, size_t at, const char *why)
{
	if (e)
		*e = (struct err){ code, at, why };
	return code;
}

/* A place as people count: both from 1, the column in bytes. */
struct place {
	size_t line, column;
};

struct place err_place(struct str text, size_t at);
const char *err_text(int code);
