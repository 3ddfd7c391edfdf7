/* MUST 1 to 3 of confine/hosts.h. */
#include "../cm.h"
#include "confine/hosts.h"

static char memory[65536];
static struct arena a;

/* Texts up to a NULL: hosts with or without a port. */
static bool
is_denied(void *context, struct str host)
{
	for (const char *const *d = context; *d; d++) {
		struct str text = str_from_c(*d);

		if (str_eq(host, text) ||
		    (str_starts(host, text) && host.n > text.n && host.p[text.n] == ':'))
			return true;
	}
	return false;
}

static struct host_list
list(const char *const *allow, size_t allow_n, const char *const *deny)
{
	struct host_list l = { .allow_n = allow_n };
	struct str v[32], bad;

	arena_init(&a, memory, sizeof memory);
	for (size_t i = 0; i < allow_n; i++)
		v[i] = str_from_c(allow[i]);
	assert_int_equal(hosts_read(&a, v, allow_n, &l.allow, &bad), 0);
	if (deny) {
		l.denied = is_denied;
		l.context = (void *)(uintptr_t)deny;
	}
	return l;
}

/* As a client would write it; -1: not a name. */
static int
allows(const struct host_list *l, struct str text, uint16_t port)
{
	char room[HOSTS_NAME_MAX];
	struct str name = str_of(room, hosts_name(text, room));

	return name.n ? hosts_allow_name(l, name, port) : -1;
}

static void
test_names(void **state)
{
	static const char *const allow[] = { "Example.ORG.", "*.wild.example",
		"port.example:443" };
	static const char *const deny[] = { "no.wild.example", "half.wild.example:22",
		NULL };
	const struct {
		const char *text;
		uint16_t port;
		int want;
	} cases[] = {
		{ "example.org", 80, 1 },
		{ "EXAMPLE.org.", 65535, 1 },
		{ "example.org..", 80, -1 },
		{ "www.example.org", 80, 0 },
		{ "xexample.org", 80, 0 },
		{ "example.org.evil.example", 80, 0 },
		{ "wild.example", 80, 0 },
		{ "a.wild.example", 80, 1 },
		{ "a.b.wild.example", 80, 1 },
		{ "awild.example", 80, 0 },
		{ "no.wild.example", 80, 0 },
		{ "NO.wild.example.", 80, 0 },
		{ "half.wild.example", 80, 1 },
		{ "half.wild.example", 22, 0 },
		{ "port.example", 443, 1 },
		{ "port.example", 80, 0 },
		{ "127.0.0.1", 80, -1 },
		{ "0x7f.1", 80, -1 },
		{ "a b.wild.example", 80, -1 },
		{ "*.wild.example", 80, -1 },
		{ "u@a.wild.example", 80, -1 },
		{ "a..wild.example", 80, -1 },
		{ ".wild.example", 80, -1 },
		{ "", 80, -1 },
		{ ".", 80, -1 },
		{ "\xc3\xa4.wild.example", 80, -1 },
	};
	struct host_list l = list(allow, COUNT(allow), deny);

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		int got = allows(&l, str_from_c(cases[i].text), cases[i].port);

		if (got != cases[i].want)
			fail_msg("%s:%u: %d", cases[i].text, cases[i].port, got);
	}
	assert_int_equal(allows(&l, STR("evil.example\0.wild.example"), 80), -1);
	assert_true(hosts_know(&l, STR("port.example")));
	assert_true(hosts_know(&l, STR("half.wild.example")));
	assert_false(hosts_know(&l, STR("no.wild.example")));
	assert_false(hosts_know(&l, STR("other.example")));
}

static struct address
address(const char *text)
{
	struct address x;

	assert_true(address_read(str_from_c(text), &x));
	return x;
}

static void
test_addresses(void **state)
{
	static const char *const allow[] = { "8.8.8.8", "10.0.0.5:5432", "[2606:2800::1]",
		"127.0.0.1", "169.254.169.254", "*.example" };
	static const char *const every[] = { "*" };
	static const char *const deny[] = { "8.8.4.4", NULL };
	const struct {
		const char *text;
		uint16_t port;
		bool listed, all, led;
	} cases[] = {
		{ "8.8.8.8", 53, true, true, true },
		{ "::ffff:8.8.8.8", 53, true, true, true },
		{ "8.8.4.4", 53, false, false, true },
		{ "1.1.1.1", 53, false, true, true },
		/* 8.8.4.4 and 1.1.1.1 inside NAT64 and 6to4 */
		{ "64:ff9b::808:404", 53, false, false, true },
		{ "2002:808:404::1", 53, false, false, true },
		{ "64:ff9b::101:101", 53, false, true, true },
		{ "10.0.0.5", 5432, true, false, true },
		{ "10.0.0.5", 80, false, false, false },
		{ "10.0.0.6", 5432, false, false, false },
		{ "2606:2800:0::1", 1, true, true, true },
		{ "127.0.0.1", 1, false, false, false },
		{ "169.254.169.254", 80, false, false, false },
	};
	struct host_list some = list(allow, COUNT(allow), NULL), all;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct address x = address(cases[i].text);

		some = list(allow, COUNT(allow), NULL);
		if (hosts_allow_address(&some, &x, cases[i].port) != cases[i].listed)
			fail_msg("%s: listed", cases[i].text);
		if (hosts_may_lead(&some, &x, cases[i].port) != cases[i].led)
			fail_msg("%s: led", cases[i].text);
		all = list(every, COUNT(every), deny);
		if (hosts_allow_address(&all, &x, cases[i].port) != cases[i].all)
			fail_msg("%s: all", cases[i].text);
	}
}

static void
test_no_hosts(void **state)
{
	static const char *const none[] = { "", "a b", "*.*.example", "a/b", "http://a",
		"a:0", "a:65536", "[::1", "[1.2.3.4]x", "0x7f.0.0.1", "1.2.3", "300.1.1.1",
		"a..b" };
	const struct host_rule *rules;
	struct str bad;

	(void)state;
	for (size_t i = 0; i < COUNT(none); i++) {
		struct str one = str_from_c(none[i]);

		arena_init(&a, memory, sizeof memory);
		if (hosts_read(&a, &one, 1, &rules, &bad) != CORDON_EINVAL)
			fail_msg("<%s> was taken", none[i]);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_no_hosts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
