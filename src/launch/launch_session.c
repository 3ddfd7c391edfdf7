#include "launch/launch_session.h"
#include "os/file.h"
#include "run/session/prejoin.h"
#include <unistd.h>

#define NAME_LENGTH 128

static const char *
joined(struct arena *a, struct str first, const char *second)
{
	struct buf b;

	buf_init(&b, a);
	buf_put(&b, first);
	buf_puts(&b, second);
	return b.full ? NULL : str_to_path(a, buf_str(&b));
}

/* Return the directory of session state: $XDG_RUNTIME_DIR/cordon, else below
 * $XDG_STATE_HOME or ~/.local/state; NULL: none. */
static const char *
run_state_dir(struct arena *a, const struct process *cli)
{
	struct str runtime = process_env(cli, "XDG_RUNTIME_DIR");
	struct str state = process_env(cli, "XDG_STATE_HOME"),
		   home = process_env(cli, "HOME");
	const char *dir;

	if (runtime.n && runtime.p[0] == '/' && (dir = joined(a, runtime, "")) &&
	    access(dir, W_OK) == 0)
		return joined(a, runtime, "/cordon");
	if (state.n && state.p[0] == '/')
		return joined(a, state, "/cordon");
	return home.n && home.p[0] == '/' ? joined(a, home, "/.local/state/cordon") : NULL;
}

/* Turn AGENT:ID into a file name. */
static struct str
agent_name(struct arena *a, struct str agent)
{
	char *name = arena_alloc(a, agent.n);

	for (size_t i = 0; name && i < agent.n; i++) {
		char c = agent.p[i];
		bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			     (c >= '0' && c <= '9') || c == '_';

		name[i] = plain ? c : '-';
	}
	return str_of(name, name ? agent.n : 0);
}

bool
launch_session_place(struct arena *a, const struct process *cli, const struct place_opts *o,
    struct session_ref *ret)
{
	struct str name = o->session;

	if (!name.p && o->agent.p)
		name = agent_name(a, o->agent);
	if (!name.p || name.n == 0 || name.n > NAME_LENGTH || str_find(name, '/') < name.n)
		return false;
	*ret = (struct session_ref){ .dir = run_state_dir(a, cli), .name = name };
	return ret->dir != NULL;
}

bool
launch_session_roots(struct arena *a, const struct process *cli, const struct place_opts *o,
    const struct prejoin *prejoin, const struct root_answer *implied, struct look_list *ret)
{
	struct session_ref place;
	struct str *roots;
	size_t n, same = 0;

	if (o->roots.n || !launch_session_place(a, cli, o, &place) ||
	    !(n = prejoin ? prejoin_roots(a, prejoin, &roots)
			  : session_roots(a, &place, &roots)))
		return false;
	while (same < n && same < implied->n && str_eq(roots[same], implied->roots[same]))
		same++;
	*ret = (struct look_list){ roots, n };
	return same < n || same < implied->n;
}
