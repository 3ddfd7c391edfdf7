#include "base/json/json.h"
#include "base/show.h"
#include "cli/cli.h"
#include "cli/policy/policy_import.h"
#include "decide/decide.h"
#include "gate/place.h"
#include "gate/rules/lint.h"
#include "look/root.h"

#define POLICY_BYTES ((size_t)256 << 20)

static const struct str none = { NULL, 0 };

struct policy_job {
	const struct process *cli;
	struct arena a;
	struct loader loader;
	struct layers_request layers;
	bool json;
	int argc; /* operands */
	char **argv;
	struct buf out;
};

static int
finish(struct policy_job *job, int status)
{
	int err;

	if (job->out.full)
		return internal_error("the answer exceeds the memory limit", 0);
	err = put_out(buf_str(&job->out));
	return err ? err : status;
}

static int
load(struct policy_job *job, bool tests, const struct policy **ret)
{
	int status;

	job->loader.no_cache = true;
	job->loader.no_tests = !tests;
	status = load_policy(&job->loader, &job->layers, ret);
	return status ? load_complain(&job->loader, status) : 0;
}

/* `lint FILE` means `lint --policy FILE`. */
static int
take_file(struct policy_job *job)
{
	if (job->argc && job->layers.policy.p)
		return usage_error(
		    job->cli, "use FILE or --policy, not both:", str_from_c(job->argv[0]));
	if (job->argc > 1)
		return usage_error(job->cli, "one rules file expected; unexpected",
		    str_from_c(job->argv[1]));
	if (job->argc)
		job->layers.policy = str_from_c(job->argv[0]);
	return 0;
}

/* ---- show and merge */

static void
print(struct policy_job *job, const struct policy *p)
{
	if (!job->json) {
		policy_print(p, &job->out);
		return;
	}
	policy_print_json(p, &job->out);
	buf_putc(&job->out, '\n');
}

static int
policy_show(struct policy_job *job)
{
	const struct policy *p;
	int status = take_file(job);

	if (!status)
		status = load(job, false, &p);
	if (status)
		return status;
	print(job, p);
	return finish(job, 0);
}

static int
policy_merge(struct policy_job *job)
{
	struct policy_source sources[OPT_VALUES] = { 0 };
	struct policy_error e = { 0 };
	const struct policy *p;
	struct buf image, why;
	size_t n = 0;

	if (job->argc == 0 || job->argc > OPT_VALUES)
		return usage_error(job->cli, "1 to 32 files expected", none);
	for (; n < (size_t)job->argc; n++) {
		enum store_result r = store_read(&job->a, job->argv[n], STORE_ANY,
		    POLICY_SOURCE_BYTES, &sources[n].text, NULL);

		if (r)
			return usage_error(
			    job->cli, store_why(r, STORE_ANY), str_from_c(job->argv[n]));
		sources[n].layer = LAYER_USER;
		sources[n].file = str_from_c(job->argv[n]);
	}
	buf_init(&image, &job->a);
	buf_init(&why, &job->loader.scratch);
	if (policy_compile(&job->a, sources, n, &image, &e)) {
		load_put_error(&why, sources[e.source].file, &e);
		job->loader.message = why;
		return load_complain(&job->loader, EXIT_POLICY);
	}
	if (image.full || policy_open(&job->a, buf_str(&image), &p))
		return internal_error("the policy exceeds the memory limit", 0);
	buf_init(&job->out, &job->a);
	print(job, p);
	return finish(job, 0);
}

/* ---- lint */

static int
end_lint(struct policy_job *job, const struct lint *l)
{
	if (job->json) {
		buf_puts(&job->out, "],\"errors\":");
		buf_putu(&job->out, l->errors);
		buf_puts(&job->out, ",\"warnings\":");
		buf_putu(&job->out, l->warnings);
		buf_puts(&job->out, "}\n");
	}
	return finish(job, l->errors || l->warnings ? EXIT_NOT_OK : EXIT_OK);
}

