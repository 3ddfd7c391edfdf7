#include "base/buf.h"
#include "cli/cli.h"
#include "decide/decide.h"
#include "record/report.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* The list of files, one record as it is in the file and as text, and the names. */
#define LOG_BYTES (16 * RECORD_MAX)
/* Records that `tail` shows at most. */
#define TAIL_MAX 1000000
#define TAIL_DEFAULT 10
#define DIRECTORY_BYTES 4096
/* What --heads reads at most. */
#define HEADS_BYTES ((size_t)64 << 20)

static const struct str none = { NULL, 0 };

/* What the command line asks for. */
struct request {
	bool json;
	struct str dir, count, verdict, session, kind, head, heads;
	uint64_t n;
	struct journal_head seen;
	struct journal_head *all; /* of --heads */
	size_t all_n;
};

static int
journal_error(const char *what, const struct err *e)
{
	int cause = e->code == CORDON_EIO ? errno : 0;
	char mem[512];
	struct arena a;
	struct buf b;

	arena_init(&a, mem, sizeof mem);
	buf_init(&b, &a);
	buf_puts(&b, what);
	buf_puts(&b, ": ");
	buf_puts(&b, e->why ? e->why : err_text(e->code));
	buf_putc(&b, '\0');
	return internal_error(b.full ? what : b.p, cause);
}

/* ---- where the journal is */

/* $XDG_STATE_HOME/cordon, or ~/.local/state/cordon. */
static struct str
find_directory(const struct cli *cli, const struct request *q, char mem[DIRECTORY_BYTES])
{
	struct str state = cli_env(cli, "XDG_STATE_HOME");
	struct arena a;
	struct buf b;

	if (q->dir.p)
		return q->dir;
	arena_init(&a, mem, DIRECTORY_BYTES);
	buf_init(&b, &a);
	if (state.n && state.p[0] == '/') {
		buf_put(&b, state);
	} else if (cli->home.n && cli->home.p[0] == '/') {
		buf_put(&b, cli->home);
		buf_puts(&b, "/.local/state");
	} else {
		return none;
	}
	buf_puts(&b, "/cordon");
	return b.full ? none : buf_str(&b);
}

/* Returns 0, EXIT_NOT_OK when there is no journal, or after a message. */
static int
open_journal(const struct cli *cli, const struct request *q, struct journal *j)
{
	struct journal_opts opts = { .read_only = true };
	char mem[DIRECTORY_BYTES];
	struct str dir = find_directory(cli, q, mem);
	struct err e = { 0 };

	if (!dir.p)
		return usage_error(cli,
		    "neither $XDG_STATE_HOME nor $HOME says where the journal is; use "
		    "--dir",
		    none);
	if (journal_open(j, dir, &opts, &e) == 0)
		return 0;
	if (e.code == CORDON_EIO && errno == ENOENT)
		return EXIT_NOT_OK;
	return journal_error("cannot open the journal", &e);
}

/* ---- tail */

static bool
wanted(const struct request *q, const struct record *r)
{
	if (q->verdict.p &&
	    !(r->verdict.set &&
		str_is(q->verdict, verdict_name((enum verdict)r->verdict.n))))
		return false;
	if (q->session.p && !(r->session.p && str_eq(q->session, r->session)))
		return false;
	return !q->kind.p || str_is(q->kind, record_kind_name(r->kind));
}

/* Passes back over the records that are wanted; returns where the first of them begins.
 * Takes no more than *left of them. */
static size_t
go_back(struct arena *a, const struct request *q, struct str bytes, uint64_t *left)
{
	size_t at = bytes.n, begin = bytes.n, used = a->used;
	struct record r;

	while (*left && journal_previous(a, bytes, &at, &r)) {
		if (wanted(q, &r)) {
			begin = at;
			(*left)--;
		}
		a->used = used;
	}
	return begin;
}

static int
print_record(struct arena *a, const struct request *q, const struct record *r)
{
	struct buf b;

	buf_init(&b, a);
	(q->json ? record_put_json : record_put_line)(&b, r);
	buf_putc(&b, '\n');
	if (b.full)
		return internal_error("no memory for a record", 0);
	return put_out(buf_str(&b));
}

/* Prints the wanted records of `bytes` from `at` on, forward. */
static int
print_from(struct arena *a, const struct request *q, struct str bytes, size_t at)
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
		a->used = used;
		at += n + 1;
	}
	return status;
}

