/* look/git/gitconf.h: git's configuration files, read without git. */
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

/* Returns false to stop. */
typedef bool gitconf_visitor(void *context, const struct gitconf_entry *e);

/* CORDON_EINVAL where git itself would refuse it, CORDON_ENOMEM. */
int gitconf_read(struct arena *a, struct str text, gitconf_visitor *each, void *context,
    struct err *reterr);
