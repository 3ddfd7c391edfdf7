/*
 * dialects/gemini/gemini.h: the gemini dialect, Gemini CLI's shell permission check over
 * our analysis.
 *
 * MUST
 * 1. Never be looser than the original: run its own check, with its own splitter, as well
 *    as ours, and take the stricter answer.
 * 2. Accept more than the original in two cases only, both documented there: name(*) means
 *    any command, name(a,b) means alternatives.  Session entries are literal text.
 * 3. A block entry matches the text or the argv of anything that would run; an allow entry
 *    must match text and argv, of a wrapper and of what it runs.
 * 4. Refuse text that cannot be parsed or analysed.
 * 5. Use the original's messages byte for byte wherever it has one.
 *
 * Everything is allocated in the caller's arena.  If memory runs out, a list is `full`, a
 * string has .p == NULL, and a check is a hard denial.
 */
#pragma once
#include "analyse/analyse.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/json/json.h"
#include "base/str.h"
#include "policy/policy.h"
#include "policy/verdict.h"

struct gemini_list {
	struct str *v;
	size_t n, cap;
	bool given; /* an empty list differs from no list */
	bool full;  /* the arena was full: entries are missing */
};

void gemini_add(struct arena *a, struct gemini_list *l, struct str s);
/* Add unless already present. */
void gemini_add_once(struct arena *a, struct gemini_list *l, struct str s);
bool gemini_has(const struct gemini_list *l, struct str s);
void gemini_put_list(struct buf *out, const struct gemini_list *l);

/* ---- gemini_text.c: the original's own functions on text, exactly */

/* The length of the JavaScript blank at `at`, or 0; includes NBSP and BOM. */
size_t gemini_blank(struct str s, size_t at);
struct str gemini_trim(struct str s);
/* Trim, and replace each run of blanks by one space. */
struct str gemini_normalise(struct arena *a, struct str s);
/* The original's splitter, which knows only quotes and && || ; & |. */
void gemini_scan_split(struct arena *a, struct str text, struct gemini_list *ret);
/* The original's scanner for $( ) ` ` <( ) >( ). */
bool gemini_scan_substitution(struct str text);
/* Scan for what PowerShell could compute: any ( outside '...'. */
bool gemini_scan_powershell(struct str text);
/* The first word without its directory; .p == NULL for blank text. */
struct str gemini_root(struct str text);
/* `bash -c "x"` → `x`, one level; else the trimmed text. */
struct str gemini_strip_wrapper(struct str text);

/* ---- gemini_split.c: the same by the real grammar */

struct gemini_segment {
	struct str text; /* normalised */
	struct str raw;  /* as written, trimmed */
	struct span
	    at; /* position in the command; for a backquote body, that of the body */
};

struct gemini_view {
	struct str command, stripped;
	bool parsed;       /* else `error` has the reason, and the rest is empty */
	bool substitution; /* a word contains a command substitution */
	bool prompt; /* ${x@P}: the value is expanded as a prompt and may run commands */
	struct err error;
	struct gemini_segment *segments;
	size_t n, cap;
	struct effects effects;
	bool full;
};

/* Split and analyse a command.  `opts` may be NULL. */
void gemini_look(struct arena *a, struct str command, const struct analyse_opts *opts,
    struct gemini_view *ret);
/* The segment of a command or unknown: an index, or n without segments. */
size_t gemini_segment_of(const struct gemini_view *v, struct span at);

/* splitCommands, getCommandRoots: by the grammar, or by the original's scanner if that
 * fails. */
void gemini_split(struct arena *a, struct str command, struct gemini_list *ret);
void gemini_roots(struct arena *a, struct str command, struct gemini_list *ret);
/* detectCommandSubstitution: what the original's scanner finds, and what it misses. */
bool gemini_substitution(struct arena *a, struct str command);

/* ---- gemini_match.c: tool names and patterns */

extern const struct str gemini_shell_names[2]; /* SHELL_TOOL_NAMES */
bool gemini_is_shell(struct str name);

struct gemini_call {
	struct str
	    names[2]; /* names of the tool and its class; the second may have .p == NULL */
	struct str command; /* .p == NULL: the call has none */
};

/* doesToolInvocationMatch */
bool gemini_call_matches(
    const struct gemini_call *call, const struct gemini_list *patterns);
/* True if an entry is a bare shell name, or name(*). */
bool gemini_names_all(const struct gemini_list *patterns);
/* True if an entry begins with a shell name and `(`. */
bool gemini_names_some(const struct gemini_list *patterns);

