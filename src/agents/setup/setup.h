/*
 * agents/setup/setup.h: register cordon in the settings of an agent.
 *
 * Settings text → settings text with cordon's hooks added or removed.  Opens no file.
 *
 * MUST
 * 1.  Change only cordon's own entries; keep every other byte.
 * 2.  Add each entry once, however often it is called.
 * 3.  If the agent has such a setting, make it stop when the hook fails.
 * 4.  Give the hook a deadline that is shorter than the agent's own.
 * 5.  Reject settings that cannot be parsed; never overwrite a file that is not cordon's.
 */
#pragma once
#include "agents/agents.h"

struct setup_params {
	struct str program; /* absolute path of cordon */
	struct str shell;   /* the user's shell if it is not bash; .p == NULL: bash */
	unsigned timeout;   /* seconds that the agent waits */
	struct str adapter; /* text of a FORM_WHOLE file */
};

#define SETUP_TIMEOUT 30
#define SETUP_TIMEOUT_MIN 5
#define SETUP_TIMEOUT_MAX 600
/* The hook's deadline is this much shorter than the agent's timeout, in ms. */
#define SETUP_MARGIN 2000

/*
 * Return `text` (.p == NULL: no file) with cordon registered.  Errors: CORDON_EINVAL with
 * the position if it cannot be parsed or is not cordon's; CORDON_ENOMEM.
 */
int setup_add(struct arena *a, enum agent agent, enum agent_scope scope,
    const struct setup_params *p, struct str text, struct str *ret, struct err *reterr);
/* Return `text` without cordon's entries; ret->p is NULL if the file becomes empty. */
int setup_remove(struct arena *a, enum agent agent, enum agent_scope scope, struct str text,
    struct str *ret, struct err *reterr);

/* ---- inspection, for doctor */

struct setup_found {
	unsigned entries;        /* cordon's entries in all events */
	unsigned events;         /* required events that have an entry */
	unsigned wanted;         /* required events */
	bool closed;             /* every entry makes the agent stop when the hook fails */
	bool disabled;           /* the settings switch all hooks off */
	const char *disabled_by; /* the key that switches them off */
	struct str program;      /* of the first entry, like `arguments` */
	struct str arguments[16];
	size_t arguments_n;
	bool narrow; /* an entry matches only some tools */
	bool differ; /* two entries have different programs or arguments */
};
/* Does this setting switch hooks off in the file that `root` was read from? */
bool setup_is_off(const struct agent_switch *s, const struct json *root);
int setup_inspect(struct arena *a, enum agent agent, enum agent_scope scope,
    struct str text, struct setup_found *ret, struct err *reterr);
