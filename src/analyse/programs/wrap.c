/* env and xargs: programs that start the command they are given. */
#include "analyse/guess.h"
#include "analyse/names.h"
#include "analyse/programs/programs.h"
#include "analyse/word/word.h"
#include "base/buf.h"

/* ---- env */

/* env -S; `$` and `#` have a meaning there, too. */
static bool
split_string(struct walk *w, struct field text, struct fields *ret)
{
	return text.kind == FIELD_STR && fields_split(w, ret, text, "'\"\\$#");
}

static void
env_assign(struct walk *w, struct field f, struct env_change ***end)
{
	size_t equals = str_find(f.text, '=');
	struct str name = str_cut(f.text, 0, equals);
	struct field value = f;
	enum env_power power;
	struct env_change *e;

	value.text = str_skip(f.text, equals + 1);
	power = env_power(name, value);
	name_flag(w, name, NAME_TAINTED, f.at);
	if (power == ENV_RUNS || power == ENV_LEADS)
		add_unknown(w, f.at, "sets a variable that changes what commands mean");
	if (power != ENV_PLAIN) {
		add_env(w, name, value, power, f.at);
		return;
	}
	e = walk_alloc(w, sizeof *e);
	if (!e)
		return;
	*e = (struct env_change){ name, value.kind == FIELD_STR, value.text, f.at, false,
		NULL };
	**end = e;
	*end = &e->next;
}

enum env_option {
	ENV_OPTION_NONE,
	ENV_OPTION_FLAG,
	ENV_OPTION_VALUE, /* -u N */
	ENV_OPTION_CHDIR,
	ENV_OPTION_SPLIT,
	ENV_OPTION_TELLS,
	ENV_OPTION_UNKNOWN,
};

/* Classify an option; *ret_value is the index of its attached value, or 0 if it is the next
 * word. */
static enum env_option
env_option(struct str t, size_t *ret_value)
{
	static const struct {
		char name[24];
		unsigned char kind;
	} longs[] = { { "--ignore-environment", ENV_OPTION_FLAG },
		{ "--null", ENV_OPTION_FLAG }, { "--debug", ENV_OPTION_FLAG },
		{ "--list-signal-handling", ENV_OPTION_FLAG },
		{ "--unset", ENV_OPTION_VALUE }, { "--chdir", ENV_OPTION_CHDIR },
		{ "--split-string", ENV_OPTION_SPLIT }, { "--help", ENV_OPTION_TELLS },
		{ "--version", ENV_OPTION_TELLS } };
	size_t equals = str_find(t, '=');

	*ret_value = 0;
	if (t.n < 2 || t.p[0] != '-')
		return ENV_OPTION_NONE;
	if (str_starts(t, STR("--"))) {
		for (size_t i = 0; i < sizeof longs / sizeof *longs; i++)
			if (str_is(str_cut(t, 0, equals), longs[i].name)) {
				*ret_value = equals < t.n ? equals + 1 : 0;
				return (enum env_option)longs[i].kind;
			}
		return ENV_OPTION_UNKNOWN;
	}
	for (size_t k = 1; k < t.n; k++) {
		if (strchr("i0v", t.p[k]))
			continue;
		*ret_value = k + 1 < t.n ? k + 1 : 0;
		return t.p[k] == 'u'   ? ENV_OPTION_VALUE
		       : t.p[k] == 'C' ? ENV_OPTION_CHDIR
		       : t.p[k] == 'S' ? ENV_OPTION_SPLIT
				       : ENV_OPTION_UNKNOWN;
	}
	return ENV_OPTION_FLAG;
}

static struct field
option_value(const struct invocation *c, size_t *i, size_t attached)
{
	struct field f = c->argv[*i];

	if (attached) {
		f.text = str_skip(f.text, attached);
		return f;
	}
	if (*i + 1 < c->argc)
		return c->argv[++*i];
	return (struct field){ .kind = FIELD_MANY, .at = f.at };
}

/* The words of env after -S: those of the string, then the others. */
static void
run_env_split(
    struct walk *w, struct invocation *c, struct field text, size_t next, struct state s)
{
	struct fields words = { NULL, 0, 0 };
	struct invocation again = *c;

