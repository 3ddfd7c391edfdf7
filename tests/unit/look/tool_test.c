/* Seed 004's table of path rewriting, and what our file tools refuse besides (4.3, 4.4). */
#include "look/tool.h"
#include "scratch.h"

static struct tool_fact
ask_how(const struct scratch *s, enum tool tool, struct str path, bool rewrite,
    const struct look_opts *o)
{
	struct tool_fact t = { 0 };
	struct err e = { 0 };

	assert_int_equal(tool_path(s->a, tool, path, rewrite, o, &t, &e), 0);
	assert_true((t.problem == TOOL_FINE) == (t.why == NULL));
	return t;
}

static struct tool_fact
ask(const struct scratch *s, enum tool tool, const char *path)
{
	struct look_opts o = opts(s);

	return ask_how(s, tool, str_from_c(path), true, &o);
}

static void
seed_4_4_relative_is_rewritten(void **state)
{
	const struct scratch *s = *state;
	static const enum tool tools[] = { TOOL_READ, TOOL_WRITE, TOOL_EDIT };

	for (size_t i = 0; i < COUNT(tools); i++) {
		struct tool_fact t = ask(s, tools[i], "relative/path.ts");

		assert_int_equal(t.problem, TOOL_FINE);
		assert_true(t.rewritten);
		assert_str(t.path, at_str(s, "w/relative/path.ts"));
	}
	assert_str(ask(s, TOOL_READ, "./sub//f").path, at_str(s, "w/sub/f"));
}

static void
seed_4_4_absolute_within_passes_unchanged(void **state)
{
	const struct scratch *s = *state;
	static const char *const paths[] = { "w/a", "w/sub/f", "w/new", "w/sub/../a",
		"w//a" };

	for (size_t i = 0; i < COUNT(paths); i++) {
		struct tool_fact t = ask(s, TOOL_EDIT, at(s, paths[i]));

		assert_int_equal(t.problem, TOOL_FINE);
		assert_false(t.rewritten);
		assert_str(t.path, at_str(s, paths[i]));
	}
}

static void
seed_4_4_absolute_outside_is_blocked(void **state)
{
	const struct scratch *s = *state;

	for (int i = 0; i < TOOLS; i++) {
		assert_int_equal(
		    ask(s, (enum tool)i, "/absolute/outside").problem, TOOL_OUTSIDE);
		assert_int_equal(
		    ask(s, (enum tool)i, at(s, "out/v")).problem, TOOL_OUTSIDE);
		assert_int_equal(ask(s, (enum tool)i, at(s, "w2")).problem, TOOL_OUTSIDE);
	}
}

static void
seed_4_4_traversal_is_blocked(void **state)
{
	const struct scratch *s = *state;
	static const char *const paths[] = { "../../outside", "..", "sub/../../out/v",
		"../out/v", "sub/../../w2/x", "./../out" };

	for (size_t i = 0; i < COUNT(paths); i++)
		assert_int_not_equal(ask(s, TOOL_WRITE, paths[i]).problem, TOOL_FINE);
	assert_int_equal(ask(s, TOOL_WRITE, "sub/../a").problem, TOOL_FINE);
	assert_int_equal(ask(s, TOOL_WRITE, "nope/../a").problem, TOOL_UNKNOWN);
}

static void
seed_4_4_directory_read_is_blocked_with_hint(void **state)
{
	const struct scratch *s = *state;
	struct tool_fact t = ask(s, TOOL_READ, "sub");

	assert_int_equal(t.problem, TOOL_DIRECTORY);
	assert_non_null(strstr(t.hint, "list"));
	assert_int_equal(ask(s, TOOL_READ, at(s, "w")).problem, TOOL_DIRECTORY);
	assert_int_equal(ask(s, TOOL_READ, "sub/").problem, TOOL_DIRECTORY);
	assert_int_equal(ask(s, TOOL_LIST, "sub").problem, TOOL_FINE);
	assert_int_equal(ask(s, TOOL_GREP, "sub").problem, TOOL_FINE);
	assert_int_equal(ask(s, TOOL_GLOB, ".").problem, TOOL_FINE);
}

static void
seed_4_4_empty_path_and_variable_are_refused(void **state)
{
	const struct scratch *s = *state;
	static const char *const variables[] = { "$UNSET_VAR", "$HOME/x", "${X}/y", "~",
		"~/x", "~root/x" };
	struct look_opts o = opts(s);

	assert_int_equal(ask(s, TOOL_READ, "").problem, TOOL_EMPTY);
	assert_int_equal(ask_how(s, TOOL_READ, STR("a\0b"), true, &o).problem, TOOL_EMPTY);
	for (size_t i = 0; i < COUNT(variables); i++)
		assert_int_equal(ask(s, TOOL_WRITE, variables[i]).problem, TOOL_VARIABLE);
	/* Names that only look like variables are names. */
	assert_int_equal(ask(s, TOOL_WRITE, "routes/$id.tsx").problem, TOOL_FINE);
	assert_int_equal(ask(s, TOOL_WRITE, "$id.tsx").problem, TOOL_FINE);
}

