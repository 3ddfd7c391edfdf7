/* analyse/guess.h: possible values of unknown words. Effects of guesses are reported
 * separately. Internal to this room. */
#pragma once
#include "analyse/word/word.h"

/* Remember a value that the text gives a variable: a string, an element, all elements, a
 * reference. */
void guess_value(struct walk *w, struct str name, struct field value);
void guess_element(struct walk *w, struct str name, const struct word *subscript,
    struct field value, struct state s);
void guess_list(struct walk *w, struct str name, struct field *items, size_t n);
void guess_reference(struct walk *w, struct field f);
void guess_words(struct walk *w, struct str name, const struct word *words, struct state s);
/* Remember alias name=text; find its text, .p is NULL if there is none. */
void guess_alias(struct walk *w, struct field f);
struct str guess_alias_of(const struct walk *w, struct str name);
/* called.c: run the call with the alias text in place of its first word. */
void guess_aliased(struct walk *w, const struct invocation *c, struct state s);

/* The last string assigned to a variable; .p is NULL if there is none. */
struct str guess_latest(const struct walk *w, struct str name);

/* While guessing, get a possible value. Otherwise return false and note that a guess
 * exists. */
bool guess_param(struct walk *w, const struct param *p, struct state *s, struct value *ret);
/* ${!a[@]}: the keys that were assigned. */
bool guess_keys(struct walk *w, const struct param *p, struct value *ret);
/* $i, or all arguments for 0, as they were last known; always true. */
bool guess_args(struct walk *w, size_t i, struct value *ret);
bool guess_text(struct walk *w, struct str text, struct value *ret);
bool guess_tilde(
    struct walk *w, struct str login, const struct state *s, struct value *ret);
/* A possible value of the word; its substitutions are not walked again. */
struct field guess_word(struct walk *w, const struct word *word, struct state s);

/* Watch whether words evaluated between these two could be guessed. guess_watch() returns
 * the state that guess_found() restores. */
static inline bool
guess_watch(struct walk *w)
{
	bool outer = w->guessable;

	w->guessable = false;
	return outer;
}
static inline bool
guess_found(struct walk *w, bool outer)
{
	bool found = w->guessable;

	w->guessable = outer;
	return found;
}

/* Effects between these two are guesses; false: no capacity for another. */
bool guess_begin(struct walk *w, struct sink *ret);
void guess_end(struct walk *w, const struct sink *before);
/* Loop over rounds while there are other guesses. */
bool guess_first(struct walk *w);
bool guess_next(struct walk *w);
/* called.c: commands and files named in code; a text that could be run; a value that could
 * be expanded. */
void guess_code(struct walk *w, struct field code, struct str by, struct state s);
void guess_shell(struct walk *w, struct field text, struct str via, struct state s);
void guess_expansions(struct walk *w, struct str text, struct span at, struct state s);
/* wrap.c: the words of parallel from `from` on, once for each of its arguments. */
void guess_parallel(
    struct walk *w, const struct invocation *c, size_t from, struct state s);
/* input.c: a possible standard input of a command; .p is NULL if unknown. */
struct str guess_input(struct walk *w, const struct invocation *c, struct state *s);
/* Guess the variables that read and mapfile fill from it. */
void guess_read(struct walk *w, const struct invocation *c, size_t names,
    struct field array, struct state *s);
void guess_mapped(
    struct walk *w, const struct invocation *c, struct field name, struct state *s);
/* Guess the files whose names a program reads, and those in its arguments: @file. */
void guess_named(struct walk *w, const struct invocation *c, const struct know_scan *scan,
    struct state s);
void guess_file(struct walk *w, struct field word, struct str by, struct state s);
/* Run the call again for each guess; `words` evaluates its words. */
void guess_call(struct walk *w, const struct invocation *c,
    void (*words)(struct walk *, const struct word *, struct state *, struct fields *),
    struct state s);
