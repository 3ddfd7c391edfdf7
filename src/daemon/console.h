/* daemon/console.h: what the parts of `cordond console` share. */
#pragma once
#include "approve/spool.h"
#include "cli/cli.h"
#include "daemon/console/serve.h"

/* Files beside the lock: where it is, and a page that leads there. */
#define CONSOLE_STATE "console.json"
#define CONSOLE_PAGE "console.html"

struct console {
	const struct process *cli;
	struct arena a;
	bool foreground, no_open, stop;
	uint64_t port, idle;
	int dir, lock;
	char path[SPOOL_PATH]; /* of dir */
	struct serve_opts serve;
	struct str url;
};

/* Each returns 0, or an exit status after a message. */

/* The socket, the token, and the address of both. */
int console_listen(struct console *c);
/* Goes to the background unless it is to stay, and writes the files that name it.  Two
 * processes may return: `ret_serves` is true in the one that serves, and the other one
 * returns when the files are there. */
int console_begin(struct console *c, bool *ret_serves);
/* Until it ends; leaves nothing behind. */
int console_serve(struct console *c);
/* Removes the files. */
void console_end(struct console *c);
/* Hands the page to the desktop, by a file that only this user can read: a command line is
 * everybody's. */
void console_open_page(struct console *c);
