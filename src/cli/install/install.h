/*
 * cli/install/install.h: find, change and restore an agent's settings file.
 *
 * MUST
 * 1.  Replace a file atomically, with the mode and owner that it had.  A symlink to it
 * stays a symlink.
 * 2.  Keep the text from before the first change; restore exactly that, unless the file was
 *    changed by somebody else since.
 * 3.  With --project, change nothing outside the project, even through symlinks.
 */
#pragma once
#include "agents/setup/setup.h"
#include "cli/cli.h"
#include "os/store.h"

/* Limit for a settings file. */
#define INSTALL_FILE ((size_t)4 << 20)

struct install_place {
	const struct process *cli;
	struct str home, root; /* root of the project; .p == NULL: none */
	struct str sysroot;    /* prefix of managed settings; "": the real root directory */
};

/* Path of the agent's settings file; NULL: the agent has none, or the home is unknown. */
const char *install_path(struct arena *a, const struct install_place *w, enum agent agent,
    enum agent_scope scope);

struct install_file {
	const char *path; /* as named to the user */
	const char *real; /* the file to replace, after all symlinks */
	struct str text;  /* .p == NULL: no such file */
	unsigned mode, uid, gid;
};

/* Return 0, or EXIT_INTERNAL with a message in `why`. */
int install_read(struct arena *a, const struct install_place *w, enum agent_scope scope,
    const char *path, struct install_file *ret, struct buf *why);
/* Write the text; .p == NULL removes the file. *made counts directories created for it;
 * on removal, as many empty ones are removed. */
int install_write(struct arena *a, const struct install_file *f, struct str text,
    enum agent_scope scope, bool executable, unsigned *made, struct buf *why);

/* The state before cordon's first change. */
struct install_record {
	bool there;
	struct str written; /* SHA-256 of the text that cordon wrote, in hex */
	struct str before;  /* .p == NULL: there was no file */
	unsigned made;
};

const char *install_record_path(struct arena *a, const struct install_place *w,
    enum agent_scope scope, const char *path);
void install_record_read(struct arena *a, const char *record, struct install_record *ret);
bool install_record_write(struct arena *a, const char *record,
    const struct install_record *r, struct str written);
