/*
 * Commands and files inside of code that is not ours to read: system("x"), `x`, !x of an
 * editor, $(shell x) of make.  What is found is a guess; the code stays unknown.
 */
#include "analyse/guess.h"
#include "analyse/programs.h"
#include "base/quote.h"

#define FOUND_MAX 16
#define WORDS_MAX 16

/* Functions whose first argument is a command, and those for which it is a file. */
static const char runners[] =
    "system\0popen\0popen2\0popen3\0Popen\0exec\0execl\0execlp\0execv\0execvp\0execvpe\0"
    "execSync\0execFile\0execFileSync\0spawn\0spawnSync\0spawnlp\0spawnvp\0run\0call\0"
    "check_call\0check_output\0getoutput\0getstatusoutput\0shell_exec\0passthru\0execute\0"
    "capture2\0capture2e\0capture3\0Run\0sh\0";
static const char readers[] =
    "open\0read\0readFile\0readFileSync\0createReadStream\0file_get_contents\0readfile\0"
    "Path\0slurp\0readlines\0foreach\0read_text\0fopen\0file\0source\0";

static bool
is_word_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

/* The name that stands before `i`, over blanks and opening brackets. */
static struct str
name_before(struct str text, size_t i)
{
	size_t end;

	while (i > 0 && strchr(" \t([{", text.p[i - 1]))
		i--;
	end = i;
	while (i > 0 && is_word_byte(text.p[i - 1]))
		i--;
	return str_cut(text, i, end);
}

/* One literal from its quote on; returns where it ends, text.n if nowhere. */
static size_t
literal(struct str text, size_t i, struct str *ret)
{
	char quote = text.p[i];
	size_t k = i + 1;

	while (k < text.n && text.p[k] != quote)
		k += text.p[k] == '\\' ? 2 : 1;
	*ret = k < text.n ? str_cut(text, i + 1, k) : (struct str){ NULL, 0 };
	return k < text.n ? k + 1 : text.n;
}

static void
run_words(struct walk *w, struct fields *f, struct span at, struct str via, struct state s)
{
	struct call c = { .argv = f->v, .argc = f->n, .at = at };

	run_inner(w, &c, 0, via, s);
}

/* ["rm", "-rf", "x"]: the literals that follow each other are the words of a command. */
static size_t
list_of(struct walk *w, struct str text, size_t i, struct span at, struct fields *f)
{
	struct str word;

	for (;;) {
		size_t k = literal(text, i, &word);

		if (!word.p || f->n >= WORDS_MAX)
			return text.n;
		fields_add(w, f, field_made(FIELD_STR, word, at));
		while (k < text.n && strchr(" \t\n,[", text.p[k]))
			k++;
		if (k >= text.n || !strchr("'\"", text.p[k]))
			return k;
		i = k;
	}
}

/* A literal at `i`, as the argument of a call. */
static size_t
take_literal(struct walk *w, struct str text, size_t i, struct field whole, struct state s)
{
	struct str name = name_before(text, i);
	struct fields f = { NULL, 0, 0 };
	size_t next;

	if (str_among(name, readers)) {
		struct str path;

		next = literal(text, i, &path);
		if (path.p && path.n)
			add_file(w, FILE_READ, false, field_made(FIELD_STR, path, whole.at),
			    s.cwd, name);
		return next;
	}
	if (!str_among(name, runners)) {
		struct str skipped;

		return literal(text, i, &skipped);
	}
	next = list_of(w, text, i, whole.at, &f);
	if (f.n > 1)
		run_words(w, &f, whole.at, name, s);
	if (f.n)
		run_shell_text(w, field_made(FIELD_STR, f.v[0].text, whole.at), name, s);
	return next;
}

