/*
 * gate/rules/layers.h: find the rules files and decide which to trust.
 *
 * MUST
 * 1. Use the administrator's file only if root owns it and no one else may write it.  If it
 *    exists and fails this check, refuse everything.
 * 2. Treat a project as trusted only while its rules file has the hash that the owner
 *    recorded and the caller does not distrust it.
 * 3. Let an ended session loosen nothing.
 */
#pragma once
#include "base/buf.h"
#include "os/output.h"
#include "os/store.h"
#include "policy/policy.h"

#define ADMIN_RULES "/etc/cordon/rules"
#define ADMIN_CACHE "/var/cache/cordon"

struct layers_request {
	struct str root;   /* the project's directory; .p == NULL: none */
	struct str home;   /* .p == NULL: unknown */
	struct str policy; /* --policy: replaces all layers below admin; .p == NULL: none */
	struct str session; /* a file, or the name of a session; .p == NULL: none */
	bool untrusted; /* treat the project as untrusted, even if the owner trusts it */
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
	struct layer_file files[LAYER_FILES]; /* existing files, from low to high */
	size_t n;
	bool admin;             /* the last file is the administrator's */
	bool builtin;           /* include the built-in rules */
	const char *trust_path; /* NULL: no home */
	struct identity trust;
	bool session_ended;
	const char *cache; /* directory of compiled images; NULL: none */
};

/* Find the files and stat them without opening.  Return 0, or EXIT_POLICY with a sentence
 * in `why`. */
int layers_find(struct arena *a, const struct process *cli, const struct layers_request *q,
    struct layers *ret, struct buf *why);
/*
 * Read the built-in rules and each file into *ret.  Set *ret_fresh if a file changed so
 * recently that its timestamps may not show the next change.
 */
int layers_read(struct arena *a, struct layers *l, struct policy_source *ret, size_t *ret_n,
    bool *ret_fresh, struct buf *why);

/* Return a path in cordon's directory below $XDG_CONFIG_HOME, $XDG_CACHE_HOME or
 * $XDG_STATE_HOME, or its default below `home`; NULL if neither is known. */
enum own_dir { DIR_CONFIG, DIR_CACHE, DIR_STATE };
const char *own_dir(struct arena *a, const struct process *cli, struct str home,
    enum own_dir which, struct str name);

/* Path of the file of q->session; NULL: the name cannot be a file name. */
const char *session_path(
    struct arena *a, const struct process *cli, const struct layers_request *q);

/* ---- trust.c: rules files of projects that the owner trusts */

#define TRUST_MAX ((size_t)1 << 20)
/* True if the trust file, whose text is `records`, has this text for this project. */
bool trust_has(struct str records, struct str root, struct str text);
/* Record that the owner trusts this text, first in the journal; or forget it (*ret_had: a
 * record existed).  Return 0, or an exit status after a message. */
int trust_record(
    const struct process *cli, struct str home, struct str root, struct str text);
int trust_forget(
    const struct process *cli, struct str home, struct str root, bool *ret_had);

/* ---- session.c */

#define SESSION_MAX ((size_t)1 << 20)
#define SESSION_NAME 64
/* Letters, digits, - and _; not starting with -. */
bool session_is_name(struct str s);
/* Parse the end time in the first line; 0: none. */
int64_t session_ends(struct str text);
/* Like session_ends() for a file; reads only its first line. */
int64_t session_file_ends(const char *path);
/* Keep only the lines of an ended session that tighten. */
struct str session_remains(struct arena *a, struct str text);
