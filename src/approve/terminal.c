/*
 * The dialog on a terminal.  It uses the alternate screen and raw mode.  A background
 * program of the agent may write there too, but only keys typed after the question was
 * drawn count.
 */
#define _GNU_SOURCE /* ppoll */
#include "approve/dialog.h"
#include "approve/spool.h"
#include "os/clock.h"
#include "os/fd.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

/* Ignore keys typed before a person can have read the question. */
#define DEAF_MS 400
/* How long an escape byte may be the start of a sequence. */
#define ESCAPE_MS 60

struct tty_session {
	int fd, signals;
	struct termios before;
	sigset_t mask;
	struct dialog dialog;
	struct keys keys;
	struct arena *a;
	int64_t began, ends; /* ms */
};

int
approve_terminal_open(void)
{
	int fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);

	/* In the background the first write would stop us (SIGTTOU). */
	if (fd >= 0 && tcgetpgrp(fd) == getpgrp())
		return fd;
	if (fd >= 0)
		(void)close(fd);
	return -1;
}

static void
measure(int fd, size_t *rows, size_t *columns)
{
	struct winsize w = { 0 };

	*rows = 24;
	*columns = 80;
	if (ioctl(fd, TIOCGWINSZ, &w) == 0 && w.ws_row && w.ws_col) {
		*rows = w.ws_row;
		*columns = w.ws_col;
	}
}

static bool
begin(struct tty_session *s)
{
	struct termios raw;
	sigset_t set;

	if (tcgetattr(s->fd, &s->before))
		return false;
	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGINT);
	(void)sigaddset(&set, SIGTERM);
	(void)sigaddset(&set, SIGHUP);
	(void)sigaddset(&set, SIGQUIT);
	(void)sigaddset(&set, SIGTSTP);
	(void)sigaddset(&set, SIGWINCH);
	if (sigprocmask(SIG_BLOCK, &set, &s->mask))
		return false;
	s->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	raw = s->before;
	raw.c_iflag &= ~(tcflag_t)(IXON | ICRNL | BRKINT | ISTRIP | INLCR | IGNCR);
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG | IEXTEN);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	return s->signals >= 0 && tcsetattr(s->fd, TCSAFLUSH, &raw) == 0 &&
	       write_all(s->fd, STR("\x1b[?1049h\x1b[?2004h\x1b[2J"));
}

static void
end(struct tty_session *s)
{
	struct signalfd_siginfo info;

	(void)write_all(s->fd, STR("\x1b[?2004l\x1b[?25h\x1b[0m\x1b[?1049l"));
	(void)tcsetattr(s->fd, TCSAFLUSH, &s->before);
	if (s->signals >= 0) {
		/* Drop signals that the dialog has answered with no. */
		while (read(s->signals, &info, sizeof info) == sizeof info)
			;
		(void)close(s->signals);
	}
	/* A hangup may send several signals, and the rejection must still be recorded. */
	if (s->dialog.answer.end == APPROVE_LOST ||
	    s->dialog.answer.end == APPROVE_INTERRUPTED)
		(void)signal(SIGHUP, SIG_IGN);
	(void)sigprocmask(SIG_SETMASK, &s->mask, NULL);
}

static bool
draw(struct tty_session *s)
{
	size_t used = s->a->used;
	int64_t left = s->ends - (int64_t)clock_ms();
	struct buf b;
	bool fine;

	s->dialog.left = left > 0 ? (unsigned)((left + 999) / 1000) : 0;
	buf_init(&b, s->a);
	dialog_draw(&s->dialog, &b);
	fine = !b.full && write_all(s->fd, buf_str(&b));
	arena_back(s->a, used);
	return fine;
}

/* Return true for a signal that ends the dialog. */
static bool
hear(struct tty_session *s)
{
	struct signalfd_siginfo info;
	size_t rows, columns;

	while (read(s->signals, &info, sizeof info) == sizeof info) {
		if (info.ssi_signo == SIGTSTP)
			continue;
		if (info.ssi_signo != SIGWINCH)
			return true;
		measure(s->fd, &rows, &columns);
		dialog_resize(&s->dialog, rows, columns);
	}
	return false;
}

/* Return true when the dialog is over. */
static bool
take_keys(struct tty_session *s)
{
	unsigned char bytes[256];
	ssize_t n = read(s->fd, bytes, sizeof bytes);

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return false;
	if (n <= 0) {
		dialog_end(&s->dialog, APPROVE_LOST);
		return true;
	}
	for (ssize_t i = 0; i < n; i++) {
		struct keypress k = keys_byte(&s->keys, bytes[i]);

		if (k.code == KEY_NONE ||
		    (k.code != KEY_INTERRUPT && (int64_t)clock_ms() - s->began < DEAF_MS))
			continue;
		if (dialog_key(&s->dialog, k))
			return true;
	}
	return false;
}

static void
ask(struct tty_session *s)
{
	struct pollfd p[2] = { { s->fd, POLLIN, 0 }, { s->signals, POLLIN, 0 } };

	for (;;) {
		int64_t left = s->ends - (int64_t)clock_ms();
		int wait = left > 1000 ? (int)(left % 1000) + 1 : (int)left, n;

		if (left <= 0) {
			dialog_end(&s->dialog, APPROVE_TIMEOUT);
			return;
		}
		if (!draw(s)) {
			dialog_end(&s->dialog, APPROVE_LOST);
			return;
		}
		n = poll(p, 2, s->keys.n ? ESCAPE_MS : wait);
		if (n == 0 && s->keys.n && dialog_key(&s->dialog, keys_pause(&s->keys)))
			return;
		if (n > 0 && p[1].revents && hear(s)) {
			dialog_end(&s->dialog, APPROVE_INTERRUPTED);
			return;
		}
		if (n > 0 && (p[0].revents & (POLLERR | POLLNVAL))) {
			dialog_end(&s->dialog, APPROVE_LOST);
			return;
		}
		if (n > 0 && p[0].revents && take_keys(s))
			return;
	}
}

static struct str
kept(struct arena *a, struct str s)
{
	return s.p ? arena_copy(a, s) : s;
}

void
approve_terminal(struct arena *a, const struct approve_terminal *t,
    const struct approve_question *q, struct approve_answer *ret)
{
	struct tty_session s = { .fd = t->fd, .signals = -1, .a = a };
	size_t rows, columns;

	*ret = (struct approve_answer){ .end = APPROVE_LOST };
	measure(t->fd, &rows, &columns);
	if (!dialog_init(&s.dialog, a, q, rows, columns, t->colour) ||
	    sigprocmask(SIG_SETMASK, NULL, &s.mask))
		return;
	s.began = (int64_t)clock_ms();
	s.ends = s.began + (int64_t)t->seconds * 1000;
	if (begin(&s))
		ask(&s);
	else
		dialog_end(&s.dialog, APPROVE_LOST);
	end(&s);
	*ret = s.dialog.answer;
	ret->path = kept(a, ret->path);
	ret->message = kept(a, ret->message);
	/* Reject if the answer's texts could not be copied. */
	if ((s.dialog.answer.path.p && !ret->path.p) ||
	    (s.dialog.answer.message.p && !ret->message.p))
		*ret = (struct approve_answer){ .end = APPROVE_LOST };
}
