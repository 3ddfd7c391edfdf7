#include "gate/place.h"
#include <unistd.h>

struct str
place_agent_session(
    struct arena *a, const struct process *cli, struct str home, struct str agent)
{
	const char *dir =
	    agent.n ? own_dir(a, cli, home, DIR_STATE, STR("/sessions/")) : NULL;
	size_t colon = agent.n ? str_find(agent, ':') : 0;
	struct str none = { NULL, 0 }, name;
	const char *path;
	struct buf b;

	if (!dir || colon == agent.n)
		return none;
	buf_init(&b, a);
	buf_put(&b, str_cut(agent, 0, colon));
	buf_putc(&b, '-');
	buf_put(&b, str_skip(agent, colon + 1));
	name = buf_str(&b);
	if (b.full || !session_is_name(name))
		return none;
	path = STORE_NAME(a, str_from_c(dir), name, STR(".rules"));
	return path && access(path, F_OK) == 0 ? name : none;
}
