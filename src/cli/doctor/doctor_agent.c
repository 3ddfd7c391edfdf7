#include "base/path.h"
#include "base/show.h"
#include "base/toml.h"
#include "cli/doctor/doctor.h"
#include "os/file.h"
#include <errno.h>
#include <unistd.h>

static const struct str none = { NULL, 0 };

/* One agent under examination. */
struct examined {
	struct doctor *d;
	enum agent agent;
	const struct agent_profile *profile;
	struct str name;
	bool in_user, in_project, in_managed;
	bool any_disabled;
	struct setup_found best; /* of the widest scope that has an entry */
};

static void
find(struct examined *g, enum doctor_level level, struct str what, struct str advice)
{
	doctor_find(g->d, g->name, level, what, advice);
}

static bool
is_here(struct examined *g)
{
	const char *dir = g->d->place.home.p ? STORE_NAME(&g->d->a, g->d->place.home,
						   str_from_c(g->profile->dir))
					     : NULL;

	if (doctor_which(g->d, g->profile->program).p)
		return true;
	return dir && access(dir, F_OK) == 0;
}

static struct str
install_line(struct examined *g, enum agent_scope scope)
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
check_file(struct examined *g, enum agent_scope scope)
{
	struct doctor *d = g->d;
	const char *path = install_path(&d->a, &d->place, g->agent, scope);
	struct setup_found f;
	struct err e = { 0 };
	struct str text;

	if (!read_text(d, path, &text))
		return;
	if (setup_inspect(&d->a, g->agent, scope, text, &f, &e)) {
		find(g, DOCTOR_FAULT,
		    SAY_PARTS(d, STR("its settings cannot be parsed: "), str_from_c(path),
			STR(": "), str_from_c(e.why ? e.why : "")),
		    STR("correct the file; until then the agent may ignore all of it"));
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
			d, STR("not every event is registered in "), str_from_c(path)),
		    install_line(g, scope));
	if (f.narrow)
		find(g, DOCTOR_FAULT,
		    SAY_PARTS(d, STR("an entry in "), str_from_c(path),
			STR(" applies to some tools only (matcher)")),
		    install_line(g, scope));
	if (!f.closed)
		find(g, DOCTOR_FAULT,
		    SAY_PARTS(d, STR("an entry in "), str_from_c(path),
			STR(" lets commands run if the hook fails")),
		    install_line(g, scope));
}

/* ---- other settings that switch hooks off */

/* Read a JSON or TOML file, by its suffix; NULL: missing or unreadable. */
static const struct json *
read_settings(struct doctor *d, const char *path)
{
	static const struct json_opts jsonc = { .comments = true };
	const struct json *v = NULL;
	struct str text;

	if (!read_text(d, path, &text))
		return NULL;
	if (str_ends(str_from_c(path), STR(".toml")))
		return toml_read(&d->a, text, &v, NULL) ? NULL : v;
	return json_read(&d->a, text, &jsonc, &v, NULL) ? NULL : v;
}

/* Path of a file beside the user's settings file. */
static const char *
beside_user(struct examined *g, const char *name)
{
	struct doctor *d = g->d;
	const char *user = install_path(&d->a, &d->place, g->agent, SCOPE_USER);

	return user ? STORE_NAME(
			  &d->a, path_parent(str_from_c(user)), STR("/"), str_from_c(name))
		    : NULL;
}

/* Path of the file with this switch; NULL: none, or it has no effect here. */
static const char *
switch_file(struct examined *g, const struct agent_switch *s)
{
	struct doctor *d = g->d;

	switch (s->where) {
	case IN_PROJECT:
		return d->place.root.p
			   ? STORE_NAME(&d->a, d->place.root, STR("/"), str_from_c(s->path))
			   : NULL;
	case IN_MANAGED:
		return g->in_managed
			   ? NULL
			   : install_path(&d->a, &d->place, g->agent, SCOPE_MANAGED);
	case BESIDE_USER:
		return beside_user(g, s->path);
	case IN_SETTINGS: /* setup_inspect has checked it */
		break;
	}
	return NULL;
}

