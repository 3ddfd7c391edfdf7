/* The body of an HTTP request, and SOCKS. */
#include "proxy/net_request.h"

/* ---- bodies */

enum chunk_state {
	CHUNK_SIZE,
	CHUNK_SIZE_LF, /* the line feed after a size */
	CHUNK_DATA,
	CHUNK_DATA_CR,
	CHUNK_DATA_LF,
	CHUNK_LAST, /* at the start of a line after the last chunk */
	CHUNK_LAST_LF,
	CHUNK_DONE,
};

static int
hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 32;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* A size is hexadecimal digits and nothing else: extensions are only used to confuse
 * parsers. */
static void
take_size(struct net_body *b, char c)
{
	int digit = hex_value(c);

	if (c == '\r' && b->digits) {
		b->state = CHUNK_SIZE_LF;
	} else if (digit < 0 || b->digits == 15) {
		b->bad = true;
	} else {
		b->left = b->left * 16 + (uint64_t)digit;
		b->digits++;
	}
}

static void
expect(struct net_body *b, char c, char want, enum chunk_state next)
{
	b->bad |= c != want;
	b->state = (uint8_t)next;
}

static void
take_framing(struct net_body *b, char c)
{
	switch ((enum chunk_state)b->state) {
	case CHUNK_SIZE:
		take_size(b, c);
		break;
	case CHUNK_SIZE_LF:
		expect(b, c, '\n', b->left ? CHUNK_DATA : CHUNK_LAST);
		break;
	case CHUNK_DATA_CR:
		expect(b, c, '\r', CHUNK_DATA_LF);
		break;
	case CHUNK_DATA_LF:
		b->digits = 0;
		b->left = 0;
		expect(b, c, '\n', CHUNK_SIZE);
		break;
	case CHUNK_LAST: /* trailer fields are not forwarded */
		expect(b, c, '\r', CHUNK_LAST_LF);
		break;
	case CHUNK_LAST_LF:
		expect(b, c, '\n', CHUNK_DONE);
		break;
	case CHUNK_DATA:
	case CHUNK_DONE:
	default:
		b->bad = true;
	}
}

bool
body_is_done(const struct net_body *b)
{
	if (b->bad || b->kind == BODY_NONE)
		return true;
	return b->kind == BODY_LENGTH ? b->left == 0 : b->state == CHUNK_DONE;
}

static size_t
take_left(struct net_body *b, size_t n)
{
	if (n > b->left)
		n = (size_t)b->left;
	b->left -= n;
	return n;
}

size_t
body_take(struct net_body *b, struct str bytes)
{
	size_t at = 0;

	if (b->kind == BODY_LENGTH)
		return take_left(b, bytes.n);
	while (at < bytes.n && !body_is_done(b)) {
		if (b->state == CHUNK_DATA) {
			at += take_left(b, bytes.n - at);
			if (b->left == 0)
				b->state = CHUNK_DATA_CR;
			continue;
		}
		take_framing(b, bytes.p[at]);
		if (!b->bad)
			at++;
	}
	return at;
}

/* ---- SOCKS 5 */

enum {
	SOCKS_VERSION = 5,
	SOCKS_CONNECT = 1,
	SOCKS_FOUR = 1,
	SOCKS_NAME = 3,
	SOCKS_SIX = 4,
	SOCKS_FAILED = 1,
	SOCKS_NOT_ALLOWED = 2,
	SOCKS_NO_COMMAND = 7,
	SOCKS_NO_KIND = 8,
};

enum request_state
socks_read_greeting(struct str b, bool *ret_plain, size_t *ret_n)
{
	size_t n = b.n > 1 ? (uint8_t)b.p[1] : 0;

	*ret_plain = false;
	if (b.n > 0 && b.p[0] != SOCKS_VERSION)
		return REQUEST_BAD;
	if (b.n < 2 || b.n < 2 + n)
		return REQUEST_MORE;
	for (size_t i = 0; i < n; i++)
		*ret_plain |= b.p[2 + i] == 0;
	*ret_n = 2 + n;
	return n ? REQUEST_WHOLE : REQUEST_BAD;
}

/* The length of the address with what precedes it, or 0 if its type is unknown. */
static size_t
socks_address_length(struct str b)
{
	switch (b.p[3]) {
	case SOCKS_FOUR:
		return 4;
	case SOCKS_SIX:
		return 16;
	case SOCKS_NAME:
		return 1 + (size_t)(uint8_t)b.p[4];
	default:
		return 0;
	}
}

static bool
socks_host(struct str b, size_t n, struct request_host *ret)
{
	struct str text = str_of(b.p + 5, n - 1);

	if (b.p[3] == SOCKS_NAME) {
		if (!address_read(text, &ret->address))
			ret->name_n = hosts_name(text, ret->name);
		return ret->name_n > 0 || address_read(text, &ret->address);
	}
	ret->address.six = b.p[3] == SOCKS_SIX;
	memcpy(ret->address.b, b.p + 4, n);
	address_unmap(&ret->address);
	return true;
}

enum request_state
socks_read(struct str b, struct request_host *ret, uint8_t *ret_code, size_t *ret_n)
{
	size_t n;

	*ret = (struct request_host){ 0 };
	*ret_code = SOCKS_FAILED;
	if (b.n < 5)
		return REQUEST_MORE;
	if (b.p[0] != SOCKS_VERSION || b.p[2] != 0)
		return REQUEST_BAD;
	*ret_code = SOCKS_NO_COMMAND;
	if (b.p[1] != SOCKS_CONNECT)
		return REQUEST_BAD;
	n = socks_address_length(b);
	*ret_code = SOCKS_NO_KIND;
	if (n == 0)
		return REQUEST_BAD;
	if (b.n < 4 + n + 2)
		return REQUEST_MORE;
	*ret_code = SOCKS_NOT_ALLOWED;
	ret->port = (uint16_t)((uint8_t)b.p[4 + n] << 8 | (uint8_t)b.p[4 + n + 1]);
	*ret_n = 4 + n + 2;
	return socks_host(b, n, ret) && ret->port ? REQUEST_WHOLE : REQUEST_BAD;
}
