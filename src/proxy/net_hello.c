#include "proxy/net_hello.h"
#include <string.h>

#define RECORD_HANDSHAKE 22
/* The known types of records, from change_cipher_spec on. */
#define RECORD_FIRST 20
#define RECORD_LAST 26
#define RECORD_HEAD ((size_t)5)
#define HELLO_HEAD ((size_t)4)
#define CLIENT_HELLO 1
#define EXTENSION_NAME 0

/* ---- reading bytes */

static bool
take(struct str *s, size_t n, struct str *ret)
{
	if (n > s->n)
		return false;
	*ret = str_cut(*s, 0, n);
	*s = str_skip(*s, n);
	return true;
}

static size_t
number(struct str s)
{
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++)
		n = n << 8 | (unsigned char)s.p[i];
	return n;
}

/* Take what follows its length of `bytes` bytes. */
static bool
take_part(struct str *s, size_t bytes, struct str *ret)
{
	struct str length;

	return take(s, bytes, &length) && take(s, number(length), ret);
}

/* ---- the ClientHello */

/* Accept exactly one host name. */
static bool
read_names(struct str s, struct str *ret)
{
	struct str list, kind;

	return take_part(&s, 2, &list) && s.n == 0 && take(&list, 1, &kind) &&
	       kind.p[0] == 0 && take_part(&list, 2, ret) && list.n == 0 && ret->n > 0;
}

static bool
read_extensions(struct str s, struct str *ret_name)
{
	bool seen = false;

	while (s.n) {
		struct str kind, data;

		if (!take(&s, 2, &kind) || !take_part(&s, 2, &data))
			return false;
		if (number(kind) != EXTENSION_NAME)
			continue;
		/* With two of them a server may take either. */
		if (seen || !read_names(data, ret_name))
			return false;
		seen = true;
	}
	return true;
}

static bool
read_hello(struct str s, struct str *ret_name)
{
	struct str unused, extensions;

	if (!take(&s, 2 + 32, &unused) || !take_part(&s, 1, &unused) ||
	    !take_part(&s, 2, &unused) || !take_part(&s, 1, &unused))
		return false;
	if (s.n == 0)
		return true;
	return take_part(&s, 2, &extensions) && s.n == 0 &&
	       read_extensions(extensions, ret_name);
}

static bool
is_hello(struct str bytes)
{
	return bytes.p[0] == RECORD_HANDSHAKE && (bytes.n < 2 || bytes.p[1] == 3);
}

/* Servers skip records before a hello (an alert, a heartbeat), or ignore its version: what
 * begins like a record must be a hello. */
static bool
is_record(struct str bytes)
{
	return bytes.p[0] >= RECORD_FIRST && bytes.p[0] <= RECORD_LAST;
}

enum request_state
hello_read(struct str bytes, char buf[static HELLO_MAX], struct str *ret_name)
{
	size_t have = 0;

	*ret_name = STR("");
	if (bytes.n == 0)
		return REQUEST_MORE;
	if (!is_record(bytes))
		return REQUEST_WHOLE;
	if (!is_hello(bytes))
		return REQUEST_BAD;
	while (bytes.n) {
		struct str head, body;
		size_t n;

		if (!take(&bytes, RECORD_HEAD, &head))
			return REQUEST_MORE;
		if (!is_hello(head))
			return REQUEST_BAD;
		/* The beginning of an incomplete record. */
		n = number(str_skip(head, 3));
		if (n == 0 || n > HELLO_MAX - have)
			return REQUEST_BAD;
		body = str_cut(bytes, 0, n < bytes.n ? n : bytes.n);
		memcpy(buf + have, body.p, body.n);
		have += body.n;
		bytes = str_skip(bytes, n);
		if (have && buf[0] != CLIENT_HELLO)
			return REQUEST_BAD;
		if (have >= HELLO_HEAD) {
			n = number(str_of(buf + 1, 3));
			if (n > HELLO_MAX - HELLO_HEAD)
				return REQUEST_BAD;
			if (have >= n + HELLO_HEAD)
				return read_hello(str_of(buf + HELLO_HEAD, n), ret_name)
					   ? REQUEST_WHOLE
					   : REQUEST_BAD;
		}
	}
	return REQUEST_MORE;
}
