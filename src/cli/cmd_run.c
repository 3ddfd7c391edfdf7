#define _GNU_SOURCE /* O_CLOEXEC and friends in every library */
#include "base/path.h"
#include "base/show.h"
#include "cli/run_session.h"
#include "cli/running.h"
#include "confine/env.h"
#include "confine/fd.h"
#include "look/file.h"
#include "run/ahead.h"
#include "run/early.h"
#include <errno.h>
#include <fcntl.h>

/* Hidden files and mounts can be many; only what is used costs memory. */
#define RUN_BYTES ((size_t)256 << 20)

int
run_complain(const char *what, struct str object, const char *why)
{
	char memory[8192];
	struct arena a;
	struct buf b;

	arena_init(&a, memory, sizeof memory);
	buf_init(&b, &a);
	buf_puts(&b, "cordon run: ");
	buf_puts(&b, what);
	if (object.p) {
		buf_puts(&b, " '");
		show_put(&b, object, 0);
		buf_puts(&b, "'");
	}
	if (why) {
		buf_puts(&b, ": ");
		buf_puts(&b, why);
	}
	buf_putc(&b, '\n');
	(void)write_all(STDERR_FILENO, buf_str(&b));
	return EXIT_NOT_STARTED;
}

/* ---- places */

/* A session stays where it began. */
static int
pin_roots(struct running *r, struct root_request *roots)
{
	struct look_list began;
	struct err e = { 0 };

	if (!run_session_roots(&r->a, r->cli, &r->place, r->ahead, &r->roots, &began))
		return 0;
	roots->flags = began;
	if (root_find(&r->a, roots, &r->roots, &e))
		return run_complain(
			   "refused: the session's root is gone", began.v[0], e.why),
		       EXIT_REFUSED;
	if (began.n > OPT_VALUES)
		return run_complain(
			   "refused: the session has too many roots", began.v[0], NULL),
		       EXIT_REFUSED;
	/* The decision is about the same ones. */
	for (size_t i = 0; i < began.n; i++)
		r->place.roots.v[i] = began.v[i];
	r->place.roots.n = began.n;
	return 0;
}

static int
find_places(struct running *r)
{
	struct judge_request q;
	struct root_request roots = { 0 };
	struct err e = { 0 };
	int status = place_take(r->cli, &r->a, &r->place, &q);

	if (status)
		return status;
	r->cwd = plan_real(&r->a, q.cwd);
	if (!r->cwd.p)
		return run_complain("refused: cannot work in", q.cwd, "it does not exist"),
		       EXIT_REFUSED;
	roots = (struct root_request){ .flags = q.root_flags,
		.variable = q.root_variable,
		.cwd = r->cwd,
		.projects = q.projects,
		.untrusted = q.untrusted,
		.home = q.home };
	r->place.home = q.home;
	if (root_find(&r->a, &roots, &r->roots, &e))
		return run_complain("refused: no root", (struct str){ NULL, 0 }, e.why),
		       EXIT_REFUSED;
	return pin_roots(r, &roots);
}

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

/* Why not, and what to do. */
static int
refused(struct running *r, const struct run_answer *answer)
{
	struct buf b;

	buf_init(&b, &r->a);
	buf_puts(&b, "cordon run: refused (");
	buf_puts(&b, verdict_name(answer->verdict));
	buf_puts(&b, "): ");
	show_put(&b, answer->reason, 0);
	if (answer->fix.n) {
		buf_puts(&b, "\n  what to do: ");
		show_put(&b, answer->fix, 0);
	}
	buf_putc(&b, '\n');
	(void)write_all(STDERR_FILENO, buf_str(&b));
	return EXIT_REFUSED;
}

/* Made while we judge and plan, or, in a session, joined. */
static void
begin_early(struct running *r)
{
	struct session_place place;

	if (r->dry_run)
		return;
	if (!run_session_place(&r->a, r->cli, &r->place, &place))
		r->early = early_begin(&r->a, str_is(r->network, "on"));
	else if (!r->review && !str_is(r->network, "on") && !r->limits.output)
		r->ahead = ahead_begin(
		    &r->a, &place, !str_is(r->gating, "off"), &r->limits, r->words);
}

