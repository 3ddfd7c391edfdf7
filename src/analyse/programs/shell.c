/* bash, sh and the like as programs: a text, a file, or commands on standard input. */
#include "analyse/builtin/builtin.h"
#include "analyse/guess.h"
#include "analyse/programs/programs.h"
#include "analyse/word/word.h"
#include "base/path.h"

struct shell_args {
	bool text;    /* -c: the first operand is the text */
	bool stdin_;  /* -s, or no operand */
	bool opaque;  /* an option changes how commands are read */
	bool tells;   /* --version, --help, -n: runs nothing */
	bool login;   /* reads the profile of the user first */
	size_t first; /* index of the first operand */
};

/* Letters that do not change the language. After `o` and `O`, the next word is a name. */
#define HARMLESS "befhmuvxCETlrs"

static const char harmless_names[] =
    "errexit\0errtrace\0functrace\0noclobber\0noglob\0nounset\0pipefail\0"
    "verbose\0xtrace\0monitor\0notify\0";

static bool
harmless_name(struct field f)
{
	return f.kind == FIELD_STR && str_among(f.text, harmless_names);
}

static void
take_long(struct shell_args *a, struct str word)
{
	if (str_is(word, "--version") || str_is(word, "--help"))
		a->tells = true;
	else if (str_is(word, "--login"))
		a->login = true;
	else if (!str_is(word, "--norc") && !str_is(word, "--noprofile") &&
		 !str_is(word, "--noediting") && !str_is(word, "--verbose"))
		a->opaque = true; /* --posix, --init-file, --rcfile ... */
}

static void
take_letters(struct shell_args *a, const struct invocation *c, size_t *i)
{
	struct str word = c->argv[*i].text;

	for (size_t k = 1; k < word.n; k++) {
		char letter = word.p[k];

		if (letter == 'c')
			a->text = true;
		else if (letter == 'n' && word.p[0] == '-')
			a->tells = true;
		else if (letter == 'o' && *i + 1 < c->argc &&
			 harmless_name(c->argv[*i + 1]))
			++*i;
		else if (!strchr(HARMLESS, letter))
			a->opaque = true;
		a->stdin_ |= letter == 's';
		a->login |= letter == 'l';
	}
}

static struct shell_args
read_args(const struct invocation *c)
{
	struct shell_args a = { .first = c->argc };
	size_t i = 1;

	for (; i < c->argc; i++) {
		struct field f = c->argv[i];

		if (f.kind != FIELD_STR && (f.text.n == 0 || strchr("-+", f.text.p[0]))) {
			a.opaque = true;
			break;
		}
		if (f.text.n < 2 || !strchr("-+", f.text.p[0])) {
			i += field_is(f, "-");
			break;
		}
		if (str_is(f.text, "--")) {
			i++;
			break;
		}
		if (str_starts(f.text, STR("--")))
			take_long(&a, f.text);
		else
			take_letters(&a, c, &i);
	}
	a.first = i;
	return a;
}

static bool
is_dialect(struct str name, enum dialect *ret)
{
	*ret = str_is(name, "bash") || str_is(name, "rbash") ? DIALECT_BASH : DIALECT_SH;
	return *ret == DIALECT_BASH || str_is(name, "sh") || str_is(name, "dash") ||
	       str_is(name, "ash");
}

/* The standard input given by the redirections of this command, if it is certain. */
struct field
stdin_text(struct walk *w, const struct invocation *c, struct state *s)
{
	struct field text = { .kind = FIELD_MANY, .at = c->at };
	bool redirected = false;

	for (const struct redir *r = c->redirs; r; r = r->next) {
		bool input =
		    r->fd == 0 || (r->fd == -1 && !r->var.p &&
				      (r->op == REDIR_IN || r->op == REDIR_RDWR ||
					  r->op == REDIR_DUP_IN || r->op == REDIR_HEREDOC ||
					  r->op == REDIR_HERESTRING));

		if (!input)
			continue;
		redirected = true;
		text.kind = FIELD_MANY;
		if (r->op == REDIR_HEREDOC && is_plain(r->body))
			text = eval_single(w, r->body, s, false);
		if (r->op == REDIR_HERESTRING && is_plain(r->target))
			text = eval_single(w, r->target, s, false);
	}
	if (!redirected && c->piped.p)
		text = (struct field){ .kind = FIELD_STR, .text = c->piped, .at = c->at };
	return text;
}

