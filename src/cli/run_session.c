#include "cli/run_session.h"
#include "look/file.h"
#include <unistd.h>

static const char *
joined(struct arena *a, struct str first, const char *second)
{
	struct buf b;

	buf_init(&b, a);
	buf_put(&b, first);
	buf_puts(&b, second);
	return b.full ? NULL : str_to_path(a, buf_str(&b));
}

const char *
run_state_dir(struct arena *a, const struct cli *cli)
{
	struct str runtime = cli_env(cli, "XDG_RUNTIME_DIR");
	struct str state = cli_env(cli, "XDG_STATE_HOME"), home = cli_env(cli, "HOME");
	const char *dir;

	if (runtime.n && runtime.p[0] == '/' && (dir = joined(a, runtime, "")) &&
	    access(dir, W_OK) == 0)
		return joined(a, runtime, "/cordon");
	if (state.n && state.p[0] == '/')
		return joined(a, state, "/cordon");
	return home.n && home.p[0] == '/' ? joined(a, home, "/.local/state/cordon") : NULL;
}

bool
run_session_place(
    struct arena *a, const struct cli *cli, struct str session, struct session_place *ret)
{
	if (!session.p || session.n == 0 || str_find(session, '/') < session.n)
		return false;
	*ret = (struct session_place){ .dir = run_state_dir(a, cli), .name = session };
	return ret->dir != NULL;
}
