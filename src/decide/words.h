/* decide/words.h: inside the room: the words of a rule about commands, part by part. */
#pragma once
#include "decide/match/match.h"

/* match_words.c: the i-th word of a command that is no option: name, subcommand, operand.
 */
struct field word_at(const struct command *c, size_t i);

/* There is no such word. */
static inline bool
is_missing(struct field f)
{
	return f.at.start == UINT32_MAX;
}

/* match_option.c: one of the option's spellings. */
bool option_has(const struct know_option *option, struct str spelling);
/* The same option, be it one of the program or of a subcommand. */
bool is_same(const struct know_option *x, const struct know_option *y);
/* -rf, which may be -r and -f. */
bool is_cluster(struct str spelling);
/* An option of a program that the table does not have: by its text, clusters included. */
enum match raw_option(const struct command *c, struct str spelling);
/*
 * {-f,--force}: one of them is there.  `every`: where the rule spells a value, too, the
 * option has no other; so it is asked where a rule opens something.
 */
enum match has_one(
    const struct matching *m, const struct command *c, const struct pattern *x, bool every);
/* One of a rule's words that is an option. */
bool is_option_pattern(const struct policy *p, const struct pattern *x);

/* The rule's word is an option with its value: -fx.mk, --file=x.mk. */
bool gives_value(
    const struct matching *m, const struct command *c, const struct pattern *x);

/* match_words.c: what a rule that matches names. */
struct spelt {
	size_t words; /* the program, its subcommands, operands */
	bool value;   /* and the value of an option */
};
struct spelt spelt_words(
    const struct matching *m, const struct rule *r, const struct command *c);

/* match_name.c: it is run from a root: what a rule spells ./x is meant there. */
bool in_root(const struct matching *m, const struct command *c);
/*
 * A rule may spell a path: /opt/x/tool, ./run.sh.  Then the command must be that file: as
 * it is written, or as it was found.  Else the base name is compared.
 */
enum match match_program(const struct matching *m, const struct rule *r,
    const struct pattern *x, const struct command *c, struct field name);
/* The first subcommand under another name.  *at moves on over one of two words. */
enum match match_subcommand(const struct matching *m, const struct command *c,
    const struct pattern *x, struct field word, size_t *at);
