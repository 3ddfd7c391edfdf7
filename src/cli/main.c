#include "cli/cli.h"

static const struct cmd_entry cmds[] = {
	{ "analyse", "[--json] [--batch] [--cwd DIR] [--home DIR] [--] 'COMMAND'",
	    "List every command, file and directory that the shell command could use.",
	    "  --json      one JSON object on one line\n"
	    "  --batch     read JSON objects "
	    "{\"id\":...,\"command\":\"...\",\"cwd\":\"...\"}, one a line,\n"
	    "              from standard input; answer each with a line (implies --json)\n"
	    "  --cwd DIR   where the command would start (default: here)\n"
	    "  --home DIR  what ~ stands for (default: $HOME)\n"
	    "\nNo file is looked at and nothing is run.  What cannot be known is listed "
	    "as\n"
	    "unknown.  Exit status 1: the text is not valid bash, or beyond a limit.\n",
	    "  cordon analyse 'cd build && make 2>&1 | tail -5'\n"
	    "  cordon analyse --json -- 'git status; rm -rf \"$DIR\"'\n",
	    cmd_analyse },
	{ "parse", "[--tree|--json] [--] 'COMMAND'",
	    "Print the syntax tree of the shell command.",
	    "  --tree      indented text (default)\n"
	    "  --json      one line of JSON; its form may change\n"
	    "\nExit status 1: the text is not valid bash, or beyond a limit.\n",
	    "  cordon parse 'for f in *.c; do wc -l \"$f\"; done'\n", cmd_parse },
};

#define CMDS (sizeof cmds / sizeof *cmds)

static const struct cmd_entry *
find_cmd(struct str name)
{
	for (size_t i = 0; i < CMDS; i++)
		if (str_is(name, cmds[i].name))
			return &cmds[i];
	return NULL;
}

static int
help(const struct cli *cli, int argc, char **argv)
{
	const struct cmd_entry *cmd;

	if (argc > 2)
		return usage_error(
		    cli, "help takes one subcommand, not also", str_from_c(argv[2]));
	if (argc < 2)
		return help_print(cmds, CMDS);
	cmd = find_cmd(str_from_c(argv[1]));
	if (!cmd)
		return usage_error(cli, "unknown subcommand", str_from_c(argv[1]));
	return help_print_one(cmd);
}

/* Not getenv: the value is wanted once, and with its length. */
static struct str
find_env(char **envp, struct str name_equals)
{
	for (; envp && *envp; envp++) {
		struct str line = str_from_c(*envp);

		if (str_starts(line, name_equals))
			return str_skip(line, name_equals.n);
	}
	return (struct str){ NULL, 0 };
}

int
main(int argc, char **argv, char **envp)
{
	struct cli cli = { .home = find_env(envp, STR("HOME=")) };
	struct str name = argc > 1 ? str_from_c(argv[1]) : STR("");

	if (argc < 2)
		return usage_error(&cli, "no subcommand given", (struct str){ NULL, 0 });
	cli.cmd = find_cmd(name);
	if (cli.cmd)
		return cli.cmd->exec(&cli, argc - 1, argv + 1);
	if (str_is(name, "--version") && argc == 2)
		return put_out(STR("cordon " CORDON_VERSION "\n"));
	if ((str_is(name, "--help") || str_is(name, "-h")) && argc == 2)
		return help(&cli, 1, argv + 1);
	if (str_is(name, "help"))
		return help(&cli, argc - 1, argv + 1);
	if (name.n && name.p[0] == '-')
		return usage_error(&cli, "unknown option", name);
	return usage_error(&cli, "unknown subcommand", name);
}
