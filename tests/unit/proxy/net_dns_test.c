/* MUST 1 and 2 of proxy/net_dns.h. */
#include "../cm.h"
#include "proxy/net_dns.h"
#include "proxy/net_resolve.h"

#define Q(name) "\x12\x34\x01\0\0\1\0\0\0\0\0\0" name
#define R(flags, n, name) "\x12\x34" flags "\0\1\0" n "\0\0\0\0" name
#define ABC "\1a\7example\0"
#define TYPE_A "\0\1\0\1"
#define TYPE_SIX "\0\x1c\0\1"
#define REC_A(owner, ip) owner TYPE_A "\0\0\0\x3c\0\4" ip
#define PTR "\xc0\x0c"
#define S(lit) str_of(lit, sizeof(lit) - 1)

static void
test_query(void **state)
{
	struct dns_question q;

	(void)state;
	assert_true(dns_read_query(S(Q("\1A\7eXample\0" TYPE_SIX)), &q));
	assert_str(str_of(q.text, q.text_n), STR("A.eXample"));
	assert_int_equal(q.type, DNS_AAAA);
	assert_int_equal(q.end, 12 + 11 + 4);
	assert_true(dns_read_query(S(Q("\0" TYPE_A)), &q));
	assert_int_equal(q.text_n, 0);
	/* A name with a dot or a NUL inside a label has no text. */
	assert_true(dns_read_query(S(Q("\3a.b\0" TYPE_A)), &q));
	assert_int_equal(q.text_n, 0);
	assert_true(dns_read_query(S(Q("\3a\0b\0" TYPE_A)), &q));
	assert_int_equal(q.text_n, 0);
	/* Too short, two questions, an answer, pointers around or forward, a long label. */
	assert_false(dns_read_query(S("\x12\x34"), &q));
	assert_false(dns_read_query(S(Q("\1a\7exam")), &q));
	assert_false(dns_read_query(S(Q(ABC "\0\1")), &q));
	assert_false(dns_read_query(S("\x12\x34\x01\0\0\2\0\0\0\0\0\0" ABC TYPE_A), &q));
	assert_false(dns_read_query(S("\x12\x34\x81\0\0\1\0\0\0\0\0\0" ABC TYPE_A), &q));
	assert_false(dns_read_query(S(Q(PTR TYPE_A)), &q));
	assert_false(dns_read_query(S(Q("\1a\xc0\x20" TYPE_A)), &q));
	assert_false(dns_read_query(S(Q("\xc0\x00" TYPE_A)), &q));
	assert_false(dns_read_query(S(Q("\x40"
					"abc\0" TYPE_A)),
	    &q));
}

static void
test_answer_to_client(void **state)
{
	const struct address v[] = { { .b = { 198, 18, 1, 0 } },
		{ .b = { 198, 18, 1, 1 } } };
	struct str query = S(Q(ABC TYPE_A));
	uint8_t room[DNS_MESSAGE_MAX];
	struct dns_question q;
	struct dns_answer got;
	size_t n;

	(void)state;
	assert_true(dns_read_query(query, &q));
	n = dns_put_answer(room, query, &q, DNS_OK, v, COUNT(v), 30);
	assert_true(dns_read_answer(
	    str_of((const char *)room, n), 0x1234, STR("a.example"), DNS_A, &got));
	assert_int_equal(got.n, 2);
	assert_int_equal(got.ttl, 30);
	assert_true(address_same(&got.v[1], &v[1]));
	n = dns_put_answer(room, query, &q, DNS_NO_NAME, NULL, 0, 30);
	assert_true(dns_read_answer(
	    str_of((const char *)room, n), 0x1234, STR("a.example"), DNS_A, &got));
	assert_int_equal(got.status, DNS_NO_NAME);
}

static size_t
take(struct str message)
{
	struct dns_answer got;

	if (!dns_read_answer(message, 0x1234, STR("a.example"), DNS_A, &got))
		return 100;
	return got.status == DNS_OK ? got.n : 50 + (size_t)got.status;
}

