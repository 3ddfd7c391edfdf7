/*
 * analyse/state.h: what is known of the shell at one place of the text.
 *
 * A state is a small value.  What it points to is never changed: an assignment
 * makes a new list that shares the older one, so a subshell is a copy, and two
 * branches are joined by looking at what differs.
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
	struct str name; /* .p == NULL: a barrier, all older names are unknown */
	enum var_kind kind;
	struct field *items; /* STRING: one */
	size_t n;
	unsigned depth; /* of the list below */
	const struct var *older;
};

/* The directory stack of pushd and popd, without its top, which is the cwd. */
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
	const struct dirs *cwd, *old; /* old: where `cd -` goes */
	const struct stack *stack;    /* NULL: unknown or empty */
	const struct var *vars;
	const struct args *args; /* NULL: unknown */
	bool dead;               /* nothing behind this place runs */
};

/* Where a command leaves the shell when it succeeds, and when it fails. */
struct flow {
	struct state ok, fail;
};

extern const struct dirs dirs_anywhere;

/* All of these return NULL (or a dead end's state unchanged) only when the arena is full.
 */
const struct dirs *dirs_one(struct arena *a, struct str path, bool physical);
/* Where `cd path` leads, logically (links count as names) or physically. */
const struct dirs *dirs_enter(
    struct arena *a, const struct dirs *from, struct str path, bool logical);
/* The file `path` as seen from `dir`; .p == NULL when there is no room or it is no path. */
struct str dir_file(struct arena *a, const struct dir *dir, struct str path);

/* The newest `name`; NULL if the text never set it, or with *barrier set if that is
 * unknown. */
const struct var *var_find(const struct state *s, struct str name, bool *barrier);
/* With one more, all of them are forgotten. */
bool vars_full(const struct state *s);
/* kind UNKNOWN takes no items. Return false when the arena is full. */
bool var_set(struct arena *a, struct state *s, struct str name, enum var_kind kind,
    struct field *items, size_t n);
bool var_forget(struct arena *a, struct state *s, struct str name);
bool var_forget_all(struct arena *a, struct state *s);

/* What holds in both; a dead one has no say. */
bool state_join(
    struct arena *a, const struct state *x, const struct state *y, struct state *ret);
