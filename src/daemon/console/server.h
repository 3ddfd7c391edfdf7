/* daemon/console/server.h: shared by the files of the console.  Internal. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/json/json.h"
#include "daemon/console/http.h"
#include "daemon/console/serve.h"
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <stdlib.h>
#include <sys/types.h>

/* Limit; above it, drop the connection whose request has been incomplete for longest. */
#define SERVE_CONNECTIONS 256
/* Limit for pages that listen for changes. */
#define SERVE_STREAMS 32
/* Limit for child processes. */
#define SERVE_CHILDREN 8
/* Seconds for a complete request, for a child, and for taking an answer. */
#define SERVE_REQUEST_S 5
#define SERVE_CHILD_S 20
#define SERVE_WRITE_S 20
/* Limit for unsent events; a page that is slower is dropped. */
#define SERVE_BACKLOG ((size_t)256 << 10)
/* Limit for a child's output. */
#define SERVE_OUTPUT ((size_t)8 << 20)
/* Memory for one answer. */
#define SERVE_ARENA ((size_t)64 << 20)

enum conn_state {
	CONN_HEAD,
	CONN_BODY,
	CONN_WAITING, /* waiting for a child */
	CONN_ANSWERED,
	CONN_STREAM,
};

struct child;
struct server;

struct conn {
	struct server *s;
	struct bufferevent *be;
	struct event *deadline;
	enum conn_state state;
	size_t looked, head;
	struct web_request q;
	struct child *child; /* NULL: none */
	struct conn *next, *previous;
};

enum news {
	NEWS_ASKS = 1,
	NEWS_RUNS = 2,
	NEWS_LOG = 4,
	NEWS_POLICY = 8,
};

struct server {
	const struct serve_opts *o;
	struct event_base *base;
	struct evconnlistener *listener;
	struct conn *first, *last; /* oldest first */
	size_t connections, streams, children;
	int asks, runs; /* directories */
	int inotify;
	int watch_asks, watch_runs, watch_state, watch_config;
	struct event *watching, *telling, *tick, *signals[3];
	unsigned news; /* pending events, enum news */
	int64_t used;  /* ms: time of the last request */
	bool alarm;    /* the journal is not the one seen before */
	struct child *filling;
	bool fill_again;
	struct arena arena; /* for one answer; empty in between */
};

/* ---- conn.c */

void conn_accept(struct evconnlistener *l, evutil_socket_t fd, struct sockaddr *from, int n,
    void *context);
void conn_close(struct conn *c);
/* Send the answer and close the connection. */
void conn_answer(struct conn *c, int status, const char *type, struct str body);
void conn_json(struct conn *c, const struct buf *b);
/* Send {"error":"..."}; `why` is our own text. */
void conn_refuse(struct conn *c, int status, const char *why);
/* Start an endless answer. */
void conn_stream(struct conn *c);

/* ---- csrf.c */

/* Return NULL, or why this request is refused, with *status. */
const char *csrf_check(
    const struct serve_opts *o, const struct web_request *q, bool needs_token, int *status);

/* ---- route.c */
void route_request(struct conn *c, struct str body);

/* ---- list.c: print "KEY":[...],"more":BOOL for a directory of the spool */
struct list_of {
	int dir;
	const char *key, *suffix;
	size_t most; /* above this, only set "more" */
	/* Return false for an entry that is not shown. */
	bool (*put)(struct server *s, struct buf *out, struct str id);
};
void list_put(struct server *s, const struct list_of *what, struct buf *out);

/* ---- asks.c, runs.c */
void asks_list(struct conn *c);
void asks_answer(struct conn *c, const struct json *v);
void runs_list(struct conn *c);
void runs_output(struct conn *c);
void runs_stop(struct conn *c, const struct json *v);

/* ---- usage.c: resources of a process and its descendants */
struct run_usage {
	uint64_t cpu_ms, rss, processes;
	bool more; /* the machine has more processes than were examined */
};
void usage_find(pid_t root, struct run_usage *ret);

/* ---- queries.c: answers from child processes */
void query_log(struct conn *c);
void query_stats(struct conn *c);
void query_policy(struct conn *c);
void query_explain(struct conn *c, const struct json *v);
/* Update the store and record the journal's head. */
void query_fill(struct server *s);

/* ---- child.c */

/* Called with the complete output; status is the exit status, or -1 if it was killed. */
typedef void child_done(struct conn *c, int status, struct str output);
typedef void child_ended(struct server *s, int status);
/* Start for a connection (`ended` NULL) or for the server (`c` NULL).  Return false if
 * there are too many. */
bool child_start(struct server *s, struct conn *c, const char *program,
    const char *const *argv, child_done *done, child_ended *ended);
/* The connection was closed. */
void child_forget(struct child *child);

/* ---- news.c */
bool news_begin(struct server *s);
void news_end(struct server *s);
void news_tell(struct server *s, unsigned what);

/* ---- shown.c: print a JSON value with every string escaped for display */
void shown_put(struct buf *out, const struct json *v);
void shown_put_str(struct buf *out, struct str s);
