/* find: starting points, and actions that run, write or delete. */
#include "analyse/programs/programs.h"
#include "analyse/word/word.h"
#include "base/buf.h"

/* Tests and actions that take one word; -fprintf takes two. */
static bool
takes_value(struct str word)
{
	static const char names[] =
	    "-amin\0-anewer\0-atime\0-cmin\0-cnewer\0-context\0-ctime\0-fstype\0-gid\0"
	    "-group\0-ilname\0-iname\0-inum\0-ipath\0-iregex\0-iwholename\0-links\0"
	    "-lname\0-maxdepth\0-mindepth\0-mmin\0-mtime\0-name\0-newer\0-path\0-perm\0"
	    "-printf\0-regex\0-regextype\0-samefile\0-size\0-type\0-uid\0-used\0-user\0"
	    "-wholename\0-xtype\0-D\0";

	return str_among(word, names) || str_starts(word, STR("-newer"));
}

static bool
takes_nothing(struct str word)
{
	static const char names[] =
	    "(\0)\0!\0,\0-a\0-and\0-daystart\0-delete\0-depth\0-d\0-empty\0"
	    "-executable\0-false\0-follow\0-help\0--help\0-ignore_readdir_race\0-ls\0"
	    "-mount\0-nogroup\0-noignore_readdir_race\0-noleaf\0-nouser\0-not\0"
	    "-nowarn\0-o\0-or\0-print\0-print0\0-prune\0-quit\0-readable\0-true\0"
	    "-version\0--version\0-warn\0-writable\0-xdev\0";

	return str_among(word, names);
}

static bool
is_exec(struct str word)
{
	return str_is(word, "-exec") || str_is(word, "-execdir") || str_is(word, "-ok") ||
	       str_is(word, "-okdir");
}

/*
 * A pattern for the files that find can reach. Each test narrows it, but only -name is
 * read. .p is NULL (anything) without -name, with several starting points, and with "or"
 * and "not".
 */
static struct str
found_among(struct walk *w, const struct invocation *c, size_t first, size_t last)
{
	static const char turns[] = "-o\0-or\0,\0!\0-not\0(\0)\0-follow\0-files0-from\0";
	struct str start = STR("."), name = { NULL, 0 };
	struct buf b;

	if (last > first + 1 || (last > first && c->argv[first].kind != FIELD_STR))
		return name;
	if (last > first)
		start = c->argv[first].text;
	for (size_t i = 1; i < first; i++) /* symlinks are followed */
		if (str_among(c->argv[i].text, "-L\0-H\0"))
			return name;
	for (size_t i = last; i < c->argc; i++) {
		struct field f = c->argv[i];

		if (f.kind == FIELD_STR && (is_exec(f.text) || str_is(f.text, "-delete")))
			break;
		if (f.kind != FIELD_STR || str_among(f.text, turns))
			return (struct str){ NULL, 0 };
		if (str_is(f.text, "-name") && i + 1 < c->argc &&
		    c->argv[i + 1].kind == FIELD_STR)
			name = c->argv[i + 1].text;
		i += takes_value(f.text);
	}
	if (!name.p || name.n == 0 || str_find(name, '/') < name.n)
		return (struct str){ NULL, 0 };
	buf_init(&b, w->a);
	among_put(&b, start);
	buf_puts(&b, "/**/");
	among_put_signs(&b, name);
	return b.full ? (struct str){ NULL, 0 } : buf_str(&b);
}

/* A word with {} is known up to there. */
static struct field
found(struct field f, bool many, struct str among)
{
	for (size_t i = 0; i + 2 <= f.text.n; i++)
		if (f.text.p[i] == '{' && f.text.p[i + 1] == '}') {
			struct field to = field_made(many ? FIELD_MANY : FIELD_ONE,
			    many ? STR("") : str_cut(f.text, 0, i), f.at);

			if (f.text.n == 2)
				to.among = among;
			return to;
		}
	return f;
}

/* A word of fd's command; {} and the like stand for found paths. */
static struct field
fd_word(struct field f, bool *placed)
{
	static const char tokens[] = "{}\0{/}\0{//}\0{.}\0{/.}\0";

	for (size_t i = 0; i < f.text.n; i++) {
		struct str rest = str_skip(f.text, i);
		size_t end = str_find(rest, '}');

		if (end < rest.n && str_among(str_cut(rest, 0, end + 1), tokens)) {
			*placed = true;
			return (struct field){
				.kind = FIELD_MANY, .text = STR(""), .at = f.at
			};
		}
	}
	return f;
}

void
run_fd(struct walk *w, const struct invocation *c, size_t from, struct state s)
{
	struct fields words = { NULL, 0, 0 };
	struct invocation inner = *c;
	bool placed = false;
	size_t i;

	for (i = from; i < c->argc && !field_is(c->argv[i], ";"); i++)
		fields_add(w, &words, fd_word(c->argv[i], &placed));
	if (i + 1 < c->argc)
		add_unknown(w, c->argv[i].at, "unknown words after the command of fd");
	if (!placed)
		fields_add(w, &words,
		    (struct field){ .kind = FIELD_MANY, .text = STR(""), .at = c->at });
	inner.argv = words.v;
	inner.argc = words.n;
	inner.piped.p = NULL;
	inner.redirs = NULL;
	if (!w->failed)
		run_inner(w, &inner, 0, STR("fd"), s);
}

