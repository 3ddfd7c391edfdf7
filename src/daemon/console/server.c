#define _GNU_SOURCE /* MAP_NORESERVE */
#include "daemon/console/server.h"
#include "approve/ring.h"
#include "approve/spool.h"
#include "os/clock.h"
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static void
on_signal(evutil_socket_t number, short what, void *context)
{
	struct server *s = context;

	(void)number;
	(void)what;
	(void)event_base_loopexit(s->base, NULL);
}

static bool
hear_signals(struct server *s)
{
	static const int numbers[] = { SIGTERM, SIGINT, SIGHUP };

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		s->signals[i] = evsignal_new(s->base, numbers[i], on_signal, s);
		if (!s->signals[i] || evsignal_add(s->signals[i], NULL))
			return false;
	}
	return signal(SIGPIPE, SIG_IGN) != SIG_ERR;
}

/* Raise the limit for descriptors: enough for all connections and children. */
static void
raise_limit(void)
{
	struct rlimit l;

	if (getrlimit(RLIMIT_NOFILE, &l) == 0 && l.rlim_cur < 4096) {
		l.rlim_cur = l.rlim_max < 4096 ? l.rlim_max : 4096;
		(void)setrlimit(RLIMIT_NOFILE, &l);
	}
}

static bool
begin(struct server *s)
{
	void *mem = mmap(NULL, SERVE_ARENA, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (mem == MAP_FAILED)
		return false;
	arena_init(&s->arena, mem, SERVE_ARENA);
	raise_limit();
	s->used = (int64_t)clock_ms();
	s->base = event_base_new();
	s->asks = spool_sub(s->o->runtime, SPOOL_ASKS);
	s->runs = spool_sub(s->o->runtime, SPOOL_RUNS);
	if (!s->base || s->asks < 0 || s->runs < 0 || !news_begin(s) || !hear_signals(s))
		return false;
	s->listener = evconnlistener_new(
	    s->base, conn_accept, s, LEV_OPT_CLOSE_ON_EXEC, 0, s->o->listener);
	return s->listener != NULL;
}

static void
end(struct server *s)
{
	while (s->first)
		conn_close(s->first);
	if (s->listener)
		evconnlistener_free(s->listener);
	news_end(s);
	for (size_t i = 0; i < sizeof s->signals / sizeof *s->signals; i++)
		if (s->signals[i])
			event_free(s->signals[i]);
	if (s->base)
		event_base_free(s->base);
	if (s->asks >= 0)
		(void)close(s->asks);
	if (s->runs >= 0)
		(void)close(s->runs);
	(void)close(s->o->listener);
}

int
server_run(const struct serve_opts *o)
{
	struct server s = { .o = o, .asks = -1, .runs = -1, .inotify = -1 };
	int why = 0;

	if (!begin(&s))
		why = errno ? errno : ENOMEM;
	else {
		query_fill(&s);
		if (event_base_dispatch(s.base) < 0)
			why = EIO;
	}
	end(&s);
	return why;
}
