/* agents/setup/forms.h: the forms of settings files, for agents/setup/.  Internal. */
#pragma once
#include "agents/setup/setup.h"

/* Print `cordon hook AGENT ...` for a shell. */
void setup_put_command(struct buf *b, enum agent agent, const struct setup_params *p);
void setup_put_deadline(struct buf *b, const struct setup_params *p);
/* Print the arguments after the program as JSON strings. */
void setup_put_arguments(
    struct buf *b, enum agent agent, const struct setup_params *p, const char *separator);
/* Parse a command line that cordon wrote; return false for any other. */
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
