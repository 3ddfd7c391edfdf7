/* policy/draft.h: internal: rules and settings as read, before layers are merged and the
 * image is written. */
#pragma once
#include "policy/lex.h"
#include "policy/policy.h"

/* The braces of one word may expand to this many alternatives. */
#define DRAFT_ALTERNATIVES 256
/* Parts between slashes of a path pattern: the matcher keeps a bit for each. */
#define DRAFT_PARTS 60
/* Bytes of one alternative: a person cannot review a longer one, and it slows matching. */
#define DRAFT_PATTERN ((size_t)1024)

enum pattern_kind {
	PATTERN_WORD,
	PATTERN_PATH,
	PATTERN_HOST,
	PATTERN_KINDS,
};

/* The prefix that a path pattern is relative to. */
enum pattern_anchor {
	ANCHOR_NONE,    /* an absolute path, or no path */
	ANCHOR_HOME,    /* ~ and @home */
	ANCHOR_PROJECT, /* any of the roots */
	ANCHORS,
};

struct alternative {
	struct str code; /* with CODE_STAR, CODE_ANY and CODE_DEEP; of @set: its name */
	enum pattern_anchor anchor;
	bool glob;     /* contains one of these */
	bool tree;     /* of a path: everything below it matches as well */
	bool set;      /* a set of hosts, until draft_resolve_sets */
	uint32_t port; /* of a host; 0: any */
	struct alternative *next;
};

struct draft_pattern {
	struct str text; /* as written */
	enum pattern_kind kind;
	struct alternative *first;
	uint32_t n;
	struct draft_pattern *next;
};

struct draft_list {
	struct draft_pattern *first, *last;
	uint32_t n;
};

/* The lists of a rule, in the order of the image. */
enum rule_list {
	RULE_WORDS,
	RULE_WITH,
	RULE_WITHOUT,
	RULE_ON,
	RULE_IN,
	RULE_OBJECTS,
	RULE_BRANCHES,
	RULE_GRANT_NET,
	RULE_GRANT_WRITABLE,
	RULE_GRANT_READABLE,
	RULE_LISTS,
};

struct draft_origin {
	enum layer layer;
	bool untrusted; /* from a project that is not trusted */
	uint32_t file;  /* index of its name */
	uint32_t line;
};

struct draft_rule {
	enum verdict verdict;
	enum rule_effect effect;
	struct draft_origin origin;
	struct str text;
	struct draft_list lists[RULE_LISTS];
	unsigned when;
	int64_t until;
	struct str because, instead;
	enum sandbox_type sandbox;
	bool exact, more;
	struct draft_rule *next;
};

enum setting {
	SET_MODE,
	SET_DEFAULT,
	SET_SANDBOX,
	SET_NETWORK,
	SET_GIT_WRITES,
	SET_TMP_WRITE,
	SET_READ_BOUNDARY,
	SET_ANSWER,
	SET_JOURNAL,
	SET_WAIT,
	SET_AUTORUN,
	SET_VALUES, /* settings before this have one value: a rank, 0 is the strictest */
	SET_PROTECT = SET_VALUES,
	SET_UNPROTECT,
	SET_FORBID,
	SET_BITS, /* settings before this are bit sets */
	SET_WRITABLE = SET_BITS,
	SET_READABLE,
	SET_IGNORE,
	SET_ROOT,
	SET_COMPOSITE,
	SET_SAFE,
	SET_MCP_ALLOW,
	SET_LOCK,
	SET_HOOK,
	SET_DEBUG_DIR,
	SET_WRAPPER,
	SET_DATA,
	SET_SET,
	SETTINGS,
};

struct draft_setting {
	enum setting id;
	unsigned value; /* rank, or bits; of `hook`: seconds; of `data`: 1 */
	bool after;     /* hook after-shell */
	bool left_out;  /* locked, or overruled */
	struct draft_list items;
	struct str name; /* of `set` */
	struct str text;
	struct draft_origin origin;
	struct draft_setting *next;
};

struct draft_test {
	struct str command, text;
	enum verdict expected;
	struct draft_origin origin;
	struct draft_test *next;
};

struct draft_inert {
	struct str text;
	enum inert_why why;
	struct draft_origin origin;
	struct draft_inert *next;
};

