/*
 * What the run made or changed that other programs run later.  Nothing is refused; a person
 * is told once for each kind.  Names that are guarded are found by open.c where a directory
 * of the run's own makes them free.
 */
#define _GNU_SOURCE
#include "base/path.h"
#include "run/supervisor.h"

/* HEAD, config and objects beside each other: git takes the directory for a repository. */
static bool
is_bare(const struct place_in *p, struct str name)
{
	static const char *const parts[] = { "HEAD", "config", "objects" };
	struct stat st;

	if (p->parent < 0 || !str_among(name, "HEAD\0config\0objects\0"))
		return false;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (fstatat(p->parent, parts[i], &st, AT_SYMLINK_NOFOLLOW))
			return false;
	return true;
}

/* A repository with a name of its own, that somebody could step into unawares. */
static bool
is_plain_git(const struct place_in *p)
{
	struct str dir = str_cut(place_path(p), 0, str_rfind(place_path(p), '/'));

	return str_is(str_base(dir), ".git");
}

/* Its settings are looked at when the run has ended. */
static void
note_repository(struct supervisor *s, const struct place_in *p)
{
	struct str path = place_path(p), dir = str_cut(path, 0, str_rfind(path, '/')), copy;

	if (!is_bare(p, str_base(path)))
		return;
	for (size_t i = 0; i < s->repos_n; i++)
		if (str_eq(s->repos[i], dir))
			return;
	if (s->repos_n < REPOS_MAX && (copy = arena_copy(s->a, dir)).p)
		s->repos[s->repos_n++] = copy;
	else
		plant(s, dir, "git obeys its config, and it is one too many to look into");
}

/* Its path after a move; itself if it was not in it. */
static struct str
moved(struct supervisor *s, struct str path, struct str from, struct str to)
{
	struct buf b;

	if (!path_is_within(from, path))
		return path;
	buf_init(&b, s->a);
	buf_put(&b, to);
	buf_put(&b, str_skip(path, from.n));
	return b.full ? path : buf_str(&b);
}

static struct str
moved_or_back(
    struct supervisor *s, struct str path, struct str from, struct str to, bool swap)
{
	if (swap && path_is_within(to, path))
		return moved(s, path, to, from);
	return moved(s, path, from, to);
}

void
plant_moved(struct supervisor *s, struct str from, struct str to, bool swap)
{
	for (size_t i = 0; i < s->repos_n; i++)
		s->repos[i] = moved_or_back(s, s->repos[i], from, to, swap);
	for (size_t i = 0; i < s->planted_n; i++)
		s->planted[i].path = moved_or_back(s, s->planted[i].path, from, to, swap);
	/* Its new place may have been told of when it was judged. */
	for (size_t i = 1; i < s->planted_n; i++)
		for (size_t k = 0; k < i; k++)
			if (s->planted[i].why == s->planted[k].why &&
			    str_eq(s->planted[i].path, s->planted[k].path)) {
				s->planted[i--] = s->planted[--s->planted_n];
				break;
			}
}

/* Settings that make a tool run something when it is started beside them. */
static bool
is_setting(struct str path)
{
	return str_among(str_base(path),
		   ".npmrc\0.yarnrc\0.yarnrc.yml\0.pnpmfile.cjs\0.pre-commit-config.yaml\0"
		   "lefthook.yml\0.mise.toml\0mise.toml\0.tool-versions\0.gdbinit\0"
		   ".lldbinit\0.vimrc\0.exrc\0.nvim.lua\0.dir-locals.el\0.Rprofile\0"
		   ".irbrc\0.pryrc\0.tmux.conf\0.bazelrc\0") ||
	       str_ends(path, STR("/.cargo/config.toml")) ||
	       str_ends(path, STR("/.cargo/config")) ||
	       str_ends(path, STR("/.zed/tasks.json")) ||
	       str_ends(path, STR("/.mvn/jvm.config"));
}

static const char *
kind_of(const struct place_in *p)
{
	struct str name = str_base(place_path(p));

	if (str_among(name, "CLAUDE.md\0AGENTS.md\0GEMINI.md\0copilot-instructions.md\0"))
		return "agents take what is written there for the owner's word";
	if (is_setting(place_path(p)))
		return "a tool does what is written there when it is started beside it";
	if (str_ends(name, STR(".pth")) ||
	    str_among(name, "sitecustomize.py\0usercustomize.py\0"))
		return "Python runs it whenever it starts there";
	if (is_bare(p, name) && !is_plain_git(p))
		return "git takes it for a repository, and obeys its config";
	if (p->exists &&
	    str_among(name,
		"package.json\0Makefile\0GNUmakefile\0makefile\0conftest.py\0build.rs\0"
		"setup.py\0CMakeLists.txt\0build.gradle\0Rakefile\0Gemfile\0justfile\0"))
		return "builds and tests run what is written there";
	return NULL;
}

void
plant_look(struct supervisor *s, const struct place_in *p)
{
	const char *why = kind_of(p);

	if (s->q->learn)
		learn(s, RUN_WRITE, place_path(p));
	note_repository(s, p);
	if (why)
		plant(s, place_path(p), why);
}
