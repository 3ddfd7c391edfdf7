/* MUST 1 and 2 of proxy/net_request.h. */
#include "../cm.h"
#include "proxy/net_request.h"

#define S(lit) str_of(lit, sizeof(lit) - 1)
#define POST "POST http://a.example/ HTTP/1.1\r\n"

static void
test_heads(void **state)
{
	static const struct {
		const char *text;
		const char *host; /* NULL: bad */
		uint16_t port;
		enum net_body_kind body;
	} cases[] = {
		{ "GET http://a.example/x HTTP/1.1\r\n\r\n", "a.example", 80, BODY_NONE },
		{ "GET HTTP://A.Example./ HTTP/1.0\r\n\r\n", "a.example", 80, BODY_NONE },
		{ "GET http://a.example:81?q HTTP/1.1\r\nA:b\r\n\r\n", "a.example", 81,
		    BODY_NONE },
		{ "CONNECT a.example:443 HTTP/1.1\r\nHost: b\r\n\r\n", "a.example", 443,
		    BODY_NONE },
		{ "CONNECT 1.2.3.4:443 HTTP/1.1\r\n\r\n", "", 443, BODY_NONE },
		{ "CONNECT [2606::1]:443 HTTP/1.1\r\n\r\n", "", 443, BODY_NONE },
		{ POST "Content-Length: 5\r\n\r\n", "a.example", 80, BODY_LENGTH },
		{ POST "transfer-encoding:  Chunked \r\n\r\n", "a.example", 80,
		    BODY_CHUNKED },
		{ "CONNECT a.example HTTP/1.1\r\n\r\n", NULL, 0, 0 },
		{ "CONNECT a.example:0 HTTP/1.1\r\n\r\n", NULL, 0, 0 },
		{ "CONNECT a.example:65536 HTTP/1.1\r\n\r\n", NULL, 0, 0 },
		{ "CONNECT a.example:4 3 HTTP/1.1\r\n\r\n", NULL, 0, 0 },
		{ "CONNECT u@a.example:43 HTTP/1.1\r\n\r\n", NULL, 0, 0 },
		{ "CONNECT 0x7f000001:43 HTTP/1.1\r\n\r\n", NULL, 0, 0 },
		{ "CONNECT 0177.0.0.1:43 HTTP/1.1\r\n\r\n", NULL, 0, 0 },
		{ "CONNECT [1.2.3.4]:43 HTTP/1.1\r\n\r\n", NULL, 0, 0 },
		{ "CONNECT [::1:43 HTTP/1.1\r\n\r\n", NULL, 0, 0 },
		{ "CONNECT [::1]43 HTTP/1.1\r\n\r\n", NULL, 0, 0 },
		{ "CONNECT a.example:43 HTTP/1.1\r\nContent-Length: 1\r\n\r\n", NULL, 0,
		    0 },
		{ "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n", NULL, 0, 0 },
		{ "GET https://a.example/ HTTP/1.1\r\n\r\n", NULL, 0, 0 },
		{ "GET http://u@a.example/ HTTP/1.1\r\n\r\n", NULL, 0, 0 },
		{ "GET http://a.example\\@b/ HTTP/1.1\r\n\r\n", NULL, 0, 0 },
		{ "GET http://a.example/#x HTTP/1.1\r\n\r\n", NULL, 0, 0 },
		{ "GET http:// HTTP/1.1\r\n\r\n", NULL, 0, 0 },
		{ "GET http://a.example/ HTTP/2.0\r\n\r\n", NULL, 0, 0 },
		{ "GET http://a.example/\r\n\r\n", NULL, 0, 0 },
		{ "GET  http://a.example/ HTTP/1.1\r\n\r\n", NULL, 0, 0 },
		{ "G(T http://a.example/ HTTP/1.1\r\n\r\n", NULL, 0, 0 },
		{ "GET http://a.example/ HTTP/1.1\n\n", NULL, 0, 0 },
		{ "GET http://a.example/ HTTP/1.1\r\nA: b\nC: d\r\n\r\n", NULL, 0, 0 },
		{ "GET http://a.example/ HTTP/1.1\r\nA: b\rC\r\n\r\n", NULL, 0, 0 },
		{ "GET http://a.example/ HTTP/1.1\r\nA: b\r\n c\r\n\r\n", NULL, 0, 0 },
		{ "GET http://a.example/ HTTP/1.1\r\nA : b\r\n\r\n", NULL, 0, 0 },
		{ "GET http://a.example/ HTTP/1.1\r\nA\r\n\r\n", NULL, 0, 0 },
		{ "GET http://a.example/ HTTP/1.1\r\n: b\r\n\r\n", NULL, 0, 0 },
		{ "GET http://a.example/ HTTP/1.1\r\nA: \x01\r\n\r\n", NULL, 0, 0 },
		{ POST "Content-Length: 5\r\nContent-Length: 5\r\n\r\n", NULL, 0, 0 },
		{ POST "Content-Length: 5, 5\r\n\r\n", NULL, 0, 0 },
		{ POST "Content-Length: +5\r\n\r\n", NULL, 0, 0 },
		{ POST "Content-Length: 0x5\r\n\r\n", NULL, 0, 0 },
		{ POST "Content-Length:\r\n\r\n", NULL, 0, 0 },
		{ POST "Content-Length: 9999999999999999999\r\n\r\n", NULL, 0, 0 },
		{ POST "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n", NULL, 0,
		    0 },
		{ POST "Transfer-Encoding: gzip, chunked\r\n\r\n", NULL, 0, 0 },
		{ POST "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
		    NULL, 0, 0 },
		{ "POST http://a.example/ HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
		    NULL, 0, 0 },
		{ "\r\nGET http://a.example/ HTTP/1.1\r\n\r\n", NULL, 0, 0 },
	};
	struct http_request q;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		enum request_state got = http_read(str_from_c(cases[i].text), &q);

		if ((got == REQUEST_WHOLE) != (cases[i].host != NULL))
			fail_msg("<%s>: %d", cases[i].text, (int)got);
		if (got != REQUEST_WHOLE) {
			assert_int_equal(got, REQUEST_BAD);
			assert_non_null(q.why);
			continue;
		}
		assert_str(str_of(q.host.name, q.host.name_n), str_from_c(cases[i].host));
		assert_int_equal(q.host.port, cases[i].port);
		assert_int_equal(q.body.kind, cases[i].body);
		/* Any prefix is incomplete. */
		for (size_t n = 0; n < strlen(cases[i].text); n++)
			assert_int_equal(
			    http_read(str_of(cases[i].text, n), &q), REQUEST_MORE);
	}
	assert_int_equal(
	    http_read(S("CONNECT a.example\0.b.example:80 HTTP/1.1\r\n\r\n"), &q),
	    REQUEST_BAD);
}

