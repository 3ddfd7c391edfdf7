/* daemon/console/server.h: what the parts of the console share.  For this room only. */
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

/* At once; beyond, the one that has been sending its request for longest is dropped. */
#define SERVE_CONNECTIONS 256
/* Pages that listen for news. */
#define SERVE_STREAMS 32
/* Programs that work for us at once. */
#define SERVE_CHILDREN 8
/* A whole request must be there, a child must be done, an answer must be taken. */
#define SERVE_REQUEST_S 5
#define SERVE_CHILD_S 20
#define SERVE_WRITE_S 20
/* News that a page has not taken; more, and it is dropped. */
#define SERVE_BACKLOG ((size_t)256 << 10)
/* What a child may say. */
#define SERVE_OUTPUT ((size_t)8 << 20)
/* For making one answer. */
#define SERVE_ARENA ((size_t)64 << 20)

enum conn_state {
	CONN_HEAD,
	CONN_BODY,
	CONN_WAITING, /* for a child */
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
	struct http_request q;
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
	unsigned news; /* of enum news: to be told */
	int64_t used;  /* ms: when somebody was here last */
	bool alarm;    /* the journal is not the one that was seen */
	struct child *filling;
	bool fill_again;
	struct arena arena; /* for one answer; empty between */
};

int64_t serve_now_ms(void);

/* ---- conn.c */

void conn_accept(struct evconnlistener *l, evutil_socket_t fd, struct sockaddr *from, int n,
    void *context);
void conn_close(struct conn *c);
/* The answer; the connection closes behind it. */
void conn_answer(struct conn *c, int status, const char *type, struct str body);
void conn_json(struct conn *c, const struct buf *b);
/* {"error":"..."}; `why` is our own text. */
void conn_refuse(struct conn *c, int status, const char *why);
/* The head of an answer without an end. */
void conn_stream(struct conn *c);

/* ---- guard.c */

/* NULL, or why this request is none of ours; then *status. */
const char *guard_check(const struct serve_opts *o, const struct http_request *q,
    bool needs_token, int *status);

/* ---- route.c */
void route(struct conn *c, struct str body);

/* ---- list.c: "KEY":[...],"more":BOOL of what lies in a directory of the spool */
struct list_of {
	int dir;
	const char *key, *suffix;
	size_t most; /* others are only said to be there */
	/* False: it is nothing that is shown. */
	bool (*put)(struct server *s, struct buf *out, struct str id);
};
void list_put(struct server *s, const struct list_of *what, struct buf *out);

/* ---- asks.c, runs.c */
void asks_list(struct conn *c);
void asks_answer(struct conn *c, const struct json *v);
void runs_list(struct conn *c);
void runs_output(struct conn *c);
void runs_stop(struct conn *c, const struct json *v);

/* ---- usage.c: of everything that a process has started */
struct usage {
	uint64_t cpu_ms, rss, processes;
	bool more; /* the machine has more processes than are looked at */
};
void usage_find(pid_t root, struct usage *ret);

/* ---- queries.c: what programs answer */
void query_log(struct conn *c);
void query_stats(struct conn *c);
void query_policy(struct conn *c);
void query_explain(struct conn *c, const struct json *v);
/* The store takes in what is new, and notes the journal's head. */
void query_fill(struct server *s);

/* ---- child.c */

/* `output` is whole; status is its exit status, or -1 when it was stopped. */
typedef void child_done(struct conn *c, int status, struct str output);
typedef void child_ended(struct server *s, int status);
/* For a connection (`ended` NULL), or for the server itself (`c` NULL).  False: no room. */
bool child_start(struct server *s, struct conn *c, const char *program,
    const char *const *argv, child_done *done, child_ended *ended);
/* The connection is gone. */
void child_forget(struct child *child);

/* ---- news.c */
bool news_begin(struct server *s);
void news_end(struct server *s);
void news_tell(struct server *s, unsigned what);

/* ---- shown.c: a JSON value with every text in it fit for a person's eyes. */
void shown_put(struct buf *out, const struct json *v);
void shown_put_str(struct buf *out, struct str s);
