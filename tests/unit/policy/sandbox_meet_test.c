/* SandboxPolicy: the laws of the meet, and who may add what; row 3.3. */
#include "sandbox_help.h"

/* ---- the meet is a meet: 100,000 random policies */

static uint64_t seed_state = 0x9e3779b97f4a7c15;

static unsigned
pick(unsigned n)
{
	seed_state ^= seed_state << 13;
	seed_state ^= seed_state >> 7;
	seed_state ^= seed_state << 17;
	return (unsigned)((seed_state >> 33) % n);
}

static struct sandbox_list
some(const char *const *from, unsigned n)
{
	struct sandbox_list list = { .given = pick(4) != 0 };
	struct str *v = arena_array(arena, 4, sizeof *v);

	assert_non_null(v);
	for (unsigned left = pick(5); left && list.given; left--)
		v[list.n++] = str_from_c(from[pick(n)]);
	list.v = v;
	return list;
}

static struct sandbox_policy
random_policy(void)
{
	static const char *const paths[] = { "/", "/a", "/a/b", "/a/b/", "//a/c", "/ab",
		"/a/./b/c", "/d", "/d/e", "~/x", "/a/../b" };
	static const char *const hosts[] = { "*", "*:443", "*.org", "*.a.org", "a.org",
		"A.org.", "b.a.org", "b.a.org:443", "*.a.org:80", "[::1]", "[::1]:443",
		"not a host" };
	static const char *const mappings[] = {
		NULL, "{}", "{\"/w\":[]}", "{\"/w\":[\"a\"]}",
		"{\"/w\":[\"b\",\"a\",\"a\"]}", "{\"/w\":[\"a\",\"!a\"]}",
		"{\"/w\":[\"!a\",\"a\"]}",
		"{\"/w\":[[\"c\"],[\"b\",\"!a\"]],\"/v\":[\"a\"]}", "{\"/v\":[[\"!z\"]]}",
		"{\"version\":1,\"root\":\"/w\",\"files\":[{\"dir\":\"s\",\"name\":\".i\","
		"\"patterns\":\"# "
		"no\\n\\na\\nb\"},{\"dir\":\"\",\"name\":\"\",\"patterns\":\"a\"}]}",
		"[{\"version\":1,\"root\":\"/w\",\"files\":[{\"dir\":\"s\",\"name\":\".i\","
		"\"patterns\":\"a\\n!b\"}]},{\"version\":1,\"root\":\"/v\",\"files\":[]}]"
	};
	static const char *const dirs[] = { NULL, "/d", "/e" };
	struct sandbox_policy p = { .type = (enum sandbox_type)pick(4) };

	p.network_access = pick(2);
	p.block_git_writes = pick(2);
	p.disable_tmp_write = pick(2);
	p.network_allow = some(hosts, COUNT(hosts));
	p.readwrite = some(paths, COUNT(paths));
	p.readonly = some(paths, COUNT(paths));
	p.ignore_mapping = str_from_c(mappings[pick(COUNT(mappings))]);
	p.debug_output_dir = str_from_c(dirs[pick(COUNT(dirs))]);
	return p;
}

/* The sanitizers check each step; fewer rounds suffice. */
#ifdef __SANITIZE_ADDRESS__
#define ROUNDS 20000
#else
#define ROUNDS 100000
#endif

/* MUST 1 */
static void
test_meet_is_a_meet(void **state)
{
	(void)state;
	for (unsigned i = 0; i < ROUNDS; i++) {
		struct sandbox_policy x, y, z, xy, yx, xx, xy_z, yz, x_yz, again;

		arena_reset(arena);
		x = random_policy();
		y = pick(8) ? random_policy() : x;
		z = random_policy();
		xy = meet(&x, &y);
		yx = meet(&y, &x);
		assert_str(given(&xy), given(&yx)); /* commutative */
		yz = meet(&y, &z);
		xy_z = meet(&xy, &z);
		x_yz = meet(&x, &yz);
		assert_str(given(&xy_z), given(&x_yz)); /* associative */
		xx = meet(&x, &x);
		again = meet(&xx, &xx);
		assert_str(given(&xx), given(&again)); /* idempotent */
		assert_true(
		    sandbox_within(arena, &x, &xx) && sandbox_within(arena, &xx, &x));
		/* Never looser than either side, by field and by level... */
		assert_true(
		    sandbox_within(arena, &xy, &x) && sandbox_within(arena, &xy, &y));
		assert_true(sandbox_level(&xy) <= sandbox_level(&x));
		assert_true(sandbox_level(&xy) <= sandbox_level(&y));
		/* ... and the loosest that is so. */
		if (sandbox_within(arena, &z, &x) && sandbox_within(arena, &z, &y))
			assert_true(sandbox_within(arena, &z, &xy));
		/* The order agrees with the meet. */
		assert_int_equal(
		    sandbox_within(arena, &x, &y), str_eq(given(&xx), given(&xy)));
	}
}

static void
meet_all(const struct sandbox_policy *v, unsigned n, struct sandbox_policy *ret)
{
	*ret = v[0];
	for (unsigned i = 0; i < n; i++)
		assert_int_equal(sandbox_meet(arena, ret, &v[i], ret), 0);
}

static void
test_meet_all(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 1000; i++) {
		struct sandbox_policy v[5], all, back, turned[5];

		arena_reset(arena);
		for (unsigned k = 0; k < 5; k++)
			v[k] = turned[4 - k] = random_policy();
		meet_all(v, 5, &all);
		meet_all(turned, 5, &back);
		assert_str(given(&all), given(&back));
		for (unsigned k = 0; k < 5; k++)
			assert_true(sandbox_within(arena, &all, &v[k]));
	}
}

