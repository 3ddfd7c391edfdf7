/* analyse/programs/programs.h: what the handlers of single programs share. */
#pragma once
#include "analyse/walk.h"

/* A text for another shell: its variables and functions are its own. */
void run_text(struct walk *w, struct str text, enum dialect dialect, struct span at,
    struct str via, const struct args *args, struct state s);
/* What is on its standard input, if that is certain; else of another kind than STR. */
struct field stdin_text(struct walk *w, const struct call *c, struct state *s);
/* Only literal text and plain parameters: looking at its value runs nothing. */
bool is_plain(const struct word *word);

static inline void
raise_class(struct call *c, enum know_class class)
{
	if (c->self && c->self->class < class)
		c->self->class = class;
}

/* All that it does is to start what is reported behind it. */
static inline void
only_starts(struct call *c)
{
	if (c->self)
		c->self->wrapper = true;
}

/* shape.c: which of its words are text by declaration, as bits. */
uint64_t shape_data(const struct walk *w, const struct call *c, struct str program);
/* It is a wrapper by declaration: then what it starts has been reported. */
bool shape_wrapper(struct walk *w, struct call *c, struct str program, struct state s);

static inline bool
could_be_option(struct field f)
{
	return f.kind == FIELD_MANY ||
	       (f.kind == FIELD_ONE && (f.text.n == 0 || f.text.p[0] == '-'));
}

/* A script that comes from there is none that anyone has read. */
static inline bool
names_stdin(struct field f)
{
	return f.kind == FIELD_STR &&
	       (str_is(f.text, "-") || str_is(f.text, "/dev/stdin") ||
		   str_starts(f.text, STR("/dev/fd/")) ||
		   str_starts(f.text, STR("/proc/self/fd/")));
}

/* The item is the option of this name, or its value. */
static inline bool
item_is(const struct know_item *item, const char *name)
{
	for (size_t i = 0; item->option; i++) {
		struct str spelling = know_option_name(item->option, i);

		if (spelling.n == 0)
			return false;
		if (str_is(spelling, name))
			return true;
	}
	return false;
}

/* ---- filter.c: what a filter makes of a text; .p == NULL: not known */
struct str filter_output(struct walk *w, const struct fields *f, struct str in);
/* What comes out of it is not what a person reads in the text; `before`: nor what goes in.
 */
bool decodes(const struct node *n, bool before);
/* What a simple command prints that reads `in` (.p == NULL: it is not known). */
struct str known_output_of(
    struct walk *w, const struct node *node, struct str in, struct state *s);
/* What a function prints, if that is all that the list does; as a guess. */
struct str function_output(struct walk *w, const struct list *list, struct state *s);
/* ---- output.c: what printf with these words (its name first) prints */
struct str printf_output(struct walk *w, const struct fields *f);

/* ---- texts.c: texts that are known, and are run by another name than their own */
/* `$( )` and backquotes in a value that is expanded once more. */
void run_expansions(struct walk *w, struct str text, struct span at, struct state s);
/* What <( ) at this place prints. */
void note_fed(struct walk *w, struct span at, struct str text);
/* A simple command whose output is known writes it to a file. */
void note_written(struct walk *w, const struct node *node, struct state *s);
/* The same of tee with these words. */
void note_copied(
    struct walk *w, const struct fields *words, struct str text, struct state *s);
/* What is in the file, as far as this text says; .p == NULL: nobody knows. */
struct str known_file(
    struct walk *w, const struct call *c, struct field path, struct state *s);

/* word.c: a part of a field's pattern: a text as it stands, and one whose signs count. */
void among_put(struct buf *b, struct str text);
void among_put_signs(struct buf *b, struct str text);
