#include "base/buf.h"
#include "base/show.h"
#include "cli/log/cmd_log.h"
#include "journal/report.h"

struct report {
	bool json;
	int status; /* of the output */
};

static void
tell_fault(void *context, const struct journal_fault *f)
{
	struct report *r = context;
	char mem[16384];
	struct arena a;
	struct buf b;

	arena_init(&a, mem, sizeof mem);
	buf_init(&b, &a);
	(r->json ? journal_fault_put_json : journal_fault_put_line)(&b, f);
	buf_putc(&b, '\n');
	if (r->status == 0)
		r->status = b.full ? internal_error("no memory for a fault", 0)
				   : put_out(buf_str(&b));
}

static int
finish(const struct journal_verify *v, const struct report *r)
{
	char mem[1024];
	struct arena a;
	struct buf b;
	int status;

	if (r->status)
		return r->status;
	arena_init(&a, mem, sizeof mem);
	buf_init(&b, &a);
	(r->json ? journal_sum_put_json : journal_sum_put_line)(&b, v);
	status = put_out(buf_str(&b));
	return status ? status : v->faults ? EXIT_NOT_OK : EXIT_OK;
}

static int
verify_path(struct journal_verify *v, struct str path)
{
	cleanup_journal_file struct journal_file file = { 0 };
	struct err e = { 0 };

	if (journal_read_path(path, &file, &e)) {
		char mem[8192];
		struct arena a;
		struct buf b;

		arena_init(&a, mem, sizeof mem);
		buf_init(&b, &a);
		buf_puts(&b, "cannot read '");
		show_put(&b, path, 0);
		buf_puts(&b, "'");
		buf_putc(&b, '\0');
		return log_error(b.full ? "cannot read the file" : b.p, &e);
	}
	journal_verify_file(v, path, 0, file.bytes);
	journal_verify_end(v, false);
	return 0;
}

static int
verify_all(const struct process *cli, struct arena *a, const struct log_request *q,
    struct journal_verify *v)
{
	cleanup_journal struct journal j = { 0 };
	struct err e = { 0 };
	int status = log_open(cli, q, &j);

	if (status == EXIT_NOT_OK)
		journal_verify_end(v, true);
	else if (status)
		return status;
	else if (journal_verify(&j, a, v, &e))
		return log_error("cannot read the journal", &e);
	return 0;
}

/* Parse the heads on the command line. */
static int
take_heads(const struct process *cli, struct arena *a, const struct log_request *q,
    struct journal_verify *v)
{
	struct log_heads heads = { 0 };
	int status;

	v->has_seen = q->head.p != NULL;
	if (q->head.p && !journal_head_read(q->head, &v->seen))
		return usage_error(cli, "--head must be SEQUENCE:CHAIN, not", q->head);
	if (!q->heads.p)
		return 0;
	status = log_read_heads(cli, a, q->heads, &heads);
	v->heads = heads.v;
	v->heads_n = heads.n;
	return status;
}

int
log_verify(const struct process *cli, int argc, char **argv, struct arena *a)
{
	static const char takes[] = "--json\0--dir\0--head\0--heads\0";
	struct log_request q = { 0 };
	struct opts_result got = log_options(cli, argc, argv, takes, &q);
	struct report report = { .json = q.json };
	struct journal_verify v = { .tell = tell_fault, .context = &report, .scratch = a };
	int status;

	if (got.done)
		return got.status;
	if (got.operand + 1 < argc)
		return usage_error(cli, "verify takes one file; unexpected",
		    str_from_c(argv[got.operand + 1]));
	status = take_heads(cli, a, &q, &v);
	if (!status)
		status = got.operand < argc ? verify_path(&v, str_from_c(argv[got.operand]))
					    : verify_all(cli, a, &q, &v);
	return status ? status : finish(&v, &report);
}
