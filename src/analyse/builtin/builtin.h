/* analyse/builtin/builtin.h: one function for each builtin with effects. Internal to this
 * room. */
#pragma once
#include "analyse/walk.h"

typedef struct flow builtin_fn(struct walk *w, struct invocation *c, struct state s);

/* builtin_dir.c: the working directory */
builtin_fn builtin_cd, builtin_pushd, builtin_popd;
/* builtin_run.c: commands that run commands */
builtin_fn builtin_eval, builtin_trap, builtin_source, builtin_exec, builtin_command,
    builtin_builtin;
/* builtin_vars.c: variables */
builtin_fn builtin_declare, builtin_unset, builtin_read, builtin_mapfile, builtin_printf,
    builtin_let, builtin_getopts, builtin_wait, builtin_test;

/* ---- builtin.c: return false if the name is not a builtin */
bool run_builtin(struct walk *w, struct invocation *c, struct state s, struct flow *ret);
bool is_builtin(struct str name);
