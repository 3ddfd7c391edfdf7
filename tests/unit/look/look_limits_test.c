/* Limits: normal results up to the limit, beyond it nothing counts as harmless. */
#include "scratch.h"

static const struct command *
first(const struct scratch *s, const char *text)
{
	struct look_opts o = opts(s);
	struct effects e = effects_of(s, text, &o);

	assert_non_null(e.commands);
	return e.commands;
}

/* The fact of the last file that is written or deleted. */
static struct place_fact
last(const struct scratch *s, const char *text, const struct look_opts *o)
{
	struct effects e = effects_of(s, text, o);
	struct place_fact to = { 0 };
	bool any = false;

	for (const struct file_effect *f = e.files; f; f = f->next)
		if (f->op != FILE_READ) {
			to = f->fact;
			any = true;
		}
	assert_true(any);
	return to;
}

static bool
is_git(const struct scratch *s)
{
	return sh(s, "git init -q . && rm -rf .git/hooks && mkdir .git/hooks") == 0;
}

/* A file with `n` equal lines. */
static void
put_lines(const struct scratch *s, const char *path, const char *begin, const char *line,
    size_t n, const char *end)
{
	FILE *f = fopen(at(s, path), "we");

	assert_non_null(f);
	fputs(begin, f);
	while (n-- > 0)
		fputs(line, f);
	fputs(end, f);
	assert_int_equal(fclose(f), 0);
}

/* ---- git's configuration and hooks */

static void
rewritten_addresses(void **state)
{
	const struct scratch *s = *state;
	static const char begin[] = "[remote \"origin\"]\nurl = a\n";
	const struct command *c;

	if (!is_git(s))
		skip();
	put_lines(s, "w/.git/config", begin, "[url \"b\"]\ninsteadOf = c\n", 16, "");
	c = first(s, "git fetch");
	assert_true(str_is(c->git_url, "a") && !c->git_elsewhere);
	put_lines(s, "w/.git/config", begin, "[url \"b\"]\ninsteadOf = c\n", 17, "");
	c = first(s, "git fetch");
	assert_true(!c->git_url.p && c->git_elsewhere);
}

static void
included_files(void **state)
{
	const struct scratch *s = *state;
	struct str line = about(s, "[include]\npath = @/out/inc\n");
	char text[128] = { 0 };

	if (!is_git(s))
		skip();
	assert_true(line.n < sizeof text);
	memcpy(text, line.p, line.n);
	put(s, "out/inc", "[user]\nname = x\n");
	put_lines(s, "w/.git/config", "", text, 5, "");
	assert_null(first(s, "git status")->git_runs);
	put_lines(s, "w/.git/config", "", text, 17, "");
	assert_non_null(first(s, "git status")->git_runs);
	/* One that includes itself. */
	put_lines(s, "out/inc", "", text, 1, "");
	put_lines(s, "w/.git/config", "", text, 1, "");
	assert_non_null(first(s, "git status")->git_runs);
}

static void
long_configuration(void **state)
{
	const struct scratch *s = *state;
	const size_t most = (size_t)1 << 20;

	if (!is_git(s))
		skip();
	put_lines(s, "w/.git/config", "", "#234567\n", most / 8, "");
	assert_null(first(s, "git status")->git_runs);
	put_lines(s, "w/.git/config", "", "#234567\n", most / 8, "\n");
	assert_non_null(first(s, "git status")->git_runs);
	/* A directory, or cut in the middle. */
	assert_int_equal(sh(s, "rm .git/config && mkdir .git/config"), 0);
	assert_non_null(first(s, "git status")->git_runs);
	assert_int_equal(sh(s, "rmdir .git/config && ln -s config .git/config"), 0);
	assert_non_null(first(s, "git status")->git_runs);
}

static void
many_hooks(void **state)
{
	const struct scratch *s = *state;

	if (!is_git(s))
		skip();
	assert_int_equal(sh(s, "cd .git/hooks && touch $(seq 256)"), 0);
	assert_null(first(s, "git commit -m x")->git_runs);
	assert_int_equal(sh(s, "touch .git/hooks/one-more"), 0);
	assert_non_null(first(s, "git commit -m x")->git_runs);
	/* A file that is no directory contains no hooks. */
	assert_int_equal(sh(s, "rm -r .git/hooks && touch .git/hooks"), 0);
	assert_non_null(first(s, "git commit -m x")->git_runs);
}

/* ---- the index */

static void
put_index(const struct scratch *s, const char *whole, size_t n)
{
	int fd = open(at(s, "w/.git/index"), O_WRONLY | O_TRUNC | O_CLOEXEC);

	assert_int_equal(write(fd, whole, n), (ssize_t)n);
	close(fd);
}

