/*
 * An agent's settings changed while it runs: accept them only if they still name this hook.
 *
 * MUST
 * 1. Refuse settings that cannot be read: the agent then keeps its current ones.
 * 2. Accept only this program with these arguments as this hook.
 * 3. Record the change in either case.
 */
#define _GNU_SOURCE /* st_ino of /proc/self/exe in every library */
#include "cli/install/install.h"
#include "hook/hook.h"
#include "os/file.h"
#include <sys/stat.h>

struct settings {
	struct hook *h;
	struct install_place place;
	const char *why; /* static text: what is wrong with the settings */
};

/* True if the settings name the running program. */
static bool
is_this_program(struct arena *a, struct str program)
{
	const char *path = program.n && program.p[0] == '/' ? STORE_NAME(a, program) : NULL;
	struct stat there, here;

	return path && stat(path, &there) == 0 && stat("/proc/self/exe", &here) == 0 &&
	       there.st_dev == here.st_dev && there.st_ino == here.st_ino;
}

static bool
is_this_hook(const struct settings *s, const struct setup_found *f)
{
	const struct hook *h = s->h;

	if (f->events < f->wanted || !f->closed || f->narrow || f->differ ||
	    f->arguments_n != h->argc || !is_this_program(&s->h->a, f->program))
		return false;
	for (size_t i = 0; i < h->argc; i++)
		if (!str_eq(f->arguments[i], str_from_c(h->argv[i])))
			return false;
	return true;
}

/* True if the file registers this hook; s->why gets any problem. */
static bool
look_at(struct settings *s, const char *path)
{
	struct setup_found f;
	struct str text;
	enum store_result r =
	    path ? store_read(&s->h->a, path, STORE_ANY, INSTALL_FILE, &text, NULL)
		 : STORE_MISSING;

	if (r == STORE_MISSING)
		return false;
	if (r || setup_inspect(&s->h->a, AGENT_CLAUDE, SCOPE_USER, text, &f, NULL)) {
		s->why = "cannot read the changed settings";
		return false;
	}
	if (f.disabled) {
		s->why = "the changed settings disable all hooks";
		return false;
	}
	if (f.entries && !is_this_hook(s, &f))
		s->why = "the changed settings register cordon's hook differently";
	return f.entries > 0;
}

/* Require the hook in some settings file, and no problem in the changed one. */
static bool
find_hook(struct settings *s)
{
	static const enum agent_scope scopes[] = { SCOPE_USER, SCOPE_PROJECT,
		SCOPE_MANAGED };
	struct hook *h = s->h;
	bool stands = h->call.settings.p && look_at(s, STORE_NAME(&h->a, h->call.settings));

	for (size_t i = 0; !s->why && !stands && i < sizeof scopes / sizeof *scopes; i++)
		stands =
		    look_at(s, install_path(&h->a, &s->place, AGENT_CLAUDE, scopes[i]));
	if (!s->why && !stands)
		s->why = "the changed settings no longer register cordon's hook";
	return !s->why;
}

void
hook_settings(struct hook *h, struct agent_answer *ret)
{
	struct settings s = { .h = h,
		.place = { .cli = h->cli,
		    .home = h->base.home,
		    .root = h->base.projects.n ? h->base.projects.v[0] : h->base.cwd } };
	struct keep_who who = hook_who(h);
	struct keep_change change = { .op = STR("agent settings"),
		.path = h->call.settings,
		.command = h->call.tool,
		.session = h->call.session,
		.reason = STR("they still name this hook") };

	s.place.sysroot = STR("");
	if (!find_hook(&s)) {
		(void)keep_refusal(
		    &h->keep, &who, h->call.settings, str_from_c(s.why), NULL);
		hook_deny(h, str_from_c(s.why),
		    STR("change them while the agent is closed; `cordon doctor` shows "
			"what is missing"),
		    ret);
	} else if (keep_change(&h->keep, &change))
		hook_deny(h, h->keep.why,
		    STR("free disk space or repair the journal: `cordon log verify`"), ret);
}
