#define _GNU_SOURCE /* O_CLOEXEC and friends in every library */
#include "cli/cmd_run.h"
#include "base/ignore.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/path.h"
#include "base/show.h"
#include "confine/env.h"
#include "confine/fd.h"
#include "look/file.h"
#include "look/root.h"
#include <errno.h>
#include <fcntl.h>

/* Hidden files and mounts can be many; only what is used costs memory. */
#define RUN_BYTES ((size_t)256 << 20)
#define IGNORE_BYTES ((size_t)1 << 20)

enum {
	EXIT_NOT_STARTED = 125,
	EXIT_REFUSED = 126,
};

struct running {
	const struct cli *cli;
	struct arena a;
	struct place_opts place;
	struct str sandbox, network, policy_file, debug_dir, timeout, memory, pids, report,
	    string;
	struct opt_values rw, ro, ignore;
	bool block_git, no_tmp, dry_run;
	struct root_answer roots;
	struct sandbox_policy flags;
	struct str cwd; /* real */
	int report_fd;
};

static int
complain(const char *what, struct str object, const char *why)
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

/* ---- options to values */

static bool
read_number(struct str text, uint64_t *ret)
{
	uint64_t n = 0;

	for (size_t i = 0; i < text.n; i++) {
		if (text.p[i] < '0' || text.p[i] > '9' || n > (UINT64_MAX - 9) / 10)
			return false;
		n = n * 10 + (uint64_t)(text.p[i] - '0');
	}
	*ret = n;
	return text.n > 0 && n > 0;
}

/* Bytes, or with K, M, G behind. */
static bool
read_size(struct str text, uint64_t *ret)
{
	static const char units[] = "KMG";
	const char *unit = text.n ? strchr(units, text.p[text.n - 1] & ~0x20) : NULL;
	unsigned shift = unit && *unit ? 10 * (unsigned)(unit - units + 1) : 0;

	if (shift)
		text.n--;
	if (!read_number(text, ret) || *ret > UINT64_MAX >> shift)
		return false;
	*ret <<= shift;
	return true;
}

/* Seconds, also with a fraction. */
static bool
read_seconds(struct str text, uint64_t *ret_ms)
{
	size_t dot = str_find(text, '.');
	struct str rest = str_skip(text, dot + 1);
	uint64_t whole = 0, part = 0, scale = 100;

	if (dot > 0 && !read_number(str_cut(text, 0, dot), &whole) &&
	    !str_is(str_cut(text, 0, dot), "0"))
		return false;
	for (size_t i = 0; i < rest.n; i++, scale /= 10) {
		if (rest.p[i] < '0' || rest.p[i] > '9')
			return false;
		part += (uint64_t)(rest.p[i] - '0') * scale;
	}
	*ret_ms = whole * 1000 + part;
	return *ret_ms > 0 && whole < UINT64_MAX / 2000;
}

static int
take_limits(struct running *r, struct plan_limits *l)
{
	if (r->timeout.p && !read_seconds(r->timeout, &l->wall_ms))
		return usage_error(r->cli, "--timeout takes seconds, not", r->timeout);
	if (r->memory.p && !read_size(r->memory, &l->memory))
		return usage_error(r->cli, "--memory takes bytes, not", r->memory);
	if (r->pids.p && !read_number(r->pids, &l->processes))
		return usage_error(r->cli, "--pids takes a number, not", r->pids);
	return 0;
}

static int
read_policy_file(struct running *r)
{
	static const struct file_read how = { .max = (size_t)8 << 20 };
	const struct json *v;
	struct str text;
	struct err e = { 0 };
	bool missing;

	if (!r->policy_file.p)
		return 0;
	if (file_read(&r->a, r->policy_file, &how, &text, &missing, &e) ||
	    json_read(&r->a, text, NULL, &v, &e) || sandbox_read(&r->a, v, &r->flags, &e))
		return complain("cannot use the policy", r->policy_file, e.why);
	return 0;
}

static int
take_type(struct running *r)
{
	if (!r->sandbox.p)
		return 0;
	if (str_is(r->sandbox, "readwrite"))
		r->flags.type = SANDBOX_WORKSPACE_READWRITE;
	else if (str_is(r->sandbox, "readonly"))
		r->flags.type = SANDBOX_WORKSPACE_READONLY;
	else if (str_is(r->sandbox, "none"))
		r->flags.type = SANDBOX_INSECURE_NONE;
	else
		return usage_error(
		    r->cli, "--sandbox is readwrite, readonly or none, not", r->sandbox);
	return 0;
}

