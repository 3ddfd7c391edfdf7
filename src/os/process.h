/* os/process.h: environment, subcommand name and exit statuses of this process. */
#pragma once
#include "base/str.h"
#include <stddef.h>

/* Exit statuses are part of the interface: other programs rely on them. */
enum {
	EXIT_OK = 0,
	EXIT_NOT_OK = 1,
	EXIT_CONFINE = 10,
	EXIT_ASK = 11,
	EXIT_DENY = 12,
	EXIT_USAGE = 64,
	EXIT_POLICY = 65, /* a rules file is broken or not trusted */
	EXIT_INTERNAL = 70,
};

/* main() fills this once; no other file reads the environment. */
struct process {
	struct str home;  /* $HOME; .p is NULL if unset */
	const char *name; /* the subcommand, or NULL */
	char **env;
};

/* The value of an environment variable; .p is NULL if unset. */
struct str process_env(const struct process *process, const char *name);

/* The values of an option that may be repeated. */
#define OPT_VALUES 32
struct opt_values {
	struct str v[OPT_VALUES];
	size_t n;
};
