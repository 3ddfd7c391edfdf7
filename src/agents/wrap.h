/*
 * agents/wrap.h: wrap a command in `cordon run`, in a form that cordon recognises.
 *
 * 	/usr/bin/cordon run --for claude:0a1b --project /home/u/p --grant 5e... -c 'make'
 *
 * MUST
 * 1.  Every shell with POSIX quoting reads it as exactly these words.
 * 2.  Recognise a text only if wrap_put would write it byte for byte.
 * 3.  Carry every option of the hook that could change the decision of `cordon run`.
 */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include <stdint.h>

/* Options in the order in which wrap_put writes them. */
enum wrap_flag {
	WRAP_FOR, /* AGENT:ID of the conversation */
	WRAP_PROJECT,
	WRAP_ROOT,
	WRAP_POLICY,
	WRAP_SESSION,
	WRAP_MODE,
	WRAP_HOME,
	WRAP_UNTRUSTED, /* has no value */
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
	bool full;          /* options were dropped */
	struct str grant;   /* .p == NULL: none */
	struct str command; /* the text to run */
};

void wrap_add(struct wrap *w, enum wrap_flag flag, struct str value);

/* Return false for a text that cannot be passed to a shell: it has a NUL, or memory ran
 * out. */
bool wrap_put(struct buf *b, const struct wrap *w);
bool wrap_read(struct arena *a, struct str text, struct wrap *ret);
/* Compare program and options, not the command. */
bool wrap_same(const struct wrap *a, const struct wrap *b);
/* Does this shell, by its base name, read POSIX quotes? */
bool wrap_shell(struct str shell);