/* The longest head, and one byte more. */
static void
test_long_head(void **state)
{
	static const struct str first = STR_INIT("GET http://a.example/ HTTP/1.1\r\nA: ");
	static char text[REQUEST_HEAD_MAX + 1];
	struct http_request q;

	(void)state;
	for (size_t n = REQUEST_HEAD_MAX - 1; n <= REQUEST_HEAD_MAX + 1; n++) {
		memset(text, 'x', sizeof text);
		memcpy(text, first.p, first.n);
		memcpy(text + n - 4, "\r\n\r\n", 4);
		assert_int_equal(http_read(str_of(text, n), &q),
		    n > REQUEST_HEAD_MAX ? REQUEST_BAD : REQUEST_WHOLE);
	}
	/* Do not wait for an end that would come too late. */
	memset(text + first.n, 'x', sizeof text - first.n);
	assert_int_equal(http_read(str_of(text, REQUEST_HEAD_MAX - 1), &q), REQUEST_MORE);
	assert_int_equal(http_read(str_of(text, REQUEST_HEAD_MAX), &q), REQUEST_BAD);
}

static void
test_head_that_goes_out(void **state)
{
	struct str text =
	    STR("GET http://a.example:81?q=1 HTTP/1.1\r\nHost: evil\r\n"
		"Proxy-Authorization: x\r\nConnection: keep-alive\r\nA:  b\r\n\r\nrest");
	struct http_request q;
	char memory[1024];
	struct arena a;
	struct buf b;

	(void)state;
	arena_init(&a, memory, sizeof memory);
	buf_init(&b, &a);
	assert_int_equal(http_read(text, &q), REQUEST_WHOLE);
	http_put_head(&b, text, &q);
	assert_str(buf_str(&b), STR("GET /?q=1 HTTP/1.1\r\nHost: a.example:81\r\n"
				    "Connection: close\r\nA:  b\r\n\r\n"));
	assert_str(str_skip(text, q.head_n), STR("rest"));
}

