/*
 * gate/rules/layers.h: where the rules files are, and which of them may be believed.
 *
 * MUST
 * 1. Take the administrator's file only if root owns it and nobody else may write it;
 *    one that is there and is not so stops everything.
 * 2. Call a project trusted only while the bytes of its file have the hash that the owner
 *    recorded, and the caller does not say that it is not trusted.
 * 3. Let nothing of a session that has ended loosen anything.
 */
#pragma once
#include "base/buf.h"
#include "os/output.h"
#include "os/store.h"
#include "policy/policy.h"

#define ADMIN_RULES "/etc/cordon/rules"
#define ADMIN_CACHE "/var/cache/cordon"

struct layers_request {
	struct str root;    /* the project's directory; .p == NULL: none */
	struct str home;    /* .p == NULL: unknown */
	struct str policy;  /* --policy: instead of all layers below admin; .p == NULL */
	struct str session; /* a file, or the name of a session; .p == NULL */
	bool untrusted;     /* the project, whatever is recorded */
	int64_t now;
};

struct layer_file {
	enum layer layer;
	const char *path;
	struct identity id;
};

#define LAYER_FILES 4

struct layers {
	const struct layers_request *q;
	struct layer_file
	    files[LAYER_FILES]; /* from low to high; only those that are there */
	size_t n;
	bool admin;             /* one of them is the administrator's */
	bool builtin;           /* the shipped rules count, too */
	const char *trust_path; /* NULL: nowhere */
	struct identity trust;
	bool session_ended;
	const char *cache; /* the directory of images; NULL: nowhere */
};

/* Finds the files and what they are at this moment, without opening them.  0, or
 * EXIT_POLICY with a sentence in `why`. */
int layers_find(struct arena *a, const struct process *cli, const struct layers_request *q,
    struct layers *ret, struct buf *why);
/*
 * Reads them: *ret has the shipped rules and one source for each file.  `ret_fresh` says
 * that one has changed so lately that its identity may not tell the next change.
 */
int layers_read(struct arena *a, struct layers *l, struct policy_source *ret, size_t *ret_n,
    bool *ret_fresh, struct buf *why);

/* Directories of cordon below $XDG_CONFIG_HOME and its like, or below the home: NULL if
 * neither is known. */
enum own_dir { DIR_CONFIG, DIR_CACHE, DIR_STATE };
const char *own_dir(struct arena *a, const struct process *cli, struct str home,
    enum own_dir which, struct str name);

/* The file of q->session; NULL: no file can have this name. */
const char *session_path(
    struct arena *a, const struct process *cli, const struct layers_request *q);

/* ---- trust.c: which project files the owner has trusted */

#define TRUST_MAX ((size_t)1 << 20)
/* Is this file of this project recorded?  `records` is the text of the file of records. */
bool trust_has(struct str records, struct str root, struct str text);
/* Record that the owner trusts this text, in the journal first; forget it (*ret_had: there
 * was a record).  0, or an exit status after a message. */
int trust_record(
    const struct process *cli, struct str home, struct str root, struct str text);
int trust_forget(
    const struct process *cli, struct str home, struct str root, bool *ret_had);

/* ---- session.c */

#define SESSION_MAX ((size_t)1 << 20)
#define SESSION_NAME 64
/* Letters, digits, - and _. */
bool session_is_name(struct str s);
/* The moment in its first line; 0: none. */
int64_t session_ends(struct str text);
/* The same of a file, of which only that line is read. */
int64_t session_file_ends(const char *path);
/* What remains of one that has ended: lines that can only tighten. */
struct str session_remains(struct arena *a, struct str text);
