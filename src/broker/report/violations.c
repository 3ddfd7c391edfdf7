#define _GNU_SOURCE
#include "base/path.h"
#include "base/show.h"
#include "broker/git/tracked.h"
#include "broker/report/report.h"
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
broker_keep_why(struct broker *br, struct str why, const char *other)
{
	char *copy = NULL;

	/* Use the memory of the same text again. */
	for (size_t i = 0; i < br->violations_n; i++)
		if (br->violations[i].why && str_is(why, br->violations[i].why))
			return br->violations[i].why;
	if (why.n && br->violations_n < VIOLATIONS_MAX)
		copy = arena_alloc(br->a, why.n + 1);
	if (!copy)
		return other;
	memcpy(copy, why.p, why.n);
	copy[why.n] = '\0';
	return copy;
}

/* Count a repeated refusal, so that a flood fills no memory.  False: the table is full. */
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
violation_add_by(
    struct broker *br, struct str program, enum run_op op, struct str path, const char *why)
{
	const struct violation v = { op, path, program, why, 1 };

	if (!note(br->a, br->violations, &br->violations_n, VIOLATIONS_MAX, &v))
		br->violations_lost++;
}

void
reached_add(struct broker *br, struct str program, struct str host)
{
	const struct violation v = { RUN_CONNECT, host, program, NULL, 1 };

	if (!br->reached || !note(br->a, br->reached, &br->reached_n, REACHED_MAX, &v))
		br->reached_lost++;
}

void
violation_add(
    struct broker *br, pid_t pid, enum run_op op, struct str path, const char *why)
{
	char buf[64];

	if (why)
		tracked_refused(br, pid);
	violation_add_by(br, child_program(pid, buf, sizeof buf), op, path, why);
}

void
learned_add(struct broker *br, enum run_op op, struct str path)
{
	for (size_t i = 0; i < br->policy->learn_n; i++)
		if (path_is_within(br->policy->learn[i], path))
			return;
	for (size_t i = 0; i < br->learned_n; i++)
		if (str_eq(br->learned[i].path, path))
			return;
	if (br->learned_n == VIOLATIONS_MAX || !(path = arena_copy(br->a, path)).p)
		br->learned_more = true;
	else
		br->learned[br->learned_n++] =
		    (struct violation){ op, path, STR(""), NULL, 1 };
}
