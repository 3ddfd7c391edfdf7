/*
 * policy/policy.h: rule files → one compiled policy.
 *
 * A policy is an image: one piece of memory without pointers, made by
 * policy_compile() and kept in a file that later calls map.  It is checked once
 * when it is opened; after that every accessor below is total.
 */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "know/field.h"
#include "policy/verdict.h"
#include <stdint.h>

/* From low to high: for ask and allow the highest with a matching rule decides. */
enum layer {
	LAYER_BUILTIN,
	LAYER_PROJECT, /* may only tighten unless trusted */
	LAYER_USER,
	LAYER_SESSION,
	LAYER_ADMIN,
	LAYERS,
};

const char *layer_name(enum layer layer);

/* ---- sources */

struct policy_source {
	enum layer layer;
	bool trusted;    /* of a project: its hash was recorded; others: ignored */
	struct str file; /* its name, for messages */
	struct str text;
	/* The text comes from policy_print: the origins in its comments are believed. Never
	 * for a file that somebody else could have written. */
	bool printed;
};

struct policy_error {
	size_t source; /* index into the sources */
	size_t line, column;
	struct str line_text;
	struct str why; /* a sentence: what, and what was expected */
};

/* A source may have so many bytes; the error is CORDON_ELIMIT, with a place as the others.
 */
#define POLICY_SOURCE_BYTES ((size_t)8 << 20)

/*
 * Compile the sources, lowest layer first, into `out` (the image).  A file is
 * taken whole or not at all: on the first error returns CORDON_EINVAL and fills
 * *reterr.  Dates in `until` are compared with `now` (seconds) when rules are
 * matched, not here.
 */
int policy_compile(struct arena *a, const struct policy_source *sources, size_t n,
    struct buf *out, struct policy_error *reterr);

/* The built-in rules, as a source of LAYER_BUILTIN.  tools/embed.py makes it of
 * policy/builtin.rules when cordon is built. */
struct str policy_builtin(void);
uint64_t policy_builtin_sum(void); /* tells one build's rules from another's */

struct policy; /* an opened image */

/* Checks magic, version, checksum and every offset.  `image` must outlive *ret. */
int policy_open(struct arena *a, struct str image, const struct policy **ret);
/*
 * The same for bytes that policy_compile() made, kept where nobody but their owner could
 * write: whoever can could as well write the rules.  Magic, version, the extent of each
 * section and the checksum are checked, so that an old or a damaged file is noticed.
 */
int policy_open_kept(struct arena *a, struct str image, const struct policy **ret);
/* The same for an image that is part of the program: only that it is of this form. */
int policy_open_shipped(struct arena *a, struct str image, const struct policy **ret);

/* ---- settings */

enum mode {
	MODE_ASK_EVERY_TIME,
	MODE_USE_ALLOWLIST,
	MODE_RUN_EVERYTHING,
};

enum sandbox_type {
	SANDBOX_UNSPECIFIED,
	SANDBOX_INSECURE_NONE,
	SANDBOX_WORKSPACE_READWRITE,
	SANDBOX_WORKSPACE_READONLY,
};

enum protect {
	PROTECT_DELETE = 1,
	PROTECT_DESTROY = 2,
	PROTECT_SUDO = 4,
	PROTECT_DOTFILES = 8,
	PROTECT_OUTSIDE = 16,
	PROTECT_MCP = 32,
	PROTECT_ENV = 64,
};

/* Where an effective value comes from: for `policy show` and reasons. */
struct policy_origin {
	enum layer layer;
	struct str file;
	uint32_t line;
};

struct policy_settings {
	enum mode mode;
	enum verdict by_default; /* deny, ask or confine: what no rule names */
	enum sandbox_type sandbox;
	bool network; /* on; hosts below are then ignored */
	bool git_writes, tmp_write;
	bool read_workspace;      /* read_boundary workspace */
	unsigned protect;         /* of enum protect */
	bool autorun;             /* false: admin has switched it off */
	bool shell_disabled;      /* a deny rule for every command */
	unsigned forbidden_modes; /* bits 1 << mode */
	bool branches;            /* a rule asks for git's branch */
	bool answer_explicit;     /* hooks say allow aloud */
	bool journal_required;    /* a full disk denies */
	unsigned wait_seconds;    /* for a person's answer; then it is a no */
	/* Admin has a `writable` or `network` line: LIST_WRITABLE and LIST_NET are then all
	 * that anybody may be given, by a rule or by a person's flag too. */
	bool writable_bounded, hosts_bounded;
};

const struct policy_settings *policy_settings(const struct policy *p);
bool policy_origin(const struct policy *p, const char *setting, struct policy_origin *ret);

