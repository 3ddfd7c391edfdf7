#include "confine/guard.h"
#include "base/path.h"

#define ONE_OF(s, table) one_of(s, table, sizeof(table) / sizeof *(table))

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool
same(struct str s, struct str name)
{
	if (s.n != name.n)
		return false;
	for (size_t i = 0; i < s.n; i++)
		if (lower(s.p[i]) != name.p[i])
			return false;
	return true;
}

static bool
one_of(struct str s, const char *const *table, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (same(s, str_from_c(table[i])))
			return true;
	return false;
}

/* The part of `path` from `at` on, up to a slash. */
static struct str
part_at(struct str path, size_t at)
{
	struct str rest = str_skip(path, at);

	return str_cut(rest, 0, str_find(rest, '/'));
}

static struct guard_hit
hit(const char *why, size_t free_if_new)
{
	return (struct guard_hit){ why, free_if_new };
}

/* What stands behind a directory of git's that is `at` bytes long. */
static struct guard_hit
in_git(struct str path, size_t at)
{
	static const char *const files[] = { "config", "config.lock", "config.worktree",
		"config.worktree.lock", "commondir", "gitdir", "hooks" };
	static const char *const deeper[] = { "info/attributes", "info/grafts",
		"objects/info/alternates" };
	struct str part = part_at(path, at + 1), rest = str_skip(path, at + 1);

	if (ONE_OF(part, files) || ONE_OF(rest, deeper))
		return hit("git runs code that it finds there", at);
	if (!same(part, STR("modules")) && !same(part, STR("worktrees")))
		return hit(NULL, 0);
	/* Directories of submodules may lie some names deeper. */
	for (at += 1 + part.n; at < path.n; at += 1 + part_at(path, at + 1).n) {
		struct str next = part_at(path, at + 1);

		if (ONE_OF(next, files))
			return hit("git runs code that it finds there", at);
		if (next.n == 0)
			break;
	}
	return hit(NULL, 0);
}

static struct guard_hit
in_known_git(const struct plan *plan, struct str path)
{
	for (size_t i = 0; i < plan->git_n; i++) {
		const struct str dirs[] = { plan->git[i].gitdir, plan->git[i].commondir };

		for (size_t k = 0; k < 2; k++) {
			struct guard_hit h = { 0 };

			if (str_eq(dirs[k], path))
				return hit("it is git's own directory", 0);
			if (dirs[k].p && path_is_within(dirs[k], path))
				h = in_git(path, dirs[k].n);
			if (h.why)
				return h;
		}
	}
	return hit(NULL, 0);
}

static const char *
by_name(struct str name, bool last)
{
	static const char *const agents[] = { ".cordon", ".claude", ".gemini", ".codex",
		".cursor", ".pi", ".opencode", ".qwen", ".copilot", ".windsurf",
		".continue", ".aider", ".agents", ".roo", ".kiro", ".amazonq" };
	static const char *const tools[] = { ".vscode", ".idea", ".husky",
		".devcontainer" };
	static const char *const ignores[] = { ".cursorignore", ".geminiignore",
		".aiexclude", ".cordonignore", ".cursorindexingignore", ".claudeignore",
		".codeiumignore" };
	static const char *const settings[] = { ".mcp.json", ".claude.json",
		"opencode.json", ".aider.conf.yml", ".cursorrules", ".envrc", ".gitmodules",
		".gitconfig", ".ripgreprc" };
	static const char *const shells[] = { ".bashrc", ".bash_profile", ".bash_login",
		".bash_logout", ".bash_aliases", ".profile", ".zshrc", ".zshenv",
		".zprofile", ".zlogin", ".zlogout", ".inputrc", ".kshrc", ".login",
		".cshrc", ".tcshrc" };

	if (ONE_OF(name, agents))
		return "it holds what agents are told, and may do";
	if (ONE_OF(name, tools))
		return "an editor or tool runs what is written there";
	if (!last)
		return NULL;
	if (ONE_OF(name, ignores))
		return "it says which files agents may not see";
	if (ONE_OF(name, shells))
		return "a shell runs it when it starts";
	if (ONE_OF(name, settings) || str_ends(name, STR(".code-workspace")))
		return "it holds settings of an agent or tool";
	return NULL;
}

/* The writable path that `path` lies in, the longest; its name is not looked at. */
static size_t
root_length(const struct plan *plan, struct str path)
{
	size_t n = 0;

	for (size_t i = 0; i < plan->writable_n; i++)
		if (plan->writable[i].n > n && path_is_within(plan->writable[i], path))
			n = plan->writable[i].n;
	return n;
}

struct guard_hit
guard_look(const struct plan *plan, struct str path)
{
	struct guard_hit h = in_known_git(plan, path);
	size_t root = root_length(plan, path), at = root;

	while (!h.why && at + 1 < path.n) {
		struct str part = part_at(path, at + 1);
		size_t end = at + 1 + part.n;

		/* Agents keep whole worktrees in their directories. */
		if (same(part_at(path, end + 1), STR("worktrees")) &&
		    by_name(part, false) &&
		    str_find(str_skip(path, end + 1), '/') < path.n - end - 1) {
			at = end + 1 + STR("worktrees").n;
			continue;
		}
		h = hit(by_name(part, end >= path.n), at > root ? at : 0);
		if (!h.why && same(part, STR(".git")))
			h = end >= path.n ? hit("it is git's own directory", end)
					  : in_git(path, end);
		at = end;
	}
	return h;
}
