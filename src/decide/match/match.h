/* decide/match/match.h: does a rule match this command, or this effect? */
#pragma once
#include "decide/decide.h"

/* Cached facts about one path, which many patterns are matched against. */
struct path_hint {
	const char *path; /* the path that this is about */
	size_t n;
	bool sure;               /* has no `..` */
	struct path_place place; /* all bits set: any pattern may match */
	char first, home; /* the bytes after the first slash and after the home; 0: none */
};

struct matching {
	const struct decide_input *in;
	const struct effects *effects;
	struct path_hint *hint;
};

/* Match a RULE_COMMAND.  For an allow, any doubt gives MATCH_POSSIBLE. */
enum match match_command(
    const struct matching *m, const struct rule *r, const struct command *c);
/* The index bits of rules that may be about this file. */
struct path_place match_place(const struct matching *m, const struct file_effect *f);
/* True if no pattern of this file rule can match the path. */
bool match_is_elsewhere(const struct matching *m, size_t rule, const struct file_effect *f);
/* Match RULE_READ, WRITE, DELETE or EXEC. */
enum match match_file(
    const struct matching *m, const struct rule *r, const struct file_effect *f);
enum match match_net(
    const struct matching *m, const struct rule *r, const struct net_effect *n);
enum match match_env(
    const struct matching *m, const struct rule *r, const struct env_change *e);
/* Match the clauses `until` and `when`. */
enum match match_conditions(const struct matching *m, const struct rule *r);

/* match_path.c: match any of the patterns against a path. */
enum match match_any_path(
    const struct matching *m, struct patterns list, struct str path, bool known);
/* Match the path as written and its real path: a deny on either counts. */
enum match match_paths(const struct matching *m, const struct rule *r, struct patterns list,
    const struct file_effect *f);
/* match_name.c: True if the pattern has exactly this spelling. */
bool pattern_spells(const struct matching *m, const struct pattern *x, struct str name);

/* match_words.c, match_option.c, match_cover.c: parts of match_command. */
enum match match_words(
    const struct matching *m, const struct rule *r, const struct command *c);
enum match match_options(
    const struct matching *m, const struct rule *r, const struct command *c);
/* The clause `exactly`: the command has no words but the rule's. */
enum match match_exact(
    const struct matching *m, const struct rule *r, const struct command *c);
/* True if an allow rule that names an operand or an option's value names all of them. */
bool match_is_all(const struct matching *m, const struct rule *r, const struct command *c);
/* True if every word is spelt as in the rule. */
bool match_verbatim(
    const struct matching *m, const struct rule *r, const struct command *c);

/* `allow find` covers what find does by itself.  An option that makes it do more (-delete,
 * -fprint, git log --output) is covered only by a rule that names it. */
bool match_covers_raised(
    const struct matching *m, const struct rule *r, const struct command *c);

/* True if the effect belongs to this command. */
bool command_owns_file(const struct command *c, const struct file_effect *f);

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
