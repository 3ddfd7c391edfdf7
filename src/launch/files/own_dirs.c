#include "launch/files/own_dirs.h"
#include "approve/spool.h"
#include "gate/rules/layers.h"
#include "look/resolve.h"

#define STORES 3
#define STATE 2 /* index of DIR_STATE */
#define PLACES (STORES + SPOOL_PLACES)

bool
own_dirs_find(
    struct arena *a, const struct process *cli, struct str home, struct plan_input *ret)
{
	struct str runtime = process_env(cli, "XDG_RUNTIME_DIR");
	const char *names[PLACES] = { own_dir(a, cli, home, DIR_CONFIG, STR("")),
		own_dir(a, cli, home, DIR_CACHE, STR("")),
		own_dir(a, cli, home, DIR_STATE, STR("")) };
	struct str *v = arena_array(a, PLACES, sizeof *v);
	char *spools = arena_alloc(a, (size_t)SPOOL_PLACES * SPOOL_PATH);
	struct resolved to;

	if (!v || !spools)
		return false;
	for (unsigned i = 0; i < SPOOL_PLACES; i++, spools += SPOOL_PATH)
		if (spool_place(runtime, (enum spool_place)i, spools))
			names[STORES + i] = spools;
	ret->own = v;
	ret->own_n = 0;
	for (size_t i = 0; i < PLACES; i++) {
		if (!names[i])
			continue;
		if (look_resolve(a, str_from_c(names[i]), 0, NULL, &to, NULL))
			return false;
		if (to.real.p)
			v[ret->own_n++] = to.real;
		if (i == STATE)
			ret->state = to.real;
	}
	return true;
}
