/* Seed 004's bypass vectors and the rest of its Testing list, each by its name (4.5, 4.7).
 */
#include "scratch.h"

static void
leaves(void **state, const char *text)
{
	const struct scratch *s = *state;
	struct look_opts o = opts(s);
	struct effects e = effects_of(s, text, &o);

	if (contained(&e))
		fail_msg("called contained: %s", text);
}

static void
inside(void **state, const char *text)
{
	const struct scratch *s = *state;
	struct look_opts o = opts(s);
	struct effects e = effects_of(s, text, &o);

	if (!contained(&e))
		fail_msg("not contained: %s (%s)", text,
		    e.unknowns ? e.unknowns->why
		    : e.files  ? e.files->fact.why
		    : e.chdirs ? e.chdirs->fact.why
			       : "");
}

#define VECTOR(name, ...)                                                                  \
	static void name(void **state)                                                     \
	{                                                                                  \
		static const char *const texts[] = { __VA_ARGS__ };                        \
		for (size_t i = 0; i < COUNT(texts); i++)                                  \
			leaves(state, texts[i]);                                           \
	}
#define HARMLESS(name, ...)                                                                \
	static void name(void **state)                                                     \
	{                                                                                  \
		static const char *const texts[] = { __VA_ARGS__ };                        \
		for (size_t i = 0; i < COUNT(texts); i++)                                  \
			inside(state, texts[i]);                                           \
	}

/* The table "Bypass Vectors Blocked". */
VECTOR(seed_4_5_variable_expansion, "cd $HOME/escape", "cd ${HOME}", "cd $NOPE/x",
    "cd \"$HOME\"")
VECTOR(seed_4_5_command_substitution, "cd `escape`", "cd $(escape)", "cd \"$(cat a)\"")
VECTOR(seed_4_5_tilde_expansion, "cd ~/../escape", "cd ~", "cd ~root", "cd ~/x")
VECTOR(seed_4_5_pipe_prefix, "echo | cd /escape", "true | { cd @/out; touch x; }")
VECTOR(seed_4_5_bare_cd, "cd && ./escape", "cd", "cd; ls", "ls && cd && pwd")
VECTOR(seed_4_5_redirect_escape, "cmd > /escape", "echo x >> @/out/f", "echo x >| @/out/f",
    "echo x &> @/out/f", "echo x &>> @/out/f", "echo x >& @/out/f", ": 1<> @/out/f",
    "exec 3> @/out/f", "echo x > >(cat > @/out/f)", "cat <<E > @/out/f\nx\nE\n")
VECTOR(seed_4_5_cp_mv_destination, "cp a @/out/file", "mv a @/out/file", "cp -t @/out a",
    "cp --target-dir=@/out a", "install a @/out/x", "mv @/out/v .", "ln -s @/out sub/k",
    "cp -at @/out a", "ln @/out/v h")
VECTOR(seed_4_5_empty_variable, "echo x > $UNSET_VAR", "cd \"$UNSET_VAR\"x",
    "touch $UNSET_VAR/f")
VECTOR(seed_4_5_cd_dash, "cd -", "cd sub; cd -; cd -", "cd - && touch x")

/* The design decisions. */
VECTOR(seed_4_7_glob_targets, "cd l*", "cd */", "echo x > ?ub/../../out/f", "cd [ls]*",
    "touch *")
VECTOR(seed_4_7_double_dash, "cd -- @/out", "cd -- ..", "cd -P -- @/out", "pushd -- @/out")
HARMLESS(seed_4_7_double_dash_inside, "cd -- sub", "cd -P -- sub", "rm -- a")

