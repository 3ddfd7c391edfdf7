/* decide/words.h: internal: match the words of a command rule one by one. */
#pragma once
#include "decide/match/match.h"

/* match_words.c: the i-th word of a command that is not an option: name, subcommand,
 * operand. */
struct field command_word(const struct command *c, size_t i);

/* True if command_word() found no such word. */
static inline bool
is_missing(struct field f)
{
	return f.at.start == UINT32_MAX;
}

/* match_option.c: True if this is one of the option's spellings. */
bool option_has(const struct know_option *option, struct str spelling);
/* True if both are the same option, of the program or of a subcommand. */
bool option_same(const struct know_option *x, const struct know_option *y);
/* True for -rf, which may mean -r and -f. */
bool option_is_cluster(struct str spelling);
/* Look for an option in the text of a command that the table does not know, in clusters
 * too. */
enum match match_raw_option(const struct command *c, struct str spelling);
/* True if the command has one of {-f,--force}.  `every`: if the rule also spells a value,
 * the option must have no other value; allow rules need that. */
enum match match_one_option(
    const struct matching *m, const struct command *c, const struct pattern *x, bool every);
/* True if this word of a rule is an option. */
bool pattern_is_option(const struct policy *p, const struct pattern *x);

/* True if the rule's word is an option with its value: -fx.mk, --file=x.mk. */
bool pattern_gives_value(
    const struct matching *m, const struct command *c, const struct pattern *x);

/* match_words.c: how much of the command a matching rule names. */
struct spelt {
	size_t words; /* the program, its subcommands, operands */
	bool value;   /* also the value of an option */
};
struct spelt match_spelt(
    const struct matching *m, const struct rule *r, const struct command *c);

/* match_name.c: it is run from a root: what a rule spells ./x is meant there. */
bool command_in_root(const struct matching *m, const struct command *c);
/*
 * A rule may spell a path: /opt/x/tool, ./run.sh.  Then the command must be that file: as
 * it is written, or as it was found.  Else the base name is compared.
 */
enum match match_program(const struct matching *m, const struct rule *r,
    const struct pattern *x, const struct command *c, struct field name);
/* The first subcommand under another name.  *at moves on over one of two words. */
enum match match_subcommand(const struct matching *m, const struct command *c,
    const struct pattern *x, struct field word, size_t *at);
