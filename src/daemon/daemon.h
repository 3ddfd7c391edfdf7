/*
 * daemon/daemon.h: the subcommands of cordond, which need libraries.
 *
 * Each has a page in src/daemon/help/ and a function cordond_NAME(); main() and option
 * parsing are those of cordon.  `cordon log ...` execs it with the same arguments
 * (hand_over() in cli/cli.h).
 */
#pragma once
#include "cli/cli.h"
#include "cordond_commands.h"
