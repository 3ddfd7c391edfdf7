/*
 * `log undo`: remove a line that was added to an allowlist.
 *
 * MUST
 * 1.  Change a file only if the added lines are still in it byte for byte.
 * 2.  Keep every other byte of the file.
 * 3.  Remove each addition once; the journal says which were removed.
 */
#include "base/json/json.h"
#include "base/show.h"
#include "cli/cli.h"
#include "daemon/log/log.h"
#include "gate/ask/session_tools.h"
#include "gate/keep.h"
#include <errno.h>
#include <stdlib.h> /* realpath */

struct undone {
	uint64_t sequence;
	const struct undone *next;
};

struct undo {
	struct log log;
	bool json, dry;
	uint64_t wanted; /* 0: the newest */
	const struct undone *undone;
	bool full; /* memory ran out: removed additions are unknown */
	/* The addition. */
	bool found;
	uint64_t sequence;
	int64_t time;
	struct str path, lines, session, tool;
	struct record_number at, size;
	struct record_digest digest;
	/* The current file. */
	const char *file;
	struct str text;
	size_t begin, end;
};

static bool
is_undone(const struct undo *u, uint64_t sequence)
{
	for (const struct undone *r = u->undone; r; r = r->next)
		if (r->sequence == sequence)
			return true;
	return false;
}

static bool
add_undone(struct undo *u, uint64_t sequence)
{
	struct undone *r = ARENA_NEW(&u->log.a, struct undone);

	u->full = !r;
	if (!r)
		return false;
	*r = (struct undone){ sequence, u->undone };
	u->undone = r;
	return true;
}

/* Newest first: removals come before their additions. */
static bool
take_change(void *context, struct str body, const struct record *r)
{
	struct undo *u = context;

	(void)body;
	if (r->op.p && str_is(r->op, "undo") && r->about.set)
		return add_undone(u, r->about.n);
	if (!r->op.p || !(str_is(r->op, "allow") || str_is(r->op, "session allow")) ||
	    !r->path.n || (u->wanted && r->sequence != u->wanted) ||
	    is_undone(u, r->sequence))
		return true;
	/* The record does not say which bytes were added. */
	if (!u->wanted && !r->digest.set)
		return true;
	u->found = true;
	u->sequence = r->sequence;
	u->time = r->time;
	u->path = arena_copy(&u->log.a, r->path);
	u->lines = arena_copy(&u->log.a, r->command.p ? r->command : STR(""));
	u->session = r->session.p ? arena_copy(&u->log.a, r->session) : r->session;
	u->tool = r->outcome.p ? arena_copy(&u->log.a, r->outcome) : r->outcome;
	u->at = r->at;
	u->size = r->size;
	u->digest = r->digest;
	return false;
}

/* ---- find it in the file */

static bool
is_it(const struct undo *u, size_t from, size_t n)
{
	struct str part;
	uint8_t sum[SHA256_BYTES];

	if (n == 0 || from > u->text.n || n > u->text.n - from)
		return false;
	part = str_cut(u->text, from, from + n);
	if (!u->digest.set)
		return str_eq(part, u->lines);
	sha256_of(part, sum);
	return memcmp(sum, u->digest.b, sizeof sum) == 0;
}

/* Look where it was added, else for the same whole lines anywhere. */
static bool
find_lines(struct undo *u)
{
	size_t n = u->size.set ? (size_t)u->size.n : u->lines.n;

	if (u->at.set && is_it(u, (size_t)u->at.n, n)) {
		u->begin = (size_t)u->at.n;
		u->end = u->begin + n;
		return true;
	}
	for (size_t i = u->text.n; i > 0; i--) {
		size_t from = i - 1;

		if ((from == 0 || u->text.p[from - 1] == '\n') && is_it(u, from, n)) {
			u->begin = from;
			u->end = from + n;
			return true;
		}
	}
	return false;
}

static int
complain(struct undo *u, const char *what, const char *why)
{
	struct buf b;

	buf_init(&b, &u->log.scratch);
	buf_puts(&b, what);
	buf_puts(&b, " '");
	show_put(&b, u->path, 0);
	buf_puts(&b, "': ");
	buf_puts(&b, why);
	buf_putc(&b, '\0');
	(void)internal_error(b.full ? what : b.p, 0);
	return EXIT_NOT_OK;
}

static int
find_file(struct undo *u)
{
	static struct arena whole;
	const char *path = STORE_NAME(&u->log.a, u->path);
	char *real = path ? realpath(path, NULL) : NULL;
	enum store_result r;

	if (!real)
		return complain(u, "nothing was changed: cannot use", strerror(errno));
	/* Change the file that a symlink leads to. */
	u->file = STORE_NAME(&u->log.a, str_from_c(real));
	free(real);
	if (!u->file || !arena_map(&whole, 4 * POLICY_SOURCE_BYTES))
		return internal_error("no memory", 0);
	r = store_read(&whole, u->file, STORE_ANY, POLICY_SOURCE_BYTES, &u->text, NULL);
	if (r)
		return complain(
		    u, "nothing was changed: cannot read", store_why(r, STORE_ANY));
	if (!find_lines(u))
		return complain(u, "nothing was changed:",
		    "the added lines are no longer there, byte for byte");
	return 0;
}

/* ---- remove it */

