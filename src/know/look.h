/* know/look.h: finding options and subcommands of a node. */
#pragma once
#include "know/know.h"
#include "know/table.h"

/* The option `-c` of styles gnu and posix; also of the nodes it is inherited from. */
const struct know_option *look_short(const struct know_node *node, char c);
/* The option with exactly this name. */
const struct know_option *look_exact(const struct know_node *node, struct str name);
/* The option that `-5` is in another spelling, with 5 for its value; or NULL. */
const struct know_option *look_number(const struct know_node *node);
/* The same, or the only option that has a name which begins so. */
const struct know_option *look_long(const struct know_node *node, struct str name);
/* The option with the longest stem (`-D*`) that `word` begins with, and its length. */
const struct know_option *look_stem(
    const struct know_node *node, struct str word, size_t *stem);
/* Is there any spelling, short ones aside, that begins so? */
bool look_begins(const struct know_node *node, struct str start);

const struct know_node *look_sub(const struct know_node *node, struct str name);
/* Could a word that begins with `start` be a subcommand of the table? */
bool look_sub_begins(const struct know_node *node, struct str start);

/* Does `word` match the glob?  Only * is special. */
bool know_glob(struct str glob, struct str word);
/* Could a word that begins with `start` match it? */
bool know_glob_begins(struct str glob, struct str start);
