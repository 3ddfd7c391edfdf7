/* Refusals, and files that other programs execute later, as text for a person. */
#define _GNU_SOURCE
#include "base/show.h"
#include "look/names.h"
#include "run/run.h"
#include <string.h>

/* The number of files that are named for one reason, and the number of reasons. */
#define DROPPED_NAMED 3
#define DROPPED_LINES 16

static bool
is_shown(const struct dropped_code *v, const char *why)
{
	return !v->quiet && !v->gone && (!why || strcmp(v->why, why) == 0);
}

/* Print one line for all files with the same reason; the first of them has index `i`.
 * Returns how many they are. */
static size_t
print_reason(const struct run_result *r, size_t i, struct buf *out)
{
	const char *why = r->dropped[i].why;
	size_t n = 0;

	buf_puts(out, "cordon: the run made or changed ");
	for (; i < r->dropped_n; i++) {
		if (!is_shown(&r->dropped[i], why) || n++ >= DROPPED_NAMED)
			continue;
		buf_puts(out, n > 1 ? ", '" : "'");
		show_put(out, r->dropped[i].path, 0);
		buf_putc(out, '\'');
	}
	if (n > DROPPED_NAMED) {
		buf_puts(out, " and ");
		buf_putu(out, n - DROPPED_NAMED);
		buf_puts(out, " more");
	}
	buf_puts(out, ": ");
	buf_puts(out, why);
	buf_putc(out, '\n');
	return n;
}

static bool
is_first(const struct run_result *r, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (is_shown(&r->dropped[k], r->dropped[i].why))
			return false;
	return is_shown(&r->dropped[i], NULL);
}

static void
print_dropped(const struct run_result *r, struct buf *out)
{
	uint64_t more = r->dropped_lost;
	size_t lines = 0;

	for (size_t i = 0; i < r->dropped_n; i++)
		more += is_shown(&r->dropped[i], NULL);
	for (size_t i = 0; i < r->dropped_n && lines < DROPPED_LINES; i++)
		if (is_first(r, i)) {
			more -= print_reason(r, i, out);
			lines++;
		}
	if (!more)
		return;
	buf_puts(out, "cordon: the run made or changed more such files: ");
	buf_putu(out, more);
	buf_puts(out, " (--json-report lists them)\n");
}

/* How to lift the refusal of a protected name; NULL: the built-in rules deny it, and no
 * rule lifts that. */
static const char *
hint_for_name(const struct violation *v)
{
	struct name_found found = name_find_within(v->path);

	return found.action == NAME_PROTECT &&
		       (strcmp(found.why, v->why) == 0 ||
			   strcmp(v->why, BROKER_WHY_NOT_COMMITTED) == 0)
		   ? "allow the protected name by a rule of your own (allow write NAME)"
		   : NULL;
}

/* How to allow what was refused; NULL: nothing does. */
static const char *
hint_for(const struct violation *v)
{
	switch (v->op) {
	case RUN_EXEC:
		return "allow it by a rule (`cordon session allow`)";
	case RUN_READ:
		return v->why && strcmp(v->why, "it is hidden") != 0
			   ? NULL
			   : "change the ignore files, or use --ro PATH for a credential";
	case RUN_CONNECT:
		return v->path.n && v->path.p[0] == '/'
			   ? NULL
			   : "add the host to networkAllow (network off except HOST)";
	default:
		return v->why ? hint_for_name(v) : "use --rw PATH";
	}
}

void
run_print_violations(const struct run_result *r, struct buf *out)
{
	for (size_t i = 0; i < r->violations_n; i++) {
		const struct violation *v = &r->violations[i];
		const char *hint;

		buf_puts(out, "cordon: refused ");
		buf_puts(out, run_op_name(v->op));
		buf_puts(out, " of '");
		show_put(out, v->path, 0);
		buf_puts(out, "' by ");
		show_put(out, v->program, 0);
		if (v->count > 1) {
			buf_puts(out, " (");
			buf_putu(out, v->count);
			buf_puts(out, " times)");
		}
		buf_puts(out, ": ");
		if (v->why)
			show_put(out, str_from_c(v->why), 0);
		else
			buf_puts(out, "it is read-only here");
		if ((hint = hint_for(v))) {
			buf_puts(out, "; hint: ");
			buf_puts(out, hint);
		}
		buf_putc(out, '\n');
	}
	if (r->violations_lost) {
		buf_puts(out, "cordon: refused as well, but not listed: ");
		buf_putu(out, r->violations_lost);
		buf_puts(out, r->violations_lost == 1 ? " call\n" : " calls\n");
	}
	print_dropped(r, out);
}
