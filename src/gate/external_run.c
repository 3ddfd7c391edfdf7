#include "gate/external.h"
#include "os/child.h"
#include <sys/wait.h>

const char *
external_run(struct arena *a, const struct process *cli, const struct external_call *c,
    const char *program, unsigned ms, struct str input, struct str *ret)
{
	static const char why[][32] = { [CHILD_NOT_STARTED] = "cannot be started",
		[CHILD_LATE] = "timed out",
		[CHILD_TOO_MUCH] = "printed too much",
		[CHILD_UNREADABLE] = "cannot read its output",
		[CHILD_NO_MEMORY] = "no memory" };
	char *argv[] = { (char *)(uintptr_t)program, NULL };
	struct child_call call = { .argv = argv,
		.env = cli->env,
		.cwd = c->cwd.p ? STORE_NAME(a, c->cwd) : NULL,
		.input = input,
		.ms = ms,
		.max = EXTERNAL_OUTPUT,
		.watch = c->watch };
	struct child_result got;
	enum child_end end = child_run(a, &call, &got);

	if (end != CHILD_EXITED)
		return why[end];
	if (!WIFEXITED(got.status) || WEXITSTATUS(got.status) != 0)
		return "failed";
	*ret = got.output;
	return NULL;
}
