/*
 * tests/tools/journal_tool.c: many writers of one journal at once, and what becomes of
 * their records.
 *
 *   journal_tool storm DIR PROCESSES RECORDS KILLS SEED FILE_BYTES
 *	PROCESSES writers append RECORDS records each; at random times one of them is
 *	killed, KILLS times in all, and another takes its place.
 *   journal_tool fill DIR PROCESSES RECORDS FILLER
 *	The same on a small file system: when it is full, FILLER is cut to nothing.
 *   journal_tool sha256
 *	A line of hexadecimal digits in, the digest of those bytes out.
 *   journal_tool write DIR COUNT
 *	COUNT records of all kinds.
 *   journal_tool append DIR
 *	One more record, to the same file.
 *
 * storm and fill answer one line of JSON; status 0 when every record that was
 * acknowledged is in the journal once, no other more than once, and the chain is whole.
 */
#define _GNU_SOURCE
#include "journal/journal.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	UNTRIED,
	TRIED,  /* append was called */
	ACKED,  /* and returned 0 */
	FAILED, /* and returned an error */
};

/* Shared by all processes. */
struct work {
	size_t processes, records;
	uint8_t *state; /* processes * records */
	pid_t *pids;
	struct journal_opts opts;
	struct str dir;
	size_t full; /* appends that failed */
	size_t cut;  /* writes that were cut short */
	int filler;  /* -1: none */
};

static uint64_t seed;

static uint64_t
chance(uint64_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % below;
}

static void *
shared(size_t n)
{
	void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		abort();
	return p;
}

/* A command of a length that depends on its number, some with a secret, now and then a
 * long one. */
static struct str
command_of(char *mem, size_t room, size_t who, size_t i)
{
	size_t n = (who * 31 + i * 17) % 700;

	if ((who + i) % 97 == 0)
		n = 9000 + i % 5000;
	if (n > room)
		n = room;
	memset(mem, 'a' + (int)(i % 26), n);
	return str_of(mem, n);
}

static int
append(struct journal *j, struct arena *a, size_t who, size_t i)
{
	static char mem[16384];
	struct record r = { .kind = RECORD_DECISION,
		.host = STR("storm"),
		.cwd = STR("/some/where"),
		.verdict = { true, i % 4 },
		.command = command_of(mem, sizeof mem, who, i),
		.about = { true, who },
		.count = { true, i } };

	return journal_append(j, a, &r, NULL, NULL);
}

/* As if the writer were killed in its write: the kernel takes only a part of it. */
static int
append_cut(struct work *w, struct journal *j, struct arena *a, size_t who, size_t i)
{
	struct rlimit unlimited, limit;
	struct stat st = { 0 };
	int err;

	getrlimit(RLIMIT_FSIZE, &unlimited);
	limit = unlimited;
	(void)fstatat(j->dir, JOURNAL_NAME, &st, 0);
	limit.rlim_cur = (rlim_t)st.st_size + chance(800);
	if (limit.rlim_cur < 4096)
		return append(j, a, who, i);
	setrlimit(RLIMIT_FSIZE, &limit);
	err = append(j, a, who, i);
	setrlimit(RLIMIT_FSIZE, &unlimited);
	if (err)
		__atomic_add_fetch(&w->cut, 1, __ATOMIC_RELAXED);
	return err;
}

static void
work_on(struct work *w, size_t who)
{
	struct arena *a = arena_new(JOURNAL_SCRATCH);
	struct journal j;
	uint8_t *state = w->state + who * w->records;
	bool cut;
	int err;

	seed += who * 7919 + (uint64_t)getpid();
	signal(SIGXFSZ, SIG_IGN);
	if (!a || journal_open(&j, w->dir, &w->opts, NULL))
		_exit(3);
	for (size_t i = 0; i < w->records; i++) {
		if (state[i] != UNTRIED)
			continue;
		state[i] = TRIED;
		cut = w->filler < 0 && chance(40) == 0;
		err = cut ? append_cut(w, &j, a, who, i) : append(&j, a, who, i);
		state[i] = err ? FAILED : ACKED;
		if (!err || cut)
			continue;
		if (w->filler < 0)
			_exit(4);
		__atomic_add_fetch(&w->full, 1, __ATOMIC_RELAXED);
		if (ftruncate(w->filler, 0))
			_exit(5);
	}
	_exit(0);
}

