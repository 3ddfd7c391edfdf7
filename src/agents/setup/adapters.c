#include "agents/setup/adapters.h"

/* Made from adapters/ by tools/embed.py. */
struct str adapter_pi(void);
struct str adapter_opencode(void);

/* The first line names the program; install writes its own. */
static struct str
without_first_line(struct str text)
{
	return str_skip(text, str_find(text, '\n') + 1);
}

struct str
setup_adapter(enum agent agent)
{
	if (agent == AGENT_PI)
		return without_first_line(adapter_pi());
	if (agent == AGENT_OPENCODE)
		return without_first_line(adapter_opencode());
	return (struct str){ NULL, 0 };
}