static void
check_switches(struct examined *g)
{
	const struct agent_switch *s = g->profile->off;

	for (int i = 0; i < AGENT_SWITCHES; i++) {
		const char *path = switch_file(g, &s[i]);

		if (!path || !setup_is_off(&s[i], read_settings(g->d, path)))
			continue;
		g->any_disabled = true;
		find(g, DOCTOR_FAULT,
		    SAY_PARTS(g->d, str_from_c(s[i].key), STR(" in "), str_from_c(path),
			STR(" switches the hook off")),
		    STR("remove that line, or register cordon with --managed"));
	}
}

/* Read the next number of a version such as 2.1.295. */
static unsigned
take_number(struct str *s)
{
	uint64_t n = 0;

	(void)str_take_number(s, UINT32_MAX, &n);
	if (s->n && s->p[0] == '.')
		*s = str_skip(*s, 1);
	return (unsigned)n;
}

static bool
is_older(struct str version, struct str than)
{
	for (int i = 0; i < 3; i++) {
		unsigned a = take_number(&version), b = take_number(&than);

		if (a != b)
			return a < b;
	}
	return false;
}

static void
check_version(struct examined *g)
{
	struct str path = doctor_which(g->d, g->profile->program);
	struct str since = str_from_c(g->profile->stops_since);
	char *argv[] = { (char *)path.p, (char *)"--version", NULL };
	struct doctor_call c;

	if (!path.p || !since.n)
		return;
	doctor_run(g->d, argv, STR(""), &c);
	if (!c.started || c.status || !is_older(c.output, since))
		return;
	find(g, DOCTOR_WARN,
	    SAY_PARTS(g->d, STR("it is older than "), since, STR(" and does not know "),
		str_from_c(g->profile->stops_key),
		STR(": it runs the tool if the hook is killed or missing")),
	    SAY_PARTS(g->d, STR("update "), str_from_c(g->profile->title)));
}

/* Codex lists trusted hooks in config.toml: [hooks.state."FILE:..."] trusted_hash = ... */
static bool
is_trusted(struct examined *g)
{
	const char *hooks = install_path(&g->d->a, &g->d->place, g->agent, SCOPE_USER);
	const struct json *config = read_settings(g->d, beside_user(g, "config.toml"));
	const struct json *state = json_get(json_get(config, STR("hooks")), STR("state"));

	for (const struct json *m = state ? state->first : NULL; m && hooks; m = m->next) {
		const struct json *enabled = json_get(m, STR("enabled"));

		if (str_starts(m->key, str_from_c(hooks)) &&
		    json_get(m, STR("trusted_hash")) &&
		    !(enabled && enabled->kind == JSON_BOOL && !enabled->truth))
			return true;
	}
	return false;
}

static void
check_hook_trust(struct examined *g)
{
	if (!g->profile->needs_trust || !g->in_user || g->in_managed || is_trusted(g))
		return;
	find(g, DOCTOR_FAULT,
	    SAY_PARTS(g->d, str_from_c(g->profile->title),
		STR(" does not call the hook until you trust it")),
	    SAY_PARTS(g->d, STR("start "), str_from_c(g->profile->program),
		STR(" and answer /hooks, or run: cordon install "), g->name,
		STR(" --managed")));
}

/* ---- the registered program */