enum policy_list {
	LIST_WRITABLE,
	LIST_READABLE,
	LIST_IGNORE, /* names of ignore files */
	LIST_ROOT,
	LIST_NET,         /* hosts of `network off except` */
	LIST_COMPOSITE,   /* programs shown with their subcommand */
	LIST_SAFE,        /* programs named harmless */
	LIST_MCP_ALLOW,   /* server:tool, admin only */
	LIST_LOCKED,      /* settings that admin has locked */
	LIST_BEFORE_HOOK, /* "timeout-seconds program" */
	LIST_AFTER_HOOK,
	LIST_DEBUG_DIR,
	LISTS,
};

/* The i-th entry of a list; .p == NULL at the end.  Paths as written: ~ and @project open.
 */
struct str policy_entry(const struct policy *p, enum policy_list list, size_t i);

/* The same as a pattern for pattern_word (SAFE, COMPOSITE, IGNORE, MCP_ALLOW), pattern_path
 * (WRITABLE, READABLE, ROOT, DEBUG_DIR) or pattern_host (NET); NULL at the end. */
const struct pattern *policy_entry_pattern(
    const struct policy *p, enum policy_list list, size_t i);
/* Which line an entry comes from; false at the end. */
bool policy_entry_origin(
    const struct policy *p, enum policy_list list, size_t i, struct policy_origin *ret);

/* `wrapper direnv exec DIR CMD...`: how many words stand before the command; `data`:
 * argument is text. */
struct policy_shape {
	struct str words; /* as written, blanks between */
	bool data;
};
bool policy_shape(const struct policy *p, size_t i, struct policy_shape *ret);

/* The hosts of `set @name`, as entries of LIST_NET in *ret.  CORDON_EINVAL: there is none,
 * CORDON_ENOMEM. */
int policy_set(
    struct arena *a, const struct policy *p, struct str name, const struct policy **ret);

/* ---- rules */

enum rule_effect {
	RULE_COMMAND, /* about a command by its words */
	RULE_READ,
	RULE_WRITE,
	RULE_DELETE,
	RULE_EXEC,
	RULE_NET,
	RULE_ENV,
	RULE_MCP,
};

/* Directly behind the verb it is a word of the language: net, read. */
bool policy_is_effect(struct str word);
/* The words that begin a clause of a rule; NULL behind the last. */
const char *policy_clause(size_t i);

/* Bits; WHEN_BRANCH is for a branch that the patterns name. */
enum rule_when_place {
	WHEN_BRANCH_PLACE,
#define WHEN(NAME, word, test) WHEN_##NAME##_PLACE,
#include "policy/when.list"
#undef WHEN
	WHEN_PLACES,
};

enum rule_when {
	WHEN_BRANCH = 1 << WHEN_BRANCH_PLACE,
#define WHEN(NAME, word, test) WHEN_##NAME = 1 << WHEN_##NAME##_PLACE,
#include "policy/when.list"
#undef WHEN
};

enum match {
	MATCH_NO = 0,
	MATCH_POSSIBLE = 1, /* an unknown word could make it match */
	MATCH_CERTAIN = 2,
};

struct pattern;   /* one word of a rule: alternatives, each literal or a glob */
struct patterns { /* several of them */
	const struct pattern *first;
	uint32_t n;
};

struct rule {
	enum verdict verdict; /* of allow, ask, deny */
	enum rule_effect effect;
	enum layer layer;
	struct str file, text; /* text: the line without its comment */
	uint32_t line;
	struct patterns words;         /* RULE_COMMAND: argv from the front */
	struct patterns with, without; /* options, in any of their spellings */
	struct patterns on, in;        /* paths touched; directory it runs in */
	struct patterns objects;       /* of an effect: paths, hosts, names, server:tool */
	unsigned when;
	struct patterns branches;
	int64_t until;               /* seconds; 0: for ever */
	struct str because, instead; /* because "…", try "…"; .p == NULL without */
	/* What the sandbox of a command gets that this rule covers. */
	struct patterns net, writable, readable;
	enum sandbox_type sandbox; /* UNSPECIFIED: not said */
	uint32_t specificity;      /* more words, then options, then paths and conditions */
	bool exact; /* RULE_COMMAND: `exactly`, no further word or option may follow */
	bool more;  /* RULE_COMMAND: its words end in `...`, whatever follows */
};

size_t policy_rule_count(const struct policy *p);
void policy_rule(const struct policy *p, size_t i, struct rule *ret);
/* Only the objects of a rule about an effect. */
struct patterns policy_objects(const struct policy *p, size_t i);

/*
 * The rules that could be about `program` (base name; .p == NULL: unknown, then
 * all) or about an effect: calls `each` with the index of every candidate, in
 * the order of the sources.  Constant time beside the candidates themselves.
 */
