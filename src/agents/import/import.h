/*
 * agents/import/import.h: what an agent's own permissions say, as rules of cordon.
 *
 * MUST
 * 1. Never be looser than the source: an allow that cannot be said exactly is left out, a
 *    deny or ask is made wider, and the report tells both.
 * 2. Show that each rule does what it says: a rule is kept only if the command that it was
 *    made from gets its verdict by it.
 * 3. Where the agent lets a wide ask or deny beat a narrow allow, let it here as well.
 * 4. Refuse a file that cannot be read as a whole.
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

/* A command by its beginning. */
struct import_words {
	struct str v[IMPORT_WORDS];
	size_t n;
	struct str later[8]; /* options behind something that cannot be said */
	size_t later_n;
	bool exact; /* no further word */
	bool tail;  /* the last word goes on with anything */
	bool cut;   /* something was left away: no longer what the source says */
};

struct import_rule {
	enum import_verb verb;
	struct str words[IMPORT_WORDS]; /* that are no options */
	size_t words_n;
	struct str option;  /* one that it needs; .p == NULL: none */
	struct str without; /* set where an ask would be beaten */
	struct str line, entry, test;
	bool dropped;
};

#define IMPORT_RULES 4096

/* Does a file of just `rule` answer `command` with what the rule says? */
typedef bool import_holds(
    void *context, struct str rule, struct str command, enum import_verb verb);

/* What cordon would say of a command that the agent runs by itself: a sentence. */
typedef const char *import_judge(void *context, struct str command);

struct import {
	struct arena *a;
	import_holds *holds;
	import_judge *judge;
	void *context;
	const char *why_default; /* the comment behind `default` */
	struct buf settings;
	struct import_rule *rules;
	size_t rules_n;
	struct import_note *notes, **notes_end;
	struct str by_default; /* ask, deny; .p == NULL: as cordon has it */
	bool narrow_wins;      /* in the source, too, the narrower of two rules wins */
	struct err *e;
	bool full;
};

/* claude, gemini, cursor, codex; what kind of file that means is seen in the text. */
bool import_kind_find(struct str agent, struct str file, struct str text,
    struct arena *scratch, enum import_kind *ret);
const char *import_kind_name(enum import_kind kind);

/*
 * The rules that `text` comes to, in `out`, with a comment and a test line for each.
 * CORDON_EINVAL with the place, CORDON_ENOMEM, CORDON_ELIMIT.
 */
int import_text(struct import *im, enum import_kind kind, struct str file, struct str text,
    struct buf *out, struct err *reterr);

/* ---- the parts, for this room */

/* A member of this kind; .p == NULL, false: there is none. */
struct str import_member(const struct json *v, const char *key);
bool import_is_true(const struct json *v, const char *key);
/* The first member of a list, or NULL; noted where it is no list, or has what is no text.
 */
const struct json *import_list(struct import *im, const struct json *list);
void import_note(
    struct import *im, struct str entry, enum import_result result, const char *why);
void import_setting(
    struct import *im, const char *name, struct str value, struct str entry);
/* What no rule names: the stricter of all calls. */
void import_default(struct import *im, const char *verdict, const char *why);
/* The words of `text` up to what the language cannot say. */
void import_split(struct import *im, struct str text, struct import_words *ret);
/* One or more rules for a command; `because` may have a NULL pointer. */
void import_command(struct import *im, enum import_verb verb, struct import_words *w,
    struct str entry, struct str because);
/* A path as gitignore writes it; `base` is where a relative one begins. */
void import_path(struct import *im, enum import_verb verb, const char *effect,
    struct str pattern, struct str entry);
void import_host(
    struct import *im, enum import_verb verb, struct str host, struct str entry);
void import_mcp(struct import *im, enum import_verb verb, struct str server,
    struct str tool, struct str entry);
/* A word, quoted where it must be; with `star` its final * is a glob. */
void import_put_word(struct buf *b, struct str word, bool star);
void import_put_quoted(struct buf *b, struct str text);
bool import_is_plain_path(struct str path);

/* "Name(inside)" → both; false when there are no parentheses: then `inside` is empty. */
bool import_call(struct str text, struct str *name, struct str *inside);
struct str import_trim(struct str s);

void import_claude(struct import *im, const struct json *root);
void import_gemini(struct import *im, const struct json *root);
void import_params(struct import *im, const struct json *root);
void import_cursor(struct import *im, const struct json *root);
void import_codex_config(struct import *im, const struct json *root);
int import_codex_rules(struct import *im, struct str text);
