/* analyse/guess.h: values that nobody knows for certain; they are reported besides. */
#pragma once
#include "analyse/word/word.h"

/* What the text gives a variable: a value, an element, all elements, another name. */
void guess_value(struct walk *w, struct str name, struct field value);
void guess_element(struct walk *w, struct str name, const struct word *subscript,
    struct field value, struct state s);
void guess_list(struct walk *w, struct str name, struct field *items, size_t n);
void guess_reference(struct walk *w, struct field f);
void guess_words(struct walk *w, struct str name, const struct word *words, struct state s);
/* alias name=text, and the text; .p == NULL: none. */
void guess_alias(struct walk *w, struct field f);
struct str guess_alias_of(const struct walk *w, struct str name);
/* called.c: the call with the text of the alias in place of its first word. */
void guess_aliased(struct walk *w, const struct call *c, struct state s);

/* The last text that was given to a variable; .p == NULL: none. */
struct str guess_latest(const struct walk *w, struct str name);

/* While guessing: what it could be.  Otherwise false, and that there is a guess is noted.
 */
bool guess_param(struct walk *w, const struct param *p, struct state *s, struct value *ret);
/* ${!a[@]}: the keys that were given values. */
bool guess_keys(struct walk *w, const struct param *p, struct value *ret);
/* $i, or all of them for 0, where they were known before; always true. */
bool guess_args(struct walk *w, size_t i, struct value *ret);
bool guess_text(struct walk *w, struct str text, struct value *ret);
bool guess_tilde(
    struct walk *w, struct str login, const struct state *s, struct value *ret);
/* The word as it could be; what stands in it is not walked again. */
struct field guess_word(struct walk *w, const struct word *word, struct state s);

/* Between these what is reported is a guess; false: there is no room for another. */
bool guess_begin(struct walk *w, struct sink *ret);
void guess_end(struct walk *w, const struct sink *before);
/* Rounds, as long as there are other guesses for what was looked at. */
bool guess_first(struct walk *w);
bool guess_next(struct walk *w);
/* called.c: commands and files that stand in code; a text that could be run; a value that
 * could be expanded. */
void guess_code(struct walk *w, struct field code, struct str by, struct state s);
void guess_shell(struct walk *w, struct field text, struct str via, struct state s);
void guess_expansions(struct walk *w, struct str text, struct span at, struct state s);
/* wrap.c: the words of parallel from `from` on, for each of its arguments. */
void guess_parallel(struct walk *w, const struct call *c, size_t from, struct state s);
/* input.c: what a command reads, in words that it could be; .p == NULL: nobody knows. */
struct str guess_input(struct walk *w, const struct call *c, struct state *s);
/* The variables that read and mapfile fill from it. */
void guess_read(struct walk *w, const struct call *c, size_t names, struct field array,
    struct state *s);
void guess_mapped(struct walk *w, const struct call *c, struct field name, struct state *s);
/* The files whose names a program reads, and those in its words: @file. */
void guess_named(
    struct walk *w, const struct call *c, const struct know_scan *scan, struct state s);
void guess_file(struct walk *w, struct field word, struct str by, struct state s);
/* The call once more for each guess, its words made by `words`. */
void guess_call(struct walk *w, const struct call *c,
    void (*words)(struct walk *, const struct word *, struct state *, struct fields *),
    struct state s);
