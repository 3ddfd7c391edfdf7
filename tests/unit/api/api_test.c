#include "../cm.h"
#include "cordon.h"

static void
test_life(void **state)
{
	struct cordon *c = cordon_new(), *d = cordon_new();

	(void)state;
	assert_non_null(c);
	assert_ptr_not_equal(c, d);
	cordon_free(c);
	cordon_free(d);
	cordon_free(NULL);
	assert_string_equal(cordon_version(), CORDON_VERSION);
}

static void
test_answer(void **state)
{
	static const char *texts[] = { "ls -l", "", "if", "a\1b", "cd /tmp && rm -rf x" };
	struct cordon *c = cordon_new();

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++) {
		const char *json = NULL;
		size_t n = 0;

		assert_int_equal(
		    cordon_analyse(c, texts[i], strlen(texts[i]), NULL, &json, &n), 0);
		assert_true(str_starts(str_of(json, n), STR("{\"ok\":")));
		assert_true(str_ends(str_of(json, n), STR("]}")));
		assert_int_equal(json[n], '\0');
		assert_int_equal(strlen(json), n);
	}
	cordon_free(c);
}

static int
analyse_with(const struct cordon_analyse_opts *opts)
{
	struct cordon *c = cordon_new();
	const char *json = NULL;
	size_t n = 0;
	int err = cordon_analyse(c, "ls", 2, opts, &json, &n);

	assert_true((json != NULL) == (err == 0));
	cordon_free(c);
	return err;
}

/* A caller's struct may be older or newer than the library's. */
static void
test_options_size(void **state)
{
	struct {
		struct cordon_analyse_opts known;
		uint64_t later;
	} newer = { .known = { .size = sizeof newer } };
	struct cordon_analyse_opts opts = { .size = sizeof opts };

	(void)state;
	assert_int_equal(analyse_with(&opts), 0);
	opts.size = 8;
	assert_int_equal(analyse_with(&opts), 0);
	opts.size = 0;
	assert_int_equal(analyse_with(&opts), CORDON_FAIL_INPUT);
	assert_int_equal(analyse_with(&newer.known), 0);
	newer.later = 1;
	assert_int_equal(analyse_with(&newer.known), CORDON_FAIL_INPUT);
	opts = (struct cordon_analyse_opts){ .size = sizeof opts, .reserved = 1 };
	assert_int_equal(analyse_with(&opts), CORDON_FAIL_INPUT);
}

static void
test_directories(void **state)
{
	static const struct {
		const char *text;
		size_t n;
		int want;
	} cases[] = {
		{ NULL, 5, 0 },
		{ "/a", 2, 0 },
		{ "a", 1, CORDON_FAIL_INPUT },
		{ "", 0, CORDON_FAIL_INPUT },
		{ "/a\0b", 4, CORDON_FAIL_INPUT },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct cordon_analyse_opts opts = { .size = sizeof opts };

		opts.cwd = cases[i].text;
		opts.cwd_len = cases[i].n;
		assert_int_equal(analyse_with(&opts), cases[i].want);
		opts.home = cases[i].text;
		opts.home_len = cases[i].n;
		assert_int_equal(analyse_with(&opts), cases[i].want);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_life),
		cmocka_unit_test(test_answer),
		cmocka_unit_test(test_options_size),
		cmocka_unit_test(test_directories),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
