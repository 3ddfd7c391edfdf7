/* What the text does with its variables, wherever that stands. */
#include "analyse/walk.h"

size_t
name_length(struct str s)
{
	size_t n = 0;

	if (s.n == 0 || (s.p[0] >= '0' && s.p[0] <= '9'))
		return 0;
	for (; n < s.n; n++) {
		char c = s.p[n];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			(c >= '0' && c <= '9') || c == '_'))
			break;
	}
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
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
	return true;
}

static struct name **
name_bucket(struct walk *w, struct str text)
{
	unsigned h = 5381;

	for (size_t i = 0; i < text.n; i++)
		h = h * 33 + (unsigned char)text.p[i];
	return &w->names[h % NAME_BUCKETS];
}

static struct name *
name_find(struct walk *w, struct str text)
{
	struct name *n = *name_bucket(w, text);

	while (n && !str_eq(n->text, text))
		n = n->next;
	return n;
}

static struct name *
name_entry(struct walk *w, struct str text)
{
	struct name *n = name_find(w, text), **bucket;

	if (n || (n = walk_alloc(w, sizeof *n)) == NULL)
		return n;
	bucket = name_bucket(w, text);
	*n = (struct name){ text, 0, *bucket };
	*bucket = n;
	return n;
}

bool
name_has(struct walk *w, struct str name, unsigned flag)
{
	const struct name *n = name_find(w, name);

	return n && (n->flags & flag);
}

void
name_flag(struct walk *w, struct str name, unsigned flag, struct span at)
{
	struct name *n = name_entry(w, name);
	unsigned arith = NAME_ARITH | NAME_TAINTED, odd = NAME_CONSTANT | NAME_ODD;
	unsigned before;

	if (!n)
		return;
	before = n->flags;
	n->flags |= flag;
	if ((n->flags & arith) == arith && (before & arith) != arith)
		add_unknown(w, at, "a value that could hold code is read as an expression");
	if ((n->flags & odd) == odd && (before & odd) != odd)
		add_unknown(w, at, "a variable's attributes change what is assigned to it");
}

/* The shell sets these itself: what was assigned is not what they hold. */
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
	if (!var_forget(w->a, s, name))
		fail(w, CORDON_ENOMEM, (struct span){ 0, 0 }, "out of memory");
}

void
assign_name(
    struct walk *w, struct str name, struct field value, struct span at, struct state *s)
{
	enum env_power power = env_power(name, value);
	bool number = value.kind == FIELD_STR ? value.text.n == 0 || is_number(value.text)
					      : value.number && value.text.n == 0;
	struct field *item;

	if (power != ENV_PLAIN)
		add_env(w, name, value, power, at);
	if (power == ENV_RUNS)
		add_unknown(w, at, "a variable is set that changes what commands mean");
	if (!number)
		name_flag(w, name, NAME_TAINTED, at);
	if (value.kind == FIELD_MANY || is_dynamic(name)) {
		forget_name(w, name, s);
		return;
	}
	item = walk_alloc(w, sizeof *item);
	if (!item)
		return;
	*item = value;
	if (!var_set(w->a, s, name, VAR_STRING, item, 1))
		fail(w, CORDON_ENOMEM, at, "out of memory");
}
