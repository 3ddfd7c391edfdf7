#include "cordond/cordond.h"
#include "wire/sandbox_wire.h"

int
cordond_policy(const struct cli *cli, int argc, char **argv)
{
	struct str verb = argc > 1 ? str_from_c(argv[1]) : (struct str){ NULL, 0 };

	if (str_is(verb, "--help") || str_is(verb, "-h"))
		return help_print_one(cli->name);
	if (!str_is(verb, "convert"))
		return usage_error(cli, "convert is expected, not", verb);
	return cordond_policy_convert(argc - 2, argv + 2);
}
