#include "analyse/analyse.h"
#include "cli/check/check.h"

static void
gemini_config_of(const struct check_job *job, struct gemini_config *c)
{
	*c = (struct gemini_config){ .exclude = job->exclude,
		.allowed = job->allowed,
		.headless = job->base.headless || job->allowed.given,
		.where = { job->base.cwd, job->base.home } };
}

enum verdict
check_gemini(struct check_job *job, struct str text, struct buf *out)
{
	struct gemini_config c;
	struct gemini_result r = { 0 };

	gemini_config_of(job, &c);
	if (job->trace)
		return gemini_explain(job->arena, text, &c, out);
	gemini_check_all(job->arena, text, &c, NULL, &r);
	buf_putc(out, '{');
	gemini_put_result(out, &r);
	buf_putc(out, '}');
	return gemini_verdict(&r, c.headless);
}

enum verdict
check_gemini_line(struct check_job *job, struct str line, struct buf *out)
{
	const struct analyse_opts where = { job->base.cwd, job->base.home };
	enum verdict verdict = VERDICT_DENY;

	/* If memory runs out, nothing is printed and the caller reports it. */
	if (gemini_request(job->arena, line, &where, out, &verdict))
		return VERDICT_DENY;
	return verdict;
}

/* Gather facts for the cursor dialect, as for every other request. */
static int
look_for_cursor(
    void *context, struct arena *a, const struct cursor_input *in, struct effects *e)
{
	const struct check_job *job = context;
	struct look_opts o = { .roots = { in->roots, in->roots_n },
		.cwd = in->where.cwd,
		.home = in->where.home,
		.path = job->base.search };
	static const struct str ignore[] = { STR_INIT(".cursorignore") };

	o.ignore = (struct look_list){ ignore, 1 };
	if (o.roots.n == 0 && o.cwd.p)
		o.roots = (struct look_list){ &in->where.cwd, 1 };
	return look(a, e, &o, NULL);
}

static void
cursor_opts_of(struct check_job *job, struct buf *trace, bool batch, struct cursor_opts *o)
{
	*o = (struct cursor_opts){ .batch = batch,
		.has_mode = job->base.has_mode,
		.mode = job->base.mode,
		.base = { .where = { job->base.cwd, job->base.home },
		    .settings = cursor_defaults(),
		    .mode = job->base.has_mode ? job->base.mode : MODE_USE_ALLOWLIST,
		    .sandbox_enabled = true,
		    .roots = job->base.root_flags.v,
		    .roots_n = job->base.root_flags.n,
		    .look = look_for_cursor,
		    .context = job },
		.trace = trace };
}

enum verdict
check_cursor(struct check_job *job, struct str text, struct buf *out)
{
	enum verdict verdict = VERDICT_DENY;
	struct cursor_opts o;
	struct buf trace;
	int err;

	buf_init(&trace, job->arena);
	cursor_opts_of(job, job->trace ? &trace : NULL, false, &o);
	err = cursor_command(job->arena, text, &o, out, &verdict);
	if (job->trace && !err && !trace.full) {
		out->n = 0;
		buf_put(out, buf_str(&trace));
	}
	return err ? VERDICT_DENY : verdict;
}

enum verdict
check_cursor_line(struct check_job *job, struct str line, struct buf *out)
{
	enum verdict verdict = VERDICT_DENY;
	struct cursor_opts o;

	cursor_opts_of(job, NULL, true, &o);
	return cursor_request(job->arena, line, &o, out, &verdict) ? VERDICT_DENY : verdict;
}
