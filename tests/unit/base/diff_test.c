/* base/diff.h: the hunks lead from one text to the other. */
#include "../cm.h"
#include "base/diff.h"
#include <stdlib.h>
#include <string.h>

static struct str
diff(struct arena *a, const char *before, const char *after)
{
	struct buf b;

	buf_init(&b, a);
	assert_true(diff_put(a, str_from_c(before), str_from_c(after), &b));
	return buf_str(&b);
}

static void
test_texts(void **state)
{
	static const struct {
		const char *before, *after, *want;
	} cases[] = {
		{ "", "", "" },
		{ "a\n", "a\n", "" },
		{ "", "a\n", "@@ -0,0 +1 @@\n+a\n" },
		{ "a\n", "", "@@ -1 +0,0 @@\n-a\n" },
		{ "a\nb\nc\n", "a\nx\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n" },
		{ "a\n", "a", "@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n" },
		{ "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\n5\n6\n7\n8\nx\n",
		    "@@ -6,4 +6,4 @@\n 6\n 7\n 8\n-9\n+x\n" },
		{ "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n",
		    "x\n2\n3\n4\n5\n6\n7\n8\n9\n10\ny\n",
		    "@@ -1,4 +1,4 @@\n-1\n+x\n 2\n 3\n 4\n@@ -8,4 +8,4 @@\n 8\n 9\n "
		    "10\n-11\n+y\n" },
		{ "a\033[2Jb\n", "c\n", "@@ -1 +1 @@\n-a\\x1b[2Jb\n+c\n" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct arena *a = arena_new((size_t)1 << 20);

		assert_str(
		    diff(a, cases[i].before, cases[i].after), str_from_c(cases[i].want));
		arena_free(a);
	}
}

/* Apply the hunks to `before`; the lines are single letters. */
static size_t
apply(struct str before, struct str hunks, char *out)
{
	size_t at = 0, n = 0;

	while (hunks.n) {
		struct str line = str_cut(hunks, 0, str_find(hunks, '\n'));

		hunks = str_skip(hunks, line.n + 1);
		if (line.p[0] == '@') {
			size_t first = strtoul(line.p + 4, NULL, 10);
			const char *comma = strchr(line.p + 4, ',');
			bool empty =
			    comma && comma < strchr(line.p, '+') && comma[1] == '0';

			for (first -= empty ? 0 : 1; at < first; at++)
				out[n++] = before.p[2 * at];
		} else if (line.p[0] == '+') {
			out[n++] = line.p[1];
		} else {
			assert_int_equal(before.p[2 * at], line.p[1]);
			if (line.p[0] == ' ')
				out[n++] = line.p[1];
			at++;
		}
	}
	for (; at < before.n / 2; at++)
		out[n++] = before.p[2 * at];
	return n;
}

static size_t
make(char *text, unsigned letters, size_t most)
{
	size_t n = (size_t)rand() % most;

	for (size_t i = 0; i < n; i++) {
		text[2 * i] = (char)('a' + rand() % (int)letters);
		text[2 * i + 1] = '\n';
	}
	text[2 * n] = '\0';
	return n;
}

static void
test_leads_there(void **state)
{
	static char before[4096], after[4096], got[8192];

	(void)state;
	srand(7);
	for (int i = 0; i < 3000; i++) {
		struct arena *a = arena_new((size_t)4 << 20);
		struct str hunks;
		size_t n;

		(void)make(before, 1 + (unsigned)i % 5, 40);
		n = make(after, 1 + (unsigned)i % 5, 40);
		hunks = diff(a, before, after);
		assert_int_equal(apply(str_from_c(before), hunks, got), n);
		for (size_t k = 0; k < n; k++)
			assert_int_equal(got[k], after[2 * k]);
		arena_free(a);
	}
}

/* Beyond the limit the result is one block, and still correct. */
static void
test_too_different(void **state)
{
	static char before[40000], after[40000], got[40000];
	struct arena *a = arena_new((size_t)32 << 20);
	size_t n = 0;

	(void)state;
	for (size_t i = 0; i < 4000; i++) {
		before[n] = (char)('a' + i % 13);
		after[n++] = (char)('n' + i % 13);
		before[n] = after[n] = '\n';
		n++;
	}
	before[n] = after[n] = '\0';
	assert_int_equal(apply(str_from_c(before), diff(a, before, after), got), 4000);
	arena_free(a);
}

/* With too little memory the result is false, or complete. */
static void
test_memory(void **state)
{
	static const struct str before = STR_INIT("a\nb\nc\nd\n"),
				after = STR_INIT("a\nx\nc\ny\nd\n");
	struct arena *whole = arena_new(1 << 20);
	struct buf want;
	size_t peak;

	(void)state;
	buf_init(&want, whole);
	assert_true(diff_put(whole, before, after, &want));
	peak = whole->peak;
	for (size_t n = 0; n < peak; n += 8) {
		struct arena *a = arena_new(n);
		struct buf got;

		buf_init(&got, whole);
		if (a && diff_put(a, before, after, &got))
			assert_true(got.n > 0);
		arena_free(a);
	}
	arena_free(whole);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_leads_there),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_too_different),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
