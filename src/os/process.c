#include "os/process.h"
#include <string.h>

struct str
process_env(const struct process *cli, const char *name)
{
	size_t n = strlen(name);

	for (char **e = cli->env; e && *e; e++)
		if (strncmp(*e, name, n) == 0 && (*e)[n] == '=')
			return str_from_c(*e + n + 1);
	return (struct str){ NULL, 0 };
}