/* $0 $1 ... from argv[from..]; $0 is unknown without any. NULL if they cannot be counted.
 */
static const struct args *
shell_positionals(struct walk *w, const struct invocation *c, size_t from)
{
	struct args *args = walk_alloc(w, sizeof *args);
	struct field *zero = walk_alloc(w, sizeof *zero);

	if (!args || !zero)
		return NULL;
	for (size_t i = from; i < c->argc; i++)
		if (c->argv[i].kind == FIELD_MANY)
			return NULL;
	*zero = (struct field){ .kind = FIELD_ONE, .text = STR("") };
	*args = from < c->argc ? (struct args){ c->argv + from, c->argc - from }
			       : (struct args){ zero, 1 };
	return args;
}

/* True if the command could read a part of its standard input. */
static bool
reads_some(const struct command *c)
{
	if (c->builtin)
		return str_among(c->program, "read\0mapfile\0readarray\0");
	if (c->function || !c->program.p)
		return false;
	return !c->scan ||
	       str_among(c->program, "head\0sed\0grep\0egrep\0fgrep\0rg\0dd\0line\0");
}

/*
 * A shell that reads its commands from standard input shares it with them: a command may
 * consume the following lines, and then the rest means something else. The last line has no
 * rest.
 */
static bool
may_be_eaten(struct str text, const struct command *commands)
{
	while (text.n && text.p[text.n - 1] == '\n')
		text.n--;
	if (str_find(text, '\n') == text.n)
		return false;
	for (; commands; commands = commands->next)
		if (reads_some(commands))
			return true;
	for (size_t i = 0; i + 6 <= text.n; i++)
		if (str_is(str_cut(text, i, i + 6), "select"))
			return true;
	return text.n > 4096; /* more than one block */
}

static void
run_stdin(struct walk *w, struct invocation *c, enum dialect dialect, struct str via,
    struct state s)
{
	struct field text = stdin_text(w, c, &s);

	if (text.kind == FIELD_STR) {
		struct command **from = w->command_end;

		/* Decoded text is analysed, but nobody could review it: it also stays
		 * unknown. */
		if (c->decoded)
			add_unknown(
			    w, c->at, "a shell reads its commands from standard input");
		else
			only_starts(c);
		run_text(w, text.text, dialect, text.at, via, NULL, s);
		if (may_be_eaten(text.text, *from))
			add_unknown(
			    w, c->at, "commands in it could read the rest of it as input");
	} else
		add_unknown(w, c->at, "a shell reads its commands from standard input");
}

/* Files below the home directory that a shell runs first. */
static void
read_profiles(
    struct walk *w, const struct invocation *c, const char *names, struct state *s)
{
	struct str home = home_of(w, s);
	struct field f = {
		.kind = home.p ? FIELD_STR : FIELD_ONE, .text = STR(""), .at = c->at
	};

	for (; *names; names = home.p ? names + strlen(names) + 1 : "") {
		if (home.p && path_join(w->a, home, str_from_c(names), &f.text, NULL)) {
			walk_fail(w, CORDON_ENOMEM, c->at, "out of memory");
			return;
		}
		add_file(w, FILE_EXEC, false, f, s->cwd, str_base(c->argv[0].text));
	}
}

/*
 * Other shells: their language differs, but a line of plain words means the same command in
 * each, if the first word is a program.
 */