/* One alternative of a pattern, or a session entry. */
struct gemini_entry {
	struct str text;
	struct gemini_list words; /* as the shell would read them */
	bool plain;               /* only words: no assignment, no redirection */
};

struct gemini_entries {
	struct gemini_entry *v;
	size_t n, cap;
	bool full;
};

void gemini_add_patterns(
    struct arena *a, struct gemini_entries *e, const struct gemini_list *patterns);
void gemini_add_literals(
    struct arena *a, struct gemini_entries *e, const struct gemini_list *entries);
/* True if the text is the entry, or continues after it with a space. */
bool gemini_text_matches(struct str text, struct str entry);
/* Match the beginning of a command's words.  For a block, a program counts by its base
 * name, and global options before a subcommand are skipped. */
enum match gemini_blocks(const struct gemini_entry *e, const struct command *c);
bool gemini_allows(const struct gemini_entry *e, const struct command *c);

/* parseAllowedSubcommands; `given` is false for null: everything is allowed. */
void gemini_allowed_subcommands(
    struct arena *a, const struct gemini_list *allowed, struct gemini_list *ret);

/* ---- gemini_scan.c, gemini_answer.c, gemini_check.c */

struct gemini_config {
	struct gemini_list core, exclude, allowed, session;
	bool headless; /* interactive:false */
	struct analyse_opts where;
};

/* A zeroed result is a denial. */
struct gemini_result {
	bool all_allowed;
	bool hard;
	struct gemini_list disallowed;
	struct str reason;
};

extern const struct str gemini_substitution_message, gemini_disabled_message,
    gemini_unparsed_message;

/* Set the answer.  A full list or a reason without .p makes it a hard denial. */
void gemini_allow(struct gemini_result *r);
void gemini_deny(struct gemini_result *r, const struct gemini_list *commands,
    struct str reason, bool hard);
void gemini_deny_one(struct arena *a, struct gemini_result *r, struct str command,
    struct str reason, bool hard);
void gemini_deny_missing(struct arena *a, struct gemini_result *r,
    const struct gemini_list *missing, bool session);
struct str gemini_blocked_reason(struct arena *a, struct str segment);
/* The text of a buffer; .p == NULL if it did not fit. */
struct str gemini_text(const struct buf *b);

struct gemini_call gemini_shell_call(struct str command);
bool gemini_session_has(const struct gemini_list *session, struct str text);
/* The original's check alone. */
void gemini_check_by_scan(struct arena *a, struct str command,
    const struct gemini_config *c, struct gemini_result *r);

struct gemini_step {
	const char *name;
	struct str found; /* JSON, or words */
};

#define GEMINI_STEPS 24

/* The permission debugger's notes. */
struct gemini_trace {
	struct arena *a;
	struct gemini_step v[GEMINI_STEPS];
	size_t n;
};

/* checkCommandPermissions; `t` may be NULL. */
void gemini_check(struct arena *a, struct str command, const struct gemini_config *c,
    struct gemini_trace *t, struct gemini_result *ret);
/* gemini_check(), then, if `headless`, the list for sessions without a person. */
void gemini_check_all(struct arena *a, struct str command, const struct gemini_config *c,
    struct gemini_trace *t, struct gemini_result *ret);
/* isShellInvocationAllowlisted: true if the patterns cover every command of the line. */
bool gemini_covered(
    struct arena *a, struct str command, const struct gemini_list *patterns);
/* Print the members without braces: two on success, four on denial. */
void gemini_put_result(struct buf *out, const struct gemini_result *r);
/* allow, ask (soft) or deny (hard, or headless). */
enum verdict gemini_verdict(const struct gemini_result *r, bool headless);

/* ---- gemini_trace.c */

/* Print an error for a person; `chinese`: the original's own text. */
void gemini_put_error(struct buf *out, const struct gemini_result *r, bool chinese);
void gemini_note(struct gemini_trace *t, const char *name, struct str found);
void gemini_note_list(
    struct gemini_trace *t, const char *name, const struct gemini_list *l);
/* `check --trace`: print original, normalised, split, roots, session list, every gate and
 * the result, one line each, escaped for a terminal. */
enum verdict gemini_explain(
    struct arena *a, struct str command, const struct gemini_config *c, struct buf *out);

/* ---- gemini_lint.c: findings about lists */

enum gemini_level {
	GEMINI_WARNING,
	GEMINI_ERROR, /* the entry never matches, or does not mean what it seems to */
};

