/* Builtins of the shell: the table, and the simple ones. */
#include "analyse/builtin/builtin.h"
#include "analyse/guess.h"
#include "analyse/programs/programs.h"
#include "analyse/word/word.h"

static struct flow
nothing(struct walk *w, struct invocation *c, struct state s)
{
	(void)w;
	(void)c;
	return flow_of(s);
}

static struct flow
succeeds(struct walk *w, struct invocation *c, struct state s)
{
	struct flow f = nothing(w, c, s);

	f.fail.dead = true;
	return f;
}

static struct flow
fails(struct walk *w, struct invocation *c, struct state s)
{
	struct flow f = nothing(w, c, s);

	f.ok.dead = true;
	return f;
}

static struct flow
leaves(struct walk *w, struct invocation *c, struct state s)
{
	struct flow f = nothing(w, c, s);

	/* exit --help only prints, and an unknown word could be that. */
	if (c->argc == 1 ||
	    (c->argv[1].kind == FIELD_STR ? !str_is(c->argv[1].text, "--help")
					  : c->argv[1].number))
		f.ok.dead = f.fail.dead = true;
	return f;
}

static struct flow
shifts(struct walk *w, struct invocation *c, struct state s)
{
	struct args *args = walk_alloc(w, sizeof *args);
	struct field *items;
	uint64_t n = 1;

	if (!s.args || !args || c->argc > 2 ||
	    (c->argc == 2 &&
		(c->argv[1].kind != FIELD_STR || !str_number(c->argv[1].text, 1024, &n))) ||
	    n >= s.args->n) {
		s.args = NULL;
		return flow_of(s);
	}
	items = walk_alloc(w, (s.args->n - (size_t)n) * sizeof *items);
	if (!items)
		return flow_of(s);
	items[0] = s.args->items[0];
	for (size_t i = 1; i + n < s.args->n; i++)
		items[i] = s.args->items[i + n];
	*args = (struct args){ items, s.args->n - (size_t)n };
	s.args = args;
	return flow_of(s);
}

/* A builtin that changes how the rest is read, or runs text that it is given. */
static struct flow
opaque(struct walk *w, struct invocation *c, struct state s)
{
	if (c->argc > 1)
		add_unknown(w, c->at, "this builtin changes what commands mean");
	return flow_of(s);
}

/* bash -c does not expand aliases; other shells do. */
static struct flow
aliases(struct walk *w, struct invocation *c, struct state s)
{
	for (size_t i = 1; i < c->argc; i++)
		guess_alias(w, c->argv[i]);
	return w->frame.dialect == DIALECT_SH ? opaque(w, c, s) : flow_of(s);
}

static bool
has_option(const struct invocation *c, const char *letters)
{
	for (size_t i = 1; i < c->argc; i++) {
		struct str t = c->argv[i].text;

		if (c->argv[i].kind == FIELD_MANY ||
		    (c->argv[i].kind == FIELD_ONE && t.n == 0))
			return true;
		if (t.n < 2 || t.p[0] != '-')
			continue;
		for (size_t k = 1; k < t.n; k++)
			if (strchr(letters, t.p[k]))
				return true;
	}
	return false;
}

/* hash -p /path name: from now on the name means that program. */
static struct flow
runs_with_p(struct walk *w, struct invocation *c, struct state s)
{
	for (size_t i = 1; i + 1 < c->argc; i++)
		if (field_is(c->argv[i], "-p"))
			guess_shell(w, c->argv[i + 1], STR("hash"), s);
	return has_option(c, "p") ? opaque(w, c, s) : flow_of(s);
}

/* compgen runs the command of -C, and expands the words of -W. */
static struct flow
runs_with_c(struct walk *w, struct invocation *c, struct state s)
{
	for (size_t i = 1; i + 1 < c->argc; i++) {
		if (field_is(c->argv[i], "-C"))
			guess_shell(w, c->argv[i + 1], STR("compgen"), s);
		if (field_is(c->argv[i], "-W"))
			guess_expansions(w, c->argv[i + 1].text, c->at, s);
	}
	return has_option(c, "CFW") ? opaque(w, c, s) : flow_of(s);
}

static struct flow
builtin_history(struct walk *w, struct invocation *c, struct state s)
{
	for (size_t i = 1; i + 1 < c->argc; i++)
		if (field_is(c->argv[i], "-a") || field_is(c->argv[i], "-w"))
			add_file(
			    w, FILE_WRITE, false, c->argv[i + 1], s.cwd, STR("history"));
	return has_option(c, "p") ? opaque(w, c, s) : flow_of(s);
}

/* ---- set and shopt: only options that leave the meaning of the text unchanged */

static const char set_names[] =
    "allexport\0errexit\0errtrace\0functrace\0hashall\0ignoreeof\0monitor\0noclobber\0"
    "noglob\0nolog\0notify\0nounset\0pipefail\0verbose\0xtrace\0emacs\0vi\0";

