#include "base/show.h"
#include "confine/plan/plan.h"

static const char field_names[FIELDS][28] = {
	[FIELD_TYPE] = "type",
	[FIELD_NETWORK] = "networkAccess",
	[FIELD_NETWORK_ALLOW] = "networkAllow",
	[FIELD_READWRITE] = "additionalReadwritePaths",
	[FIELD_READONLY] = "additionalReadonlyPaths",
	[FIELD_GIT] = "blockGitWrites",
	[FIELD_TMP] = "disableTmpWrite",
	[FIELD_IGNORE] = "ignoreMappingJson",
	[FIELD_DEBUG] = "debugOutputDir",
	[FIELD_PROTECTED] = "protected names",
	[FIELD_PROCESSES] = "processes",
	[FIELD_LIMITS] = "limits",
};

const char *
plan_field_name(enum plan_field field)
{
	return field_names[field];
}

const char *
plan_state_name(enum plan_state state)
{
	static const char names[][12] = { "not asked", "enforced", "refused" };

	return names[state];
}

static void
put_yes_no(struct buf *out, const char *what, bool yes)
{
	buf_puts(out, what);
	buf_puts(out, yes ? "yes\n" : "no\n");
}

static void
put_mounts(const struct plan *plan, struct buf *out)
{
	static const char kinds[][12] = { "empty     ", "readable  ", "writable  ",
		"read-only ", "hidden    " };

	for (size_t i = 0; i < plan->mounts_n; i++) {
		buf_puts(out, "  ");
		buf_puts(out, kinds[plan->mounts[i].kind]);
		show_put(out, str_from_c(plan->mounts[i].path), 0);
		buf_putc(out, '\n');
	}
}

static void
put_names(const struct plan *plan, struct buf *out)
{
	for (size_t i = 0; i < plan->names_n; i++) {
		buf_puts(out, plan->names[i].make ? "  to change " : "  to delete ");
		show_put(out, plan->names[i].path, 0);
		buf_putc(out, '\n');
	}
}

static void
put_hosts(const struct plan *plan, struct buf *out)
{
	const struct host_list *l = &plan->hosts;

	for (size_t i = 0; plan->listed && i < l->allow_n; i++) {
		const struct host_rule *r = &l->allow[i];

		buf_puts(out, "  but           ");
		show_put(out, r->name, 0);
		if (r->port) {
			buf_putc(out, ':');
			buf_putu(out, r->port);
		}
		buf_putc(out, '\n');
	}
}

static void
put_limit(struct buf *out, const char *what, uint64_t value)
{
	if (value == 0)
		return;
	buf_puts(out, what);
	buf_putu(out, value);
	buf_putc(out, '\n');
}

void
plan_print(const struct plan *plan, struct buf *out)
{
	buf_puts(out, "everything is read-only, without set-user-id; on top of it:\n");
	put_mounts(plan, out);
	put_names(plan, out);
	put_yes_no(out, "network         ", plan->network);
	put_hosts(plan, out);
	put_yes_no(out, "private /tmp    ", true);
	put_yes_no(out, "/tmp writable   ", plan->tmp_write);
	put_yes_no(out, "read boundary   ", plan->read_workspace);
	put_yes_no(out, "execs judged    ", plan->gate);
	put_limit(out, "memory          ", plan->limits.memory);
	put_limit(out, "processes       ", plan->limits.processes);
	put_limit(out, "file size       ", plan->limits.file_size);
	put_limit(out, "wall clock, ms  ", plan->limits.wall_ms);
	buf_puts(out, "working in      ");
	show_put(out, str_from_c(plan->cwd), 0);
	buf_puts(out, "\nfields:\n");
	for (int f = 0; f < FIELDS; f++) {
		if (plan->fields[f].state == PLAN_NOT_ASKED)
			continue;
		buf_puts(out, "  ");
		buf_puts(out, field_names[f]);
		buf_puts(out, ": ");
		buf_puts(out, plan_state_name(plan->fields[f].state));
		buf_puts(out, ", ");
		buf_puts(out, plan->fields[f].by);
		buf_putc(out, '\n');
	}
	for (size_t i = 0; i < plan->notes_n; i++) {
		buf_puts(out, "note: ");
		buf_puts(out, plan->notes[i]);
		buf_putc(out, '\n');
	}
}
