/*
 * daemon/console/serve.h: the console: a page on loopback, for this user's browser alone.
 *
 * MUST
 * 1. Answer no request for data or with a change that lacks the token, comes under another
 *    name than our own (Host), or from another page (Origin, Sec-Fetch-Site).
 * 2. Keep the token where only this user can read it: no command line, no cookie (those go
 *    to every port), no address that a browser remembers.
 * 3. Decide nothing and change no rules: an answer is handed to the asker, which binds it;
 *    questions go to `cordon` itself.
 * 4. Hold limits on connections, sizes and times; what is slow or broken loses its
 *    connection, and nobody else's.
 * 5. Send no text from outside but as JSON strings that passed base/show.h.
 */
#pragma once
#include "base/str.h"
#include <stdbool.h>
#include <stdint.h>

#define SERVE_TOKEN 64 /* hex digits: 256 bits */

struct serve_opts {
	int listener;                 /* bound and listening; becomes serve()'s */
	uint16_t port;                /* what it is bound to */
	int runtime;                  /* of spool_open() */
	const char *state;            /* directory of the journal; NULL: unknown */
	const char *config;           /* directory of the user's rules; NULL: unknown */
	const char *cordon, *cordond; /* programs that answer questions */
	char *const *env;
	char token[SERVE_TOKEN];
	unsigned idle; /* minutes without anybody before it ends; 0: never */
};

/* Serves until a signal, or until nobody was there for long.  0, or an errno. */
int serve(const struct serve_opts *o);