	fields_add(w, &words, c->argv[0]);
	if (!split_string(w, text, &words)) {
		add_unknown(w, text.at, "an unknown string is split into a command");
		return;
	}
	for (size_t i = next; i < c->argc; i++)
		fields_add(w, &words, c->argv[i]);
	again.argv = words.v;
	again.argc = words.n;
	if (!w->failed)
		run_env(w, &again, s);
}

/* The last of several counts, relative to where env was started. */
static void
env_chdir(struct walk *w, struct field f, const struct dirs *from, struct state *s)
{
	const struct dirs *to = f.kind == FIELD_STR && f.text.n
				    ? dirs_enter(w->a, from, f.text, false)
				    : &dirs_anywhere;

	if (!to) {
		walk_fail(w, CORDON_ENOMEM, f.at, "out of memory");
		return;
	}
	add_chdir(w, to, f.at);
	s->cwd = to;
}

void
run_env(struct walk *w, struct invocation *c, struct state s)
{
	struct invocation inner = *c;
	struct env_change **end = &inner.assigns;
	const struct dirs *from = s.cwd;
	size_t i = 1, attached;

	inner.assigns = NULL;
	for (; i < c->argc; i++) {
		struct field f = c->argv[i];
		enum env_option kind = env_option(f.text, &attached);

		/* -i and -u may unset HOME. */
		if (kind == ENV_OPTION_FLAG || kind == ENV_OPTION_VALUE || field_is(f, "-"))
			forget_name(w, STR("HOME"), &s);
		if (could_be_option(f)) {
			add_unknown(w, f.at, "the command of env is unknown");
			return;
		}
		if (field_is(f, "-") || field_is(f, "--")) {
			i++;
			break;
		}
		if (kind == ENV_OPTION_NONE)
			break;
		if (kind == ENV_OPTION_TELLS)
			return;
		if (kind == ENV_OPTION_UNKNOWN) {
			add_unknown(w, f.at, "unknown option of env");
			return;
		}
		if (kind == ENV_OPTION_FLAG)
			continue;
		f = option_value(c, &i, attached);
		if (kind == ENV_OPTION_CHDIR)
			env_chdir(w, f, from, &s);
		if (kind == ENV_OPTION_SPLIT) {
			s.cwd = s.cwd == from ? from : &dirs_anywhere;
			run_env_split(w, c, f, i + 1, s);
			return;
		}
	}
	for (; i < c->argc && str_find(c->argv[i].text, '=') < c->argv[i].text.n; i++) {
		env_assign(w, c->argv[i], &end);
		if (str_starts(c->argv[i].text, STR("HOME=")))
			forget_name(w, STR("HOME"), &s);
	}
	if (i < c->argc)
		run_inner(w, &inner, i, STR("env"), s);
}

/* ---- xargs */

/* Options with the next word as value, and those with an attached value only. */
#define XARGS_VALUES "adEILnPs"
#define XARGS_ATTACHED "eil"
#define XARGS_FLAGS "0prtxo"
/* Inputs up to this size fit into one call on every system. */
#define XARGS_INPUT 1024
/* Limit for lines that are guessed. */
#define XARGS_LINES 8

static bool
xargs_long(struct str t, bool *ret_next)
{
	/* Not --process-slot-var: it sets a variable, which may be PATH. */
	static const char values[] =
	    "--arg-file\0--delimiter\0--max-args\0--max-chars\0--max-procs\0";
	static const char others[] =
	    "--null\0--eof\0--replace\0--max-lines\0--interactive\0--no-run-if-empty\0"
	    "--open-tty\0--verbose\0--exit\0--show-limits\0";
	size_t equals = str_find(t, '=');
	struct str name = str_cut(t, 0, equals);

	*ret_next = false;
	if (str_among(name, values)) {
		*ret_next = equals == t.n;
		return true;
	}
	return str_among(name, others);
}

