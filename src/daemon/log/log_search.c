#include "cli/cli.h"
#include "daemon/log/log.h"
#include "journal/report.h"

#define SEARCH_DEFAULT 100
#define OUT_BYTES (8 * RECORD_MAX)

struct log_printing {
	struct log *log;
	struct arena out;
	struct buf b;
	bool json, csv;
	int status;
};

/* Write output in large blocks; a block that does not fit goes out alone. */
static bool
flush(struct log_printing *p)
{
	if (p->b.full)
		p->status = internal_error("no memory for a record", 0);
	else if (p->b.n)
		p->status = put_out(buf_str(&p->b));
	arena_reset(&p->out);
	buf_init(&p->b, &p->out);
	return p->status == 0;
}

static bool
print(void *context, struct str body, const struct record *r)
{
	struct log_printing *p = context;

	(void)body;
	if (p->csv) {
		log_csv(&p->b, r);
	} else {
		(p->json ? record_put_json : record_put_line)(&p->b, r);
		buf_putc(&p->b, '\n');
	}
	return p->b.n < OUT_BYTES / 4 || flush(p);
}

static int
search(struct log_printing *p, const struct db_filter *f)
{
	struct log *l = p->log;
	struct err e = { 0 };
	int err;

	if (!arena_map(&p->out, 2 * OUT_BYTES))
		return internal_error("no memory", 0);
	buf_init(&p->b, &p->out);
	if (p->csv)
		log_csv_names(&p->b);
	err = db_search(&l->d, &l->scratch, f, print, p, &e);
	if (err == CORDON_EINVAL)
		return usage_error(l->cli, e.why, f->words);
	if (err)
		return log_error(l, "cannot search the store", &e);
	if (!p->status)
		(void)flush(p);
	return p->status;
}

static int
run(const struct process *cli, int argc, char **argv, bool all)
{
	cleanup_log struct log l = { .cli = cli, .j = { .dir = -1 } };
	struct log_printing p = { .log = &l };
	struct log_filter given = { 0 };
	struct db_filter f;
	const struct opt opts[] = {
		OPT_FLAG("--json", &p.json),
		OPT_FLAG("--csv", &p.csv),
		OPT_FLAG("--stale", &l.stale),
		OPT_VALUE("--dir", &l.dir),
		LOG_FILTER_OPTS(given),
	};
	struct opts_result got =
	    opts_read(cli, argc, argv, opts, sizeof opts / sizeof *opts);
	int status;

	if (got.done)
		return got.status;
	if (p.json && p.csv)
		return usage_error(
		    cli, "use --json or --csv, not both", (struct str){ NULL, 0 });
	status = log_filter_take(cli, &given, all ? 0 : SEARCH_DEFAULT, &f);
	if (!status)
		status = log_start(&l, false);
	if (status)
		return status;
	f.words = log_words(&l.a, argc, argv, got.operand);
	f.oldest_first = all;
	if (all && !p.csv)
		p.json = true;
	return search(&p, &f);
}

int
log_search(const struct process *cli, int argc, char **argv)
{
	return run(cli, argc, argv, false);
}

int
log_export(const struct process *cli, int argc, char **argv)
{
	return run(cli, argc, argv, true);
}

/* ---- heads and rebuild */

static int
start_plain(struct log *l, int argc, char **argv, bool *json, bool rebuild)
{
	const struct opt opts[] = {
		OPT_FLAG("--json", json),
		OPT_VALUE("--dir", &l->dir),
	};
	struct opts_result got =
	    opts_read(l->cli, argc, argv, opts, sizeof opts / sizeof *opts);

	if (got.done)
		return got.status ? got.status : -1;
	if (got.operand < argc)
		return usage_error(
		    l->cli, "unexpected argument:", str_from_c(argv[got.operand]));
	return log_start(l, rebuild);
}

static void
print_head(void *context, const struct journal_head *head, int64_t seen)
{
	struct log_printing *p = context;

	if (p->json) {
		buf_puts(&p->b, "{\"head\":\"");
		journal_head_put(&p->b, head);
		buf_puts(&p->b, "\",\"seen\":\"");
		record_put_time(&p->b, seen, true);
		buf_puts(&p->b, "\"}\n");
	} else {
		buf_puts(&p->b, "head ");
		journal_head_put(&p->b, head);
		buf_puts(&p->b, " seen ");
		record_put_time(&p->b, seen, false);
		buf_putc(&p->b, '\n');
	}
	if (!p->status && p->b.n > OUT_BYTES / 4)
		(void)flush(p);
}

int
log_heads(const struct process *cli, int argc, char **argv)
{
	/* Do not compare with the journal: recorded heads stay valid whatever it is now. */
	cleanup_log struct log l = { .cli = cli, .j = { .dir = -1 }, .stale = true };
	struct log_printing p = { .log = &l };
	struct err e = { 0 };
	int status = start_plain(&l, argc, argv, &p.json, false);

	if (status)
		return status < 0 ? 0 : status;
	if (!arena_map(&p.out, 2 * OUT_BYTES))
		return internal_error("no memory", 0);
	buf_init(&p.b, &p.out);
	if (db_heads(&l.d, print_head, &p, &e))
		return log_error(&l, "cannot read the store", &e);
	if (!p.status)
		(void)flush(&p);
	return p.status;
}

int
log_rebuild(const struct process *cli, int argc, char **argv)
{
	cleanup_log struct log l = { .cli = cli, .j = { .dir = -1 } };
	bool json = false;
	struct buf b;
	int status = start_plain(&l, argc, argv, &json, true);

	if (status)
		return status < 0 ? 0 : status;
	buf_init(&b, &l.a);
	buf_puts(&b, json ? "{\"records\":" : "");
	buf_putu(&b, l.filled.records);
	buf_puts(&b, json ? ",\"gaps\":" : " records, ");
	buf_putu(&b, l.filled.gaps);
	buf_puts(&b, json ? "}\n" : " gaps\n");
	return put_out(buf_str(&b));
}
