/* sed scripts: `e` and s///e run commands, `w` and s///w write, `r` reads. */
#include "analyse/programs/programs.h"

struct script {
	struct walk *w;
	struct invocation *c;
	struct state s;
	struct str text;
	struct span at;
	size_t i;
	bool bad; /* the script cannot be parsed */
};

static char
look(const struct script *x)
{
	return x->i < x->text.n ? x->text.p[x->i] : '\0';
}

static void
skip_blanks(struct script *x)
{
	while (look(x) == ' ' || look(x) == '\t')
		x->i++;
}

/* Read to the end of the line, without its newline. */
static struct str
rest_of_line(struct script *x)
{
	size_t from = x->i;

	while (x->i < x->text.n && look(x) != '\n')
		x->i++;
	return str_cut(x->text, from, x->i);
}

/* Skip a bracket expression; the delimiter has no meaning inside. */
static void
skip_bracket(struct script *x)
{
	x->i++;
	if (look(x) == '^')
		x->i++;
	if (look(x) == ']')
		x->i++;
	while (x->i < x->text.n && look(x) != ']') {
		char next = x->i + 1 < x->text.n ? x->text.p[x->i + 1] : '\0';

		if (look(x) == '[' && (next == ':' || next == '.' || next == '=')) {
			x->i += 2;
			while (x->i + 1 < x->text.n &&
			       !(look(x) == next && x->text.p[x->i + 1] == ']'))
				x->i++;
			x->i++;
		}
		x->i++;
	}
}

/* Skip to after the delimiter. */
static void
skip_delimited(struct script *x, char delimiter, bool regex)
{
	for (; x->i < x->text.n; x->i++) {
		if (look(x) == '\\')
			x->i++;
		else if (look(x) == delimiter) {
			x->i++;
			return;
		} else if (regex && look(x) == '[')
			skip_bracket(x);
	}
	x->bad = true;
}

/* Skip one address; false if there is none. */
static bool
skip_address(struct script *x)
{
	char c = look(x);

	if (byte_is_digit(c) || c == '$' || c == '+' || c == '~') {
		x->i++;
		while (byte_is_digit(look(x)) || look(x) == '~')
			x->i++;
		return true;
	}
	if (c != '/' && c != '\\')
		return false;
	x->i++;
	if (c == '\\')
		c = look(x), x->i++;
	if (c == '\n' || c == '\0') {
		x->bad = true;
		return false;
	}
	skip_delimited(x, c, true);
	while (look(x) == 'I' || look(x) == 'M')
		x->i++;
	return true;
}

static void
script_file(struct script *x, enum file_op op)
{
	struct field f = { .kind = FIELD_STR, .at = x->at };

	skip_blanks(x);
	f.text = rest_of_line(x);
	if (str_among(f.text, "/dev/stdout\0/dev/stderr\0/dev/null\0"))
		return;
	if (op != FILE_READ)
		raise_class(x->c, CLASS_WRITE);
	add_file(x->w, op, false, f, x->s.cwd, STR("sed"));
}

static void
script_run(struct script *x)
{
	struct field f = { .kind = FIELD_STR, .at = x->at };

	raise_class(x->c, CLASS_EXEC);
	skip_blanks(x);
	f.text = rest_of_line(x);
	if (f.text.n)
		run_shell_text(x->w, f, STR("sed"), x->s);
	else
		add_unknown(x->w, x->at, "sed runs its input lines as commands");
}

static void
script_substitute(struct script *x)
{
	char delimiter = look(x);

	if (delimiter == '\n' || delimiter == '\\' || delimiter == '\0') {
		x->bad = true;
		return;
	}
	x->i++;
	skip_delimited(x, delimiter, true);
	skip_delimited(x, delimiter, false);
	for (; !x->bad; x->i++) {
		char c = look(x);

		if (c == 'e') {
			raise_class(x->c, CLASS_EXEC);
			add_unknown(x->w, x->at, "sed runs its input lines as commands");
		} else if (c == 'w') {
			x->i++;
			script_file(x, FILE_WRITE);
			return;
		} else if (!byte_is_digit(c) && (c == '\0' || !strchr("gpIiMm", c)))
			return;
	}
}

