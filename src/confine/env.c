#include "confine/env.h"
#include "base/glob.h"
#include "base/path.h"

/* Names, or prefixes of names if a star ends them.  No pointers: each would be a relocation
 * at every start. */
static const char loads[][34] = { "LD_*", "GLIBC_TUNABLES", "MALLOC_TRACE", "GCONV_PATH",
	"LOCPATH", "BASH_ENV", "ENV", "BASH_FUNC_*", "SHELLOPTS", "BASHOPTS", "PS4",
	"PROMPT_COMMAND", "NODE_OPTIONS", "PYTHONSTARTUP", "PYTHONINSPECT", "PERL5OPT",
	"RUBYOPT", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "GIT_DIR", "GIT_COMMON_DIR",
	"GIT_WORK_TREE", "GIT_EXEC_PATH", "GIT_TEMPLATE_DIR", "GIT_EXTERNAL_DIFF",
	"GIT_SSH", "GIT_SSH_COMMAND", "GIT_ASKPASS", "GIT_CONFIG*", "GIT_OBJECT_DIRECTORY",
	"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_INDEX_FILE" };
static const char services[][34] = { "SSH_AUTH_SOCK", "SSH_AGENT_PID", "SSH_ASKPASS",
	"GPG_AGENT_INFO", "DBUS_*", "XDG_RUNTIME_DIR", "WAYLAND_*", "DISPLAY", "XAUTHORITY",
	"VSCODE_*", "TMUX", "TMUX_PANE", "STY", "DOCKER_HOST", "CONTAINER_HOST",
	"KUBECONFIG", "NOTIFY_SOCKET", "LISTEN_*", "CREDENTIALS_DIRECTORY",
	"PULSE_SERVER" };
#define COUNT_OF(table) (sizeof(table) / sizeof *(table))

/* Most names differ in their first letter: compare that first. */
static bool
is_listed(struct str name, const char (*list)[34], size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (name.n && list[i][0] == name.p[0] && glob_is(list[i], name))
			return true;
	}
	return false;
}

const char *
env_refused(struct str name, struct str value)
{
	if (is_listed(name, loads, COUNT_OF(loads)))
		return "it changes what programs load";
	if (is_listed(name, services, COUNT_OF(services)))
		return "it leads to a service outside";
	if (env_is_secret(name))
		return "its name is that of a secret";
	if (env_has_secret(value))
		return "a secret stands in its value";
	return NULL;
}

/* A TMPDIR that cannot be written would only break programs. */
static bool
is_lost_tmp(struct str name, struct str value, const struct plan *plan)
{
	if (!str_is(name, "TMPDIR") && !str_is(name, "TMP") && !str_is(name, "TEMP"))
		return false;
	return !plan_is_writable(plan, value) && !path_is_within(STR("/tmp"), value);
}

/* Some programs read the one spelling, some the other.  A proxy of the host cannot be
 * reached.  (The same port speaks SOCKS; some libraries fail on its name here.) */
#define PROXY "http://127.0.0.1:61053"
static char proxies[][64] = { "http_proxy=" PROXY, "HTTP_PROXY=" PROXY,
	"https_proxy=" PROXY, "HTTPS_PROXY=" PROXY, "all_proxy=" PROXY, "ALL_PROXY=" PROXY,
	"no_proxy=localhost,127.0.0.1,::1", "NO_PROXY=localhost,127.0.0.1,::1" };

static bool
is_proxy(struct str name)
{
	static const struct str end = STR_INIT("_PROXY");

	return name.n >= end.n && env_holds_at(name, name.n - end.n, end);
}

char **
env_scrub(struct arena *a, char *const *envp, const struct plan *plan)
{
	/* Otherwise git would write its index just to cache what it has seen. */
	static char locks[] = "GIT_OPTIONAL_LOCKS=0";
	static char marked[] = "CORDON_SANDBOX=1";
	const size_t more = plan->listed ? sizeof proxies / sizeof *proxies : 0;
	size_t n = 0, count = 0;
	char **out;

	while (envp[n])
		n++;
	out = arena_array(a, n + 3 + more, sizeof *out);
	for (size_t i = 0; out && i < n; i++) {
		struct str line = str_from_c(envp[i]);
		size_t equals = str_find(line, '=');
		struct str name = str_cut(line, 0, equals);
		struct str value = str_skip(line, equals + 1);

		if (equals == line.n || equals == 0 || env_refused(name, value) ||
		    is_lost_tmp(name, value, plan) || (more && is_proxy(name)) ||
		    str_is(name, "GIT_OPTIONAL_LOCKS") || str_is(name, "CORDON_SANDBOX"))
			continue;
		out[count++] = envp[i];
	}
	if (!out)
		return NULL;
	for (size_t i = 0; i < more; i++)
		out[count++] = proxies[i];
	out[count++] = locks;
	out[count++] = marked;
	out[count] = NULL;
	return out;
}
