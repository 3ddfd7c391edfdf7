#include "cli/log/cmd_log.h"
#include "base/buf.h"
#include "cli/cli.h"
#include "gate/rules/layers.h"
#include <errno.h>

/* Memory for the list of files, one record in both forms, and names. */
#define LOG_BYTES (16 * RECORD_MAX)
#define DIRECTORY_BYTES 4096

static const struct str none = { NULL, 0 };

int
log_error(const char *what, const struct err *e)
{
	return internal_error_why(what, e, "", e->code == CORDON_EIO ? errno : 0);
}

/* ---- open the journal */

int
log_open(const struct process *cli, const struct log_request *q, struct journal *j)
{
	struct journal_opts opts = { .read_only = true };
	char mem[DIRECTORY_BYTES];
	struct arena a;
	struct str dir = q->dir;
	struct err e = { 0 };

	arena_init(&a, mem, sizeof mem);
	if (!dir.p)
		dir = str_from_c(own_dir(&a, cli, cli->home, DIR_STATE, STR("")));
	if (!dir.p)
		return usage_error(cli,
		    "cannot find the journal: neither $XDG_STATE_HOME nor $HOME is "
		    "set; use --dir",
		    none);
	if (journal_open(j, dir, &opts, &e) == 0)
		return 0;
	if (e.code == CORDON_EIO && errno == ENOENT)
		return EXIT_NOT_OK;
	return log_error("cannot open the journal", &e);
}

/* ---- options */

struct opts_result
log_options(const struct process *cli, int argc, char **argv, const char *takes,
    struct log_request *ret)
{
	const struct opt all[] = {
		OPT_FLAG("--json", &ret->json),
		OPT_VALUE("--dir", &ret->dir),
		OPT_VALUE("-n", &ret->count),
		OPT_VALUE("--verdict", &ret->verdict),
		OPT_VALUE("--session", &ret->session),
		OPT_VALUE("--kind", &ret->kind),
		OPT_VALUE("--head", &ret->head),
		OPT_VALUE("--heads", &ret->heads),
	};
	struct opt taken[sizeof all / sizeof *all];
	size_t n = 0;

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (str_among(str_from_c(all[i].name), takes))
			taken[n++] = all[i];
	return opts_read(cli, argc, argv, taken, n);
}

/* ---- the verbs */

int
cmd_log(const struct process *cli, int argc, char **argv)
{
	struct str what = argc > 1 ? str_from_c(argv[1]) : none;
	struct arena a;

	if (!what.p)
		return usage_error(cli,
		    "no verb given: tail, verify, search, export, stats, suggest, "
		    "replay, undo, heads or rebuild",
		    none);
	if (str_is(what, "--help") || str_is(what, "-h"))
		return help_print_one(cli->name);
	if (str_among(
		what, "search\0export\0stats\0suggest\0replay\0undo\0heads\0rebuild\0"))
		return hand_over(cli, argc, argv);
	if (!arena_map(&a, LOG_BYTES))
		return internal_error("no memory", 0);
	if (str_is(what, "tail"))
		return log_tail(cli, argc - 1, argv + 1, &a);
	if (str_is(what, "verify"))
		return log_verify(cli, argc - 1, argv + 1, &a);
	return usage_error(cli,
	    "the verb must be tail, verify, search, export, stats, suggest, "
	    "replay, undo, heads or rebuild, not",
	    what);
}
