#define _GNU_SOURCE
#include "base/path.h"
#include "base/show.h"
#include "broker/git/tracked.h"
#include "look/names.h"

static const char names[RUN_OPS][12] = {
	[RUN_WRITE] = "write",
	[RUN_CREATE] = "create",
	[RUN_DELETE] = "delete",
	[RUN_RENAME] = "rename",
	[RUN_LINK] = "link",
	[RUN_ATTRIBUTE] = "attribute",
	[RUN_READ] = "read",
	[RUN_EXEC] = "exec",
	[RUN_CONNECT] = "connect",
};

const char *
run_op_name(enum run_op op)
{
	return names[op];
}

const char *
keep_why(struct supervisor *s, struct str why, const char *other)
{
	char *copy = NULL;

	/* The same again takes no memory. */
	for (size_t i = 0; i < s->violations_n; i++)
		if (s->violations[i].why && str_is(why, s->violations[i].why))
			return s->violations[i].why;
	if (why.n && s->violations_n < VIOLATIONS_MAX)
		copy = arena_alloc(s->a, why.n + 1);
	if (!copy)
		return other;
	memcpy(copy, why.p, why.n);
	copy[why.n] = '\0';
	return copy;
}

/* The same again is a number, so that a flood fills no memory.  False: there is no room. */
static bool
note(struct arena *a, struct violation *v, size_t *n, size_t most,
    const struct violation *new)
{
	struct violation copy = *new;

	for (size_t i = 0; i < *n; i++)
		if (v[i].op == new->op && str_eq(v[i].path, new->path) &&
		    str_eq(v[i].program, new->program)) {
			v[i].count++;
			return true;
		}
	if (*n == most)
		return false;
	copy.path = arena_copy(a, new->path);
	copy.program = arena_copy(a, new->program);
	if (!copy.path.p || !copy.program.p)
		return false;
	v[(*n)++] = copy;
	return true;
}

void
violate_by(struct supervisor *s, struct str program, enum run_op op, struct str path,
    const char *why)
{
	const struct violation v = { op, path, program, why, 1 };

	if (!note(s->a, s->violations, &s->violations_n, VIOLATIONS_MAX, &v))
		s->result->violations_lost++;
}

void
reached(struct supervisor *s, struct str program, struct str host)
{
	const struct violation v = { RUN_CONNECT, host, program, NULL, 1 };

	if (!s->reached || !note(s->a, s->reached, &s->reached_n, REACHED_MAX, &v))
		s->result->reached_lost++;
}

void
violate(struct supervisor *s, pid_t pid, enum run_op op, struct str path, const char *why)
{
	char room[64];

	if (why)
		tracked_refused(s, pid);
	violate_by(s, child_program(pid, room, sizeof room), op, path, why);
}

void
learn(struct supervisor *s, enum run_op op, struct str path)
{
	for (size_t i = 0; i < s->q->learn_n; i++)
		if (path_is_within(s->q->learn[i], path))
			return;
	for (size_t i = 0; i < s->learned_n; i++)
		if (str_eq(s->learned[i].path, path))
			return;
	if (s->learned_n == VIOLATIONS_MAX || !(path = arena_copy(s->a, path)).p)
		s->result->learned_more = true;
	else
		s->learned[s->learned_n++] =
		    (struct violation){ op, path, STR(""), NULL, 1 };
}

/* Of one reason so many are named, and so many reasons. */
#define PLANTED_NAMED 3
#define PLANTED_LINES 16

static bool
is_shown(const struct planted *v, const char *why)
{
	return !v->quiet && !v->gone && (!why || strcmp(v->why, why) == 0);
}

/* One line for all files of one reason, the first of which is number `i`; returns how many.
 */
static size_t
print_reason(const struct run_result *r, size_t i, struct buf *out)
{
	const char *why = r->planted[i].why;
	size_t n = 0;

	buf_puts(out, "cordon: the run made or changed ");
	for (; i < r->planted_n; i++) {
		if (!is_shown(&r->planted[i], why) || n++ >= PLANTED_NAMED)
			continue;
		buf_puts(out, n > 1 ? ", '" : "'");
		show_put(out, r->planted[i].path, 0);
		buf_putc(out, '\'');
	}
	if (n > PLANTED_NAMED) {
		buf_puts(out, " and ");
		buf_putu(out, n - PLANTED_NAMED);
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
		if (is_shown(&r->planted[k], r->planted[i].why))
			return false;
	return is_shown(&r->planted[i], NULL);
}

static void
print_planted(const struct run_result *r, struct buf *out)
{
	uint64_t more = r->planted_lost;
	size_t lines = 0;

	for (size_t i = 0; i < r->planted_n; i++)
		more += is_shown(&r->planted[i], NULL);
	for (size_t i = 0; i < r->planted_n && lines < PLANTED_LINES; i++)
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

/* Of a refusal by name: the built-in rules deny some, and no rule lifts that. */
static const char *
what_lifts(const struct violation *v)
{
	struct name_found found = name_find_within(v->path);

	return found.action == NAME_PROTECT &&
		       (strcmp(found.why, v->why) == 0 || strcmp(v->why, TRACKED_WHY) == 0)
		   ? "a rule of yours that allows to write the protected name"
		   : "nothing, the name is protected";
}

static const char *
what_allows(const struct violation *v)
{
	switch (v->op) {
	case RUN_EXEC:
		return "a rule that allows it (`cordon session allow`)";
	case RUN_READ:
		return "ignore files, or --ro PATH for a credential";
	case RUN_CONNECT:
		return v->path.n && v->path.p[0] == '/'
			   ? "sockets of the host are closed"
			   : "the host in networkAllow (network off except HOST)";
	default:
		return !v->why ? "--rw PATH" : what_lifts(v);
	}
}

void
run_print_violations(const struct run_result *r, struct buf *out)
{
	for (size_t i = 0; i < r->violations_n; i++) {
		const struct violation *v = &r->violations[i];

		buf_puts(out, "cordon: refused ");
		buf_puts(out, names[v->op]);
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
		if (v->op == RUN_READ && v->why && strcmp(v->why, "it is hidden") != 0) {
			buf_putc(out, '\n');
			continue;
		}
		buf_puts(out, "; would allow it: ");
		buf_puts(out, what_allows(v));
		buf_putc(out, '\n');
	}
	if (r->violations_lost) {
		buf_puts(out, "cordon: refused as well, and not listed: ");
		buf_putu(out, r->violations_lost);
		buf_puts(out, r->violations_lost == 1 ? " call\n" : " calls\n");
	}
	print_planted(r, out);
}
