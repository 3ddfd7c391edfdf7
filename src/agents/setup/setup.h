/*
 * agents/setup/setup.h: where each agent is told to call cordon, and how.
 *
 * Text → text: what the settings of an agent become when cordon is registered in them or
 * taken out.  No file is looked at here.
 *
 * MUST
 * 1. Change nothing but cordon's own entries; keep every other byte.
 * 2. Add each entry once, however often it is called.
 * 3. Register so that the agent stops when the hook fails, wherever it has a way to say so.
 * 4. Give the hook a deadline that ends before the agent's own.
 * 5. Refuse settings that cannot be read; never write over what is not cordon's.
 */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/json/json.h"
#include "base/str.h"

enum setup_host {
	SETUP_CLAUDE,
	SETUP_CURSOR,
	SETUP_CODEX,
	SETUP_GEMINI,
	SETUP_COPILOT,
	SETUP_PI,
	SETUP_OPENCODE,
	SETUP_WINDSURF,
	SETUP_CLINE,
	SETUP_HOSTS,
};

enum setup_scope { SCOPE_USER, SCOPE_PROJECT, SCOPE_MANAGED, SCOPES };

enum setup_form {
	FORM_JSON,   /* merged with what is there */
	FORM_TOML,   /* a marked block at the end */
	FORM_WHOLE,  /* a file of cordon's own */
	FORM_SCRIPT, /* the same, and executable */
};

bool setup_host_find(struct str name, enum setup_host *ret);
const char *setup_host_name(enum setup_host host);
/* "Claude Code" */
const char *setup_host_title(enum setup_host host);
/* The agent runs commands in the user's own shell, and not always in bash. */
bool setup_host_uses_shell(enum setup_host host);
/* What the agent does when the hook is killed or cannot start, for a person. */
enum setup_fails { FAILS_OPEN, FAILS_CLOSED, FAILS_UNSURE };
enum setup_fails setup_host_fails(enum setup_host host);
const char *setup_host_fails_text(enum setup_host host);

struct setup_target {
	enum setup_form form;
	/* Below the home, the project, or the root of the file system. */
	const char *path;
	/* A variable that takes the place of the path's first `replaces` bytes; NULL: none.
	 */
	const char *variable;
	size_t replaces;
};

/* False: this agent has no such place. */
bool setup_target(enum setup_host host, enum setup_scope scope, struct setup_target *ret);

struct setup_params {
	struct str program; /* absolute path of cordon */
	struct str shell;   /* the user's, where it is not bash; .p == NULL */
	unsigned timeout;   /* seconds that the agent waits */
	struct str adapter; /* FORM_WHOLE of pi and opencode: the file's text */
};

#define SETUP_TIMEOUT 30
#define SETUP_TIMEOUT_MIN 5
#define SETUP_TIMEOUT_MAX 600
/* What the hook leaves of that time to the agent, in ms. */
#define SETUP_MARGIN 2000

/*
 * `text` (.p == NULL: there is no file) with cordon registered.  CORDON_EINVAL where it
 * cannot be read or holds something else, with the place; CORDON_ENOMEM.
 */
int setup_add(struct arena *a, enum setup_host host, enum setup_scope scope,
    const struct setup_params *p, struct str text, struct str *ret, struct err *reterr);
/* The same without cordon's entries; *ret.p is NULL when nothing is left of the file. */
int setup_remove(struct arena *a, enum setup_host host, enum setup_scope scope,
    struct str text, struct str *ret, struct err *reterr);

/* ---- what is registered, for doctor */

struct setup_found {
	unsigned entries;        /* cordon's own, over all events */
	unsigned events;         /* events that must be registered and are */
	unsigned wanted;         /* events that must be */
	bool closed;             /* every entry says that the agent stops when it fails */
	bool disabled;           /* the settings switch all hooks off */
	const char *disabled_by; /* the key that does */
	struct str program;      /* of the first entry */
	struct str arguments[16];
	size_t arguments_n;
	bool narrow; /* an entry is for some tools alone */
	bool differ; /* another entry has another program or other arguments */
};
int setup_inspect(struct arena *a, enum setup_host host, enum setup_scope scope,
    struct str text, struct setup_found *ret, struct err *reterr);

/* ---- diff.c */

/* The change as lines, with three of context, as `diff -u` shows one; nothing when both
 * are the same.  CORDON_ENOMEM. */
int setup_diff(struct arena *a, struct str old, struct str new, struct buf *out);

/* ---- the parts, for this room */

/* Events of a host, one NUL behind each, an empty one at the end. */
const char *setup_events(enum setup_host host);
/* `cordon hook HOST ...` for a shell. */
void setup_put_command(struct buf *b, enum setup_host host, const struct setup_params *p);
void setup_put_deadline(struct buf *b, const struct setup_params *p);
/* The words of a command line that cordon wrote; false for any other. */
bool setup_is_ours(struct arena *a, enum setup_host host, const struct json *entry,
    struct setup_found *ret);
bool setup_line_is_ours(
    struct arena *a, enum setup_host host, struct str line, struct setup_found *ret);

int setup_json_add(struct arena *a, enum setup_host host, const struct setup_params *p,
    struct str text, struct str *ret, struct err *reterr);
int setup_json_remove(struct arena *a, enum setup_host host, struct str text,
    struct str *ret, struct err *reterr);
int setup_json_inspect(struct arena *a, enum setup_host host, struct str text,
    struct setup_found *ret, struct err *reterr);
int setup_toml_add(struct arena *a, const struct setup_params *p, struct str text,
    struct str *ret, struct err *reterr);
int setup_toml_remove(
    struct arena *a, struct str text, struct str *ret, struct err *reterr);
int setup_toml_inspect(
    struct arena *a, struct str text, struct setup_found *ret, struct err *reterr);
