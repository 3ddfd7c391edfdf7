#include "base/limits.h"
#include "cli/cli.h"
#include "decide/json.h"
#include "decide/show.h"
#include "gate/judge.h"
#include "gate/place.h"
#include <unistd.h>

/* Use colour only on a terminal, and unless NO_COLOR is set. */
static bool
wants_colour(const struct process *cli)
{
	struct str term = process_env(cli, "TERM");

	return process_env(cli, "NO_COLOR").n == 0 && !str_is(term, "dumb") &&
	       isatty(STDOUT_FILENO);
}

static int
explain(const struct process *cli, struct arena *a, struct loader *l,
    const struct judge_request *q, bool json)
{
	const struct decision_extra extra = { .trace = true };
	struct judge_answer answer;
	struct buf out;
	int status = gate_judge(a, l, q, &answer);

	if (status)
		return load_complain(l, status);
	buf_init(&out, a);
	if (json) {
		decision_json(&out, &answer.in, &answer.decision, &extra);
		buf_putc(&out, '\n');
	} else
		decision_show(&out, &answer.in, &answer.decision, wants_colour(cli));
	if (out.full)
		return internal_error("the explanation exceeds the memory limit", 0);
	status = put_out(buf_str(&out));
	return status ? status : gate_exit_status(answer.decision.verdict);
}

int
cmd_explain(const struct process *cli, int argc, char **argv)
{
	struct place_opts place = { 0 };
	bool json = false, headless = false;
	const struct opt opts[] = {
		OPT_FLAG("--json", &json),
		OPT_FLAG("--headless", &headless),
		OPT_VALUE("--mode", &place.mode),
		OPT_VALUE("--session", &place.session),
		OPT_VALUE("--policy", &place.policy),
		OPT_VALUE("--cwd", &place.cwd),
		OPT_VALUE("--home", &place.home),
		OPT_LIST("--root", &place.roots),
	};
	struct opts_result got =
	    opts_read(cli, argc, argv, opts, sizeof opts / sizeof *opts);
	struct judge_request q;
	struct loader loader;
	struct arena a;
	struct str text;
	int status;

	if (got.done)
		return got.status;
	text = opts_operand(cli, argc, argv, got.operand);
	if (!text.p)
		return EXIT_USAGE;
	if (!arena_map(&a, JUDGE_BYTES) || !loader_init(&loader, cli))
		return internal_error("no memory", 0);
	status = place_take(cli, &a, &place, &q);
	if (status)
		return status;
	q.text = text;
	q.headless = headless;
	q.trace = json;
	return explain(cli, &a, &loader, &q, json);
}
