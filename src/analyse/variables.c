/* Variables that change what programs do, and those that make the rest of the text
 * unknown. */
#include "analyse/names.h"
#include "analyse/programs/programs.h"
#include "analyse/word/word.h"
#include "base/glob.h"
#include "base/path.h"

struct variable {
	char name[24];       /* may begin or end in * */
	unsigned char power; /* enum env_power, or COMMAND */
};

/* ENV_CHANGES, and the value is a command for a shell. */
#define COMMAND 8

static const struct variable variables[] = {
	/* read by the shell: the meaning of commands, or code that it runs */
	{ "BASH_ENV", ENV_RUNS },
	{ "ENV", ENV_RUNS },
	{ "SHELLOPTS", ENV_RUNS },
	{ "BASHOPTS", ENV_RUNS },
	{ "BASH_FUNC_*", ENV_RUNS },
	{ "BASH_CMDS", ENV_RUNS },
	{ "BASH_ALIASES", ENV_RUNS },
	{ "BASH_COMPAT", ENV_RUNS },
	{ "BASH_ARGV0", ENV_RUNS },
	{ "FUNCNEST", ENV_RUNS },
	{ "BASH_LOADABLES_PATH", ENV_RUNS },
	{ "POSIXLY_CORRECT", ENV_RUNS },
	{ "PROMPT_COMMAND", ENV_RUNS },
	{ "PS0", ENV_RUNS },
	{ "PS1", ENV_RUNS },
	{ "PS2", ENV_RUNS },
	{ "GLOBIGNORE", ENV_RUNS },
	{ "EXECIGNORE", ENV_RUNS },
	{ "CDPATH", ENV_RUNS },
	{ "PWD", ENV_RUNS },
	{ "OLDPWD", ENV_RUNS },
	{ "DIRSTACK", ENV_RUNS },
	{ "TEXTDOMAIN*", ENV_RUNS },
	{ "ZDOTDIR", ENV_RUNS },
	/* read by the dynamic loader: code in every program */
	{ "LD_*", ENV_RUNS },
	{ "DYLD_*", ENV_RUNS },
	{ "GCONV_PATH", ENV_RUNS },
	{ "GLIBC_TUNABLES", ENV_RUNS },
	/* read by the shell, and tracked here */
	{ "IFS", ENV_TUNES },
	{ "HOME", ENV_TUNES },
	{ "HISTFILE", ENV_TUNES },
	{ "INPUTRC", ENV_CHANGES },
	{ "FCEDIT", COMMAND },
	{ "TMPDIR", ENV_TUNES },
	{ "SHELL", ENV_TUNES },
	/* programs that other programs start */
	{ "PAGER", COMMAND },
	{ "*_PAGER", COMMAND },
	{ "MANPAGER", COMMAND },
	{ "MANOPT", ENV_CHANGES },
	{ "LESSOPEN", COMMAND },
	{ "LESSCLOSE", COMMAND },
	{ "LESS*", ENV_CHANGES },
	{ "MORE", ENV_TUNES },
	{ "EDITOR", COMMAND },
	{ "*_EDITOR", COMMAND },
	{ "VISUAL", COMMAND },
	{ "BROWSER", COMMAND },
	{ "VIMINIT", ENV_CHANGES },
	{ "EXINIT", ENV_CHANGES },
	{ "GIT_AUTHOR_*", ENV_PLAIN },
	{ "GIT_COMMITTER_*", ENV_PLAIN },
	{ "GIT_TERMINAL_PROMPT", ENV_PLAIN },
	{ "GIT_MERGE_AUTOEDIT", ENV_PLAIN },
	{ "GIT_OPTIONAL_LOCKS", ENV_PLAIN },
	{ "*_ASKPASS", COMMAND },
	{ "GIT_SSH", COMMAND },
	{ "GIT_SSH_COMMAND", COMMAND },
	{ "GIT_EXTERNAL_DIFF", COMMAND },
	{ "GIT_PROXY_COMMAND", COMMAND },
	{ "GIT_*", ENV_CHANGES },
	{ "SSH_*", ENV_CHANGES },
	{ "SUDO_*", ENV_CHANGES },
	{ "RSYNC_RSH", COMMAND },
	{ "RSYNC_CONNECT_PROG", COMMAND },
	{ "RSYNC_*", ENV_CHANGES },
	{ "CVS_RSH", COMMAND },
	{ "SVN_SSH", COMMAND },
	{ "HGRCPATH", ENV_CHANGES },
	{ "HGEDITOR", COMMAND },
	{ "HGMERGE", COMMAND },
	{ "CVSEDITOR", COMMAND },
	{ "TAR_OPTIONS", ENV_CHANGES },
	{ "ZIPOPT", ENV_CHANGES },
	{ "ZIP", ENV_CHANGES },
	{ "RIPGREP_CONFIG_PATH", ENV_CHANGES },
	{ "FZF_DEFAULT_COMMAND", COMMAND },
	{ "FZF_DEFAULT_OPTS*", ENV_CHANGES },
	/* options and code for tools and languages */
	{ "NODE_OPTIONS", ENV_CHANGES },
	{ "JAVA_TOOL_OPTIONS", ENV_CHANGES },
	{ "JDK_JAVA_OPTIONS", ENV_CHANGES },
	{ "_JAVA_OPTIONS", ENV_CHANGES },
	{ "PYTHONSTARTUP", ENV_CHANGES },
	{ "PYTHONBREAKPOINT", ENV_CHANGES },
	{ "PERL5OPT", ENV_CHANGES },
	{ "PERL5DB", ENV_CHANGES },
	{ "*_OPTIONS", ENV_TUNES },
	{ "*_OPTS", ENV_TUNES },
	{ "MAKEFLAGS", ENV_TUNES },
	{ "MAKEFILES", ENV_CHANGES },
	{ "GNUMAKEFLAGS", ENV_TUNES },
	{ "CC", ENV_TUNES },
	{ "CXX", ENV_TUNES },
	{ "LD", ENV_TUNES },
	{ "AR", ENV_TUNES },
	{ "CFLAGS", ENV_TUNES },
	{ "CXXFLAGS", ENV_TUNES },
	{ "CPPFLAGS", ENV_TUNES },
	{ "LDFLAGS", ENV_TUNES },
	{ "RUSTC", COMMAND },
	{ "RUSTC_WRAPPER", COMMAND },
	{ "RUSTC_*", ENV_CHANGES },
	{ "RUSTFLAGS", ENV_TUNES },
	{ "RUSTUP_*", ENV_TUNES },
	{ "CARGO_*", ENV_TUNES },
	{ "GO*", ENV_TUNES },
	{ "CGO_*", ENV_TUNES },
	{ "PYTHON*", ENV_TUNES },
	{ "PIP_*", ENV_TUNES },
	{ "UV_*", ENV_TUNES },
	{ "VIRTUAL_ENV", ENV_TUNES },
	{ "NODE_PATH", ENV_TUNES },
	{ "YARN_*", ENV_TUNES },
	{ "CCACHE_*", ENV_TUNES },
	{ "CMAKE_*", ENV_TUNES },
	{ "ERL_*", ENV_TUNES },
	{ "R_PROFILE*", ENV_TUNES },
	{ "NPM_CONFIG_*", ENV_TUNES },
	{ "npm_config_*", ENV_TUNES },
	{ "PERL5*", ENV_TUNES },
	{ "PERLLIB", ENV_TUNES },
	{ "RUBYLIB", ENV_TUNES },
	{ "RUBYOPT", ENV_CHANGES },
	{ "GEM_*", ENV_TUNES },
	{ "BUNDLE_*", ENV_TUNES },
	{ "CLASSPATH", ENV_TUNES },
	{ "PHPRC", ENV_TUNES },
	{ "LUA_INIT*", ENV_CHANGES },
	{ "LUA_PATH*", ENV_TUNES },
	{ "AWKPATH", ENV_TUNES },
	{ "AWKLIBPATH", ENV_CHANGES },
	{ "OPENSSL_CONF", ENV_CHANGES },
	{ "OPENSSL_MODULES", ENV_CHANGES },
	/* search paths, trust and hosts of programs */
	{ "XDG_*", ENV_TUNES },
	{ "GNUPGHOME", ENV_TUNES },
	{ "KUBECONFIG", ENV_TUNES },
	{ "DOCKER_*", ENV_TUNES },
	{ "AWS_*", ENV_TUNES },
	{ "TF_*", ENV_TUNES },
	{ "ANSIBLE_*", ENV_TUNES },
	{ "PG*", ENV_TUNES },
	{ "PSQLRC", ENV_CHANGES },
	{ "MYSQL_*", ENV_TUNES },
	{ "CURL_*", ENV_TUNES },
	{ "WGETRC", ENV_TUNES },
	{ "SSL_CERT_*", ENV_TUNES },
	{ "*_proxy", ENV_TUNES },
	{ "*_PROXY", ENV_TUNES },
	{ "TERMINFO*", ENV_TUNES },
	{ "TERMCAP", ENV_TUNES },
	{ "LOCPATH", ENV_TUNES },
	{ "NLSPATH", ENV_TUNES },
	{ "CORDON_*", ENV_CHANGES },
	{ "WORKTREE_SANDBOX_PATH", ENV_CHANGES },
};