/* The files from the newest back until enough records were seen, then forward again. */
static int
tail_files(
    struct journal *j, struct arena *a, const struct request *q, struct journal_list *list)
{
	size_t first = list->n, begin = 0;
	uint64_t left = q->n;
	struct err e = { 0 };
	int status = 0;

	while (left && first > 0 && !list->v[first - 1].bad) {
		cleanup_journal_file struct journal_file file = { 0 };

		first--;
		if (journal_read(j, &list->v[first], &file, &e))
			return journal_error("cannot read the journal", &e);
		begin = go_back(a, q, file.bytes, &left);
	}
	for (size_t i = first; !status && i < list->n; i++) {
		cleanup_journal_file struct journal_file file = { 0 };

		if (journal_read(j, &list->v[i], &file, &e))
			return journal_error("cannot read the journal", &e);
		status = print_from(a, q, file.bytes, i == first ? begin : 0);
	}
	return status;
}

static int
log_tail(const struct cli *cli, struct arena *a, const struct request *q)
{
	cleanup_journal struct journal j = { 0 };
	cleanup_journal_list struct journal_list list = { 0 };
	struct err e = { 0 };
	int status = open_journal(cli, q, &j);

	if (status == EXIT_NOT_OK) {
		(void)internal_error("there is no journal yet", 0);
		return EXIT_NOT_OK;
	}
	if (status)
		return status;
	if (journal_list(&j, a, &list, &e))
		return journal_error("cannot read the journal", &e);
	return tail_files(&j, a, q, &list);
}

/* ---- verify */

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

	if (journal_read_path(path, &file, &e))
		return journal_error("cannot read the file", &e);
	journal_verify_file(v, path, 0, file.bytes);
	journal_verify_end(v, false);
	return 0;
}

static int
log_verify(const struct cli *cli, struct arena *a, const struct request *q, struct str path)
{
	struct report report = { .json = q->json };
	struct journal_verify v = { .tell = tell_fault,
		.context = &report,
		.scratch = a,
		.has_seen = q->head.p != NULL,
		.seen = q->seen,
		.heads = q->all,
		.heads_n = q->all_n };
	cleanup_journal struct journal j = { 0 };
	struct err e = { 0 };
	int status;

	if (path.p) {
		status = verify_path(&v, path);
		return status ? status : finish(&v, &report);
	}
	status = open_journal(cli, q, &j);
	if (status == EXIT_NOT_OK)
		journal_verify_end(&v, true);
	else if (status)
		return status;
	else if (journal_verify(&j, a, &v, &e))
		return journal_error("cannot read the journal", &e);
	return finish(&v, &report);
}

/* ---- the command line */

static bool
read_number(struct str s, uint64_t most, uint64_t *ret)
{
	uint64_t n = 0;

	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] < '0' || s.p[i] > '9' || n > most)
			return false;
		n = n * 10 + (uint64_t)(s.p[i] - '0');
	}
	*ret = n;
	return s.n > 0 && n <= most;
}

static bool
is_verdict(struct str s)
{
	for (int v = VERDICT_DENY; v <= VERDICT_ALLOW; v++)
		if (str_is(s, verdict_name((enum verdict)v)))
			return true;
	return false;
}

static int
check_request(const struct cli *cli, struct request *q)
{
	enum record_kind kind;

	q->n = TAIL_DEFAULT;
	if (q->count.p && !read_number(q->count, TAIL_MAX, &q->n))
		return usage_error(cli, "-n takes a number up to 1000000, not", q->count);
	if (q->verdict.p && !is_verdict(q->verdict))
		return usage_error(
		    cli, "--verdict is deny, ask, confine or allow, not", q->verdict);
	if (q->kind.p && !record_kind_find(q->kind, &kind))
		return usage_error(cli, "no such kind of record:", q->kind);
	if (q->head.p && !journal_head_read(q->head, &q->seen))
		return usage_error(cli, "--head is SEQUENCE:CHAIN, not", q->head);
	return 0;
}

static int
run_tail(const struct cli *cli, int argc, char **argv, struct arena *a)
{
	struct request q = { 0 };
	const struct opt opts[] = {
		{ "--json", &q.json, NULL },
		{ "-n", NULL, &q.count },
		{ "--verdict", NULL, &q.verdict },
		{ "--session", NULL, &q.session },
		{ "--kind", NULL, &q.kind },
		{ "--dir", NULL, &q.dir },
	};
	struct opts_result got =
	    opts_read(cli, argc, argv, opts, sizeof opts / sizeof *opts);
	int status;

	if (got.done)
		return got.status;
	if (got.operand < argc)
		return usage_error(cli, "tail takes no", str_from_c(argv[got.operand]));
	status = check_request(cli, &q);
	return status ? status : log_tail(cli, a, &q);
}

