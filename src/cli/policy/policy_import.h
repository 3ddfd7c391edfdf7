/* cli/policy/policy_import.h: `cordon policy import`. */
#pragma once
#include "cli/cli.h"

/* `argv` starts with "import". */
int policy_import(const struct process *cli, int argc, char **argv);
