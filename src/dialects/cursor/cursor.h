/*
 * dialects/cursor/cursor.h: the cursor dialect, Cursor's approval flow over our analysis.
 *
 * MUST
 * 1. Never be looser than the original: its thirteen steps in order, each with the original
 *    condition or a stricter one.
 * 2. A blocked command matches the text or the argv of anything that would run, and
 *    anything unknown; an allowed one must match text and argv, of a wrapper and of what it
 *    runs.
 * 3. No allow lifts a blocked command, sudo, or anything beyond what it names.
 * 4. For text that cannot be parsed or has no command, answer "no approval" only with an
 *    effective policy below 30, never for an unsandboxed run.
 * 5. An agent's request can only reduce what the user gives.
 * 6. Refuse unknown settings.
 *
 * Everything is allocated in the caller's arena.  doc/CURSOR.md lists steps and
 * differences.
 */
#pragma once
#include "analyse/analyse.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/json/json.h"
#include "dialects/gemini/gemini.h"
#include "policy/policy.h"
#include "policy/sandbox/sandbox.h"

/* ---- cursor_settings.c: the approval settings (fN) and the mode (DT) */

struct cursor_settings {
	bool admin_controlled, disabled_by_admin;
	bool browser_features;
	struct gemini_list allowed, blocked; /* commands */
	struct gemini_list mcp_allowed;      /* server:tool, * for any */
	bool delete_protection, dotfiles_protection, outside_protection;
	bool mcp_protection, playwright_protection;
	bool
	    enable_run_everything; /* used only if an administrator controls the settings */
};

/* The original's defaults. */
struct cursor_settings cursor_defaults(void);
/* Read `approvalSettings`, or `composerState` and `autoRunControls`.  Returns NULL or an
 * error. */
const char *cursor_read_settings(
    struct arena *a, const struct json *request, struct cursor_settings *ret);
enum mode cursor_mode(bool auto_run, bool full_auto_run);
/* Read `mode`, `isAutoRun` and `isFullAutoRun`; if they disagree, the stricter counts.
 * Returns NULL or an error. */
const char *cursor_read_mode(
    const struct json *request, enum mode otherwise, enum mode *ret);
/*
 * Read a list of strings; null and absent leave *ret unchanged.  Returns NULL or an error.
 */
const char *cursor_read_list(
    struct arena *a, const struct json *v, struct gemini_list *ret);

/* ---- the request */

enum cursor_tool {
	CURSOR_SHELL,
	CURSOR_READ,
	CURSOR_WRITE, /* write or edit */
	CURSOR_DELETE,
	CURSOR_MCP,
};

struct cursor_input;
/* Callback: fill in the facts of this machine.  An error means ask. */
typedef int cursor_look(
    void *context, struct arena *a, const struct cursor_input *in, struct effects *e);

struct cursor_input {
	enum cursor_tool tool;
	struct str command;      /* of the shell */
	struct str path;         /* of a file tool */
	struct str server, name; /* of an MCP tool */
	struct cursor_settings settings;
	enum mode mode;
	struct gemini_list safe, composite;            /* the server's lists */
	const struct sandbox_policy *user, *requested; /* NULL: none */
	bool sandbox_enabled;
	struct analyse_opts where; /* cwd and home; .p == NULL: unknown */
	const struct str *roots;   /* workspace folders; none: the cwd, if known */
	size_t roots_n;
	struct str ignore_mapping; /* added to the effective policy; .p == NULL: none */
	cursor_look *look;         /* NULL: judge paths by their names */
	void *context;
};

/* ---- the answer */

/* Steps 1 to 13 are the original's. */
enum cursor_step {
	STEP_NONE,
	STEP_MERGE,
	STEP_DISABLED,
	STEP_PARSE,
	STEP_BLOCKED,
	STEP_EMPTY,
	STEP_EVERYTHING,
	STEP_DELETE,
	STEP_SUDO,
	STEP_NO_ALLOWLIST,
	STEP_FILTER,
	STEP_ALLOWED,
	STEP_SANDBOX,
	STEP_DEFAULT,
	STEP_MODE,    /* ask every time; before step 3 */
	STEP_IGNORED, /* an ignored file; before step 5 */
	STEP_PROTECT, /* dot files, outside the workspace; before step 9 */
	STEP_FILE,    /* a file tool */
	STEP_MCP,
	STEPS,
};

