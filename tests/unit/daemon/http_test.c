/* The console's requests: what is read, what is refused and with which status. */
#include "../cm.h"
#include "daemon/console/http.h"

#define H "Host: h\r\n"

static const struct {
	struct str head;
	int status;
} rows[] = {
	{ STR_INIT("GET / HTTP/1.1\r\n" H "\r\n"), 0 },
	{ STR_INIT("GET /a?b=c HTTP/1.1\r\nhOST:h\r\nX: \t y \t\r\n\r\n"), 0 },
	{ STR_INIT("POST /a HTTP/1.1\r\n" H "Content-Length: 0\r\n\r\n"), 0 },
	{ STR_INIT("POST /a HTTP/1.1\r\n" H "content-length: 1048576\r\n\r\n"), 0 },
	{ STR_INIT("POST /a HTTP/1.1\r\n" H "Content-Length: 1048577\r\n\r\n"), 413 },
	{ STR_INIT("POST /a HTTP/1.1\r\n" H "Content-Length: +1\r\n\r\n"), 400 },
	{ STR_INIT("POST /a HTTP/1.1\r\n" H "Content-Length: 1 \r\n\r\n"), 0 },
	{ STR_INIT("POST /a HTTP/1.1\r\n" H "Content-Length:\r\n\r\n"), 400 },
	{ STR_INIT("POST /a HTTP/1.1\r\n" H "\r\n"), 411 },
	{ STR_INIT("GET /a HTTP/1.1\r\n" H "Content-Length: 1\r\n\r\n"), 400 },
	{ STR_INIT("GET /a HTTP/1.1\r\n" H H "\r\n"), 400 },
	{ STR_INIT("GET /a HTTP/1.1\r\nX-Cordon-Token: a\r\nx-cordon-token: a\r\n\r\n"),
	    400 },
	{ STR_INIT("GET /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"), 501 },
	{ STR_INIT("GET /a HTTP/1.1\r\nUpgrade: websocket\r\n\r\n"), 501 },
	{ STR_INIT("GET /a HTTP/1.1\r\nExpect: x\r\n\r\n"), 417 },
	{ STR_INIT("GET /a HTTP/1.1\r\n folded\r\n\r\n"), 400 },
	{ STR_INIT("GET /a HTTP/1.1\r\na b: c\r\n\r\n"), 400 },
	{ STR_INIT("GET /a HTTP/1.1\r\n: c\r\n\r\n"), 400 },
	{ STR_INIT("GET /a HTTP/1.1\r\na: b\rc\r\n\r\n"), 400 },
	{ STR_INIT("GET /a HTTP/1.1\r\na: b\0c\r\n\r\n"), 400 },
	{ STR_INIT("GET /a HTTP/1.1\na: b\r\n\r\n"), 400 },
	{ STR_INIT("GET /a HTTP/1.1\r\n"), 400 },
	{ STR_INIT("GET /a HTTP/1.1\r\n\r\nmore"), 400 },
	{ STR_INIT("GET a HTTP/1.1\r\n\r\n"), 400 },
	{ STR_INIT("GET /a#b HTTP/1.1\r\n\r\n"), 400 },
	{ STR_INIT("GET /\xc3\xa4 HTTP/1.1\r\n\r\n"), 400 },
	{ STR_INIT("GET /a HTTP/1.0\r\n\r\n"), 505 },
	{ STR_INIT("GET /a b HTTP/1.1\r\n\r\n"), 505 },
	{ STR_INIT("GET /a\r\n\r\n"), 400 },
	{ STR_INIT("get /a HTTP/1.1\r\n\r\n"), 405 },
	{ STR_INIT("DELETE /a HTTP/1.1\r\n\r\n"), 405 },
	{ STR_INIT(""), 400 },
};

static void
test_heads(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct web_request q = { .length = 7 };
		int got = http_request_read(rows[i].head, &q);

		if (got != rows[i].status)
			fail_msg("row %zu: %d", i, got);
		if (got)
			assert_int_equal(q.length, 7); /* untouched */
	}
}