struct xargs {
	struct field replace; /* -I R; .text.p is NULL if absent */
	bool whole;           /* -0, -d: blanks do not separate words */
	bool counts;          /* -n, -L: the last of these and -I counts */
	bool unknown;
	size_t first; /* index of the first word of the command */
};

static void
xargs_short(struct xargs *x, const struct invocation *c, size_t *i)
{
	struct str t = c->argv[*i].text;

	for (size_t k = 1; k < t.n; k++) {
		bool attached = k + 1 < t.n;

		x->whole |= t.p[k] == '0' || t.p[k] == 'd';
		if (strchr(XARGS_FLAGS, t.p[k]))
			continue;
		x->counts |= strchr("nLl", t.p[k]) != NULL;
		if (t.p[k] == 'i')
			x->replace = (struct field){ .text = attached ? str_skip(t, k + 1)
								      : STR("{}") };
		else if (t.p[k] == 'I') {
			x->replace = attached ? (struct field){ .text = str_skip(t, k + 1) }
				     : *i + 1 < c->argc
					 ? c->argv[*i + 1]
					 : (struct field){ .kind = FIELD_MANY };
			*i += !attached;
		} else if (strchr(XARGS_VALUES, t.p[k]))
			*i += !attached;
		else if (!strchr(XARGS_ATTACHED, t.p[k]))
			x->unknown = true;
		return;
	}
}

static struct xargs
xargs_args(const struct invocation *c)
{
	struct xargs x = { .first = c->argc };
	size_t i = 1;

	for (; i < c->argc && !x.unknown; i++) {
		struct field f = c->argv[i];
		bool next;

		if (could_be_option(f)) {
			x.unknown = true;
			return x;
		}
		if (f.text.n < 2 || f.text.p[0] != '-')
			break;
		if (str_is(f.text, "--")) {
			i++;
			break;
		}
		if (!str_starts(f.text, STR("--"))) {
			xargs_short(&x, c, &i);
			continue;
		}
		x.unknown = !xargs_long(f.text, &next);
		x.counts |= str_starts(f.text, STR("--max-args")) ||
			    str_starts(f.text, STR("--max-lines"));
		if (str_starts(f.text, STR("--replace")))
			x.replace =
			    (struct field){ .text = f.text.n > 10 ? str_skip(f.text, 10)
								  : STR("{}") };
		i += next;
	}
	x.first = i;
	return x;
}

/* A word with the replacement string is known up to there. */
static struct field
replaced(struct field f, struct str what)
{
	for (size_t i = 0; what.n && i + what.n <= f.text.n; i++)
		if (str_eq(str_cut(f.text, i, i + what.n), what))
			return field_made(FIELD_ONE, str_cut(f.text, 0, i), f.at);
	return f;
}

/* True if the piped input is known and passed to one call unchanged. */
static bool
xargs_input(
    struct walk *w, const struct invocation *c, const struct xargs *x, struct fields *to)
{
	struct field text = { .kind = FIELD_STR, .text = c->piped, .at = c->at };

	for (size_t i = 1; i < x->first; i++)
		if (!str_among(c->argv[i].text,
			"-r\0-t\0-rt\0-tr\0--\0--no-run-if-empty\0--verbose\0"))
			return false;
	if (!c->piped.p || c->redirs || c->piped.n >= XARGS_INPUT)
		return false;
	/* Versions of xargs differ on whether these separate words. */
	for (size_t i = 0; i < c->piped.n; i++)
		if (strchr("\v\f\r", c->piped.p[i]))
			return false;
	return split_string(w, text, to);
}

/* Replace the replacement string in `f` with `line`. */
static struct field
put_line(struct walk *w, struct field f, struct str what, struct str line)
{
	struct buf b;

	if (f.kind != FIELD_STR)
		return f;
	buf_init(&b, w->a);
	for (size_t i = 0; i < f.text.n;) {
		if (what.n && str_starts(str_skip(f.text, i), what)) {
			buf_put(&b, line);
			i += what.n;
		} else
			buf_putc(&b, f.text.p[i++]);
	}
	f.text = buf_str(&b);
	return f;
}

