#include "base/quote.h"
#include "base/show.h"
#include "cli/cli.h"
#include "decide/decide.h"
#include "gate/rules/layers.h"
#include "journal/journal.h"
#include <errno.h>
#include <unistd.h>

#define WHY_BYTES (24 * RECORD_MAX)
#define WHY_COPIES (4 * RECORD_MAX)
/* Limit for the records shown after a decision. */
#define FOLLOWERS 64

static const struct str none = { NULL, 0 };

struct why {
	const struct process *cli;
	struct arena a, copies;
	bool json;
	bool last;
	uint64_t number;
	bool found;
	struct record hit;
	struct record after[FOLLOWERS]; /* newest first */
	size_t after_n;
};

static bool
is_wanted(const struct why *w, const struct record *r)
{
	if (!w->last)
		return r->sequence == w->number;
	return r->kind == RECORD_DECISION;
}

/* Search backward: the records that followed a decision come before it. */
static void
search(struct why *w, struct str bytes)
{
	size_t at = bytes.n, used = w->a.used;
	struct record r;

	while (!w->found && journal_previous(&w->a, bytes, &at, &r)) {
		if (is_wanted(w, &r)) {
			w->hit = record_copy(&w->copies, &r);
			w->found = true;
		} else if (r.about.set && w->after_n < FOLLOWERS &&
			   (w->last || r.about.n == w->number)) {
			w->after[w->after_n++] = record_copy(&w->copies, &r);
		}
		arena_back(&w->a, used);
	}
}

static int
find(struct why *w)
{
	cleanup_journal struct journal j = { 0 };
	cleanup_journal_list struct journal_list list = { 0 };
	struct journal_opts opts = { .read_only = true };
	const char *dir = own_dir(&w->a, w->cli, w->cli->home, DIR_STATE, STR(""));
	struct err e = { 0 };

	if (!dir)
		return usage_error(w->cli, "no journal: is HOME set?", none);
	if (journal_open(&j, str_from_c(dir), &opts, &e))
		return errno == ENOENT
			   ? 0
			   : internal_error(e.why ? e.why : "no journal", errno);
	if (journal_list(&j, &w->a, &list, &e))
		return internal_error(e.why ? e.why : "cannot read the journal", 0);
	for (size_t i = list.n; i-- > 0 && !w->found;) {
		cleanup_journal_file struct journal_file file = { 0 };

		if (list.v[i].bad)
			continue;
		if (journal_read(&j, &list.v[i], &file, &e))
			return internal_error(e.why ? e.why : "cannot read the journal", 0);
		search(w, file.bytes);
	}
	return 0;
}

/* ---- print text */

static void
put_row(struct buf *b, const char *name, struct str text)
{
	size_t n = strlen(name);

	if (!text.p || !text.n)
		return;
	buf_puts(b, "  ");
	buf_puts(b, name);
	for (; n < 10; n++)
		buf_putc(b, ' ');
	show_put(b, text, 0);
	buf_putc(b, '\n');
}

static void
put_decision(struct buf *b, const struct record *r)
{
	record_put_line(b, r);
	buf_puts(b, "\n\n");
	put_row(b, "command", r->command);
	put_row(b, "tool", r->tool);
	put_row(b, "path", r->path);
	put_row(b, "in", r->cwd);
	put_row(b, "agent", r->host);
	put_row(b, "session", r->session);
	if (r->verdict.set && r->verdict.n <= VERDICT_ALLOW)
		put_row(b, "verdict", str_from_c(verdict_name((enum verdict)r->verdict.n)));
	if (r->hard.set && r->hard.n)
		put_row(b, "", STR("no approval lifts it"));
	put_row(b, "gate", r->gate);
	put_row(b, "rule", r->rule);
	put_row(b, "because", r->reason);
	put_row(b, "outcome", r->outcome);
}

static void
put_hint(struct buf *b, const struct record *r)
{
	if (r->kind != RECORD_DECISION || !r->command.n ||
	    (r->tool.p && !str_is(r->tool, "bash") && !str_is(r->tool, "Bash")))
		return;
	buf_puts(b, "\nTo see how it would be decided now, and how to change that:\n  ");
	if (r->cwd.n) {
		buf_puts(b, "cd ");
		(void)quote_put(b, QUOTE_BASH, r->cwd, NULL);
		buf_puts(b, " && ");
	}
	buf_puts(b, "cordon explain -- ");
	(void)quote_put_always(b, QUOTE_BASH, r->command, NULL);
	buf_putc(b, '\n');
}

static int
print(struct why *w)
{
	struct buf b, shown;

	buf_init(&b, &w->a);
	if (w->json) {
		buf_puts(&b, "{\"record\":");
		record_put_json(&b, &w->hit);
		buf_puts(&b, ",\"after\":[");
		for (size_t i = w->after_n; i-- > 0;) {
			if (w->after[i].about.n != w->hit.sequence)
				continue;
			if (b.p[b.n - 1] == '}')
				buf_putc(&b, ',');
			record_put_json(&b, &w->after[i]);
		}
		buf_puts(&b, "]}\n");
		return b.full ? internal_error("no memory", 0) : put_out(buf_str(&b));
	}
	put_decision(&b, &w->hit);
	for (size_t i = w->after_n; i-- > 0;) {
		if (w->after[i].about.n != w->hit.sequence)
			continue;
		buf_puts(&b, "then ");
		record_put_line(&b, &w->after[i]);
		buf_putc(&b, '\n');
	}
	buf_init(&shown, &w->copies);
	put_hint(&shown, &w->hit);
	show_put(&b, buf_str(&shown), SHOW_NEWLINES);
	return b.full ? internal_error("no memory", 0) : put_out(buf_str(&b));
}

int
cmd_why(const struct process *cli, int argc, char **argv)
{
	static struct why w;
	const struct opt opts[] = { OPT_FLAG("--json", &w.json) };
	struct opts_result got = opts_read(cli, argc, argv, opts, 1);
	struct str id = STR("last");
	int status;

	if (got.done)
		return got.status;
	w.cli = cli;
	if (got.operand + 1 < argc)
		return usage_error(
		    cli, "one record expected; unexpected", str_from_c(argv[argc - 1]));
	if (got.operand < argc)
		id = str_from_c(argv[got.operand]);
	w.last = str_is(id, "last");
	if (!w.last && !str_number(id, INT64_MAX, &w.number))
		return usage_error(
		    cli, "expected the number of a record, or last, not", id);
	if (!arena_map(&w.a, WHY_BYTES) || !arena_map(&w.copies, WHY_COPIES))
		return internal_error("no memory", 0);
	status = find(&w);
	if (status)
		return status;
	if (w.found)
		return print(&w);
	(void)internal_error(
	    w.last ? "no decision recorded yet" : "no such record in the journal", 0);
	return EXIT_NOT_OK;
}
