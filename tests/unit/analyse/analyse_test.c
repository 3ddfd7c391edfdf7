/* The analysis as text, and every case in every amount of memory. */
#include "../cm.h"
#include "analyse/analyse.h"
#include "base/limits.h"
#include <stdio.h>

static char memory[2][LIMIT_ARENA];
static const struct analyse_opts where = { STR_INIT("/w"), STR_INIT("/home/u") };

/* clang-format off: as printed */
static const struct {
	struct str text;
	const char *shown;
} rows[] = {
	{ STR("A=$x FOO=1 sudo rm -rf \"$y\" *.o && cd sub && curl https://x.org/a | bash "
	      "-c \"cat > out; export PATH=x\""),
	    "runs\n"
	    "  admin    A=\342\200\246 FOO=1 sudo rm -rf \342\200\246 \342\200\246?\n"
	    "  destroy  A=\342\200\246 FOO=1 rm -rf \342\200\246 \342\200\246?   (through "
	    "sudo)\n"
	    "  read     cd sub\n"
	    "  network  curl https://x.org/a\n"
	    "  exec     bash -c 'cat > out; export PATH=x'\n"
	    "  read     cat   (through bash -c)\n"
	    "  read     export PATH=x   (through bash -c)\n"
	    "enters\n"
	    "  /w/sub\n"
	    "files\n"
	    "  delete   somewhere\n"
	    "  delete   somewhere\n"
	    "  write    /w/sub/out\n"
	    "talks to\n"
	    "  https://x.org/a\n"
	    "sets\n"
	    "  PATH=x\n"
	    "not known\n"
	    "  sets a variable that changes what commands mean: \"cat > out; export "
	    "PATH=x\"\n" },
	{ STR("f() { ls; }; f; cat <f > \"a b\"; rm \"pre$x\"; cd \"$y\"; wget \"$u\""),
	    "runs\n"
	    "  unknown  f   (a function)\n"
	    "  read     ls\n"
	    "  read     cat\n"
	    "  destroy  rm pre\342\200\246\n"
	    "  read     cd \342\200\246\n"
	    "  network  wget \342\200\246\n"
	    "enters\n"
	    "  somewhere\n"
	    "files\n"
	    "  read     /w/f\n"
	    "  write    /w/a b\n"
	    "  delete   pre\342\200\246\n"
	    "talks to\n"
	    "  somewhere\n"
	    "not known\n"
	    "  an unknown word could be an option that does more: \"$u\"\n" },
	{ STR("ls\necho \"a"), "refused, line 2, column 6: this \" is never closed\n"
			       "  echo \"a\n"
			       "       ^\n" },
	{ STR("echo \303\251 \"a"), "refused, line 1, column 9: this \" is never closed\n"
				    "  echo \303\251 \"a\n"
				    "         ^\n" },
};
/* clang-format on */

static void
test_shown(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		bool refused = strncmp(rows[i].shown, "refused", 7) == 0;
		struct arena a;
		struct buf out;
		int r;

		arena_init(&a, memory[0], sizeof memory[0]);
		buf_init(&out, &a);
		r = analyse_show(&a, rows[i].text, &where, &out);
		assert_int_equal(r != 0, refused);
		assert_str(buf_str(&out), str_from_c(rows[i].shown));
	}
}

/* A line that is too long for a mark below it is only named. */
static void
test_shown_long(void **state)
{
	static char text[400];
	struct arena a;
	struct buf out;

	(void)state;
	memset(text, 'a', sizeof text);
	text[sizeof text - 1] = '(';
	arena_init(&a, memory[0], sizeof memory[0]);
	buf_init(&out, &a);
	assert_true(analyse_show(&a, str_of(text, sizeof text), &where, &out) < 0);
	assert_true(str_starts(buf_str(&out), STR("refused, line 1, column ")));
	assert_true(out.n < 100);
	/* Not even the name fits. */
	arena_init(&a, memory[0], 64);
	buf_init(&out, &a);
	assert_int_equal(analyse_show(&a, STR("ls; ls; ls"), &where, &out), CORDON_ENOMEM);
}

/* ---- memory */

/* With less memory the answer is the same, or an error; never another one. */
static void
check_memory(struct str text, size_t shift)
{
	struct arena a, b;
	struct buf want, got;
	int r, s;

	arena_init(&a, memory[0], sizeof memory[0]);
	buf_init(&want, &a);
	r = analyse_json(&a, text, &where, &want);
	for (size_t n = shift; n < a.peak; n += 16 + a.peak / 256) {
		arena_init(&b, memory[1], n);
		buf_init(&got, &b);
		s = analyse_json(&b, text, &where, &got);
		if (s == CORDON_ENOMEM)
			continue;
		assert_int_equal(s, r);
		assert_str(buf_str(&got), buf_str(&want));
	}
}

static void
check_file(const char *name)
{
	static char line[4096], text[4096];
	FILE *f = fopen(name, "rb");
	size_t seen = 0;

	if (!f)
		fail_msg("cannot read %s: start in the root of the repository", name);
	while (fgets(line, sizeof line, f)) {
		const char *at = strstr(line, " | ");
		size_t n = 0;

		if (line[0] == '#' || !at)
			continue;
		/* A special byte stands for a newline. */
		for (at += 3; *at && *at != '\n'; n++)
			if (strncmp(at, "\342\220\244", 3) == 0) {
				text[n] = '\n';
				at += 3;
			} else {
				text[n] = *at++;
			}
		check_memory(str_of(text, n), seen++ % 64);
	}
	fclose(f);
	assert_true(seen > 10);
}

static void
test_memory(void **state)
{
	static const char *const files[] = { "arith", "basic", "braces", "builtins",
		"languages", "loops", "programs", "runs", "sed", "state", "values", "words",
		"wrappers" };
	char name[64];

	(void)state;
	for (size_t i = 0; i < COUNT(files); i++) {
		assert_in_range(
		    snprintf(name, sizeof name, "tests/cases/analyse/%s.case", files[i]), 1,
		    63);
		check_file(name);
	}
}

/* ---- limits */

/* More commands than the limit: 60 calls of a function with 100. */
static void
test_too_many(void **state)
{
	struct effects e = { 0 };
	struct err err = { 0, 0, NULL };
	struct arena a, texts;
	struct buf text;

	(void)state;
	arena_init(&texts, memory[1], sizeof memory[1]);
	buf_init(&text, &texts);
	buf_puts(&text, "f() { ");
	for (size_t i = 0; i < 100; i++)
		buf_puts(&text, "ls; ");
	buf_puts(&text, "}");
	for (size_t i = 0; i < 60; i++)
		buf_puts(&text, "; f");
	arena_init(&a, memory[0], sizeof memory[0]);
	assert_int_equal(analyse(&a, buf_str(&text), &where, &e, &err), CORDON_ELIMIT);
	assert_string_equal(err.why, "more than 4096 commands");
	assert_null(e.commands);
}

/* Texts nested too deeply are unknown. */
static void
test_too_deep(void **state)
{
	struct effects e = { 0 };
	struct arena a;

	(void)state;
	arena_init(&a, memory[0], sizeof memory[0]);
	assert_int_equal(analyse(&a, STR("eval eval eval eval eval eval eval eval ls"),
			     &where, &e, NULL),
	    0);
	assert_non_null(e.unknowns);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shown),
		cmocka_unit_test(test_shown_long),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_too_many),
		cmocka_unit_test(test_too_deep),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
