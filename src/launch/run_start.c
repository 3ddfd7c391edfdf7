/* A decided command: its plan, its run, its report. */
#define _GNU_SOURCE /* O_CLOEXEC and friends in every library */
#include "base/path.h"
#include "base/show.h"
#include "confine/env.h"
#include "gate/rules/layers.h"
#include "launch/run_learn.h"
#include "launch/run_review.h"
#include "launch/run_session.h"
#include "launch/running.h"
#include "os/fd.h"
#include "os/file.h"
#include "run/session/ahead.h"
#include <errno.h>
#include <fcntl.h>

static const struct str none = { NULL, 0 };

static size_t
find_git(struct running *r, const struct root_answer *roots, struct plan_git *git)
{
	size_t n = 0;

	for (size_t i = 0; i < roots->n; i++) {
		struct git_dirs dirs = roots->dirs;
		const char *why;

		/* The first root's was looked for with the root. */
		if (i == 0 ? roots->found : git_find(&r->a, roots->roots[i], &dirs, &why))
			git[n++] = (struct plan_git){ dirs.worktree, dirs.gitdir,
				dirs.commondir, dirs.linked };
	}
	return n;
}

/* ---- messages */

static bool
put_report(struct running *r, const struct run_result *result,
    const struct run_answer *answer, struct buf *b)
{
	buf_init(b, &r->a);
	run_report(result, answer->verdict, b);
	return r->report_fd < 0 || write_all(r->report_fd, buf_str(b));
}

