/*
 * daemon/console/http.h: parse one HTTP/1.1 request strictly.
 *
 * MUST
 * 1.  Reject what two parsers could read differently: line ends other than CR LF, folded
 *    lines, blanks before a colon, duplicate significant headers, a length together with a
 *    transfer coding, bytes after the body.
 * 2.  Reject what the console does not use: other methods and versions, transfer codings,
 *    Expect, Upgrade.
 * 3.  Stay within the limits below, and scan no byte twice however slowly they arrive.
 *
 * Uses no socket.
 */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include <stdint.h>

/* Limit for request line and headers. */
#define HTTP_HEAD_MAX ((size_t)16 << 10)
#define HTTP_HEADERS_MAX 64
#define HTTP_TARGET_MAX ((size_t)4096)
/* Limit for the body: a command in JSON, at worst six bytes for each byte. */
#define HTTP_BODY_MAX ((size_t)1 << 20)

enum http_method {
	HTTP_GET,
	HTTP_POST,
};

/* The strings point into the given bytes; .p == NULL: no such header. */
struct web_request {
	enum http_method method;
	struct str path, query;
	struct str host, origin, fetch_site, token, content_type;
	size_t length; /* of the body */
};

/* Return the end of the head, after its empty line, or 0 if it is incomplete.  `from` is
 * where the last search ended, so that a slow sender costs no more than a fast one. */
size_t http_head_end(struct str bytes, size_t from);
/* Parse a complete head.  Return 0, or the status to answer with. */
int http_request_read(struct str head, struct web_request *ret);

/* Return the unescaped value of a name in `a=1&b=2`; .p == NULL: missing, duplicate or
 * badly escaped. */
struct str http_query(struct arena *a, struct str query, const char *name);

/* Compare in constant time for given lengths. */
bool http_same(struct str a, struct str b);