/* Guess one call for each line of a known input. */
static void
guess_lines(
    struct walk *w, const struct invocation *c, const struct xargs *x, struct state s)
{
	struct field text = { .kind = FIELD_STR, .text = guess_input(w, c, &s) };
	struct sink before;

	if (!text.text.p || x->first >= c->argc || !guess_begin(w, &before))
		return;
	for (size_t seen = 0; text.text.n && seen < XARGS_LINES && !w->failed; seen++) {
		size_t n = str_find(text.text, '\n');
		struct str line = str_cut(text.text, 0, n);
		struct fields words = { NULL, 0, 0 };
		struct invocation inner = *c;

		for (size_t i = x->first; i < c->argc; i++)
			fields_add(w, &words,
			    i > x->first ? put_line(w, c->argv[i], x->replace.text, line)
					 : c->argv[i]);
		if (!x->replace.text.p && x->whole)
			fields_add(w, &words, field_made(FIELD_STR, line, c->at));
		else if (!x->replace.text.p)
			(void)split_string(w, field_made(FIELD_STR, line, c->at), &words);
		inner.argv = words.v;
		inner.argc = words.n;
		inner.redirs = NULL;
		inner.piped.p = NULL;
		inner.self = NULL;
		if (!w->failed)
			run_inner(w, &inner, 0, STR("xargs"), s);
		text.text = str_skip(text.text, n + 1);
	}
	guess_end(w, &before);
}

/* parallel a {} ::: x y: guess a x and a y. */
void
guess_parallel(struct walk *w, const struct invocation *c, size_t from, struct state s)
{
	size_t to = from, seen = 0;
	struct sink before;

	while (
	    to < c->argc && !field_is(c->argv[to], ":::") && !field_is(c->argv[to], ":::+"))
		to++;
	if (!guess_begin(w, &before))
		return;
	for (size_t k = to + 1; k < c->argc && seen < XARGS_LINES && !w->failed; k++) {
		struct buf b;
		bool placed = false;

		buf_init(&b, w->a);
		if (c->argv[k].kind != FIELD_STR)
			continue;
		for (size_t i = from; i < to; i++) {
			struct field f =
			    put_line(w, c->argv[i], STR("{}"), c->argv[k].text);

			placed |= !str_eq(f.text, c->argv[i].text);
			buf_put(&b, f.text);
			buf_putc(&b, ' ');
		}
		if (!placed)
			buf_put(&b, c->argv[k].text);
		if (!b.full)
			run_shell_text(w, field_made(FIELD_STR, buf_str(&b), c->at),
			    STR("parallel"), s);
		seen++;
	}
	guess_end(w, &before);
}

void
run_xargs(struct walk *w, struct invocation *c, struct state s)
{
	struct xargs x = xargs_args(c);
	struct fields words = { NULL, 0, 0 };
	struct invocation inner = *c;

	if (x.unknown || x.replace.kind != FIELD_STR) {
		add_unknown(w, c->at, "the command of xargs is unknown");
		return;
	}
	if (x.first >= c->argc)
		fields_add(w, &words, field_made(FIELD_STR, STR("echo"), c->at));
	for (size_t i = x.first; i < c->argc; i++)
		/* The command name is never replaced. */
		fields_add(w, &words,
		    i > x.first && x.replace.text.p ? replaced(c->argv[i], x.replace.text)
						    : c->argv[i]);
	if (x.replace.text.p && x.counts) /* the words are replaced, or appended */
		words.n = words.n ? 1 : 0;
	if ((!x.replace.text.p || x.counts) && !xargs_input(w, c, &x, &words))
		fields_add(w, &words, field_made(FIELD_MANY, STR(""), c->at));
	inner.argv = words.v;
	inner.argc = words.n;
	inner.piped.p = NULL;
	inner.redirs = NULL;
	/* Without a command xargs runs echo. */
	if (x.first >= c->argc) {
		raise_class(c, CLASS_EXEC);
		inner.self = NULL;
	}
	if (!w->failed)
		run_inner(w, &inner, 0, STR("xargs"), s);
	guess_lines(w, c, &x, s);
}
