/* Plan, run and report a command that may run. */
#define _GNU_SOURCE /* O_CLOEXEC and friends in every library */
#include "base/path.h"
#include "base/show.h"
#include "confine/env.h"
#include "gate/rules/layers.h"
#include "launch/launch_internal.h"
#include "launch/launch_session.h"
#include "launch/learn_rules.h"
#include "launch/read_hint.h"
#include "os/fd.h"
#include "os/file.h"
#include "run/session/prejoin.h"
#include <errno.h>
#include <fcntl.h>

static const struct str none = { NULL, 0 };

/* The roots, including those that the policy adds. */
static const struct root_answer *
roots_of(const struct launch *l)
{
	return l->judged ? &l->answer.roots : &l->roots;
}

static size_t
find_git(struct launch *l, const struct root_answer *roots, struct plan_git *git)
{
	size_t n = 0;

	for (size_t i = 0; i < roots->n; i++) {
		struct git_dirs dirs = roots->dirs;
		const char *why;

		/* root_find() already looked for the first root's repository. */
		if (i == 0 ? roots->found : git_find(&l->a, roots->roots[i], &dirs, &why))
			git[n++] = (struct plan_git){ dirs.worktree, dirs.gitdir,
				dirs.commondir, dirs.linked };
	}
	return n;
}

/* ---- messages */

static bool
put_report(struct launch *l, const struct run_result *result, struct buf *b)
{
	buf_init(b, &l->a);
	run_report(result, l->verdict, b);
	return l->report_fd < 0 || write_all(l->report_fd, buf_str(b));
}

static int
refused(struct launch *l, const struct plan *plan, const struct plan_refusal *refusal)
{
	struct run_result result = { .end = RUN_NOT_STARTED };
	struct buf b;

	memcpy(result.fields, plan->fields, sizeof result.fields);
	if (!put_report(l, &result, &b))
		return internal_error("cannot write the report", errno);
	buf_init(&b, &l->a);
	buf_puts(&b, "cordon run: not started: ");
	buf_puts(&b, plan_field_name(refusal->field));
	buf_puts(&b, " cannot be enforced: ");
	buf_puts(&b, refusal->why ? refusal->why : "unknown");
	if (refusal->path.n) {
		buf_puts(&b, " ('");
		show_put(&b, refusal->path, 0);
		buf_puts(&b, "')");
	}
	buf_putc(&b, '\n');
	(void)write_all(STDERR_FILENO, buf_str(&b));
	return EXIT_NOT_STARTED;
}

/* Write one file of the debug directory. */
static void
put_debug(struct launch *l, const struct plan *plan, const char *name, struct str text)
{
	struct str path;
	const char *c;
	cleanup_fd int fd = -1;

	if (!plan->debug_dir.p ||
	    path_join(&l->a, plan->debug_dir, str_from_c(name), &path, NULL) ||
	    !(c = str_to_path(&l->a, path)))
		return;
	fd = open(c, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd >= 0)
		(void)write_all(fd, text);
}

/* Print notes about a run that differed from the usual. */
static void
put_notes(const struct run_result *result, struct buf *b)
{
	if (result->bare) {
		buf_puts(b, "cordon: namespaces are not available; Landlock and seccomp "
			    "enforce the "
			    "policy without them\n  hint: ");
		buf_puts(b, result->bare);
		buf_putc(b, '\n');
	}
	if (result->traced_execs) {
		buf_puts(
		    b, "cordon: programs started under a debugger, judged only once: ");
		buf_putu(b, result->traced_execs);
		buf_puts(b, "\n  hint: --tracer refuse forbids them\n");
	}
}

/* Print the limits that the run hit; its exit status does not show them. */
static void
put_limits(const struct run_result *result, struct buf *b)
{
	static const struct {
		enum run_limit limit;
		char text[60];
	} lines[] = {
		{ RUN_LIMIT_WALL, "timed out and was killed (--timeout)" },
		{ RUN_LIMIT_MEMORY, "hit the memory limit (--memory)" },
		{ RUN_LIMIT_PROCESSES, "hit the process limit (--pids)" },
		{ RUN_LIMIT_TMP, "its private /tmp is full (--tmp-size)" },
		{ RUN_LIMIT_OUTPUT,
		    "output beyond the limit was discarded (--output-limit)" },
	};

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		if (result->limits_hit & (unsigned)lines[i].limit) {
			buf_puts(b, "cordon run: ");
			buf_puts(b, lines[i].text);
			buf_putc(b, '\n');
		}
}

