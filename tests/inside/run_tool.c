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
#include "launch/launch.h"

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

static bool gate;

static int
decide_nothing(struct launch *l)
{
	l->verdict = VERDICT_CONFINE;
	l->sandbox = l->flags.policy;
	if (gate)
		l->run.policy.judge = judge_exec;
	if (l->sandbox.type == SANDBOX_UNSPECIFIED)
		l->sandbox = sandbox_tightened(&l->sandbox);
	return 0;
}

int
main(int argc, char **argv, char **envp)
{
	struct process cli = { .name = "run", .env = envp };
	struct launch l = { .cli = &cli, .report_fd = -1 };
	int status;

	gate = argc > 1 && strcmp(argv[1], "--gate") == 0;
	cli.home = process_env(&cli, "HOME");
	status = run_read_options(&cli, argc - gate, argv + gate, &l);
	return status >= 0 ? status : launch_run(&l, decide_nothing);
}
