/*
 * daemon/daemon.h: the subcommands of cordond: what needs libraries.
 *
 * Each is a page in src/daemon/help/ and a function cordond_NAME(); main() and the rest of
 * the command line are those of cordon.  `cordon log ...` hands over to it with the same
 * words (hand_over() in cli/cli.h).
 */
#pragma once
#include "cli/cli.h"
#include "cordond_commands.h"
