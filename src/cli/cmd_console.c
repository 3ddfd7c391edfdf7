#include "cli/cli.h"

/* The console needs a server with libraries, so cordond provides it. */
int
cmd_console(const struct process *cli, int argc, char **argv)
{
	if (argc == 2 &&
	    (str_is(str_from_c(argv[1]), "--help") || str_is(str_from_c(argv[1]), "-h")))
		return help_print_one(cli->name);
	return hand_over(cli, argc, argv);
}
