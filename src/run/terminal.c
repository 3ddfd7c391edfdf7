/* Save the modes of the user's terminal before the run, and restore them after it. */
#define _GNU_SOURCE
#include "run/run_internal.h"

/* Fails unless it is a terminal. */
static bool
modes_of(int fd, struct termios *ret)
{
	return tcgetattr(fd, ret) == 0;
}

void
terminal_save(struct supervisor *s)
{
	for (int fd = 0; fd < TERMINALS; fd++)
		s->terminal[fd].is = modes_of(fd, &s->terminal[fd].modes);
}

static bool
is_same(const struct termios *x, const struct termios *y)
{
	return x->c_iflag == y->c_iflag && x->c_oflag == y->c_oflag &&
	       x->c_cflag == y->c_cflag && x->c_lflag == y->c_lflag &&
	       x->c_line == y->c_line && memcmp(x->c_cc, y->c_cc, sizeof x->c_cc) == 0;
}

/* SIGTTOU is blocked: this works from the background, too. */
void
terminal_restore(struct supervisor *s)
{
	struct termios now;

	for (int fd = 0; fd < TERMINALS; fd++)
		if (s->terminal[fd].is && modes_of(fd, &now) &&
		    !is_same(&now, &s->terminal[fd].modes))
			(void)tcsetattr(fd, TCSANOW, &s->terminal[fd].modes);
}
