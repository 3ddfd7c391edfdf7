/*
 * analyse/state.h: the known state of the shell at one point of the text. Internal to this
 * room.
 *
 * A state is a small value. Objects it points to never change: an assignment creates a new
 * list that shares the older one, so a subshell is a copy, and two branches are joined by
 * comparing where they differ.
 */
#pragma once
#include "analyse/effects.h"
#include "base/arena.h"

enum var_kind {
	VAR_UNKNOWN,
	VAR_STRING,
	VAR_ARRAY, /* indexed 0, 1, 2 ... */
};

struct var {
	struct str name; /* .p is NULL: a barrier, all older names are unknown */
	enum var_kind kind;
	struct field *items; /* STRING: one */
	size_t n;
	unsigned depth; /* length of this list */
	const struct var *older;
};

/* The directory stack of pushd and popd, without its top, the cwd. */
struct stack {
	const struct dirs *dirs;
	const struct stack *below;
};

/* $0 $1 $2 ... */
struct args {
	struct field *items; /* items[0] is $0 */
	size_t n;
};

struct state {
	const struct dirs *cwd, *old; /* old: the target of `cd -` */
	const struct stack *stack;    /* NULL: unknown or empty */
	const struct var *vars;
	const struct args *args; /* NULL: unknown */
	bool dead;               /* no command after this point runs */
};

/* The state after a command that succeeds, and after one that fails. */
struct flow {
	struct state ok, fail;
};

extern const struct dirs dirs_anywhere;

/* All of these return NULL (or false) only if the arena is full. */
const struct dirs *dirs_one(struct arena *a, struct str path, bool physical);
/* The target of `cd path`, logically (symlinks count as names) or physically. */
const struct dirs *dirs_enter(
    struct arena *a, const struct dirs *from, struct str path, bool logical);
/* The file `path` relative to `dir`; .p is NULL if the arena is full or it is not a
 * path. */
struct str dir_file(struct arena *a, const struct dir *dir, struct str path);

/* The newest `name`. NULL if the text never set it; *barrier: it may have been set. */
const struct var *var_find(const struct state *s, struct str name, bool *barrier);
/* True if setting another variable would forget all of them. */
bool vars_full(const struct state *s);
/* kind UNKNOWN takes no items. Return false if the arena is full. */
bool var_set(struct arena *a, struct state *s, struct str name, enum var_kind kind,
    struct field *items, size_t n);
bool var_forget(struct arena *a, struct state *s, struct str name);
bool var_forget_all(struct arena *a, struct state *s);

/* Keep what holds in both states; a dead one is ignored. */
bool state_join(
    struct arena *a, const struct state *x, const struct state *y, struct state *ret);
