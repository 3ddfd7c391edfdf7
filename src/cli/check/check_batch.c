#include "cli/check/check.h"
#include "decide/json.h"
#include "os/lines.h"
#include <errno.h>
#include <unistd.h>

void
check_forget(struct check_job *job)
{
	arena_back(job->arena, job->kept);
}

/* Print `{"id":ID,"error":"WHY"}` for a line that cannot be judged. */
static void
put_line_error(struct buf *out, struct str id, struct str why)
{
	buf_puts(out, "{\"id\":");
	buf_put(out, id.p ? id : STR("null"));
	buf_puts(out, ",\"error\":");
	json_put_str(out, why);
	buf_putc(out, '}');
}

static enum verdict
answer_question(struct check_job *job, struct str line, struct str *id, struct buf *out)
{
	struct judge_request q;
	struct judge_answer answer;
	struct decision_extra extra;
	const char *wrong = check_read(job->lines, line, &job->base, &q, id);

	if (wrong) {
		put_line_error(out, *id, str_from_c(wrong));
		return VERDICT_DENY;
	}
	q.trace = job->trace;
	if (gate_judge(job->arena, &job->loader, &q, &answer)) {
		put_line_error(out, *id, buf_str(&job->loader.message));
		return VERDICT_DENY;
	}
	extra = (struct decision_extra){ .id = id->p ? *id : STR("null"),
		.command = answer.command,
		.path = answer.path,
		.trace = job->trace };
	buf_init(out, job->arena);
	decision_json(out, &answer.in, &answer.decision, &extra);
	if (!out->full)
		return answer.decision.verdict;
	check_forget(job);
	buf_init(out, job->arena);
	decision_json_full(out, extra.id);
	return VERDICT_DENY;
}

/* Find the line's id for --summary; these dialects parse the line themselves. */
static struct str
id_of(struct check_job *job, struct str line)
{
	static const struct json_opts how = { .surrogate_bytes = true };
	const struct json *v = NULL;

	if (json_read(job->lines, line, &how, &v, NULL) || v->kind != JSON_OBJECT ||
	    !json_get(v, STR("id")))
		return (struct str){ NULL, 0 };
	return json_source(line, json_get(v, STR("id")));
}

static void
count(struct check_job *job, struct str id, enum verdict verdict)
{
	struct buf *to = verdict >= VERDICT_CONFINE ? &job->allowed_ids : &job->denied_ids;

	if (!job->summary)
		return;
	if (to->n)
		buf_putc(to, ',');
	buf_put(to, id.p ? id : STR("null"));
}

static int
answer_line(struct check_job *job, struct str line, bool too_long)
{
	enum verdict verdict = VERDICT_DENY;
	struct str id = { NULL, 0 };
	struct buf out;

	arena_reset(job->lines);
	check_forget(job);
	buf_init(&out, job->arena);
	if (too_long)
		put_line_error(&out, id, STR("line is longer than 1 MiB"));
	else if (job->as == AS_CORDON)
		verdict = answer_question(job, line, &id, &out);
	else
		verdict = job->as == AS_GEMINI ? check_gemini_line(job, line, &out)
					       : check_cursor_line(job, line, &out);
	if (out.full || out.n == 0) {
		verdict = VERDICT_DENY;
		check_forget(job);
		buf_init(&out, job->arena);
		put_line_error(&out, id, STR("the answer exceeds the memory limit"));
	}
	buf_putc(&out, '\n');
	if (out.full)
		return internal_error("no memory for an answer", 0);
	if (job->summary && job->as != AS_CORDON && !too_long)
		id = id_of(job, line);
	count(job, id, verdict);
	return put_out(buf_str(&out));
}

static int
put_summary(struct check_job *job)
{
	struct buf out;

	check_forget(job);
	buf_init(&out, job->arena);
	buf_puts(&out, "{\"allowed\":[");
	buf_put(&out, buf_str(&job->allowed_ids));
	buf_puts(&out, "],\"denied\":[");
	buf_put(&out, buf_str(&job->denied_ids));
	buf_puts(&out, "]}\n");
	if (out.full || job->allowed_ids.full || job->denied_ids.full)
		return internal_error("the summary exceeds the memory limit", 0);
	return put_out(buf_str(&out));
}

int
check_batch(struct check_job *job)
{
	struct lines in;
	int status = 0;

	if (!lines_init(&in, STDIN_FILENO))
		return internal_error("no memory", 0);
	while (!status) {
		struct str line = { NULL, 0 };
		enum lines_got got = lines_next(&in, &line);

		if (got == LINES_FAILED)
			status = internal_error("cannot read standard input", errno);
		else if (got != LINES_END)
			status = answer_line(job, line, got == LINES_TOO_LONG);
		else {
			status = job->summary ? put_summary(job) : EXIT_OK;
			break;
		}
	}
	lines_done(&in);
	return status;
}