static void
start(struct work *w, size_t who)
{
	pid_t p = fork();

	if (p == 0)
		work_on(w, who);
	if (p < 0)
		abort();
	w->pids[who] = p;
}

static size_t
index_of(const struct work *w, pid_t p)
{
	for (size_t i = 0; i < w->processes; i++)
		if (w->pids[i] == p)
			return i;
	abort();
}

static void
pause_us(long us)
{
	struct timespec t = { us / 1000000, us % 1000000 * 1000 };

	nanosleep(&t, NULL);
}

/* Runs all writers; returns how many were killed, or exits when one fails. */
static size_t
run(struct work *w, size_t kills)
{
	size_t alive = w->processes, killed = 0;
	int status;

	for (size_t i = 0; i < w->processes; i++)
		start(w, i);
	while (alive) {
		bool may_kill = killed < kills;
		pid_t p = waitpid(-1, &status, may_kill ? WNOHANG : 0);

		if (p > 0 && WIFSIGNALED(status)) {
			start(w, index_of(w, p));
		} else if (p > 0 && WEXITSTATUS(status)) {
			fprintf(stderr, "a writer ended with %d\n", WEXITSTATUS(status));
			exit(1);
		} else if (p > 0) {
			w->pids[index_of(w, p)] = 0;
			alive--;
		} else if (may_kill) {
			size_t who = (size_t)chance(w->processes);

			pause_us((long)chance(3000));
			if (w->pids[who]) {
				kill(w->pids[who], SIGKILL);
				killed++;
			}
		}
	}
	return killed;
}

/* ---- afterwards */

static void
print_fault(void *context, const struct journal_fault *f)
{
	(void)context;
	if (!journal_fault_is_note(f->kind))
		fprintf(stderr, "%s: %.*s at %llu: %s\n", journal_fault_name(f->kind),
		    (int)f->file.n, f->file.p, (unsigned long long)f->offset,
		    f->why ? f->why : "");
}

static void
count_file(struct arena *a, struct str bytes, const struct work *w, uint8_t *seen)
{
	size_t at = bytes.n;
	struct record r;

	for (size_t used = a->used; journal_previous(a, bytes, &at, &r); a->used = used)
		if (r.kind == RECORD_DECISION && r.about.n < w->processes &&
		    r.count.n < w->records)
			seen[r.about.n * w->records + r.count.n]++;
}

static int
judge(struct work *w, struct journal *j, size_t killed)
{
	struct arena *a = arena_new(8 * RECORD_MAX);
	struct journal_verify v = { .tell = print_fault, .scratch = a };
	struct journal_list list = { 0 };
	size_t n = w->processes * w->records, lost = 0, twice = 0, acked = 0, extra = 0;
	uint8_t *seen = calloc(n, 1);

	if (!a || !seen || journal_verify(j, a, &v, NULL) ||
	    journal_list(j, a, &list, NULL))
		return 2;
	for (size_t i = 0; i < list.n; i++) {
		struct journal_file file = { 0 };

		if (journal_read(j, &list.v[i], &file, NULL))
			return 2;
		count_file(a, file.bytes, w, seen);
		journal_file_done(&file);
	}
	for (size_t i = 0; i < n; i++) {
		acked += w->state[i] == ACKED;
		lost += w->state[i] == ACKED && !seen[i];
		extra += w->state[i] != ACKED && seen[i];
		twice += seen[i] > 1;
	}
	printf("{\"acknowledged\":%zu,\"lost\":%zu,\"twice\":%zu,\"unacknowledged\":%zu,"
	       "\"killed\":%zu,\"full\":%zu,\"cut\":%zu,\"faults\":%llu,\"sealed\":%llu,"
	       "\"files\":%zu}\n",
	    acked, lost, twice, extra, killed, w->full, w->cut,
	    (unsigned long long)v.faults, (unsigned long long)v.notes, list.n);
	journal_list_done(&list);
	free(seen);
	arena_free(a);
	return lost || twice || v.faults ? 1 : 0;
}

