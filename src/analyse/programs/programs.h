/* analyse/programs/programs.h: shared by the handlers of single programs. Internal to this
 * room. */
#pragma once
#include "analyse/names.h"
#include "analyse/word/word.h"

/* ---- one function for each program with a handler */
void run_shell(struct walk *w, struct invocation *c, struct state s);
void run_env(struct walk *w, struct invocation *c, struct state s);
void run_xargs(struct walk *w, struct invocation *c, struct state s);
void run_find(struct walk *w, struct invocation *c, struct state s);
/* The command of fd, from `from` on, with each found path in place of {} or appended. */
void run_fd(struct walk *w, const struct invocation *c, size_t from, struct state s);
void run_git(
    struct walk *w, struct invocation *c, const struct know_scan *scan, struct state s);
void run_sed(
    struct walk *w, struct invocation *c, const struct know_scan *scan, struct state s);
void run_awk(
    struct walk *w, struct invocation *c, const struct know_scan *scan, struct state s);
void run_code(
    struct walk *w, struct invocation *c, const struct know_scan *scan, struct state s);
/* Return the scan to continue with: tar's mode changes the meaning of its words. */
const struct know_scan *run_tar(
    struct walk *w, struct invocation *c, const struct know_scan *scan, struct state *s);
/* Run the command in c->argv[from..] as a program started by `via`. */
void run_inner(struct walk *w, const struct invocation *c, size_t from, struct str via,
    struct state s);
/* Run one field as a text for /bin/sh. */
void run_shell_text(struct walk *w, struct field text, struct str via, struct state s);
/* Apply the table: files, directories, hosts, nested commands and texts. */
void run_known(
    struct walk *w, struct invocation *c, const struct know_scan *scan, struct state s);

/* Walk a text for another shell, with its own variables and functions. */
void run_text(struct walk *w, struct str text, enum dialect dialect, struct span at,
    struct str via, const struct args *args, struct state s);
/* The standard input if it is certain; else another kind than STR. */
struct field stdin_text(struct walk *w, const struct invocation *c, struct state *s);
/* True if the word is literal text and plain parameters: evaluating it runs nothing. */
bool is_plain(const struct word *word);

static inline void
raise_class(struct invocation *c, enum know_class class)
{
	if (c->self && c->self->class < class)
		c->self->class = class;
}

/* Mark the command as one that only starts the command reported after it. */
static inline void
only_starts(struct invocation *c)
{
	if (c->self)
		c->self->wrapper = true;
}

/* shape.c: the words that are declared to be text, as a bit mask. */
uint64_t shape_data(const struct walk *w, const struct invocation *c, struct str program);
/* True if the program is declared to be a wrapper; the command it starts is then
 * reported. */
bool shape_wrapper(
    struct walk *w, struct invocation *c, struct str program, struct state s);

static inline bool
could_be_option(struct field f)
{
	return f.kind == FIELD_MANY ||
	       (f.kind == FIELD_ONE && (f.text.n == 0 || f.text.p[0] == '-'));
}

/* True for standard input: nobody has read a script that comes from there. */
static inline bool
names_stdin(struct field f)
{
	return f.kind == FIELD_STR &&
	       (str_is(f.text, "-") || str_is(f.text, "/dev/stdin") ||
		   str_starts(f.text, STR("/dev/fd/")) ||
		   str_starts(f.text, STR("/proc/self/fd/")));
}

/* True if the item is the option of this name, or its value. */
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

/* ---- filter.c: the output of a filter for a known input; .p is NULL if unknown */
struct str filter_output(struct walk *w, const struct fields *f, struct str in);
/* True if the command decodes its input, so that people cannot read the output in the text;
 * `before`: its input was already decoded. */
bool filter_decodes(const struct node *n, bool before);
/* The output of a command list if it is certain, else .p is NULL. */
struct str known_output(struct walk *w, const struct list *list, struct state *s);
struct str known_output_node(struct walk *w, const struct node *node, struct state *s);
/* The output is whole numbers or nothing: date +%s, wc -l <f, seq 5 ... */
bool numeric_output(const struct list *list);
/* The output is the name of a file just created: a pattern for it; or .p is NULL. */
struct str fresh_name(struct walk *w, const struct list *list);
/* The output of a simple command that reads `in` (.p is NULL if unknown). */
struct str known_output_of(
    struct walk *w, const struct node *node, struct str in, struct state *s);
/* A guess: the output of a function that is the whole list. */
struct str function_output(struct walk *w, const struct list *list, struct state *s);
/* ---- output.c: the output of printf with these words (its name first) */
struct str printf_output(struct walk *w, const struct fields *f);

/* ---- texts.c: known texts that are run under another name */
/* Walk `$( )` and backquotes in a value that is expanded again. */
void run_expansions(struct walk *w, struct str text, struct span at, struct state s);
/* Remember the output of the <( ) at this position. */
void note_fed(struct walk *w, struct span at, struct str text);
/* Remember the known output that a simple command writes to a file. */
void note_written(struct walk *w, const struct node *node, struct state *s);
/* Remember the files that tee with these words writes. */
void note_copied(
    struct walk *w, const struct fields *words, struct str text, struct state *s);
/* The contents of the file, if this text wrote them; else .p is NULL. */
struct str known_file(
    struct walk *w, const struct invocation *c, struct field path, struct state *s);

/* word.c: append literal text, or a pattern, to a field's pattern. */
void among_put(struct buf *b, struct str text);
void among_put_signs(struct buf *b, struct str text);
