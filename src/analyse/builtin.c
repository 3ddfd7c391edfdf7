/* What the shell does itself. */
#include "analyse/builtin.h"

static struct flow
nothing(struct walk *w, struct call *c, struct state s)
{
	(void)w;
	(void)c;
	return flow_of(s);
}

static struct flow
succeeds(struct walk *w, struct call *c, struct state s)
{
	struct flow f = nothing(w, c, s);

	f.fail.dead = true;
	return f;
}

static struct flow
fails(struct walk *w, struct call *c, struct state s)
{
	struct flow f = nothing(w, c, s);

	f.ok.dead = true;
	return f;
}

static struct flow
leaves(struct walk *w, struct call *c, struct state s)
{
	struct flow f = nothing(w, c, s);

	f.ok.dead = f.fail.dead = true;
	return f;
}

static struct flow
shifts(struct walk *w, struct call *c, struct state s)
{
	s.args = NULL;
	return nothing(w, c, s);
}

/* Changes how the rest is read, or runs text that it is given. */
static struct flow
opaque(struct walk *w, struct call *c, struct state s)
{
	if (c->argc > 1)
		add_unknown(w, c->at, "this builtin changes what commands mean");
	return flow_of(s);
}

/* bash -c does not expand aliases; other shells do. */
static struct flow
aliases(struct walk *w, struct call *c, struct state s)
{
	return w->frame.dialect == DIALECT_SH ? opaque(w, c, s) : flow_of(s);
}

static bool
has_option(const struct call *c, const char *letters)
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

static struct flow
runs_with_p(struct walk *w, struct call *c, struct state s)
{
	return has_option(c, "p") ? opaque(w, c, s) : flow_of(s);
}

static struct flow
runs_with_c(struct walk *w, struct call *c, struct state s)
{
	return has_option(c, "CFW") ? opaque(w, c, s) : flow_of(s);
}

static struct flow
builtin_history(struct walk *w, struct call *c, struct state s)
{
	for (size_t i = 1; i + 1 < c->argc; i++)
		if (field_is(c->argv[i], "-a") || field_is(c->argv[i], "-w"))
			add_file(
			    w, FILE_WRITE, false, c->argv[i + 1], s.cwd, STR("history"));
	return has_option(c, "p") ? opaque(w, c, s) : flow_of(s);
}

/* ---- set and shopt: only options that leave the meaning of the text alone */

static bool
in_list(struct str word, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (str_is(word, list[i]))
			return true;
	return false;
}

static const char *const set_names[] = { "allexport", "errexit", "errtrace", "functrace",
	"hashall", "ignoreeof", "monitor", "noclobber", "noglob", "nolog", "notify",
	"nounset", "pipefail", "verbose", "xtrace", "emacs", "vi" };

static const char *const shopt_names[] = { "autocd", "cdspell", "checkhash", "checkjobs",
	"checkwinsize", "cmdhist", "direxpand", "dirspell", "dotglob", "failglob",
	"force_fignore", "globasciiranges", "globskipdots", "globstar", "gnu_errfmt",
	"histappend", "histreedit", "histverify", "hostcomplete", "huponexit",
	"inherit_errexit", "interactive_comments", "lithist", "mailwarn",
	"no_empty_cmd_completion", "nocaseglob", "nocasematch", "nullglob",
	"patsub_replacement", "progcomp", "progcomp_alias", "promptvars", "shift_verbose",
	"sourcepath" };

/* The words behind set become $1 $2 ... */
static struct state
set_args(struct walk *w, const struct call *c, size_t from, struct state s)
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
	s.args = args;
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

struct flow
builtin_set(struct walk *w, struct call *c, struct state s)
{
	size_t i = 1;

	for (; i < c->argc; i++) {
		struct field f = c->argv[i];
		bool known = false;

		if (field_is(f, "--") || field_is(f, "-"))
			return flow_of(set_args(w, c, i + 1, s));
		if (f.kind == FIELD_STR && (f.text.n < 2 || !strchr("-+", f.text.p[0])))
			return flow_of(set_args(w, c, i, s));
		if (f.kind == FIELD_ONE && f.text.n > 0 && !strchr("-+", f.text.p[0]))
			return flow_of(set_args(w, c, i, s));
		if (f.kind == FIELD_STR && str_ends(f.text, STR("o"))) {
			struct str letters = str_cut(f.text, 0, f.text.n - 1);

			known = set_letters_known(letters) && i + 1 < c->argc &&
				c->argv[i + 1].kind == FIELD_STR &&
				in_list(c->argv[i + 1].text, set_names,
				    sizeof set_names / sizeof *set_names);
			i++;
		} else if (f.kind == FIELD_STR)
			known = set_letters_known(f.text);
		if (!known) {
			s.args = NULL;
			return opaque(w, c, s);
		}
	}
	return flow_of(s);
}