static int
take_network(struct running *r)
{
	if (!r->network.p)
		return 0;
	if (!str_is(r->network, "on") && !str_is(r->network, "off"))
		return usage_error(r->cli, "--network is on or off, not", r->network);
	r->flags.network_access = str_is(r->network, "on");
	return 0;
}

/* The values of an option behind what the policy has. */
static int
add_list(struct running *r, const struct opt_values *more, struct sandbox_list *list)
{
	struct str *v = arena_array(&r->a, list->n + more->n + 1, sizeof *v);

	if (!v)
		return internal_error("no memory", 0);
	for (size_t i = 0; i < list->n; i++)
		v[i] = list->v[i];
	for (size_t i = 0; i < more->n; i++)
		if (path_normal(&r->a, r->cwd, more->v[i], &v[list->n + i], NULL))
			return usage_error(
			    r->cli, "no path can have this name:", more->v[i]);
	if (more->n)
		*list = (struct sandbox_list){ true, v, list->n + more->n };
	return 0;
}

/* Patterns of the files given with --ignore, as a mapping for the first root. */
static int
add_ignores(struct running *r)
{
	static const struct file_read how = { .max = IGNORE_BYTES };
	struct ignore_text *files = arena_array(&r->a, r->ignore.n + 1, sizeof *files);
	struct str mapping;
	struct err e = { 0 };
	struct buf b;

	if (!files)
		return internal_error("no memory", 0);
	if (r->ignore.n == 0)
		return 0;
	for (size_t i = 0; i < r->ignore.n; i++) {
		bool missing;
		struct str path;

		if (path_normal(&r->a, r->cwd, r->ignore.v[i], &path, NULL) ||
		    file_read(&r->a, path, &how, &files[i].text, &missing, &e))
			return complain("cannot read", r->ignore.v[i], e.why);
		files[i].dir = STR("");
		files[i].name = str_base(path);
	}
	buf_init(&b, &r->a);
	ignore_put_json(&b, r->roots.roots[0], files, r->ignore.n);
	mapping = buf_str(&b);
	if (b.full || sandbox_add_ignore(&r->a, mapping, &r->flags, &r->flags, &e))
		return complain(
		    "cannot use the ignore files", (struct str){ NULL, 0 }, e.why);
	return 0;
}

static int
take_policy(struct running *r)
{
	int status = read_policy_file(r);

	if (status || (status = take_type(r)) || (status = take_network(r)) ||
	    (status = add_list(r, &r->rw, &r->flags.readwrite)) ||
	    (status = add_list(r, &r->ro, &r->flags.readonly)))
		return status;
	r->flags.block_git_writes |= r->block_git;
	r->flags.disable_tmp_write |= r->no_tmp;
	if (r->debug_dir.p)
		r->flags.debug_output_dir = r->debug_dir;
	return add_ignores(r);
}

/* ---- places */

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
		return complain("cannot work in", q.cwd, "it does not exist");
	roots = (struct root_request){ .flags = q.root_flags,
		.variable = q.root_variable,
		.cwd = r->cwd,
		.home = q.home };
	r->place.home = q.home;
	if (root_find(&r->a, &roots, &r->roots, &e))
		return complain("no root", (struct str){ NULL, 0 }, e.why);
	return 0;
}

static size_t
find_git(struct running *r, struct plan_git *git)
{
	size_t n = 0;

	for (size_t i = 0; i < r->roots.n; i++) {
		struct git_dirs dirs;
		const char *why;

		if (git_find(&r->a, r->roots.roots[i], &dirs, &why))
			git[n++] = (struct plan_git){ dirs.worktree, dirs.gitdir,
				dirs.commondir, dirs.linked };
	}
	return n;
}

/* ---- the run */

static int
refused(const struct plan_refusal *refusal)
{
	char memory[8192];
	struct arena a;
	struct buf b;

	arena_init(&a, memory, sizeof memory);
	buf_init(&b, &a);
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
	    !(c = path_c(&r->a, path)))
		return;
	fd = open(c, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd >= 0)
		(void)write_all(fd, text);
}

static int
finish(struct running *r, const struct plan *plan, const struct run_result *result,
    enum verdict verdict)
{
	struct buf b;

	buf_init(&b, &r->a);
	run_report(result, verdict, &b);
	if (r->report_fd >= 0 && !write_all(r->report_fd, buf_str(&b)))
		return internal_error("cannot write the report", errno);
	put_debug(r, plan, "report.json", buf_str(&b));
	buf_init(&b, &r->a);
	if (result->end == RUN_NOT_STARTED) {
		buf_puts(&b, "cordon run: not started: ");
		buf_put(&b, result->why);
		buf_putc(&b, '\n');
	}
	run_print_violations(result, &b);
	(void)write_all(STDERR_FILENO, buf_str(&b));
	return run_exit_status(result);
}

