/*
 * base/json/json_edit.h: changes in a JSON text that somebody keeps by hand.
 *
 * MUST
 * 1. Leave every byte alone that is not part of the change: comments, order, blanks,
 *    escapes and the way of ending lines stay.
 * 2. Give a text that reads as the old value with this one change, or fail and change
 *    nothing.
 * 3. Take back what was added: a value that is removed right after it was appended to
 *    something that was not empty leaves the text as it was, byte for byte.
 */
#pragma once
#include "base/json/json.h"

struct json_edit {
	struct arena *a;
	struct json_opts opts;
	struct str text;         /* as it is now */
	const struct json *root; /* the same, read; new after each change */
};

/* Reads `text`, which must outlive the edit.  Fails as json_read does. */
int json_edit_open(struct json_edit *e, struct arena *a, struct str text,
    const struct json_opts *opts, struct err *reterr);

/*
 * `path` is a list of keys from the root; `value` is JSON.  Objects on the way that are
 * missing are made.  set replaces the value or adds it as the last member; append adds an
 * element to the array, which is made if it is missing.  CORDON_EINVAL where the path
 * leads through something else, with its place; CORDON_ENOMEM.
 */
int json_edit_set(struct json_edit *e, const struct str *path, size_t n, struct str value,
    struct err *reterr);
int json_edit_append(struct json_edit *e, const struct str *path, size_t n,
    struct str value, struct err *reterr);

/* `child` is a member or element of `parent`, both of e->root.  Comments stay. */
int json_edit_remove(struct json_edit *e, const struct json *parent,
    const struct json *child, struct err *reterr);

/* ---- for these files alone */

/* The text anew, as `b` has it; the old one stays if that is no JSON. */
int json_edit_accept(struct json_edit *e, const struct buf *b, struct err *reterr);
/* Where a member's key, or an element, begins. */
size_t json_start_of(const struct json *parent, const struct json *child);
/* Behind the comment that begins at `i`; of a line comment, before its line's end. */
size_t json_comment_end(struct str text, size_t i);
bool json_is_space(char c);

/* json_edit_put.c: a value in the form of the text around it */

struct json_form {
	struct str unit;    /* one step of indentation */
	struct str newline; /* .n == 0: everything on one line */
	struct str indent;  /* of the line that the value begins in */
};

void json_put_form(struct buf *b, const struct json *v, const struct json_form *form);
/* The blanks that the line of `at` begins with. */
struct str json_line_indent(struct str text, size_t at);
/* How this text indents and ends its lines. */
struct json_form json_form_of(struct str text, const struct json *root);
