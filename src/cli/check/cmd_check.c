#include "base/limits.h"
#include "cli/check/check.h"
#include "cli/cli.h"
#include "decide/json.h"
#include "decide/show.h"

/* Memory for one parsed line of a batch; judging it uses another arena. */
#define LINE_BYTES (2 * LIMIT_ARENA)
/* Memory for the ids of a long batch, twice, and for the summary line. */
#define SUMS_BYTES ((size_t)64 << 20)

static int
answer_native(struct check_job *job, struct str text)
{
	struct judge_request q = job->base;
	struct judge_answer answer;
	struct decision_extra none = { 0 };
	bool full = false;
	struct buf out;
	int status;

	q.text = text;
	q.trace = job->trace;
	status = gate_judge(job->arena, &job->loader, &q, &answer);
	if (status)
		return load_complain(&job->loader, status);
	buf_init(&out, job->arena);
	if (job->trace && !job->json)
		decision_trace(&out, &answer.in, &answer.decision);
	else if (job->json) {
		none.trace = job->trace;
		decision_json(&out, &answer.in, &answer.decision, &none);
	} else
		decision_line(&out, &answer.decision);
	if (out.full) {
		full = true;
		check_forget(job);
		buf_init(&out, job->arena);
		decision_json_full(&out, none.id);
	}
	buf_putc(&out, '\n');
	status = put_out(buf_str(&out));
	/* An answer that does not fit is a denial. */
	return status ? status
		      : gate_exit_status(full ? VERDICT_DENY : answer.decision.verdict);
}

static int
answer_dialect(struct check_job *job, struct str text)
{
	enum verdict verdict;
	struct buf out;
	int status;

	buf_init(&out, job->arena);
	verdict = job->as == AS_GEMINI ? check_gemini(job, text, &out)
				       : check_cursor(job, text, &out);
	if (out.n && out.p[out.n - 1] != '\n')
		buf_putc(&out, '\n');
	if (out.full || out.n == 0)
		return internal_error("the answer exceeds the memory limit", 0);
	status = put_out(buf_str(&out));
	return status ? status : gate_exit_status(verdict);
}

/* ---- options */

static bool
read_dialect(struct str as, enum dialect *ret)
{
	if (!as.p || str_is(as, "cordon"))
		*ret = AS_CORDON;
	else if (str_is(as, "gemini"))
		*ret = AS_GEMINI;
	else if (str_is(as, "cursor"))
		*ret = AS_CURSOR;
	else
		return false;
	return true;
}

/* Split a list at commas, but not inside parentheses. */
static void
take_list(struct arena *a, struct str text, struct gemini_list *ret)
{
	size_t from = 0, deep = 0;

	if (!text.p)
		return;
	ret->given = true;
	for (size_t i = 0; i <= text.n; i++) {
		char c = i < text.n ? text.p[i] : ',';

		deep += c == '(';
		deep -= c == ')' && deep;
		if (c != ',' || (deep && i < text.n))
			continue;
		if (gemini_trim(str_cut(text, from, i)).n)
			gemini_add(a, ret, gemini_trim(str_cut(text, from, i)));
		from = i + 1;
	}
}

struct check_opts {
	struct place_opts place;
	struct str as, allowed, exclude;
	bool json, batch, summary, trace, headless;
};

static int
check_opts(const struct process *cli, const struct check_opts *o, bool operand)
{
	static const struct str none = { NULL, 0 };
	enum dialect as;

	if (!read_dialect(o->as, &as))
		return usage_error(
		    cli, "--as must be cordon, gemini or cursor, not", o->as);
	if (as != AS_GEMINI && (o->allowed.p || o->exclude.p))
		return usage_error(
		    cli, "--allowed-tools and --exclude need --as gemini", none);
	if (o->batch && operand)
		return usage_error(
		    cli, "--batch reads standard input and takes no command:", none);
	if (o->summary && !o->batch)
		return usage_error(cli, "--summary needs --batch", none);
	return 0;
}

static int
start(const struct process *cli, const struct check_opts *o, struct check_job *job)
{
	static struct arena arena, lines, sums; /* used until the process ends */
	struct judge_request q;
	int status;

	if (!arena_map(&arena, JUDGE_BYTES) || !loader_init(&job->loader, cli) ||
	    (o->batch && !arena_map(&lines, LINE_BYTES)) ||
	    (o->summary && !arena_map(&sums, SUMS_BYTES)))
		return internal_error("no memory", 0);
	job->cli = cli;
	job->arena = &arena;
	job->lines = &lines;
	job->json = o->json;
	job->trace = o->trace;
	job->summary = o->summary;
	(void)read_dialect(o->as, &job->as);
	status = place_take(cli, &arena, &o->place, &q);
	if (status)
		return status;
	q.headless = o->headless;
	if (!o->place.cwd.p)
		q.here = q.cwd;
	job->base = q;
	take_list(&arena, o->allowed, &job->allowed);
	take_list(&arena, o->exclude, &job->exclude);
	if (job->allowed.full || job->exclude.full)
		return internal_error("no memory for the lists", 0);
	job->kept = arena.used;
	if (o->summary) {
		/* Each list grows in its own half. */
		static struct arena half[2];

		arena_init(&half[0], sums.mem, SUMS_BYTES / 2);
		arena_init(&half[1], sums.mem + SUMS_BYTES / 2, SUMS_BYTES / 2);
		buf_init(&job->allowed_ids, &half[0]);
		buf_init(&job->denied_ids, &half[1]);
	}
	return 0;
}

int
cmd_check(const struct process *cli, int argc, char **argv)
{
	struct check_opts o = { 0 };
	const struct opt opts[] = {
		OPT_FLAG("--json", &o.json),
		OPT_FLAG("--batch", &o.batch),
		OPT_FLAG("--summary", &o.summary),
		OPT_FLAG("--trace", &o.trace),
		OPT_FLAG("--headless", &o.headless),
		OPT_VALUE("--as", &o.as),
		OPT_VALUE("--mode", &o.place.mode),
		OPT_VALUE("--session", &o.place.session),
		OPT_VALUE("--policy", &o.place.policy),
		OPT_VALUE("--cwd", &o.place.cwd),
		OPT_VALUE("--home", &o.place.home),
		OPT_VALUE("--allowed-tools", &o.allowed),
		OPT_VALUE("--exclude", &o.exclude),
		OPT_LIST("--root", &o.place.roots),
	};
	struct opts_result got =
	    opts_read(cli, argc, argv, opts, sizeof opts / sizeof *opts);
	struct check_job job = { 0 };
	struct str text = { NULL, 0 };
	int status;

	if (got.done)
		return got.status;
	status = check_opts(cli, &o, got.operand < argc);
	if (status)
		return status;
	if (!o.batch)
		text = opts_operand(cli, argc, argv, got.operand);
	if (!o.batch && !text.p)
		return EXIT_USAGE;
	status = start(cli, &o, &job);
	if (status)
		return status;
	if (o.batch)
		return check_batch(&job);
	return job.as == AS_CORDON ? answer_native(&job, text) : answer_dialect(&job, text);
}
