/* Report changes to every page that listens. */
#define _GNU_SOURCE /* inotify, with every C library */
#include "daemon/console/server.h"
#include "os/clock.h"
#include <sys/inotify.h>
#include <unistd.h>

/* Collect changes for this long: a busy journal changes all the time. */
#define GATHER_MS 150
/* Send something at this interval, to notice pages that are gone. */
#define TICK_S 15

void
news_tell(struct server *s, unsigned what)
{
	static const struct timeval soon = { 0, GATHER_MS * 1000L };

	s->news |= what;
	if (!evtimer_pending(s->telling, NULL))
		(void)evtimer_add(s->telling, &soon);
}

static void
send_all(struct server *s, struct str text)
{
	for (struct conn *c = s->first, *next; c; c = next) {
		struct evbuffer *out = bufferevent_get_output(c->be);

		next = c->next;
		if (c->state != CONN_STREAM)
			continue;
		if (evbuffer_get_length(out) > SERVE_BACKLOG) {
			conn_close(c);
			continue;
		}
		(void)evbuffer_add(out, text.p, text.n);
		s->used = (int64_t)clock_ms();
	}
}

static void
on_telling(evutil_socket_t fd, short what, void *context)
{
	static const char names[][8] = { "asks", "runs", "log", "policy" };
	struct server *s = context;
	char mem[256];
	struct arena a;
	struct buf b;

	(void)fd;
	(void)what;
	arena_init(&a, mem, sizeof mem);
	buf_init(&b, &a);
	for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
		if (s->news & 1u << i) {
			buf_puts(&b, "data: ");
			buf_puts(&b, names[i]);
			buf_puts(&b, "\n\n");
		}
	if (s->news & NEWS_LOG)
		query_fill(s);
	s->news = 0;
	send_all(s, buf_str(&b));
}

static int
watch_path(struct server *s, const char *path)
{
	return path ? inotify_add_watch(
			  s->inotify, path, IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_DELETE)
		    : -1;
}

/* The directories of journal and rules may be created after the console starts. */
static void
watch_own(struct server *s)
{
	unsigned news = 0;

	if (s->watch_state < 0 && (s->watch_state = watch_path(s, s->o->state)) >= 0)
		news |= NEWS_LOG;
	if (s->watch_config < 0 && (s->watch_config = watch_path(s, s->o->config)) >= 0)
		news |= NEWS_POLICY;
	if (news)
		news_tell(s, news);
}

static void
on_tick(evutil_socket_t fd, short what, void *context)
{
	struct server *s = context;

	(void)fd;
	(void)what;
	send_all(s, STR(": still here\n\n"));
	watch_own(s);
	if (s->o->idle && (int64_t)clock_ms() - s->used > (int64_t)s->o->idle * 60000)
		(void)event_base_loopexit(s->base, NULL);
}

static unsigned
news_of(const struct server *s, const struct inotify_event *e)
{
	struct str name = e->len ? str_from_c(e->name) : STR("");

	if (e->wd == s->watch_asks)
		return NEWS_ASKS;
	if (e->wd == s->watch_runs)
		return NEWS_RUNS;
	if (e->wd == s->watch_state && str_is(name, "journal"))
		return NEWS_LOG;
	/* Trust changes what a project's rules may do. */
	if (e->wd == s->watch_state && str_is(name, "trust"))
		return NEWS_POLICY;
	if (e->wd == s->watch_config && str_is(name, "rules"))
		return NEWS_POLICY;
	return 0;
}

static void
on_change(evutil_socket_t fd, short what, void *context)
{
	_Alignas(struct inotify_event) char bytes[8192];
	struct server *s = context;
	ssize_t n = read((int)fd, bytes, sizeof bytes);
	unsigned news = 0;

	(void)what;
	for (ssize_t at = 0; n > 0 && at < n;) {
		const struct inotify_event *e = (const struct inotify_event *)(bytes + at);

		if (e->mask & IN_Q_OVERFLOW)
			news = NEWS_ASKS | NEWS_RUNS | NEWS_LOG | NEWS_POLICY;
		/* A removed directory may be created again. */
		if (e->mask & IN_IGNORED && e->wd == s->watch_state)
			s->watch_state = -1;
		if (e->mask & IN_IGNORED && e->wd == s->watch_config)
			s->watch_config = -1;
		news |= news_of(s, e);
		at += (ssize_t)(sizeof *e + e->len);
	}
	/* The first question or run creates the journal. */
	watch_own(s);
	if (news)
		news_tell(s, news);
}

static int
watch_fd(struct server *s, int dir)
{
	char mem[64];
	struct arena a;
	struct buf b;

	arena_init(&a, mem, sizeof mem);
	buf_init(&b, &a);
	buf_puts(&b, "/proc/self/fd/");
	buf_putu(&b, (uint64_t)dir);
	buf_putc(&b, '\0');
	return inotify_add_watch(s->inotify, b.p,
	    IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_MODIFY | IN_MOVED_FROM);
}

bool
news_begin(struct server *s)
{
	static const struct timeval tick = { TICK_S, 0 };

	s->inotify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	s->telling = evtimer_new(s->base, on_telling, s);
	s->tick = event_new(s->base, -1, EV_PERSIST, on_tick, s);
	if (s->inotify < 0 || !s->telling || !s->tick)
		return false;
	s->watching = event_new(s->base, s->inotify, EV_READ | EV_PERSIST, on_change, s);
	s->watch_asks = watch_fd(s, s->asks);
	s->watch_runs = watch_fd(s, s->runs);
	s->watch_state = watch_path(s, s->o->state);
	s->watch_config = watch_path(s, s->o->config);
	return s->watching && event_add(s->watching, NULL) == 0 &&
	       event_add(s->tick, &tick) == 0;
}

void
news_end(struct server *s)
{
	if (s->watching)
		event_free(s->watching);
	if (s->telling)
		event_free(s->telling);
	if (s->tick)
		event_free(s->tick);
	if (s->inotify >= 0)
		(void)close(s->inotify);
}
