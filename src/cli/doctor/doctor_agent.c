#include "base/path.h"
#include "base/show.h"
#include "base/toml.h"
#include "cli/doctor/doctor.h"
#include "os/file.h"
#include <errno.h>
#include <unistd.h>

static const struct str none = { NULL, 0 };

/* How an agent is noticed: its program, or the directory of its settings. */
static const struct {
	char program[16], dir[24];
} traces[SETUP_HOSTS] = {
	[SETUP_CLAUDE] = { "claude", "/.claude" },
	[SETUP_CURSOR] = { "cursor-agent", "/.cursor" },
	[SETUP_CODEX] = { "codex", "/.codex" },
	[SETUP_GEMINI] = { "gemini", "/.gemini" },
	[SETUP_COPILOT] = { "copilot", "/.copilot" },
	[SETUP_PI] = { "pi", "/.pi" },
	[SETUP_OPENCODE] = { "opencode", "/.config/opencode" },
	[SETUP_WINDSURF] = { "windsurf", "/.codeium/windsurf" },
	[SETUP_CLINE] = { "cline", "/Documents/Cline" },
};

struct agent {
	struct doctor *d;
	enum setup_host host;
	struct str name;
	bool in_user, in_project, in_managed;
	bool any_disabled;
	struct setup_found best; /* of the widest place that has it */
};

static void
find(struct agent *g, enum doctor_level level, struct str what, struct str advice)
{
	doctor_find(g->d, g->name, level, what, advice);
}

static bool
is_here(struct agent *g)
{
	const char *dir = g->d->place.home.p ? STORE_NAME(&g->d->a, g->d->place.home,
						   str_from_c(traces[g->host].dir))
					     : NULL;

	if (doctor_which(g->d, traces[g->host].program).p)
		return true;
	return dir && access(dir, F_OK) == 0;
}

static struct str
install_line(struct agent *g, enum setup_scope scope)
{
	return SAY_PARTS(g->d, STR("cordon install "), g->name,
	    scope == SCOPE_PROJECT   ? STR(" --project")
	    : scope == SCOPE_MANAGED ? STR(" --managed")
				     : STR(""));
}

/* ---- one settings file */

static bool
read_text(struct doctor *d, const char *path, struct str *ret)
{
	return path &&
	       store_read(&d->a, path, STORE_ANY, INSTALL_FILE, ret, NULL) == STORE_OK;
}

static void
check_file(struct agent *g, enum setup_scope scope)
{
	struct doctor *d = g->d;
	const char *path = install_path(&d->a, &d->place, g->host, scope);
	struct setup_found f;
	struct err e = { 0 };
	struct str text;

	if (!read_text(d, path, &text))
		return;
	if (setup_inspect(&d->a, g->host, scope, text, &f, &e)) {
		find(g, DOCTOR_FAULT,
		    SAY_PARTS(d, STR("its settings cannot be read: "), str_from_c(path),
			STR(": "), str_from_c(e.why ? e.why : "")),
		    STR("mend the file; the agent may ignore all of it until then"));
		return;
	}
	if (f.disabled) {
		g->any_disabled = true;
		find(g, DOCTOR_FAULT,
		    SAY_PARTS(d, str_from_c(f.disabled_by), STR(" in "), str_from_c(path),
			STR(" switches hooks off")),
		    STR("remove that line"));
	}
	if (f.entries == 0)
		return;
	*(scope == SCOPE_USER        ? &g->in_user
	    : scope == SCOPE_PROJECT ? &g->in_project
				     : &g->in_managed) = true;
	if (!g->best.entries || scope == SCOPE_MANAGED)
		g->best = f;
	if (f.events < f.wanted)
		find(g, DOCTOR_FAULT,
		    SAY_PARTS(
			d, STR("not every moment is registered in "), str_from_c(path)),
		    install_line(g, scope));
	if (f.narrow)
		find(g, DOCTOR_FAULT,
		    SAY_PARTS(d, STR("an entry in "), str_from_c(path),
			STR(" is for some tools only (matcher)")),
		    install_line(g, scope));
	if (!f.closed)
		find(g, DOCTOR_FAULT,
		    SAY_PARTS(d, STR("an entry in "), str_from_c(path),
			STR(" lets commands run when the hook fails")),
		    install_line(g, scope));
}

/* ---- what else can switch hooks off */

static const struct json *
read_json(struct doctor *d, const char *path)
{
	static const struct json_opts jsonc = { .comments = true };
	const struct json *v = NULL;
	struct str text;

	if (!read_text(d, path, &text) || json_read(&d->a, text, &jsonc, &v, NULL))
		return NULL;
	return v;
}

static bool
is_bool(const struct json *v, const char *key, bool truth)
{
	const struct json *m = json_get(v, str_from_c(key));

	return m && m->kind == JSON_BOOL && m->truth == truth;
}