static const char shopt_names[] =
    "autocd\0cdspell\0checkhash\0checkjobs\0checkwinsize\0cmdhist\0direxpand\0"
    "dirspell\0dotglob\0force_fignore\0globasciiranges\0globskipdots\0"
    "globstar\0gnu_errfmt\0histappend\0histreedit\0histverify\0hostcomplete\0"
    "huponexit\0inherit_errexit\0interactive_comments\0lithist\0mailwarn\0"
    "no_empty_cmd_completion\0nocaseglob\0nocasematch\0nullglob\0patsub_replacement\0"
    "progcomp\0progcomp_alias\0promptvars\0shift_verbose\0sourcepath\0";

/* The words after set become $1 $2 ... */
static struct state
set_args(struct walk *w, const struct invocation *c, size_t from, struct state s)
{
	struct args *args = walk_alloc(w, sizeof *args);
	struct field *items = walk_alloc(w, (c->argc - from + 1) * sizeof *items);
	struct field zero = { .kind = FIELD_ONE, .text = STR(""), .at = c->at };

	s.args = NULL;
	if (!args || !items)
		return s;
	items[0] = zero;
	for (size_t i = from; i < c->argc; i++) {
		if (c->argv[i].kind == FIELD_MANY)
			return s;
		items[i - from + 1] = c->argv[i];
	}
	*args = (struct args){ items, c->argc - from + 1 };
	s.args = w->args = args;
	return s;
}

static bool
set_letters_known(struct str word)
{
	for (size_t i = 1; i < word.n; i++)
		if (!strchr("abefhmuvxCET", word.p[i]))
			return false;
	return true;
}

/* set -a also exports functions. */
static void
note_exports(
    struct walk *w, const struct invocation *c, struct str letters, struct str name)
{
	if (str_find(letters, 'a') == letters.n && !str_is(name, "allexport"))
		return;
	w->exports = true;
	if (w->functions)
		add_unknown(w, c->at, "exports a function to other shells");
}

static struct flow
builtin_set(struct walk *w, struct invocation *c, struct state s)
{
	size_t i = 1;

	for (; i < c->argc; i++) {
		struct field f = c->argv[i];
		bool known = false;

		/* A final - or + keeps the arguments. */
		if (i + 1 == c->argc && (field_is(f, "-") || field_is(f, "+")))
			return flow_of(s);
		if (field_is(f, "--") || field_is(f, "-"))
			return flow_of(set_args(w, c, i + 1, s));
		if (field_is(f, "+"))
			return flow_of(forget_all(w, s));
		if (f.kind == FIELD_STR && (f.text.n < 2 || !strchr("-+", f.text.p[0])))
			return flow_of(set_args(w, c, i, s));
		if (f.kind == FIELD_ONE && f.text.n > 0 && !strchr("-+", f.text.p[0]))
			return flow_of(set_args(w, c, i, s));
		if (f.kind == FIELD_STR && str_ends(f.text, STR("o"))) {
			struct str letters = str_cut(f.text, 0, f.text.n - 1);

			known = set_letters_known(letters) && i + 1 < c->argc &&
				c->argv[i + 1].kind == FIELD_STR &&
				str_among(c->argv[i + 1].text, set_names);
			if (known)
				note_exports(w, c, letters, c->argv[i + 1].text);
			i++;
		} else if (f.kind == FIELD_STR) {
			known = set_letters_known(f.text);
			note_exports(w, c, f.text, STR(""));
		}
		if (!known) {
			s.args = NULL;
			return opaque(w, c, s);
		}
	}
	return flow_of(s);
}

static struct flow
builtin_shopt(struct walk *w, struct invocation *c, struct state s)
{
	bool sets = has_option(c, "suo");

	for (size_t i = 1; i < c->argc; i++)
		w->aliasing |= field_is(c->argv[i], "expand_aliases");
	for (size_t i = 1; i < c->argc && sets; i++)
		if (c->argv[i].kind != FIELD_STR ||
		    (!str_starts(c->argv[i].text, STR("-")) &&
			!str_among(c->argv[i].text, shopt_names)))
			return opaque(w, c, s);
	return flow_of(s);
}

/* ---- the table, sorted */

/*
 * X-macro: the names go into one table without relocations, the functions into a switch.
 * Sorted by name.
 */