static int
lint_files(struct policy_job *job, struct lint *l)
{
	for (int i = 0; i < job->argc; i++) {
		struct str text;
		const char *wrong;
		size_t at;
		enum store_result r = store_read(
		    &job->a, job->argv[i], STORE_ANY, POLICY_SOURCE_BYTES, &text, NULL);

		if (r)
			return usage_error(
			    job->cli, store_why(r, STORE_ANY), str_from_c(job->argv[i]));
		wrong = lint_gemini(l, str_from_c(job->argv[i]), text, &at);
		if (wrong && at < SIZE_MAX)
			return file_error(str_from_c(job->argv[i]), text, at, wrong);
		if (wrong)
			return usage_error(job->cli, wrong, str_from_c(job->argv[i]));
	}
	return end_lint(job, l);
}

/* Agent settings are JSON objects; rules never start with a brace. */
static bool
is_settings(struct policy_job *job, const char *path)
{
	struct str text;

	if (store_read(&job->a, path, STORE_ANY, POLICY_SOURCE_BYTES, &text, NULL))
		return false;
	while (text.n && str_find(STR(" \t\r\n\xef\xbb\xbf"), text.p[0]) < 7)
		text = str_skip(text, 1);
	return text.n && (text.p[0] == '{' || text.p[0] == '/');
}

static int
policy_lint(struct policy_job *job)
{
	/* Findings grow in one arena, their texts in another. */
	static struct arena texts;
	struct lint l = {
		.a = &texts, .q = &job->layers, .json = job->json, .out = &job->out
	};
	int status;

	if (!arena_map(&texts, POLICY_BYTES))
		return internal_error("no memory", 0);
	if (job->json)
		buf_puts(&job->out, "{\"findings\":[");
	if (job->argc && is_settings(job, job->argv[0]))
		return lint_files(job, &l);
	status = take_file(job);
	if (status)
		return status;
	status = load(job, false, &l.p);
	if (status)
		return status;
	lint_policy(&l);
	return end_lint(job, &l);
}

/* ---- test */

struct policy_tests_run {
	struct policy_job *job;
	size_t passed, failed;
};

static void
on_test(void *context, const struct test_failure *f, bool passed)
{
	struct policy_tests_run *t = context;
	struct buf *b = &t->job->out;

	*(passed ? &t->passed : &t->failed) += 1;
	if (passed)
		return;
	if (t->job->json) {
		json_put_sep(b);
		buf_puts(b, "{\"file\":");
		json_put_str(b, f->test.file);
		buf_puts(b, ",\"line\":");
		buf_putu(b, f->test.line);
		buf_puts(b, ",\"command\":");
		json_put_str(b, f->test.command);
		buf_puts(b, ",\"expected\":");
		json_put_str(b, str_from_c(verdict_name(f->test.expected)));
		buf_puts(b, ",\"found\":");
		json_put_str(b, str_from_c(verdict_name(f->found)));
		buf_puts(b, ",\"reason\":");
		json_put_str(b, f->reason);
		buf_putc(b, '}');
		return;
	}
	show_put(b, f->test.file, 0);
	buf_putc(b, ':');
	buf_putu(b, f->test.line);
	buf_puts(b, ": ");
	buf_puts(b, verdict_name(f->found));
	buf_puts(b, f->looser ? ", looser than " : ", stricter than ");
	buf_puts(b, verdict_name(f->test.expected));
	buf_puts(b, ": ");
	show_put(b, f->test.command, 0);
	buf_puts(b, "\n    ");
	show_put(b, f->reason, 0);
	buf_putc(b, '\n');
}

/* Run the tests of each layer with the layers below it, as in a compiled image. */
static int
test_layer(struct policy_job *job, enum layer layer, struct policy_tests_run *t)
{
	struct policy_source part[LAYER_FILES + 1];
	struct policy_error e;
	const struct policy *p;
	static struct arena a; /* reused for each layer */
	struct buf image;
	size_t n = 0;

	if (!a.mem && !arena_map(&a, POLICY_BYTES))
		return internal_error("no memory", 0);
	arena_reset(&a);
	for (size_t i = 0; i < job->loader.sources_n; i++)
		if (tests_use(layer, job->loader.sources[i].layer))
			part[n++] = job->loader.sources[i];
	buf_init(&image, &a);
	if (policy_compile(&a, part, n, &image, &e) || image.full ||
	    policy_open(&a, buf_str(&image), &p))
		return internal_error("cannot run the policy's tests", 0);
	tests_run(&a, p, layer, &job->layers, on_test, t);
	return 0;
}