static int
storm(char **argv, const char *filler)
{
	struct work *w = shared(sizeof *w);
	struct arena *a = arena_new(JOURNAL_SCRATCH);
	struct journal j;
	size_t kills = filler ? 0 : strtoul(argv[5], NULL, 10), killed;
	int status;

	w->dir = str_from_c(argv[2]);
	w->processes = strtoul(argv[3], NULL, 10);
	w->records = strtoul(argv[4], NULL, 10);
	w->opts = (struct journal_opts){ .wait_ms = 120000, .files = 1000 };
	w->filler = -1;
	if (filler) {
		w->filler = open(filler, O_WRONLY | O_CLOEXEC);
	} else {
		seed = strtoul(argv[6], NULL, 10) * 2654435761u + 1;
		w->opts.file_bytes = strtoul(argv[7], NULL, 10);
	}
	w->state = shared(w->processes * w->records);
	w->pids = shared(w->processes * sizeof *w->pids);
	killed = run(w, kills);
	/* The one that seals what the last killed writer left. */
	if (!a || journal_open(&j, w->dir, &w->opts, NULL) ||
	    append(&j, a, w->processes, w->records)) {
		fprintf(stderr, "the last append failed: %s\n", strerror(errno));
		return 1;
	}
	status = judge(w, &j, killed);
	journal_close(&j);
	arena_free(a);
	return status;
}

/* ---- the others */

static int
digests(void)
{
	static char line[1 << 21], bytes[1 << 20];

	while (fgets(line, sizeof line, stdin)) {
		size_t n = strcspn(line, "\n") / 2;
		uint8_t d[SHA256_BYTES];
		struct sha256 s;

		for (size_t i = 0; i < n; i++) {
			unsigned b;

			sscanf(line + 2 * i, "%2x", &b);
			bytes[i] = (char)b;
		}
		sha256_init(&s);
		/* In two parts, so that every way of cutting is tried. */
		sha256_put(&s, str_of(bytes, n * 5 / 7));
		sha256_put(&s, str_of(bytes + n * 5 / 7, n - n * 5 / 7));
		sha256_done(&s, d);
		for (size_t i = 0; i < sizeof d; i++)
			printf("%02x", d[i]);
		printf("\n");
	}
	return 0;
}

static int
write_some(const char *dir, size_t count, uint64_t file_bytes)
{
	static const enum record_kind kinds[] = { RECORD_DECISION, RECORD_ANSWER,
		RECORD_RUN, RECORD_VIOLATION, RECORD_POLICY };
	struct arena *a = arena_new(JOURNAL_SCRATCH);
	struct journal_opts opts = { .file_bytes = file_bytes };
	struct journal j;
	struct err e = { 0 };

	if (!a || journal_open(&j, str_from_c(dir), &opts, &e)) {
		fprintf(stderr, "%s: %s\n", e.why ? e.why : "", strerror(errno));
		return 1;
	}
	for (size_t i = 0; i < count; i++) {
		struct record r = { .kind = kinds[i % 5],
			.host = STR("claude"),
			.session = i % 2 ? STR("one") : STR("two"),
			.cwd = STR("/w"),
			.command =
			    i % 3 ? STR("curl -u me:hunter2 x") : STR("ls \x1b[31m\xff"),
			.reason = STR("because"),
			.rule = STR("user:/r:3"),
			.time = (int64_t)1750000000 * 1000000000 + (int64_t)i };

		if (i % 5 == 0)
			r.verdict = (struct record_number){ true, i / 5 % 4 };
		if (i % 5 == 2)
			r.exit = (struct record_number){ true, 0 };
		if (journal_append(&j, a, &r, NULL, &e)) {
			fprintf(stderr, "%s: %s\n", e.why, strerror(errno));
			return 1;
		}
	}
	journal_close(&j);
	arena_free(a);
	return 0;
}

int
main(int argc, char **argv)
{
	if (argc == 8 && strcmp(argv[1], "storm") == 0)
		return storm(argv, NULL);
	if (argc == 6 && strcmp(argv[1], "fill") == 0)
		return storm(argv, argv[5]);
	if (argc == 2 && strcmp(argv[1], "sha256") == 0)
		return digests();
	if (argc == 3 && strcmp(argv[1], "append") == 0)
		return write_some(argv[2], 1, (uint64_t)1 << 20);
	if (argc == 4 && strcmp(argv[1], "write") == 0)
		return write_some(argv[2], strtoul(argv[3], NULL, 10), 2048);
	return 64;
}
