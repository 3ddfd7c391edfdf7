/*
 * Commands and files inside code of other languages: system("x"), `x`, !x of an editor,
 * $(shell x) of make. They are reported as guesses; the code stays unknown.
 */
#include "analyse/guess.h"
#include "analyse/programs/calls.h"
#include "analyse/programs/programs.h"
#include "base/quote.h"

/* The command of !cmd, :!cmd, %!cmd, silent !cmd, r !cmd, shell cmd. */
static struct str
after_bang(struct str text)
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

/* $(shell x) of make, up to its parenthesis. */
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
look_inside(struct walk *w, struct field code, struct str by, struct state s)
{
	struct str text = code.text, bang = after_bang(text);

	if (bang.n)
		run_shell_text(w, field_made(FIELD_STR, bang, code.at), STR("!"), s);
	for (size_t i = 0; i < text.n && !w->failed;)
		i = str_starts(str_skip(text, i), STR("$(shell "))
			? take_make(w, text, i, code, s)
			: i + 1;
	look_at_code(w, by, code, s);
}

void
guess_code(struct walk *w, struct field code, struct str by, struct state s)
{
	struct sink before;

	if (code.kind != FIELD_STR || !guess_begin(w, &before))
		return;
	s.args = NULL;
	look_inside(w, code, by, s);
	guess_end(w, &before);
}

/* Guess a text that is run as commands in some cases. */
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

/* Guess the alias text with the words after it. */
void
guess_aliased(struct walk *w, const struct invocation *c, struct state s)
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
	w->aliasing = false; /* do not expand an alias inside its own text */
	(void)walk_source(
	    w, buf_str(&b), w->frame.dialect, whole.at, STR("alias"), s, &ignored);
	w->aliasing = true;
	guess_end(w, &before);
}
