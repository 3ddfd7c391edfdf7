#include "base/buf.h"
#include "cli/cli.h"

/* Return the index of a subcommand, or -1. */
static int
find(struct str name)
{
	const char *known;

	for (int i = 0; (known = command_name((size_t)i)); i++)
		if (str_is(name, known))
			return i;
	return -1;
}

static int
unknown(const struct process *cli, struct str name)
{
	const char *meant = NULL;

	for (size_t i = 0; !meant && command_name(i); i++)
		if (is_near(name, str_from_c(command_name(i))))
			meant = command_name(i);
	return usage_error_near(cli, "unknown subcommand", name, meant);
}

static int
help(const struct process *cli, int argc, char **argv)
{
	struct str name = argc > 1 ? str_from_c(argv[1]) : STR("");

	if (argc > 2)
		return usage_error(
		    cli, "help takes one subcommand; unexpected", str_from_c(argv[2]));
	if (argc < 2)
		return help_print();
	if (find(name) < 0)
		return unknown(cli, name);
	return help_print_one(argv[1]);
}

static int
version(void)
{
	char mem[64];
	struct arena a;
	struct buf b;

	arena_init(&a, mem, sizeof mem);
	buf_init(&b, &a);
	buf_puts(&b, program_name());
	buf_puts(&b, " " CORDON_VERSION "\n");
	return put_out(buf_str(&b));
}

int
main(int argc, char **argv, char **envp)
{
	struct process cli = { .env = envp };
	struct str name = argc > 1 ? str_from_c(argv[1]) : STR("");
	int number;

	cli.home = process_env(&cli, "HOME");
	if (argc < 2)
		return usage_error(&cli, "no subcommand given", (struct str){ NULL, 0 });
	number = find(name);
	if (number >= 0) {
		cli.name = argv[1];
		return command_run((size_t)number, &cli, argc - 1, argv + 1);
	}
	if (str_is(name, "--version") && argc == 2)
		return version();
	if ((str_is(name, "--help") || str_is(name, "-h")) && argc == 2)
		return help(&cli, 1, argv + 1);
	if (str_is(name, "help"))
		return help(&cli, argc - 1, argv + 1);
	if (name.n && name.p[0] == '-')
		return usage_error(&cli, "unknown option", name);
	return unknown(&cli, name);
}
