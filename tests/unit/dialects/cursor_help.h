/* What the tests of the cursor dialect share. */
#pragma once
#include "../one_arena.h"
#include "dialects/cursor/cursor.h"

/* The answer to a line, with the steps that led to it. */
struct got {
	struct str text, trace;
	enum verdict verdict;
};

static inline struct got
request(const char *line)
{
	struct buf out, trace;
	struct got g = { .verdict = VERDICT_DENY };
	struct cursor_opts opts = { .trace = &trace };
	static char mem[1 << 16];
	struct arena apart;

	arena_reset(arena);
	arena_init(&apart, mem, sizeof mem);
	buf_init(&out, arena);
	buf_init(&trace, &apart);
	assert_int_equal(
	    cursor_request(arena, str_from_c(line), &opts, &out, &g.verdict), 0);
	g.text = buf_str(&out);
	g.trace = buf_str(&trace);
	return g;
}

static inline bool
holds(struct str s, const char *part)
{
	struct str p = str_from_c(part);

	for (size_t i = 0; i + p.n <= s.n; i++)
		if (str_starts(str_skip(s, i), p))
			return true;
	return false;
}

/* The list of candidates begins with `list`. */
static inline bool
has_candidates(struct str answer, const char *list)
{
	struct str key = STR("\"candidatesForAllowlist\":");

	for (size_t i = 0; i + key.n <= answer.n; i++)
		if (str_starts(str_skip(answer, i), key))
			return str_starts(str_skip(answer, i + key.n), str_from_c(list));
	return false;
}

/*
 * One question.  `want` is "ask" or "run", a blank, and the candidates as they are
 * printed, or "-" for none at all.
 */
struct row {
	const char *line, *want;
};

static inline void
check_row(const struct row *row, const char *step)
{
	struct got g = request(row->line);
	bool runs = row->want[0] == 'r';
	const char *list = row->want + 4;

	if (!holds(g.text, runs ? "\"needApproval\":false" : "\"needApproval\":true"))
		fail_msg("%s: got %.*s\n%.*s", row->line, (int)g.text.n, g.text.p,
		    (int)g.trace.n, g.trace.p);
	assert_int_equal(g.verdict == VERDICT_ASK, !runs);
	if (step && !holds(g.trace, step))
		fail_msg(
		    "%s: no <%s> in\n%.*s", row->line, step, (int)g.trace.n, g.trace.p);
	if (list[0] == '-')
		assert_false(holds(g.text, "candidatesForAllowlist"));
	else if (!has_candidates(g.text, list))
		fail_msg("%s: no %s in %.*s", row->line, list, (int)g.text.n, g.text.p);
}

#define CHECK(rows, step)                                                                  \
	for (size_t row_ = 0; row_ < COUNT(rows); row_++)                                  \
	check_row(&(rows)[row_], step)