static bool
is_plain_line(struct field text)
{
	struct str first = str_cut(text.text, 0, str_find(text.text, ' '));

	if (text.kind != FIELD_STR || !know_program(first) ||
	    (is_builtin(first) && !str_among(first, "pwd\0echo\0true\0false\0")))
		return false;
	for (size_t i = 0; i < text.text.n; i++) {
		char b = text.text.p[i];

		if (!(b >= 'a' && b <= 'z') && !(b >= 'A' && b <= 'Z') &&
		    !(byte_is_digit(b)) && (b == '\0' || !strchr(" _./:,@-", b)))
			return false;
	}
	return true;
}

static void
run_foreign(struct walk *w, struct invocation *c, const struct shell_args *a,
    struct str name, struct state s)
{
	struct field text = a->first < c->argc ? c->argv[a->first] : (struct field){ 0 };
	struct buf via;

	if (!a->text || a->opaque || a->first + 1 < c->argc || !is_plain_line(text)) {
		add_unknown(w, c->at, "cannot parse the language of this shell");
		return;
	}
	buf_init(&via, w->a);
	buf_put(&via, name);
	buf_puts(&via, " -c");
	only_starts(c);
	if (str_is(name, "zsh"))
		read_profiles(w, c, a->login ? ".zshenv\0.zprofile\0" : ".zshenv\0", &s);
	else if (str_is(name, "fish"))
		read_profiles(w, c, ".config/fish/config.fish\0", &s);
	else if (a->login)
		read_profiles(w, c, ".profile\0", &s);
	run_text(w, text.text, DIALECT_SH, text.at, buf_str(&via), NULL, s);
}

/* Guess the text after -c, whatever the options before it change. */
static void
guess_opaque(struct walk *w, const struct invocation *c, struct state s)
{
	w->aliasing = true; /* -O expand_aliases, -i */
	for (size_t i = 1; i + 1 < c->argc; i++)
		if (str_starts(c->argv[i].text, STR("-")) &&
		    str_ends(c->argv[i].text, STR("c"))) {
			guess_shell(w, c->argv[i + 1], STR("bash -c"), s);
			return;
		}
}

void
run_shell(struct walk *w, struct invocation *c, struct state s)
{
	struct str name = str_base(c->program.p ? c->program : c->argv[0].text);
	struct shell_args a = read_args(c);
	enum dialect dialect;
	struct buf via;

	if (a.tells && !a.opaque) {
		if (c->self)
			c->self->pure = true;
		return;
	}
	if (!is_dialect(name, &dialect)) {
		run_foreign(w, c, &a, name, s);
		return;
	}
	if (a.opaque) {
		add_unknown(w, c->at, "options change how the shell reads its commands");
		guess_opaque(w, c, s);
	}
	/* A login shell runs the first of these that exists. */
	if (a.login)
		read_profiles(w, c,
		    dialect == DIALECT_BASH ? ".profile\0.bash_profile\0.bash_login\0"
					    : ".profile\0",
		    &s);
	buf_init(&via, w->a);
	buf_put(&via, name);
	buf_puts(&via, a.text ? " -c" : "");
	if (a.text && a.first < c->argc) {
		struct field text = c->argv[a.first];

		if (text.kind != FIELD_STR)
			add_unknown(w, text.at, "an unknown string is run as commands");
		else {
			only_starts(c);
			run_text(w, text.text, dialect, text.at, buf_str(&via),
			    shell_positionals(w, c, a.first + 1), s);
		}
	} else if (!a.text && !a.stdin_ && a.first < c->argc) {
		struct str text = known_file(w, c, c->argv[a.first], &s);

		add_file(w, FILE_EXEC, false, c->argv[a.first], s.cwd, name);
		add_unknown(w, c->at, UNKNOWN_SCRIPT);
		if (text.p)
			run_text(w, text, dialect, c->argv[a.first].at, buf_str(&via),
			    shell_positionals(w, c, a.first), s);
	} else if (!a.text)
		run_stdin(w, c, dialect, buf_str(&via), s);
}