/* Other ways to enter a directory, and other programs that write. */
VECTOR(cd_in_every_form, "pushd @/out", "builtin cd @/out", "command cd @/out",
    "X=1 cd @/out", "! cd ..", "time cd ..", "if true; then cd ..; fi",
    "for i in 1; do cd ..; done", "{ cd ..; }", "(cd ..)", "case a in a) cd ..;; esac",
    "f() { cd ..; }; f", "true\ncd ..", "</dev/null cd ..", "2>/dev/null cd ..", "cd -P ..",
    "cd -L ..", "c\\\nd ..", "CDPATH=@ ; cd out", "eval 'cd ..'",
    "bash -c 'cd ..; touch x'", "env -C @/out touch x", "git -C @/out init",
    "make -C @/out", "tar xf a -C @/out", "cd sub/../..", "cd sub && cd ../..", "cd $'..'")
VECTOR(writers, "rm @/out/v", "mkdir @/out/d", "truncate -s0 @/out/v",
    "sed -i s/a/b/ @/out/v", "tee @/out/v", "dd if=a of=@/out/v", "touch @/out/v",
    "chmod 1 @/out/v", "sort -o @/out/v a", "curl -o @/out/v http://x.org",
    "git clone x @/out/r", "unzip x.zip -d @/out", "patch -d @/out -i a",
    "find @/out -delete", "split a @/out/p", "rsync -a sub @/out",
    "awk 'BEGIN { print > \"@/out/v\" }'", "sed -n 'w @/out/v' a",
    "echo a | xargs -I{} cp {} @/out", "nice tee @/out/v", "timeout 1 tee @/out/v",
    "env X=1 tee @/out/v", "chown 1 @/out/v")
HARMLESS(work_inside, "echo x > a", "echo x > @/w/new", "cd sub && touch f ../a",
    "mkdir -p n/m && cd n/m", "cp a b && mv b c", "rm -rf sub", "echo hi 2>&1",
    "echo hi >&2", "ls > /dev/null 2>&1", "cd @/w/sub && pwd", "tee sub/x < a",
    "git init .", "sort -o a a", "cat <<E > f\ncd /\nE\n", "mkdir -p 'a b' && cd 'a b'",
    "cp -r sub s2 && touch s2/f s2/new", "mv sub s3; echo x > s3/f",
    "curl -s -o /dev/null http://x.org")

/* Shell tokens: nested quotes, escaped characters. */
VECTOR(seed_4_7_nested_quotes, "cd \"'..'/../..\"", "c\"d\" @/out", "\\cd @/out",
    "cd '@/out'", "cd \"@/\"'out'", "echo x > @/\"out\"/f", "echo x > \\@/out/f",
    "bash -c \"cd '@/out'\"")
HARMLESS(seed_4_7_quoted_text, "echo 'cd ..'", "echo \"cd @/out\"",
    "echo \"fix: cd ~/x\" > a", "grep 'rm -rf /' a", "echo \\> @/out/f", "echo '> /escape'",
    "echo \"it's a > b\" > a")

/* A word that could be an option changes the meaning of the others. */
VECTOR(unknown_options, "cp $x a", "cp -t$x a", "cp \"$x\" sub", "cp -at$x a", "mv *.c sub",
    "cp --target-directory=$x a")
HARMLESS(unknown_words, "cp -- \"$x\" sub", "touch -d \"$(date)\" a", "echo \"$x\" > a",
    "for f in a b; do cp \"$f\" sub; done")

/* Links. */
static void
links(void **state)
{
	const struct scratch *s = *state;

	links_around(s);
	point(s, "w/sub/up", "../..");
	folder(s, "w/d");
	point(s, "w/d/a", "../../out/v");
	leaves(state, "echo x > lout/f");
	leaves(state, "echo x > lfile");
	leaves(state, "echo x > dang");
	leaves(state, "echo x > loop");
	leaves(state, "cd lout");
	leaves(state, "cd lin/.. && cd sub/up");
	leaves(state, "cd lin; touch ../../out/f");
	leaves(state, "cp a lout");
	leaves(state, "cp a d");
	leaves(state, "cp * d");
	/* Bug 120: unpackers follow symlinks that were there before; tar x -C dir was
	 * called contained. */
	leaves(state, "tar xf a -C d");
	leaves(state, "tar c sub/f | tar x");
	leaves(state, "unzip a -d d");
	leaves(state, "find lout/ -delete");
	leaves(state, "rm lout/v");
	leaves(state, "echo x > sub/up/out/f");
	leaves(state, "cp -a lout k; echo x > k/f");
	/* A name that is a symlink now, and may be a copy later. */
	leaves(state, "f() { cp -a a d; }; f");
	leaves(state, "cd sub/up && touch x; cp -a @/home/f sub");
	leaves(state, "cp -r sub s2; cd s2/up");
	inside(state, "rm lout lfile dang loop");
	inside(state, "echo x > lin/f");
	inside(state, "cd lin && cd ..");
	inside(state, "mv lin other");
	inside(state, "echo x > lin/../a");
}

