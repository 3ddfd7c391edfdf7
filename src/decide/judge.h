/* decide/judge.h: inside the room: one decision being made. */
#pragma once
#include "base/buf.h"
#include "decide/match/match.h"

struct deciding {
	struct arena *a;
	const struct decide_input *in;
	const struct policy_settings *set;
	struct matching m;
	struct judged *first, **end;
	bool full;       /* the arena: then all is a deny */
	bool any_remote; /* some command runs elsewhere */
	struct step *steps, **steps_end;
};

/* What one command or effect comes to, before it is compared with what it has already. */
struct finding {
	enum verdict verdict;
	enum gate gate;
	bool hard;
	struct str reason;
	const struct rule *rule; /* NULL: a gate of its own */
};

/* The stricter of what it has and what was found. */
void tighten(struct deciding *d, struct judged *j, struct finding f);
/* For whoever traces. */
void note(struct deciding *d, struct span at, const struct finding *f);
struct rule_ref rule_ref(const struct rule *r); /* r may be NULL */
/* Gates that hold for anything: auto-run, mode, hooks. */
enum mode mode_of(const struct deciding *d);
/* Texts, up to a NULL, one behind another. */
struct str say(struct deciding *d, const struct str *parts, size_t n);
#define SAY(d, ...)                                                                        \
	say((d), (const struct str[]){ __VA_ARGS__ },                                      \
	    sizeof((const struct str[]){ __VA_ARGS__ }) / sizeof(struct str))

/* Of several rules of one kind that match: which one counts. */
struct best {
	bool any;
	enum match match;
	struct rule rule;
};

struct best_rules {
	struct best deny; /* the first that is certain, else the first that is possible */
	struct best
	    open; /* ask or allow: highest layer, then specificity, then the stricter */
	struct best possible_ask;
};

void best_take(struct best_rules *b, const struct rule *r, enum match match);
/* confine if a sandbox can hold what is in doubt, else ask. */
enum verdict held(const struct deciding *d);
struct str rule_reason(struct deciding *d, const struct rule *r, struct str what);
/* `built-in policy, line 12` */
struct str rule_place(struct deciding *d, const struct rule *r);

/* command.c */
void judge_command(struct deciding *d, struct judged *j, const struct command *c);
/* table.c: no rule names it: protections, the read-only table, the default. */
struct finding by_table(struct deciding *d, const struct command *c);
/* It only reads, and the policy takes the table's word for that. */
bool is_safe(const struct deciding *d, const struct command *c);
/* The command for a person: its words, as far as they are known. */
struct str shown(struct deciding *d, const struct command *c);
/* signal.c: the processes that it could end are those of its own session. */
bool signals_its_own(const struct deciding *d, const struct command *c);
/* danger.c: it may take something away, by what its words say; a static text or NULL. */
const char *sounds_destructive(const struct command *c);
/* It prints text that closes a quote, goes on with a command, and opens the quote again. */
bool breaks_out(const struct command *c);
/* effect.c */
void judge_environment(struct deciding *d);
/* Any rule speaks of it; then `what` says in judge_rules() what it is. */
bool has_rules(const struct best_rules *b);
void judge_rules(
    struct deciding *d, struct judged *j, const struct best_rules *b, struct str what);
/* effect_place.c */
struct spot {
	enum where where;
	struct str path; /* as far as it is known */
	bool whole;      /* all of it is */
	const char *why;
};
void judge_directories(struct deciding *d);
/* It is outside the workspace, or nobody knows. */
struct finding leaving(struct deciding *d, struct spot p, struct str what, struct str path);
/* effect_file.c, effect_net.c */
void judge_files(struct deciding *d);
void judge_network(struct deciding *d);
/* The judgement that an effect belongs to; one of its own where no command owns it. */
struct judged *owner(struct deciding *d, struct span at, struct str by);
bool host_granted(const struct deciding *d, struct str host, bool known);
/* paths.c: `text` of a setting, ~ and @project made absolute; up to roots_n + 1 of them. */
bool decide_path_entry(struct arena *a, struct str text, const struct pattern_base *base,
    struct str *v, size_t *n);
/* granted.c: what rules give the commands that they allow. */
void add_grants(struct deciding *d, struct sandbox_policy *p, bool writes);
void give_hosts(struct deciding *d, struct sandbox_policy *p);
/* The rule that covers this command lets it read the path, though rule `by` asks. */
bool gives_read(const struct decide_input *in, const struct judged *j,
    const struct rule *by, struct str path);
/* hosts.c: the host in a URL, user@host:path or host; empty: nobody can say. */
struct str host_of(struct str address);
/* Where this command, its own, goes; empty: not known. */
struct str net_host(const struct command *c, const struct net_effect *n);
/* One more on the list, if it is a host's name or a set. */
void add_host(struct deciding *d, struct host_name **list, struct str host);
/* smallest.c */
void smallest_sandbox(struct deciding *d, struct decision *out);
/* candidates.c */
void find_candidates(struct deciding *d, struct decision *out);
