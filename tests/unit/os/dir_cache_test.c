/* The cache changes no answer. */
#include "../look/scratch.h"
#include "look/resolve.h"
#include "os/dir_cache.h"

static const char *const parts[] = { "w", "out", "sub", "deep", "a", "l", "up", "abs", "no",
	"loop", "..", ".", "f", "/", "x" };

static unsigned random_state = 1;

static unsigned
next_random(unsigned n)
{
	random_state = random_state * 1103515245 + 12345;
	return (random_state >> 16) % n;
}

static const char *
random_path(const struct scratch *s)
{
	char rest[128] = "";
	unsigned n = next_random(6) + 1;

	for (unsigned i = 0; i < n; i++) {
		strcat(rest, i ? "/" : "");
		strcat(rest, parts[next_random(sizeof parts / sizeof *parts)]);
	}
	return at(s, rest);
}

static void
grow(const struct scratch *s)
{
	folder(s, "out/deep");
	folder(s, "w/sub/deep");
	point(s, "w/l", "../out/deep");
	point(s, "w/sub/up", "..");
	point(s, "w/abs", at(s, "out"));
	point(s, "w/loop", "loop");
	point(s, "out/deep/l", "../../w/sub");
	folder(s, "w/l/x");
}

static void
same(struct resolved a, struct resolved b)
{
	assert_int_equal(a.real.p == NULL, b.real.p == NULL);
	if (a.real.p)
		assert_str(a.real, b.real);
	assert_int_equal(a.exists, b.exists);
	assert_int_equal(a.directory, b.directory);
	assert_int_equal(a.link, b.link);
	assert_int_equal(a.linked, b.linked);
}

static void
must_1_the_answers_are_the_same(void **state)
{
	const struct scratch *s = *state;
	const char *heres[] = { NULL, "w", "w/sub", "out/deep", "." };

	grow(s);
	for (unsigned k = 0; k < 2000; k++) {
		const char *here = heres[k % 5];
		size_t used = s->a->used;
		char real[4096];
		struct dir_cache seen;

		if (here)
			assert_int_equal(chdir(at(s, here)), 0);
		assert_non_null(getcwd(real, sizeof real));
		for (unsigned i = 0; i < 12; i++) {
			struct str path = str_from_c(random_path(s));
			struct resolved with, without;

			if (i == 0)
				dir_cache_begin(&seen,
				    here ? str_from_c(real) : (struct str){ NULL, 0 });
			assert_int_equal(look_resolve(s->a, path, 0, NULL, &with, NULL), 0);
			dir_cache_end();
			assert_int_equal(
			    look_resolve(s->a, path, 0, NULL, &without, NULL), 0);
			same(with, without);
			/* Continue with the cache: dir_cache_begin() would clear it. */
			if (i < 11) {
				struct dir_cache kept = seen;

				dir_cache_begin(&seen, kept.here);
				for (size_t d = 0; d < kept.n; d++)
					dir_cache_add(str_of(
					    kept.text + kept.dir[d].at, kept.dir[d].n));
			}
		}
		s->a->used = used;
	}
}

static void
must_2_its_bytes_are_its_own(void **state)
{
	const struct scratch *s = *state;
	struct dir_cache seen;
	char path[64];

	(void)s;
	dir_cache_begin(&seen, (struct str){ NULL, 0 });
	strcpy(path, "/usr/local/lib");
	dir_cache_add(str_from_c(path));
	memset(path, 'x', sizeof path);
	assert_int_equal(dir_cache_known(STR("/usr/local/lib")), 14);
	assert_int_equal(dir_cache_known(STR("/usr/local/lib/x")), 14);
	assert_int_equal(dir_cache_known(STR("/usr/local/libx")), 10);
	assert_int_equal(dir_cache_known(STR("/usr")), 4);
	assert_int_equal(dir_cache_known(STR("/us")), 1);
	assert_int_equal(dir_cache_known(STR("/")), 1);
	dir_cache_end();
	assert_int_equal(dir_cache_known(STR("/usr/local/lib")), 1);
}

static void
what_does_not_fit_is_not_kept(void **state)
{
	const struct scratch *s = *state;
	struct dir_cache seen;
	char path[DIR_CACHE_BYTES + 2] = "/";

	(void)s;
	dir_cache_begin(&seen, (struct str){ NULL, 0 });
	memset(path + 1, 'a', DIR_CACHE_BYTES);
	dir_cache_add(str_of(path, DIR_CACHE_BYTES + 1));
	assert_int_equal(seen.n, 0);
	for (char c = 'a'; c <= 'z'; c++) {
		char name[] = { '/', c };

		dir_cache_add(str_of(name, 2));
	}
	assert_int_equal(seen.n, DIR_CACHE_DIRS);
	assert_int_equal(dir_cache_known(STR("/z")), 1);
	dir_cache_end();
}

static void
names_from_here(void **state)
{
	const struct scratch *s = *state;
	struct dir_cache seen;

	(void)s;
	assert_string_equal(dir_cache_relative("/a/b/c", 6), "/a/b/c");
	dir_cache_begin(&seen, STR("/a/b"));
	assert_string_equal(dir_cache_relative("/a/b/c", 6), "c");
	assert_string_equal(dir_cache_relative("/a/b/c/d", 8), "c/d");
	assert_string_equal(dir_cache_relative("/a/b", 4), "/a/b");
	assert_string_equal(dir_cache_relative("/a/b/", 5), "/a/b/");
	assert_string_equal(dir_cache_relative("/a/b//c", 7), "/a/b//c");
	assert_string_equal(dir_cache_relative("/a/bc", 5), "/a/bc");
	dir_cache_begin(&seen, STR("/"));
	assert_string_equal(dir_cache_relative("/a", 2), "/a");
	dir_cache_end();
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, scratch_new, scratch_end)
	const struct CMUnitTest tests[] = {
		T(must_1_the_answers_are_the_same),
		T(must_2_its_bytes_are_its_own),
		T(what_does_not_fit_is_not_kept),
		T(names_from_here),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
