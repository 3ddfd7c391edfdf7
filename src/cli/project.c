#include "cli/project.h"
#include "look/root.h"

/* On success ret->root may be missing; *reterr then has the reason. */
static int
find(const struct process *cli, struct arena *a, const struct place_opts *o,
    struct project *ret, struct err *reterr)
{
	struct root_answer roots;
	int status = place_take(cli, a, o, &ret->q);

	ret->root = (struct str){ NULL, 0 };
	if (status)
		return status;
	if (root_find(a,
		&(struct root_request){
		    .flags = ret->q.root_flags, .cwd = ret->q.cwd, .home = ret->q.home },
		&roots, reterr) == 0)
		ret->root = roots.roots[0];
	return 0;
}

int
project_find(const struct process *cli, struct arena *a, const struct place_opts *o,
    struct project *ret)
{
	return find(cli, a, o, ret, NULL);
}

int
project_need(const struct process *cli, struct arena *a, const struct place_opts *o,
    struct project *ret)
{
	struct err e = { 0 };
	int status = find(cli, a, o, ret, &e);

	if (status || ret->root.p)
		return status;
	return usage_error(cli, e.why ? e.why : "no project here:", ret->q.cwd);
}