static int
finish(struct launch *l, const struct plan *plan, const struct run_result *result)
{
	struct buf b;

	launch_report_end(l, result);
	if (!put_report(l, result, &b))
		return internal_error("cannot write the report", errno);
	put_debug(l, plan, "report.json", buf_str(&b));
	put_debug(l, plan, "steps.txt", result->steps);
	buf_init(&b, &l->a);
	if (result->end == RUN_NOT_STARTED) {
		buf_puts(&b, "cordon run: '");
		show_put(&b, str_from_c(l->run.argv[0]), 0);
		buf_puts(&b, "' was not started: ");
		show_put(&b, result->why, 0);
		buf_putc(&b, '\n');
	}
	put_limits(result, &b);
	if (result->session.how == SESSION_ALONE) {
		buf_puts(&b, "cordon: this run does not share its session: ");
		buf_puts(&b, result->session.why);
		buf_putc(&b, '\n');
	}
	run_print_violations(result, &b);
	if (l->judged && result->violations_n)
		launch_hint_put(&l->a, l->cli, &l->request, &l->answer, result, &b);
	put_notes(result, &b);
	if (l->run.policy.learn) {
		const struct root_answer *roots = roots_of(l);

		buf_puts(&b, "# cordon: these rules would have sufficed\n");
		launch_learn_rules(
		    &l->a, result, roots->roots, roots->n, l->place.home, &b);
	}
	(void)write_all(STDERR_FILENO, buf_str(&b));
	return run_exit_status(result);
}

/* ---- the run */

static int
make_plan(struct launch *l, struct plan *ret)
{
	const struct root_answer *roots = roots_of(l);
	struct plan_git *git = arena_array(&l->a, roots->n + 1, sizeof *git);
	struct plan_refusal why = { 0 };
	int err;

	if (!git)
		return internal_error("no memory", 0);
	l->plan.policy = &l->sandbox;
	l->plan.roots = roots->roots;
	l->plan.roots_n = roots->n;
	l->plan.cwd = l->cwd;
	l->plan.home = l->place.home;
	l->plan.git = git;
	l->plan.git_n = find_git(l, roots, git);
	l->plan.listings = l->ignores.listings;
	l->plan.listings_n = l->ignores.n;
	l->plan.limits = l->limits;
	l->plan.gate = l->run.policy.judge != NULL;
	l->plan.review = l->review;
	err = plan_make(&l->a, &l->plan, ret, &why);
	/* Free memory before forking, so that its pages are not copied. */
	ignore_files_free(&l->ignores);
	if (err == CORDON_EREFUSED)
		return refused(l, ret, &why);
	if (err)
		return launch_complain("cannot plan the sandbox", none, err_text(err));
	return 0;
}

static int
confined(struct launch *l)
{
	struct session_ref place;
	struct run_result result;
	struct plan plan = { 0 };
	struct buf b;
	int status = make_plan(l, &plan);

	if (status)
		return status;
	buf_init(&b, &l->a);
	if (l->dry_run || plan.debug_dir.p)
		plan_print(&plan, &b);
	if (l->dry_run)
		return put_out(buf_str(&b));
	put_debug(l, &plan, "plan.txt", buf_str(&b));
	launch_warn_stored(&l->a, &plan);
	l->run.plan = &plan;
	l->run.vacated_file =
	    own_dir(&l->a, l->cli, l->place.home, DIR_STATE, STR("/vacated"));
	l->run.envp = env_scrub(&l->a, l->cli->env, &plan);
	if (l->run.envp && !l->review &&
	    launch_session_place(&l->a, l->cli, &l->place, &place)) {
		l->run.session = &place;
		l->run.envp = session_env(&l->a, l->run.envp, &plan);
	}
	if (!l->run.envp)
		return internal_error("no memory", 0);
	launch_report_begin(l);
	run_confined(&l->a, &l->run, &result);
	status = finish(l, &plan, &result);
	if (result.upper >= 0 && result.end != RUN_NOT_STARTED) {
		int reviewed = launch_review(l, &plan, &result);

		status = reviewed ? reviewed : status;
	}
	fd_close(&result.upper);
	return status;
}

/* Sandbox type INSECURE_NONE: change only the directory and the resource limits. */
static int
unconfined(struct launch *l)
{
	struct run_request q = { .argv = l->run.argv, .envp = l->cli->env };
	const char *cwd = str_to_path(&l->a, l->cwd);
	const struct plan nothing = { 0 };
	struct run_result result;

	if (l->limits.memory || l->limits.processes || l->limits.file_size ||
	    l->sandbox.debug_output_dir.p)
		return launch_complain("not started: limits need a sandbox", none,
		    "the type is INSECURE_NONE");
	if (l->review)
		return launch_complain("not started: --review needs a sandbox", none,
		    "the type is INSECURE_NONE");
	if (l->dry_run)
		return put_out(STR("no sandbox: the command runs as it is\n"));
	if (!cwd || chdir(cwd))
		return launch_complain("cannot work in", l->cwd, strerror(errno));
	launch_report_begin(l);
	prejoin_end(l->run.prejoin);
	run_plain(&l->a, &q, &l->limits, &result);
	return finish(l, &nothing, &result);
}

int
launch_start(struct launch *l)
{
	if (l->o.report.p && !l->dry_run) {
		const char *path = str_to_path(&l->a, l->o.report);

		l->report_fd =
		    path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
		if (l->report_fd < 0)
			return launch_complain(
			    "cannot write", l->o.report, strerror(errno));
	}
	return l->sandbox.type == SANDBOX_INSECURE_NONE ? unconfined(l) : confined(l);
}
