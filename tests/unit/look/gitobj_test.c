/* Hashes, packed streams and the words of git commands. */
#include "../cm.h"
#include "look/git/gitverb.h"
#include "look/git/objects/gitobj.h"
#include "look/git/objects/inflate.h"

static void
hashes(void **state)
{
	static const struct {
		const char *text, *hex;
	} rows[] = {
		{ "", "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391" },
		{ "hello\n", "ce013625030ba8dba906f756967f9e9ca394464a" },
	};
	struct git_oid got, want;

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		git_blob_name(str_from_c(rows[i].text), &got);
		assert_true(git_oid_read(str_from_c(rows[i].hex), &want));
		assert_true(git_oid_eq(&got, &want));
	}
	assert_false(git_oid_read(STR("e69de29bb2d1d6434b8b29ae775ad8c2e48c539"), &want));
	assert_false(git_oid_read(STR("x69de29bb2d1d6434b8b29ae775ad8c2e48c5391"), &want));
}

/* More than one block: padding that fits, and padding that does not. */
static void
long_hashes(void **state)
{
	char text[200];
	unsigned char one[SHA1_BYTES], two[SHA1_BYTES];

	(void)state;
	memset(text, 'a', sizeof text);
	for (size_t n = 0; n < sizeof text; n++) {
		struct str parts[] = { str_of(text, n / 3), str_of(text, n - n / 3) };

		git_sha1(parts, 2, one);
		git_sha1(&(struct str){ text, n }, 1, two);
		assert_memory_equal(one, two, sizeof one);
	}
}

static void
streams(void **state)
{
	/* "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabc", fixed codes; "abc", stored. */
	static const char fixed[] = "\x78\xda\x4b\x4c\xc4\x0f\x92\x92\x01\xe1\x99\x0c\xe6";
	static const char stored[] = "\x78\x01\x01\x03\x00\xfc\xff"
				     "abc\x02\x4d\x01\x27";
	char out[64];
	ptrdiff_t n = inflate_zlib(str_of(fixed, sizeof fixed - 1), out, sizeof out);

	(void)state;
	assert_int_equal(n, 34);
	assert_memory_equal(out, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabc", 34);
	assert_int_equal(inflate_zlib(str_of(fixed, sizeof fixed - 1), out, 5), 5);
	assert_int_equal(inflate_zlib(str_of(stored, sizeof stored - 1), out, 64), 3);
	assert_memory_equal(out, "abc", 3);
	for (size_t i = 0; i < 6; i++)
		assert_int_equal(inflate_zlib(str_of(fixed, i), out, sizeof out), -1);
	assert_int_equal(inflate_zlib(STR("\x78\x9d"
					  "abc"),
			     out, sizeof out),
	    -1);
}

static void
words(void **state)
{
	static const struct {
		struct str v[8];
		enum git_verb verb;
		const char *rev;
		bool force;
	} rows[] = {
		{ { STR_INIT("git"), STR_INIT("checkout"), STR_INIT("x") }, VERB_TARGET,
		    "x", false },
		{ { STR_INIT("/usr/lib/git-core/git-checkout"), STR_INIT("-f"),
		      STR_INIT("x") },
		    VERB_TARGET, "x", true },
		{ { STR_INIT("git"), STR_INIT("-C"), STR_INIT("d"), STR_INIT("checkout"),
		      STR_INIT("-b"), STR_INIT("new"), STR_INIT("x") },
		    VERB_TARGET, "x", false },
		{ { STR_INIT("git"), STR_INIT("reset"), STR_INIT("x") }, VERB_OTHER, "x",
		    false },
		{ { STR_INIT("git"), STR_INIT("reset"), STR_INIT("--hard"), STR_INIT("x") },
		    VERB_TARGET, "x", true },
		{ { STR_INIT("git"), STR_INIT("stash"), STR_INIT("pop") }, VERB_STASH,
		    "refs/stash", true },
		{ { STR_INIT("git"), STR_INIT("stash") }, VERB_TARGET, NULL, true },
		{ { STR_INIT("git"), STR_INIT("restore"), STR_INIT("-s"), STR_INIT("x"),
		      STR_INIT("file") },
		    VERB_TARGET, "x", true },
		{ { STR_INIT("git"), STR_INIT("commit"), STR_INIT("-m"), STR_INIT("x") },
		    VERB_OTHER, NULL, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct git_words w;
		size_t n = 0;

		while (n < 8 && rows[i].v[n].p)
			n++;
		git_words(rows[i].v, n, &w);
		assert_int_equal(w.verb, rows[i].verb);
		assert_int_equal(w.revs_n, rows[i].rev != NULL);
		if (rows[i].rev)
			assert_true(str_is(w.revs[0], rows[i].rev));
		assert_int_equal(w.force, rows[i].force);
	}
}

static void
many_words(void **state)
{
	struct str v[2 + GIT_REVS + 1] = { STR("git"), STR("cherry-pick") };
	struct git_words w;

	(void)state;
	for (size_t i = 2; i < sizeof v / sizeof *v; i++)
		v[i] = STR("x");
	git_words(v, sizeof v / sizeof *v, &w);
	assert_int_equal(w.revs_n, GIT_REVS);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hashes),
		cmocka_unit_test(long_hashes),
		cmocka_unit_test(streams),
		cmocka_unit_test(words),
		cmocka_unit_test(many_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
