/* decide/match/match.h: does a rule speak of this command, or of this effect? */
#pragma once
#include "decide/decide.h"

/* What is asked of the same path by one pattern after another, found out once. */
struct path_hint {
	const char *path; /* whose it is */
	size_t n;
	bool sure;               /* no `..` is open in it */
	struct path_place place; /* all bits where a pattern may mean any place */
	char first,
	    home; /* the byte behind the first slash, and behind the home; 0: none */
};

struct matching {
	const struct decide_input *in;
	const struct effects *effects;
	struct path_hint *hint;
};

/* RULE_COMMAND against a command.  For allow, every doubt is MATCH_POSSIBLE. */
enum match match_command(
    const struct matching *m, const struct rule *r, const struct command *c);
/* Where rules must lie to be about this file. */
struct path_place match_place(const struct matching *m, const struct file_effect *f);
/* No pattern of this rule about files is where the path is. */
bool match_is_elsewhere(const struct matching *m, size_t rule, const struct file_effect *f);
/* RULE_READ, WRITE, DELETE, EXEC. */
enum match match_file(
    const struct matching *m, const struct rule *r, const struct file_effect *f);
enum match match_net(
    const struct matching *m, const struct rule *r, const struct net_effect *n);
enum match match_env(
    const struct matching *m, const struct rule *r, const struct env_change *e);
/* until and when. */
enum match match_conditions(const struct matching *m, const struct rule *r);

/* match_path.c: one of the patterns against a path. */
enum match match_any_path(
    const struct matching *m, struct patterns list, struct str path, bool known);
/* Both as it is written and where links lead: a deny on either counts. */
enum match match_paths(const struct matching *m, const struct rule *r, struct patterns list,
    const struct file_effect *f);
/* match_name.c: one of the words that a pattern stands for is this one, as it is spelt. */
bool pattern_spells(const struct matching *m, const struct pattern *x, struct str name);

/* match_words.c, match_option.c, match_cover.c: parts of match_command. */
enum match match_words(
    const struct matching *m, const struct rule *r, const struct command *c);
enum match match_options(
    const struct matching *m, const struct rule *r, const struct command *c);
/* `exactly`: the words of the rule are all there is. */
enum match match_exact(
    const struct matching *m, const struct rule *r, const struct command *c);
/*
 * Where a rule to allow names what the command works on, an operand or the value of an
 * option, it works on nothing else.
 */
bool match_is_all(const struct matching *m, const struct rule *r, const struct command *c);
/* Every word stands there as the rule spells it, whatever the words mean. */
bool match_verbatim(
    const struct matching *m, const struct rule *r, const struct command *c);

/*
 * `allow find` is about what find does by itself.  A word that makes more of it (-delete,
 * -fprint, git log --output) is covered by a rule that names it, and by no other.
 */
bool match_covers_raised(
    const struct matching *m, const struct rule *r, const struct command *c);

/* The effect belongs to this command. */
bool file_of(const struct command *c, const struct file_effect *f);

static inline bool
span_within(struct span inner, struct span outer)
{
	return inner.start >= outer.start && inner.end <= outer.end;
}

static inline enum match
match_max(enum match x, enum match y)
{
	return x > y ? x : y;
}

static inline enum match
match_min(enum match x, enum match y)
{
	return x < y ? x : y;
}
