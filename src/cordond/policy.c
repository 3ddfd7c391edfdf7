#include "cordond/cordond.h"
#include "wire/sandbox_wire.h"

static const struct str none = { NULL, 0 };

static int
convert(const struct cli *cli, int argc, char **argv)
{
	struct str to = none;
	const struct opt opts[] = { { "--to", NULL, &to } };
	struct opts_result got =
	    opts_read(cli, argc, argv, opts, sizeof opts / sizeof *opts);

	if (got.done)
		return got.status;
	if (got.operand < argc)
		return usage_error(cli, "convert reads standard input, not",
		    str_from_c(argv[got.operand]));
	if (!to.p)
		return usage_error(cli, "to what? --to json or --to wire", none);
	if (!str_is(to, "json") && !str_is(to, "wire"))
		return usage_error(cli, "--to is json or wire, not", to);
	return cordond_policy_convert(str_is(to, "json"));
}

int
cordond_policy(const struct cli *cli, int argc, char **argv)
{
	struct str verb = argc > 1 ? str_from_c(argv[1]) : none;

	if (str_is(verb, "--help") || str_is(verb, "-h"))
		return help_print_one(cli->name);
	if (!str_is(verb, "convert"))
		return usage_error(cli, "convert is expected, not", verb);
	return convert(cli, argc - 1, argv + 1);
}
