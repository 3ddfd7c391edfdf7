#include "base/buf.h"
#include "cli/log/cmd_log.h"
#include "decide/decide.h"
#include "journal/report.h"

/* Limit for `tail -n`. */
#define TAIL_MAX 1000000
#define TAIL_DEFAULT 10

struct tail_search {
	struct log_request given;
	uint64_t n;
};

static bool
wanted(const struct tail_search *q, const struct record *r)
{
	if (q->given.verdict.p &&
	    !(r->verdict.set &&
		str_is(q->given.verdict, verdict_name((enum verdict)r->verdict.n))))
		return false;
	if (q->given.session.p && !(r->session.p && str_eq(q->given.session, r->session)))
		return false;
	return !q->given.kind.p || str_is(q->given.kind, record_kind_name(r->kind));
}

/* Walk back over at most *left matching records; return the offset of the first. */
static size_t
go_back(struct arena *a, const struct tail_search *q, struct str bytes, uint64_t *left)
{
	size_t at = bytes.n, begin = bytes.n, used = a->used;
	struct record r;

	while (*left && journal_previous(a, bytes, &at, &r)) {
		if (wanted(q, &r)) {
			begin = at;
			(*left)--;
		}
		arena_back(a, used);
	}
	return begin;
}

static int
print_record(struct arena *a, const struct tail_search *q, const struct record *r)
{
	struct buf b;

	buf_init(&b, a);
	(q->given.json ? record_put_json : record_put_line)(&b, r);
	buf_putc(&b, '\n');
	if (b.full)
		return internal_error("no memory for a record", 0);
	return put_out(buf_str(&b));
}

/* Print the matching records of `bytes` from offset `at`. */
static int
print_from(struct arena *a, const struct tail_search *q, struct str bytes, size_t at)
{
	size_t used = a->used;
	int status = 0;

	while (!status && at < bytes.n) {
		size_t n = str_find(str_skip(bytes, at), '\0');
		struct str frame = str_cut(bytes, at, at + n);
		struct record r;
		size_t back = frame.n;

		if (journal_previous(a, frame, &back, &r) && wanted(q, &r))
			status = print_record(a, q, &r);
		arena_back(a, used);
		at += n + 1;
	}
	return status;
}

/* Walk the files from the newest until there are enough records, then print forward. */
static int
tail_files(struct journal *j, struct arena *a, const struct tail_search *q,
    struct journal_list *list)
{
	size_t first = list->n, begin = 0;
	uint64_t left = q->n;
	struct err e = { 0 };
	int status = 0;

	while (left && first > 0 && !list->v[first - 1].bad) {
		cleanup_journal_file struct journal_file file = { 0 };

		first--;
		if (journal_read(j, &list->v[first], &file, &e))
			return log_error("cannot read the journal", &e);
		begin = go_back(a, q, file.bytes, &left);
	}
	for (size_t i = first; !status && i < list->n; i++) {
		cleanup_journal_file struct journal_file file = { 0 };

		if (journal_read(j, &list->v[i], &file, &e))
			return log_error("cannot read the journal", &e);
		status = print_from(a, q, file.bytes, i == first ? begin : 0);
	}
	return status;
}

static int
tail(const struct process *cli, struct arena *a, const struct tail_search *q)
{
	cleanup_journal struct journal j = { 0 };
	cleanup_journal_list struct journal_list list = { 0 };
	struct err e = { 0 };
	int status = log_open(cli, &q->given, &j);

	if (status == EXIT_NOT_OK) {
		(void)internal_error("no journal yet", 0);
		return EXIT_NOT_OK;
	}
	if (status)
		return status;
	if (journal_list(&j, a, &list, &e))
		return log_error("cannot read the journal", &e);
	return tail_files(&j, a, q, &list);
}

/* ---- the command line */

static int
check(const struct process *cli, struct tail_search *q)
{
	const struct log_request *given = &q->given;
	enum record_kind kind;
	enum verdict verdict;

	q->n = TAIL_DEFAULT;
	if (given->count.p && !str_number(given->count, TAIL_MAX, &q->n))
		return usage_error(
		    cli, "-n must be a number up to 1000000, not", given->count);
	if (given->verdict.p && !verdict_find(given->verdict, &verdict))
		return usage_error(cli,
		    "--verdict must be deny, ask, confine or allow, not", given->verdict);
	if (given->kind.p && !record_kind_find(given->kind, &kind))
		return usage_error(cli, "unknown kind of record:", given->kind);
	return 0;
}

int
log_tail(const struct process *cli, int argc, char **argv, struct arena *a)
{
	static const char takes[] = "--json\0--dir\0-n\0--verdict\0--session\0--kind\0";
	struct tail_search q = { 0 };
	struct opts_result got = log_options(cli, argc, argv, takes, &q.given);
	int status;

	if (got.done)
		return got.status;
	if (got.operand < argc)
		return usage_error(cli, "tail takes no arguments; unexpected",
		    str_from_c(argv[got.operand]));
	status = check(cli, &q);
	return status ? status : tail(cli, a, &q);
}