/* The files, by name; the same name is one file. */
struct draft_file {
	struct str name;
	struct draft_file *next;
};

struct draft {
	struct arena *a;
	struct draft_rule *rules, **rules_end;
	struct draft_setting *settings, **settings_end;
	struct draft_test *tests, **tests_end;
	struct draft_inert *inert, **inert_end;
	struct draft_file *files;
	uint32_t rules_n, tests_n, inert_n, files_n;
	bool printed; /* some lines came from policy_print(), which lists what has no effect
		       */
};

/* The state of reading one line. */
struct rule_reader {
	struct draft *d;
	struct lexer x;
	size_t at; /* the next word */
	struct draft_origin origin;
	bool printed;
	size_t column; /* of the error, from 0 */
	struct str why;
};

/* ---- reading (read.c) */

/* Read every source line by line; an error has its position. */
int draft_read(struct arena *a, const struct policy_source *sources, size_t n,
    struct draft *d, struct policy_error *reterr);
int draft_file(struct draft *d, struct str name, uint32_t *ret);
/* Record that a line, or a part of one, has no effect. */
int draft_list_inert(
    struct draft *d, struct str text, enum inert_why why, const struct draft_origin *o);
/* Record the same unless a printed line did already. */
int draft_leave_out(
    struct draft *d, struct str text, enum inert_why why, const struct draft_origin *o);

/* ---- patterns (pattern.c) */

enum pattern_use {
	USE_WORD,
	USE_PROGRAM, /* of a list: one literal word */
	USE_OPTION,
	USE_ENV,
	USE_TOOL, /* server:tool */
	USE_PATH,
	USE_EXEC, /* a path, or a name that matches in any directory */
	USE_DIR,  /* a path without globs; everything below it matches */
	USE_FILE, /* a path; a relative one is below the project */
	USE_HOST,
	USE_NAME, /* the name of an ignore file: relative, no globs */
};

/* Replace @name by the hosts of that set, once every line is read.  CORDON_EINVAL with the
 * word that names no set; CORDON_ENOMEM, CORDON_ELIMIT. */
int draft_resolve_sets(struct draft *d, struct str *ret_word);
/* True if a component is . or .. */
bool path_has_dots(struct str path);
uint32_t draft_specificity(const struct draft_rule *rule);

/* ---- layers (merge.c): the effective values */

struct merged_entry {
	struct str text;
	struct draft_pattern *x;
	const struct draft_origin *origin;
	struct merged_entry *next;
};

struct merged_entries {
	struct merged_entry *first, **end;
	uint32_t n;
};

struct merged {
	unsigned value[SET_VALUES];
	/* The line that decided, NULL for a default; for bits, the highest line that added
	 * one. */
	const struct draft_setting *by[SET_BITS];
	const struct draft_setting *bound_by; /* admin's line about `writable` */
	unsigned protect, forbidden;
	bool writable_bounded, hosts_bounded, shell_disabled;
	struct merged_entries lists[LISTS];
};

int draft_merge(struct draft *d, struct merged *ret);
/* True if all of `x` provably lies in `bound`; for paths and hosts. */
bool alternative_within(const struct alternative *x, const struct alternative *bound);
/*
 * Print the alternative as a rule spells it; without `quote`, as plain bytes for a person.
 */
void alternative_put(
    struct buf *b, const struct alternative *x, enum pattern_kind kind, bool quote);

/* ---- names (names.c) */

struct word_value {
	char word[20]; /* "" ends a table */
	unsigned value;
};

extern const struct word_value when_words[], grant_words[], verdict_words[], effect_words[];
extern const enum sandbox_type sandbox_of_rank[];
extern const uint32_t wait_seconds[]; /* seconds for each value of the setting `wait` */

const char *setting_name(enum setting id);
/* Find a setting; SETTINGS: no such name. */
enum setting setting_by_name(struct str name);
const struct word_value *setting_words(enum setting id);
unsigned setting_default(enum setting id);
/* Return the word for a value; "": none. */
const char *word_of(const struct word_value *table, unsigned value);
bool word_find(const struct word_value *table, const struct token *t, unsigned *ret);
