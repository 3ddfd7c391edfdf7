/*
 * agents/wrap.h: a command inside `cordon run`, in the one form that cordon knows again.
 *
 *	/usr/bin/cordon run --for claude:0a1b --project /home/u/p --grant 5e... -c 'make'
 *
 * MUST
 * 1. Be read by every shell with POSIX quotes as exactly these words.
 * 2. Be recognised only if it is what wrap_put writes, byte for byte.
 * 3. Carry every option of the hook by which `cordon run` would decide differently.
 */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include <stdint.h>

/* In the order in which they stand. */
enum wrap_flag {
	WRAP_FOR, /* HOST:ID of the agent's session */
	WRAP_PROJECT,
	WRAP_ROOT,
	WRAP_POLICY,
	WRAP_SESSION,
	WRAP_MODE,
	WRAP_HOME,
	WRAP_UNTRUSTED, /* without a value */
	WRAP_FLAGS,
};

#define WRAP_OPTIONS 24

struct wrap {
	struct str program; /* absolute path of cordon */
	struct {
		enum wrap_flag flag;
		struct str value;
	} options[WRAP_OPTIONS];
	size_t n;
	bool full;          /* there were more options */
	struct str grant;   /* .p == NULL: none */
	struct str command; /* the text to run */
};

void wrap_add(struct wrap *w, enum wrap_flag flag, struct str value);

/* False for a text that no shell can be handed: a NUL, or no memory. */
bool wrap_put(struct buf *b, const struct wrap *w);
bool wrap_read(struct arena *a, struct str text, struct wrap *ret);
/* The same frame, whatever is in it: program and options. */
bool wrap_same(const struct wrap *a, const struct wrap *b);
/* Does this shell read POSIX quotes?  By its base name. */
bool wrap_shell(struct str shell);
