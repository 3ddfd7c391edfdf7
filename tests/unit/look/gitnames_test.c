#include "../cm.h"
#include "look/git/gitnames.h"

static const struct {
	const char *path;
	enum git_name name;
	size_t dir;
} cases[] = {
	{ "HEAD", GIT_FREE, 0 },
	{ "HEAD.lock", GIT_FREE, 0 },
	{ "MERGE_MSG", GIT_FREE, 0 },
	{ "COMMIT_EDITMSG~", GIT_FREE, 0 },
	{ ".COMMIT_EDITMSG.swp", GIT_FREE, 0 },
	{ "sedAbCdEf", GIT_FREE, 0 },
	{ "index.lock", GIT_FREE, 0 },
	{ "sharedindex.12", GIT_FREE, 0 },
	{ "sharedindex.12/x", GIT_OTHER, 0 },
	{ "packed-refs.new", GIT_FREE, 0 },
	{ "objects/aa/bb", GIT_FREE, 0 },
	{ "objects/pack/tmp_pack_x", GIT_FREE, 0 },
	{ "objects/info/commit-graphs/x", GIT_FREE, 0 },
	{ "objects/info/packs", GIT_FREE, 0 },
	{ "objects/info/alternates", GIT_CODE, 0 },
	{ "Objects/Info/Alternates", GIT_CODE, 0 },
	{ "objects/info", GIT_PART, 0 },
	{ "objects", GIT_PART, 0 },
	{ "info", GIT_PART, 0 },
	{ "info/exclude", GIT_FREE, 0 },
	{ "info/refs_x8EI8M", GIT_FREE, 0 },
	{ "info/sparse-checkout.lock", GIT_FREE, 0 },
	{ "info/attributes", GIT_CODE, 0 },
	{ "info/other", GIT_OTHER, 0 },
	{ "refs/heads/config", GIT_FREE, 0 },
	{ "logs/refs/heads/x", GIT_FREE, 0 },
	{ "hooks", GIT_CODE, 0 },
	{ "hooks/pre-commit", GIT_CODE, 0 },
	{ "branches/x", GIT_CODE, 0 },
	{ "remotes/x", GIT_CODE, 0 },
	{ "commondir", GIT_CODE, 0 },
	{ "gitdir", GIT_BACKLINK, 0 },
	{ "config", GIT_CONFIG, 0 },
	{ "config/x", GIT_CODE, 0 },
	{ "config.lock", GIT_LOCK, 0 },
	{ "config.worktree", GIT_CONFIG, 0 },
	{ "config.new", GIT_CODE, 0 },
	{ "foo", GIT_OTHER, 0 },
	{ "head", GIT_OTHER, 0 },
	{ "rebase-merge", GIT_PART, 0 },
	{ "rebase-merge/done", GIT_FREE, 0 },
	{ "rebase-merge/git-rebase-todo", GIT_TODO, 0 },
	{ "rebase-merge/git-rebase-todo.lock", GIT_TODO, 0 },
	{ "rebase-merge/git-rebase-todo.backup", GIT_TODO, 0 },
	{ "worktrees", GIT_PART, 0 },
	{ "worktrees/w", GIT_PART, 0 },
	{ "worktrees/w/HEAD", GIT_FREE, 11 },
	{ "worktrees/w/gitdir", GIT_BACKLINK, 11 },
	{ "worktrees/w/foo", GIT_OTHER, 11 },
	{ "modules", GIT_PART, 0 },
	{ "modules/a", GIT_PART, 0 },
	{ "modules/a/b/config", GIT_CONFIG, 11 },
	{ "modules/a/HEAD", GIT_FREE, 9 },
	{ "modules/a/objects", GIT_PART, 0 },
	{ "modules/a/modules/b/hooks/x", GIT_CODE, 19 },
	{ "worktrees/w/modules/s/hooks/x", GIT_CODE, 21 },
};

static void
test_names(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		size_t dir;
		enum git_name name = git_name(str_from_c(cases[i].path), &dir);

		if (name != cases[i].name || dir != cases[i].dir)
			fail_msg("%s: %d in %zu", cases[i].path, (int)name, dir);
		if ((name == GIT_FREE) != (git_name_why(name) == NULL))
			fail_msg("%s has no reason", cases[i].path);
	}
}

static void
test_links(void **state)
{
	(void)state;
	assert_true(git_name_is_linked(STR("objects/aa/bb")));
	assert_true(git_name_is_linked(STR("modules/s/objects/pack/x")));
	assert_true(git_name_is_linked(STR("lfs/objects/x")));
	assert_false(git_name_is_linked(STR("objects")));
	assert_false(git_name_is_linked(STR("objects/aa")));
	assert_false(git_name_is_linked(STR("objects/info/packs")));
	assert_false(git_name_is_linked(STR("logs/HEAD")));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_links),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
