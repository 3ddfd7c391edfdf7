/* decide/judge.h: internal: the state of one decision, and the parts that judge it. */
#pragma once
#include "base/buf.h"
#include "decide/match/match.h"

struct deciding {
	struct arena *a;
	const struct decide_input *in;
	const struct policy_settings *set;
	struct matching m;
	struct judged *first, **end;
	bool full;           /* the arena is full: the decision becomes a deny */
	struct judged spare; /* written instead, once the arena is full */
	bool any_remote;     /* some command runs on another machine */
	struct decision_step *steps, **steps_end;
};

/* The result of one check of one command or effect. */
struct finding {
	enum verdict verdict;
	enum gate gate;
	bool hard;
	struct str reason;
	const struct rule *rule; /* NULL: the gate itself decided */
};

/* Keep the stricter of the judgement so far and `f`. */
void judge_tighten(struct deciding *d, struct judged *j, struct finding f);
/* The same for a finding of a gate itself, which an approval can lift. */
void judge_gate(struct deciding *d, struct judged *j, enum verdict verdict, enum gate gate,
    struct str reason);
/* Append to the trace, if one is kept. */
void judge_note(struct deciding *d, struct span at, const struct finding *f);
struct rule_ref rule_ref(const struct rule *r); /* r may be NULL */
/* The mode in force: the caller's, within what the policy permits. */
enum mode judge_mode(const struct deciding *d);
/* Concatenate. */
struct str judge_say(struct deciding *d, const struct str *parts, size_t n);
#define SAY(d, ...)                                                                        \
	judge_say((d), (const struct str[]){ __VA_ARGS__ },                                \
	    sizeof((const struct str[]){ __VA_ARGS__ }) / sizeof(struct str))

/* The rule that counts among several of one kind. */
struct best {
	bool any;
	enum match match;
	struct rule rule;
};

struct best_rules {
	struct best deny; /* the first certain match, else the first possible one */
	struct best
	    open; /* ask or allow: highest layer, then most specific, then strictest */
	struct best possible_ask;
};

void best_take(struct best_rules *b, const struct rule *r, enum match match);

/* Match one rule against `subject`: a command, an effect, a tool's name. */
typedef enum match rule_matches(
    const struct matching *m, const struct rule *r, const void *subject);

/* Find the best rules about `subject` among those for this program or kind of effect. */
struct best_rules best_for_program(
    struct deciding *d, struct str program, rule_matches *matches, const void *subject);
struct best_rules best_for_effect(struct deciding *d, enum rule_effect effect,
    rule_matches *matches, const void *subject);
/*
 * The verdict for something that a sandbox can contain: confine, or ask without a sandbox.
 */
enum verdict judge_contained(const struct deciding *d);
struct str rule_reason(struct deciding *d, const struct rule *r, struct str what);
/* `built-in policy, line 12` */
struct str rule_position(struct deciding *d, const struct rule *r);

/* command.c */
void judge_command(struct deciding *d, struct judged *j, const struct command *c);
/* table.c: judge a command that no rule names, by protections, the know/ table and the
 * default. */
struct finding judge_by_table(struct deciding *d, const struct command *c);
/* True if the command only reads and the policy trusts the table about that. */
bool judge_is_safe(const struct deciding *d, const struct command *c);
/* The command's argv as text, as far as it is known. */
struct str command_text(struct deciding *d, const struct command *c);
/* signal.c: True if it can only signal processes of its own sandbox. */
bool command_signals_own(const struct deciding *d, const struct command *c);
/* danger.c: Why its arguments suggest that it deletes or publishes something; static text
 * or NULL. */
const char *command_danger(const struct command *c);
/* True if it prints text that closes a quote, adds a command and opens the quote again. */
bool command_breaks_out(const struct command *c);
/* effect.c */
void judge_environment(struct deciding *d);
/* True if any rule matches; judge_rules() then applies them, and `what` names the effect in
 * messages. */
bool best_any(const struct best_rules *b);
void judge_rules(
    struct deciding *d, struct judged *j, const struct best_rules *b, struct str what);
/* effect_place.c */
struct file_place {
	enum where where;
	struct str path; /* the known beginning */
	bool whole;      /* `path` is all of it */
	const char *why;
};
void judge_directories(struct deciding *d);
/* The finding for a path that is outside the workspace, or whose location is unknown. */
struct finding judge_outside(
    struct deciding *d, struct file_place p, struct str what, struct str path);
/* effect_file.c, effect_net.c */
void judge_files(struct deciding *d);
void judge_network(struct deciding *d);
/* Return the judgement of the command that owns an effect; make one if no command does. */
struct judged *judge_owner(struct deciding *d, struct span at, struct str by);
bool judge_host_granted(const struct deciding *d, struct str host, bool known);
/*
 * paths.c: expand ~ and @project in a path of a setting; appends up to roots_n + 1 paths.
 */
bool decide_path_entry(struct arena *a, struct str text, const struct pattern_base *base,
    struct str *v, size_t *n);
/* granted.c: add what allow rules give the sandbox of their commands. */
void grants_add(struct deciding *d, struct sandbox_policy *p, bool writes);
void grants_add_hosts(struct deciding *d, struct sandbox_policy *p);
/* True if the rule that allows this command makes the path readable although rule `by`
 * asks. */
bool grant_readable(const struct decide_input *in, const struct judged *j,
    const struct rule *by, struct str path);
/* hosts.c: the host in a URL, user@host:path or host; empty: unknown. */
struct str host_of_url(struct str address);
/* The host that this command connects to; empty: unknown. */
struct str command_host(const struct command *c, const struct net_effect *n);
/* Append to the list if it is a host name or a set. */
void judge_add_host(struct deciding *d, struct text_list **list, struct str host);
/* smallest.c */
void decide_sandbox(struct deciding *d, struct decision *out);
/* candidates.c */
void decide_candidates(struct deciding *d, struct decision *out);
