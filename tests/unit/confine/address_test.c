/* MUST 1 to 3 of confine/address.h. */
#include "../cm.h"
#include "confine/address.h"

static const struct {
	const char *text, *shown; /* NULL: it is not an address */
	enum address_kind kind;
} cases[] = {
	{ "93.184.216.34", "93.184.216.34", ADDRESS_PUBLIC },
	{ "8.8.8.8", "8.8.8.8", ADDRESS_PUBLIC },
	{ "172.15.255.255", "172.15.255.255", ADDRESS_PUBLIC },
	{ "172.32.0.0", "172.32.0.0", ADDRESS_PUBLIC },
	{ "100.63.255.255", "100.63.255.255", ADDRESS_PUBLIC },
	{ "100.128.0.0", "100.128.0.0", ADDRESS_PUBLIC },
	{ "0.0.0.0", "0.0.0.0", ADDRESS_NEVER },
	{ "127.0.0.1", "127.0.0.1", ADDRESS_NEVER },
	{ "127.255.255.255", "127.255.255.255", ADDRESS_NEVER },
	{ "169.254.169.254", "169.254.169.254", ADDRESS_NEVER },
	{ "100.100.100.200", "100.100.100.200", ADDRESS_NEVER },
	{ "168.63.129.16", "168.63.129.16", ADDRESS_NEVER },
	{ "192.0.0.192", "192.0.0.192", ADDRESS_NEVER },
	{ "224.0.0.1", "224.0.0.1", ADDRESS_NEVER },
	{ "255.255.255.255", "255.255.255.255", ADDRESS_NEVER },
	{ "10.0.0.1", "10.0.0.1", ADDRESS_PRIVATE },
	{ "172.16.0.1", "172.16.0.1", ADDRESS_PRIVATE },
	{ "172.31.255.255", "172.31.255.255", ADDRESS_PRIVATE },
	{ "192.168.1.1", "192.168.1.1", ADDRESS_PRIVATE },
	{ "100.64.0.1", "100.64.0.1", ADDRESS_PRIVATE },
	{ "198.19.255.255", "198.19.255.255", ADDRESS_PRIVATE },
	{ "203.0.113.7", "203.0.113.7", ADDRESS_PRIVATE },
	{ "2606:2800:220:1::1", "[2606:2800:220:1::1]", ADDRESS_PUBLIC },
	{ "2606:2800:220:1:0:0:0:1", "[2606:2800:220:1::1]", ADDRESS_PUBLIC },
	{ "2606:0:0:1::", "[2606:0:0:1::]", ADDRESS_PUBLIC },
	{ "1::2:3:4:5:6:7", "[1:0:2:3:4:5:6:7]", ADDRESS_NEVER },
	{ "::", "[::]", ADDRESS_NEVER },
	{ "::1", "[::1]", ADDRESS_NEVER },
	{ "fe80::1", "[fe80::1]", ADDRESS_NEVER },
	{ "fec0::1", "[fec0::1]", ADDRESS_NEVER },
	{ "ff02::1", "[ff02::1]", ADDRESS_NEVER },
	{ "fd00:ec2::254", "[fd00:ec2::254]", ADDRESS_NEVER },
	{ "fc00::1", "[fc00::1]", ADDRESS_PRIVATE },
	{ "fdff::1", "[fdff::1]", ADDRESS_PRIVATE },
	{ "2001:db8::1", "[2001:db8::1]", ADDRESS_PRIVATE },
	{ "2001::1", "[2001::1]", ADDRESS_NEVER },
	{ "4000::1", "[4000::1]", ADDRESS_NEVER },
	/* Embedded addresses. */
	{ "::ffff:127.0.0.1", "127.0.0.1", ADDRESS_NEVER },
	{ "::ffff:7f00:1", "127.0.0.1", ADDRESS_NEVER },
	{ "::ffff:8.8.8.8", "8.8.8.8", ADDRESS_PUBLIC },
	{ "::127.0.0.1", "[::7f00:1]", ADDRESS_NEVER },
	{ "64:ff9b::7f00:1", "[64:ff9b::7f00:1]", ADDRESS_NEVER },
	{ "64:ff9b::a00:1", "[64:ff9b::a00:1]", ADDRESS_PRIVATE },
	{ "64:ff9b::8.8.8.8", "[64:ff9b::808:808]", ADDRESS_PUBLIC },
	{ "2002:7f00:1::1", "[2002:7f00:1::1]", ADDRESS_NEVER },
	{ "2002:a00:1::", "[2002:a00:1::]", ADDRESS_PRIVATE },
	{ "2002:808:808::1", "[2002:808:808::1]", ADDRESS_PUBLIC },
	/* Not an address, or not in its standard spelling. */
	{ "", NULL, 0 },
	{ "1.2.3", NULL, 0 },
	{ "1.2.3.4.5", NULL, 0 },
	{ "1.2.3.", NULL, 0 },
	{ "1.2.3.4.", NULL, 0 },
	{ ".1.2.3", NULL, 0 },
	{ "0177.0.0.1", NULL, 0 },
	{ "127.0.0.01", NULL, 0 },
	{ "0x7f.0.0.1", NULL, 0 },
	{ "2130706433", NULL, 0 },
	{ "256.1.1.1", NULL, 0 },
	{ "1.2.3.4 ", NULL, 0 },
	{ "1.2.3.-4", NULL, 0 },
	{ ":", NULL, 0 },
	{ ":::", NULL, 0 },
	{ "1::2::3", NULL, 0 },
	{ "1:2:3:4:5:6:7", NULL, 0 },
	{ "1:2:3:4:5:6:7:8:9", NULL, 0 },
	{ "1:2:3:4:5:6:7::8", NULL, 0 },
	{ "1:2:3:4:5:6:7:", NULL, 0 },
	{ ":1:2:3:4:5:6:7", NULL, 0 },
	{ "12345::", NULL, 0 },
	{ "::g", NULL, 0 },
	{ "fe80::1%lo", NULL, 0 },
	{ "[::1]", NULL, 0 },
	{ "::1.2.3", NULL, 0 },
	{ "1.2.3.4::", NULL, 0 },
	{ "::ffff:127.0.0.1:1", NULL, 0 },
};

static void
test_cases(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		char memory[256];
		struct arena a;
		struct buf b;
		struct address got;
		bool fine = address_read(str_from_c(cases[i].text), &got);

		if (fine != (cases[i].shown != NULL))
			fail_msg("%s: read %d", cases[i].text, fine);
		if (!fine)
			continue;
		arena_init(&a, memory, sizeof memory);
		buf_init(&b, &a);
		address_put(&b, &got);
		assert_str(buf_str(&b), str_from_c(cases[i].shown));
		if (address_kind(&got) != cases[i].kind)
			fail_msg("%s: kind %d", cases[i].text, (int)address_kind(&got));
	}
}

static void
test_like(void **state)
{
	static const char *const like[] = { "127.0.0.1", "0177.1", "0x7f000001", "1", "::1",
		"a.1", "a.0x1", "a.1.", "0x", "example.0X7F" };
	static const char *const unlike[] = { "example.org", "1.example", "a.1x", "0xg", "",
		"1-1", "e.x0" };

	(void)state;
	for (size_t i = 0; i < COUNT(like); i++)
		assert_true(address_is_like(str_from_c(like[i])));
	for (size_t i = 0; i < COUNT(unlike); i++)
		assert_false(address_is_like(str_from_c(unlike[i])));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_like),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
