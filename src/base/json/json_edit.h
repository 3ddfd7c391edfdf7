/*
 * base/json/json_edit.h: change single values of a JSON file that people edit by hand.
 *
 * MUST
 * 1. Keep every byte outside of the change: comments, order, blanks, escapes and line
 *    endings stay.
 * 2. Produce a text that reads as the old value with this one change, or fail and change
 *    nothing.
 * 3. Be reversible: removing a value right after appending it to a non-empty container
 *    restores the text byte for byte.
 */
#pragma once
#include "base/json/json.h"

struct json_edit {
	struct arena *a;
	struct json_opts opts;
	struct str text;         /* the current text */
	const struct json *root; /* the current text parsed; replaced by each change */
};

/* Parse `text`, which must outlive the edit. Fails like json_read(). */
int json_edit_open(struct json_edit *e, struct arena *a, struct str text,
    const struct json_opts *opts, struct err *reterr);

/*
 * `path` lists keys from the root; `value` is JSON. Missing objects on the path are
 * created. json_edit_set() replaces the value or adds a last member; json_edit_append()
 * adds an element to the array, creating it if needed. CORDON_EINVAL with a position if the
 * path passes through another kind of value; CORDON_ENOMEM.
 */
int json_edit_set(struct json_edit *e, const struct str *path, size_t n, struct str value,
    struct err *reterr);
int json_edit_append(struct json_edit *e, const struct str *path, size_t n,
    struct str value, struct err *reterr);

/* Remove `child`, a member or element of `parent`; both belong to e->root. Comments
 * stay. */
int json_edit_remove(struct json_edit *e, const struct json *parent,
    const struct json *child, struct err *reterr);

/* ---- internal to json_edit*.c */

/* Parse `b` and make it the current text; on failure keep the old one. */
int json_edit_accept(struct json_edit *e, const struct buf *b, struct err *reterr);
/* The offset of a member's key, or of an element. */
size_t json_start_of(const struct json *parent, const struct json *child);
/* The offset after the comment at `i`; for a line comment, of its line's end. */
size_t json_comment_end(struct str text, size_t i);
bool json_is_space(char c);

/* json_edit_put.c: write a value in the style of the text around it */

struct json_form {
	struct str unit;    /* one step of indentation */
	struct str newline; /* .n == 0: write everything on one line */
	struct str indent;  /* indentation of the line where the value begins */
};

void json_put_form(struct buf *b, const struct json *v, const struct json_form *form);
/* The blanks at the start of the line of `at`. */
struct str json_line_indent(struct str text, size_t at);
/* Guess indentation and line ending from the text. */
struct json_form json_form_of(struct str text, const struct json *root);
