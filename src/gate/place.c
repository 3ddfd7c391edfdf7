#include "gate/place.h"
#include "base/limits.h"
#include "base/path.h"
#include <unistd.h>

struct str
place_here(struct arena *a)
{
	/* On the stack: in the arena the unused rest would cost a page. */
	char mem[LIMIT_PATH];

	if (!getcwd(mem, sizeof mem) || mem[0] != '/')
		return (struct str){ NULL, 0 };
	return arena_copy(a, str_from_c(mem));
}

bool
place_mode_read(struct str name, enum mode *ret)
{
	for (enum mode m = MODE_ASK_EVERY_TIME; m <= MODE_RUN_EVERYTHING; m++)
		if (str_is(name, mode_name(m))) {
			*ret = m;
			return true;
		}
	return false;
}

/* Make `path` absolute, relative to the current directory. */
static bool
absolute(struct arena *a, struct str real, struct str *path)
{
	return path_normal(a, real, *path, path, NULL) == 0;
}

static bool
take_dirs(
    struct arena *a, struct str real, const struct opt_values *from, struct look_list *ret)
{
	struct str *v = arena_array(a, from->n, sizeof *v);

	for (size_t i = 0; v && i < from->n; i++) {
		v[i] = from->v[i];
		if (!absolute(a, real, &v[i]))
			return false;
	}
	*ret = (struct look_list){ v, from->n };
	return v != NULL;
}

void
place_environment(const struct process *cli, struct judge_request *ret)
{
	static const char names[][22] = { "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM",
		"GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG" };

	ret->search = process_env(cli, "PATH");
	ret->config = process_env(cli, "XDG_CONFIG_HOME");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		ret->git_elsewhere |= process_env(cli, names[i]).n > 0;
}

int
place_take(const struct process *cli, struct arena *a, const struct place_opts *o,
    struct judge_request *ret)
{
	struct str real = place_here(a), home = o->home.p ? o->home : cli->home;
	struct str *roots = arena_array(a, o->roots.n, sizeof *roots);

	*ret = (struct judge_request){ .policy = o->policy, .session = o->session };
	if (!roots)
		return internal_error("no memory", 0);
	ret->cwd = o->cwd.p ? o->cwd : real;
	if (o->cwd.p && !absolute(a, real, &ret->cwd))
		return usage_error(cli, "not a valid directory name:", o->cwd);
	if (o->home.p && (o->home.n == 0 || o->home.p[0] != '/'))
		return usage_error(cli, "--home must be an absolute path, not", o->home);
	/* Ignore a relative $HOME: it would name a different directory in each process. */
	if (home.n && home.p[0] == '/')
		ret->home = home;
	for (size_t i = 0; i < o->roots.n; i++) {
		roots[i] = o->roots.v[i];
		if (!absolute(a, real, &roots[i]))
			return usage_error(
			    cli, "not a valid directory name:", o->roots.v[i]);
	}
	ret->root_flags = (struct look_list){ roots, o->roots.n };
	if (!take_dirs(a, real, &o->projects, &ret->projects))
		return usage_error(cli, "not a valid directory name:", o->projects.v[0]);
	ret->untrusted = o->untrusted;
	ret->root_variable = process_env(cli, "WORKTREE_SANDBOX_PATH");
	place_environment(cli, ret);
	if (o->mode.p && !place_mode_read(o->mode, &ret->mode))
		return usage_error(cli,
		    "--mode must be ask_every_time, use_allowlist or run_everything, not",
		    o->mode);
	ret->has_mode = o->mode.p != NULL;
	return 0;
}