static void
seed_4_3_mode_gate(void **state)
{
	const struct scratch *s = *state;
	struct look_opts o = opts(s);
	struct tool_fact t = ask_how(s, TOOL_READ, STR("sub"), false, &o);

	/* print and json: not rewritten, no directory looked at ... */
	assert_int_equal(t.problem, TOOL_FINE);
	assert_str(t.path, STR("sub"));
	assert_false(t.rewritten);
	/* ... but outside is refused all the same. */
	assert_int_equal(
	    ask_how(s, TOOL_READ, at_str(s, "out/v"), false, &o).problem, TOOL_OUTSIDE);
	assert_int_equal(
	    ask_how(s, TOOL_WRITE, STR("../out/v"), false, &o).problem, TOOL_OUTSIDE);
}

static void
links(void **state)
{
	const struct scratch *s = *state;

	links_around(s);
	point(s, "w/p", "/proc/self/cwd");
	assert_int_equal(ask(s, TOOL_READ, "lout/v").problem, TOOL_OUTSIDE);
	assert_int_equal(ask(s, TOOL_WRITE, "lout/new").problem, TOOL_OUTSIDE);
	assert_int_equal(ask(s, TOOL_WRITE, "lfile").problem, TOOL_OUTSIDE);
	assert_int_equal(ask(s, TOOL_WRITE, "dang").problem, TOOL_OUTSIDE);
	assert_int_equal(ask(s, TOOL_READ, "loop").problem, TOOL_UNKNOWN);
	assert_int_equal(ask(s, TOOL_READ, "p/a").problem, TOOL_UNKNOWN);
	assert_int_equal(ask(s, TOOL_READ, "lin/f").problem, TOOL_FINE);
	assert_int_equal(ask(s, TOOL_DELETE, "lfile").problem, TOOL_FINE);
	assert_int_equal(ask(s, TOOL_DELETE, "lout/v").problem, TOOL_OUTSIDE);
	assert_int_equal(ask(s, TOOL_DELETE, ".").problem, TOOL_OUTSIDE);
	/* A symlink that an earlier call created exists for the next one. */
	assert_int_equal(ask(s, TOOL_WRITE, "later/x").problem, TOOL_FINE);
	point(s, "w/later", "../out");
	assert_int_equal(ask(s, TOOL_WRITE, "later/x").problem, TOOL_OUTSIDE);
}

static void
proc_and_dev(void **state)
{
	const struct scratch *s = *state;
	static const char *const paths[] = { "/proc/self/root/etc/passwd",
		"/proc/self/fd/0", "/proc/self/cwd/a", "/dev/fd/3", "/dev/stdin" };

	for (size_t i = 0; i < COUNT(paths); i++)
		assert_int_not_equal(ask(s, TOOL_WRITE, paths[i]).problem, TOOL_FINE);
	assert_int_equal(ask(s, TOOL_READ, "/dev/null").problem, TOOL_FINE);
	assert_int_equal(ask(s, TOOL_WRITE, "/dev/null").problem, TOOL_FINE);
	assert_int_equal(ask(s, TOOL_DELETE, "/dev/null").problem, TOOL_OUTSIDE);
}

static void
granted_paths(void **state)
{
	const struct scratch *s = *state;
	struct look_opts o = opts(s);
	struct str out = s->out, sub = at_str(s, "w/sub"),
		   roots[2] = { s->w, at_str(s, "home") };

	o.readable = (struct look_list){ &out, 1 };
	assert_int_equal(
	    ask_how(s, TOOL_READ, at_str(s, "out/v"), true, &o).problem, TOOL_FINE);
	assert_int_equal(
	    ask_how(s, TOOL_WRITE, at_str(s, "out/v"), true, &o).problem, TOOL_OUTSIDE);
	o.writable = o.readable;
	o.readable.n = 0;
	assert_int_equal(
	    ask_how(s, TOOL_WRITE, at_str(s, "out/v"), true, &o).problem, TOOL_FINE);
	/* Within a root, what is only readable cannot be written. */
	o.readable = (struct look_list){ &sub, 1 };
	assert_int_equal(
	    ask_how(s, TOOL_WRITE, STR("sub/f"), true, &o).problem, TOOL_OUTSIDE);
	assert_int_equal(ask_how(s, TOOL_READ, STR("sub/f"), true, &o).problem, TOOL_FINE);
	/* Several roots: relative paths start at the first. */
	o.roots = (struct look_list){ roots, 2 };
	assert_int_equal(
	    ask_how(s, TOOL_WRITE, at_str(s, "home/x"), true, &o).problem, TOOL_FINE);
	assert_str(ask_how(s, TOOL_WRITE, STR("x"), true, &o).path, at_str(s, "w/x"));
	/* The temporary directory counts separately. */
	o.tmp = (struct look_list){ &out, 1 };
	o.writable.n = 0;
	assert_int_equal(
	    ask_how(s, TOOL_WRITE, at_str(s, "out/x"), true, &o).fact.where, WHERE_TMP);
}

