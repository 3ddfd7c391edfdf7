/* Guesses from the input of a pipe or redirection: values for read and mapfile, and files
 * that it names. */
#include "analyse/guess.h"
#include "analyse/names.h"
#include "analyse/programs/programs.h"
#include "analyse/word/word.h"
#include "base/buf.h"

/* Limits for lines, and for words of one line. */
#define LINES 8
#define WORDS 16

/* Return the output of `<(...)` if this redirection reads it. */
static struct str
fed_by(struct walk *w, const struct redir *r)
{
	const struct part *p = r->op == REDIR_IN ? r->target->parts : NULL;
	struct span at = r->target ? walk_span(w, r->target->at) : (struct span){ 0, 0 };

	if (!p || p->next || p->kind != PART_PROCESS || w->fed_at.start != at.start ||
	    w->fed_at.end != at.end)
		return (struct str){ NULL, 0 };
	return w->fed;
}

struct str
guess_input(struct walk *w, const struct invocation *c, struct state *s)
{
	struct field f = stdin_text(w, c, s);

	if (f.kind == FIELD_STR)
		return f.text;
	for (const struct redir *r = c->redirs; r; r = r->next) {
		struct str text = fed_by(w, r);

		if (text.p)
			return text;
		if (r->op == REDIR_IN)
			return (struct str){ NULL, 0 };
	}
	return w->input;
}

static struct str
next_line(struct str *text)
{
	size_t n = 0;
	struct str line;

	while (n < text->n && text->p[n] != '\n' && text->p[n] != '\0')
		n++;
	line = str_cut(*text, 0, n);
	*text = str_skip(*text, n + 1);
	return line;
}

/* Take one word of `line`; the last name gets the rest. */
static struct str
next_word(struct str *line, struct str ifs, bool last)
{
	size_t n = 0;
	struct str word;

	while (line->n && strchr(" \t", line->p[0]) && str_find(ifs, line->p[0]) < ifs.n)
		*line = str_skip(*line, 1);
	while (n < line->n && (last || str_find(ifs, line->p[n]) == ifs.n))
		n++;
	word = str_cut(*line, 0, n);
	*line = str_skip(*line, n + 1);
	return word;
}

static void
guess_array(
    struct walk *w, struct str name, struct str line, struct str ifs, struct span at)
{
	struct fields f = { NULL, 0, 0 };

	while (line.n && f.n < WORDS && !w->failed)
		fields_add(w, &f, field_made(FIELD_STR, next_word(&line, ifs, false), at));
	if (f.n && !w->failed)
		guess_list(w, name, f.v, f.n);
}

void
guess_read(struct walk *w, const struct invocation *c, size_t names, struct field array,
    struct state *s)
{
	struct str text = guess_input(w, c, s), ifs = ifs_of(s);

	if (!ifs.p) /* IFS=: read x y */
		ifs = guess_latest(w, STR("IFS"));
	if (!ifs.p)
		ifs = STR(" \t\n");
	for (int seen = 0; text.p && text.n && seen < LINES / 2; seen++) {
		struct str line = next_line(&text);

		if (array.kind == FIELD_STR) {
			guess_array(w, array.text, line, ifs, c->at);
			continue;
		}
		if (names >= c->argc)
			guess_value(w, STR("REPLY"), field_made(FIELD_STR, line, c->at));
		for (size_t i = names; i < c->argc; i++)
			if (c->argv[i].kind == FIELD_STR)
				guess_value(w, c->argv[i].text,
				    field_made(FIELD_STR,
					next_word(&line, ifs, i + 1 == c->argc), c->at));
	}
}

void
guess_mapped(struct walk *w, const struct invocation *c, struct field name, struct state *s)
{
	struct str text = guess_input(w, c, s);
	struct fields f = { NULL, 0, 0 };

	if (name.kind != FIELD_STR || !is_name(name.text))
		return;
	while (text.p && text.n && f.n < WORDS && !w->failed)
		fields_add(w, &f, field_made(FIELD_STR, next_line(&text), c->at));
	if (f.n && !w->failed)
		guess_list(w, name.text, f.v, f.n);
}

/* ~/x as a program that expands ~ would read it. */
static struct field
below_home(struct walk *w, struct field f, const struct state *s)
{
	struct str home = home_of(w, s);
	struct buf b;

	if (!home.p || !str_starts(f.text, STR("~/")))
		return f;
	buf_init(&b, w->a);
	buf_put(&b, home);
	buf_put(&b, str_skip(f.text, 1));
	f.text = buf_str(&b);
	return f;
}

static void
read_file(struct walk *w, struct field f, struct str by, const struct state *s)
{
	struct sink before;

	if (f.kind != FIELD_STR || f.text.n == 0 || !guess_begin(w, &before))
		return;
	add_file(w, FILE_READ, true, below_home(w, f, s), s->cwd, by);
	guess_end(w, &before);
}

/* @file, name=@file: many programs read the file. */
void
guess_file(struct walk *w, struct field word, struct str by, struct state s)
{
	size_t at = str_find(word.text, '@');

	if (word.kind == FIELD_STR && at + 1 < word.text.n &&
	    (at == 0 || strchr("=:", word.text.p[at - 1])))
		read_file(w, field_skip(word, at + 1), by, &s);
}

/* Programs that read file names from standard input without an option for it. */
static bool
reads_names(struct str by, const struct know_item *item)
{
	return str_is(by, "cpio") && (item_is(item, "-o") || item_is(item, "-p"));
}

/* True for a word that is a path, not a text that contains one. */
static bool
is_path(struct str word)
{
	return str_find(word, '/') < word.n && !str_has_any(word, " \t\n'\"$;|&<>(){}=");
}

void
guess_named(struct walk *w, const struct invocation *c, const struct know_scan *scan,
    struct state s)
{
	struct str by = str_base(c->program.p ? c->program : c->argv[0].text);
	bool code = know_handler(know_program(by)) == HANDLER_CODE;

	for (size_t i = 0; i < scan->count && !w->failed; i++) {
		const struct know_item *item = &scan->items[i];
		struct str text = { NULL, 0 };

		if (item->role == ROLE_READ_NAMES && !item->option_only)
			text = names_stdin(item->value) ? guess_input(w, c, &s)
							: known_file(w, c, item->value, &s);
		else if (reads_names(by, item))
			text = guess_input(w, c, &s);
		else if (code && !item->option && is_path(item->value.text))
			read_file(w, item->value, by, &s);
		for (int seen = 0; text.p && text.n && seen < LINES; seen++)
			read_file(
			    w, field_made(FIELD_STR, next_line(&text), c->at), by, &s);
	}
}
