/* agents/import/rules.h: collect rules and notes, for agents/import/.  Internal. */
#pragma once
#include "agents/import/import.h"

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

/* Return a string member, or .p == NULL; return true if a member is true. */
struct str import_member(const struct json *v, const char *key);
bool import_is_true(const struct json *v, const char *key);
/* Return the first element of a list, or NULL. Note a value that is no list and elements
 * that are no strings. */
const struct json *import_list(struct import *im, const struct json *list);
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
