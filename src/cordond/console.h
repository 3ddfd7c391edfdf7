/* cordond/console.h: what the parts of `cordond console` share. */
#pragma once
#include "approve/spool.h"
#include "cli/cli.h"
#include "serve/serve.h"

/* Files beside the lock: where it is, and a page that leads there. */
#define CONSOLE_STATE "console.json"
#define CONSOLE_PAGE "console.html"

struct console {
	const struct cli *cli;
	struct arena a;
	bool foreground, no_open, stop;
	uint64_t port, idle;
	int dir, lock;
	char path[SPOOL_PATH]; /* of dir */
	struct serve_opts serve;
	struct str url;
};

/* Each returns 0, or an exit status after a message. */

/* The socket, the token, and the files that name them. */
int console_listen(struct console *c);
/* In the background unless it is to stay; cleans up behind itself. */
int console_serve(struct console *c);
/* Hands the page to the desktop, by a file that only this user can read: a command line is
 * everybody's. */
void console_open_page(struct console *c);
