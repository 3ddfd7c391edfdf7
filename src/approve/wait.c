#define _GNU_SOURCE /* O_NOFOLLOW, with every C library */
#include "approve/spool.h"
#include "os/fd.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h> /* renameat */
#include <sys/file.h>
#include <sys/inotify.h>
#include <time.h>
#include <unistd.h>

struct console_wait {
	struct arena *a;
	const struct approve_question *q;
	int asks, file, events;
	char id[SPOOL_ID];
	char ask[SPOOL_ID + 8], answer[SPOOL_ID + 8], beside[SPOOL_ID + 8];
};

static int64_t
seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec;
}

static void
name_it(char *to, const char id[static SPOOL_ID], const char *suffix)
{
	memcpy(to, id, SPOOL_ID);
	memcpy(to + SPOOL_ID, suffix, strlen(suffix) + 1);
}

static bool
find_names(struct console_wait *w)
{
	if (!spool_new_id(w->id))
		return false;
	name_it(w->ask, w->id, ".ask");
	name_it(w->answer, w->id, ".answer");
	name_it(w->beside, w->id, ".begun");
	return true;
}

/* Write the question; keep it locked while this process lives. */
static bool
put_question(struct console_wait *w, unsigned wait)
{
	struct approve_times t = { seconds(CLOCK_REALTIME),
		seconds(CLOCK_REALTIME) + wait };
	size_t used = w->a->used;
	struct buf b;
	bool fine;

	buf_init(&b, w->a);
	approve_put_json(&b, w->q, str_of(w->id, sizeof w->id), &t);
	w->file = openat(
	    w->asks, w->beside, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	fine = !b.full && b.n <= SPOOL_ASK_MAX && w->file >= 0 &&
	       flock(w->file, LOCK_EX | LOCK_NB) == 0 && write_all(w->file, buf_str(&b));
	arena_back(w->a, used);
	return fine && renameat(w->asks, w->beside, w->asks, w->ask) == 0;
}

/* Return true if there is an answer; *ret is its content, or a no. */
static bool
take_answer(struct console_wait *w, struct approve_answer *ret)
{
	struct str text;

	if (faccessat(w->asks, w->answer, F_OK, AT_SYMLINK_NOFOLLOW))
		return false;
	*ret = (struct approve_answer){ .end = APPROVE_LOST };
	if (spool_read(w->a, w->asks, w->answer, SPOOL_ANSWER_MAX, &text))
		(void)approve_read_answer(w->a, text, w->q, ret);
	return true;
}

/* True if the console has gone away; a restarting console is back soon. */
static bool
is_deserted(const struct approve_wait *w, int64_t now, int64_t *seen)
{
	if (w->anyway || spool_is_held(w->dir, SPOOL_LOCK))
		*seen = now;
	return now - *seen > SPOOL_AWAY;
}

static void
wait_for(struct console_wait *w, const struct approve_wait *o, struct approve_answer *ret)
{
	int64_t now = seconds(CLOCK_MONOTONIC), ends = now + o->seconds, seen = now;
	struct pollfd p = { w->events, POLLIN, 0 };
	char events[4096];

	for (; !take_answer(w, ret); now = seconds(CLOCK_MONOTONIC)) {
		if (now >= ends) {
			*ret = (struct approve_answer){ .end = APPROVE_TIMEOUT };
			return;
		}
		if (is_deserted(o, now, &seen)) {
			*ret = (struct approve_answer){ .end = APPROVE_LOST };
			return;
		}
		/* Wait at most a second, in case inotify misses an event. */
		if (poll(&p, 1, 1000) > 0 && read(w->events, events, sizeof events) < 0 &&
		    errno != EINTR && errno != EAGAIN)
			p.fd = -1;
	}
}

static void
forget(struct console_wait *w)
{
	(void)unlinkat(w->asks, w->beside, 0);
	(void)unlinkat(w->asks, w->ask, 0);
	(void)unlinkat(w->asks, w->answer, 0);
	if (w->file >= 0)
		(void)close(w->file);
	if (w->events >= 0)
		(void)close(w->events);
	(void)close(w->asks);
}

/* Watch the directory by its descriptor: its path may lead elsewhere by now. */
static int
watch(int dir)
{
	int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	char mem[64];
	struct arena a;
	struct buf path;

	arena_init(&a, mem, sizeof mem);
	buf_init(&path, &a);
	buf_puts(&path, "/proc/self/fd/");
	buf_putu(&path, (uint64_t)dir);
	buf_putc(&path, '\0');
	/* Without inotify, the answer is found up to a second later. */
	if (fd >= 0 && !path.full)
		(void)inotify_add_watch(fd, path.p, IN_MOVED_TO);
	return fd;
}

void
approve_console(struct arena *a, const struct approve_wait *w,
    const struct approve_question *q, struct approve_answer *ret)
{
	struct console_wait waiting = {
		.a = a, .q = q, .asks = -1, .file = -1, .events = -1
	};

	*ret = (struct approve_answer){ .end = APPROVE_NOBODY };
	if (w->dir < 0 || (!w->anyway && !spool_is_held(w->dir, SPOOL_LOCK)))
		return;
	waiting.asks = spool_sub(w->dir, SPOOL_ASKS);
	if (waiting.asks < 0 || !find_names(&waiting))
		return;
	waiting.events = watch(waiting.asks);
	if (put_question(&waiting, w->seconds))
		wait_for(&waiting, w, ret);
	forget(&waiting);
}