/* Printing and reading random policies gives the same policies. */
static void
test_random_round_trip(void **state)
{
	unsigned tried = 0;

	(void)state;
	for (unsigned i = 0; i < 20000; i++) {
		struct sandbox_policy p, again = { 0 };
		const struct json *v = NULL;
		struct str text;

		arena_reset(arena);
		p = random_policy();
		if (sandbox_check(arena, &p, NULL))
			continue;
		text = given(&p);
		assert_int_equal(json_read(arena, text, NULL, &v, NULL), 0);
		assert_int_equal(sandbox_read(arena, v, &again, NULL), 0);
		assert_str(given(&again), text);
		tried++;
	}
	assert_true(tried > 1000);
}

/* ---- layers add up, admin bounds them, a request takes away: row 3.3 */

static void
test_layers_add_up(void **state)
{
	struct sandbox_policy layers[] = {
		policy("{\"type\":\"WORKSPACE_READWRITE\",\"blockGitWrites\":true,"
		       "\"additionalReadwritePaths\":[\"/cache/pip\"]}"),
		policy("{\"networkAllow\":[\"github.com\"],\"additionalReadwritePaths\":["
		       "\"/cache\"]}"),
		policy("{\"networkAllow\":[\"pypi.org\"],\"additionalReadwritePaths\":[\"/"
		       "data\"]}"),
	};
	struct sandbox_policy flags =
	    policy("{\"networkAccess\":true,\"additionalReadwritePaths\":[\"/extra\"]}");
	struct sandbox_policy admin =
	    policy("{\"type\":\"WORKSPACE_READWRITE\",\"networkAllow\":"
		   "[\"*.org\"],\"additionalReadwritePaths\":"
		   "[\"/cache\",\"/extra\"]}");
	struct sandbox_policy request =
	    policy("{\"type\":\"INSECURE_NONE\",\"networkAccess\":true,"
		   "\"additionalReadwritePaths\":[\"/cache/x\",\"/etc\"],"
		   "\"additionalReadonlyPaths\":[\"/root\"]}");
	struct sandbox_voices who = { .layers = layers, .n = 3 };
	struct sandbox_policy got;

	(void)state;
	assert_int_equal(sandbox_effective(arena, &who, &got), 0);
	assert_str(
	    given(&got), STR("{\"type\":\"WORKSPACE_READWRITE\",\"networkAccess\":false,"
			     "\"networkAllow\":[\"github.com\",\"pypi.org\"],"
			     "\"additionalReadwritePaths\":[\"/cache\",\"/data\"],"
			     "\"additionalReadonlyPaths\":[],\"blockGitWrites\":true,"
			     "\"disableTmpWrite\":false,\"ignoreMappingJson\":null,"
			     "\"debugOutputDir\":null}"));
	who.flags = &flags;
	assert_int_equal(sandbox_effective(arena, &who, &got), 0);
	assert_true(got.network_access);
	assert_int_equal(got.readwrite.n, 3);
	who.admin = &admin;
	assert_int_equal(sandbox_effective(arena, &who, &got), 0);
	assert_false(got.network_access); /* no flag goes beyond admin's bound */
	assert_int_equal(got.network_allow.n, 1);
	assert_int_equal(got.readwrite.n, 2);
	who.request = &request;
	assert_int_equal(sandbox_effective(arena, &who, &got), 0);
	assert_str(
	    given(&got), STR("{\"type\":\"WORKSPACE_READWRITE\",\"networkAccess\":false,"
			     "\"networkAllow\":[\"pypi.org\"],\"additionalReadwritePaths\":"
			     "[\"/cache/x\"],"
			     "\"additionalReadonlyPaths\":[],\"blockGitWrites\":true,"
			     "\"disableTmpWrite\":false,\"ignoreMappingJson\":null,"
			     "\"debugOutputDir\":null}"));
}

/* For all sources: a request and the administrator only remove, and no restriction is
 * lifted. */
static void
test_voices(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 20000; i++) {
		struct sandbox_policy layers[2], flags, admin, request, without, bound, got;
		struct sandbox_voices who = { .layers = layers, .n = 2 };

		arena_reset(arena);
		layers[0] = random_policy();
		layers[1] = random_policy();
		flags = random_policy();
		admin = random_policy();
		request = random_policy();
		who.flags = pick(2) ? &flags : NULL;
		assert_int_equal(sandbox_effective(arena, &who, &without), 0);
		who.admin = &admin;
		assert_int_equal(sandbox_effective(arena, &who, &bound), 0);
		who.request = &request;
		assert_int_equal(sandbox_effective(arena, &who, &got), 0);
		assert_true(sandbox_within(arena, &bound, &without));
		assert_true(sandbox_within(arena, &bound, &admin));
		assert_true(sandbox_within(arena, &got, &bound));
		assert_true(sandbox_within(arena, &got, &request));
		for (unsigned k = 0; k < 2; k++) {
			assert_true(got.block_git_writes >= layers[k].block_git_writes);
			assert_true(got.disable_tmp_write >= layers[k].disable_tmp_write);
			assert_true(sandbox_ignore_within(
			    arena, layers[k].ignore_mapping, got.ignore_mapping));
		}
	}
}

static void
test_tightened(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 1000; i++) {
		struct sandbox_policy p, t;

		arena_reset(arena);
		p = random_policy();
		t = sandbox_tightened(&p);
		assert_true(
		    sandbox_level(&t) < 30 && sandbox_level(&t) <= sandbox_level(&p));
		assert_true(sandbox_within(arena, &t, &p));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_meet_is_a_meet),
		cmocka_unit_test(test_meet_all),
		cmocka_unit_test(test_random_round_trip),
		cmocka_unit_test(test_layers_add_up),
		cmocka_unit_test(test_voices),
		cmocka_unit_test(test_tightened),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