/* Harmless values for variables that name a pager or an editor. */
static bool
only_shows(struct str name, struct field value)
{
	static const char harmless[][5] = { "", "cat", "less", "more", "true", ":", "vim",
		"vi", "nano" };

	if (value.kind != FIELD_STR ||
	    !(str_ends(name, STR("PAGER")) || str_ends(name, STR("EDITOR")) ||
		str_is(name, "VISUAL")))
		return false;
	for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
		if (str_is(value.text, harmless[i]))
			return true;
	return false;
}

/* Directories that only the system administrator can write. */
static bool
is_system_path(struct str value)
{
	static const char dirs[] =
	    "/usr/local/sbin\0/usr/local/bin\0/usr/sbin\0/usr/bin\0/sbin\0/bin\0";

	while (value.n) {
		size_t n = str_find(value, ':');
		struct str dir = str_cut(value, 0, n);

		if (!str_among(dir, dirs))
			return false;
		value = str_skip(value, n + 1);
	}
	return true;
}

static const struct variable *
find(struct str name)
{
	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
		if (glob_is(variables[i].name, name))
			return &variables[i];
	return NULL;
}

/* Directories where installers put tools of a user or a project. */
static bool
is_tool_dir(struct str dir)
{
	static const char ends[][20] = { "/node_modules/.bin", "/.venv/bin", "/venv/bin",
		"/.cargo/bin", "/.local/bin", "/go/bin", "/.bun/bin", "/.deno/bin",
		"/.volta/bin", "/.poetry/bin", "/.yarn/bin", "/.npm-global/bin",
		"/.foundry/bin", "/.dotnet/tools", "/.pyenv/bin", "/.pyenv/shims",
		"/.rbenv/bin", "/.rbenv/shims", "/.asdf/shims", "/.krew/bin" };

	if (str_starts(dir, STR("/usr/")) || str_starts(dir, STR("/opt/")) ||
	    str_is(dir, "/snap/bin") || str_starts(dir, STR("/home/linuxbrew/")))
		return true;
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (str_ends(dir, str_from_c(ends[i])))
			return true;
	return str_among(
	    dir, "node_modules/.bin\0./node_modules/.bin\0.venv/bin\0venv/bin\0");
}

