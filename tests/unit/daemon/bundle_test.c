#include "../cm.h"
#include "daemon/bundle/bundle.h"

static const struct {
	const char *comment;
	uint64_t serial; /* 0: refused */
} comments[] = {
	{ "cordon bundle serial:7", 7 },
	{ "cordon bundle serial:7 of spring", 7 },
	{ "cordon bundle serial:7\tfile:rules", 7 },
	{ "cordon bundle serial:999999999999999", 999999999999999 },
	{ "cordon bundle serial:9999999999999999", 0 },
	{ "cordon bundle serial:0", 0 },
	{ "cordon bundle serial:07", 0 },
	{ "cordon bundle serial:", 0 },
	{ "cordon bundle serial:7x", 0 },
	{ "cordon bundle serial:-7", 0 },
	{ " cordon bundle serial:7", 0 },
	{ "timestamp:1 file:rules", 0 },
	{ "", 0 },
};

static void
test_serial(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof comments / sizeof *comments; i++) {
		uint64_t got = 0;

		assert_int_equal(bundle_serial(str_from_c(comments[i].comment), &got),
		    comments[i].serial != 0);
		assert_true(got == comments[i].serial);
	}
}

static void
test_state(void **state)
{
	cleanup_arena struct arena *a = arena_new(4096);
	struct bundle_state s = { .serial = 42 }, back = { 0 };
	struct str text;
	struct buf b;

	(void)state;
	memset(s.digest, 'a', sizeof s.digest);
	buf_init(&b, a);
	bundle_put_state(&b, &s);
	text = buf_str(&b);
	assert_true(bundle_read_state(text, &back));
	assert_true(back.serial == 42 && memcmp(back.digest, s.digest, 64) == 0);
	for (size_t n = 0; n < text.n; n++)
		assert_false(bundle_read_state(str_cut(text, 0, n), &back));
	buf_putc(&b, 'x');
	assert_false(bundle_read_state(buf_str(&b), &back));
}

static void
test_refusal(void **state)
{
	struct bundle_state last = { .serial = 5 }, next = { .serial = 6 };

	(void)state;
	assert_null(bundle_refusal(&last, &next));
	next.serial = 4;
	assert_non_null(bundle_refusal(&last, &next));
	next.serial = 5;
	assert_null(bundle_refusal(&last, &next));
	next.digest[3] = 'x';
	assert_non_null(bundle_refusal(&last, &next));
}

static void
test_minisign(void **state)
{
	cleanup_arena struct arena *a = arena_new(1 << 16);
	struct str bytes = STR("deny curl\n"), none = { NULL, 0 };
	struct minisign_signature s;
	struct minisign_secret secret;
	struct minisign_key key;
	struct buf public, private, out;

	(void)state;
	assert_true(minisign_init());
	buf_init(&public, a);
	buf_init(&private, a);
	buf_init(&out, a);
	minisign_make(&public, &private);
	assert_int_equal(minisign_read_key(buf_str(&public), &key, NULL), 0);
	assert_int_equal(minisign_read_secret(buf_str(&private), none, &secret, NULL), 0);
	minisign_sign(&out, &secret, bytes, STR("cordon bundle serial:1"));
	assert_int_equal(minisign_read_signature(buf_str(&out), &s, NULL), 0);
	assert_int_equal(minisign_verify(&key, &s, bytes, NULL), 0);
	assert_int_equal(
	    minisign_verify(&key, &s, STR("deny curl"), NULL), CORDON_EREFUSED);
	s.comment = STR("cordon bundle serial:2");
	assert_int_equal(minisign_verify(&key, &s, bytes, NULL), CORDON_EREFUSED);
	key.id[0] ^= 1;
	assert_int_equal(minisign_verify(&key, &s, bytes, NULL), CORDON_EREFUSED);
	/* Every cut of every file is refused. */
	for (size_t n = 0; n + 1 < out.n; n++)
		assert_int_not_equal(
		    minisign_read_signature(str_cut(buf_str(&out), 0, n), &s, NULL), 0);
	for (size_t n = 0; n + 1 < public.n; n++)
		assert_int_not_equal(
		    minisign_read_key(str_cut(buf_str(&public), 0, n), &key, NULL), 0);
	minisign_forget(&secret);
	assert_true(secret.key[0] == 0 && secret.key[63] == 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_serial),
		cmocka_unit_test(test_state),
		cmocka_unit_test(test_refusal),
		cmocka_unit_test(test_minisign),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
