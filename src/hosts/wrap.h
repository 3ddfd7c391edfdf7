/*
 * hosts/wrap.h: a command inside `cordon run`, in the one form that cordon knows again.
 *
 *	/usr/bin/cordon run --for claude:0a1b --project /home/u/p --grant 5e... -c 'make'
 *
 * MUST
 * 1. Be read by every shell with POSIX quotes as exactly these words.
 * 2. Be recognised only if it is what wrap_put writes, byte for byte.
 */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

/* Directories that a host has open; more are not told apart. */
#define WRAP_PROJECTS 8

struct wrap {
	struct str program; /* absolute path of cordon */
	struct str session; /* HOST:ID; .p == NULL: none */
	struct str projects[WRAP_PROJECTS];
	size_t projects_n;
	bool untrusted;     /* the host does not trust the project */
	struct str grant;   /* .p == NULL: none */
	struct str command; /* the text to run */
};

/* False for a text that no shell can be handed: a NUL, or no memory. */
bool wrap_put(struct buf *b, const struct wrap *w);
bool wrap_read(struct arena *a, struct str text, struct wrap *ret);
/* The same frame, whatever is in it: program, session, projects. */
bool wrap_same(const struct wrap *a, const struct wrap *b);
/* Does this shell read POSIX quotes?  By its base name. */
bool wrap_shell(struct str shell);
