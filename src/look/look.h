/*
 * look/look.h: effects → the same effects with facts of this machine.
 *
 * MUST
 * 1. Follow symlinks as the kernel does; a path that cannot be resolved is WHERE_UNKNOWN.
 * 2. Never call a path inside if `..`, a symlink, or a name that the same text may turn
 *    into a symlink lets it lead elsewhere.
 * 3. Never follow a magic link of /proc: it leads elsewhere for the command.
 * 4. Read only the files named here, each up to a limit; run nothing.
 * 5. Leave no file descriptor open, also on errors.
 * 6. Fail closed: on an error no fact is set and effects.looked stays false.
 */
#pragma once
#include "analyse/effects.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

struct look_list {
	const struct str *v;
	size_t n;
};

/* The use of a path decides which grants count. */
enum look_use {
	LOOK_READ,
	LOOK_WRITE,
	LOOK_ENTER,  /* as working directory */
	LOOK_REMOVE, /* the name itself; a symlink is not followed */
};

/* Callback: true if a rule denies reading this file. */
struct look_secret {
	bool (*is)(void *context, struct str path);
	void *context;
};

struct git_dirs; /* look/root.h */

struct look_opts {
	struct look_list roots; /* absolute; a missing one counts as written */
	bool explicit_root;     /* named by the caller, not implied by the directory; for
				   decide/ */
	struct str cwd;         /* absolute, resolved; .p == NULL: unknown */
	struct str home;        /* .p == NULL: unknown */
	struct look_list writable, readable; /* additional paths of the policy */
	struct look_list tmp;       /* temporary directories; none: /tmp and /var/tmp */
	struct look_list ignore;    /* names of ignore files: .cursorignore ... */
	bool ignore_case;           /* match them without case */
	struct look_secret secret;  /* .is == NULL: not checked */
	bool read_workspace;        /* read_boundary workspace; kept for decide/ */
	struct str path;            /* PATH; .p == NULL: unknown, lookups find nothing */
	struct str config;          /* $XDG_CONFIG_HOME; empty: ~/.config */
	bool git_elsewhere;         /* the environment gives git another configuration */
	const struct git_dirs *git; /* of the first root; NULL: not known yet */
	bool lexical;               /* resolve symlinks, but list no directory */
};

/* Fill in all facts of `e`.  0, or CORDON_ENOMEM, CORDON_EINVAL with *reterr filled. */
int look(struct arena *a, struct effects *e, const struct look_opts *o, struct err *reterr);

/* Look up single absolute paths, each for one use: the same facts without those about the
 * text. Results are cached in `a`; `o` must outlive it. */
struct lookup;
int look_open(
    struct arena *a, const struct look_opts *o, struct lookup **ret, struct err *reterr);
int look_fact(struct lookup *g, struct str path, enum look_use use, struct place_fact *ret,
    struct err *reterr);
