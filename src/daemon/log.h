/* daemon/log.h: what the verbs of `cordond log` share. */
#pragma once
#include "base/buf.h"
#include "daemon/daemon.h"
#include "daemon/store/store.h"

/* An open journal and its store, filled up to now. */
struct log {
	const struct process *cli;
	struct str dir; /* --dir */
	bool stale;     /* --stale: the store as it is, whatever the journal says */
	struct arena a; /* what lasts */
	struct arena scratch;
	struct journal j;
	struct db d;
	struct db_filled filled;
};

void log_done(struct log *l);
#define cleanup_log __attribute__((cleanup(log_done)))

/* Returns 0, or a status after a message.  `anew`: the store is made again. */
int log_start(struct log *l, bool anew);
/* `cordon: WHAT: CAUSE`; returns a status. */
int log_error(const struct log *l, const char *what, const struct err *e);
int64_t log_now(void); /* ns */

/* Options that say which records are meant. */
struct log_filter {
	struct str since, until, verdict, kind, program, host, session, tool, path, cwd,
	    before, count;
};
#define LOG_FILTER_OPTS(f)                                                                 \
	{ "--since", NULL, &(f).since }, { "--until", NULL, &(f).until },                  \
	    { "--verdict", NULL, &(f).verdict }, { "--kind", NULL, &(f).kind },            \
	    { "--program", NULL, &(f).program }, { "--host", NULL, &(f).host },            \
	    { "--session", NULL, &(f).session }, { "--tool", NULL, &(f).tool },            \
	    { "--path", NULL, &(f).path }, { "--cwd", NULL, &(f).cwd },                    \
	    { "--before", NULL, &(f).before },                                             \
	{                                                                                  \
		"-n", NULL, &(f).count                                                     \
	}

/* 0, or EXIT_USAGE after a message.  The limit is `n` when the options say none. */
int log_filter_take(const struct process *cli, const struct log_filter *f, uint64_t n,
    struct db_filter *ret);
/* A number from 1 on. */
bool log_read_count(struct str s, uint64_t *ret);
/* The operands from `at` on as one text of words; .p == NULL: none. */
struct str log_words(struct arena *a, int argc, char **argv, int at);

int log_search(const struct process *cli, int argc, char **argv);
int log_export(const struct process *cli, int argc, char **argv);
int log_stats(const struct process *cli, int argc, char **argv);
int log_heads(const struct process *cli, int argc, char **argv);
int log_rebuild(const struct process *cli, int argc, char **argv);
int log_replay(const struct process *cli, int argc, char **argv);
int log_suggest(const struct process *cli, int argc, char **argv);
int log_undo(const struct process *cli, int argc, char **argv);

/* log_csv.c: one line of a table for other programs; the line of names. */
void log_csv_names(struct buf *b);
void log_csv(struct buf *b, const struct record *r);
