/* proxy/net_hello.h: the name is found however the hello is split, or the client is
 * refused. */
#include "../cm.h"
#include "proxy/net_hello.h"

#define NAME "evil.example"

/* A hello with one extension before the name; returns its length. */
static size_t
make(unsigned char *out, const char *name, bool twice)
{
	size_t n = strlen(name), at = 0, extensions;
	unsigned char body[512] = { 3, 3 };

	at = 2 + 32;
	body[at++] = 0; /* session */
	body[at++] = 0; /* ciphers */
	body[at++] = 2;
	body[at++] = 0x13;
	body[at++] = 1;
	body[at++] = 1; /* compression */
	body[at++] = 0;
	extensions = at;
	at += 2;
	memcpy(body + at, "\0\x17\0\0", 4);
	at += 4;
	for (int i = 0; i < (twice ? 2 : 1); i++) {
		const unsigned char head[] = { 0, 0, 0, (unsigned char)(n + 5), 0,
			(unsigned char)(n + 3), 0, 0, (unsigned char)n };

		memcpy(body + at, head, sizeof head);
		at += sizeof head;
		memcpy(body + at, name, n);
		at += n;
	}
	body[extensions] = (unsigned char)((at - extensions - 2) >> 8);
	body[extensions + 1] = (unsigned char)(at - extensions - 2);
	out[0] = 1;
	out[1] = 0;
	out[2] = (unsigned char)(at >> 8);
	out[3] = (unsigned char)at;
	memcpy(out + 4, body, at);
	return at + 4;
}

/* In records of `part` bytes each. */
static size_t
records(const unsigned char *hello, size_t n, size_t part, char *out)
{
	size_t at = 0;

	for (size_t i = 0; i < n; i += part) {
		size_t m = n - i < part ? n - i : part;

		out[at++] = 22;
		out[at++] = 3;
		out[at++] = 1;
		out[at++] = (char)(m >> 8);
		out[at++] = (char)m;
		memcpy(out + at, hello + i, m);
		at += m;
	}
	return at;
}

static void
test_cut_anyhow(void **state)
{
	static char room[HELLO_MAX], bytes[8192];
	unsigned char hello[1024];
	size_t n = make(hello, NAME, false);
	struct str name;

	(void)state;
	for (size_t part = 1; part <= n; part++) {
		size_t all = records(hello, n, part, bytes);

		for (size_t have = 0; have < all; have++)
			assert_int_equal(
			    hello_read(str_of(bytes, have), room, &name), REQUEST_MORE);
		assert_int_equal(
		    hello_read(str_of(bytes, all), room, &name), REQUEST_WHOLE);
		assert_str(name, STR(NAME));
	}
}

static void
test_others(void **state)
{
	static char room[HELLO_MAX], bytes[8192];
	unsigned char hello[1024];
	size_t n;
	struct str name;

	(void)state;
	assert_int_equal(hello_read(STR("SSH-2.0-x\r\n"), room, &name), REQUEST_WHOLE);
	assert_int_equal(name.n, 0);
	assert_int_equal(hello_read(STR(""), room, &name), REQUEST_MORE);
	n = records(hello, make(hello, NAME, true), 4000, bytes);
	assert_int_equal(hello_read(str_of(bytes, n), room, &name), REQUEST_BAD);
	n = records(hello, make(hello, "", false), 4000, bytes);
	assert_int_equal(hello_read(str_of(bytes, n), room, &name), REQUEST_BAD);
	/* Another record between the parts, an empty one, one that is too long. */
	n = records(hello, make(hello, NAME, false), 20, bytes);
	bytes[25] = 23;
	assert_int_equal(hello_read(str_of(bytes, n), room, &name), REQUEST_BAD);
	assert_int_equal(hello_read(str_of("\x16\3\1\0\0", 5), room, &name), REQUEST_BAD);
	assert_int_equal(
	    hello_read(str_of("\x16\3\1\xff\xff\1", 6), room, &name), REQUEST_BAD);
	assert_int_equal(
	    hello_read(str_of("\x16\3\1\0\4\1\xff\xff\xff", 9), room, &name), REQUEST_BAD);
	assert_int_equal(
	    hello_read(str_of("\x16\3\1\0\4\2\0\0\1", 9), room, &name), REQUEST_BAD);
}

/* Records that a server would skip or ignore before it reads the name. */
/* Bug 234: the server name was not read when another TLS record came before the hello. */
static void
test_in_front(void **state)
{
	static char room[HELLO_MAX], bytes[8192];
	unsigned char hello[1024];
	size_t n = records(hello, make(hello, NAME, false), 4000, bytes + 7);
	struct str name;

	(void)state;
	memcpy(bytes, "\x15\3\1\0\2\1\x5a", 7);
	for (size_t have = 1; have <= n + 7; have++)
		assert_int_equal(hello_read(str_of(bytes, have), room, &name), REQUEST_BAD);
	for (int kind = 0x14; kind <= 0x1a; kind++) {
		bytes[0] = (char)kind;
		assert_int_equal(
		    hello_read(str_of(bytes, n + 7), room, &name), REQUEST_BAD);
	}
	bytes[8] = 2;
	assert_int_equal(hello_read(str_of(bytes + 7, 1), room, &name), REQUEST_MORE);
	for (size_t have = 2; have <= n; have++)
		assert_int_equal(
		    hello_read(str_of(bytes + 7, have), room, &name), REQUEST_BAD);
	bytes[8] = 3;
	assert_int_equal(hello_read(str_of(bytes + 7, n), room, &name), REQUEST_WHOLE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cut_anyhow),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_in_front),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
