/* `log suggest`: propose rules that would have avoided past questions. */
#include "daemon/log/suggest.h"
#include "cli/cli.h"

int
log_suggest(const struct process *cli, int argc, char **argv)
{
	static struct suggest s;
	struct log_filter given = { 0 };
	struct db_filter f;
	struct str min = { NULL, 0 };
	const struct opt opts[] = {
		OPT_FLAG("--json", &s.json),
		OPT_FLAG("--rules", &s.rules),
		OPT_VALUE("--min", &min),
		OPT_FLAG("--stale", &s.l.log.stale),
		OPT_VALUE("--dir", &s.l.log.dir),
		LOG_FILTER_OPTS(given),
	};
	struct opts_result got =
	    opts_read(cli, argc, argv, opts, sizeof opts / sizeof *opts);
	int status;

	if (got.done)
		return got.status;
	if (got.operand < argc)
		return usage_error(cli, "suggest takes no arguments; unexpected",
		    str_from_c(argv[got.operand]));
	s.min = SUGGEST_MIN;
	if (min.p && !log_read_count(min, &s.min))
		return usage_error(cli, "--min must be a number above 0, not", min);
	status = log_filter_take(cli, &given, LEARN_DECISIONS, &f);
	if (status)
		return status;
	s.l.log.cli = cli;
	s.l.log.j.dir = -1;
	status = learn_start(&s.l, &f);
	if (status)
		return status;
	suggest_collect(&s);
	if (!s.full)
		suggest_prove(&s);
	status = s.full ? internal_error("the past decisions exceed the memory limit", 0)
			: suggest_print(&s);
	log_done(&s.l.log);
	return status;
}
