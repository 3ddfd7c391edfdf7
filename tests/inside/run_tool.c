/*
 * `cordon run` without a decision: the options, the plan and the sandbox alone.
 *
 *	run_tool [--gate] OPTIONS... (-c STRING | -- ARGV...)
 *
 * --gate judges every exec: `git push`, and any word "forbidden" as first argument, is
 * refused.  For tests and benchmarks; it is not installed.
 */
#define _GNU_SOURCE
#include "cli/cli.h"
#include "launch/running.h"

int
help_print_one(const char *name)
{
	(void)name;
	return put_out(STR("run_tool [--gate] OPTIONS... (-c STRING | -- ARGV...)\n"));
}

static enum verdict
judge_exec(void *context, const struct exec_request *q)
{
	struct str base = q->argc ? str_base(q->argv[0]) : STR("");

	(void)context;
	if (q->first)
		return VERDICT_ALLOW;
	if (q->argc > 1 && (str_is(q->argv[1], "forbidden") ||
			       (str_is(base, "git") && str_is(q->argv[1], "push"))))
		return VERDICT_DENY;
	/* Behind a loader that was started by hand. */
	for (size_t i = 2; i < q->argc; i++)
		if (str_is(q->argv[i], "forbidden"))
			return VERDICT_DENY;
	return VERDICT_CONFINE;
}

static int
decide_nothing(
    void *context, struct arena *a, const struct run_question *q, struct run_answer *ret)
{
	(void)a;
	*ret =
	    (struct run_answer){ .verdict = VERDICT_CONFINE, .sandbox = q->flags->policy };
	if (*(bool *)context)
		ret->judge = judge_exec;
	if (ret->sandbox.type == SANDBOX_UNSPECIFIED)
		ret->sandbox = sandbox_tightened(&ret->sandbox);
	return 0;
}

int
main(int argc, char **argv, char **envp)
{
	struct process cli = { .name = "run", .env = envp };
	struct running r;
	char *const *command;
	int status;
	bool gate = argc > 1 && strcmp(argv[1], "--gate") == 0;

	cli.home = process_env(&cli, "HOME");
	r = (struct running){ .cli = &cli, .report_fd = -1 };
	status = run_read_options(&cli, argc - gate, argv + gate, &r, &command);
	return status >= 0 ? status : launch(&r, command, decide_nothing, &gate);
}