struct gemini_finding {
	enum gemini_level level;
	const char *list; /* coreTools ... */
	struct str entry;
	const char *why;  /* static text */
	struct str other; /* the other entry involved; .p == NULL: none */
	struct gemini_finding *next;
};

/* Find problems, in the order of the lists; NULL: none.  *ret_full: out of memory. */
const struct gemini_finding *gemini_lint(
    struct arena *a, const struct gemini_config *c, bool *ret_full);
/* Print one JSON object. */
void gemini_put_finding(struct buf *out, const struct gemini_finding *f);

/* ---- gemini_config.c: reading the lists */

/* Tools that a headless session loses unless `allowed` names them. */
enum gemini_approval {
	GEMINI_DEFAULT,
	GEMINI_AUTO_EDIT,
	GEMINI_YOLO,
};

void gemini_headless_excludes(struct arena *a, enum gemini_approval mode,
    const struct gemini_list *allowed, struct gemini_list *ret);
/*
 * Read the lists of a request: coreTools, excludeTools, allowedTools, sessionAllowlist,
 * settings, extensions, extraExcludes, interactive; also inside `config`.  Returns NULL or
 * an error.
 */
const char *gemini_read_config(
    struct arena *a, const struct json *request, struct gemini_config *ret);
/* Read a list; if absent or null, *ret is unchanged.  Returns NULL or an error. */
const char *gemini_read_list(
    struct arena *a, const struct json *v, struct gemini_list *ret);
/* mergeExcludeTools: settings, then extraExcludes and `extra` (may be NULL), then
 * extensions. */
const char *gemini_merge_excludes(struct arena *a, const struct json *request,
    const struct gemini_list *extra, struct gemini_list *ret);

/* Permissions that a session collects; tool names are compared without case. */
struct gemini_permit {
	struct str tool;
	struct gemini_list commands;
	struct gemini_permit *next;
};

/* Add a permission.  CORDON_ENOMEM. */
int gemini_permit_add(
    struct arena *a, struct gemini_permit **all, struct str tool, struct str command);
/* The permissions of a tool; NULL: none. */
const struct gemini_list *gemini_permits(const struct gemini_permit *all, struct str tool);

/* ---- gemini_shell.c: getShellConfiguration */

struct gemini_shell {
	struct str executable;
	const char *const *args; /* ends with NULL */
	const char *shell;       /* bash, cmd, powershell */
};

/* `platform` as in Node (win32); `comspec` may be empty or have .p == NULL. */
struct gemini_shell gemini_shell(struct str platform, struct str comspec);

/* ---- gemini_request.c: one line of a batch */

/*
 * {"id":…,"command":…,lists} → {"id":…,"allAllowed":…,"disallowedCommands":[…]} and on
 * denial "blockReason", "isHardDenial"; {"id":…,"fn":…,arguments} → {"id":…,"result":…};
 * anything else → {"id":…,"error":…}.  Arguments are in the line itself, in "input", or
 * in "args" (by name or in order).  No newline is written.  `where` (may be NULL) holds
 * for a command whose line has no "cwd" or "home".
 *
 * Returns 0, and in *ret_verdict (unless NULL) what the check came to: ALLOW for a
 * function's result, DENY for an error.  CORDON_ENOMEM when not even the error fits.
 */
int gemini_request(struct arena *a, struct str line, const struct analyse_opts *where,
    struct buf *out, enum verdict *ret_verdict);

/* ---- gemini_fn.c: the functions by name; NULL or what is wrong with the arguments */
const char *gemini_function(struct arena *a, struct str name, const struct json *request,
    const struct analyse_opts *where, struct buf *out);

/* ---- gemini_fn_check.c, gemini_tool.c: those that need more than text */
const char *gemini_fn_check(struct arena *a, const struct json *args, struct buf *out);
const char *gemini_fn_allowed(struct arena *a, const struct json *args, struct buf *out);
const char *gemini_fn_batch(struct arena *a, const struct json *args, struct buf *out);
const char *gemini_fn_format(struct arena *a, const struct json *args, struct buf *out);
const char *gemini_fn_validate(struct arena *a, const struct json *args, struct buf *out);
const char *gemini_fn_merge(struct arena *a, const struct json *args, struct buf *out);
const char *gemini_fn_permissions(
    struct arena *a, const struct json *args, struct buf *out);
const char *gemini_fn_build(struct arena *a, const struct json *args, struct buf *out);
const char *gemini_fn_confirm(struct arena *a, const struct json *args, struct buf *out);
