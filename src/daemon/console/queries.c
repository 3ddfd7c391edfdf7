/*
 * Questions about decisions, rules and the journal. cordon and cordond answer them as on
 * the command line: one implementation, always with the current rules.
 */
#include "base/limits.h"
#include "daemon/console/server.h"
#include <unistd.h>

/* One page of records, plus one to know whether there are more. */
#define PAGE 100
#define PAGE_AND_ONE "101"

static void
start(struct conn *c, const char *program, const char *const *argv, child_done *done)
{
	if (!child_start(c->s, c, program, argv, done, NULL))
		conn_refuse(c, 503, "too many requests at once; try again");
}

static const char *
c_string(struct arena *a, struct str s)
{
	char *p = str_find(s, '\0') == s.n ? arena_alloc(a, s.n + 1) : NULL;

	if (!p)
		return NULL;
	if (s.n)
		memcpy(p, s.p, s.n);
	p[s.n] = '\0';
	return p;
}

/* ---- the journal */

/* Convert JSON lines to an array. */
static void
give_lines(struct conn *c, int status, struct str output)
{
	struct arena *a = &c->s->arena;
	size_t n = 0;
	struct buf b;

	if ((status != 0 && status != 1) || c->s->alarm) {
		conn_refuse(c, 502,
		    c->s->alarm ? "the journal is not the one seen before"
				: "cannot search the journal's store");
		return;
	}
	buf_init(&b, a);
	buf_puts(&b, "{\"records\":[");
	for (; output.n; n++) {
		size_t end = str_find(output, '\n');
		const struct json *v;

		if (n < PAGE &&
		    json_read(a, str_cut(output, 0, end),
			&(struct json_opts){ .surrogate_bytes = true }, &v, NULL) == 0) {
			json_put_sep(&b);
			shown_put(&b, v);
		}
		output = str_skip(output, end + 1);
	}
	buf_putc(&b, ']');
	json_put_member_bool(&b, "more", n > PAGE);
	buf_putc(&b, '}');
	conn_json(c, &b);
}

void
query_log(struct conn *c)
{
	static const char *const filters[][2] = { { "verdict", "--verdict" },
		{ "kind", "--kind" }, { "program", "--program" }, { "host", "--host" },
		{ "session", "--session" }, { "path", "--path" }, { "since", "--since" },
		{ "until", "--until" }, { "before", "--before" } };
	const char *argv[32] = { "cordond", "log", "search", "--json", "-n", PAGE_AND_ONE };
	struct arena *a = &c->s->arena;
	size_t n = 6;
	struct str words = http_query(a, c->q.query, "words");

	for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
		struct str value = http_query(a, c->q.query, filters[i][0]);

		if (!value.n)
			continue;
		argv[n++] = filters[i][1];
		argv[n] = c_string(a, value);
		if (!argv[n++]) {
			conn_refuse(c, 400, "invalid filter");
			return;
		}
	}
	argv[n++] = "--";
	argv[n++] = words.n ? c_string(a, words) : NULL;
	start(c, c->s->o->cordond, argv, give_lines);
}

/* ---- one document */

static void
give_document(struct conn *c, int status, struct str output)
{
	const struct json *v;
	struct buf b;

	if (status < 0 || status >= 64 ||
	    json_read(&c->s->arena, output, &(struct json_opts){ .surrogate_bytes = true },
		&v, NULL)) {
		conn_refuse(c, 502, "no answer; `cordon doctor` may show why");
		return;
	}
	buf_init(&b, &c->s->arena);
	shown_put(&b, v);
	conn_json(c, &b);
}

void
query_stats(struct conn *c)
{
	struct str since = http_query(&c->s->arena, c->q.query, "since");
	struct str by = http_query(&c->s->arena, c->q.query, "by");
	const char *argv[12] = { "cordond", "log", "stats", "--json", "-n", "10",
		str_is(by, "hour") ? "--hours" : "--days" };

	if (since.n) {
		argv[7] = "--since";
		argv[8] = c_string(&c->s->arena, since);
	}
	start(c, c->s->o->cordond, argv, give_document);
}

