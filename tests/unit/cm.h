/* tests/unit/cm.h: cmocka, and helpers for our unit tests. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

/* cmocka.h needs these first; sorting them together would break it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* Print both texts if they differ. */
#define assert_str(got, want)                                                              \
	do {                                                                               \
		struct str got_ = (got), want_ = (want);                                   \
		if (!str_eq(got_, want_))                                                  \
			fail_msg("got <%.*s>, want <%.*s>", (int)got_.n, got_.p,           \
			    (int)want_.n, want_.p);                                        \
	} while (0)

/* A text that a parser must refuse, with the reason and the byte. */
struct refused {
	struct str text;
	size_t at;
	const char *why;
};

/* `status` is the parser's result, with *e. */
static inline void
assert_refused(const struct refused *want, int status, const struct err *e)
{
	if (status == 0)
		fail_msg("taken: %s", want->text.p);
	if (strcmp(e->why, want->why) != 0 || e->at != want->at)
		fail_msg("%s: got <%s> at %zu, want <%s> at %zu", want->text.p, e->why,
		    e->at, want->why, want->at);
}