static void
test_answers(void **state)
{
	(void)state;
	assert_int_equal(
	    take(S(R("\x81\x80", "\1", ABC TYPE_A) REC_A(PTR, "\1\2\3\4"))), 1);
	assert_int_equal(
	    take(S(R("\x81\x80", "\1", "\1A\7EXAMPLE\0" TYPE_A) REC_A(PTR, "\1\2\3\4"))),
	    1);
	/* Another ID, another name, another type, a question only, truncated. */
	assert_int_equal(take(S("\x12\x35\x81\x80\0\1\0\0\0\0\0\0" ABC TYPE_A)), 100);
	assert_int_equal(take(S(R("\x81\x80", "\0", "\1b\7example\0" TYPE_A))), 100);
	assert_int_equal(take(S(R("\x81\x80", "\0", ABC TYPE_SIX))), 100);
	assert_int_equal(take(S(Q(ABC TYPE_A))), 100);
	assert_int_equal(
	    take(S(R("\x81\x80", "\1", ABC TYPE_A) "\xc0\x0c\0\1\0\1\0\0\0\x3c\0\4\1\2")),
	    50 + DNS_FAILED);
	/* An address of another name is not taken. */
	assert_int_equal(
	    take(S(R("\x81\x80", "\1", ABC TYPE_A) REC_A("\1b\7example\0", "\1\2\3\4"))),
	    0);
	/* Along an alias, in any order. */
	assert_int_equal(
	    take(S(
		R("\x81\x80", "\2", ABC TYPE_A) "\xc0\x0c\0\5\0\1\0\0\0\x3c\0\3\1b\0" REC_A(
		    "\1b\0", "\1\2\3\4"))),
	    1);
	assert_int_equal(take(S(R("\x81\x80", "\2", ABC TYPE_A) REC_A(
			     "\1b\0", "\1\2\3\4") "\xc0\x0c\0\5\0\1\0\0\0\x3c\0\3\1b\0")),
	    1);
	/* An alias to itself ends. */
	assert_int_equal(take(S(R("\x81\x80", "\1",
			     ABC TYPE_A) "\xc0\x0c\0\5\0\1\0\0\0\x3c\0\2\xc0\x0c")),
	    50 + DNS_FAILED);
	/* An alias that is longer than its record. */
	assert_int_equal(
	    take(S(R("\x81\x80", "\1", ABC TYPE_A) "\xc0\x0c\0\5\0\1\0\0\0\x3c\0\1\1b\0")),
	    50 + DNS_FAILED);
	/* A wrong length, no such name. */
	assert_int_equal(
	    take(S(R("\x81\x80", "\1", ABC TYPE_A) "\xc0\x0c\0\1\0\1\0\0\0\x3c\0\3\1\2\3")),
	    0);
	assert_int_equal(take(S(R("\x81\x83", "\0", ABC TYPE_A))), 50 + DNS_NO_NAME);
}

/* The longest alias chain, and one more; the last alias comes first, so that each needs a
 * pass of its own. */
static void
test_aliases(void **state)
{
	static const struct str begin = STR_INIT(R("\x81\x80", "\1", ABC TYPE_A));
	char m[DNS_MESSAGE_MAX];

	(void)state;
	for (size_t n = 8; n <= 9; n++) {
		size_t at = begin.n;

		memcpy(m, begin.p, at);
		m[7] = (char)(n + 1);
		memcpy(m + at, (char[]){ 1, (char)('a' + n), 0 }, 3);
		memcpy(m + at + 3, TYPE_A "\0\0\0\x3c\0\4\1\2\3\4", 14);
		at += 17;
		for (size_t i = n; i-- > 0;) {
			/* The name of the question leads to "b", that to "c" and so on. */
			const char own[] = { 1, (char)('a' + i), 0 };
			const char to[] = { 1, (char)('b' + i), 0 };

			memcpy(m + at, i ? own : PTR, i ? 3 : 2);
			at += i ? 3 : 2;
			memcpy(m + at, "\0\5\0\1\0\0\0\x3c\0\3", 10);
			memcpy(m + at + 10, to, 3);
			at += 13;
		}
		assert_int_equal(take(str_of(m, at)), n == 8 ? 1 : 50 + DNS_FAILED);
	}
}

static void
test_own_query(void **state)
{
	uint8_t room[DNS_MESSAGE_MAX];
	struct dns_question q;
	char text[254];
	size_t n = dns_put_query(room, 0x1234, STR("a.example"), DNS_A);

	(void)state;
	assert_str(str_of((const char *)room, n), S(Q(ABC TYPE_A)));
	memset(text, 'a', sizeof text);
	assert_int_equal(dns_put_query(room, 1, str_of(text, 64), DNS_A), 0);
	assert_int_equal(dns_put_query(room, 1, STR(""), DNS_A), 0);
	for (size_t i = 63; i < sizeof text; i += 64)
		text[i] = '.';
	n = dns_put_query(room, 1, str_of(text, 253), DNS_A);
	assert_true(dns_read_query(str_of((const char *)room, n), &q));
	assert_str(str_of(q.text, q.text_n), str_of(text, 253));
}

static void
test_files(void **state)
{
	const struct str hosts =
	    STR("# one\n127.0.0.1 localhost\n 1.2.3.4\ta.example A.b # c.example\n"
		"bad c.example\n::1 c.example\n5.6.7.8 a.example.\r\n9.9.9.9");
	struct resolver r = { 0 };
	struct address v[4];

	(void)state;
	assert_int_equal(resolver_find_host(hosts, STR("a.example"), v, 4), 2);
	assert_int_equal(v[1].b[0], 5);
	assert_int_equal(resolver_find_host(hosts, STR("a.b"), v, 4), 1);
	assert_int_equal(resolver_find_host(hosts, STR("c.example"), v, 4), 1);
	assert_true(v[0].six);
	assert_int_equal(resolver_find_host(hosts, STR("none"), v, 4), 0);
	resolver_read_servers(
	    STR("search x\nnameserver 1.1.1.1\n;nameserver 2.2.2.2\nnameserver x\n"
		"nameserver 2606::1\noptions a\nnameserver 3.3.3.3\nnameserver 4.4.4.4\n"),
	    &r);
	assert_int_equal(r.servers_n, 3);
	assert_true(r.servers[1].six);
	resolver_read_servers(STR(""), &r);
	assert_int_equal(r.servers_n, 1);
	assert_int_equal(r.servers[0].b[0], 127);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_query),
		cmocka_unit_test(test_answer_to_client),
		cmocka_unit_test(test_answers),
		cmocka_unit_test(test_aliases),
		cmocka_unit_test(test_own_query),
		cmocka_unit_test(test_files),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
