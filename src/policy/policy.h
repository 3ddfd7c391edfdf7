/*
 * policy/policy.h: rule files → one compiled policy.
 *
 * A policy is an image: one piece of memory without pointers, written by policy_compile()
 * and kept in a file that later calls map.  It is checked once when it is opened; after
 * that every accessor is total.
 */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "know/field.h"
#include "policy/verdict.h"
#include <stdint.h>

/* From low to high.  For ask and allow, the highest layer with a matching rule decides. */
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
	bool trusted;    /* a project whose hash is recorded as trusted; ignored for other
			    layers */
	struct str file; /* file name, for messages */
	struct str text;
	/* The text comes from policy_print(): trust the origins in its comments.  Never set
	 * this for a file that someone else could have written. */
	bool printed;
};

struct policy_error {
	size_t source; /* index into the sources */
	size_t line, column;
	struct str line_text;
	struct str why; /* a sentence: what is wrong and what was expected */
};

/* Maximum bytes of a source; a longer one is CORDON_ELIMIT with a position. */
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
uint64_t policy_builtin_sum(void); /* differs when the built-in rules differ */

struct policy; /* an opened image */

/* Open an image.  Checks magic, version, checksum and every offset.  `image` must outlive
 * *ret. */
int policy_open(struct arena *a, struct str image, const struct policy **ret);
/*
 * Open an image that policy_compile() wrote to a file which only its owner can write:
 * someone who can change it could change the rules as well.  Checks magic, version, the
 * extent of each section and the checksum, so that an old or damaged file is noticed.
 */
int policy_open_kept(struct arena *a, struct str image, const struct policy **ret);
/* Open an image that is compiled into the program: checks only its format. */
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

/* The line that an effective value comes from, for `policy show` and reasons. */
struct policy_origin {
	enum layer layer;
	struct str file;
	uint32_t line;
};

struct policy_settings {
	enum mode mode;
	enum verdict by_default; /* deny, ask or confine: the verdict if no rule matches */
	enum sandbox_type sandbox;
	bool network; /* the whole network; LIST_NET is ignored then */
	bool git_writes, tmp_write;
	bool read_workspace;      /* read_boundary workspace */
	unsigned protect;         /* bits of enum protect */
	bool autorun;             /* false: admin has switched it off */
	bool shell_disabled;      /* a deny rule for every command */
	unsigned forbidden_modes; /* bits 1 << mode */
	bool branches;            /* a rule depends on git's branch */
	bool answer_explicit;     /* hooks print an explicit allow */
	bool journal_required;    /* deny if the journal cannot be written */
	unsigned
	    wait_seconds; /* seconds to wait for a person's answer; then the answer is no */
	/* The administrator has a `writable` or `network` line: neither a rule nor an
	 * option can give more than LIST_WRITABLE and LIST_NET. */
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
	LIST_COMPOSITE,   /* programs named together with their subcommand */
	LIST_SAFE,        /* programs that the policy calls harmless */
	LIST_MCP_ALLOW,   /* server:tool, admin only */
	LIST_LOCKED,      /* settings that admin has locked */
	LIST_BEFORE_HOOK, /* "timeout-seconds program" */
	LIST_AFTER_HOOK,
	LIST_DEBUG_DIR,
	LISTS,
};

/* The i-th entry of a list; .p == NULL at the end.  Paths are as written, with ~ and
 * @project. */
struct str policy_entry(const struct policy *p, enum policy_list list, size_t i);

/*
 * The i-th entry as a pattern for pattern_word (SAFE, COMPOSITE, IGNORE, MCP_ALLOW),
 * pattern_path (WRITABLE, READABLE, ROOT, DEBUG_DIR) or pattern_host (NET); NULL at the
 * end.
 */
const struct pattern *policy_entry_pattern(
    const struct policy *p, enum policy_list list, size_t i);
/* The line that an entry comes from; false at the end. */
bool policy_entry_origin(
    const struct policy *p, enum policy_list list, size_t i, struct policy_origin *ret);

/* `wrapper direnv exec DIR CMD...`: how many words precede the command.  `data`: the
 * argument is text, not a command. */
struct policy_shape {
	struct str words; /* as written, blanks between */
	bool data;
};
bool policy_shape(const struct policy *p, size_t i, struct policy_shape *ret);

/* Return the hosts of `set @name` as entries of LIST_NET.  CORDON_EINVAL: no such set;
 * CORDON_ENOMEM. */
int policy_set(
    struct arena *a, const struct policy *p, struct str name, const struct policy **ret);

/* ---- rules */

enum rule_effect {
	RULE_COMMAND, /* a command, by its words */
	RULE_READ,
	RULE_WRITE,
	RULE_DELETE,
	RULE_EXEC,
	RULE_NET,
	RULE_ENV,
	RULE_MCP,
};

/* True for a keyword that names an effect when it follows the verb: net, read. */
bool policy_is_effect(struct str word);
/* The keywords that begin a clause of a rule; NULL after the last. */
const char *policy_clause(size_t i);

/* Bit positions; WHEN_BRANCH: the rule has patterns for the branch. */
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

struct pattern;   /* one word of a rule: alternatives, each a literal or a glob */
struct patterns { /* several of them */
	const struct pattern *first;
	uint32_t n;
};

