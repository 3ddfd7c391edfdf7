#include "base/json/json.h"
#include "launch/launch_internal.h"

/* Limits on separate records and names; the total is in the record of the run. */
#define VIOLATIONS_KEPT 64
#define HOSTS_KEPT 64
#define PLANTED_KEPT 16

static struct str
outcome_of(struct keep *k, const struct run_result *result)
{
	struct buf b;

	switch (result->end) {
	case RUN_TIMED_OUT:
		return STR("timed out");
	case RUN_NOT_STARTED:
		return STR("not started");
	case RUN_EXITED:
	case RUN_SIGNALLED:
		break;
	}
	buf_init(&b, &k->a);
	buf_puts(&b, result->end == RUN_EXITED ? "exit " : "signal ");
	buf_putu(&b, (uint64_t)result->code);
	return buf_str(&b);
}

/* List the hosts it connected to by a host list, and count the rest. */
static void
put_hosts(struct buf *b, const struct run_result *result)
{
	uint64_t lost = result->reached_lost;

	json_put_key(b, "hosts");
	buf_putc(b, '[');
	for (size_t i = 0; i < result->reached_n; i++) {
		const struct violation *v = &result->reached[i];

		if (i >= HOSTS_KEPT) {
			lost += v->count;
			continue;
		}
		buf_puts(b, i ? ",{" : "{");
		json_put_member(b, "host", v->path);
		json_put_member(b, "program", v->program);
		json_put_member_u(b, "count", v->count);
		buf_putc(b, '}');
	}
	buf_putc(b, ']');
	json_put_member_u(b, "hosts_lost", lost);
}

/* List the new files that other programs execute later, as reported on stderr. */
static void
put_planted(struct buf *b, const struct run_result *result)
{
	uint64_t n = 0;

	for (size_t i = 0; i < result->dropped_n; i++) {
		const struct dropped_code *v = &result->dropped[i];

		if (v->quiet || v->gone || n++ >= PLANTED_KEPT)
			continue;
		if (n == 1) {
			json_put_key(b, "planted");
			buf_putc(b, '[');
		}
		json_put_sep(b);
		json_put_str(b, v->path);
	}
	if (n)
		buf_putc(b, ']');
	if (n > PLANTED_KEPT || result->dropped_lost)
		json_put_member_u(b, "planted_more",
		    (n > PLANTED_KEPT ? n - PLANTED_KEPT : 0) + result->dropped_lost);
}

static struct str
usage_of(struct keep *k, const struct run_result *result)
{
	struct buf b;

	buf_init(&b, &k->a);
	buf_putc(&b, '{');
	json_put_member_u(&b, "cpu_ms", result->cpu_ms);
	json_put_member_u(&b, "max_rss", result->max_rss);
	json_put_member_u(&b, "processes", result->processes);
	json_put_member_u(&b, "violations", result->violations_n + result->violations_lost);
	json_put_member_u(&b, "limits_hit", result->limits_hit);
	json_put_member_u(&b, "traced_execs", result->traced_execs);
	if (result->reached_n || result->reached_lost)
		put_hosts(&b, result);
	put_planted(&b, result);
	buf_putc(&b, '}');
	return b.full ? (struct str){ NULL, 0 } : buf_str(&b);
}

static int
keep_violation(
    struct keep *k, const struct keep_who *who, uint64_t about, const struct violation *v)
{
	struct record r = { .kind = RECORD_VIOLATION,
		.about = { about != 0, about },
		.op = str_from_c(run_op_name(v->op)),
		.path = v->path,
		.program = v->program,
		.reason = v->why ? str_from_c(v->why) : (struct str){ NULL, 0 },
		.count = { true, v->count } };

	return keep_record(k, who, &r, NULL);
}

int
launch_record_run(struct keep *k, const struct keep_who *who, uint64_t about,
    struct str command, const struct run_result *result)
{
	struct record r = { .kind = RECORD_RUN,
		.about = { about != 0, about },
		.command = command,
		.exit = { result->end == RUN_EXITED, (uint64_t)result->code },
		.signal = { result->end == RUN_SIGNALLED, (uint64_t)result->code },
		.wall_ms = { result->end != RUN_NOT_STARTED, result->wall_ms } };
	int err = keep_ready(k);

	if (err)
		return err;
	r.outcome = outcome_of(k, result);
	r.detail = usage_of(k, result);
	if (result->end == RUN_NOT_STARTED)
		r.reason = result->why;
	err = keep_record(k, who, &r, NULL);
	for (size_t i = 0; !err && i < result->violations_n && i < VIOLATIONS_KEPT; i++)
		err = keep_violation(k, who, about, &result->violations[i]);
	return err;
}

int
launch_record_review(struct keep *k, const struct keep_who *who, uint64_t about,
    struct str command, bool apply, size_t changes, struct str why)
{
	struct record r = { .kind = RECORD_ANSWER,
		.op = STR("review"),
		.about = { about != 0, about },
		.command = command,
		.verdict = { true, apply ? VERDICT_ALLOW : VERDICT_DENY },
		.count = { true, changes },
		.reason = why };
	int err = keep_ready(k);
	struct buf b;

	if (err)
		return err;
	buf_init(&b, &k->a);
	buf_puts(&b, apply ? "apply " : "drop ");
	buf_putu(&b, changes);
	buf_puts(&b, changes == 1 ? " change" : " changes");
	r.outcome = buf_str(&b);
	return keep_record(k, who, &r, NULL);
}
