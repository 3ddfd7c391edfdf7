/* os/process.h: what a program is given by the process that started it. */
#pragma once
#include "base/str.h"
#include <stddef.h>

/* Exit statuses that other programs may rely on. */
enum {
	EXIT_OK = 0,
	EXIT_NOT_OK = 1,
	EXIT_CONFINE = 10,
	EXIT_ASK = 11,
	EXIT_DENY = 12,
	EXIT_USAGE = 64,
	EXIT_POLICY = 65, /* a rules file is broken, or cannot be trusted */
	EXIT_INTERNAL = 70,
};

/* Taken once by main(); no other file reads the environment. */
struct process {
	struct str home;  /* $HOME; .p is NULL when it is not set */
	const char *name; /* the subcommand; NULL: none yet */
	char **env;
};

/* The value of a variable; .p is NULL when it is not set. */
struct str process_env(const struct process *process, const char *name);

/* The values of an option that may be given several times. */
#define OPT_VALUES 32
struct opt_values {
	struct str v[OPT_VALUES];
	size_t n;
};
