#include "daemon/console/server.h"
#include "os/clock.h"
#include <sys/socket.h>

/* ---- close */

static void
leave_list(struct conn *c)
{
	struct server *s = c->s;

	*(c->previous ? &c->previous->next : &s->first) = c->next;
	*(c->next ? &c->next->previous : &s->last) = c->previous;
	s->connections--;
	s->streams -= c->state == CONN_STREAM;
}

void
conn_close(struct conn *c)
{
	leave_list(c);
	if (c->child)
		child_forget(c->child);
	if (c->deadline)
		event_free(c->deadline);
	bufferevent_free(c->be);
	free(c);
}

/* ---- answers */

static const char *
reason_of(int status)
{
	static const struct {
		int status;
		const char *text;
	} reasons[] = { { 200, "OK" }, { 400, "Bad Request" }, { 401, "Unauthorized" },
		{ 403, "Forbidden" }, { 404, "Not Found" }, { 405, "Method Not Allowed" },
		{ 408, "Request Timeout" }, { 409, "Conflict" }, { 411, "Length Required" },
		{ 413, "Content Too Large" }, { 414, "URI Too Long" },
		{ 417, "Expectation Failed" }, { 431, "Headers Too Large" },
		{ 501, "Not Implemented" }, { 502, "Bad Gateway" },
		{ 503, "Service Unavailable" }, { 505, "Version Not Supported" } };

	for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
		if (reasons[i].status == status)
			return reasons[i].text;
	return "Error";
}

/* The page may load only from this server; nothing may load or frame the page. */
static const char headers[] =
    "Connection: close\r\n"
    "Cache-Control: no-store\r\n"
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; "
    "connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'\r\n"
    "Cross-Origin-Opener-Policy: same-origin\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "X-Frame-Options: DENY\r\n\r\n";

static void
put_head(struct conn *c, int status, const char *type, const struct str *body)
{
	struct evbuffer *out = bufferevent_get_output(c->be);
	char mem[2048];
	struct arena a;
	struct buf b;

	arena_init(&a, mem, sizeof mem);
	buf_init(&b, &a);
	buf_puts(&b, "HTTP/1.1 ");
	buf_putu(&b, (uint64_t)status);
	buf_putc(&b, ' ');
	buf_puts(&b, reason_of(status));
	buf_puts(&b, "\r\nContent-Type: ");
	buf_puts(&b, type);
	if (body) {
		buf_puts(&b, "\r\nContent-Length: ");
		buf_putu(&b, body->n);
	}
	buf_puts(&b, "\r\n");
	buf_puts(&b, headers);
	(void)evbuffer_add(out, b.p, b.n);
}

static void
limit_writing(struct conn *c)
{
	struct timeval t = { SERVE_WRITE_S, 0 };

	(void)event_del(c->deadline);
	(void)bufferevent_set_timeouts(c->be, NULL, &t);
}

void
conn_answer(struct conn *c, int status, const char *type, struct str body)
{
	put_head(c, status, type, &body);
	(void)evbuffer_add(bufferevent_get_output(c->be), body.p, body.n);
	c->state = CONN_ANSWERED;
	limit_writing(c);
	(void)bufferevent_enable(c->be, EV_WRITE);
}

void
conn_json(struct conn *c, const struct buf *b)
{
	if (b->full)
		conn_refuse(c, 503, "the answer is too large");
	else
		conn_answer(c, 200, "application/json", buf_str(b));
}

void
conn_refuse(struct conn *c, int status, const char *why)
{
	char mem[512];
	struct arena a;
	struct buf b;

	arena_init(&a, mem, sizeof mem);
	buf_init(&b, &a);
	buf_puts(&b, "{\"error\":");
	json_put_str(&b, str_from_c(why));
	buf_putc(&b, '}');
	conn_answer(c, status, "application/json", buf_str(&b));
}

void
conn_stream(struct conn *c)
{
	put_head(c, 200, "text/event-stream", NULL);
	c->state = CONN_STREAM;
	c->s->streams++;
	limit_writing(c);
}

/* ---- requests */

static void
forward(struct conn *c, struct str body)
{
	c->s->used = (int64_t)clock_ms();
	arena_reset(&c->s->arena);
	route_request(c, body);
	arena_reset(&c->s->arena);
}

