/* MUST 1 to 4 of confine/plan/plan.h: the plan of a policy, and its refusals. */
#define _GNU_SOURCE
#include "../cm.h"
#include "confine/plan/plan_internal.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct ground {
	char top[64], ws[80], extra[80], link[96], git[96];
	struct arena *a;
};

static int
set_up(void **state)
{
	struct ground *g = calloc(1, sizeof *g);

	(void)snprintf(g->top, sizeof g->top, "/var/tmp/cordon-plan-XXXXXX");
	assert_non_null(mkdtemp(g->top));
	(void)snprintf(g->ws, sizeof g->ws, "%s/ws", g->top);
	(void)snprintf(g->extra, sizeof g->extra, "%s/extra", g->top);
	(void)snprintf(g->link, sizeof g->link, "%s/ws/link", g->top);
	(void)snprintf(g->git, sizeof g->git, "%s/ws/.git", g->top);
	assert_int_equal(
	    mkdir(g->ws, 0755) | mkdir(g->extra, 0755) | mkdir(g->git, 0755), 0);
	assert_int_equal(symlink(g->extra, g->link), 0);
	g->a = arena_new(1 << 20);
	*state = g;
	return 0;
}

static int
tear_down(void **state)
{
	struct ground *g = *state;

	(void)unlink(g->link);
	(void)rmdir(g->git);
	(void)rmdir(g->ws);
	(void)rmdir(g->extra);
	(void)rmdir(g->top);
	arena_free(g->a);
	free(g);
	return 0;
}

static int
make(struct ground *g, const struct sandbox_policy *p, struct plan *plan,
    struct plan_refusal *why)
{
	struct str root = str_from_c(g->ws), git = str_from_c(g->git);
	struct plan_git repository = { root, git, git, false };
	struct plan_input in = { .policy = p,
		.roots = &root,
		.roots_n = 1,
		.cwd = root,
		.git = &repository,
		.git_n = 1 };

	return plan_make(g->a, &in, plan, why);
}

static const struct plan_mount *
find(const struct plan *plan, const char *path)
{
	const struct plan_mount *last = NULL;

	for (size_t i = 0; i < plan->mounts_n; i++)
		if (strcmp(plan->mounts[i].path, path) == 0)
			last = &plan->mounts[i];
	return last;
}

static void
test_types(void **state)
{
	struct ground *g = *state;
	struct sandbox_policy p = { .type = SANDBOX_WORKSPACE_READWRITE };
	struct plan_refusal why;
	struct plan plan;

	assert_int_equal(make(g, &p, &plan, &why), 0);
	assert_int_equal(find(&plan, g->ws)->kind, PLAN_WRITABLE);
	assert_false(plan.network);
	assert_true(plan_is_writable(&plan, str_from_c(g->git)));
	assert_int_equal(plan.fields[FIELD_TYPE].state, PLAN_ENFORCED);
	p.type = SANDBOX_WORKSPACE_READONLY;
	assert_int_equal(make(g, &p, &plan, &why), 0);
	assert_int_equal(find(&plan, g->ws)->kind, PLAN_READABLE);
	assert_int_equal(plan.writable_n, 0);
	p.type = SANDBOX_INSECURE_NONE;
	assert_int_equal(make(g, &p, &plan, &why), CORDON_EREFUSED);
}

static void
test_git(void **state)
{
	struct ground *g = *state;
	struct sandbox_policy p = { .type = SANDBOX_WORKSPACE_READWRITE,
		.block_git_writes = true };
	struct plan_refusal why;
	struct plan plan;

	assert_int_equal(make(g, &p, &plan, &why), 0);
	assert_int_equal(find(&plan, g->git)->kind, PLAN_READONLY);
	/* Most specific last. */
	assert_true(find(&plan, g->git) > find(&plan, g->ws));
}

static void
test_must_3_links(void **state)
{
	struct ground *g = *state;
	struct str paths[1] = { str_from_c(g->link) };
	struct sandbox_policy p = { .type = SANDBOX_WORKSPACE_READWRITE,
		.readwrite = { true, paths, 1 } };
	struct plan_refusal why;
	struct plan plan;

	assert_int_equal(make(g, &p, &plan, &why), CORDON_EREFUSED);
	assert_int_equal(why.field, FIELD_READWRITE);
	paths[0] = str_from_c(g->extra);
	assert_int_equal(make(g, &p, &plan, &why), 0);
	assert_int_equal(find(&plan, g->extra)->kind, PLAN_WRITABLE);
	paths[0] = STR("/nonexistent/path");
	assert_int_equal(make(g, &p, &plan, &why), 0);
	assert_int_equal(plan.notes_n, 1);
	paths[0] = STR("/");
	assert_int_equal(make(g, &p, &plan, &why), CORDON_EREFUSED);
}

static void
test_must_1_hosts(void **state)
{
	struct str host = STR("example.org");
	struct sandbox_policy p = { .type = SANDBOX_WORKSPACE_READWRITE,
		.network_allow = { true, &host, 1 } };
	struct plan_refusal why;
	struct plan plan;

	assert_int_equal(make(*state, &p, &plan, &why), 0);
	assert_true(plan.listed && !plan.network);
	assert_int_equal(plan.fields[FIELD_NETWORK_ALLOW].state, PLAN_ENFORCED);
	/* With the whole network the list is ignored. */
	p.network_access = true;
	assert_int_equal(make(*state, &p, &plan, &why), 0);
	assert_true(!plan.listed && plan.network);
	p.network_access = false;
	host = STR("0177.0.0.1");
	assert_int_equal(make(*state, &p, &plan, &why), CORDON_EREFUSED);
	assert_int_equal(why.field, FIELD_NETWORK_ALLOW);
	assert_int_equal(plan.fields[FIELD_NETWORK_ALLOW].state, PLAN_REFUSED);
}

static void
test_memory(void **state)
{
	struct ground *g = *state;
	struct sandbox_policy p = { .type = SANDBOX_WORKSPACE_READWRITE };
	struct arena *whole = g->a;

	for (size_t limit = 0; limit < 4000; limit += 100) {
		struct plan_refusal why;
		struct plan plan;
		int r;

		g->a = arena_new(limit);
		r = make(g, &p, &plan, &why);
		assert_true(r == 0 || r == CORDON_ENOMEM || r == CORDON_EREFUSED);
		arena_free(g->a);
	}
	g->a = whole;
}

/* As many mounts as a plan can have, and one more. */
static void
test_mounts(void **state)
{
	struct ground *g = *state;
	cleanup_arena struct arena *a = arena_new((size_t)64 << 20);
	struct planning p = { .a = a };
	int error = 0;

	/* Fill the table by hand: only growing costs memory. */
	assert_true(plan_add(&p, PLAN_READONLY, str_from_c(g->ws), &error));
	while (p.cap < PLAN_MOUNTS) {
		p.n = p.cap;
		assert_true(plan_add(&p, PLAN_READONLY, str_from_c(g->ws), &error));
	}
	p.n = PLAN_MOUNTS - 1;
	assert_true(plan_add(&p, PLAN_READONLY, str_from_c(g->ws), &error));
	assert_false(plan_add(&p, PLAN_READONLY, str_from_c(g->ws), &error));
	assert_int_equal(error, ENOMEM);
	assert_int_equal(p.n, PLAN_MOUNTS);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_types, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_git, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_must_3_links, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_mounts, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_must_1_hosts, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_memory, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