static void
say_off(struct agent *g, const char *key, const char *path)
{
	g->any_disabled = true;
	find(g, DOCTOR_FAULT,
	    SAY_PARTS(g->d, str_from_c(key), STR(" in "), str_from_c(path),
		STR(" switches the hook off")),
	    STR("remove that line, or register cordon with --managed"));
}

static void
check_claude(struct agent *g)
{
	struct doctor *d = g->d;
	const char *local = d->place.root.p ? STORE_NAME(&d->a, d->place.root,
						  STR("/.claude/settings.local.json"))
					    : NULL;
	const char *managed = install_path(&d->a, &d->place, SETUP_CLAUDE, SCOPE_MANAGED);

	if (local && is_bool(read_json(d, local), "disableAllHooks", true))
		say_off(g, "disableAllHooks", local);
	if (!g->in_managed && managed &&
	    is_bool(read_json(d, managed), "allowManagedHooksOnly", true))
		say_off(g, "allowManagedHooksOnly", managed);
}

/* 2.1.295 → 2, 1, 295. */
static unsigned
take_number(struct str *s)
{
	unsigned n = 0;

	while (s->n && s->p[0] >= '0' && s->p[0] <= '9') {
		n = n * 10 + (unsigned)(s->p[0] - '0');
		*s = str_skip(*s, 1);
	}
	if (s->n && s->p[0] == '.')
		*s = str_skip(*s, 1);
	return n;
}

static void
check_claude_version(struct agent *g)
{
	struct str path = doctor_which(g->d, "claude"), s;
	char *argv[] = { (char *)path.p, (char *)"--version", NULL };
	struct doctor_call c;
	unsigned a, b, n;

	if (!path.p)
		return;
	doctor_run(g->d, argv, STR(""), &c);
	if (!c.started || c.status)
		return;
	s = c.output;
	a = take_number(&s);
	b = take_number(&s);
	n = take_number(&s);
	if (a * 1000000u + b * 10000u + n < 2 * 1000000u + 1 * 10000u + 295)
		find(g, DOCTOR_WARN,
		    SAY_PARTS(g->d, STR("it is older than 2.1.295, and does not know "
					"onFailure: it goes "
					"on when the hook is killed or missing")),
		    STR("update Claude Code"));
}

/* Codex keeps which hooks it was told to trust in its configuration. */
static bool
codex_trusts(struct doctor *d, const struct json *config, const char *hooks)
{
	const struct json *state = json_get(json_get(config, STR("hooks")), STR("state"));

	(void)d;
	for (const struct json *m = state ? state->first : NULL; m; m = m->next)
		if (str_starts(m->key, str_from_c(hooks)) &&
		    json_get(m, STR("trusted_hash")) && !is_bool(m, "enabled", false))
			return true;
	return false;
}

static void
check_codex(struct agent *g)
{
	struct doctor *d = g->d;
	const char *hooks = install_path(&d->a, &d->place, SETUP_CODEX, SCOPE_USER);
	const char *managed = install_path(&d->a, &d->place, SETUP_CODEX, SCOPE_MANAGED);
	const char *path;
	const struct json *config = NULL, *required = NULL;
	struct str text;

	if (!hooks)
		return;
	path = STORE_NAME(&d->a, path_parent(str_from_c(hooks)), STR("/config.toml"));
	if (read_text(d, path, &text))
		(void)toml_read(&d->a, text, &config, NULL);
	if (read_text(d, managed, &text))
		(void)toml_read(&d->a, text, &required, NULL);
	if (is_bool(json_get(config, STR("features")), "hooks", false))
		say_off(g, "features.hooks", path);
	if (!g->in_managed && is_bool(required, "allow_managed_hooks_only", true))
		say_off(g, "allow_managed_hooks_only", managed);
	if (g->in_user && !g->in_managed && !codex_trusts(d, config, hooks))
		find(g, DOCTOR_FAULT,
		    STR("Codex does not call it before you have said that you trust it"),
		    STR("start codex and answer /hooks; or cordon install codex "
			"--managed"));
}

/* ---- the program that is called */

