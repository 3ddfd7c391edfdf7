#include "daemon/log/log.h"
#include "cli/cli.h"
#include "decide/decide.h"
#include "gate/rules/layers.h"
#include "journal/report.h"
#include <errno.h>
#include <syslog.h>
#include <time.h>

#define LOG_BYTES ((size_t)1 << 20)
#define COUNT_MAX 1000000000

static const struct str none = { NULL, 0 };

int64_t
log_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int
log_error(const struct log *l, const char *what, const struct err *e)
{
	bool io = e->code == CORDON_EIO;

	return internal_error_why(
	    what, e, io ? l->d.message : "", io && !l->d.message[0] ? errno : 0);
}

void
log_done(struct log *l)
{
	db_close(&l->d);
	journal_close(&l->j);
}

/* Send the head to the system log, which this user cannot change: it proves a chain that
 * was cut or rewritten. */
static void
tell_head(const struct db_place *place)
{
	char mem[256];
	struct arena a;
	struct buf b;

	arena_init(&a, mem, sizeof mem);
	buf_init(&b, &a);
	journal_head_put(&b, &place->head);
	buf_putc(&b, '\0');
	openlog("cordond", LOG_PID, LOG_AUTHPRIV);
	syslog(LOG_NOTICE, "journal head %s", b.p);
	closelog();
}

static int
open_journal(struct log *l)
{
	/* The cause is the store or the journal; name the right one. */
	const char *found =
	    l->dir.p ? NULL : own_dir(&l->a, l->cli, l->cli->home, DIR_STATE, STR(""));
	struct str dir = l->dir.p ? l->dir : str_from_c(found);
	struct journal_opts opts = { .read_only = true };
	struct err e = { 0 };

	if (!dir.p)
		return usage_error(l->cli,
		    "cannot find the journal: neither $XDG_STATE_HOME nor $HOME is "
		    "set; use --dir",
		    none);
	if (journal_open(&l->j, dir, &opts, &e) == 0)
		return 0;
	if (e.code == CORDON_EIO && errno == ENOENT) {
		(void)internal_error("no journal yet", 0);
		return EXIT_NOT_OK;
	}
	return log_error(l, "cannot open the journal", &e);
}

static int
fill(struct log *l)
{
	struct db_place place;
	struct err e = { 0 };
	int err = db_fill(&l->d, &l->j, &l->scratch, &l->filled, &e);

	if (err == CORDON_EUSAGE) {
		db_close(&l->d);
		err = db_open(&l->d, &l->j, &e);
		if (!err)
			err = db_fill(&l->d, &l->j, &l->scratch, &l->filled, &e);
	}
	if (err == CORDON_EREFUSED) {
		(void)log_error(l, "the store does not match the journal", &e);
		(void)internal_error(
		    "`cordon log verify --heads` shows what is missing, --stale "
		    "searches the store as\nit is, `cordon log rebuild` rebuilds it "
		    "from the current journal",
		    0);
		return EXIT_NOT_OK;
	}
	if (err)
		return log_error(l, "cannot fill the store", &e);
	if (l->filled.records && db_place(&l->d, &place, &e) == 0)
		tell_head(&place);
	return 0;
}

int
log_start(struct log *l, bool rebuild)
{
	struct err e = { 0 };
	int status;

	if (!arena_map(&l->a, LOG_BYTES) || !arena_map(&l->scratch, DB_SCRATCH))
		return internal_error("no memory", 0);
	status = open_journal(l);
	if (status)
		return status;
	if (rebuild && db_forget(&l->j, &e))
		return log_error(l, "cannot remove the store", &e);
	if (db_open(&l->d, &l->j, &e))
		return log_error(l, "cannot open the store", &e);
	return l->stale ? 0 : fill(l);
}

/* ---- filters */

bool
log_read_count(struct str s, uint64_t *ret)
{
	return str_number(s, COUNT_MAX, ret) && *ret > 0;
}

int
log_filter_take(const struct process *cli, const struct log_filter *f, uint64_t n,
    struct db_filter *ret)
{
	struct db_filter to = { .program = f->program,
		.host = f->host,
		.session = f->session,
		.tool = f->tool,
		.path = f->path,
		.cwd = f->cwd,
		.limit = n,
		.has_since = f->since.p != NULL,
		.has_until = f->until.p != NULL };
	enum record_kind kind = RECORD_START;
	enum verdict verdict = VERDICT_DENY;

	if (f->count.p && !log_read_count(f->count, &to.limit))
		return usage_error(cli, "-n must be a number above 0, not", f->count);
	if (f->before.p && !log_read_count(f->before, &to.before))
		return usage_error(
		    cli, "--before must be the number of a record, not", f->before);
	if (f->verdict.p && !verdict_find(f->verdict, &verdict))
		return usage_error(
		    cli, "--verdict must be deny, ask, confine or allow, not", f->verdict);
	if (f->kind.p && !record_kind_find(f->kind, &kind))
		return usage_error(cli, "unknown kind of record:", f->kind);
	to.verdict = (struct record_number){ f->verdict.p != NULL, verdict };
	to.kind = (struct record_number){ f->kind.p != NULL, kind };
	if (to.has_since && !when_read(f->since, log_now(), &to.since))
		return usage_error(cli,
		    "--since must be a date, a time, or 30m, 8h, 7d ago, not", f->since);
	if (to.has_until && !when_read(f->until, log_now(), &to.until))
		return usage_error(cli,
		    "--until must be a date, a time, or 30m, 8h, 7d ago, not", f->until);
	/* Strip trailing slashes: nothing lies below a path with one. */
	while (to.path.n > 1 && to.path.p[to.path.n - 1] == '/')
		to.path.n--;
	*ret = to;
	return 0;
}

struct str
log_words(struct arena *a, int argc, char **argv, int at)
{
	struct buf b;

	if (at >= argc)
		return none;
	buf_init(&b, a);
	for (int i = at; i < argc; i++) {
		if (i > at)
			buf_putc(&b, ' ');
		buf_puts(&b, argv[i]);
	}
	return buf_str(&b);
}

/* ---- the verbs */

int
cordond_log(const struct process *cli, int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*exec)(const struct process *cli, int argc, char **argv);
	} verbs[] = {
		{ "search", log_search },
		{ "export", log_export },
		{ "stats", log_stats },
		{ "heads", log_heads },
		{ "rebuild", log_rebuild },
		{ "replay", log_replay },
		{ "suggest", log_suggest },
		{ "undo", log_undo },
	};
	struct str verb = argc > 1 ? str_from_c(argv[1]) : none;

	if (str_is(verb, "--help") || str_is(verb, "-h"))
		return help_print_one(cli->name);
	for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
		if (str_is(verb, verbs[i].name))
			return verbs[i].exec(cli, argc - 1, argv + 1);
	return usage_error(cli,
	    "the verb must be search, export, stats, suggest, replay, undo, "
	    "heads or rebuild, not",
	    verb);
}
