#include "agents/setup/adapters.h"

/* Generated from adapters/ by tools/embed.py. */
struct str adapter_pi(void);
struct str adapter_opencode(void);

/* Drop the first line, which names the program; `install` writes another one. */
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
