/*
 * approve/spool.h: questions for a console, as files.
 *
 * 	$XDG_RUNTIME_DIR/cordon/          0700, owned by the user
 * 	    console.lock                  locked while the console runs
 * 	    asks/ID.ask                   a question, locked while its asker lives
 * 	    asks/ID.answer                put there complete, by rename
 *
 * MUST
 * 1.  Use only directories and files that this user owns and nobody else can write; follow
 *    no symlink to them.
 * 2.  Accept an answer only if it names the hash of command, directory and policy.
 * 3.  Treat anything else in place of the answer as a no.
 */
#pragma once
#include "approve/approve.h"
#include "base/json/json.h"

#define SPOOL_ASKS "asks"
#define SPOOL_LOCK "console.lock"
#define SPOOL_ID 32
/* Limit for a question: an escaped command in JSON, with the texts about it. */
#define SPOOL_ASK_MAX ((size_t)4 << 20)
#define SPOOL_ANSWER_MAX ((size_t)64 << 10)
/* After this many seconds without a console it is gone, not restarting. */
#define SPOOL_AWAY 2

/* Make a random id; false if there is no randomness. */
bool spool_new_id(char id[static SPOOL_ID]);

/* Possible runtime directories.  Asker and console may have different environments, so
 * all of them must be protected from forgery. */
enum spool_place {
	SPOOL_XDG,  /* $XDG_RUNTIME_DIR/cordon */
	SPOOL_USER, /* /run/user/UID/cordon */
	SPOOL_TMP,  /* /tmp/cordon-UID */
	SPOOL_PLACES,
};
#define SPOOL_PATH 512
/* The path of a place; false if there is none. */
bool spool_place(struct str xdg, enum spool_place place, char path[SPOOL_PATH]);

/* Open the runtime directory: below `xdg` if that is absolute, else /run/user/UID, else
 * /tmp/cordon-UID. Return a descriptor, or -1 with errno; the path in `path` unless that
 * is NULL. */
int spool_open(struct str xdg, char path[SPOOL_PATH]);
/* The same, without creating it. */
int spool_find(struct str xdg);
/* Open a subdirectory; create it if missing. */
int spool_sub(int dir, const char *name);
/* Read a whole file; false if it is missing, or owner or mode are wrong. */
bool spool_read(struct arena *a, int dir, const char *name, size_t max, struct str *ret);
/* Replace the file as a whole; mode 0600. */
bool spool_write(int dir, const char *name, struct str text);
/* True if the file is locked, so its owner is alive. */
bool spool_is_held(int dir, const char *name);
/* Build the file name ID + suffix; false for an invalid id or too little space. */
bool spool_name(char *to, size_t room, struct str id, const char *suffix);

/* ---- ask_json.c */

struct approve_times {
	int64_t asked, ends; /* seconds since 1970 */
};

void approve_put_json(struct buf *out, const struct approve_question *q, struct str id,
    const struct approve_times *t);
/* Parse the console's answer.  Return NULL, or what is wrong with it. */
const char *approve_read_answer(struct arena *a, struct str text,
    const struct approve_question *q, struct approve_answer *ret);

/* ---- wait.c */

struct approve_wait {
	int dir; /* of spool_open() */
	unsigned seconds;
	bool anyway; /* wait even if there is no console yet */
};

void approve_console(struct arena *a, const struct approve_wait *w,
    const struct approve_question *q, struct approve_answer *ret);
