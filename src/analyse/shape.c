/* Declarations about programs: `wrapper` and `data`. */
#include "analyse/programs/programs.h"
#include "analyse/word/word.h"

/* Take the next word; empty at the end. */
static struct str
next_word(struct str *words)
{
	size_t from = 0, to;
	struct str word;

	while (from < words->n && words->p[from] == ' ')
		from++;
	*words = str_skip(*words, from);
	to = str_find(*words, ' ');
	word = str_cut(*words, 0, to);
	*words = str_skip(*words, to);
	return word;
}

/* DIR, STR: matches any word. */
static bool
is_slot(struct str word)
{
	for (size_t i = 0; i < word.n; i++)
		if ((word.p[i] < 'A' || word.p[i] > 'Z') && word.p[i] != '_')
			return false;
	return word.n > 0;
}

/* Match each word at its position. Return the index where the command begins, or argc. */
static size_t
wrapper_end(const struct invocation *c, struct str words)
{
	size_t at = 1;

	for (struct str word; (word = next_word(&words)).n > 0; at++) {
		if (str_is(word, "CMD..."))
			return at;
		if (at >= c->argc || c->argv[at].kind == FIELD_MANY)
			return c->argc;
		if (is_slot(word)
			? could_be_option(c->argv[at])
			: c->argv[at].kind != FIELD_STR || !str_eq(c->argv[at].text, word))
			return c->argc;
	}
	return c->argc;
}

/* The index of an option, alone or with =value; argc if it is absent. */
static size_t
option_at(const struct invocation *c, size_t from, struct str option, bool *attached)
{
	for (size_t i = from; i < c->argc; i++) {
		struct str t = c->argv[i].text;

		*attached = str_starts(t, option) && t.n > option.n && t.p[option.n] == '=';
		if (*attached || (c->argv[i].kind == FIELD_STR && str_eq(t, option)))
			return i;
	}
	return c->argc;
}

/* The words that are text, as a bit mask; 0 if the command does not match. */
static uint64_t
data_words(const struct invocation *c, struct str words)
{
	uint64_t mask = 0;
	size_t at = 1;

	for (struct str word; (word = next_word(&words)).n > 0; at++) {
		bool attached = false;

		if (word.p[0] == '-')
			at = option_at(c, at, word, &attached);
		if (at >= c->argc || at > 63 || c->argv[at].kind == FIELD_MANY)
			return 0;
		if (attached)
			(void)next_word(&words);
		if (attached || is_slot(word))
			mask |= (uint64_t)1 << at;
		else if (c->argv[at].kind != FIELD_STR || !str_eq(c->argv[at].text, word))
			return 0;
	}
	return mask;
}

uint64_t
shape_data(const struct walk *w, const struct invocation *c, struct str program)
{
	const struct know_node *node = know_program(program);
	uint64_t mask = 0;

	/* A text given to a shell is run, whatever is declared. */
	if (node && know_handler(node) != HANDLER_NONE)
		return 0;
	for (size_t i = 0; i < w->shapes.n; i++) {
		struct str words = w->shapes.v[i].words;

		if (w->shapes.v[i].data && str_eq(next_word(&words), program))
			mask |= data_words(c, words);
	}
	return mask;
}

bool
shape_wrapper(struct walk *w, struct invocation *c, struct str program, struct state s)
{
	for (size_t i = 0; i < w->shapes.n; i++) {
		struct str words = w->shapes.v[i].words;
		size_t end;

		if (w->shapes.v[i].data || !str_eq(next_word(&words), program))
			continue;
		end = wrapper_end(c, words);
		if (end >= c->argc)
			continue;
		run_inner(w, c, end, program, s);
		return true;
	}
	return false;
}
