#define _GNU_SOURCE /* O_CLOEXEC and friends in every library */
#include "cli/cli.h"
#include "launch/running.h"
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* Hidden files and mounts can be many; only what is used costs memory. */
#define RUN_BYTES ((size_t)256 << 20)

/* A string is for bash, found where no PATH can lead elsewhere. */
static char *const *
words(struct running *r, int argc, char **argv, int operand)
{
	static char bash[] = "/bin/bash", usr_bash[] = "/usr/bin/bash", c[] = "-c";
	char **v;

	if (!r->string.p)
		return operand < argc ? argv + operand : NULL;
	v = arena_array(&r->a, 4, sizeof *v);
	if (!v)
		return NULL;
	v[0] = access(bash, X_OK) == 0 ? bash : usr_bash;
	v[1] = c;
	/* Options come from argv: their texts end with a NUL. */
	v[2] = (char *)(uintptr_t)r->string.p;
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

/* The options of `cordon run`, into *r; -1: go on with *ret_argv, else an exit status. */
int
run_read_options(const struct process *cli, int argc, char **argv, struct running *r,
    char *const **ret_argv)
{
	const struct opt opts[] = {
		{ "--sandbox", NULL, &r->sandbox },
		{ "--network", NULL, &r->network },
		{ "--block-git-writes", &r->block_git, NULL },
		{ "--no-tmp-write", &r->no_tmp, NULL },
		{ "--sandbox-policy", NULL, &r->policy_file },
		{ "--session", NULL, &r->place.session },
		{ "--mode", NULL, &r->place.mode },
		{ "--policy", NULL, &r->place.policy },
		{ "--debug-dir", NULL, &r->debug_dir },
		{ "--timeout", NULL, &r->timeout },
		{ "--wait", NULL, &r->wait },
		{ "--memory", NULL, &r->memory },
		{ "--pids", NULL, &r->pids },
		{ "--file-size", NULL, &r->file_size },
		{ "--open-files", NULL, &r->files },
		{ "--tmp-size", NULL, &r->tmp_size },
		{ "--output-limit", NULL, &r->output },
		{ "--exec-gate", NULL, &r->gating },
		{ "--tracer", NULL, &r->tracer },
		{ "--learn", &r->learn, NULL },
		{ "--review", &r->review, NULL },
		{ "--changes", NULL, &r->changes },
		{ "--json-report", NULL, &r->report },
		{ "--dry-run", &r->dry_run, NULL },
		{ "--cwd", NULL, &r->place.cwd },
		{ "--home", NULL, &r->place.home },
		{ "--for", NULL, &r->place.agent },
		{ "--untrusted", &r->place.untrusted, NULL },
		{ "--grant", NULL, &r->grant },
		{ "-c", NULL, &r->string },
	};
	const struct opt_many many[] = {
		{ "--rw", &r->rw },
		{ "--ro", &r->ro },
		{ "--ignore", &r->ignore },
		{ "--root", &r->place.roots },
		{ "--project", &r->place.projects },
	};
	struct opts_result got = opts_read_many(cli, argc, argv, opts,
	    sizeof opts / sizeof *opts, many, sizeof many / sizeof *many);

	if (got.done)
		return got.status;
	if (!have_streams())
		return internal_error(
		    "a standard stream is closed, and so is /dev/null", 0);
	r->words = str_of(
	    argv[0], (size_t)(argv[argc - 1] - argv[0]) + strlen(argv[argc - 1]) + 1);
	if (!arena_map(&r->a, RUN_BYTES))
		return internal_error("no memory", 0);
	if (r->string.p && got.operand < argc)
		return usage_error(
		    cli, "-c takes one string, not also", str_from_c(argv[got.operand]));
	*ret_argv = words(r, argc, argv, got.operand);
	if (!*ret_argv)
		return usage_error(cli, "no command given", (struct str){ NULL, 0 });
	return -1;
}

int
cmd_run(const struct process *cli, int argc, char **argv)
{
	struct running r = { .cli = cli, .report_fd = -1 };
	char *const *command;
	int status = run_read_options(cli, argc, argv, &r, &command);

	return status >= 0 ? status : launch_judged(&r, command);
}