struct rule {
	enum verdict verdict; /* allow, ask or deny */
	enum rule_effect effect;
	enum layer layer;
	struct str file, text; /* text: the line without its comment */
	uint32_t line;
	struct patterns words;         /* argv from the start */
	struct patterns with, without; /* options, in any spelling */
	struct patterns on, in;  /* paths that it touches; the directory that it runs in */
	struct patterns objects; /* for an effect: paths, hosts, names, server:tool */
	unsigned when;
	struct patterns branches;
	int64_t until;               /* seconds; 0: no limit */
	struct str because, instead; /* because "…", try "…"; .p == NULL without */
	/* Clauses that widen the sandbox of the command. */
	struct patterns net, writable, readable;
	enum sandbox_type sandbox; /* UNSPECIFIED: no type given */
	uint32_t specificity;      /* more words, then options, then paths and conditions */
	bool exact; /* RULE_COMMAND: `exactly`, no other word or option may follow */
	bool more;  /* RULE_COMMAND: ends in `...`, any words may follow */
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

/* Values of ~, @project and @home in patterns. */
struct pattern_base {
	struct str home;         /* .p == NULL: unknown; a pattern that uses it may match */
	const struct str *roots; /* @project matches any of them */
	size_t roots_n;
};

/* Match one word that is not a path: `*` matches any bytes.  Unknown words (ONE, MANY) give
 * POSSIBLE where they could match. */
enum match pattern_word(const struct policy *p, const struct pattern *x, struct field word);
/*
 * True if every name that the pattern needs is in the path, by a bit for each name.  A
 * cheap filter: of a hundred patterns two or three remain.  Only for complete paths without
 * `..`, where ~ and @project are known.
 */
bool pattern_needs_no_more(const struct policy *p, const struct pattern *x, uint64_t bits);
/* The same filter for whole rules: a rule that shares no bit with the path cannot match it.
 * To include everything below a path, set all bits of `names` and `lasts`. */
struct path_place {
	uint64_t starts; /* the first name after /, ~ or @project */
	uint64_t names;  /* a bit for each name */
	uint64_t lasts;  /* the last name, and its ending */
};
#define PLACE_ANY ((struct path_place){ UINT64_MAX, UINT64_MAX, UINT64_MAX })
struct path_place path_place(struct str path, const struct pattern_base *base);
/* policy_effects() without rules that cannot match at this place. */
void policy_files(const struct policy *p, enum rule_effect effect, struct path_place place,
    rule_visitor *each, void *context);
/* Match a normalised absolute path: `*` and `?` stop at a slash, `**` does not.
 * known=false: the path begins with `path` and continues unknown. */
enum match pattern_path(const struct policy *p, const struct pattern *x, struct str path,
    bool known, const struct pattern_base *base);
/* Match host or host:port against example.org or *.example.org; case and a final dot are
 * ignored.  A host that is not valid may match. */
enum match pattern_host(
    const struct policy *p, const struct pattern *x, struct str host, bool known);
/*
 * Match a whole tree (rm -r, cp -r): CERTAIN if the pattern covers `path` and everything
 * below it, POSSIBLE if it may cover something at or below it.  A deny uses this and
 * pattern_path(), an allow only this.
 */
enum match pattern_tree(const struct policy *p, const struct pattern *x, struct str path,
    const struct pattern_base *base);
/* True if the pattern passes through this directory: after a rename of it, files would no
 * longer be covered.  Patterns with ** at the start pass through none. */
bool pattern_way(const struct policy *p, const struct pattern *x, struct str path,
    const struct pattern_base *base);
/*
 * The i-th alternative of {a,b}, unquoted; .p == NULL at the end.  If *ret_glob (may be
 * NULL) is set, * is byte 1, ? is 2 and ** is 3.  For a path, the text after ~ or @project.
 */
struct str pattern_alternative(
    const struct policy *p, const struct pattern *x, size_t i, bool *ret_glob);
/* The prefix of the i-th alternative. */
enum pattern_from { FROM_ROOT, FROM_HOME, FROM_PROJECT };
enum pattern_from pattern_from(const struct policy *p, const struct pattern *x, size_t i);
/* Print the i-th alternative as a setting spells it. */
void pattern_put(struct buf *b, const struct policy *p, const struct pattern *x, size_t i);
/* The pattern as written. */
struct str pattern_text(const struct policy *p, const struct pattern *x);
const struct pattern *patterns_at(const struct policy *p, struct patterns list, size_t i);

/* ---- for tools */

/* The i-th `test "command" verdict` line; false at the end. */
struct policy_test {
	struct str command, file;
	enum verdict expected;
	uint32_t line;
	enum layer layer;
};
bool policy_test(const struct policy *p, size_t i, struct policy_test *ret);
/* Why a line, or part of one, has no effect. */
enum inert_why {
	INERT_UNTRUSTED, /* would loosen, and the project is not trusted */
	INERT_PROJECT,   /* not allowed in a project */
	INERT_LOCKED,    /* the administrator locked the setting */
	INERT_BOUND,     /* outside the administrator's bounds */
	INERT_FORBIDDEN, /* the administrator forbids this mode */
	INERTS,
};
struct policy_inert {
	struct str text; /* the line, or the part of it */
	enum inert_why why;
	struct policy_origin origin;
};
bool policy_inert(const struct policy *p, size_t i, struct policy_inert *ret);
const char *inert_text(enum inert_why why); /* "until the project is trusted" */
/* Print the effective policy as rules, with origins as comments.  Compiles to the same
 * policy. */
void policy_print(const struct policy *p, struct buf *out);
void policy_print_json(const struct policy *p, struct buf *out);
