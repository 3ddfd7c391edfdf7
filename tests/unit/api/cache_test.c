#include "../cm.h"
#include "api/cache.h"
#include "cordon.h"

/* ---- through the interface */

struct asked {
	struct cordon *c;
	uint64_t hits, misses;
};

static struct cordon_policy *
policy(struct cordon *c, const char *rules)
{
	struct cordon_source source = { .size = sizeof source,
		.layer = CORDON_LAYER_USER,
		.text = rules,
		.text_len = strlen(rules) };
	struct cordon_policy_opts how = { .size = sizeof how,
		.flags = CORDON_NO_BUILTIN,
		.sources = &source,
		.sources_n = 1 };
	struct cordon_policy *p = NULL;

	assert_int_equal(cordon_policy_new(c, &how, &p), 0);
	return p;
}

/* The verdict; `kept` says whether it must come from the cache. */
static int
ask(struct asked *a, const struct cordon_policy *p, const char *text,
    const struct cordon_check_opts *how, bool kept)
{
	uint64_t hits, misses;
	const char *json = NULL;
	size_t n = 0;
	int verdict = -1;

	assert_int_equal(
	    cordon_check(a->c, p, text, strlen(text), how, &verdict, &json, &n), 0);
	assert_int_equal(json[n], '\0');
	assert_int_equal(strlen(json), n);
	cordon_cache_counts(a->c, &hits, &misses);
	assert_int_equal(hits - a->hits, kept);
	assert_int_equal(misses - a->misses, !kept);
	a->hits = hits;
	a->misses = misses;
	return verdict;
}

static struct cordon_check_opts
by_name(void)
{
	return (struct cordon_check_opts){ .size = sizeof(struct cordon_check_opts),
		.flags = CORDON_BY_NAME,
		.cwd = "/w",
		.cwd_len = 2,
		.home = "/h",
		.home_len = 2 };
}

static void
test_again(void **state)
{
	struct asked a = { .c = cordon_new() };
	struct cordon_policy *p = policy(a.c, "allow make"), *q;
	struct cordon_check_opts how = by_name();

	(void)state;
	assert_int_equal(ask(&a, p, "make", &how, false), CORDON_ALLOW);
	assert_int_equal(ask(&a, p, "make", &how, true), CORDON_ALLOW);
	/* Compiled anew it is the same policy; another one is not, wherever it lies. */
	cordon_policy_free(p);
	p = policy(a.c, "allow make");
	assert_int_equal(ask(&a, p, "make", &how, true), CORDON_ALLOW);
	cordon_policy_free(p);
	q = policy(a.c, "deny  make");
	assert_int_equal(ask(&a, q, "make", &how, false), CORDON_DENY);
	assert_int_equal(ask(&a, q, "make", &how, true), CORDON_DENY);
	cordon_policy_free(q);
	cordon_free(a.c);
}

/* Whatever could change the answer makes it another question. */
static void
test_all_counts(void **state)
{
	static const char *const roots[] = { "/w", "/v" };
	struct asked a = { .c = cordon_new() };
	struct cordon_policy *p = policy(a.c, "allow make");
	struct cordon_check_opts how = by_name(), other;

	(void)state;
	(void)ask(&a, p, "make", &how, false);
	(void)ask(&a, p, "make ", &how, false);
	for (int i = 0; i < 9; i++) {
		other = how;
		switch (i) {
		case 0:
			other.cwd = "/x";
			break;
		case 1:
			other.cwd = NULL;
			break;
		case 2:
			other.home = "/x";
			break;
		case 3:
			other.home = NULL;
			break;
		case 4:
			other.roots = roots;
			other.roots_n = 2;
			break;
		case 5:
			other.mode = CORDON_MODE_ASK_EVERY_TIME;
			break;
		default:
			other.flags |= i == 6   ? CORDON_HEADLESS
				       : i == 7 ? CORDON_NO_SANDBOX
						: CORDON_EXPLICIT_ROOT;
		}
		(void)ask(&a, p, "make", &other, false);
		(void)ask(&a, p, "make", &other, true);
	}
	(void)ask(&a, p, "make", &how, true);
	cordon_policy_free(p);
	cordon_free(a.c);
}

static void
test_until(void **state)
{
	struct asked a = { .c = cordon_new() };
	struct cordon_policy *p = policy(a.c, "allow make until 2026-12-01");
	struct cordon_check_opts how = by_name();

	(void)state;
	how.now = 1700000000;
	assert_int_equal(ask(&a, p, "make", &how, false), CORDON_ALLOW);
	how.now += 5;
	assert_int_equal(ask(&a, p, "make", &how, true), CORDON_ALLOW);
	how.now = 1900000000;
	assert_int_equal(ask(&a, p, "make", &how, false), CORDON_CONFINE);
	how.now++;
	assert_int_equal(ask(&a, p, "make", &how, true), CORDON_CONFINE);
	cordon_policy_free(p);
	cordon_free(a.c);
}

static void
test_switch(void **state)
{
	struct asked a = { .c = cordon_new() };
	struct cordon_policy *p = policy(a.c, "allow make");
	struct cordon_check_opts how = by_name();
	uint64_t hits, misses;
	const char *json;
	int verdict;
	size_t n;

	(void)state;
	(void)ask(&a, p, "make", &how, false);
	assert_int_equal(cordon_cache(a.c, 0), 0);
	assert_int_equal(cordon_check(a.c, p, "make", 4, &how, &verdict, &json, &n), 0);
	cordon_cache_counts(a.c, &hits, &misses);
	assert_int_equal(hits + misses, 0);
	assert_int_equal(cordon_cache(a.c, SIZE_MAX), CORDON_FAIL_MEMORY);
	/* With one place each new answer pushes the last one out. */
	assert_int_equal(cordon_cache(a.c, 1), 0);
	a.hits = a.misses = 0;
	(void)ask(&a, p, "make", &how, false);
	(void)ask(&a, p, "ls", &how, false);
	(void)ask(&a, p, "make", &how, false);
	(void)ask(&a, p, "make", &how, true);
	cordon_policy_free(p);
	cordon_free(a.c);
}

/* ---- the table itself */

static void
test_too_large(void **state)
{
	static char large[(64 << 10) + 1];
	struct cache *cache = cache_new(4);
	int verdict = -1;

	(void)state;
	cache_put(cache, str_of(large, sizeof large), STR("{}"), 1);
	assert_null(cache_get(cache, str_of(large, sizeof large), &verdict).p);
	cache_put(cache, STR("k"), str_of(large, sizeof large), 1);
	assert_null(cache_get(cache, STR("k"), &verdict).p);
	cache_put(cache, STR("k"), STR("{}"), 2);
	assert_true(str_is(cache_get(cache, STR("k"), &verdict), "{}"));
	assert_int_equal(verdict, 2);
	cache_free(cache);
	cache_free(NULL);
	assert_null(cache_new(0));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_again),
		cmocka_unit_test(test_all_counts),
		cmocka_unit_test(test_until),
		cmocka_unit_test(test_switch),
		cmocka_unit_test(test_too_large),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
