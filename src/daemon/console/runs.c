#define _GNU_SOURCE /* pidfd */
#include "approve/ring.h"
#include "approve/spool.h"
#include "base/show.h"
#include "daemon/console/server.h"
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RUNS_SHOWN 100
#define RUN_MAX ((size_t)2 << 20)
/* Limit for one answer with output. */
#define OUTPUT_MAX ((size_t)64 << 10)
/* Seconds from SIGTERM to SIGKILL. */
#define STOP_S 3

static void
forget(struct server *s, struct str id)
{
	char name[SPOOL_ID + 8];

	if (spool_name(name, sizeof name, id, ".run"))
		(void)unlinkat(s->runs, name, 0);
	if (spool_name(name, sizeof name, id, ".out"))
		(void)unlinkat(s->runs, name, 0);
}

/* Read the state of a live run; return its pid, or 0. */
static pid_t
find(struct server *s, struct str id, const struct json **ret)
{
	char name[SPOOL_ID + 8];
	const struct json *v;
	struct str text;
	int64_t pid;

	if (!spool_name(name, sizeof name, id, ".run") || !spool_is_held(s->runs, name) ||
	    !spool_read(&s->arena, s->runs, name, RUN_MAX, &text) ||
	    json_read(&s->arena, text, NULL, &v, NULL) ||
	    json_int(json_get(v, STR("pid")), &pid) || pid <= 1)
		return 0;
	*ret = v;
	return (pid_t)pid;
}

/* ---- the list */

static bool
put_run(struct server *s, struct buf *out, struct str id)
{
	const struct json *v;
	struct run_usage u = { 0 };
	pid_t pid = find(s, id, &v);

	if (!pid) {
		forget(s, id);
		return false;
	}
	usage_find(pid, &u);
	json_put_sep(out);
	buf_putc(out, '{');
	json_put_member(out, "id", id);
	for (const struct json *m = v->first; m; m = m->next) {
		json_put_sep(out);
		shown_put_str(out, m->key);
		buf_putc(out, ':');
		shown_put(out, m);
	}
	json_put_member_u(out, "cpu_ms", u.cpu_ms);
	json_put_member_u(out, "rss", u.rss);
	json_put_member_u(out, "processes", u.processes);
	if (u.more) {
		json_put_member_bool(out, "usage_more", true);
	}
	buf_putc(out, '}');
	return true;
}

void
runs_list(struct conn *c)
{
	struct server *s = c->s;
	struct list_of runs = { s->runs, "runs", ".run", RUNS_SHOWN, put_run };
	struct buf b;

	buf_init(&b, &s->arena);
	buf_putc(&b, '{');
	list_put(s, &runs, &b);
	buf_putc(&b, '}');
	conn_json(c, &b);
}

/* ---- output */

/* Keep an incomplete UTF-8 character for the next answer. */
static size_t
whole(const char *p, size_t n)
{
	for (size_t i = 1; i <= 3 && i <= n; i++) {
		unsigned char c = (unsigned char)p[n - i];

		if (c < 0x80)
			return n;
		if (c >= 0xc0)
			return i < (c < 0xe0 ? 2u : c < 0xf0 ? 3u : 4u) ? n - i : n;
	}
	return n;
}

void
runs_output(struct conn *c)
{
	struct arena *a = &c->s->arena;
	struct str id = http_query(a, c->q.query, "run");
	char *bytes = arena_alloc(a, OUTPUT_MAX), name[SPOOL_ID + 8];
	uint64_t from = 0, at;
	struct ring ring = { NULL };
	struct buf b;
	size_t n;

	if (!bytes || !str_number(http_query(a, c->q.query, "from"), UINT64_MAX, &from) ||
	    !id.p || !spool_name(name, sizeof name, id, ".out") ||
	    !ring_open(&ring, c->s->runs, name)) {
		conn_refuse(c, 404, "no output of this run");
		return;
	}
	n = whole(bytes, ring_take(&ring, from, bytes, OUTPUT_MAX, &at));
	ring_close(&ring);
	buf_init(&b, a);
	buf_puts(&b, "{\"lost\":");
	buf_putu(&b, at > from ? at - from : 0);
	json_put_member_u(&b, "next", at + n);
	json_put_key(&b, "text");
	shown_put_str(&b, str_of(bytes, n));
	buf_putc(&b, '}');
	conn_json(c, &b);
}

/* ---- stop */

struct stopping {
	int process;
	struct event *later;
};

static void
stop_harder(evutil_socket_t fd, short what, void *context)
{
	struct stopping *s = context;

	(void)fd;
	(void)what;
	/* The whole tree ends with its supervisor. */
	(void)syscall(SYS_pidfd_send_signal, s->process, SIGKILL, NULL, 0);
	(void)close(s->process);
	event_free(s->later);
	free(s);
}

void
runs_stop(struct conn *c, const struct json *v)
{
	static const struct timeval later = { STOP_S, 0 };
	const struct json *id = json_get(v, STR("id")), *state;
	struct stopping *s;
	pid_t pid = id && id->kind == JSON_STRING ? find(c->s, id->text, &state) : 0;
	/* Read the pid before and after opening the pidfd, so that it cannot have been
	 * reused. */
	int process = pid ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;

	if (process < 0 || find(c->s, id->text, &state) != pid) {
		if (process >= 0)
			(void)close(process);
		conn_refuse(c, 409, "the run has ended");
		return;
	}
	(void)syscall(SYS_pidfd_send_signal, process, SIGTERM, NULL, 0);
	s = malloc(sizeof *s);
	if (s)
		*s = (struct stopping){ process, evtimer_new(c->s->base, stop_harder, s) };
	if (!s || !s->later || evtimer_add(s->later, &later)) {
		(void)syscall(SYS_pidfd_send_signal, process, SIGKILL, NULL, 0);
		(void)close(process);
		free(s);
	}
	conn_answer(c, 200, "application/json", STR("{\"ok\":true}"));
}
