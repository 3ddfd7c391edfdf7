#include "../cm.h"
#include "base/host.h"

static void
split_reads_the_name_and_the_port(void **state)
{
	static const struct {
		const char *text, *name;
		uint16_t port;
	} good[] = {
		{ "example.org", "example.org", 0 },
		{ "example.org:1", "example.org", 1 },
		{ "example.org:65535", "example.org", 65535 },
		{ "[::1]", "[::1]", 0 },
		{ "[::1]:443", "[::1]", 443 },
		{ "*", "*", 0 },
	};
	struct host_port h;

	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		assert_true(host_split(str_from_c(good[i].text), &h));
		assert_str(h.name, str_from_c(good[i].name));
		assert_int_equal(h.port, good[i].port);
	}
}

static void
split_refuses_what_is_no_port(void **state)
{
	static const char *const bad[] = { "", ":443", "a:", "a:0", "a:065", "a:65536",
		"a:70000", "a:x", "a:443x", "a:1:2", "::1", "[::1", "[::1]x",
		"[::1]:", "[::1]:70000" };
	struct host_port h = { .port = 7 };

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_false(host_split(str_from_c(bad[i]), &h));
	assert_int_equal(h.port, 7);
}

static void
names_have_labels(void **state)
{
	static const struct {
		const char *text;
		bool name, bracketed;
	} cases[] = {
		{ "a", true, false },
		{ "A-1_.b", true, false },
		{ "", false, false },
		{ ".a", false, false },
		{ "a.", false, false },
		{ "a..b", false, false },
		{ "a b", false, false },
		{ "\xc3\xa9.org", false, false },
		{ "[::1]", false, true },
		{ "[2001:DB8::1.2.3.4]", false, true },
		{ "[abcd]", false, false },
		{ "[::g]", false, false },
		{ "[:]", false, false },
		{ "::1", false, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct str text = str_from_c(cases[i].text);

		assert_int_equal(host_is_name(text), cases[i].name);
		assert_int_equal(host_is_bracketed(text), cases[i].bracketed);
	}
}

static void
names_have_253_bytes(void **state)
{
	char text[HOST_NAME_BYTES + 1];

	(void)state;
	memset(text, 'a', sizeof text);
	assert_true(host_is_name(str_of(text, HOST_NAME_BYTES)));
	assert_false(host_is_name(str_of(text, HOST_NAME_BYTES + 1)));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(split_reads_the_name_and_the_port),
		cmocka_unit_test(split_refuses_what_is_no_port),
		cmocka_unit_test(names_have_labels),
		cmocka_unit_test(names_have_253_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