static int
confined(struct running *r, const struct run_answer *answer,
    const struct plan_limits *limits, char *const *argv)
{
	struct plan_git *git = arena_array(&r->a, r->roots.n + 1, sizeof *git);
	struct plan_input in = { .policy = &answer->sandbox,
		.roots = r->roots.roots,
		.roots_n = r->roots.n,
		.cwd = r->cwd,
		.home = r->place.home,
		.git = git,
		.read_workspace = answer->read_workspace,
		.limits = *limits,
		.gate = answer->judge != NULL };
	struct run_request q = {
		.argv = argv, .judge = answer->judge, .judge_context = answer->judge_context
	};
	struct plan_refusal why = { 0 };
	struct run_result result;
	struct plan plan;
	struct buf b;
	int err;

	if (!git)
		return internal_error("no memory", 0);
	in.git_n = find_git(r, git);
	err = plan_make(&r->a, &in, &plan, &why);
	if (err == CORDON_EREFUSED)
		return refused(&why);
	if (err)
		return complain("cannot plan", (struct str){ NULL, 0 }, err_text(err));
	buf_init(&b, &r->a);
	if (r->dry_run || plan.debug_dir.p)
		plan_print(&plan, &b);
	if (r->dry_run)
		return put_out(buf_str(&b));
	put_debug(r, &plan, "plan.txt", buf_str(&b));
	q.plan = &plan;
	q.envp = env_scrub(&r->a, r->cli->env, &plan);
	if (!q.envp)
		return internal_error("no memory", 0);
	run(&r->a, &q, &result);
	return finish(r, &plan, &result, answer->verdict);
}

/* The type says that there is no sandbox; nothing is changed but what would follow it. */
static int
unconfined(struct running *r, const struct run_answer *answer,
    const struct plan_limits *limits, char *const *argv)
{
	struct run_request q = { .argv = argv, .envp = r->cli->env };
	const char *cwd = path_c(&r->a, r->cwd);
	const struct plan none = { 0 };
	struct run_result result;

	if (limits->memory || limits->processes || r->flags.debug_output_dir.p)
		return complain("not started: limits need a sandbox",
		    (struct str){ NULL, 0 }, "the type is INSECURE_NONE");
	if (r->dry_run)
		return put_out(STR("no sandbox: the command runs as it is\n"));
	if (!cwd || chdir(cwd))
		return complain("cannot work in", r->cwd, NULL);
	run_plain(&r->a, &q, limits->wall_ms, &result);
	return finish(r, &none, &result, answer->verdict);
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

static int
decide_and_run(struct running *r, char *const *argv, run_decide *decider, void *context)
{
	struct run_question q = { r->string, argv, &r->place, &r->flags, &r->roots };
	struct run_answer answer = { 0 };
	struct plan_limits limits = { 0 };
	int status = take_limits(r, &limits);

	if (status || (status = find_places(r)) || (status = take_policy(r)) ||
	    (status = decider(context, &r->a, &q, &answer)))
		return status;
	if (answer.verdict != VERDICT_ALLOW && answer.verdict != VERDICT_CONFINE) {
		(void)complain("refused", (struct str){ NULL, 0 },
		    answer.reason.n ? path_c(&r->a, answer.reason) : NULL);
		return EXIT_REFUSED;
	}
	if (r->report.p) {
		const char *path = path_c(&r->a, r->report);

		r->report_fd =
		    path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
		if (r->report_fd < 0)
			return complain("cannot write", r->report, NULL);
	}
	return answer.sandbox.type == SANDBOX_INSECURE_NONE
		   ? unconfined(r, &answer, &limits, argv)
		   : confined(r, &answer, &limits, argv);
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
		{ "--memory", NULL, &r.memory },
		{ "--pids", NULL, &r.pids },
		{ "--json-report", NULL, &r.report },
		{ "--dry-run", &r.dry_run, NULL },
		{ "--cwd", NULL, &r.place.cwd },
		{ "--home", NULL, &r.place.home },
		{ "-c", NULL, &r.string },
	};
	const struct opt_many many[] = {
		{ "--rw", &r.rw },
		{ "--ro", &r.ro },
		{ "--ignore", &r.ignore },
		{ "--root", &r.place.roots },
	};
	struct opts_result got = opts_read_many(cli, argc, argv, opts,
	    sizeof opts / sizeof *opts, many, sizeof many / sizeof *many);
	char *const *words_of;

	if (got.done)
		return got.status;
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