/* True for the old PATH with tool directories before or after it. */
static bool
is_longer_path(struct str value)
{
	bool old = false;

	while (value.n) {
		size_t n = str_find(value, ':');
		struct str dir = str_cut(value, 0, n);

		if (str_eq(dir, old_path))
			old = true;
		else if (dir.n == 0 || path_has_dotdot(dir) ||
			 (!is_tool_dir(dir) && !is_system_path(dir)))
			return false;
		value = str_skip(value, n + 1);
	}
	return old;
}

/* True for text with variable names, but without code. */
static bool
is_plain_prompt(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] == '`' ||
		    (s.p[i] == '$' && i + 1 < s.n &&
			!name_length(str_skip(s, i + 1 + (s.p[i + 1] == '{')))))
			return false;
	return str_find(s, '@') == s.n && str_find(s, '[') == s.n;
}

enum env_power
env_power(struct str name, struct field value)
{
	const struct variable *v;

	if (str_is(name, "PATH") && value.kind != FIELD_STR && value.among.p &&
	    is_longer_path(value.among))
		return ENV_LEADS;
	if (str_is(name, "PATH"))
		return value.kind == FIELD_STR && value.text.n && is_system_path(value.text)
			   ? ENV_TUNES
			   : ENV_RUNS;
	if (str_is(name, "NODE_OPTIONS") && value.kind == FIELD_STR &&
	    str_starts(value.text, STR("--max-old-space-size=")) &&
	    str_find(value.text, ' ') == value.text.n)
		return ENV_TUNES;
	if (str_is(name, "PS4")) /* expanded by set -x: only plain text is harmless */
		return value.kind == FIELD_STR && is_plain_prompt(value.text) ? ENV_TUNES
									      : ENV_RUNS;
	if (only_shows(name, value))
		return ENV_TUNES;
	v = find(name);
	if (!v)
		return ENV_PLAIN;
	return v->power == COMMAND ? ENV_CHANGES : (enum env_power)v->power;
}

bool
env_is_command(struct str name)
{
	const struct variable *v = find(name);

	return v && v->power == COMMAND;
}