static void
check_program(struct agent *g)
{
	struct doctor *d = g->d;
	const char *path = STORE_NAME(&d->a, g->best.program);
	struct stat st, self;

	if (!path || stat(path, &st) || access(path, X_OK)) {
		find(g, DOCTOR_FAULT,
		    SAY_PARTS(d, STR("the program that it calls is not there: "),
			g->best.program),
		    install_line(g, SCOPE_USER));
		return;
	}
	if (st.st_mode & (S_IWGRP | S_IWOTH))
		find(g, DOCTOR_FAULT,
		    SAY_PARTS(d, STR("others may change the program that it calls: "),
			g->best.program),
		    SAY_PARTS(d, STR("chmod go-w "), g->best.program));
	if (d->place.root.p && path_is_within(d->place.root, g->best.program))
		find(g, DOCTOR_WARN,
		    SAY_PARTS(d,
			STR("the agent could change the program that it calls: it "
			    "lies in this project: "),
			g->best.program),
		    STR("install cordon outside of the project, and register it from "
			"there"));
	if (stat("/proc/self/exe", &self) == 0 &&
	    (self.st_dev != st.st_dev || self.st_ino != st.st_ino))
		find(g, DOCTOR_NOTE,
		    SAY_PARTS(
			d, STR("it calls another cordon than this one: "), g->best.program),
		    SAY_PARTS(d, install_line(g, SCOPE_USER),
			STR(", if that is not what you want")));
}

static bool
has_argument(const struct setup_found *f, const char *name)
{
	for (size_t i = 0; i < f->arguments_n; i++)
		if (str_is(f->arguments[i], name))
			return true;
	return false;
}

static void
check_arguments(struct agent *g)
{
	if (!has_argument(&g->best, "--deadline"))
		find(g, DOCTOR_WARN,
		    STR("the hook was not told how long the agent waits for it"),
		    install_line(g, SCOPE_USER));
	if (setup_host_uses_shell(g->host) && g->d->shell.n &&
	    !str_is(g->d->shell, "bash") && !has_argument(&g->best, "--shell"))
		find(g, DOCTOR_WARN,
		    SAY_PARTS(g->d, STR("your shell is "), g->d->shell,
			STR(", and the hook was not told so")),
		    install_line(g, SCOPE_USER));
}

static void
check_call(struct agent *g)
{
	bool shell =
	    g->host != SETUP_CLAUDE && g->host != SETUP_PI && g->host != SETUP_OPENCODE;
	unsigned ms = 0;
	struct str wrong = doctor_dry_call(g->d, g->host, &g->best, shell, &ms);
	struct buf b;

	if (wrong.p) {
		find(g, DOCTOR_FAULT, wrong,
		    STR("call it by hand to see why: cordon status"));
		return;
	}
	buf_init(&b, &g->d->a);
	buf_putu(&b, ms);
	find(g, DOCTOR_FINE,
	    SAY_PARTS(g->d, STR("the hook refuses what it must and answers in "),
		buf_str(&b), STR(" ms")),
	    none);
}

static void
check_failing(struct agent *g)
{
	enum setup_fails fails = setup_host_fails(g->host);

	if (fails == FAILS_CLOSED)
		return;
	find(g, fails == FAILS_OPEN ? DOCTOR_WARN : DOCTOR_NOTE,
	    SAY_PARTS(g->d, STR("if the hook is killed or missing, "),
		str_from_c(setup_host_title(g->host)), STR(" "),
		str_from_c(setup_host_fails_text(g->host))),
	    fails == FAILS_OPEN
		? STR("keep the agent's own sandbox on; whatever else goes wrong, the hook "
		      "itself refuses")
		: none);
}

static void
check_trust(struct agent *g)
{
	if (g->in_project && !g->in_user && !g->in_managed)
		find(g, DOCTOR_NOTE,
		    STR("it is registered in this project only, and counts once the agent "
			"trusts the project"),
		    SAY_PARTS(
			g->d, STR("cordon install "), g->name, STR(", for all projects")));
}

static void
check_agent(struct agent *g)
{
	bool any;

	g->d->agents++;
	for (enum setup_scope s = 0; s < SCOPES; s++)
		check_file(g, s);
	any = g->in_user || g->in_project || g->in_managed;
	if (!any) {
		find(g, DOCTOR_FAULT,
		    SAY_PARTS(g->d, str_from_c(setup_host_title(g->host)),
			STR(" is on this machine and does not call cordon")),
		    install_line(g, SCOPE_USER));
		return;
	}
	find(g, DOCTOR_FINE,
	    SAY_PARTS(g->d, STR("registered:"), g->in_managed ? STR(" managed") : STR(""),
		g->in_user ? STR(" user") : STR(""),
		g->in_project ? STR(" project") : STR("")),
	    none);
	check_program(g);
	check_arguments(g);
	check_trust(g);
	if (g->host == SETUP_CLAUDE) {
		check_claude(g);
		check_claude_version(g);
	}
	if (g->host == SETUP_CODEX)
		check_codex(g);
	check_call(g);
	check_failing(g);
}

void
doctor_agents(struct doctor *d)
{
	for (enum setup_host h = 0; h < SETUP_HOSTS; h++) {
		struct agent g = {
			.d = d, .host = h, .name = str_from_c(setup_host_name(h))
		};

		if (is_here(&g))
			check_agent(&g);
	}
	if (!d->agents)
		doctor_find(d, STR("agents"), DOCTOR_NOTE,
		    STR("no agent was found on this machine"), none);
}