static int
refused(struct running *r, const struct run_answer *answer, const struct plan *plan,
    const struct plan_refusal *refusal)
{
	struct run_result result = { .end = RUN_NOT_STARTED };
	struct buf b;

	memcpy(result.fields, plan->fields, sizeof result.fields);
	if (!put_report(r, &result, answer, &b))
		return internal_error("cannot write the report", errno);
	buf_init(&b, &r->a);
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

/* One file of the debug directory, whole. */
static void
put_debug(struct running *r, const struct plan *plan, const char *name, struct str text)
{
	struct str path;
	const char *c;
	cleanup_fd int fd = -1;

	if (!plan->debug_dir.p ||
	    path_join(&r->a, plan->debug_dir, str_from_c(name), &path, NULL) ||
	    !(c = str_to_path(&r->a, path)))
		return;
	fd = open(c, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd >= 0)
		(void)write_all(fd, text);
}

/* What was neither refused nor as usual. */
static void
put_notes(const struct run_result *result, struct buf *b)
{
	if (result->bare) {
		buf_puts(b,
		    "cordon: there are no namespaces here; Landlock and seccomp hold every "
		    "field of the policy alone. For all of it: ");
		buf_puts(b, result->bare);
		buf_putc(b, '\n');
	}
	if (result->limits_hit & RUN_LIMIT_OUTPUT)
		buf_puts(
		    b, "cordon: it printed more than --output-limit; the rest is lost\n");
	if (result->traced_execs) {
		buf_puts(b,
		    "cordon: programs that a debugger inside started were judged only "
		    "once: ");
		buf_putu(b, result->traced_execs);
		buf_puts(b, "; --tracer refuse forbids them\n");
	}
}

/* Which limit it met: its status alone does not say. */
static void
put_limits(const struct run_result *result, struct buf *b)
{
	static const struct {
		enum run_limit limit;
		char text[60];
	} lines[] = {
		{ RUN_LIMIT_WALL,
		    "the time was over, and all of it was ended (--timeout)" },
		{ RUN_LIMIT_MEMORY, "it met the limit of memory (--memory)" },
		{ RUN_LIMIT_PROCESSES, "it met the limit of processes (--pids)" },
		{ RUN_LIMIT_TMP, "its private /tmp was full (--tmp-size)" },
		{ RUN_LIMIT_OUTPUT, "what it printed beyond --output-limit is lost" },
	};

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		if (result->limits_hit & (unsigned)lines[i].limit) {
			buf_puts(b, "cordon run: ");
			buf_puts(b, lines[i].text);
			buf_putc(b, '\n');
		}
}

static int
finish(struct running *r, const struct plan *plan, const struct run_result *result,
    const struct run_answer *answer, const char *program)
{
	struct buf b;

	if (answer->ended)
		answer->ended(answer->ended_context, result);
	if (!put_report(r, result, answer, &b))
		return internal_error("cannot write the report", errno);
	put_debug(r, plan, "report.json", buf_str(&b));
	put_debug(r, plan, "steps.txt", result->steps);
	buf_init(&b, &r->a);
	if (result->end == RUN_NOT_STARTED) {
		buf_puts(&b, "cordon run: '");
		show_put(&b, str_from_c(program), 0);
		buf_puts(&b, "' is not started: ");
		show_put(&b, result->why, 0);
		buf_putc(&b, '\n');
	}
	put_limits(result, &b);
	if (result->session.how == SESSION_ALONE) {
		buf_puts(&b, "cordon: this run is not in its session: ");
		buf_puts(&b, result->session.why);
		buf_putc(&b, '\n');
	}
	run_print_violations(result, &b);
	if (answer->hints && result->violations_n)
		answer->hints(answer->ended_context, result, &b);
	put_notes(result, &b);
	if (answer->learn) {
		const struct root_answer *roots = answer->roots ? answer->roots : &r->roots;

		buf_puts(&b, "# cordon: these rules would have sufficed\n");
		run_learn_rules(&r->a, result, roots->roots, roots->n, r->place.home, &b);
	}
	(void)write_all(STDERR_FILENO, buf_str(&b));
	return run_exit_status(result);
}

/* ---- the run */

static int
make_plan(struct running *r, struct run_answer *answer, struct plan *ret)
{
	const struct root_answer *roots = answer->roots ? answer->roots : &r->roots;
	struct plan_git *git = arena_array(&r->a, roots->n + 1, sizeof *git);
	struct plan_input in = { .policy = &answer->sandbox,
		.roots = roots->roots,
		.roots_n = roots->n,
		.cwd = r->cwd,
		.home = r->place.home,
		.git = git,
		.own = answer->own,
		.own_n = answer->own_n,
		.state = answer->state,
		.names = answer->names,
		.names_n = answer->names_n,
		.hidden = answer->hidden,
		.hidden_n = answer->hidden_n,
		.listings = answer->ignores.listings,
		.listings_n = answer->ignores.n,
		.read_workspace = answer->read_workspace,
		.denied = answer->denied,
		.denied_context = answer->denied_context,
		.limits = r->limits,
		.gate = answer->judge != NULL,
		.judge_reads = answer->judge_reads,
		.review = r->review };
	struct plan_refusal why = { 0 };
	int err;

	if (!git)
		return internal_error("no memory", 0);
	in.git_n = find_git(r, roots, git);
	err = plan_make(&r->a, &in, ret, &why);
	/* What is not there is not copied when processes are made. */
	run_free_ignores(&answer->ignores);
	if (err == CORDON_EREFUSED)
		return refused(r, answer, ret, &why);
	if (err)
		return run_complain("cannot plan", none, err_text(err));
	return 0;
}

static int
confined(struct running *r, struct run_answer *answer, char *const *argv)
{
	struct run_request q = { .argv = argv,
		.judge = answer->judge,
		.judge_context = answer->judge_context,
		.learn = answer->learn,
		.learn_n = answer->learn_n,
		.paths = answer->paths,
		.ways = answer->ways,
		.paths_context = answer->paths_context,
		.gate_reports = answer->gate_reports,
		.refuse_traced = answer->refuse_tracer,
		.early = r->early,
		.ahead = r->ahead };
	struct session_place place;
	struct run_result result;
	struct plan plan = { 0 };
	struct buf b;
	int status = make_plan(r, answer, &plan);

	if (status)
		return status;
	buf_init(&b, &r->a);
	if (r->dry_run || plan.debug_dir.p)
		plan_print(&plan, &b);
	if (r->dry_run)
		return put_out(buf_str(&b));
	put_debug(r, &plan, "plan.txt", buf_str(&b));
	run_warn_stored(&r->a, &plan);
	q.plan = &plan;
	q.vacated_file = own_dir(&r->a, r->cli, r->place.home, DIR_STATE, STR("/vacated"));
	q.envp = env_scrub(&r->a, r->cli->env, &plan);
	if (q.envp && !r->review && run_session_place(&r->a, r->cli, &r->place, &place)) {
		q.place = &place;
		q.envp = session_env(&r->a, q.envp, &plan);
	}
	if (!q.envp)
		return internal_error("no memory", 0);
	if (answer->begins)
		answer->begins(answer->ended_context);
	run(&r->a, &q, &result);
	status = finish(r, &plan, &result, answer, argv[0]);
	if (result.upper >= 0 && result.end != RUN_NOT_STARTED) {
		int reviewed = run_review(r, answer, &plan, &result);

		status = reviewed ? reviewed : status;
	}
	fd_close(&result.upper);
	return status;
}

/* The type says that there is no sandbox; nothing is changed but what would follow it. */
static int
unconfined(struct running *r, struct run_answer *answer, char *const *argv)
{
	struct run_request q = { .argv = argv, .envp = r->cli->env };
	const char *cwd = str_to_path(&r->a, r->cwd);
	const struct plan nothing = { 0 };
	struct run_result result;

	if (r->limits.memory || r->limits.processes || r->limits.file_size ||
	    answer->sandbox.debug_output_dir.p)
		return run_complain("not started: limits need a sandbox", none,
		    "the type is INSECURE_NONE");
	if (r->review)
		return run_complain("not started: --review needs a sandbox", none,
		    "the type is INSECURE_NONE");
	if (r->dry_run)
		return put_out(STR("no sandbox: the command runs as it is\n"));
	if (!cwd || chdir(cwd))
		return run_complain("cannot work in", r->cwd, strerror(errno));
	if (answer->begins)
		answer->begins(answer->ended_context);
	ahead_end(r->ahead);
	run_plain(&r->a, &q, &r->limits, &result);
	return finish(r, &nothing, &result, answer, argv[0]);
}

int
run_start(struct running *r, struct run_answer *answer, char *const *argv)
{
	if (r->report.p && !r->dry_run) {
		const char *path = str_to_path(&r->a, r->report);

		r->report_fd =
		    path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
		if (r->report_fd < 0)
			return run_complain("cannot write", r->report, strerror(errno));
	}
	return answer->sandbox.type == SANDBOX_INSECURE_NONE ? unconfined(r, answer, argv)
							     : confined(r, answer, argv);
}
