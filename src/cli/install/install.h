/*
 * cli/install/install.h: an agent's settings as files: found, changed and put back.
 *
 * MUST
 * 1. Replace a file as a whole: a reader sees the old one or the new one, with the mode
 *    and owner it had.  A link to it stays a link.
 * 2. Keep what was there before the first change, and put exactly that back if nobody
 *    else has changed the file since.
 * 3. Change nothing of a project outside of the project, wherever its links lead.
 */
#pragma once
#include "agents/setup/setup.h"
#include "cli/cli.h"
#include "os/store.h"

/* Settings of agents are far shorter. */
#define INSTALL_FILE ((size_t)4 << 20)

struct install_place {
	const struct process *cli;
	struct str home, root; /* root: of the project; .p == NULL: none */
	struct str sysroot;    /* managed settings lie below it; "" is the machine's own */
};

/* The agent's settings file; NULL when it has none there, or no home is known. */
const char *install_path(struct arena *a, const struct install_place *w, enum agent agent,
    enum agent_scope scope);

struct install_file {
	const char *path; /* as people name it */
	const char *real; /* what is replaced: behind all links */
	struct str text;  /* .p == NULL: there is none */
	unsigned mode, uid, gid;
};

/* 0, or EXIT_INTERNAL with a sentence in `why`. */
int install_read(struct arena *a, const struct install_place *w, enum agent_scope scope,
    const char *path, struct install_file *ret, struct buf *why);
/* The new text; .p == NULL: the file goes.  *made is how many directories were made for
 * it, or, when the file goes, are to be removed if they are empty. */
int install_write(struct arena *a, const struct install_file *f, struct str text,
    enum agent_scope scope, bool executable, unsigned *made, struct buf *why);

/* What was there before cordon's first change. */
struct install_record {
	bool there;
	struct str written; /* the hash of what cordon wrote, in digits */
	struct str before;  /* .p == NULL: no file */
	unsigned made;
};

const char *install_record_path(struct arena *a, const struct install_place *w,
    enum agent_scope scope, const char *path);
void install_record_read(struct arena *a, const char *record, struct install_record *ret);
bool install_record_write(struct arena *a, const char *record,
    const struct install_record *r, struct str written);
