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

struct import_rule;

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
	bool narrow_wins;      /* the source also prefers the narrower of two rules */
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

/* Add a note to the report. */
void import_note(
    struct import *im, struct str entry, enum import_result result, const char *why);
/* Print a word in the quotes of the rule language. */
void import_put_quoted(struct buf *b, struct str text);
