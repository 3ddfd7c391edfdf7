/*
 * proxy/net_request.h: what a client of the proxy asks for; bytes only, no socket.
 *
 * MUST
 * 1. Refuse what two parsers could read differently: bare line ends, folded lines, two
 *    lengths, blanks before a colon, unknown encodings, user names before a host.
 * 2. Let exactly one request out: its body ends where its head says.
 */
#pragma once
#include "base/buf.h"
#include "confine/address.h"
#include "confine/hosts.h"

#define REQUEST_HEAD_MAX ((size_t)16384)

enum request_state {
	REQUEST_MORE, /* not complete yet */
	REQUEST_BAD,
	REQUEST_WHOLE,
};

/* A host and a port as a client wrote them. */
struct request_host {
	char name[HOSTS_NAME_MAX];
	size_t name_n; /* 0: an address */
	struct address address;
	uint16_t port;
};

/* Parse "example.org:443" or "[2001:db8::1]:443".  `port` is the default; 0: there must be
 * one. */
bool request_authority(struct str text, uint16_t port, struct request_host *ret);

enum net_body_kind {
	BODY_NONE,
	BODY_LENGTH,
	BODY_CHUNKED,
};

/* How much of what a client sends still belongs to its request. */
struct net_body {
	enum net_body_kind kind;
	uint64_t left;
	uint8_t state, digits;
	bool bad;
};

struct http_request {
	struct request_host host;
	bool tunnel; /* CONNECT */
	struct net_body body;
	size_t head_n;      /* bytes of the head */
	struct str method;  /* this and the next three point into the request */
	struct str path;    /* empty: "/" */
	struct str version; /* "HTTP/1.1" */
	struct str authority;
	const char *why; /* static text, when it is bad */
};

enum request_state http_read(struct str bytes, struct http_request *ret);
/* Write the head that goes out: the path alone, our own Host, one request per
 * connection. */
void http_put_head(struct buf *out, struct str bytes, const struct http_request *q);

/* How many of the bytes belong to the body; 0: the body has ended. */
size_t body_take(struct net_body *b, struct str bytes);
bool body_is_done(const struct net_body *b);

/* Read the SOCKS 5 greeting; *ret_plain: the client accepts no authentication. */
enum request_state socks_read_greeting(struct str bytes, bool *ret_plain, size_t *ret_n);
/* Read the request.  *ret_code is the reply code when it is bad. */
enum request_state socks_read(
    struct str bytes, struct request_host *ret, uint8_t *ret_code, size_t *ret_n);