typedef void rule_visitor(void *context, size_t rule);
void policy_commands(
    const struct policy *p, struct str program, rule_visitor *each, void *context);
void policy_effects(
    const struct policy *p, enum rule_effect effect, rule_visitor *each, void *context);

/* What names in patterns stand for: ~, @project and @home, and sets of hosts. */
struct pattern_base {
	struct str home;         /* .p == NULL: unknown, then a pattern with it may match */
	const struct str *roots; /* @project is any of them */
	size_t roots_n;
};

/* One word, not a path: `*` matches any bytes.  ONE and MANY give POSSIBLE where they
 * could. */
enum match pattern_word(const struct policy *p, const struct pattern *x, struct field word);
/*
 * Whether a pattern needs no name that is not in the path, by a bit for each: of a hundred
 * patterns two or three are left to look at.  Only for a whole path, without `..`, and
 * where ~ and @project are known.
 */
bool pattern_needs_no_more(const struct policy *p, const struct pattern *x, uint64_t bits);
/*
 * The same for whole rules: one that has no bit in common with a path is not about it.  For
 * what lies below it, too, all bits of `names` and `lasts` must be set.
 */
struct path_place {
	uint64_t starts; /* the names behind /, ~ and @project */
	uint64_t names;  /* a bit for each name in it */
	uint64_t lasts;  /* the last name, and how it ends */
};
#define PLACE_ANY ((struct path_place){ UINT64_MAX, UINT64_MAX, UINT64_MAX })
struct path_place path_place(struct str path, const struct pattern_base *base);
/* policy_effects() without the rules that are not about this place. */
void policy_files(const struct policy *p, enum rule_effect effect, struct path_place place,
    rule_visitor *each, void *context);
/* A normalised absolute path: `*` and `?` stop at a slash, `**` does not.  known=false: the
 * path begins with `path` but goes on unknown. */
enum match pattern_path(const struct policy *p, const struct pattern *x, struct str path,
    bool known, const struct pattern_base *base);
/* host or host:port against example.org, *.example.org; names without case and final dot.
 */
enum match pattern_host(
    const struct policy *p, const struct pattern *x, struct str host, bool known);
/*
 * A tree that is taken whole (rm -r, cp -r): CERTAIN when the pattern covers
 * `path` and everything below it, POSSIBLE when it covers something at or below
 * it, if that exists.  A deny asks pattern_path and this, an allow only this.
 */
enum match pattern_tree(const struct policy *p, const struct pattern *x, struct str path,
    const struct pattern_base *base);
/* The pattern names this directory on the way to what it covers: moved, that would not be
 * covered any more.  A name at any depth is not bound to a way. */
bool pattern_way(const struct policy *p, const struct pattern *x, struct str path,
    const struct pattern_base *base);
/* The i-th word that {a,b} stands for, without quotes; .p == NULL at the end.  With
 * *ret_glob (may be NULL) it is no plain word: * is the byte 1 in it, ? is 2, ** is 3.  Of
 * a path it is what stands behind ~ or @project. */
struct str pattern_alternative(
    const struct policy *p, const struct pattern *x, size_t i, bool *ret_glob);
/* What the i-th of them stands behind. */
enum pattern_from { FROM_ROOT, FROM_HOME, FROM_PROJECT };
enum pattern_from pattern_from(const struct policy *p, const struct pattern *x, size_t i);
/* The same as text that a setting could have. */
void pattern_put(struct buf *b, const struct policy *p, const struct pattern *x, size_t i);
/* The pattern as it was written. */
struct str pattern_text(const struct policy *p, const struct pattern *x);
const struct pattern *patterns_at(const struct policy *p, struct patterns list, size_t i);

/* ---- for tools */

/* Every `test "command" verdict` line. */
struct policy_test {
	struct str command, file;
	enum verdict expected;
	uint32_t line;
	enum layer layer;
};
bool policy_test(const struct policy *p, size_t i, struct policy_test *ret);
/* Every line, or part of one, that was read and has no effect. */
enum inert_why {
	INERT_UNTRUSTED, /* the project is not trusted, and this would loosen */
	INERT_PROJECT,   /* a project may never say it */
	INERT_LOCKED,    /* admin has locked the setting */
	INERT_BOUND,     /* outside what admin allows */
	INERT_FORBIDDEN, /* admin forbids this mode */
	INERTS,
};
struct policy_inert {
	struct str text; /* the line, or the part of it */
	enum inert_why why;
	struct policy_origin origin;
};
bool policy_inert(const struct policy *p, size_t i, struct policy_inert *ret);
const char *inert_text(enum inert_why why); /* "until the project is trusted" */
/* The effective policy in its own language, with origins as comments; parses to the same.
 */
void policy_print(const struct policy *p, struct buf *out);
void policy_print_json(const struct policy *p, struct buf *out);
