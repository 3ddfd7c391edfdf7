/*
 * daemon/console/serve.h: the console: a page on loopback for this user's browser.
 *
 * MUST
 * 1.  Answer no request for data or changes without the token, under another name than our
 *    own (Host), or from another page (Origin, Sec-Fetch-Site).
 * 2.  Keep the token where only this user can read it: not on a command line, not in a
 * cookie (sent to every port), not in an address that a browser remembers.
 * 3.  Decide nothing and change no rules: pass answers to the asker, which checks them, and
 *    questions to `cordon`.
 * 4.  Limit connections, sizes and times; a slow or broken client loses only its own
 *    connection.
 * 5.  Send external text only as JSON strings that passed base/show.h.
 */
#pragma once
#include "base/str.h"
#include <stdbool.h>
#include <stdint.h>

#define SERVE_TOKEN 64 /* 256 bits in hex */

struct serve_opts {
	int listener;                 /* bound and listening; server_run() takes it over */
	uint16_t port;                /* its port */
	int runtime;                  /* of spool_open() */
	const char *state;            /* directory of the journal; NULL: unknown */
	const char *config;           /* directory of the user's rules; NULL: unknown */
	const char *cordon, *cordond; /* programs that answer requests */
	char *const *env;
	char token[SERVE_TOKEN];
	unsigned idle; /* minutes without a client before it exits; 0: never */
};

/* Serve until a signal, or until it was idle for too long.  Return 0 or an errno. */
int server_run(const struct serve_opts *o);
