/*
 * agents/import/import.h: convert an agent's own permissions to cordon rules.
 *
 * MUST
 * 1.  Never be looser than the source: leave out an allow that cannot be expressed exactly,
 *    widen a deny or ask, and report both.
 * 2.  Keep a rule only if the command that it was made from gets its verdict from it.
 * 3.  If the agent lets a wide ask or deny beat a narrow allow, do the same.
 * 4.  Reject a file that cannot be parsed completely.
 */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/json/json.h"
#include "base/str.h"

enum import_kind {
	IMPORT_UNKNOWN,
	IMPORT_CLAUDE,       /* settings.json: permissions, sandbox */
	IMPORT_GEMINI,       /* settings.json: tools, mcp, mcpServers */
	IMPORT_CURSOR,       /* permissions.json, cli-config.json, sandbox.json */
	IMPORT_CODEX_RULES,  /* *.rules: prefix_rule(...) */
	IMPORT_CODEX_CONFIG, /* config.toml */
};

enum import_verb { IMPORT_ALLOW, IMPORT_ASK, IMPORT_DENY };

enum import_result { IMPORT_LEFT_OUT, IMPORT_WIDER, IMPORT_STAYS };
/* "left out", "made wider", "stays with the agent" */
const char *import_result_name(enum import_result r);

struct import_note {
	struct str entry; /* as the source has it */
	enum import_result result;
	const char *why;
	struct import_note *next;
};

#define IMPORT_WORDS 24

/* The first words of a command. */
struct import_words {
	struct str v[IMPORT_WORDS];
	size_t n;
	struct str later[8]; /* options after a word that cannot be expressed */
	size_t later_n;
	bool exact; /* no further words may follow */
	bool tail;  /* the last word is a prefix */
	bool cut;   /* words were dropped: no longer exactly the source */
};

struct import_rule {
	enum import_verb verb;
	struct str words[IMPORT_WORDS]; /* without options */
	size_t words_n;
	struct str option;  /* a required option; .p == NULL: none */
	struct str without; /* an option that must be absent, because an ask matches it */
	struct str line, entry, test;
	bool dropped;
};

#define IMPORT_RULES 4096

/* Does a rules file with only `rule` give `command` the rule's verdict? */
typedef bool import_holds(
    void *context, struct str rule, struct str command, enum import_verb verb);

/* Describe cordon's verdict on a command that the agent runs by itself. */
typedef const char *import_judge(void *context, struct str command);

struct import {
	struct arena *a;
	import_holds *holds;
	import_judge *judge;
	void *context;
	const char *why_default; /* the comment after `default` */
	struct buf settings;
	struct import_rule *rules;
	size_t rules_n;
	struct import_note *notes, **notes_end;
	struct str by_default; /* ask, deny; .p == NULL: as cordon has it */
	bool narrow_wins;      /* in the source, too, the narrower of two rules wins */
	struct err *e;
	bool full;
};

/* Find the kind of file by the agent's name (claude, gemini, cursor, codex), the file
 * name and the text. */
bool import_kind_find(struct str agent, struct str file, struct str text,
    struct arena *scratch, enum import_kind *ret);
const char *import_kind_name(enum import_kind kind);

/*
 * Print the rules for `text` to `out`, each with a comment and a test line.  Errors:
 * CORDON_EINVAL with the position, CORDON_ENOMEM, CORDON_ELIMIT.
 */
int import_text(struct import *im, enum import_kind kind, struct str file, struct str text,
    struct buf *out, struct err *reterr);

/* ---- internal to this folder */

/* Return a string member, or .p == NULL; return true if a member is true. */
struct str import_member(const struct json *v, const char *key);
bool import_is_true(const struct json *v, const char *key);
/* Return the first element of a list, or NULL. Note a value that is no list and elements
 * that are no strings. */
const struct json *import_list(struct import *im, const struct json *list);
void import_note(
    struct import *im, struct str entry, enum import_result result, const char *why);
void import_setting(
    struct import *im, const char *name, struct str value, struct str entry);
/* Verdict for commands without a rule; of several calls the strictest counts. */
void import_default(struct import *im, const char *verdict, const char *why);
/* Split `text` into words, up to the first that the rule language cannot express. */
void import_split(struct import *im, struct str text, struct import_words *ret);
/* Add one or more rules for a command.  `because` may be empty. */
void import_command(struct import *im, enum import_verb verb, struct import_words *w,
    struct str entry, struct str because);
/* Add a rule for a path in gitignore syntax. */
void import_path(struct import *im, enum import_verb verb, const char *effect,
    struct str pattern, struct str entry);
void import_host(
    struct import *im, enum import_verb verb, struct str host, struct str entry);
void import_mcp(struct import *im, enum import_verb verb, struct str server,
    struct str tool, struct str entry);
/* Print a word, quoted if necessary; with `star` a final * is a glob. */
void import_put_word(struct buf *b, struct str word, bool star);
void import_put_quoted(struct buf *b, struct str text);
bool import_is_plain_path(struct str path);

/* Split "Name(inside)".  Without parentheses return false; `inside` is empty. */
bool import_call(struct str text, struct str *name, struct str *inside);
struct str import_trim(struct str s);

void import_claude(struct import *im, const struct json *root);
void import_gemini(struct import *im, const struct json *root);
void import_params(struct import *im, const struct json *root);
void import_cursor(struct import *im, const struct json *root);
void import_codex_config(struct import *im, const struct json *root);
int import_codex_rules(struct import *im, struct str text);