/* Skip the text of a, i or c, up to a line that does not end in a backslash. */
static void
skip_text(struct script *x)
{
	while (x->i < x->text.n && look(x) != '\n') {
		if (look(x) == '\\')
			x->i++;
		x->i++;
	}
	if (x->i > x->text.n)
		x->i = x->text.n;
}

static void
script_command(struct script *x)
{
	char c = look(x);

	x->i++;
	switch (c) {
	case '{':
	case '}':
	case '=':
	case 'd':
	case 'D':
	case 'F':
	case 'g':
	case 'G':
	case 'h':
	case 'H':
	case 'n':
	case 'N':
	case 'p':
	case 'P':
	case 'x':
	case 'z':
		return;
	case '#':
		(void)rest_of_line(x);
		return;
	case ':': /* up to a blank, ; or }, depending on the version of sed */
	case 'v':
	case 'b':
	case 't':
	case 'T':
	case 'l':
	case 'L':
	case 'q':
	case 'Q':
		while (
		    x->i < x->text.n && look(x) != '\n' && look(x) != ';' && look(x) != '}')
			x->i++;
		return;
	case 'a':
	case 'i':
	case 'c':
		skip_text(x);
		return;
	case 'r':
	case 'R':
		script_file(x, FILE_READ);
		return;
	case 'w':
	case 'W':
		script_file(x, FILE_WRITE);
		return;
	case 'e':
		script_run(x);
		return;
	case 's':
		script_substitute(x);
		return;
	case 'y':
		c = look(x);
		x->i++;
		skip_delimited(x, c, false);
		skip_delimited(x, c, false);
		return;
	default:
		x->bad = true;
	}
}

static void
read_script(struct script *x)
{
	while (x->i < x->text.n && !x->bad && !x->w->failed) {
		if (strchr(" \t\n;", look(x))) {
			x->i++;
			continue;
		}
		if (skip_address(x)) {
			skip_blanks(x);
			if (look(x) == ',') {
				x->i++;
				skip_blanks(x);
				x->bad |= !skip_address(x);
			}
			skip_blanks(x);
		}
		while (look(x) == '!' || look(x) == ' ')
			x->i++;
		if (x->i >= x->text.n)
			x->bad = true;
		if (!x->bad)
			script_command(x);
	}
	if (x->bad) {
		raise_class(x->c, CLASS_EXEC);
		add_unknown(x->w, x->at, "cannot parse this sed script");
	}
}

/* Join several -e into one script, one line each. */
void
run_sed(struct walk *w, struct invocation *c, const struct know_scan *scan, struct state s)
{
	struct script x = { .w = w, .c = c, .s = s, .at = c->at };
	struct buf all;

	buf_init(&all, w->a);
	for (size_t i = 0; i < scan->count; i++) {
		const struct know_item *item = &scan->items[i];

		if (item->role == ROLE_EXEC_FILE && !item->option_only &&
		    names_stdin(item->value))
			add_unknown(
			    w, item->value.at, "a script is read from standard input");
		if (item->option_only || item->role != ROLE_CODE)
			continue;
		if (item->value.kind != FIELD_STR) {
			raise_class(c, CLASS_EXEC);
			add_unknown(
			    w, item->value.at, "an unknown sed script could run commands");
			return;
		}
		if (all.n)
			buf_putc(&all, '\n');
		else
			x.at = item->value.at;
		buf_put(&all, item->value.text);
	}
	if (all.full)
		walk_fail(w, CORDON_ENOMEM, c->at, "out of memory");
	x.text = buf_str(&all);
	read_script(&x);
}
