#define _GNU_SOURCE /* O_CLOEXEC and friends in every library */
#include "cli/cli.h"
#include "launch/launch.h"
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* Hidden files and mounts can be many; only what is used costs memory. */
#define RUN_BYTES ((size_t)256 << 20)

/* A string is for bash, found where no PATH can lead elsewhere. */
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
	/* Options come from argv: their texts end with a NUL. */
	v[2] = (char *)(uintptr_t)l->string.p;
	return v;
}

/* A stream that is closed would be whatever we open next, for us and for the command: it is
 * the empty one instead. */
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
		{ "--sandbox", NULL, &l->o.sandbox },
		{ "--network", NULL, &l->o.network },
		{ "--block-git-writes", &l->o.block_git, NULL },
		{ "--no-tmp-write", &l->o.no_tmp, NULL },
		{ "--sandbox-policy", NULL, &l->o.policy_file },
		{ "--session", NULL, &l->place.session },
		{ "--mode", NULL, &l->place.mode },
		{ "--policy", NULL, &l->place.policy },
		{ "--debug-dir", NULL, &l->o.debug_dir },
		{ "--timeout", NULL, &l->o.timeout },
		{ "--wait", NULL, &l->o.wait },
		{ "--memory", NULL, &l->o.memory },
		{ "--pids", NULL, &l->o.pids },
		{ "--file-size", NULL, &l->o.file_size },
		{ "--open-files", NULL, &l->o.files },
		{ "--tmp-size", NULL, &l->o.tmp_size },
		{ "--output-limit", NULL, &l->o.output },
		{ "--exec-gate", NULL, &l->o.gating },
		{ "--tracer", NULL, &l->o.tracer },
		{ "--learn", &l->learn, NULL },
		{ "--review", &l->review, NULL },
		{ "--changes", NULL, &l->o.changes },
		{ "--json-report", NULL, &l->o.report },
		{ "--dry-run", &l->dry_run, NULL },
		{ "--cwd", NULL, &l->place.cwd },
		{ "--home", NULL, &l->place.home },
		{ "--for", NULL, &l->place.agent },
		{ "--untrusted", &l->place.untrusted, NULL },
		{ "--grant", NULL, &l->grant },
		{ "-c", NULL, &l->string },
	};
	const struct opt_many many[] = {
		{ "--rw", &l->o.rw },
		{ "--ro", &l->o.ro },
		{ "--ignore", &l->o.ignore },
		{ "--root", &l->place.roots },
		{ "--project", &l->place.projects },
	};
	struct opts_result got = opts_read_many(cli, argc, argv, opts,
	    sizeof opts / sizeof *opts, many, sizeof many / sizeof *many);

	if (got.done)
		return got.status;
	if (!have_streams())
		return internal_error(
		    "a standard stream is closed, and so is /dev/null", 0);
	l->words = str_of(
	    argv[0], (size_t)(argv[argc - 1] - argv[0]) + strlen(argv[argc - 1]) + 1);
	if (!arena_map(&l->a, RUN_BYTES))
		return internal_error("no memory", 0);
	if (l->string.p && got.operand < argc)
		return usage_error(
		    cli, "-c takes one string, not also", str_from_c(argv[got.operand]));
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

	return status >= 0 ? status : launch(&l, launch_judge);
}