static int
policy_run_tests(struct policy_job *job)
{
	struct policy_tests_run t = { job, 0, 0 };
	const struct policy *p;
	int status = take_file(job);

	if (!status)
		status = load(job, false, &p);
	if (status)
		return status;
	if (job->json)
		buf_puts(&job->out, "{\"failures\":[");
	for (enum layer layer = LAYER_BUILTIN; layer < LAYERS && !status; layer++)
		status = test_layer(job, layer, &t);
	if (status)
		return status;
	if (job->json)
		buf_puts(&job->out, "],\"passed\":");
	buf_putu(&job->out, t.passed);
	buf_puts(&job->out, job->json ? ",\"failed\":" : " passed, ");
	buf_putu(&job->out, t.failed);
	buf_puts(&job->out, job->json ? "}\n" : " failed\n");
	return finish(job, t.failed ? EXIT_NOT_OK : EXIT_OK);
}

/* ---- select layers */

static int
start(struct policy_job *job, const struct place_opts *place)
{
	struct root_answer roots;
	struct judge_request q;
	struct err e = { 0 };
	int status;

	if (!arena_map(&job->a, POLICY_BYTES) || !loader_init(&job->loader, job->cli))
		return internal_error("no memory", 0);
	status = place_take(job->cli, &job->a, place, &q);
	if (status)
		return status;
	job->layers = (struct layers_request){ .home = q.home,
		.policy = q.policy,
		.session = q.session,
		.now = now_seconds() };
	/* There is a policy to show even outside a project. */
	if (root_find(&job->a,
		&(struct root_request){ .flags = q.root_flags,
		    .variable = q.root_variable,
		    .cwd = q.cwd,
		    .home = q.home,
		    .missing_ok = true },
		&roots, &e) == 0)
		job->layers.root = roots.roots[0];
	else if (place->roots.n)
		return usage_error(job->cli, e.why, place->roots.v[0]);
	buf_init(&job->out, &job->a);
	return 0;
}

static const char which[] = "no verb given: show, lint, test, merge, import or convert";

static int
policy_others(const struct process *cli, int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*exec)(struct policy_job *job);
	} verbs[] = { { "show", policy_show }, { "lint", policy_lint },
		{ "test", policy_run_tests }, { "merge", policy_merge } };
	struct policy_job job = { .cli = cli };
	struct place_opts place = { 0 };
	const struct opt opts[] = {
		OPT_FLAG("--json", &job.json),
		OPT_VALUE("--session", &place.session),
		OPT_VALUE("--policy", &place.policy),
		OPT_VALUE("--cwd", &place.cwd),
		OPT_VALUE("--home", &place.home),
		OPT_LIST("--root", &place.roots),
	};
	struct str verb = argc > 1 ? str_from_c(argv[1]) : none;
	struct opts_result got;
	int status;

	if (verb.n && verb.p[0] == '-') {
		got = opts_read(cli, argc, argv, opts, sizeof opts / sizeof *opts);
		return got.done ? got.status : usage_error(cli, which, none);
	}
	for (size_t i = 0; verb.p && i < sizeof verbs / sizeof *verbs; i++) {
		if (!str_is(verb, verbs[i].name))
			continue;
		got = opts_read(cli, argc - 1, argv + 1, opts, sizeof opts / sizeof *opts);
		if (got.done)
			return got.status;
		job.argc = argc - 1 - got.operand;
		job.argv = argv + 1 + got.operand;
		status = start(&job, &place);
		return status ? status : verbs[i].exec(&job);
	}
	return usage_error(cli,
	    verb.p ? "the verb must be show, lint, test, merge, import or convert, not"
		   : which,
	    verb);
}

int
cmd_policy(const struct process *cli, int argc, char **argv)
{
	struct str verb = argc > 1 ? str_from_c(argv[1]) : none;

	/* Verbs with their own options. */
	if (str_is(verb, "import"))
		return policy_import(cli, argc - 1, argv + 1);
	if (str_is(verb, "convert"))
		return hand_over(cli, argc, argv);
	return policy_others(cli, argc, argv);
}
