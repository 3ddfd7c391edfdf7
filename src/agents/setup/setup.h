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
#include "agents/agents.h"

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
int setup_add(struct arena *a, enum agent agent, enum agent_scope scope,
    const struct setup_params *p, struct str text, struct str *ret, struct err *reterr);
/* The same without cordon's entries; *ret.p is NULL when nothing is left of the file. */
int setup_remove(struct arena *a, enum agent agent, enum agent_scope scope, struct str text,
    struct str *ret, struct err *reterr);

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
/* Does this setting switch hooks off in the file that `root` was read from? */
bool setup_is_off(const struct agent_switch *s, const struct json *root);
int setup_inspect(struct arena *a, enum agent agent, enum agent_scope scope,
    struct str text, struct setup_found *ret, struct err *reterr);

/* ---- the parts, for this room */

/* `cordon hook HOST ...` for a shell. */
void setup_put_command(struct buf *b, enum agent agent, const struct setup_params *p);
void setup_put_deadline(struct buf *b, const struct setup_params *p);
/* The arguments after the program as JSON strings, `separator` between. */
void setup_put_arguments(
    struct buf *b, enum agent agent, const struct setup_params *p, const char *separator);
/* The words of a command line that cordon wrote; false for any other. */
bool setup_is_ours(
    struct arena *a, enum agent agent, const struct json *entry, struct setup_found *ret);
bool setup_line_is_ours(
    struct arena *a, enum agent agent, struct str line, struct setup_found *ret);

int setup_json_add(struct arena *a, enum agent agent, const struct setup_params *p,
    struct str text, struct str *ret, struct err *reterr);
int setup_json_remove(struct arena *a, enum agent agent, struct str text, struct str *ret,
    struct err *reterr);
int setup_json_inspect(struct arena *a, enum agent agent, struct str text,
    struct setup_found *ret, struct err *reterr);
int setup_toml_add(struct arena *a, enum agent agent, const struct setup_params *p,
    struct str text, struct str *ret, struct err *reterr);
int setup_toml_remove(
    struct arena *a, struct str text, struct str *ret, struct err *reterr);
int setup_toml_inspect(struct arena *a, enum agent agent, struct str text,
    struct setup_found *ret, struct err *reterr);