static void
ignored_files(void **state)
{
	const struct scratch *s = *state;
	struct str names[] = { STR(".cursorignore"), STR(".cordonignore") };
	struct look_opts o = opts(s);

	o.ignore = (struct look_list){ names, 2 };
	put(s, "w/.cursorignore", "*.key\n!b.key\n/secret/\n");
	put(s, "w/sub/.cordonignore", "deep\n");
	assert_int_equal(
	    ask_how(s, TOOL_READ, STR("a.key"), true, &o).problem, TOOL_IGNORED);
	assert_int_equal(
	    ask_how(s, TOOL_WRITE, STR("sub/a.key"), true, &o).problem, TOOL_IGNORED);
	assert_int_equal(ask_how(s, TOOL_READ, STR("b.key"), true, &o).problem, TOOL_FINE);
	folder(s, "w/secret");
	assert_int_equal(
	    ask_how(s, TOOL_READ, STR("secret/x"), true, &o).problem, TOOL_IGNORED);
	assert_int_equal(
	    ask_how(s, TOOL_READ, STR("sub/deep/x"), true, &o).problem, TOOL_IGNORED);
	assert_int_equal(ask_how(s, TOOL_READ, STR("deep/x"), true, &o).problem, TOOL_FINE);
	/* Through a symlink it is the same file. */
	point(s, "w/alias", "a.key");
	assert_int_equal(
	    ask_how(s, TOOL_READ, STR("alias"), true, &o).problem, TOOL_IGNORED);
	/* An ignore file that cannot be read hides everything. */
	assert_int_equal(unlink(at(s, "w/.cursorignore")), 0);
	folder(s, "w/.cursorignore");
	assert_int_equal(ask_how(s, TOOL_READ, STR("a"), true, &o).problem, TOOL_IGNORED);
}

static void
dot_and_guarded_files(void **state)
{
	const struct scratch *s = *state;
	static const char *const guarded[] = { ".git/hooks/pre-commit", ".git/config",
		".git", "x/.git/hooks/y", ".git/modules/m/config", ".claude/settings.json",
		".cursor/mcp.json", ".vscode/tasks.json", ".cursorignore", ".cordon/rules",
		".mcp.json", ".codex/config.toml", ".gemini/settings.json",
		".git/info/attributes" };
	static const char *const free[] = { ".git/index", ".git/refs/heads/x",
		".claude/commands/x.md", "hooks/x", "config", ".cursor/rules/x.json",
		"src/.gitkeep" };

	for (size_t i = 0; i < COUNT(guarded); i++)
		assert_non_null(ask(s, TOOL_WRITE, guarded[i]).fact.guarded);
	for (size_t i = 0; i < COUNT(free); i++)
		assert_null(ask(s, TOOL_WRITE, free[i]).fact.guarded);
	assert_true(ask(s, TOOL_WRITE, ".env").fact.dotfile);
	assert_true(ask(s, TOOL_WRITE, "sub/.x/y").fact.dotfile);
	assert_false(ask(s, TOOL_WRITE, "sub/x.y").fact.dotfile);
}

static void
odd_names(void **state)
{
	const struct scratch *s = *state;
	struct look_opts o = opts(s);
	char longer[5000];

	memset(longer, 'a', sizeof longer);
	assert_int_not_equal(
	    ask_how(s, TOOL_WRITE, str_of(longer, 300), true, &o).problem, TOOL_FINE);
	for (size_t i = 0; i < sizeof longer; i += 2)
		longer[i] = '/';
	assert_int_not_equal(
	    ask_how(s, TOOL_WRITE, str_of(longer, 4095), true, &o).problem, TOOL_FINE);
	assert_int_not_equal(
	    ask_how(s, TOOL_WRITE, str_of(longer, 4999), true, &o).problem, TOOL_FINE);
	assert_int_not_equal(
	    ask_how(s, TOOL_WRITE, str_of(longer + 1, 4096), true, &o).problem, TOOL_FINE);
	assert_int_equal(
	    ask_how(s, TOOL_WRITE, str_of(longer + 1, 99), true, &o).problem, TOOL_FINE);
	assert_str(ask(s, TOOL_WRITE, "\xff\xfe\n").path, at_str(s, "w/\xff\xfe\n"));
	assert_int_equal(
	    ask(s, TOOL_READ, at(s, "W/a")).problem, TOOL_OUTSIDE); /* case counts */
	assert_int_equal(
	    ask(s, TOOL_READ, "a/b").problem, TOOL_FINE); /* it will not open */
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, scratch_new, scratch_end)
	const struct CMUnitTest tests[] = {
		T(seed_4_4_relative_is_rewritten),
		T(seed_4_4_absolute_within_passes_unchanged),
		T(seed_4_4_absolute_outside_is_blocked),
		T(seed_4_4_traversal_is_blocked),
		T(seed_4_4_directory_read_is_blocked_with_hint),
		T(seed_4_4_empty_path_and_variable_are_refused),
		T(seed_4_3_mode_gate),
		T(links),
		T(proc_and_dev),
		T(granted_paths),
		T(ignored_files),
		T(dot_and_guarded_files),
		T(odd_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
