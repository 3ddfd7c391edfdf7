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
	{ "check", "[--json] [--batch [--summary]] [--as DIALECT] [OPTIONS] [--] 'COMMAND'",
	    "Decide whether the shell command may run: allow, confine, ask or deny.",
	    "  --json          one JSON object on one line\n"
	    "  --batch         read JSON objects "
	    "{\"id\":...,\"command\":\"...\"}, one a line, from standard\n"
	    "                  input; answer each with a line (implies --json)\n"
	    "  --summary       end a batch with {\"allowed\":[ids],\"denied\":[ids]}\n"
	    "  --as DIALECT    cordon, or an origin system's own answer: gemini, cursor\n"
	    "  --trace         every step, for a person\n"
	    "  --mode MODE     ask_every_time, use_allowlist or run_everything\n"
	    "  --session S     the rules of a session, by its name or file\n"
	    "  --policy FILE   these rules instead of all layers below the "
	    "administrator's\n"
	    "  --root DIR      a root of the workspace; may be given several times\n"
	    "                  (default: the git worktree of the directory)\n"
	    "  --cwd DIR       where the command would start (default: here)\n"
	    "  --home DIR      what ~ stands for (default: $HOME)\n"
	    "  --headless      nobody can be asked: what would be asked is denied\n"
	    "  --allowed-tools LIST, --exclude LIST   for --as gemini\n"
	    "\nNothing is run.  Exit status: 0 allow, 10 confine, 11 ask, 12 deny.\n",
	    "  cordon check 'git status && make test'\n"
	    "  cordon check --json -- 'rm -rf \"$DIR\"'\n",
	    cmd_check },
	{ "explain", "[--json] [OPTIONS] [--] 'COMMAND'",
	    "Show what decides about the shell command, and what would change that.",
	    "  --json          the answer of check, with the trace of every gate\n"
	    "  --mode, --session, --policy, --root, --cwd, --home, --headless   as for "
	    "check\n"
	    "\nNothing is run.  Exit status: 0 allow, 10 confine, 11 ask, 12 deny.\n",
	    "  cordon explain 'cd build && make 2>&1 | tail -5'\n", cmd_explain },
	{ "parse", "[--tree|--json] [--] 'COMMAND'",
	    "Print the syntax tree of the shell command.",
	    "  --tree      indented text (default)\n"
	    "  --json      one line of JSON; its form may change\n"
	    "\nExit status 1: the text is not valid bash, or beyond a limit.\n",
	    "  cordon parse 'for f in *.c; do wc -l \"$f\"; done'\n", cmd_parse },
	{ "policy", "show|lint|test|merge [--json] [OPTIONS] [FILE...]",
	    "Show the rules that count, look for mistakes in them, run their tests.",
	    "  show            the effective policy, with where each line comes from\n"
	    "  lint            rules that are dead, shadowed, contradictory or too wide\n"
	    "  test            run all test lines\n"
	    "  merge FILE...   several files as one, on standard output\n"
	    "  --json          for programs\n"
	    "  --session, --policy, --root, --cwd, --home   as for check\n"
	    "\nExit status: 0 nothing was found, 1 something was, 65 a file is broken.\n",
	    "  cordon policy show\n"
	    "  cordon policy lint --policy .cordon/rules\n",
	    cmd_policy },
	{ "session", "new|allow|list|end [OPTIONS] [NAME] [COMMAND]",
	    "Keep a list of what is allowed for one session only.",
	    "  new [NAME]      begin one; prints its name\n"
	    "  allow NAME CMD  allow a command in it\n"
	    "  list [NAME]     all sessions, or what one allows\n"
	    "  end NAME        forget it\n"
	    "  --for TIME      new: how long it lasts: 30m, 8h (default), 7d\n"
	    "  --tool T        allow, list: for this tool of the agent's\n"
	    "  --json          list: for programs\n",
	    "  cordon session new work\n"
	    "  cordon session allow work 'npm test'\n"
	    "  cordon check --session work 'npm test'\n",
	    cmd_session },
	{ "log", "tail|verify [OPTIONS] [FILE]",
	    "Show the journal's last records, or prove that nothing in it was changed.",
	    "  tail            the last records: -n N, --verdict, --session, --kind\n"
	    "  verify [FILE]   every record and the chain between them; --head "
	    "SEQUENCE:HASH\n"
	    "  --dir DIR       where the journal is ($XDG_STATE_HOME/cordon)\n"
	    "  --json          for programs\n"
	    "\nExit status: 0 all is well, 1 something was found.\n",
	    "  cordon log tail -n 20\n"
	    "  cordon log verify\n",
	    cmd_log },
	{ "trust", "[DIR]",
	    "Let the project's .cordon/rules loosen, too, as long as it does not change.",
	    "The file's SHA-256 is recorded; any change of the file ends the trust.\n",
	    "  cordon trust .\n", cmd_trust },
	{ "untrust", "[DIR]", "Take the trust in a project back.",
	    "Its rules then only tighten, as those of any project.\n",
	    "  cordon untrust .\n", cmd_untrust },
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

/* Not getenv: what a subcommand sees of its process is what it was handed. */
struct str
cli_env(const struct cli *cli, const char *name)
{
	size_t n = strlen(name);

	for (char **e = cli->env; e && *e; e++)
		if (strncmp(*e, name, n) == 0 && (*e)[n] == '=')
			return str_from_c(*e + n + 1);
	return (struct str){ NULL, 0 };
}

int
main(int argc, char **argv, char **envp)
{
	struct cli cli = { .env = envp };
	struct str name = argc > 1 ? str_from_c(argv[1]) : STR("");

	cli.home = cli_env(&cli, "HOME");
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
