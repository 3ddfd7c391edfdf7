/* know/look.h: find options and subcommands of a node. Internal to this room. */
#pragma once
#include "know/know.h"
#include "know/table.h"

/* The option `-c` of styles gnu and posix, here or inherited. */
const struct know_option *look_short(const struct know_node *node, char c);
/* The option with exactly this name. */
const struct know_option *look_exact(const struct know_node *node, struct str name);
/* The option that `-5` abbreviates, with 5 as its value; or NULL. */
const struct know_option *look_number(const struct know_node *node);
/* The option with this name, or the only one with a name that begins like this. */
const struct know_option *look_long(const struct know_node *node, struct str name);
/* The option with the longest stem (`-D*`) that `word` begins with; *stem is its length. */
const struct know_option *look_stem(
    const struct know_node *node, struct str word, size_t *stem);
/* True if a spelling, except short ones, begins like this. */
bool look_begins(const struct know_node *node, struct str start);

const struct know_node *look_sub(const struct know_node *node, struct str name);
/* True if a subcommand could begin with `start`. */
bool look_sub_begins(const struct know_node *node, struct str start);

/* Match with * and ?; an `i:` before the glob ignores case. */
bool know_glob(struct str glob, struct str word);
/* True if a word that begins with `start` could match. */
bool know_glob_begins(struct str glob, struct str start);