void
query_policy(struct conn *c)
{
	const char *argv[8] = { "cordon", "policy", "show", "--json" };
	struct str cwd = http_query(&c->s->arena, c->q.query, "cwd");

	if (cwd.n) {
		argv[4] = "--cwd";
		argv[5] = c_string(&c->s->arena, cwd);
	}
	start(c, c->s->o->cordon, argv, give_document);
}

/* ---- trying a command */

static void
give_text(struct conn *c, int status, struct str output)
{
	static const struct {
		int status;
		const char *verdict;
	} verdicts[] = { { 0, "allow" }, { 10, "confine" }, { 11, "ask" }, { 12, "deny" } };
	const char *verdict = NULL;
	struct buf b;

	for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++)
		if (verdicts[i].status == status)
			verdict = verdicts[i].verdict;
	if (!verdict) {
		conn_refuse(c, 502,
		    "no answer; does the directory exist, and are the rules valid?");
		return;
	}
	buf_init(&b, &c->s->arena);
	buf_putc(&b, '{');
	json_put_member(&b, "verdict", str_from_c(verdict));
	json_put_key(&b, "text");
	shown_put_str(&b, output);
	buf_putc(&b, '}');
	conn_json(c, &b);
}

void
query_explain(struct conn *c, const struct json *v)
{
	const struct json *command = json_get(v, STR("command")),
			  *cwd = json_get(v, STR("cwd"));
	const char *argv[8] = { "cordon", "explain" };
	size_t n = 2;

	if (!command || command->kind != JSON_STRING || command->text.n == 0) {
		conn_refuse(c, 400, "no command given");
		return;
	}
	if (command->text.n > LIMIT_COMMAND || (cwd && cwd->text.n >= LIMIT_PATH)) {
		conn_refuse(c, 413, "the command is too long");
		return;
	}
	if (cwd && cwd->kind == JSON_STRING && cwd->text.n) {
		argv[n++] = "--cwd";
		argv[n++] = c_string(&c->s->arena, cwd->text);
	}
	argv[n++] = "--";
	argv[n++] = c_string(&c->s->arena, command->text);
	if (!argv[n - 1]) {
		conn_refuse(c, 400, "the command cannot be parsed");
		return;
	}
	start(c, c->s->o->cordon, argv, give_text);
}

/* ---- the store and the head of the journal */

/* True if there is a journal, or a store that was filled from one. */
static bool
has_begun(const struct server *s)
{
	static const char names[][20] = { "/journal", "/store/records.db" };
	char mem[LIMIT_PATH];
	struct arena a;

	for (size_t i = 0; s->o->state && i < sizeof names / sizeof *names; i++) {
		struct buf b;

		arena_init(&a, mem, sizeof mem);
		buf_init(&b, &a);
		buf_puts(&b, s->o->state);
		buf_puts(&b, names[i]);
		buf_putc(&b, '\0');
		if (!b.full && access(b.p, F_OK) == 0)
			return true;
	}
	return false;
}

static void
filled(struct server *s, int status)
{
	bool was = s->alarm;

	s->filling = NULL;
	/* Exit status 1: the journal is not the one that the store was filled from. */
	if (status == 1 && has_begun(s))
		s->alarm = true;
	/* Any other failure says nothing about the journal. */
	else if (status == 0)
		s->alarm = false;
	if (s->alarm != was)
		news_tell(s, NEWS_LOG);
	if (s->fill_again) {
		s->fill_again = false;
		query_fill(s);
	}
}

void
query_fill(struct server *s)
{
	static const char *const argv[] = { "cordond", "log", "search", "--json", "-n", "1",
		NULL };

	if (s->filling) {
		s->fill_again = true;
		return;
	}
	if (child_start(s, NULL, s->o->cordond, argv, NULL, filled))
		s->filling = (struct child *)s; /* placeholder: only tested for NULL */
}
