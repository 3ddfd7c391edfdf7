#define _GNU_SOURCE /* O_CLOEXEC and friends, with every C library */
#include "cli/cli.h"
#include "launch/launch.h"
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* There can be many hidden files and mounts; unused memory costs nothing. */
#define RUN_BYTES ((size_t)256 << 20)

/* Build the argv of `bash -c STRING`, with bash from a fixed path, not from PATH. */
static char *const *
words(struct launch *l, int argc, char **argv, int operand)
{
	static char bash[] = "/bin/bash", usr_bash[] = "/usr/bin/bash", c[] = "-c";
	char **v;

	if (!l->string.p)
		return operand < argc ? argv + operand : NULL;
	v = arena_array(&l->a, 4, sizeof *v);
	if (!v)
		return NULL;
	v[0] = access(bash, X_OK) == 0 ? bash : usr_bash;
	v[1] = c;
	/* Options come from argv, so their texts end with a NUL. */
	v[2] = (char *)(uintptr_t)l->string.p;
	return v;
}

/* Reopen closed stdin, stdout and stderr on /dev/null, so that no later open() lands on
 * 0 to 2. */
static bool
have_streams(void)
{
	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    (errno != EBADF || open("/dev/null", O_RDWR) != fd))
			return false;
	return true;
}

int
run_read_options(const struct process *cli, int argc, char **argv, struct launch *l)
{
	const struct opt opts[] = {
		OPT_VALUE("--sandbox", &l->o.sandbox),
		OPT_VALUE("--network", &l->o.network),
		OPT_FLAG("--block-git-writes", &l->o.block_git),
		OPT_FLAG("--no-tmp-write", &l->o.no_tmp),
		OPT_VALUE("--sandbox-policy", &l->o.policy_file),
		OPT_VALUE("--session", &l->place.session),
		OPT_VALUE("--mode", &l->place.mode),
		OPT_VALUE("--policy", &l->place.policy),
		OPT_VALUE("--debug-dir", &l->o.debug_dir),
		OPT_VALUE("--timeout", &l->o.timeout),
		OPT_VALUE("--wait", &l->o.wait),
		OPT_VALUE("--memory", &l->o.memory),
		OPT_VALUE("--pids", &l->o.pids),
		OPT_VALUE("--file-size", &l->o.file_size),
		OPT_VALUE("--open-files", &l->o.files),
		OPT_VALUE("--tmp-size", &l->o.tmp_size),
		OPT_VALUE("--output-limit", &l->o.output),
		OPT_VALUE("--exec-gate", &l->o.gating),
		OPT_VALUE("--tracer", &l->o.tracer),
		OPT_FLAG("--learn", &l->learn),
		OPT_FLAG("--review", &l->review),
		OPT_VALUE("--changes", &l->o.changes),
		OPT_VALUE("--json-report", &l->o.report),
		OPT_FLAG("--dry-run", &l->dry_run),
		OPT_VALUE("--cwd", &l->place.cwd),
		OPT_VALUE("--home", &l->place.home),
		OPT_VALUE("--for", &l->place.agent),
		OPT_FLAG("--untrusted", &l->place.untrusted),
		OPT_VALUE("--grant", &l->grant),
		OPT_VALUE("-c", &l->string),
		OPT_LIST("--rw", &l->o.rw),
		OPT_LIST("--ro", &l->o.ro),
		OPT_LIST("--ignore", &l->o.ignore),
		OPT_LIST("--root", &l->place.roots),
		OPT_LIST("--project", &l->place.projects),
	};
	struct opts_result got =
	    opts_read(cli, argc, argv, opts, sizeof opts / sizeof *opts);

	if (got.done)
		return got.status;
	if (!have_streams())
		return internal_error(
		    "a standard stream is closed, and /dev/null cannot be opened", 0);
	l->words = str_of(
	    argv[0], (size_t)(argv[argc - 1] - argv[0]) + strlen(argv[argc - 1]) + 1);
	if (!arena_map(&l->a, RUN_BYTES))
		return internal_error("no memory", 0);
	if (l->string.p && got.operand < argc)
		return usage_error(
		    cli, "-c takes one string; unexpected", str_from_c(argv[got.operand]));
	l->run.argv = words(l, argc, argv, got.operand);
	if (!l->run.argv)
		return usage_error(cli, "no command given", (struct str){ NULL, 0 });
	return -1;
}

int
cmd_run(const struct process *cli, int argc, char **argv)
{
	struct launch l = { .cli = cli, .report_fd = -1 };
	int status = run_read_options(cli, argc, argv, &l);

	return status >= 0 ? status : launch_run(&l, launch_judge);
}
