/* Subcommands that need libraries are in cordond: exec it with the same arguments. */
#include "base/limits.h"
#include "cli/cli.h"
#include <errno.h>
#include <unistd.h>

/* Possible paths of cordond, relative to the directory of cordon. */
static const char places[] = "/cordond\0"
			     "/../libexec/cordon/cordond\0"
			     "/../lib/cordon/cordond\0";

#define HANDOVER_WORDS 256

/* Length of the directory of this program; 0: unknown. */
static size_t
own_directory(char path[static LIMIT_PATH])
{
	ssize_t n = readlink("/proc/self/exe", path, LIMIT_PATH);
	size_t slash;

	if (n <= 0 || n >= (ssize_t)LIMIT_PATH || path[0] != '/')
		return 0;
	slash = str_rfind(str_of(path, (size_t)n), '/');
	return slash;
}

int
hand_over(const struct process *cli, int argc, char **argv)
{
	char path[LIMIT_PATH], name[] = "cordond";
	char *words[HANDOVER_WORDS + 2];
	size_t n = own_directory(path), at;
	int error = ENOENT;

	if (argc > HANDOVER_WORDS)
		return usage_error(cli, "too many arguments", (struct str){ NULL, 0 });
	words[0] = name;
	for (int i = 0; i < argc; i++)
		words[i + 1] = argv[i];
	words[argc + 1] = NULL;
	for (const char *p = places; n && *p; p += at + 1) {
		at = strlen(p);
		if (n + at >= sizeof path)
			continue;
		memcpy(path + n, p, at + 1);
		(void)execve(path, words, cli->env);
		if (errno != ENOENT && errno != ENOTDIR)
			error = errno;
	}
	return internal_error(
	    error == ENOENT ? "this needs cordond, which is not installed beside cordon"
			    : "cordond cannot be started",
	    error == ENOENT ? 0 : error);
}
