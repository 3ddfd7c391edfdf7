/* Protected names: files that make other programs run code, or configure agents. */
#include "base/path.h"
#include "look/git/gitnames.h"
#include "look/names.h"
#include "look/root.h"

/* Split off the first component of `path`. */
static struct str
first_part(struct str path, struct str *rest)
{
	size_t slash = str_find(path, '/');

	*rest = str_skip(path, slash + 1);
	return str_cut(path, 0, slash);
}

/* Why a path relative to a git directory is protected. */
static const char *
in_gitdir(struct str path)
{
	if (path.n == 0)
		return "it is git's own directory";
	switch (git_name(path, NULL)) {
	case GIT_CODE:
	case GIT_BACKLINK:
	case GIT_TODO:
		return "git runs code that it finds there";
	case GIT_CONFIG:
	case GIT_LOCK:
		return "it is git's configuration, which can make git run code";
	case GIT_FREE:
	case GIT_PART:
	case GIT_OTHER:
		break;
	}
	return NULL;
}

static bool
ends_in_json(struct str path)
{
	return str_ends(path, STR(".json")) || str_ends(path, STR(".jsonc"));
}

/* Why a path in an agent's directory is protected; `rest` follows the directory's name.
 * The sandbox protects all of it, but a person's editor writes rules and commands there. */
static const char *
in_agent(struct str rest)
{
	static const char text[] = "rules\0commands\0worktrees\0skills\0agents\0";
	struct str below, first = first_part(rest, &below);

	if (rest.n == 0 ||
	    (below.n == 0 &&
		(ends_in_json(first) || str_ends(first, STR(".toml")) ||
		    str_ends(first, STR(".yml")) || str_ends(first, STR(".yaml")))))
		return "it holds an agent's settings";
	if (str_is(first, "hooks") || (ends_in_json(rest) && !str_among(first, text)))
		return "it holds an agent's settings";
	return NULL;
}

/* Why a path that begins with a listed name is protected. */
static const char *
by_name(struct str path)
{
	struct name_found found = name_find(path);

	if (found.action < NAME_PROTECT)
		return NULL;
	/* In an agent's directory, only the settings count here; the sandbox protects all
	 * of it. */
	if (found.kind == NAME_AGENT && found.action == NAME_PROTECT && found.tree)
		return in_agent(str_skip(path, found.n + 1));
	return found.why;
}

static bool
is_own(struct str rest)
{
	static const char places[][20] = { ".config/cordon", ".cache/cordon",
		".local/state/cordon" };

	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		struct str place = str_from_c(places[i]);

		if (str_starts(rest, place) &&
		    (rest.n == place.n || rest.p[place.n] == '/'))
			return true;
	}
	return false;
}

const char *
protected_path(struct str real, size_t skip, const struct git_dirs *dirs, struct str home)
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
		struct str from = rest, part = first_part(rest, &rest);

		why = by_name(from);
		if (!why && name_is(part, ".git"))
			why = in_gitdir(rest);
		if (why)
			return why;
	}
	if (home.p && path_is_within(home, real) && is_own(str_skip(real, home.n + 1)))
		return "it says what agents may do";
	return NULL;
}
