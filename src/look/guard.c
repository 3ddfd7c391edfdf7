/* Files that make other programs run code, or that say what an agent may do. */
#include "base/path.h"
#include "look/root.h"

static bool
is_one_of(struct str s, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (str_is(s, names[i]))
			return true;
	return false;
}
#define IS_ONE_OF(s, table) is_one_of(s, table, sizeof(table) / sizeof *(table))

/* The first part of `path`, and what stands behind it. */
static struct str
first_part(struct str path, struct str *rest)
{
	size_t slash = str_find(path, '/');

	*rest = str_skip(path, slash + 1);
	return str_cut(path, 0, slash);
}

/* `path` is relative to a directory of git's. */
static const char *
in_gitdir(struct str path)
{
	static const char *const files[] = { "config", "config.worktree", "commondir",
		"gitdir", "info/attributes", "info/grafts", "objects/info/alternates",
		"config.lock" };
	struct str rest, part = first_part(path, &rest);

	if (path.n == 0)
		return "it is git's own directory";
	if (str_is(part, "hooks"))
		return "git runs what is in its hooks";
	if (IS_ONE_OF(path, files))
		return "it is configuration of git, which can make git run code";
	if (str_is(part, "modules") || str_is(part, "worktrees")) {
		/* Directories of submodules may lie some names deeper. */
		for (; rest.n; (void)first_part(rest, &rest)) {
			const char *why = in_gitdir(rest);

			if (why)
				return why;
		}
	}
	return NULL;
}

static bool
ends_in_json(struct str path)
{
	return str_ends(path, STR(".json")) || str_ends(path, STR(".jsonc"));
}

/* Below a dot directory of an agent or editor; `rest` is what stands behind its name. */
static const char *
in_settings(struct str name, struct str rest)
{
	static const char *const whole[] = { ".cordon", ".vscode", ".idea", ".husky",
		".devcontainer" };
	static const char *const agents[] = { ".claude", ".gemini", ".codex", ".cursor",
		".pi", ".opencode", ".qwen", ".copilot", ".windsurf", ".continue",
		".aider" };
	static const char *const text[] = { "rules", "commands", "worktrees", "skills",
		"agents" };
	struct str below, first = first_part(rest, &below);

	if (str_is(name, ".cordon"))
		return "it says what agents may do here";
	if (IS_ONE_OF(name, whole))
		return "an editor or tool runs what is written there";
	if (!IS_ONE_OF(name, agents))
		return NULL;
	if (rest.n == 0 ||
	    (below.n == 0 &&
		(ends_in_json(first) || str_ends(first, STR(".toml")) ||
		    str_ends(first, STR(".yml")) || str_ends(first, STR(".yaml")))))
		return "it holds an agent's settings";
	if (str_is(first, "hooks") || (ends_in_json(rest) && !IS_ONE_OF(first, text)))
		return "it holds an agent's settings";
	return NULL;
}

static const char *
by_name(struct str name, bool last)
{
	static const char *const ignores[] = { ".cursorignore", ".geminiignore",
		".aiexclude", ".cordonignore", ".cursorindexingignore", ".claudeignore" };
	static const char *const settings[] = { ".mcp.json", ".claude.json",
		"opencode.json", ".aider.conf.yml", ".cursorrules", ".envrc",
		".gitmodules" };

	if (!last)
		return NULL;
	if (IS_ONE_OF(name, ignores))
		return "it says which files agents may not see";
	if (IS_ONE_OF(name, settings) || str_ends(name, STR(".code-workspace")))
		return "it holds settings of an agent or tool";
	return NULL;
}

const char *
guarded_path(struct str real, size_t skip, const struct git_dirs *dirs, struct str home)
{
	struct str rest = str_skip(real, skip > 1 ? skip + 1 : 1);
	const char *why;

	if (dirs && dirs->gitdir.p && path_is_within(dirs->gitdir, real) &&
	    (why = in_gitdir(str_skip(real, dirs->gitdir.n + 1))))
		return why;
	if (dirs && dirs->commondir.p && path_is_within(dirs->commondir, real) &&
	    (why = in_gitdir(str_skip(real, dirs->commondir.n + 1))))
		return why;
	while (rest.n) {
		struct str part = first_part(rest, &rest);

		why = by_name(part, rest.n == 0);
		if (!why && str_is(part, ".git"))
			why = in_gitdir(rest);
		if (!why)
			why = in_settings(part, rest);
		if (why)
			return why;
	}
	if (home.p && path_is_within(home, real) &&
	    str_starts(str_skip(real, home.n + 1), STR(".config/cordon")))
		return "it says what agents may do";
	return NULL;
}
