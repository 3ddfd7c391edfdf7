#include "analyse/analyse.h"
#include "base/json/json.h"
#include "base/limits.h"
#include "base/path.h"
#include "cli/cli.h"
#include "os/lines.h"
#include <errno.h>
#include <unistd.h>

/* Memory for one parsed line of a batch; analysing it uses another arena. */
#define LINE_BYTES (2 * LIMIT_ARENA)

static const struct str none = { NULL, 0 };

/* Static memory is enough for everyday commands and saves an mmap. */
static _Alignas(16) char small[64 << 10];

/* answer_one: out of memory; retry with a larger arena. */
#define EXIT_TOO_SMALL (-1)

struct job {
	bool in_small;       /* the arena is `small` */
	struct arena *arena; /* one command: tree, effects and answer */
	size_t kept; /* bytes of it with the directories below, kept for all commands */
	struct analyse_opts opts;
	bool json;
};

static void
forget(struct job *job)
{
	arena_back(job->arena, job->kept);
}

/* Print `{"id":ID,"error":"WHY"}` for a line that cannot be judged. */
static void
put_line_error(struct buf *out, struct str id, const char *why)
{
	buf_puts(out, "{\"id\":");
	buf_put(out, id.p ? id : STR("null"));
	buf_puts(out, ",\"error\":");
	json_put_str(out, str_from_c(why));
	buf_puts(out, "}");
}

/* Discard an answer that did not fit. */
static void
put_too_large(struct buf *out, bool json)
{
	buf_puts(out, json ? "{\"ok\":false,\"error\":\"" : "refused: ");
	buf_puts(out, "the answer exceeds the memory limit");
	if (json)
		buf_puts(out, "\",\"commands\":[],\"chdir\":[],\"files\":[],\"env\":[],"
			      "\"unknown\":[]}");
}

static int
answer_one(struct job *job, struct str text)
{
	struct buf out;
	int err, status;

	buf_init(&out, job->arena);
	err = job->json ? analyse_json(job->arena, text, &job->opts, &out)
			: analyse_show(job->arena, text, &job->opts, &out);
	if (job->in_small && (err == CORDON_ENOMEM || out.full || out.n == 0))
		return EXIT_TOO_SMALL;
	if (out.full || out.n == 0) {
		err = CORDON_ENOMEM;
		forget(job);
		buf_init(&out, job->arena);
		put_too_large(&out, job->json);
	}
	if (out.n && out.p[out.n - 1] != '\n')
		buf_putc(&out, '\n');
	status = put_out(buf_str(&out));
	return status ? status : err ? EXIT_NOT_OK : EXIT_OK;
}

/* One parsed line of a batch.  The strings point into the line or its arena. */
struct analyse_line {
	struct str id; /* raw JSON; .p == NULL: none */
	struct str command, cwd;
};

/* Return NULL, or the reason why the line is no request; fields read so far stay set. */
static const char *
read_question(struct arena *a, struct str line, struct analyse_line *q)
{
	static const struct json_opts how = { .surrogate_bytes = true };
	const struct json *v = NULL, *cwd;
	struct err e = { 0 };

	if (json_read(a, line, &how, &v, &e))
		return e.why;
	if (v->kind != JSON_OBJECT)
		return "not an object";
	if (json_get(v, STR("id")))
		q->id = json_source(line, json_get(v, STR("id")));
	for (const struct json *m = v->first; m; m = m->next) {
		if (str_is(m->key, "id"))
			continue;
		if (!str_is(m->key, "command") && !str_is(m->key, "cwd"))
			return "unknown key";
		if (m->kind != JSON_STRING)
			return "command and cwd must be strings";
	}
	if (!json_get(v, STR("command")))
		return "command is missing";
	q->command = json_get(v, STR("command"))->text;
	cwd = json_get(v, STR("cwd"));
	if (!cwd)
		return NULL;
	if (cwd->text.n == 0 || cwd->text.p[0] != '/')
		return "cwd must be an absolute path";
	return path_normal(a, none, cwd->text, &q->cwd, &e) ? e.why : NULL;
}

