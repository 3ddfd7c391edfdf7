/* daemon/console/cmd_console.h: shared by the files of `cordond console`. */
#pragma once
#include "approve/spool.h"
#include "cli/cli.h"
#include "daemon/console/serve.h"

/* Files beside the lock: its address, and a page that redirects there. */
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

/* These return 0, or an exit status after an error message. */

/* Make the socket, the token and the address. */
int console_listen(struct console *c);
/* Go to the background unless --foreground is given, and write the files.  Two processes
 * may return: `ret_serves` is true in the one that serves; the other returns when the
 * files exist. */
int console_begin(struct console *c, bool *ret_serves);
/* Serve until it ends, then remove the files. */
int console_serve(struct console *c);
/* Remove the files. */
void console_end(struct console *c);
/* Open the page through a file that only this user can read: other users see command
 * lines. */
void console_open_page(struct console *c);