struct cursor_note {
	enum cursor_step step;
	const char *what;
	struct str which; /* an entry, a command or a path; may be empty */
};

#define CURSOR_NOTES 24

/* A zeroed result asks. */
struct cursor_result {
	bool runs; /* without approval */
	enum cursor_step step;
	bool has_candidates;
	struct gemini_list candidates;
	struct sandbox_policy effective;
	struct cursor_note notes[CURSOR_NOTES]; /* the steps that were taken, for --trace */
	size_t notes_n;
};

/* ---- cursor.c: H4c and xOh */

/* Decide.  Total: an internal failure is an ask. */
void cursor_decide(
    struct arena *a, const struct cursor_input *in, struct cursor_result *ret);
void cursor_note(
    struct cursor_result *r, enum cursor_step step, const char *what, struct str which);
/* Record a step that lets the command run. */
void cursor_runs(struct cursor_result *r, enum cursor_step step, const char *what);
/* ALLOW if a list or the mode lets it run, CONFINE if only the sandbox does, else ASK. */
enum verdict cursor_verdict(const struct cursor_result *r);

/* ---- cursor_match.c: $Jt and qJt */

bool cursor_matches(struct str text, struct str pattern);

/* A command line, prepared for the steps. */
struct cursor_view {
	struct arena *a;
	const struct cursor_input *in;
	const struct effects *effects;
	const struct sandbox_policy *effective;
	struct gemini_entries allowed, safe, blocked, composite;
	bool full; /* no memory */
};

void cursor_view(struct arena *a, const struct cursor_input *in, struct cursor_view *ret);
/* True if the original counts it as an executable command. */
bool cursor_counts(const struct command *c);
bool cursor_is(const struct cursor_view *v, const struct command *c, struct str program);
/* The entry that blocks the command, or may; .p == NULL: none. */
struct str cursor_blocked(const struct cursor_view *v, const struct command *c);
bool cursor_covers(
    const struct cursor_view *v, const struct gemini_entry *e, const struct command *c);
bool cursor_allowed(const struct cursor_view *v, const struct command *c, bool safe_too);
/* True if an allowed entry spells out the text at `at`, and the command there is fully
 * known. */
bool cursor_spelt_out(const struct cursor_view *v, struct span at);
/* qJt: entries to offer for the allowlist, for all commands or for those not allowed. */
void cursor_candidates(const struct cursor_view *v, bool all, struct gemini_list *ret);

/* ---- cursor_effects.c: effects beyond the names of commands */

/* Why something may run or change that no entry covers; NULL: nothing. */
const char *cursor_uncovered(const struct cursor_view *v);
/*
 * Why a protected file would be written; NULL: none for certain.  *ret_which is its path.
 */
const char *cursor_protected(const struct cursor_view *v, struct str *ret_which);
const char *cursor_ignored(const struct cursor_view *v, struct str *ret_which);
/* True if a command deletes files and no allowed entry covers it. */
bool cursor_deletes(const struct cursor_view *v, struct str *ret_which);
bool cursor_writes_git(const struct cursor_view *v, struct str *ret_which);

/* ---- cursor_tool.c: file tools and MCP tools */

void cursor_decide_tool(
    struct arena *a, const struct cursor_input *in, struct cursor_result *ret);

/* ---- cursor_request.c */

struct cursor_opts {
	bool batch;    /* the answer starts with the line's id */
	bool has_mode; /* --mode, for requests without a mode; default use_allowlist */
	enum mode mode;
	struct cursor_input base; /* defaults for where, roots and look */
	struct buf *trace;        /* buffer for every step, for a person; NULL: none */
};

/*
 * {"id":…,"command":…,settings} → {"id":…,"needApproval":…,"candidatesForAllowlist":[…],
 * "effectivePolicy":{…}}; candidates only where the original gives them; anything else →
 * {"id":…,"error":…}.  No newline is written.
 *
 * Returns 0, and in *ret_verdict (unless NULL) the verdict: DENY for an error.
 * CORDON_ENOMEM when not even the error fits.
 */
int cursor_request(struct arena *a, struct str line, const struct cursor_opts *opts,
    struct buf *out, enum verdict *ret_verdict);
/* Answer a bare command instead of a request. */
int cursor_command(struct arena *a, struct str command, const struct cursor_opts *opts,
    struct buf *out, enum verdict *ret_verdict);