#define BUILTINS(X)                                                                        \
	X(".", builtin_source)                                                             \
	X(":", succeeds)                                                                   \
	X("[", builtin_test)                                                               \
	X("alias", aliases)                                                                \
	X("bg", nothing)                                                                   \
	X("bind", opaque)                                                                  \
	X("break", nothing)                                                                \
	X("builtin", builtin_builtin)                                                      \
	X("caller", nothing)                                                               \
	X("cd", builtin_cd)                                                                \
	X("command", builtin_command)                                                      \
	X("compgen", runs_with_c)                                                          \
	X("complete", nothing)                                                             \
	X("compopt", nothing)                                                              \
	X("continue", nothing)                                                             \
	X("declare", builtin_declare)                                                      \
	X("dirs", nothing)                                                                 \
	X("disown", nothing)                                                               \
	X("echo", nothing)                                                                 \
	X("enable", opaque)                                                                \
	X("eval", builtin_eval)                                                            \
	X("exec", builtin_exec)                                                            \
	X("exit", leaves)                                                                  \
	X("export", builtin_declare)                                                       \
	X("false", fails)                                                                  \
	X("fc", opaque)                                                                    \
	X("fg", nothing)                                                                   \
	X("getopts", builtin_getopts)                                                      \
	X("hash", runs_with_p)                                                             \
	X("help", nothing)                                                                 \
	X("history", builtin_history)                                                      \
	X("jobs", nothing)                                                                 \
	X("kill", nothing)                                                                 \
	X("let", builtin_let)                                                              \
	X("local", builtin_declare)                                                        \
	X("logout", nothing)                                                               \
	X("mapfile", builtin_mapfile)                                                      \
	X("popd", builtin_popd)                                                            \
	X("printf", builtin_printf)                                                        \
	X("pushd", builtin_pushd)                                                          \
	X("pwd", nothing)                                                                  \
	X("read", builtin_read)                                                            \
	X("readarray", builtin_mapfile)                                                    \
	X("readonly", builtin_declare)                                                     \
	X("return", nothing)                                                               \
	X("set", builtin_set)                                                              \
	X("shift", shifts)                                                                 \
	X("shopt", builtin_shopt)                                                          \
	X("source", builtin_source)                                                        \
	X("suspend", nothing)                                                              \
	X("test", builtin_test)                                                            \
	X("times", nothing)                                                                \
	X("trap", builtin_trap)                                                            \
	X("true", succeeds)                                                                \
	X("type", nothing)                                                                 \
	X("typeset", builtin_declare)                                                      \
	X("ulimit", nothing)                                                               \
	X("umask", nothing)                                                                \
	X("unalias", nothing)                                                              \
	X("unset", builtin_unset)                                                          \
	X("wait", builtin_wait)

static const char builtins[][10] = {
#define X(name, run) name,
	BUILTINS(X)
#undef X
};

#define BUILTIN_COUNT (sizeof builtins / sizeof *builtins)

/* The index in the table, or BUILTIN_COUNT. */
static size_t
find(struct str name)
{
	size_t low = 0, high = BUILTIN_COUNT;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		int c = str_cmp(name, str_from_c(builtins[mid]));

		if (c == 0)
			return mid;
		if (c < 0)
			high = mid;
		else
			low = mid + 1;
	}
	return BUILTIN_COUNT;
}

/* Builtins that sh may not have: then they change nothing, or are programs. */
static bool
only_in_bash(struct str name)
{
	static const char names[] =
	    "builtin\0caller\0compgen\0complete\0compopt\0declare\0dirs\0enable\0help\0"
	    "history\0let\0mapfile\0popd\0printf\0pushd\0readarray\0shopt\0source\0"
	    "typeset\0";

	return str_among(name, names);
}

bool
is_builtin(struct str name)
{
	return find(name) < BUILTIN_COUNT;
}

static struct flow
dispatch(size_t which, struct walk *w, struct invocation *c, struct state s)
{
	size_t n = 0;

#define X(name, run)                                                                       \
	if (which == n++)                                                                  \
		return run(w, c, s);
	BUILTINS(X)
#undef X
	return flow_of(s);
}

bool
run_builtin(struct walk *w, struct invocation *c, struct state s, struct flow *ret)
{
	size_t which = find(c->argv[0].text);
	const struct know_node *node;
	struct command *k;
	struct know_scan *scan;

	if (which == BUILTIN_COUNT)
		return false;
	*ret = flow_of(s);
	k = add_command(w, c, &s);
	if (!k)
		return true;
	k->builtin = true;
	c->self = k;
	node = know_program(c->argv[0].text);
	scan = node ? walk_alloc(w, sizeof *scan) : NULL;
	if (scan) {
		if (know_scan(w->a, node, c->argv, c->argc, scan)) {
			walk_fail(w, CORDON_ENOMEM, c->at, "out of memory");
			return true;
		}
		k->scan = scan;
		k->class = scan->class;
	}
	*ret = dispatch(which, w, c, s);
	if (w->frame.dialect == DIALECT_SH && only_in_bash(c->argv[0].text) &&
	    (ret->ok.vars != s.vars || ret->ok.cwd != s.cwd))
		*ret = flow_of(forget_all(w, s));
	return true;
}
