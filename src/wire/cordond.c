/* cordond: the part of cordon that needs libraries.  So far it converts policies. */
#include "base/str.h"
#include "wire/sandbox_wire.h"
#include <unistd.h>

#define EXIT_USAGE 64

static void
say(int fd, struct str text)
{
	while (text.n) {
		ssize_t n = write(fd, text.p, text.n);

		if (n <= 0)
			return;
		text = str_skip(text, (size_t)n);
	}
}

int
main(int argc, char **argv)
{
	static const struct str usage = STR_INIT(
	    "usage: cordond policy convert --to json|wire <FILE\n"
	    "SandboxPolicy between JSON and protobuf, from standard input to output.\n");

	if (argc == 2 && str_is(str_from_c(argv[1]), "--help")) {
		say(STDOUT_FILENO, usage);
		return 0;
	}
	if (argc == 2 && str_is(str_from_c(argv[1]), "--version")) {
		say(STDOUT_FILENO, STR("cordond " CORDON_VERSION "\n"));
		return 0;
	}
	if (argc < 3 || !str_is(str_from_c(argv[1]), "policy") ||
	    !str_is(str_from_c(argv[2]), "convert")) {
		say(STDERR_FILENO, usage);
		return EXIT_USAGE;
	}
	return cordond_policy_convert(argc - 3, argv + 3);
}