static void
check_program(struct examined *g)
{
	struct doctor *d = g->d;
	const char *path = STORE_NAME(&d->a, g->best.program);
	struct stat st, self;

	if (!path || stat(path, &st) || access(path, X_OK)) {
		find(g, DOCTOR_FAULT,
		    SAY_PARTS(
			d, STR("the registered program does not exist: "), g->best.program),
		    install_line(g, SCOPE_USER));
		return;
	}
	if (st.st_mode & (S_IWGRP | S_IWOTH))
		find(g, DOCTOR_FAULT,
		    SAY_PARTS(d, STR("other users can change the registered program: "),
			g->best.program),
		    SAY_PARTS(d, STR("chmod go-w "), g->best.program));
	if (d->place.root.p && path_is_within(d->place.root, g->best.program))
		find(g, DOCTOR_WARN,
		    SAY_PARTS(d,
			STR("the agent can change the registered program, which is inside "
			    "this "
			    "project: "),
			g->best.program),
		    STR("install cordon outside the project and register it from there"));
	if (stat("/proc/self/exe", &self) == 0 &&
	    (self.st_dev != st.st_dev || self.st_ino != st.st_ino))
		find(g, DOCTOR_NOTE,
		    SAY_PARTS(d,
			STR("the registered program is another cordon than this one: "),
			g->best.program),
		    SAY_PARTS(
			d, install_line(g, SCOPE_USER), STR(", to register this one")));
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
check_arguments(struct examined *g)
{
	if (!has_argument(&g->best, "--deadline"))
		find(g, DOCTOR_WARN,
		    STR("the hook has no --deadline, so it does not know how long the "
			"agent waits"),
		    install_line(g, SCOPE_USER));
	if (g->profile->user_shell && g->d->shell.n && !str_is(g->d->shell, "bash") &&
	    !has_argument(&g->best, "--shell"))
		find(g, DOCTOR_WARN,
		    SAY_PARTS(g->d, STR("your shell is "), g->d->shell,
			STR(", but the hook has no --shell option")),
		    install_line(g, SCOPE_USER));
}

static void
check_call(struct examined *g)
{
	unsigned ms = 0;
	struct str wrong = doctor_dry_call(g->d, g->agent, &g->best, &ms);
	struct buf b;

	if (wrong.p) {
		find(g, DOCTOR_FAULT, wrong,
		    STR("run `cordon status`; a broken rules file is the usual cause"));
		return;
	}
	buf_init(&b, &g->d->a);
	buf_putu(&b, ms);
	find(g, DOCTOR_FINE,
	    SAY_PARTS(g->d, STR("the hook works and answers in "), buf_str(&b), STR(" ms")),
	    none);
}

static void
check_failing(struct examined *g)
{
	enum agent_fails fails = (enum agent_fails)g->profile->fails;

	if (fails == FAILS_CLOSED)
		return;
	find(g, fails == FAILS_OPEN ? DOCTOR_WARN : DOCTOR_NOTE,
	    SAY_PARTS(g->d, STR("if the hook is killed or missing, "),
		str_from_c(g->profile->title), STR(" "),
		str_from_c(g->profile->fails_text)),
	    fails == FAILS_OPEN
		? STR("keep the agent's own sandbox on; in all other cases of failure "
		      "the hook refuses")
		: none);
}

static void
check_trust(struct examined *g)
{
	if (g->in_project && !g->in_user && !g->in_managed)
		find(g, DOCTOR_NOTE,
		    STR("registered in this project only; counts once the agent trusts the "
			"project"),
		    SAY_PARTS(
			g->d, STR("cordon install "), g->name, STR(", for all projects")));
}

static void
check_agent(struct examined *g)
{
	bool any;

	g->d->agents++;
	for (enum agent_scope s = 0; s < SCOPES; s++)
		check_file(g, s);
	any = g->in_user || g->in_project || g->in_managed;
	if (!any) {
		find(g, DOCTOR_FAULT,
		    SAY_PARTS(g->d, str_from_c(g->profile->title),
			STR(" is installed but does not call cordon")),
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
	check_switches(g);
	check_version(g);
	check_hook_trust(g);
	check_call(g);
	check_failing(g);
}

void
doctor_agents(struct doctor *d)
{
	for (enum agent i = 0; i < AGENTS; i++) {
		struct examined g = { .d = d,
			.agent = i,
			.profile = agent_profile(i),
			.name = str_from_c(agent_name(i)) };

		if (is_here(&g))
			check_agent(&g);
	}
	if (!d->agents)
		doctor_find(
		    d, STR("agents"), DOCTOR_NOTE, STR("no agent is installed"), none);
}
