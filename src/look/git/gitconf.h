/* look/git/gitconf.h: parse git's configuration files. */
#pragma once
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

/* One `key = value`: section and name in lower case, the subsection as written. */
struct gitconf_entry {
	struct str section, sub, name; /* sub.p == NULL: none */
	struct str value;
	bool has_value; /* a bare name means true */
};

/* Callback; return false to stop. */
typedef bool gitconf_visitor(void *context, const struct gitconf_entry *e);

/*
 * Call `each` for every entry.  CORDON_EINVAL where git itself would fail, CORDON_ENOMEM.
 */
int gitconf_read(struct arena *a, struct str text, gitconf_visitor *each, void *context,
    struct err *reterr);
