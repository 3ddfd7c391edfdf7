/*
 * approve/spool.h: questions that wait for a console, as files.
 *
 *	$XDG_RUNTIME_DIR/cordon/          0700, the user's
 *	    console.lock                  held by the console as long as it runs
 *	    asks/ID.ask                   a question; its asker holds a lock on it
 *	    asks/ID.answer                put there whole, by a rename
 *
 * MUST
 * 1. Use only directories and files that this user owns and nobody else may write; follow
 *    no link to them.
 * 2. Take an answer only if it names the hash of command, directory and policy.
 * 3. Take anything else that lies where the answer must lie for a no.
 */
#pragma once
#include "approve/approve.h"
#include "base/json/json.h"

#define SPOOL_ASKS "asks"
#define SPOOL_LOCK "console.lock"
#define SPOOL_ID 32
/* A command in JSON, escaped, with what is said about it. */
#define SPOOL_ASK_MAX ((size_t)4 << 20)
#define SPOOL_ANSWER_MAX ((size_t)64 << 10)
/* Seconds without a console after which it is gone, and not only started anew. */
#define SPOOL_AWAY 2

/* Of random digits; false: there are none. */
bool spool_new_id(char id[static SPOOL_ID]);

/* Where the runtime directory can be.  Who asks and who answers may have other variables:
 * what must not be forged has to be kept in all of them. */
enum spool_place {
	SPOOL_XDG,  /* $XDG_RUNTIME_DIR/cordon */
	SPOOL_USER, /* /run/user/UID/cordon */
	SPOOL_TMP,  /* /tmp/cordon-UID */
	SPOOL_PLACES,
};
#define SPOOL_PATH 512
/* Its name there; false: there is none. */
bool spool_place(struct str xdg, enum spool_place place, char path[SPOOL_PATH]);

/* The runtime directory: below `xdg` if that is absolute, else /run/user/UID, else
 * /tmp/cordon-UID.  A descriptor, or -1 and errno; its name in `path` when that is not
 * NULL. */
int spool_open(struct str xdg, char path[SPOOL_PATH]);
/* The same, but it is not made where it is missing. */
int spool_find(struct str xdg);
/* The directory `name` in it, made if it is missing. */
int spool_sub(int dir, const char *name);
/* A whole file of ours in the arena; false: none, or not as it must be. */
bool spool_read(struct arena *a, int dir, const char *name, size_t max, struct str *ret);
/* Replace the file as a whole; mode 0600. */
bool spool_write(int dir, const char *name, struct str text);
/* Somebody holds a lock on it: its owner lives. */
bool spool_is_held(int dir, const char *name);
/* ID and `suffix` as the name of a file; false: it is no id, or there is no room. */
bool spool_name(char *to, size_t room, struct str id, const char *suffix);

/* ---- ask_json.c */

struct approve_times {
	int64_t asked, ends; /* seconds since 1970 */
};

void approve_put_json(struct buf *out, const struct approve_question *q, struct str id,
    const struct approve_times *t);
/* An answer as the console writes it; NULL, or what is wrong with it. */
const char *approve_read_answer(struct arena *a, struct str text,
    const struct approve_question *q, struct approve_answer *ret);

/* ---- wait.c */

struct approve_wait {
	int dir; /* of spool_open() */
	unsigned seconds;
	bool anyway; /* wait even if no console is there yet */
};

void approve_console(struct arena *a, const struct approve_wait *w,
    const struct approve_question *q, struct approve_answer *ret);
