/* Build output: directories that a tool recreates from files beside them.  Files in it are
 * no work, whether git ignores them or not, but only below a grant. */
#include "base/path.h"
#include "look/lookup.h"
#include "os/file.h"

/* `beside`: one of these must be next to it; `within`: inside it.  Neither: no person uses
 * this name. */
static const struct rebuilt {
	char name[16];
	char beside[60], within[20];
} table[] = {
	{ "node_modules", "package.json\0", "" },
	{ ".next", "package.json\0", "" },
	{ ".nuxt", "package.json\0", "" },
	{ ".svelte-kit", "package.json\0", "" },
	{ ".angular", "angular.json\0", "" },
	{ ".parcel-cache", "", "" },
	{ ".turbo", "", "" },
	{ ".nyc_output", "", "" },
	{ "coverage", "", "lcov.info\0" },
	{ "target", "Cargo.toml\0pom.xml\0build.sbt\0", "" },
	{ "build", "build.gradle\0build.gradle.kts\0setup.py\0pubspec.yaml\0", "" },
	{ "build", "CMakeLists.txt\0", "CMakeCache.txt\0" },
	{ ".gradle", "build.gradle\0build.gradle.kts\0settings.gradle\0", "" },
	{ "Pods", "Podfile\0", "" },
	{ ".dart_tool", "pubspec.yaml\0", "" },
	{ "_build", "mix.exs\0dune-project\0rebar.config\0", "" },
	{ "dist-newstyle", "", "" },
	{ ".stack-work", "", "" },
	{ "elm-stuff", "", "" },
	{ "zig-cache", "", "" },
	{ ".zig-cache", "", "" },
	{ "zig-out", "build.zig\0", "" },
	{ "__pycache__", "", "" },
	{ ".pytest_cache", "", "" },
	{ ".mypy_cache", "", "" },
	{ ".ruff_cache", "", "" },
	{ ".hypothesis", "", "" },
	{ ".tox", "", "" },
	{ ".nox", "", "" },
	{ ".eggs", "", "" },
	{ "htmlcov", "", "index.html\0" },
	{ ".venv", "", "pyvenv.cfg\0" },
	{ "venv", "", "pyvenv.cfg\0" },
	{ "env", "", "pyvenv.cfg\0" },
};

/* Names that may also be work, or files: they may be written, but not deleted. */
static const char others[] = ".cache\0.output\0.vite\0.eslintcache\0.stylelintcache\0"
			     ".coverage\0.ipynb_checkpoints\0.DS_Store\0.aws-sam\0.bin\0"
			     ".tsbuildinfo\0.docusaurus\0.astro\0.sass-cache\0";

bool
rebuilt_is_name(struct str name)
{
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (table[i].name[0] == '.' && str_is(name, table[i].name))
			return true;
	return str_among(name, others);
}

/* True if one of the files (NUL-separated) is in the directory, or the list is empty. */
static bool
has_one(struct arena *a, struct str dir, const char *files)
{
	struct stat st;

	if (!*files)
		return true;
	for (; *files; files += strlen(files) + 1) {
		struct str path = created_join(a, dir, str_from_c(files));

		if (path.p && file_stat(a, path, false, &st) && S_ISREG(st.st_mode))
			return true;
	}
	return false;
}

static bool
is_one(struct arena *a, struct str dir)
{
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (str_is(str_base(dir), table[i].name) &&
		    has_one(a, path_parent(dir), table[i].beside) &&
		    has_one(a, dir, table[i].within))
			return true;
	return false;
}

bool
lookup_rebuilt(struct lookup *g, const struct resolved *r)
{
	const struct path_grant *grant = lookup_grant(g, r->real);
	struct str dir = r->directory ? r->real : path_parent(r->real);
	size_t used = g->a->used;
	bool found = false;

	for (; grant && !found && dir.n > grant->path.n; dir = path_parent(dir))
		found = is_one(g->a, dir);
	arena_back(g->a, used);
	return found;
}