/* Run the command after -exec; return the index after its end, or argc. */
static size_t
find_exec(struct walk *w, struct invocation *c, size_t i, struct str among, struct state s)
{
	struct invocation inner = *c;
	struct str action = c->argv[i].text;
	size_t from = i + 1, end = from;
	struct fields words = { NULL, 0, 0 };
	bool many = false, open = false;

	for (; end < c->argc; end++) {
		if (c->argv[end].kind != FIELD_STR && c->argv[end].text.n == 0) {
			/* An unknown word could end the command. */
			add_unknown(w, c->argv[end].at,
			    "it is unclear where the command of find ends");
			open = true;
			break;
		}
		if (field_is(c->argv[end], ";"))
			break;
		if (end > from && field_is(c->argv[end], "+") &&
		    field_is(c->argv[end - 1], "{}")) {
			many = true;
			break;
		}
	}
	if (end == from) /* find refuses this */
		return c->argc;
	/* find also refuses a command without end; report it anyway. */
	for (size_t k = from; k < end; k++)
		fields_add(w, &words, found(c->argv[k], many, among));
	if (open)
		fields_add(w, &words, field_made(FIELD_MANY, STR(""), c->argv[end].at));
	if (str_is(action, "-execdir") || str_is(action, "-okdir"))
		s.cwd = &dirs_anywhere;
	inner.argv = words.v;
	inner.argc = words.n;
	inner.piped.p = NULL;
	inner.redirs = NULL;
	raise_class(c, CLASS_EXEC);
	if (!w->failed)
		run_inner(w, &inner, 0, STR("find"), s);
	return end < c->argc && !open ? end + 1 : c->argc;
}

static void
find_starts(struct walk *w, const struct invocation *c, size_t from, size_t to,
    enum file_op op, struct str among, const struct state *s)
{
	struct field here = { .kind = FIELD_STR, .text = STR("."), .at = c->at };

	for (size_t i = from; i < to || i == from; i++) {
		struct field start = from == to ? here : c->argv[i];

		if (among.p)
			start.among = among;
		/* find reads names and attributes. Deleting a directory deletes everything
		 * below it. */
		if (op == FILE_READ)
			add_names(w, start, s->cwd, STR("find"));
		else
			add_file(w, op, true, start, s->cwd, STR("find"));
	}
}

static bool
begins_expression(struct field f)
{
	return f.kind == FIELD_STR && f.text.n &&
	       ((f.text.p[0] == '-' && f.text.n > 1) || str_is(f.text, "(") ||
		   str_is(f.text, "!") || str_is(f.text, ")") || str_is(f.text, ","));
}

/* Effects of the action at argv[i], except running commands. */
static void
find_action(struct walk *w, struct invocation *c, size_t i, size_t first, size_t last,
    struct str among, const struct state *s)
{
	struct field f = c->argv[i];

	if (str_is(f.text, "-files0-from"))
		add_unknown(w, f.at, "find reads its starting points from a file");
	if (str_is(f.text, "-delete")) {
		raise_class(c, CLASS_DESTROY);
		find_starts(w, c, first, last, FILE_DELETE, among, s);
	}
	if (str_starts(f.text, STR("-f")) && !str_is(f.text, "-fstype") &&
	    !str_is(f.text, "-false") && !str_is(f.text, "-follow") &&
	    !str_is(f.text, "-files0-from") && i + 1 < c->argc) {
		raise_class(c, CLASS_WRITE);
		add_file(w, FILE_WRITE, false, c->argv[i + 1], s->cwd, STR("find"));
	}
}

/* Option letters that some versions of find accept before the starting points, alone or
 * combined. */
static bool
is_leading(struct str word)
{
	for (size_t i = 1; i < word.n; i++)
		if (!strchr("EHLPXdsx", word.p[i]))
			return false;
	return word.n > 1 && word.p[0] == '-';
}

/* -H -L -P -O3 and -D word come before the starting points. */
static size_t
find_options(const struct invocation *c)
{
	size_t i = 1;

	for (; i < c->argc && c->argv[i].kind == FIELD_STR; i++) {
		struct str t = c->argv[i].text;

		if (str_is(t, "-D"))
			i++;
		else if (!is_leading(t) && !str_starts(t, STR("-O")))
			break;
	}
	return i < c->argc ? i : c->argc;
}

void
run_find(struct walk *w, struct invocation *c, struct state s)
{
	size_t i, first, last;
	struct str among;

	/* The table cannot count the words of -exec: determine the class here. */
	if (c->self && c->self->scan->class != CLASS_READ)
		c->self->class = CLASS_READ;
	i = find_options(c);
	first = i;
	while (i < c->argc && !begins_expression(c->argv[i])) {
		struct field f = c->argv[i++];

		if (f.kind == FIELD_MANY || (f.kind == FIELD_ONE && f.text.n == 0))
			add_unknown(w, f.at, "an unknown word could be an action of find");
	}
	last = i;
	find_starts(w, c, first, last, FILE_READ, (struct str){ NULL, 0 }, &s);
	among = found_among(w, c, first, last);
	while (i < c->argc && !w->failed) {
		struct field f = c->argv[i];

		if (f.kind != FIELD_STR) {
			add_unknown(w, f.at, "an unknown word could be an action of find");
			return;
		}
		if (is_exec(f.text)) {
			i = find_exec(w, c, i, among, s);
			continue;
		}
		find_action(w, c, i, first, last, among, &s);
		if (str_is(f.text, "-fprintf"))
			i += 3;
		else if (takes_value(f.text) || str_is(f.text, "-files0-from") ||
			 str_is(f.text, "-fprint") || str_is(f.text, "-fprint0") ||
			 str_is(f.text, "-fls"))
			i += 2;
		else if (takes_nothing(f.text) || !begins_expression(f))
			i++;
		else {
			if (c->self && c->self->class == CLASS_READ)
				c->self->class = CLASS_UNKNOWN;
			add_unknown(w, f.at, "unknown expression of find");
			return;
		}
	}
}