static int
answer_line(struct job *job, struct arena *line_arena, struct str line, const char *wrong)
{
	struct analyse_line q = { none, none, none };
	struct analyse_opts opts = job->opts;
	struct buf out;

	arena_reset(line_arena);
	forget(job);
	if (!wrong)
		wrong = read_question(line_arena, line, &q);
	if (q.cwd.p)
		opts.cwd = q.cwd;
	buf_init(&out, job->arena);
	if (wrong)
		put_line_error(&out, q.id, wrong);
	else
		(void)analyse_json_id(
		    job->arena, q.command, &opts, q.id.p ? q.id : STR("null"), &out);
	if (out.full || out.n == 0) {
		forget(job);
		buf_init(&out, job->arena);
		put_line_error(&out, q.id, "the answer exceeds the memory limit");
	}
	buf_putc(&out, '\n');
	if (out.full)
		return internal_error("no memory for an answer", 0);
	return put_out(buf_str(&out));
}

static int
answer_lines(struct job *job, struct lines *in, struct arena *line_arena)
{
	for (;;) {
		struct str line = none;
		enum lines_got got = lines_next(in, &line);
		int status;

		if (got == LINES_END)
			return EXIT_OK;
		if (got == LINES_FAILED)
			return internal_error("cannot read standard input", errno);
		status = answer_line(job, line_arena, line,
		    got == LINES_TOO_LONG ? "line is longer than 1 MiB" : NULL);
		if (status)
			return status;
	}
}

static int
batch(struct job *job)
{
	struct arena line_arena;
	struct lines in;
	int status;

	if (!arena_map(&line_arena, LINE_BYTES) || !lines_init(&in, STDIN_FILENO))
		return internal_error("no memory", 0);
	status = answer_lines(job, &in, &line_arena);
	lines_done(&in);
	return status;
}

/* Return the physical working directory; a removed directory is unknown. */
static struct str
here(struct arena *a)
{
	char *mem = arena_alloc(a, LIMIT_PATH);
	size_t n;

	if (!mem || !getcwd(mem, LIMIT_PATH) || mem[0] != '/')
		return none;
	/* Return unused bytes, so that one page less is touched. */
	n = strlen(mem);
	arena_back(a, a->used - (LIMIT_PATH - n - 1));
	return str_of(mem, n);
}

/* Set the directory where the command would start, and its home. */
static int
find_directories(
    const struct process *cli, struct job *job, struct str cwd, struct str home)
{
	struct str real = cwd.n && cwd.p[0] == '/' ? none : here(job->arena);

	if (cwd.p && path_normal(job->arena, real, cwd, &cwd, NULL))
		return usage_error(cli, "not a possible directory name:", cwd);
	if (home.p && (home.n == 0 || home.p[0] != '/'))
		return usage_error(cli, "--home must be an absolute path, not", home);
	job->opts.cwd = cwd.p ? cwd : real;
	job->opts.home = home.p ? home : cli->home;
	/* A relative $HOME would depend on the directory where it is used. */
	if (job->opts.home.n == 0 || job->opts.home.p[0] != '/')
		job->opts.home = none;
	job->kept = job->arena->used;
	return 0;
}

static int
answer(const struct process *cli, struct job *job, struct str cwd, struct str home,
    struct str text)
{
	int status = find_directories(cli, job, cwd, home);

	if (status)
		return status;
	return text.p ? answer_one(job, text) : batch(job);
}

int
cmd_analyse(const struct process *cli, int argc, char **argv)
{
	struct job job = { 0 };
	struct str cwd = none, home = none, text = none;
	bool many = false;
	const struct opt opts[] = {
		OPT_FLAG("--json", &job.json),
		OPT_FLAG("--batch", &many),
		OPT_VALUE("--cwd", &cwd),
		OPT_VALUE("--home", &home),
	};
	struct opts_result got =
	    opts_read(cli, argc, argv, opts, sizeof opts / sizeof *opts);
	struct arena a;

	if (got.done)
		return got.status;
	if (many && got.operand < argc)
		return usage_error(cli,
		    "--batch reads standard input and takes no command:",
		    str_from_c(argv[got.operand]));
	if (!many)
		text = opts_operand(cli, argc, argv, got.operand);
	if (!many && !text.p)
		return EXIT_USAGE;
	job.arena = &a;
	if (!many) {
		int status;

		arena_init(&a, small, sizeof small);
		job.in_small = true;
		status = answer(cli, &job, cwd, home, text);
		if (status != EXIT_TOO_SMALL)
			return status;
		job.in_small = false;
	}
	if (!arena_map(&a, LIMIT_ARENA))
		return internal_error("no memory", 0);
	return answer(cli, &job, cwd, home, many ? none : text);
}
