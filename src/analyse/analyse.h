/* analyse/analyse.h: command text → effects. */
#pragma once
#include "analyse/effects.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

/*
 * MUST
 * 1. Report every simple command that any run of the text could start, with the
 *    exact argv or with the places of its unknown words; or say that something
 *    is unknown.  Never silently miss one.
 * 2. Visit every child of every node: a new kind of node does not compile until
 *    the walk knows it.
 * 3. Touch no file and no environment; take bounded time and memory.
 * 4. Refuse the whole text, with place and reason, on any error or limit.
 */

/*
 * What somebody declares of a program, words with blanks between: one in capitals
 * stands for any word.  A wrapper ends in CMD..., the command that it does no more than
 * start; of `data` the words in capitals are text that nobody runs.
 */
struct analyse_shape {
	struct str words;
	bool data;
};

struct analyse_shapes {
	const struct analyse_shape *v;
	size_t n;
};

struct analyse_opts {
	struct str cwd;  /* absolute; .p == NULL: unknown */
	struct str home; /* .p == NULL: unknown */
};

/* 0, or an error with *reterr filled; then *ret is untouched. */
int analyse(struct arena *a, struct str text, const struct analyse_opts *opts,
    struct effects *ret, struct err *reterr);
/* The same with what is declared of programs. */
int analyse_with(struct arena *a, struct str text, const struct analyse_opts *opts,
    struct analyse_shapes shapes, struct effects *ret, struct err *reterr);
/* Analyse one argv that execve(2) was called with, quoted: as many words as the kernel
 * takes. */
int analyse_argv(struct arena *a, struct str text, const struct analyse_opts *opts,
    struct analyse_shapes shapes, struct effects *ret, struct err *reterr);

/*
 * The same as one line of JSON without its newline, as the contract fixes it;
 * `id` (raw JSON) comes first unless its .p is NULL.  Returns 0, or the error
 * that the line tells; CORDON_ENOMEM when not even the line fits.
 */
int analyse_json(
    struct arena *a, struct str text, const struct analyse_opts *opts, struct buf *out);
int analyse_json_id(struct arena *a, struct str text, const struct analyse_opts *opts,
    struct str id, struct buf *out);

/* For a person.  The same return value. */
int analyse_show(
    struct arena *a, struct str text, const struct analyse_opts *opts, struct buf *out);
