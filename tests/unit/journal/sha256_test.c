#include "../cm.h"
#include "journal/crc32c.h"
#include "journal/sha256.h"

static const struct {
	struct str text;
	const char *hex;
} known[] = {
	{ STR_INIT(""),
	    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
	{ STR_INIT("abc"),
	    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
	{ STR_INIT("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
	    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
	{ STR_INIT("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno"
		   "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"),
	    "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1" },
};

static void
assert_hex(const uint8_t *d, const char *hex)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < SHA256_BYTES; i++) {
		assert_int_equal(hex[2 * i], digits[d[i] >> 4]);
		assert_int_equal(hex[2 * i + 1], digits[d[i] & 15]);
	}
}

static void
test_sha256_known(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(known); i++) {
		uint8_t d[SHA256_BYTES];
		struct sha256 s;

		sha256_init(&s);
		sha256_put(&s, known[i].text);
		sha256_done(&s, d);
		assert_hex(d, known[i].hex);
	}
}

/* A million times `a`, put in pieces of every size. */
static void
test_sha256_pieces(void **state)
{
	static char a[1000];
	uint8_t d[SHA256_BYTES];
	struct sha256 s;
	size_t left = 1000000, n = 1;

	(void)state;
	memset(a, 'a', sizeof a);
	sha256_init(&s);
	for (; left; left -= n) {
		n = n % 997 + 1;
		if (n > left)
			n = left;
		sha256_put(&s, str_of(a, n));
	}
	sha256_done(&s, d);
	assert_hex(d, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* The vectors of RFC 3720, appendix B.4. */
static void
test_crc32c_known(void **state)
{
	char bytes[32];

	(void)state;
	assert_int_equal(crc32c(STR("")), 0);
	assert_int_equal(crc32c(STR("123456789")), 0xe3069283);
	memset(bytes, 0, sizeof bytes);
	assert_int_equal(crc32c(str_of(bytes, sizeof bytes)), 0x8a9136aa);
	memset(bytes, 0xff, sizeof bytes);
	assert_int_equal(crc32c(str_of(bytes, sizeof bytes)), 0x62a8ab43);
	for (int i = 0; i < 32; i++)
		bytes[i] = (char)i;
	assert_int_equal(crc32c(str_of(bytes, sizeof bytes)), 0x46dd794e);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sha256_known),
		cmocka_unit_test(test_sha256_pieces),
		cmocka_unit_test(test_crc32c_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
