/* daemon/log/log.h: shared by the verbs of `cordond log`. */
#pragma once
#include "base/buf.h"
#include "daemon/daemon.h"
#include "daemon/store/store.h"

/* An open journal and its up-to-date store. */
struct log {
	const struct process *cli;
	struct str dir; /* --dir */
	bool stale;     /* --stale: do not compare the store with the journal */
	struct arena a; /* kept to the end */
	struct arena scratch;
	struct journal j;
	struct db d;
	struct db_filled filled;
};

void log_done(struct log *l);
#define cleanup_log __attribute__((cleanup(log_done)))

/* Return 0, or a status after an error message.  `rebuild`: make the store again. */
int log_start(struct log *l, bool rebuild);
/* Print `cordon: WHAT: CAUSE` and return a status. */
int log_error(const struct log *l, const char *what, const struct err *e);
int64_t log_now(void); /* ns */

/* Options that select records. */
struct log_filter {
	struct str since, until, verdict, kind, program, host, session, tool, path, cwd,
	    before, count;
};
#define LOG_FILTER_OPTS(f)                                                                 \
	OPT_VALUE("--since", &(f).since), OPT_VALUE("--until", &(f).until),                \
	    OPT_VALUE("--verdict", &(f).verdict), OPT_VALUE("--kind", &(f).kind),          \
	    OPT_VALUE("--program", &(f).program), OPT_VALUE("--host", &(f).host),          \
	    OPT_VALUE("--session", &(f).session), OPT_VALUE("--tool", &(f).tool),          \
	    OPT_VALUE("--path", &(f).path), OPT_VALUE("--cwd", &(f).cwd),                  \
	    OPT_VALUE("--before", &(f).before), OPT_VALUE("-n", &(f).count)

/* Return 0, or EXIT_USAGE after an error message.  `n` is the default limit. */
int log_filter_take(const struct process *cli, const struct log_filter *f, uint64_t n,
    struct db_filter *ret);
/* Parse a number from 1 on. */
bool log_read_count(struct str s, uint64_t *ret);
/* Join the operands from `at` on; .p == NULL: none. */
struct str log_words(struct arena *a, int argc, char **argv, int at);

int log_search(const struct process *cli, int argc, char **argv);
int log_export(const struct process *cli, int argc, char **argv);
int log_stats(const struct process *cli, int argc, char **argv);
int log_heads(const struct process *cli, int argc, char **argv);
int log_rebuild(const struct process *cli, int argc, char **argv);
int log_replay(const struct process *cli, int argc, char **argv);
int log_suggest(const struct process *cli, int argc, char **argv);
int log_undo(const struct process *cli, int argc, char **argv);

/* log_csv.c: print the line of column names, and one record. */
void log_csv_names(struct buf *b);
void log_csv(struct buf *b, const struct record *r);