/* A symlink that the same text creates. */
/* Bug 251: links that `7zr x` or `pax -r` unpacks were not expected: two lists of
 * unpackers differed. */
/* Bug 306: in `bash -c 'ln -s /srv/x y'` the option -s was taken for the symlink's
 * target. */
VECTOR(links_of_the_text, "ln -s @/out k && echo x > k/f", "ln -s ../out k; cd k",
    "ln -s ../out sub/k; mv sub/k k; touch k/f", "ln @/out/v h; echo x > h",
    "tar xf a.tar && cd k && touch f", "7zr x a.7z && cd k && touch f",
    "unar a.zip && cd k && touch f", "pax -r -f a && touch k/f",
    "git checkout x && touch k/f", "f() { touch k/f; }; ln -s ../out k; f",
    "for i in 1 2; do touch k/f; ln -s ../out k; done",
    "bash -c 'ln -s ../out k; touch k/f'", "ln -s sub k; ln -s ../out k; echo x > k/f",
    "bash -c 'ln -s @/out k'", "sh -c 'ln -s ../out k'")
HARMLESS(links_of_the_text_elsewhere, "ln -s sub k && touch a", "ln -sf sub/f k; rm k",
    "git checkout -b new && touch a", "git clone x.org/y.git && touch a", "cp a b; touch b")

/* /proc, /dev and other special paths. */
VECTOR(magic_links, "echo x > /proc/self/cwd/../out/f", "echo x > /proc/self/root/@/out/f",
    "cd /proc/self/cwd", "echo x > /proc/1/root/f", "exec 3< @/out/v; echo x > /dev/fd/3",
    "exec 3< @/out/v; echo x > /proc/self/fd/3", "echo x > /dev/fd/7",
    "echo x > /dev/stdin", "exec 1< @/out/v; echo x > /dev/stdout", "rm /dev/null",
    "mv a /dev/null", "echo x > /dev/sda")
HARMLESS(devices, "echo x > /dev/null", "echo x > /dev/stdout", "echo x > /dev/stderr",
    "echo x > /dev/fd/2", "cat < /dev/stdin", "dd if=/dev/zero of=a count=1",
    "echo x | tee /dev/null", "echo x > //dev//null", "echo x > /dev/tty")

int
main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, scratch_new, scratch_end)
	const struct CMUnitTest tests[] = {
		T(seed_4_5_variable_expansion),
		T(seed_4_5_command_substitution),
		T(seed_4_5_tilde_expansion),
		T(seed_4_5_pipe_prefix),
		T(seed_4_5_bare_cd),
		T(seed_4_5_redirect_escape),
		T(seed_4_5_cp_mv_destination),
		T(seed_4_5_empty_variable),
		T(seed_4_5_cd_dash),
		T(seed_4_7_glob_targets),
		T(seed_4_7_double_dash),
		T(seed_4_7_double_dash_inside),
		T(cd_in_every_form),
		T(writers),
		T(work_inside),
		T(seed_4_7_nested_quotes),
		T(seed_4_7_quoted_text),
		T(unknown_options),
		T(unknown_words),
		T(links),
		T(links_of_the_text),
		T(links_of_the_text_elsewhere),
		T(magic_links),
		T(devices),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