/* The length of the body, given at once and byte by byte; -1: bad. */
static int
body(struct net_body start, struct str text)
{
	struct net_body whole = start, single = start;
	size_t n = body_take(&whole, text), m = 0;

	while (m < text.n && !body_is_done(&single))
		m += body_take(&single, str_cut(text, m, m + 1));
	assert_int_equal(single.bad, whole.bad);
	if (whole.bad)
		return -1;
	assert_int_equal(n, m);
	assert_int_equal(body_is_done(&whole), body_is_done(&single));
	return (int)n;
}

static void
test_bodies(void **state)
{
	const struct net_body none = { 0 }, five = { .kind = BODY_LENGTH, .left = 5 },
			      chunks = { .kind = BODY_CHUNKED };

	(void)state;
	assert_int_equal(body(none, STR("GET")), 0);
	assert_int_equal(body(five, STR("123")), 3);
	assert_int_equal(body(five, STR("12345GET")), 5);
	assert_int_equal(body(chunks, STR("3\r\nabc\r\n0\r\n\r\nGET")), 13);
	assert_int_equal(body(chunks, STR("A\r\n0123456789\r\n00\r\n\r\n")), 21);
	assert_int_equal(body(chunks, STR("0\r\n\r\n0\r\n\r\n")), 5);
	assert_int_equal(body(chunks, STR("3;x=y\r\nabc\r\n")), -1);
	assert_int_equal(body(chunks, STR("3\nabc")), -1);
	assert_int_equal(body(chunks, STR("\r\n")), -1);
	assert_int_equal(body(chunks, STR("-1\r\n")), -1);
	assert_int_equal(body(chunks, STR("0x3\r\n")), -1);
	assert_int_equal(body(chunks, STR("3\r\nabcd\r\n")), -1);
	assert_int_equal(body(chunks, STR("0\r\nA: b\r\n\r\n")), -1);
	assert_int_equal(body(chunks, STR("ffffffffffffffff\r\n")), -1);
}

static void
test_socks(void **state)
{
	struct request_host h;
	uint8_t code;
	bool plain;
	size_t n;

	(void)state;
	assert_int_equal(socks_read_greeting(S("\5\2\0\2"), &plain, &n), REQUEST_WHOLE);
	assert_true(plain && n == 4);
	assert_int_equal(socks_read_greeting(S("\5\1\2"), &plain, &n), REQUEST_WHOLE);
	assert_false(plain);
	assert_int_equal(socks_read_greeting(S("\5\2\0"), &plain, &n), REQUEST_MORE);
	assert_int_equal(socks_read_greeting(S("\4\1\0"), &plain, &n), REQUEST_BAD);
	assert_int_equal(
	    socks_read(S("\5\1\0\3\11A.example\0P"), &h, &code, &n), REQUEST_WHOLE);
	assert_str(str_of(h.name, h.name_n), STR("a.example"));
	assert_int_equal(h.port, 80);
	assert_int_equal(n, 16);
	assert_int_equal(
	    socks_read(S("\5\1\0\3\11A.example\0"), &h, &code, &n), REQUEST_MORE);
	assert_int_equal(
	    socks_read(S("\5\1\0\3\11a\0example\0P"), &h, &code, &n), REQUEST_BAD);
	assert_int_equal(socks_read(S("\5\1\0\3\0\0P"), &h, &code, &n), REQUEST_BAD);
	assert_int_equal(
	    socks_read(S("\5\1\0\1\1\2\3\4\0P"), &h, &code, &n), REQUEST_WHOLE);
	assert_int_equal(h.name_n, 0);
	assert_int_equal(h.address.b[3], 4);
	assert_int_equal(
	    socks_read(S("\5\1\0\4\0\0\0\0\0\0\0\0\0\0\xff\xff\1\2\3\4\0P"), &h, &code, &n),
	    REQUEST_WHOLE);
	assert_false(h.address.six);
	assert_int_equal(socks_read(S("\5\1\0\1\1\2\3\4\0\0"), &h, &code, &n), REQUEST_BAD);
	assert_int_equal(socks_read(S("\5\2\0\1\1\2\3\4\0P"), &h, &code, &n), REQUEST_BAD);
	assert_int_equal(code, 7);
	assert_int_equal(socks_read(S("\5\1\0\5\1\2\3\4\0P"), &h, &code, &n), REQUEST_BAD);
	assert_int_equal(code, 8);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_heads),
		cmocka_unit_test(test_long_head),
		cmocka_unit_test(test_head_that_goes_out),
		cmocka_unit_test(test_bodies),
		cmocka_unit_test(test_socks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
