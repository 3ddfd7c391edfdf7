/* Facts about variables, collected from the whole text in any order. */
#include "analyse/names.h"
#include "analyse/guess.h"
#include "analyse/programs/programs.h"
#include "base/hash.h"

size_t
name_length(struct str s)
{
	size_t n = 0;

	if (s.n == 0 || byte_is_digit(s.p[0]))
		return 0;
	while (n < s.n && byte_is_word(s.p[n]))
		n++;
	return n;
}

bool
is_name(struct str s)
{
	return s.n > 0 && name_length(s) == s.n;
}

bool
is_number(struct str s)
{
	size_t i = s.n && (s.p[0] == '-' || s.p[0] == '+');

	if (i == s.n)
		return false;
	for (; i < s.n; i++)
		if (!byte_is_digit(s.p[i]))
			return false;
	return true;
}

static struct name_entry **
name_bucket(struct walk *w, struct str text)
{
	return &w->names[hash32(HASH32_START, text) % NAME_BUCKETS];
}

static struct name_entry *
name_find(struct walk *w, struct str text)
{
	struct name_entry *n = *name_bucket(w, text);

	while (n && !str_eq(n->text, text))
		n = n->next;
	return n;
}

static struct name_entry *
name_entry(struct walk *w, struct str text)
{
	struct name_entry *n = name_find(w, text), **bucket;

	if (n || (n = walk_alloc(w, sizeof *n)) == NULL)
		return n;
	bucket = name_bucket(w, text);
	*n = (struct name_entry){ text, 0, *bucket };
	*bucket = n;
	return n;
}

bool
name_has(struct walk *w, struct str name, unsigned flag)
{
	const struct name_entry *n = name_find(w, name);

	return n && (n->flags & flag);
}

/* The shell fills these with words and paths of the text, which could be expressions. */
static bool
holds_text(struct str name)
{
	return str_among(name,
	    "_\0BASH_REMATCH\0BASH_COMMAND\0BASH_ARGV\0BASH_ARGV0\0BASH_SOURCE\0"
	    "BASH_EXECUTION_STRING\0BASH_ALIASES\0BASH_CMDS\0FUNCNAME\0DIRSTACK\0PWD\0"
	    "OLDPWD\0COMP_LINE\0COMP_WORDS\0READLINE_LINE\0SHELLOPTS\0BASHOPTS\0");
}

/* A value assigned to these is evaluated as an expression. */
static bool
is_integer(struct str name)
{
	return str_among(name,
	    "RANDOM\0SRANDOM\0SECONDS\0LINENO\0HISTCMD\0OPTIND\0BASHPID\0BASH_SUBSHELL\0"
	    "EPOCHSECONDS\0EPOCHREALTIME\0UID\0EUID\0PPID\0GROUPS\0MAILCHECK\0");
}

void
name_flag(struct walk *w, struct str name, unsigned flag, struct span at)
{
	struct name_entry *n = name_entry(w, name);
	unsigned arith = NAME_ARITH | NAME_TAINTED, odd = NAME_CONSTANT | NAME_ODD;
	unsigned array = NAME_ARRAY | NAME_COMPOUND, before;

	if (!n || w->quiet || (w->guessing && flag != NAME_FUNCTION))
		return;
	before = n->flags;
	n->flags |= flag;
	if ((flag & NAME_ARITH) && holds_text(name))
		n->flags |= NAME_TAINTED;
	if ((flag & NAME_TAINTED) && is_integer(name))
		n->flags |= NAME_ARITH;
	if ((n->flags & arith) == arith && (before & arith) != arith)
		add_unknown(
		    w, at, "evaluates a value that could contain code as an expression");
	if ((n->flags & odd) == odd && (before & odd) != odd)
		add_unknown(w, at, "a variable's attributes change what is assigned to it");
	if ((n->flags & array) == array && (before & array) != array)
		add_unknown(w, at, "reads a text as the elements of an array");
}

/* The shell refuses to assign these, and then skips the rest of the line. */
static bool
is_constant(struct str name)
{
	return str_among(name, "UID\0EUID\0PPID\0BASH_VERSINFO\0SHELLOPTS\0BASHOPTS\0");
}

/* The shell sets these itself: their value is not the assigned one. */
static bool
is_dynamic(struct str name)
{
	static const char names[] =
	    "_\0RANDOM\0SRANDOM\0SECONDS\0LINENO\0EPOCHSECONDS\0EPOCHREALTIME\0"
	    "HISTCMD\0FUNCNAME\0GROUPS\0UID\0EUID\0PPID\0PIPESTATUS\0OPTIND\0OPTARG\0"
	    "REPLY\0COPROC\0MAPFILE\0COLUMNS\0LINES\0";

	if (str_among(name, names))
		return true;
	return str_starts(name, STR("BASH")) || str_starts(name, STR("COMP_"));
}

void
forget_name(struct walk *w, struct str name, struct state *s)
{
	if (name_has(w, name, NAME_KEPT))
		add_unknown(w, (struct span){ 0, 0 }, "changes a value that a trap uses");
	w->cut |= vars_full(s);
	if (!var_forget(w->a, s, name))
		walk_fail(w, CORDON_ENOMEM, (struct span){ 0, 0 }, "out of memory");
}

void
assign_name(
    struct walk *w, struct str name, struct field value, struct span at, struct state *s)
{
	enum env_power power = env_power(name, value);
	bool number = value.kind == FIELD_STR ? value.text.n == 0 || is_number(value.text)
					      : value.number && value.text.n == 0;
	struct field *item;

	guess_value(w, name, value);
	if (name_has(w, name, NAME_KEPT))
		add_unknown(w, at, "changes a value that a trap uses");
	if (power != ENV_PLAIN)
		add_env(w, name, value, power, at);
	if (power == ENV_RUNS || power == ENV_LEADS)
		add_unknown(w, at, "sets a variable that changes what commands mean");
	if (!number)
		name_flag(w, name, NAME_TAINTED, at);
	if (is_constant(name) || name_has(w, name, NAME_ODD))
		may_abort(w, s);
	if (value.kind == FIELD_MANY || is_dynamic(name)) {
		forget_name(w, name, s);
		return;
	}
	item = walk_alloc(w, sizeof *item);
	if (!item)
		return;
	*item = value;
	w->cut |= vars_full(s);
	if (!var_set(w->a, s, name, VAR_STRING, item, 1))
		walk_fail(w, CORDON_ENOMEM, at, "out of memory");
}
