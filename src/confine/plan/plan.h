/*
 * confine/plan/plan.h: SandboxPolicy + paths → what the kernel must enforce.
 *
 * MUST
 * 1. Grant nothing that the policy does not grant; a field that cannot be enforced is a
 *    refusal that names it, never a weaker plan.
 * 2. Name every mount by a path without symlinks, with the inode that was seen: if another
 *    inode is there when it is mounted, the run stops.
 * 3. Refuse a path below a writable one that goes through a symlink: the command of an
 *    earlier run could have put it there.
 * 4. Say for each field whether it is enforced, and by what.
 */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/ignore/ignore.h"
#include "confine/hosts.h"
#include "decide/decide.h"
#include "look/listing/listing.h"
#include <stdint.h>

/* Directories of one repository, real paths; see look/root.h. */
struct plan_git {
	struct str worktree, gitdir, commondir;
	bool linked;
};

/* A name outside that a person approved: the supervisor changes it for the command, where
 * it lies; what is next to it stays closed. */
struct plan_name {
	struct str path; /* real */
	bool make;       /* may be created and written; otherwise only removed */
	bool tree;       /* with everything below it */
};

struct plan_limits {
	uint64_t memory;    /* bytes of the whole tree; 0: the default */
	uint64_t processes; /* 0: the default */
	uint64_t files;     /* open files of a process; 0: the default */
	uint64_t tmp;       /* bytes in the private /tmp; 0: the default */
	uint64_t file_size; /* bytes; 0: none */
	uint64_t wall_ms;   /* 0: none */
	uint64_t output;    /* bytes on stdout and stderr together; 0: no limit */
};

struct plan_input {
	const struct sandbox_policy *policy;
	const struct str *roots; /* real paths */
	size_t roots_n;
	struct str cwd;  /* real */
	struct str home; /* .p == NULL: unknown */
	const struct plan_git *git;
	size_t git_n;
	/* cordon's own directories, real, whether they exist or not */
	const struct str *own;
	size_t own_n;
	struct str state;         /* the one of `own` with the journal; .p == NULL: none */
	const struct str *hidden; /* existing files that rules hide, real paths */
	size_t hidden_n;
	struct listing *const *listings; /* trees that were listed already */
	size_t listings_n;
	const struct plan_name *names;
	size_t names_n;
	bool read_workspace; /* only the system and what is granted can be read */
	struct plan_limits limits;
	bool gate;           /* every exec is judged */
	bool review;         /* writes are reviewed before they are applied */
	bool judge_reads;    /* rules match files that must not be read */
	host_denied *denied; /* rules about hosts, which the policy's list does not lift;
				NULL: none */
	void *denied_context;
};

/* Of two mounts at one path the later kind lies on top. */
enum plan_kind {
	PLAN_EMPTY,    /* an empty directory, read-only */
	PLAN_READABLE, /* the host's, read-only: to bring it back over an empty one */
	PLAN_WRITABLE, /* the host's; the supervisor performs the writes in it */
	PLAN_READONLY, /* the host's, read-only */
	PLAN_HIDDEN,   /* an inode without any permission */
};

struct plan_mount {
	const char *path; /* absolute, without symlinks */
	enum plan_kind kind;
	bool directory;
	uint64_t dev, ino;
};

enum plan_field {
	FIELD_TYPE,
	FIELD_NETWORK,
	FIELD_NETWORK_ALLOW,
	FIELD_READWRITE,
	FIELD_READONLY,
	FIELD_GIT,
	FIELD_TMP,
	FIELD_IGNORE,
	FIELD_DEBUG,
	FIELD_PROTECTED,
	FIELD_PROCESSES,
	FIELD_LIMITS,
	FIELDS,
};

enum plan_state {
	PLAN_NOT_ASKED,
	PLAN_ENFORCED,
	PLAN_REFUSED,
};

struct plan_field_state {
	enum plan_state state;
	const char *by; /* static text: what enforces it, or why it cannot be enforced */
};

/* Patterns of hidden files, also for files that are created during the run. */
struct plan_ignore {
	struct str root; /* real */
	const struct ignore_file *files;
	size_t n;
	const struct plan_ignore *next;
};

struct plan {
	bool readonly;
	bool review; /* writes go to an overlay, and are applied if a person says so */
	bool bare; /* no namespaces: only Landlock, seccomp and the supervisor enforce it */
	bool network;
	bool listed;     /* a list of hosts opens the private network */
	bool listed_six; /* the host reaches IPv6 addresses */
	struct host_list hosts;
	bool tmp_write;
	bool read_workspace;
	bool watch_reads; /* files are hidden: every open is checked */
	bool judge_reads; /* by rules, too, wherever the file lies */
	const struct plan_ignore *ignores;
	bool block_git; /* also in repositories that no mount closes */
	bool gate;
	struct plan_limits limits;
	const struct plan_mount *mounts; /* in the order in which they are mounted */
	size_t mounts_n;
	const struct str *roots;
	size_t roots_n;
	struct str *writable; /* real paths in which the supervisor performs the writes */
	size_t writable_n;
	const struct plan_git *git;
	size_t git_n;
	const struct str *own; /* nothing inside changes these, whatever is granted */
	size_t own_n;
	struct str state; /* the one of `own` with the journal; hidden if mounts work */
	const struct plan_name *names;
	size_t names_n;
	struct str *led; /* files that git's configuration names: hooks, included files */
	size_t led_n;
	const char *cwd;
	struct str home;
	struct str debug_dir; /* .p == NULL: none */
	struct plan_field_state fields[FIELDS];
	const char *notes[16]; /* for a person: what was left out */
	size_t notes_n;
};

const char *plan_field_name(enum plan_field field);
const char *plan_state_name(enum plan_state state);

/* A refusal: which field, why, and the path if it is about one. */
struct plan_refusal {
	enum plan_field field;
	const char *why;
	struct str path;
};

/* Make the plan.  0; CORDON_EREFUSED with *refusal filled; CORDON_ENOMEM. */
int plan_make(struct arena *a, const struct plan_input *in, struct plan *ret,
    struct plan_refusal *refusal);

/* Print the plan for a person, or for the debug directory. */
void plan_print(const struct plan *plan, struct buf *out);

/* ---- questions about a plan */

/* The real path of what `path` leads to; .p == NULL if there is nothing. */
struct str plan_real(struct arena *a, struct str path);
/* True if a pattern matches the path, or a directory above it. */
bool plan_is_ignored(const struct plan *plan, struct str path, bool directory);
/* True if `path` is a writable path or lies below one; in a bare plan also not below a path
 * that is read-only there. */
bool plan_is_writable(const struct plan *plan, struct str path);
/* True if a mount of the plan lies at `path` or below. */
bool plan_has_below(const struct plan *plan, struct str path);
/* bare.c: the same plan without namespaces; refused if a field cannot be enforced so. `tmp`
 * is a writable directory of the run's own, .p == NULL: none. */
int plan_make_bare(struct arena *a, const struct plan *plan, struct str tmp,
    struct plan *ret, struct plan_refusal *refusal);
