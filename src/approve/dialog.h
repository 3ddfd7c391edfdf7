/*
 * approve/dialog.h: the dialog without a terminal: keys in, screen out.
 *
 * Does no I/O: terminal.c and the tests do.
 */
#pragma once
#include "approve/approve.h"
#include "approve/keys.h"

/* Limit for a typed path or message. */
#define DIALOG_TEXT 1024
/* Minimum height to judge a command. */
#define DIALOG_ROWS 12
#define DIALOG_COLUMNS 40

enum dialog_state {
	DIALOG_MAIN,
	DIALOG_LEVEL,   /* choose the width of the rule */
	DIALOG_PLACE,   /* choose the file */
	DIALOG_SANDBOX, /* choose what else this run may use */
	DIALOG_PATH,    /* type a path */
	DIALOG_MESSAGE, /* type a message to the agent */
	DIALOG_DONE,
};

struct dialog {
	const struct approve_question *q;
	enum dialog_state state;
	bool colour;
	struct str text; /* the question */
	size_t must;     /* bytes of it to be shown before a yes */
	size_t rows, columns;
	size_t top;    /* first line shown */
	size_t lines;  /* lines of the text at this width */
	size_t seen;   /* bytes of it that have been shown */
	unsigned left; /* seconds left */
	const char *note;
	char typed[DIALOG_TEXT];
	size_t typed_n;
	char path[DIALOG_TEXT], message[DIALOG_TEXT]; /* targets of the answer's pointers */
	struct approve_answer answer;
};

/* Return false if there is no memory for the text; then do not ask. */
bool dialog_init(struct dialog *d, struct arena *a, const struct approve_question *q,
    size_t rows, size_t columns, bool colour);
void dialog_resize(struct dialog *d, size_t rows, size_t columns);
/* Return true when the dialog is over and d->answer is set. */
bool dialog_key(struct dialog *d, struct keypress k);
/* End without a choice: rejected. */
void dialog_end(struct dialog *d, enum approve_end end);
/* Draw the whole screen; what it shows counts as seen. */
void dialog_draw(struct dialog *d, struct buf *out);

/* layout.c: find the end of the line that starts at `at`, within `columns`, and the
 * start of the next.  Wide characters count as two columns, colours as none. */
size_t layout_line(struct str text, size_t at, size_t columns, size_t *ret_next);
size_t layout_lines(struct str text, size_t columns);
