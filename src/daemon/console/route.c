#include "daemon/console/server.h"

/* The page, embedded by the build. */
struct str web_page(void);
struct str web_style(void);
struct str web_icon(void);
struct str web_script(void);
struct str web_base(void);
struct str web_asks(void);
struct str web_runs(void);
struct str web_log(void);
struct str web_charts(void);
struct str web_policy(void);

struct file {
	const char *path, *type;
	struct str (*text)(void);
};

#define JAVASCRIPT "text/javascript; charset=utf-8"

static const struct file files[] = {
	{ "/", "text/html; charset=utf-8", web_page },
	{ "/page.css", "text/css; charset=utf-8", web_style },
	{ "/icon.svg", "image/svg+xml", web_icon },
	{ "/page.js", JAVASCRIPT, web_script },
	{ "/base.js", JAVASCRIPT, web_base },
	{ "/asks.js", JAVASCRIPT, web_asks },
	{ "/runs.js", JAVASCRIPT, web_runs },
	{ "/log.js", JAVASCRIPT, web_log },
	{ "/charts.js", JAVASCRIPT, web_charts },
	{ "/policy.js", JAVASCRIPT, web_policy },
};

static void
listen_for_news(struct conn *c)
{
	if (c->s->streams >= SERVE_STREAMS)
		conn_refuse(c, 503, "too many pages are open");
	else
		conn_stream(c);
}

static const struct {
	const char *path;
	void (*get)(struct conn *c);
} gets[] = {
	{ "/api/events", listen_for_news },
	{ "/api/asks", asks_list },
	{ "/api/runs", runs_list },
	{ "/api/output", runs_output },
	{ "/api/log", query_log },
	{ "/api/stats", query_stats },
	{ "/api/policy", query_policy },
};

static const struct {
	const char *path;
	void (*post)(struct conn *c, const struct json *v);
} posts[] = {
	{ "/api/answer", asks_answer },
	{ "/api/stop", runs_stop },
	{ "/api/explain", query_explain },
};

static void
route_get(struct conn *c)
{
	for (size_t i = 0; i < sizeof gets / sizeof *gets; i++)
		if (str_is(c->q.path, gets[i].path)) {
			gets[i].get(c);
			return;
		}
	conn_refuse(c, 404, "not found");
}

static void
route_post(struct conn *c, struct str body)
{
	const struct json *v;

	for (size_t i = 0; i < sizeof posts / sizeof *posts; i++) {
		if (!str_is(c->q.path, posts[i].path))
			continue;
		if (!c->q.content_type.p ||
		    !str_is(c->q.content_type, "application/json") ||
		    json_read(&c->s->arena, body, NULL, &v, NULL) || v->kind != JSON_OBJECT)
			conn_refuse(c, 400, "the body must be one JSON object");
		else
			posts[i].post(c, v);
		return;
	}
	conn_refuse(c, 404, "not found");
}

void
route_request(struct conn *c, struct str body)
{
	bool api = str_starts(c->q.path, STR("/api/"));
	const char *why;
	int status;

	why = csrf_check(c->s->o, &c->q, api, &status);
	if (why) {
		conn_refuse(c, status, why);
		return;
	}
	for (size_t i = 0; !api && i < sizeof files / sizeof *files; i++)
		if (c->q.method == HTTP_GET && str_is(c->q.path, files[i].path)) {
			conn_answer(c, 200, files[i].type, files[i].text());
			return;
		}
	if (c->q.method == HTTP_POST)
		route_post(c, body);
	else
		route_get(c);
}