struct flow
builtin_shopt(struct walk *w, struct call *c, struct state s)
{
	bool sets = has_option(c, "suo");

	for (size_t i = 1; i < c->argc && sets; i++)
		if (c->argv[i].kind != FIELD_STR ||
		    (!str_starts(c->argv[i].text, STR("-")) &&
			!in_list(c->argv[i].text, shopt_names,
			    sizeof shopt_names / sizeof *shopt_names)))
			return opaque(w, c, s);
	return flow_of(s);
}

/* ---- the table, sorted */

static const struct builtin {
	const char *name;
	builtin_fn *run;
} builtins[] = {
	{ ".", builtin_source },
	{ ":", succeeds },
	{ "[", builtin_test },
	{ "alias", aliases },
	{ "bg", nothing },
	{ "bind", opaque },
	{ "break", nothing },
	{ "builtin", builtin_builtin },
	{ "caller", nothing },
	{ "cd", builtin_cd },
	{ "command", builtin_command },
	{ "compgen", runs_with_c },
	{ "complete", nothing },
	{ "compopt", nothing },
	{ "continue", nothing },
	{ "declare", builtin_declare },
	{ "dirs", nothing },
	{ "disown", nothing },
	{ "echo", nothing },
	{ "enable", opaque },
	{ "eval", builtin_eval },
	{ "exec", builtin_exec },
	{ "exit", leaves },
	{ "export", builtin_declare },
	{ "false", fails },
	{ "fc", opaque },
	{ "fg", nothing },
	{ "getopts", builtin_getopts },
	{ "hash", runs_with_p },
	{ "help", nothing },
	{ "history", builtin_history },
	{ "jobs", nothing },
	{ "kill", nothing },
	{ "let", builtin_let },
	{ "local", builtin_declare },
	{ "logout", leaves },
	{ "mapfile", builtin_mapfile },
	{ "popd", builtin_popd },
	{ "printf", builtin_printf },
	{ "pushd", builtin_pushd },
	{ "pwd", nothing },
	{ "read", builtin_read },
	{ "readarray", builtin_mapfile },
	{ "readonly", builtin_declare },
	{ "return", nothing },
	{ "set", builtin_set },
	{ "shift", shifts },
	{ "shopt", builtin_shopt },
	{ "source", builtin_source },
	{ "suspend", nothing },
	{ "test", builtin_test },
	{ "times", nothing },
	{ "trap", builtin_trap },
	{ "true", succeeds },
	{ "type", nothing },
	{ "typeset", builtin_declare },
	{ "ulimit", nothing },
	{ "umask", nothing },
	{ "unalias", nothing },
	{ "unset", builtin_unset },
	{ "wait", builtin_wait },
};

static const struct builtin *
find(struct str name)
{
	size_t low = 0, high = sizeof builtins / sizeof *builtins;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		int c = str_cmp(name, str_from_c(builtins[mid].name));

		if (c == 0)
			return &builtins[mid];
		if (c < 0)
			high = mid;
		else
			low = mid + 1;
	}
	return NULL;
}

/* Builtins that sh may not have: then they change nothing, or are programs. */
static bool
only_in_bash(struct str name)
{
	static const char *const names[] = { "builtin", "caller", "compgen", "complete",
		"compopt", "declare", "dirs", "enable", "help", "history", "let", "mapfile",
		"popd", "printf", "pushd", "readarray", "shopt", "source", "typeset" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (str_is(name, names[i]))
			return true;
	return false;
}

bool
is_builtin(struct str name)
{
	return find(name) != NULL;
}

bool
run_builtin(struct walk *w, struct call *c, struct state s, struct flow *ret)
{
	const struct builtin *b = find(c->argv[0].text);
	const struct know_node *node;
	struct command *k;
	struct know_scan *scan;

	if (!b)
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
			fail(w, CORDON_ENOMEM, c->at, "out of memory");
			return true;
		}
		k->scan = scan;
		k->class = scan->class;
	}
	*ret = b->run(w, c, s);
	if (w->frame.dialect == DIALECT_SH && only_in_bash(c->argv[0].text) &&
	    (ret->ok.vars != s.vars || ret->ok.cwd != s.cwd))
		*ret = flow_of(forget_all(w, s));
	return true;
}