/* !cmd, :!cmd, %!cmd, silent !cmd, r !cmd, shell cmd. */
static struct str
behind_bang(struct str text)
{
	static const struct str words[] = { STR_INIT("silent!"), STR_INIT("silent"),
		STR_INIT("sil"), STR_INIT("read"), STR_INIT("r"), STR_INIT("w"),
		STR_INIT("write"), STR_INIT("exe"), STR_INIT("execute") };
	size_t i = 0, before;

	do {
		before = i;
		while (i < text.n && strchr(" \t:+%\"'", text.p[i]))
			i++;
		for (size_t k = 0; k < sizeof words / sizeof *words; k++)
			if (str_starts(str_skip(text, i), words[k]) &&
			    i + words[k].n < text.n && text.p[i + words[k].n] == ' ')
				i += words[k].n;
	} while (i != before);
	text = str_skip(text, i);
	if (str_starts(text, STR("!")))
		return str_skip(text, 1);
	if (str_starts(text, STR("shell ")))
		return str_skip(text, 6);
	return (struct str){ NULL, 0 };
}

/* $(shell x) of make, up to its bracket. */
static size_t
take_make(struct walk *w, struct str text, size_t i, struct field whole, struct state s)
{
	size_t end = i + 8;
	int depth = 1;

	while (end < text.n && depth > 0) {
		depth += text.p[end] == '(' ? 1 : text.p[end] == ')' ? -1 : 0;
		end++;
	}
	if (depth == 0)
		run_shell_text(w,
		    field_made(FIELD_STR, str_cut(text, i + 8, end - 1), whole.at),
		    STR("shell"), s);
	return end;
}

static void
look_inside(struct walk *w, struct field code, struct state s)
{
	struct str text = code.text, bang = behind_bang(text), inner;
	int found = 0;

	if (bang.n)
		run_shell_text(w, field_made(FIELD_STR, bang, code.at), STR("!"), s);
	for (size_t i = 0; i < text.n && found < FOUND_MAX && !w->failed;) {
		char c = text.p[i];

		if (c == '\'' || c == '"') {
			i = take_literal(w, text, i, code, s);
			found++;
		} else if (c == '`') {
			i = literal(text, i, &inner);
			if (inner.n)
				run_shell_text(
				    w, field_made(FIELD_STR, inner, code.at), STR("`"), s);
			found++;
		} else if (str_starts(str_skip(text, i), STR("$(shell "))) {
			i = take_make(w, text, i, code, s);
			found++;
		} else
			i++;
	}
}

void
guess_code(struct walk *w, struct field code, struct state s)
{
	struct sink before;

	if (code.kind != FIELD_STR || !guess_begin(w, &before))
		return;
	s.args = NULL;
	look_inside(w, code, s);
	guess_end(w, &before);
}

/* A text that is run as commands in some cases. */
void
guess_shell(struct walk *w, struct field text, struct str via, struct state s)
{
	struct sink before;

	if (text.kind != FIELD_STR || !guess_begin(w, &before))
		return;
	run_shell_text(w, text, via, s);
	guess_end(w, &before);
}

void
guess_expansions(struct walk *w, struct str text, struct span at, struct state s)
{
	struct sink before;

	if (!guess_begin(w, &before))
		return;
	run_expansions(w, text, at, s);
	guess_end(w, &before);
}

/* The text of an alias with the words behind it. */
void
guess_aliased(struct walk *w, const struct call *c, struct state s)
{
	struct str text = guess_alias_of(w, c->argv[0].text);
	struct field whole = { .kind = FIELD_STR, .at = c->at };
	struct sink before;
	struct flow ignored;
	struct buf b;

	if (!text.p)
		return;
	buf_init(&b, w->a);
	buf_put(&b, text);
	for (size_t i = 1; i < c->argc && c->argv[i].kind == FIELD_STR; i++) {
		buf_putc(&b, ' ');
		if (quote_put(&b, QUOTE_BASH, c->argv[i].text, NULL))
			return;
	}
	if (b.full || !guess_begin(w, &before))
		return;
	w->aliasing = false; /* the name in its own text is not replaced again */
	(void)walk_source(
	    w, buf_str(&b), w->frame.dialect, whole.at, STR("alias"), s, &ignored);
	w->aliasing = true;
	guess_end(w, &before);
}