static int
decide_and_run(struct running *r, char *const *argv, run_decide *decider, void *context)
{
	struct run_question q = { r->string, argv, &r->place, &r->flags, &r->roots, r->cwd,
		r->grant, r->dry_run };
	struct run_answer answer = { 0 };
	int status = run_take_limits(r);

	begin_early(r);
	if (status || (status = find_places(r)) || (status = run_take_flags(r)))
		return status;
	q.cwd = r->cwd;
	status = decider(context, &r->a, &q, &answer);
	if (status)
		return status;
	if (answer.verdict != VERDICT_ALLOW && answer.verdict != VERDICT_CONFINE)
		return refused(r, &answer);
	return run_start(r, &answer, argv);
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
cmd_run_with(
    const struct cli *cli, int argc, char **argv, run_decide *decider, void *context)
{
	struct running r = { .cli = cli, .report_fd = -1 };
	const struct opt opts[] = {
		{ "--sandbox", NULL, &r.sandbox },
		{ "--network", NULL, &r.network },
		{ "--block-git-writes", &r.block_git, NULL },
		{ "--no-tmp-write", &r.no_tmp, NULL },
		{ "--sandbox-policy", NULL, &r.policy_file },
		{ "--session", NULL, &r.place.session },
		{ "--mode", NULL, &r.place.mode },
		{ "--policy", NULL, &r.place.policy },
		{ "--debug-dir", NULL, &r.debug_dir },
		{ "--timeout", NULL, &r.timeout },
		{ "--wait", NULL, &r.wait },
		{ "--memory", NULL, &r.memory },
		{ "--pids", NULL, &r.pids },
		{ "--file-size", NULL, &r.file_size },
		{ "--open-files", NULL, &r.files },
		{ "--tmp-size", NULL, &r.tmp_size },
		{ "--output-limit", NULL, &r.output },
		{ "--exec-gate", NULL, &r.gating },
		{ "--tracer", NULL, &r.tracer },
		{ "--learn", &r.learn, NULL },
		{ "--review", &r.review, NULL },
		{ "--changes", NULL, &r.changes },
		{ "--json-report", NULL, &r.report },
		{ "--dry-run", &r.dry_run, NULL },
		{ "--cwd", NULL, &r.place.cwd },
		{ "--home", NULL, &r.place.home },
		{ "--for", NULL, &r.place.agent },
		{ "--untrusted", &r.place.untrusted, NULL },
		{ "--grant", NULL, &r.grant },
		{ "-c", NULL, &r.string },
	};
	const struct opt_many many[] = {
		{ "--rw", &r.rw },
		{ "--ro", &r.ro },
		{ "--ignore", &r.ignore },
		{ "--root", &r.place.roots },
		{ "--project", &r.place.projects },
	};
	struct opts_result got = opts_read_many(cli, argc, argv, opts,
	    sizeof opts / sizeof *opts, many, sizeof many / sizeof *many);
	char *const *words_of;

	if (got.done)
		return got.status;
	if (!have_streams())
		return internal_error(
		    "a standard stream is closed, and so is /dev/null", 0);
	r.words = str_of(
	    argv[0], (size_t)(argv[argc - 1] - argv[0]) + strlen(argv[argc - 1]) + 1);
	if (!arena_map(&r.a, RUN_BYTES))
		return internal_error("no memory", 0);
	if (r.string.p && got.operand < argc)
		return usage_error(
		    cli, "-c takes one string, not also", str_from_c(argv[got.operand]));
	words_of = words(&r, argc, argv, got.operand);
	if (!words_of)
		return usage_error(cli, "no command given", (struct str){ NULL, 0 });
	return decide_and_run(&r, words_of, decider, context);
}