static void
test_parts(void **state)
{
	static const struct str head =
	    STR_INIT("POST /a/b?x=1&y HTTP/1.1\r\nHost:  a:1 \r\nOrigin: http://a:1\r\n"
		     "Sec-Fetch-Site: same-origin\r\nX-Cordon-Token: t\r\n"
		     "Content-Type: application/json\r\nContent-Length: 12\r\n\r\n");
	struct web_request q;

	(void)state;
	assert_int_equal(http_request_read(head, &q), 0);
	assert_int_equal(q.method, HTTP_POST);
	assert_str(q.path, STR("/a/b"));
	assert_str(q.query, STR("x=1&y"));
	assert_str(q.host, STR("a:1"));
	assert_str(q.origin, STR("http://a:1"));
	assert_str(q.fetch_site, STR("same-origin"));
	assert_str(q.token, STR("t"));
	assert_str(q.content_type, STR("application/json"));
	assert_int_equal(q.length, 12);
}

static void
put_many(struct buf *b, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		buf_puts(b, text);
}

/* As long as each part may be, and one more. */
static void
test_bounds(void **state)
{
	static const struct {
		size_t target, headers, fill; /* bytes, lines, and of one of them */
		int status;
	} cases[] = {
		{ HTTP_TARGET_MAX, 0, 0, 0 },
		{ HTTP_TARGET_MAX + 1, 0, 0, 414 },
		{ 1, HTTP_HEADERS_MAX, 0, 0 },
		{ 1, HTTP_HEADERS_MAX + 1, 0, 431 },
		/* "GET / HTTP/1.1", "a: ..." and the empty line. */
		{ 1, 1, HTTP_HEAD_MAX - 16 - 6 - 2, 0 },
		{ 1, 1, HTTP_HEAD_MAX - 16 - 6 - 1, 431 },
	};
	struct web_request q;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		cleanup_arena struct arena *a = arena_new((size_t)64 << 10);
		struct buf b;

		buf_init(&b, a);
		buf_puts(&b, "GET /");
		put_many(&b, "a", cases[i].target - 1);
		buf_puts(&b, " HTTP/1.1\r\n");
		for (size_t k = 0; k < cases[i].headers; k++) {
			buf_puts(&b, "a: b");
			put_many(&b, "b", cases[i].fill);
			buf_puts(&b, "\r\n");
		}
		buf_puts(&b, "\r\n");
		assert_false(b.full);
		assert_int_equal(http_request_read(buf_str(&b), &q), cases[i].status);
	}
}

/* The end is found wherever the bytes were cut when they came. */
static void
test_end(void **state)
{
	static const struct str bytes =
	    STR_INIT("GET / HTTP/1.1\r\nA: b\r\n\r\nbody\r\n\r\n");

	(void)state;
	for (size_t from = 0; from <= 23; from++) {
		assert_int_equal(http_head_end(bytes, from), 24);
		assert_int_equal(http_head_end(str_of(bytes.p, 23), from), 0);
	}
}

static void
test_query(void **state)
{
	static const struct {
		struct str query, value;
	} queries[] = {
		{ STR_INIT("a=1"), STR_INIT("1") },
		{ STR_INIT("b=2&a=x%20y+z&c"), STR_INIT("x y z") },
		{ STR_INIT("a=%c3%A4"), STR_INIT("\xc3\xa4") },
		{ STR_INIT("a="), STR_INIT("") },
		{ STR_INIT("a"), STR_INIT("") },
		{ STR_INIT("aa=1"), { NULL, 0 } },
		{ STR_INIT("a=1&a=2"), { NULL, 0 } },
		{ STR_INIT("a=%"), { NULL, 0 } },
		{ STR_INIT("a=%4"), { NULL, 0 } },
		{ STR_INIT("a=%zz"), { NULL, 0 } },
		{ STR_INIT("a=%00"), { NULL, 0 } },
		{ STR_INIT(""), { NULL, 0 } },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(queries); i++) {
		cleanup_arena struct arena *a = arena_new(256);
		struct str got = http_query(a, queries[i].query, "a");

		assert_str(got, queries[i].value);
		assert_int_equal(got.p != NULL, queries[i].value.p != NULL);
	}
}

static void
test_same(void **state)
{
	(void)state;
	assert_true(http_same(STR("abc"), STR("abc")));
	assert_true(http_same(STR(""), STR("")));
	assert_false(http_same(STR("abc"), STR("abd")));
	assert_false(http_same(STR("abc"), STR("ab")));
	assert_false(http_same(STR("ab"), STR("abc")));
	assert_false(http_same(STR(""), STR("a")));
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_heads),
		cmocka_unit_test(test_parts), cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_end), cmocka_unit_test(test_query),
		cmocka_unit_test(test_same) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
