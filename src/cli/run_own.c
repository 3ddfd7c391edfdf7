#include "cli/run_own.h"
#include "cli/layers.h"
#include "look/resolve.h"

#define PLACES 4

bool
run_own(struct arena *a, const struct cli *cli, struct str home, struct run_answer *ret)
{
	struct str runtime = cli_env(cli, "XDG_RUNTIME_DIR");
	const char *names[PLACES] = { own_dir(a, cli, home, DIR_CONFIG, STR("")),
		own_dir(a, cli, home, DIR_CACHE, STR("")),
		own_dir(a, cli, home, DIR_STATE, STR("")), NULL };
	struct str *v = arena_array(a, PLACES, sizeof *v);
	struct resolved to;

	if (!v)
		return false;
	if (runtime.n && runtime.p[0] == '/')
		names[PLACES - 1] = STORE_NAME(a, runtime, STR("/cordon"));
	ret->own = v;
	ret->own_n = 0;
	for (size_t i = 0; i < PLACES; i++) {
		if (!names[i])
			continue;
		if (resolve(a, str_from_c(names[i]), 0, NULL, &to, NULL))
			return false;
		if (to.real.p)
			v[ret->own_n++] = to.real;
	}
	return true;
}
