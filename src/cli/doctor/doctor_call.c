#define _GNU_SOURCE
#include "base/json/json.h"
#include "base/quote.h"
#include "cli/doctor/doctor.h"
#include "os/child.h"
#include "os/file.h"
#include <sys/wait.h>
#include <unistd.h>

#define OUTPUT_MAX ((size_t)64 << 10)

struct str
doctor_which(struct doctor *d, const char *name)
{
	struct str rest = d->search;

	while (rest.n) {
		size_t end = str_find(rest, ':');
		struct str dir = str_cut(rest, 0, end);
		const char *path =
		    dir.n ? STORE_NAME(&d->a, dir, STR("/"), str_from_c(name)) : NULL;

		if (path && access(path, X_OK) == 0)
			return str_from_c(path);
		rest = str_skip(rest, end + 1);
	}
	return (struct str){ NULL, 0 };
}

void
doctor_run(struct doctor *d, char **argv, struct str input, struct doctor_call *ret)
{
	struct child_call call = { .argv = argv,
		.env = d->cli->env,
		.input = input,
		.ms = DOCTOR_SECONDS * 1000,
		.max = OUTPUT_MAX };
	struct child_result got;
	enum child_end end = child_run(&d->a, &call, &got);

	*ret = (struct doctor_call){ 0 };
	if (end == CHILD_NOT_STARTED)
		return;
	ret->late = end != CHILD_EXITED;
	/* A shell exits with 127 if it does not find the command. */
	ret->started =
	    !ret->late && !(WIFEXITED(got.status) && WEXITSTATUS(got.status) == 127);
	ret->status =
	    WIFSIGNALED(got.status) ? 128 + WTERMSIG(got.status) : WEXITSTATUS(got.status);
	ret->output = got.output;
	ret->ms = got.ms;
}

/* ---- the sample call */

static struct str
make_payload(struct doctor *d, enum agent agent, struct str command)
{
	struct buf b;

	buf_init(&b, &d->a);
	for (const char *p = agent_profile(agent)->sample; *p; p++) {
		if (*p == '%')
			json_put_str(&b, command);
		else if (*p == '@')
			json_put_str(&b, d->cwd);
		else
			buf_putc(&b, *p);
	}
	if (b.full)
		d->full = true;
	return buf_str(&b);
}

static bool
is_refusal(enum agent agent, const struct doctor_call *c)
{
	struct str mark = str_from_c(agent_profile(agent)->refused);

	if (mark.n == 0)
		return c->status == AGENT_STATUS;
	for (size_t i = 0; i + mark.n <= c->output.n; i++)
		if (str_starts(str_skip(c->output, i), mark))
			return true;
	return false;
}

/* ---- call the hook */

/* Build argv as the agent starts the hook: directly, or through a shell. */
static char **
argv_of(struct doctor *d, const struct setup_found *f, bool shell)
{
	char **argv = arena_array(&d->a, f->arguments_n + 4, sizeof *argv);
	struct buf line;

	if (!argv)
		return NULL;
	if (!shell) {
		argv[0] = (char *)STORE_NAME(&d->a, f->program);
		for (size_t i = 0; i < f->arguments_n; i++)
			argv[i + 1] = (char *)STORE_NAME(&d->a, f->arguments[i]);
		return argv[0] ? argv : NULL;
	}
	buf_init(&line, &d->a);
	(void)quote_put(&line, QUOTE_BASH, f->program, NULL);
	for (size_t i = 0; i < f->arguments_n; i++) {
		buf_putc(&line, ' ');
		(void)quote_put(&line, QUOTE_BASH, f->arguments[i], NULL);
	}
	buf_putc(&line, '\0');
	argv[0] = (char *)"/bin/sh";
	argv[1] = (char *)"-c";
	argv[2] = line.p;
	return line.full ? NULL : argv;
}

struct str
doctor_dry_call(
    struct doctor *d, enum agent agent, const struct setup_found *f, unsigned *ret_ms)
{
	char **argv = argv_of(d, f, !agent_profile(agent)->no_shell);
	struct doctor_call refused, allowed;

	if (!argv)
		return STR("the registered command cannot be parsed");
	doctor_run(d, argv, make_payload(d, agent, STR("reboot")), &refused);
	if (refused.late)
		return STR("the registered hook does not answer");
	if (!refused.started)
		return STR("the registered hook cannot be started");
	if (!is_refusal(agent, &refused))
		return STR("the registered hook does not refuse `reboot`");
	doctor_run(d, argv, make_payload(d, agent, STR("true")), &allowed);
	if (!allowed.started || is_refusal(agent, &allowed))
		return STR("the registered hook refuses everything, even `true`");
	*ret_ms = allowed.ms;
	return (struct str){ NULL, 0 };
}