/* The root of a project whose rules are trusted as they are now; .p == NULL: none. */
static struct str
trusted_root(struct undo *u)
{
	struct str tail = STR("/.cordon/rules"), root, records;
	const char *path =
	    own_dir(&u->log.a, u->log.cli, u->log.cli->home, DIR_STATE, STR("/trust"));

	if (!str_ends(u->path, tail) || !path ||
	    store_read(&u->log.a, path, STORE_OWN, TRUST_MAX, &records, NULL))
		return str_of(NULL, 0);
	root = str_cut(u->path, 0, u->path.n - tail.n);
	return trust_has(records, root, u->text) ? root : str_of(NULL, 0);
}

/* Write the file without these bytes; *ret is its new text. */
static int
cut_out(struct undo *u, const char *file, struct str text, size_t from, size_t to,
    struct str *ret)
{
	static struct arena a;
	struct stat st;
	struct buf b;

	if (!a.mem && !arena_map(&a, 4 * POLICY_SOURCE_BYTES))
		return internal_error("no memory", 0);
	buf_init(&b, &a);
	buf_put(&b, str_cut(text, 0, from));
	buf_put(&b, str_skip(text, to));
	if (b.full)
		return internal_error("no memory", 0);
	*ret = buf_str(&b);
	if (stat(file, &st) || !store_write(file, *ret) || chmod(file, st.st_mode & 07777))
		return complain(u, "cannot write", strerror(errno));
	return 0;
}

/* A line for a tool is in two files: the rules, and the tools file. */
static int
take_from_tools(struct undo *u)
{
	struct str rules = STR(".rules"), text, left;
	const char *path;
	size_t from, to;

	if (!u->tool.n || !str_ends(u->path, rules))
		return 0;
	path =
	    STORE_NAME(&u->log.a, str_cut(u->path, 0, u->path.n - rules.n), STR(".tools"));
	if (!path)
		return internal_error("no memory", 0);
	if (store_read(&u->log.a, path, STORE_OWN, POLICY_SOURCE_BYTES, &text, NULL) !=
		STORE_OK ||
	    !session_find_tool(
		&u->log.a, text, u->tool, str_cut(u->text, u->begin, u->end), &from, &to))
		return 0;
	return cut_out(u, path, text, from, to, &left);
}

static int
write_back(struct undo *u)
{
	struct str root = trusted_root(u), left = STR("");
	/* Tools file first: after a kill the rule is still there to be undone. */
	int status = take_from_tools(u);

	if (!status)
		status = cut_out(u, u->file, u->text, u->begin, u->end, &left);
	/* The project was trusted with the line; its owner removed it, so trust the
	 * rest. */
	if (!status && root.p)
		status = trust_record(u->log.cli, u->log.cli->home, root, left);
	return status;
}

static int
record(struct undo *u)
{
	struct keep k = { .cli = u->log.cli };
	struct keep_change change = { .op = STR("undo"),
		.path = u->path,
		.command = u->lines,
		.session = u->session,
		.about = u->sequence };

	/* Removal only tightens: a failing journal is reported but does not stop it. */
	if (keep_change(&k, &change))
		keep_complain(&k);
	return 0;
}

static int
tell(struct undo *u)
{
	struct buf b;

	buf_init(&b, &u->log.scratch);
	if (u->json) {
		buf_puts(&b, "{\"undone\":");
		json_put_bool(&b, !u->dry);
		json_put_member_u(&b, "record", u->sequence);
		json_put_member(&b, "path", u->path);
		json_put_member(&b, "lines", str_cut(u->text, u->begin, u->end));
		buf_puts(&b, "}\n");
	} else {
		buf_puts(&b, u->dry ? "would remove from '" : "removed from '");
		show_put(&b, u->path, 0);
		buf_puts(&b, "', added ");
		record_put_time(&b, u->time, false);
		buf_puts(&b, ":\n");
		show_put(&b, str_cut(u->text, u->begin, u->end), SHOW_NEWLINES);
	}
	return b.full ? internal_error("no memory", 0) : put_out(buf_str(&b));
}

static int
undo(struct undo *u)
{
	struct db_filter f = { .kind = { true, RECORD_POLICY } };
	struct err e = { 0 };
	int status = log_start(&u->log, false);

	if (status)
		return status;
	if (db_search(&u->log.d, &u->log.scratch, &f, take_change, u, &e))
		return log_error(&u->log, "cannot search the store", &e);
	if (u->full)
		return internal_error("no memory", 0);
	if (!u->found) {
		(void)internal_error(
		    u->wanted ? "that record added nothing, or was undone already"
			      : "there is no addition to undo",
		    0);
		return EXIT_NOT_OK;
	}
	status = find_file(u);
	if (!status && !u->dry)
		status = write_back(u);
	if (!status && !u->dry)
		status = record(u);
	return status ? status : tell(u);
}

int
log_undo(const struct process *cli, int argc, char **argv)
{
	static struct undo u;
	const struct opt opts[] = {
		OPT_FLAG("--json", &u.json),
		OPT_FLAG("--dry-run", &u.dry),
		OPT_VALUE("--dir", &u.log.dir),
	};
	struct opts_result got =
	    opts_read(cli, argc, argv, opts, sizeof opts / sizeof *opts);
	int status;

	if (got.done)
		return got.status;
	u.log.cli = cli;
	u.log.j.dir = -1;
	if (got.operand + 1 < argc ||
	    (got.operand < argc &&
		!log_read_count(str_from_c(argv[got.operand]), &u.wanted)))
		return usage_error(cli, "expected the number of one record, not",
		    str_from_c(argv[argc - 1]));
	status = undo(&u);
	log_done(&u.log);
	return status;
}
