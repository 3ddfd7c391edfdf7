/*
 * daemon/console/http.h: one HTTP/1.1 request, read strictly.
 *
 * MUST
 * 1. Refuse what two readers could take differently: line ends other than CR LF, folded
 *    lines, blanks before a colon, a header that counts given twice, a length together
 *    with a transfer coding, bytes behind the body.
 * 2. Refuse what the console does not use: other methods and versions, transfer codings,
 *    Expect, Upgrade.
 * 3. Stay within the limits below, and read no byte twice however slowly they come.
 *
 * Nothing here touches a socket.
 */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include <stdint.h>

/* Request line and headers. */
#define HTTP_HEAD_MAX ((size_t)16 << 10)
#define HTTP_HEADERS_MAX 64
#define HTTP_TARGET_MAX ((size_t)4096)
/* A command in JSON: six bytes for each at worst. */
#define HTTP_BODY_MAX ((size_t)1 << 20)

enum http_method {
	HTTP_GET,
	HTTP_POST,
};

/* Texts point into the bytes that were given; .p == NULL: no such header. */
struct http_request {
	enum http_method method;
	struct str path, query;
	struct str host, origin, fetch_site, token, content_type;
	size_t length; /* of the body */
};

/* Where the head ends, behind its empty line; 0: not yet.  `from` is where the last look
 * ended, so that a slow sender costs no more than a fast one. */
size_t http_head_end(struct str bytes, size_t from);
/* Reads the head, all of it.  0, or the status to answer with. */
int http_request_read(struct str head, struct http_request *ret);

/* The value of a name in `a=1&b=2`, unescaped in the arena; .p == NULL: not there, there
 * twice, or badly escaped. */
struct str http_query(struct arena *a, struct str query, const char *name);

/* The same bytes?  In a time that depends on the lengths alone. */
bool http_same(struct str a, struct str b);
