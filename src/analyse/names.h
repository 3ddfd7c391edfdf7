/*
 * analyse/names.h: variables: facts about each name, assignments, variables that change
 * what programs do, and what a list of commands may change. Internal to this room.
 */
#pragma once
#include "analyse/walk.h"

/* Facts about a variable, collected from the whole text in any order. */
enum name_flags {
	NAME_ARITH = 1,      /* evaluated as an expression */
	NAME_TAINTED = 2,    /* may be assigned something other than a number */
	NAME_CONSTANT = 4,   /* a value that we tracked was used */
	NAME_ODD = 8,        /* readonly, -i, -u ...: assignments are not literal */
	NAME_WRITTEN = 16,   /* not a variable: a file with this name is written */
	NAME_FUNCTION = 32,  /* not a variable: a function with this name is defined */
	NAME_ARRAY = 64,     /* an array somewhere */
	NAME_COMPOUND = 128, /* declare may give it (...), an array */
	NAME_LATER = 256,    /* not a variable: a trap runs a command with this name */
	NAME_TRAPPED = 512,  /* ... between any two commands */
	NAME_KEPT = 1024,    /* the EXIT trap relies on its value */
};

struct name_entry {
	struct str text;
	unsigned flags;
	struct name_entry *next;
};

/* ---- names.c */
void name_flag(struct walk *w, struct str name, unsigned flag, struct span at);
bool name_has(struct walk *w, struct str name, unsigned flag);
bool is_name(struct str s);
/* The length of the name at the start of `s`. */
size_t name_length(struct str s);
bool is_number(struct str s);
/* Record a new value of a variable: taint, effects, known state. */
void assign_name(
    struct walk *w, struct str name, struct field value, struct span at, struct state *s);
void forget_name(struct walk *w, struct str name, struct state *s);
enum env_power {
	ENV_PLAIN,
	ENV_TUNES,   /* options and paths of tools, which still do what they do */
	ENV_LEADS,   /* more places to find programs in: the rest is unknown */
	ENV_CHANGES, /* names a program, or other code, that tools run */
	ENV_RUNS,    /* runs code or changes the meaning of names: the rest is unknown */
};
extern const struct str old_path;
enum env_power env_power(struct str name, struct field value);
/* True if the value is a command that other programs start: PAGER, GIT_SSH_COMMAND. */
bool env_is_command(struct str name);

/* Report an assignment; emit.c */
void add_env(struct walk *w, struct str name, struct field value, enum env_power power,
    struct span at);

/* ---- scan.c: what a list may change, without walking it */
struct changes {
	bool all;    /* any variable */
	bool cd;     /* the directory */
	bool jumps;  /* break, continue, return */
	unsigned id; /* to visit each function once */
	struct scan_name {
		struct str text;
		struct scan_name *next;
	} * names;
};
void scan_list(struct walk *w, const struct list *list, struct changes *ret);
void scan_node(struct walk *w, const struct node *node, struct changes *ret);
/* Forget everything that the scan says may change. */
void scan_apply(struct walk *w, const struct changes *scan, struct state *s);
