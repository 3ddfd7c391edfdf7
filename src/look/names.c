#include "look/names.h"
#include "look/alias.h"

/* Each ends in NUL, behind the last an empty one. */
static const char agents[] = ".claude\0.gemini\0.codex\0.cursor\0.pi\0.opencode\0.qwen\0"
			     ".copilot\0.windsurf\0.continue\0.aider\0.agents\0.roo\0"
			     ".kiro\0.amazonq\0";
static const char tools[] = ".vscode\0.idea\0.husky\0.devcontainer\0";
static const char ignores[] = ".cursorignore\0.geminiignore\0.aiexclude\0.cordonignore\0"
			      ".cursorindexingignore\0.claudeignore\0.codeiumignore\0";
static const char settings[] = ".mcp.json\0.claude.json\0opencode.json\0.aider.conf.yml\0"
			       ".cursorrules\0.envrc\0.gitmodules\0.gitconfig\0"
			       ".ripgreprc\0";
static const char shells[] = ".bashrc\0.bash_profile\0.bash_login\0.bash_logout\0"
			     ".bash_aliases\0.profile\0.zshrc\0.zshenv\0.zprofile\0"
			     ".zlogin\0.zlogout\0.inputrc\0.kshrc\0.login\0.cshrc\0"
			     ".tcshrc\0";
/* In a directory of git's; the last list is of paths. */
static const char git_files[] = "commondir\0gitdir\0hooks\0";
static const char git_configs[] = "config\0config.worktree\0";
static const char git_locks[] = "config.lock\0config.worktree.lock\0";
static const char git_paths[] = "info/attributes\0info/grafts\0objects/info/alternates\0";

static bool
is_same(struct str s, const char *name)
{
	for (size_t i = 0; i < s.n; i++)
		if (name[i] == '\0' || byte_lower(s.p[i]) != name[i])
			return false;
	return name[s.n] == '\0';
}

static bool
is_other_spelling(struct str s, const char *list)
{
	char room[ALIAS_ROOM];
	struct str plain = alias_plain(s, room);

	for (; *list; list += strlen(list) + 1)
		if (is_same(plain, list) || alias_is_short(s, list))
			return true;
	return false;
}

static bool
is_among(struct str s, const char *list)
{
	for (const char *at = list; *at; at += strlen(at) + 1)
		if (is_same(s, at))
			return true;
	return alias_could_be(s) && is_other_spelling(s, list);
}

bool
name_is(struct str s, const char *name)
{
	char list[32];
	size_t n = strlen(name);

	if (is_same(s, name))
		return true;
	if (n + 2 > sizeof list || !alias_could_be(s))
		return false;
	memcpy(list, name, n + 1);
	list[n + 1] = '\0';
	return is_other_spelling(s, list);
}

static bool
ends_as(struct str s, const char *end)
{
	size_t n = strlen(end);

	return s.n > n && name_is(str_skip(s, s.n - n), end);
}

enum name_kind
name_kind(struct str name)
{
	if (name_is(name, ".cordon"))
		return NAME_OWN;
	if (is_among(name, agents))
		return NAME_AGENT;
	if (is_among(name, tools))
		return NAME_TOOL;
	if (is_among(name, ignores))
		return NAME_IGNORE;
	if (is_among(name, settings) || ends_as(name, ".code-workspace"))
		return NAME_SETTINGS;
	return is_among(name, shells) ? NAME_SHELL : NAME_FREE;
}

bool
name_is_packages(struct str name)
{
	static const char names[] = "node_modules\0bower_components\0_deps\0.build\0"
				    ".terraform\0site-packages\0Pods\0";

	return str_among(name, names);
}

const char *
name_why(enum name_kind kind)
{
	switch (kind) {
	case NAME_OWN:
		return "it says what agents may do here";
	case NAME_AGENT:
		return "it holds what agents are told, and may do";
	case NAME_TOOL:
		return "an editor or tool runs what is written there";
	case NAME_IGNORE:
		return "it says which files agents may not see";
	case NAME_SETTINGS:
		return "it holds settings of an agent or tool";
	case NAME_SHELL:
		return "a shell runs it when it starts";
	case NAME_FREE:
		break;
	}
	return NULL;
}

static struct str
first_part(struct str path)
{
	return str_cut(path, 0, str_find(path, '/'));
}

/* In one directory, without those below it. */
static enum git_name
name_here(struct str path)
{
	struct str part = first_part(path);

	if (is_among(part, git_files) || is_among(path, git_paths))
		return GIT_CODE;
	if (is_among(part, git_configs))
		return part.n == path.n ? GIT_CONFIG : GIT_CODE;
	if (is_among(part, git_locks))
		return part.n == path.n ? GIT_LOCK : GIT_CODE;
	/* Whoever makes another name of this kind prepares to move it there. */
	return part.n > 7 && name_is(str_cut(part, 0, 7), "config.") ? GIT_CODE : GIT_FREE;
}

enum git_name
git_name(struct str path, size_t *ret_dir)
{
	struct str part = first_part(path), rest = path;
	enum git_name found = name_here(path);
	bool deeper = name_is(part, "modules") || name_is(part, "worktrees");

	if (ret_dir)
		*ret_dir = 0;
	/* Directories of submodules may lie some names deeper. */
	while (found == GIT_FREE && deeper && part.n < rest.n) {
		rest = str_skip(rest, part.n + 1);
		part = first_part(rest);
		if (part.n == 0)
			break;
		found = name_here(rest);
		if (ret_dir)
			*ret_dir = path.n - rest.n - 1;
	}
	return found;
}