/* The head is complete, too long, or more bytes are needed. */
static void
take_head(struct conn *c, struct evbuffer *in)
{
	size_t n = evbuffer_get_length(in);
	size_t most = n < HTTP_HEAD_MAX ? n : HTTP_HEAD_MAX;
	struct str bytes = str_of((char *)evbuffer_pullup(in, (ev_ssize_t)most), most);
	int status;

	c->head = bytes.p ? http_head_end(bytes, c->looked) : 0;
	c->looked = bytes.n;
	if (!c->head) {
		if (n >= HTTP_HEAD_MAX)
			conn_refuse(c, 431, "the request head is too long");
		return;
	}
	status = http_request_read(str_cut(bytes, 0, c->head), &c->q);
	if (status)
		conn_refuse(c, status, "invalid request");
	else
		c->state = CONN_BODY;
}

static void
take_body(struct conn *c, struct evbuffer *in)
{
	size_t n = evbuffer_get_length(in), whole = c->head + c->q.length;
	struct str bytes;

	if (n < whole)
		return;
	if (n > whole) {
		conn_refuse(c, 400, "there are bytes after the request");
		return;
	}
	bytes = str_of((char *)evbuffer_pullup(in, -1), n);
	/* The head may have moved in memory. */
	if (!bytes.p || http_request_read(str_cut(bytes, 0, c->head), &c->q)) {
		conn_refuse(c, 503, "no memory");
		return;
	}
	c->state = CONN_WAITING;
	forward(c, str_skip(bytes, c->head));
}

static void
on_read(struct bufferevent *be, void *context)
{
	struct evbuffer *in = bufferevent_get_input(be);
	struct conn *c = context;

	if (c->state == CONN_HEAD)
		take_head(c, in);
	if (c->state == CONN_BODY)
		take_body(c, in);
	/* Ignore bytes after the request. */
	if (c->state > CONN_BODY)
		(void)evbuffer_drain(in, evbuffer_get_length(in));
}

static void
on_written(struct bufferevent *be, void *context)
{
	struct conn *c = context;

	if (c->state == CONN_ANSWERED &&
	    evbuffer_get_length(bufferevent_get_output(be)) == 0)
		conn_close(c);
}

static void
on_event(struct bufferevent *be, short what, void *context)
{
	(void)be;
	(void)what; /* end of file, error, or a reader that is too slow */
	conn_close(context);
}

static void
on_deadline(evutil_socket_t fd, short what, void *context)
{
	struct conn *c = context;

	(void)fd;
	(void)what;
	if (c->state == CONN_WAITING)
		return; /* the child has its own deadline */
	conn_refuse(c, 408, "the request took too long");
}

/* ---- accept */

static bool
drop_oldest(struct server *s)
{
	for (struct conn *c = s->first; c; c = c->next)
		if (c->state <= CONN_BODY) {
			conn_close(c);
			return true;
		}
	return false;
}

static struct conn *
conn_new(struct server *s, evutil_socket_t fd)
{
	struct conn *c = calloc(1, sizeof *c);

	if (!c)
		return NULL;
	c->s = s;
	c->be = bufferevent_socket_new(s->base, fd, BEV_OPT_CLOSE_ON_FREE);
	c->deadline = c->be ? evtimer_new(s->base, on_deadline, c) : NULL;
	if (c->deadline)
		return c;
	if (c->be)
		bufferevent_free(c->be);
	else
		(void)evutil_closesocket(fd);
	free(c);
	return NULL;
}

void
conn_accept(struct evconnlistener *l, evutil_socket_t fd, struct sockaddr *from, int n,
    void *context)
{
	struct timeval t = { SERVE_REQUEST_S, 0 };
	struct server *s = context;
	struct conn *c;

	(void)l;
	(void)from;
	(void)n;
	if (s->connections >= SERVE_CONNECTIONS && !drop_oldest(s)) {
		(void)evutil_closesocket(fd);
		return;
	}
	c = conn_new(s, fd);
	if (!c)
		return;
	c->previous = s->last;
	*(s->last ? &s->last->next : &s->first) = c;
	s->last = c;
	s->connections++;
	bufferevent_setcb(c->be, on_read, on_written, on_event, c);
	/* Read no further than one request. */
	bufferevent_setwatermark(c->be, EV_READ, 0, HTTP_HEAD_MAX + HTTP_BODY_MAX + 1);
	(void)evtimer_add(c->deadline, &t);
	(void)bufferevent_enable(c->be, EV_READ);
}
