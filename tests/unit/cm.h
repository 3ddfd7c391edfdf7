/* tests/unit/cm.h: cmocka, and what our unit tests share. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

/* cmocka.h needs these before it; sorted together they would break it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* Shows both texts when they differ. */
#define assert_str(got, want)                                                              \
	do {                                                                               \
		struct str got_ = (got), want_ = (want);                                   \
		if (!str_eq(got_, want_))                                                  \
			fail_msg("got <%.*s>, want <%.*s>", (int)got_.n, got_.p,           \
			    (int)want_.n, want_.p);                                        \
	} while (0)
