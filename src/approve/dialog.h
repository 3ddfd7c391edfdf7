/*
 * approve/dialog.h: the dialog without its terminal: keys in, a screen out.
 *
 * Nothing here reads or writes; terminal.c does, and the tests.
 */
#pragma once
#include "approve/approve.h"
#include "approve/keys.h"

/* A path or a message that a person types. */
#define DIALOG_TEXT 1024
/* Below this nobody could judge a command. */
#define DIALOG_ROWS 12
#define DIALOG_COLUMNS 40

enum dialog_state {
	DIALOG_MAIN,
	DIALOG_LEVEL,   /* which width of rule */
	DIALOG_PLACE,   /* in which file */
	DIALOG_SANDBOX, /* what this run may have besides */
	DIALOG_PATH,    /* a path is typed */
	DIALOG_MESSAGE, /* a message to the agent is typed */
	DIALOG_DONE,
};

struct dialog {
	const struct approve_question *q;
	enum dialog_state state;
	bool colour;
	struct str text; /* what a person must know */
	size_t must;     /* so many of its bytes before a yes */
	size_t rows, columns;
	size_t top;    /* first line shown */
	size_t lines;  /* that the text has in this width */
	size_t seen;   /* bytes of it that have been on the screen */
	unsigned left; /* seconds */
	const char *note;
	char typed[DIALOG_TEXT];
	size_t typed_n;
	char path[DIALOG_TEXT], message[DIALOG_TEXT]; /* what the answer points to */
	struct approve_answer answer;
};

/* False: no memory for the text, and nothing can be asked. */
bool dialog_init(struct dialog *d, struct arena *a, const struct approve_question *q,
    size_t rows, size_t columns, bool colour);
void dialog_resize(struct dialog *d, size_t rows, size_t columns);
/* True: it is over, and d->answer stands. */
bool dialog_key(struct dialog *d, struct key k);
/* It ends without a choice: rejected. */
void dialog_end(struct dialog *d, enum approve_end end);
/* The whole screen, from its first row on; what it shows counts as seen. */
void dialog_draw(struct dialog *d, struct buf *out);

/* layout.c: where the line ends that begins at `at`, within `columns`; *ret_next is where
 * the next begins.  Wide characters count as two, colours as nothing. */
size_t layout_line(struct str text, size_t at, size_t columns, size_t *ret_next);
size_t layout_lines(struct str text, size_t columns);
