/* base/err.h: errors with a position. Everywhere 0 is success, negative is an error. */
#pragma once
#include "base/str.h"
#include <stddef.h>

/* One table for numbers, names and texts. */
#define CORDON_ERR_MAP(X)                                                                  \
	X(EINVAL, -1, "not well formed")                                                   \
	X(ENOMEM, -2, "needs more memory than its limit")                                  \
	X(ELIMIT, -3, "is larger than a limit")                                            \
	X(EREFUSED, -4, "could be run by bash differently than it reads")                  \
	X(EIO, -5, "could not be read or written")                                         \
	X(EUSAGE, -6, "was called incorrectly")                                            \
	X(EINTERNAL, -7, "failed because of an internal error")

enum cordon_err {
#define X(name, number, text) CORDON_##name = number,
	CORDON_ERR_MAP(X)
#undef X
};

struct err {
	int code;
	size_t at;       /* byte offset in the text being read */
	const char *why; /* static text */
};

/* Fill *e unless `e` is NULL, and return `code`, for `return err_at(...)`. */
static inline int
err_at(struct err *e, int code, size_t at, const char *why)
{
	if (e)
		*e = (struct err){ code, at, why };
	return code;
}

/* Line and column, both from 1; the column counts bytes. */
struct pos {
	size_t line, column;
};

struct pos err_pos(struct str text, size_t at);
const char *err_text(int code);