/* ---- heads that somebody else saw */

static int
by_sequence(const void *x, const void *y)
{
	const struct journal_head *a = x, *b = y;

	return (a->sequence > b->sequence) - (a->sequence < b->sequence);
}

/* Every word of the text that is a head: lines of `cordon log heads`, or of the system's
 * log. */
static int
find_heads(struct request *q, struct arena *a, struct str text)
{
	size_t room = 1;

	for (size_t i = 0; i < text.n; i++)
		room += text.p[i] == ':';
	q->all = arena_array(a, room, sizeof *q->all);
	if (!q->all)
		return internal_error("no memory for so many heads", 0);
	while (text.n) {
		size_t n = 0;

		while (n < text.n && !strchr(" \t\r\n\"", text.p[n]))
			n++;
		if (journal_head_read(str_cut(text, 0, n), &q->all[q->all_n]))
			q->all_n++;
		text = str_skip(text, n + 1);
	}
	qsort(q->all, q->all_n, sizeof *q->all, by_sequence);
	return 0;
}

static int
read_heads(const struct cli *cli, struct request *q, struct arena *a)
{
	struct str path = str_is(q->heads, "-") ? STR("/dev/stdin") : q->heads;
	static struct arena text_memory;
	char name[DIRECTORY_BYTES];
	struct buf text;
	int fd, status;

	if (path.n >= sizeof name || str_find(path, '\0') < path.n)
		return usage_error(cli, "no file can have this name:", path);
	memcpy(name, path.p, path.n);
	name[path.n] = '\0';
	fd = str_is(q->heads, "-") ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return internal_error("cannot read the heads", errno);
	if (!arena_map(&text_memory, HEADS_BYTES))
		return internal_error("no memory", 0);
	buf_init(&text, &text_memory);
	for (;;) {
		char part[4096];
		ssize_t n = read(fd, part, sizeof part);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return internal_error("cannot read the heads", errno);
		if (n == 0)
			break;
		buf_put(&text, str_of(part, (size_t)n));
	}
	if (text.full)
		return usage_error(cli, "too many heads in", q->heads);
	status = find_heads(q, a, buf_str(&text));
	/* Nothing to compare with is not a proof. */
	if (!status && q->all_n == 0)
		return usage_error(cli, "there is no head in", q->heads);
	return status;
}

static int
run_verify(const struct cli *cli, int argc, char **argv, struct arena *a)
{
	struct request q = { 0 };
	const struct opt opts[] = {
		{ "--json", &q.json, NULL },
		{ "--head", NULL, &q.head },
		{ "--heads", NULL, &q.heads },
		{ "--dir", NULL, &q.dir },
	};
	struct opts_result got =
	    opts_read(cli, argc, argv, opts, sizeof opts / sizeof *opts);
	int status;

	if (got.done)
		return got.status;
	if (got.operand + 1 < argc)
		return usage_error(cli, "verify takes one file, not also",
		    str_from_c(argv[got.operand + 1]));
	status = check_request(cli, &q);
	if (!status && q.heads.p)
		status = read_heads(cli, &q, a);
	if (status)
		return status;
	return log_verify(
	    cli, a, &q, got.operand < argc ? str_from_c(argv[got.operand]) : none);
}

int
cmd_log(const struct cli *cli, int argc, char **argv)
{
	struct str what = argc > 1 ? str_from_c(argv[1]) : none;
	struct arena a;

	if (!what.p)
		return usage_error(cli, "say what: tail, verify, search ...", none);
	if (str_is(what, "--help") || str_is(what, "-h"))
		return help_print_one(cli->name);
	if (str_among(
		what, "search\0export\0stats\0suggest\0replay\0undo\0heads\0rebuild\0"))
		return hand_over(cli, argc, argv);
	if (!arena_map(&a, LOG_BYTES))
		return internal_error("no memory", 0);
	if (str_is(what, "tail"))
		return run_tail(cli, argc - 1, argv + 1, &a);
	if (str_is(what, "verify"))
		return run_verify(cli, argc - 1, argv + 1, &a);
	return usage_error(cli,
	    "log has tail, verify, search, export, stats, suggest, replay, undo, heads and "
	    "rebuild, not",
	    what);
}
