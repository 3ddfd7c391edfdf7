/*
 * Caches of build tools.  The usual ones are in the home directory, where a confined
 * command cannot write; then they are kept in the session's own /tmp.  A cache of downloads
 * stays where it is while there is no network: it can still be read there.
 */
#define _GNU_SOURCE
#include "base/path.h"
#include "os/fd.h"
#include "run/session/session.h"

static const struct {
	char name[20], usual[20], ours[24];
	bool downloaded;
} caches[] = {
	{ "GOCACHE", ".cache/go-build", "/tmp/.cache/go-build", false },
	{ "CCACHE_DIR", ".cache/ccache", "/tmp/.cache/ccache", false },
	{ "GOMODCACHE", "go/pkg/mod", "/tmp/.cache/go-mod", true },
	{ "CARGO_HOME", ".cargo", "/tmp/.cache/cargo", true },
	{ "npm_config_cache", ".npm", "/tmp/.cache/npm", true },
	{ "PIP_CACHE_DIR", ".cache/pip", "/tmp/.cache/pip", true },
	{ "UV_CACHE_DIR", ".cache/uv", "/tmp/.cache/uv", true },
	{ "YARN_CACHE_FOLDER", ".cache/yarn", "/tmp/.cache/yarn", true },
};

/* The value of a variable; .p == NULL: it is not set. */
static struct str
value_of(char *const *envp, const char *name)
{
	size_t n = strlen(name);

	for (; *envp; envp++)
		if (strncmp(*envp, name, n) == 0 && (*envp)[n] == '=')
			return str_from_c(*envp + n + 1);
	return (struct str){ NULL, 0 };
}

static bool
needs_ours(struct arena *a, const struct plan *plan, struct str set, size_t i)
{
	struct str usual = set;
	const char *c;

	if (!set.p && (!plan->home.p || path_join(a, plan->home,
					    str_from_c(caches[i].usual), &usual, NULL)))
		return true;
	if (plan_is_writable(plan, usual) || path_is_within(STR("/tmp"), usual))
		return false;
	c = str_to_path(a, usual);
	return !caches[i].downloaded || plan->network || !c || access(c, R_OK);
}

static char *
assign(struct arena *a, size_t i)
{
	size_t n = strlen(caches[i].name), m = strlen(caches[i].ours);
	char *line = arena_alloc(a, n + m + 2);

	if (!line)
		return NULL;
	memcpy(line, caches[i].name, n);
	line[n] = '=';
	memcpy(line + n + 1, caches[i].ours, m + 1);
	return line;
}

static bool
is_set_by(const char *line, const char *by)
{
	size_t n = (size_t)(strchr(by, '=') - by) + 1;

	return strncmp(line, by, n) == 0;
}

char **
session_env(struct arena *a, char *const *envp, const struct plan *plan)
{
	size_t n = 0, made = 0, count = 0;
	char *own[sizeof caches / sizeof *caches], **out;

	while (envp[n])
		n++;
	out = arena_array(a, n + sizeof caches / sizeof *caches + 1, sizeof *out);
	for (size_t i = 0; plan->tmp_write && i < sizeof caches / sizeof *caches; i++) {
		if (!needs_ours(a, plan, value_of(envp, caches[i].name), i))
			continue;
		if (!(own[made++] = assign(a, i)))
			return NULL;
	}
	for (size_t i = 0; out && i < n; i++) {
		bool again = false;

		for (size_t k = 0; k < made && !again; k++)
			again = is_set_by(envp[i], own[k]);
		if (!again)
			out[count++] = envp[i];
	}
	for (size_t k = 0; out && k < made; k++)
		out[count++] = own[k];
	return out;
}