static void
cut_index(void **state)
{
	const struct scratch *s = *state;
	struct look_opts o = opts(s);
	char whole[4096];
	ssize_t n;
	int fd;

	if (!is_git(s))
		skip();
	assert_int_equal(
	    sh(s, "touch -d '1 hour ago' a sub/f && git add . && sleep 0.02 && "
		  "touch .git/index"),
	    0);
	fd = open(at(s, "w/.git/index"), O_RDONLY | O_CLOEXEC);
	n = read(fd, whole, sizeof whole);
	close(fd);
	assert_true(n > 100 && n < (ssize_t)sizeof whole);
	assert_false(last(s, "rm sub/f", &o).unsaved);
	assert_false(last(s, "rm -rf sub", &o).unsaved);
	/* The extensions and the checksum after the entries are not read. */
	for (ssize_t cut = 0; cut < 12 + 2 * 64; cut += 3) {
		assert_int_equal(truncate(at(s, "w/.git/index"), cut), 0);
		if (!last(s, "rm sub/f", &o).unsaved || !last(s, "rm -rf sub", &o).unsaved)
			fail_msg("cut to %zd of %zd", cut, n);
	}
	/* Another version, another mark, more entries than it has. */
	for (size_t at_byte = 0; at_byte < 12; at_byte++) {
		whole[at_byte] ^= 0x40;
		put_index(s, whole, (size_t)n);
		whole[at_byte] ^= 0x40;
		if (!last(s, "rm sub/f", &o).unsaved)
			fail_msg("byte %zu", at_byte);
	}
	put_index(s, whole, (size_t)n);
	assert_false(last(s, "rm sub/f", &o).unsaved);
}

/* ---- trees and links */

static void
deep_trees(void **state)
{
	const struct scratch *s = *state;
	struct look_opts o = opts(s);

	/* Empty directories are no work; deeper ones were not searched to the end. */
	assert_int_equal(sh(s, "p=d30; for i in $(seq 30); do p=$p/x; done; mkdir -p $p; "
			       "p=d40; for i in $(seq 40); do p=$p/x; done; mkdir -p $p"),
	    0);
	assert_false(last(s, "rm -rf d30", &o).unsaved);
	assert_true(last(s, "rm -rf d40", &o).unsaved);
	/* A symlink below them would lead the copy outside. */
	assert_int_equal(
	    sh(s, "mkdir to && cp -r d30 to && mkdir -p from/d40 && mv d40 to"), 0);
	assert_int_equal(last(s, "cp -r d30 to", &o).where, WHERE_INSIDE);
	assert_int_equal(last(s, "cp -r from/d40 to", &o).where, WHERE_UNKNOWN);
}

static void
full_trees(void **state)
{
	const struct scratch *s = *state;
	static const struct str names[] = { STR_INIT(".hides") };
	struct look_opts o = opts(s);
	const struct file_effect *f;
	struct effects e;
	char line[4097] = { [4095] = '\n' };

	o.ignore = (struct look_list){ names, 1 };
	put(s, "w/.hides", "nothing-of-this\n");
	assert_int_equal(sh(s, "mkdir t && cd t && touch $(seq 4096)"), 0);
	e = effects_of(s, "grep -r x t", &o);
	for (f = e.files; f && !f->tree; f = f->next)
		;
	assert_true(f && !f->fact.ignored_below);
	assert_int_equal(sh(s, "touch t/more"), 0);
	e = effects_of(s, "grep -r x t", &o);
	for (f = e.files; f && !f->tree; f = f->next)
		;
	assert_true(f && f->fact.ignored_below);
	/* An ignore file that is too long hides everything. */
	memset(line, '#', sizeof line - 2);
	put_lines(s, "w/.hides", "", line, ((size_t)1 << 20) / (sizeof line - 1), "");
	assert_false(effects_of(s, "cat < a", &o).files->fact.ignored);
	put_lines(s, "w/.hides", "", line, ((size_t)1 << 20) / (sizeof line - 1), "\n");
	assert_true(effects_of(s, "cat < a", &o).files->fact.ignored);
}

static void
long_links(void **state)
{
	const struct scratch *s = *state;
	struct look_opts o = opts(s);
	char to[4096], text[4200];

	/* Each is a path that the kernel accepts; after the symlink it is longer. */
	for (size_t i = 0; i < 4000; i++)
		to[i] = i % 2 ? '/' : '.';
	to[4000] = '\0';
	assert_int_equal(symlink(to, at(s, "w/dots")), 0);
	strcpy(text, "touch dots/a");
	assert_int_equal(last(s, text, &o).where, WHERE_INSIDE);
	strcpy(text, "touch ");
	for (size_t i = 0; i < 800; i++)
		strcat(text, "dots/");
	strcat(text, "a");
	assert_int_equal(last(s, text, &o).where, WHERE_UNKNOWN);
	/* A name too long for any file system, and 41 symlinks. */
	memset(text, 'x', 300);
	memcpy(text, "touch ", 6);
	text[300] = '\0';
	assert_int_equal(last(s, text, &o).where, WHERE_UNKNOWN);
	assert_int_equal(sh(s, "ln -s a l0; for i in $(seq 45); do "
			       "ln -s l$((i - 1)) l$i; done"),
	    0);
	assert_int_equal(last(s, "touch l39", &o).where, WHERE_INSIDE);
	assert_int_equal(last(s, "touch l40", &o).where, WHERE_UNKNOWN);
}

static void
copied_names(void **state)
{
	const struct scratch *s = *state;
	struct look_opts o = opts(s);

	assert_int_equal(last(s, "cp -r sub b; touch b/x", &o).where, WHERE_INSIDE);
	assert_int_equal(last(s, "cp -r sub b; cp -r b c; cp -r c d; touch d/x", &o).where,
	    WHERE_INSIDE);
	assert_int_equal(
	    last(
		s, "cp -r sub b; cp -r b c; cp -r c d; cp -r d e; cp -r e g; touch g/x", &o)
		.where,
	    WHERE_UNKNOWN);
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, scratch_new, scratch_end)
	const struct CMUnitTest tests[] = {
		T(rewritten_addresses),
		T(included_files),
		T(long_configuration),
		T(many_hooks),
		T(cut_index),
		T(deep_trees),
		T(full_trees),
		T(long_links),
		T(copied_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
