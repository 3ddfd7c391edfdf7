#include "base/json/json.h"
#include "run/run.h"

int
run_exit_status(const struct run_result *r)
{
	switch (r->end) {
	case RUN_EXITED:
		return r->code;
	case RUN_SIGNALLED:
		return 128 + r->code;
	case RUN_TIMED_OUT:
		return 124;
	case RUN_NOT_STARTED:
	default:
		return 125;
	}
}

static void
put_violations(const struct run_result *r, struct buf *out)
{
	json_put_key(out, "violations");
	buf_putc(out, '[');
	for (size_t i = 0; i < r->violations_n; i++) {
		const struct violation *v = &r->violations[i];

		json_put_sep(out);
		buf_putc(out, '{');
		json_put_member(out, "op", str_from_c(run_op_name(v->op)));
		json_put_member(out, "path", v->path);
		json_put_member(out, "program", v->program);
		json_put_member_u(out, "count", v->count);
		buf_putc(out, '}');
	}
	buf_putc(out, ']');
}

static void
put_limits(const struct run_result *r, struct buf *out)
{
	static const struct {
		unsigned bit;
		const char *name;
	} limits[] = { { RUN_LIMIT_WALL, "timeout" }, { RUN_LIMIT_MEMORY, "memory" },
		{ RUN_LIMIT_PROCESSES, "pids" }, { RUN_LIMIT_OUTPUT, "output" },
		{ RUN_LIMIT_TMP, "tmp" } };

	json_put_key(out, "limits_hit");
	buf_putc(out, '[');
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		if (!(r->limits_hit & limits[i].bit))
			continue;
		json_put_sep(out);
		json_put_str(out, str_from_c(limits[i].name));
	}
	buf_putc(out, ']');
}

/* Print one object for each field, whether it was asked for or not. */
static void
put_fields(const struct run_result *r, struct buf *out)
{
	json_put_key(out, "fields");
	buf_putc(out, '[');
	for (int f = 0; f < FIELDS; f++) {
		const struct plan_field_state *s = &r->fields[f];

		json_put_sep(out);
		buf_putc(out, '{');
		json_put_member(out, "field", str_from_c(plan_field_name(f)));
		json_put_member(out, "state", str_from_c(plan_state_name(s->state)));
		json_put_key(out, "by");
		json_put_str_or_null(
		    out, s->by ? str_from_c(s->by) : (struct str){ NULL, 0 });
		buf_putc(out, '}');
	}
	buf_putc(out, ']');
}

static void
put_dropped(const struct run_result *r, struct buf *out)
{
	json_put_key(out, "planted");
	buf_putc(out, '[');
	for (size_t i = 0; i < r->dropped_n; i++) {
		const struct dropped_code *v = &r->dropped[i];

		if (v->gone)
			continue;
		json_put_sep(out);
		buf_putc(out, '{');
		json_put_member(out, "path", v->path);
		json_put_member(out, "why", str_from_c(v->why));
		buf_putc(out, '}');
	}
	buf_putc(out, ']');
	if (r->dropped_lost)
		json_put_member_u(out, "planted_lost", r->dropped_lost);
}

void
run_report(const struct run_result *r, enum verdict verdict, struct buf *out)
{
	buf_putc(out, '{');
	json_put_member(out, "verdict", str_from_c(verdict_name(verdict)));
	json_put_member_u(out, "exit", (uint64_t)run_exit_status(r));
	json_put_key(out, "signal");
	if (r->end == RUN_SIGNALLED)
		json_put_int(out, r->code);
	else
		buf_puts(out, "null");
	json_put_member_u(out, "wall_ms", r->wall_ms);
	json_put_member_u(out, "cpu_ms", r->cpu_ms);
	json_put_member_u(out, "max_rss", r->max_rss);
	json_put_member_u(out, "processes", r->processes);
	put_violations(r, out);
	if (r->violations_lost)
		json_put_member_u(out, "violations_lost", r->violations_lost);
	put_limits(r, out);
	put_fields(r, out);
	put_dropped(r, out);
	buf_puts(out, "}\n");
}
