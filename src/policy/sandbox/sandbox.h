/*
 * policy/sandbox/sandbox.h: SandboxPolicy, what a confined command is given.
 *
 * MUST
 * 1. The meet of two is never looser than either, in any field.
 * 2. An absent list is "no opinion", an empty one is "none".
 * 3. No field is lost when one is copied, enriched, printed and read again.
 * 4. Unknown input is refused, never weakened.
 *
 * Paths are compared as text here.  Callers that may read files resolve symlinks on both
 * sides first: /ws/link lies inside /ws by its name alone.
 */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/json/json.h"
#include "policy/policy.h"

/* Maximum entries of one list: each is compared with each, and a person should be able to
 * review them. */
#define SANDBOX_LIST_MAX 256
/* Maximum rows of an ignore mapping: patterns, or whole lists with a negation. */
#define SANDBOX_IGNORE_MAX 65536

struct sandbox_list {
	bool given; /* false: no opinion */
	const struct str *v;
	size_t n;
};

struct sandbox_policy {
	enum sandbox_type type;
	bool network_access;
	struct sandbox_list network_allow;       /* hosts, while network_access is false */
	struct sandbox_list readwrite, readonly; /* additional paths */
	bool block_git_writes;
	bool disable_tmp_write;
	struct str ignore_mapping;   /* JSON text, see sandbox_ignore.c; .p == NULL: none */
	struct str debug_output_dir; /* .p == NULL: none */
};

/* ---- levels and order */

enum sandbox_level {
	LEVEL_READONLY = 0,
	LEVEL_READONLY_NETWORK = 5,
	LEVEL_NO_NETWORK = 10,
	LEVEL_NETWORK = 20,
	LEVEL_UNSANDBOXED = 30, /* also if no type is given */
};

/* readonly 0, readonly + network 5, readwrite 10, readwrite + network 20, none 30. */
int sandbox_level(const struct sandbox_policy *p);
/* True if `x` gives nothing that `y` does not give, in every field.  False if out of
 * memory. */
bool sandbox_within(
    struct arena *a, const struct sandbox_policy *x, const struct sandbox_policy *y);

/* ---- operations on two policies; CORDON_ENOMEM, CORDON_ELIMIT, CORDON_EINVAL for a bad
 * mapping */

/*
 * The meet of each field: what both give.  Lists are sorted, without entries inside others,
 * so that equal policies are equal bytes; sandbox_meet(x, x) normalises x.  `ret` may be
 * one of the arguments.
 */
int sandbox_meet(struct arena *a, const struct sandbox_policy *x,
    const struct sandbox_policy *y, struct sandbox_policy *ret);
/* Add what `more`, the higher or later source, gives to `p`: its type if it has one, its
 * network, hosts and paths.  Lifts no restriction. */
int sandbox_add(struct arena *a, const struct sandbox_policy *p,
    const struct sandbox_policy *more, struct sandbox_policy *ret);

/* The sources of a sandbox policy.  Each of the last three may be NULL. */
struct sandbox_voices {
	const struct sandbox_policy
	    *layers; /* below the administrator, low to high: they add */
	size_t n;
	const struct sandbox_policy *flags;   /* the user's options: they add */
	const struct sandbox_policy *admin;   /* the administrator's: bounds the sum */
	const struct sandbox_policy *request; /* the agent's: can only remove */
};

int sandbox_effective(
    struct arena *a, const struct sandbox_voices *voices, struct sandbox_policy *ret);
/* The policy with a level below 30: "no sandbox" becomes the workspace without network. */
struct sandbox_policy sandbox_tightened(const struct sandbox_policy *p);

/* ---- enrichment */

/* Make all of several workspace folders writable. */
int sandbox_add_folders(struct arena *a, const struct str *folders, size_t n,
    const struct sandbox_policy *p, struct sandbox_policy *ret);
/* Join an ignore mapping to that of `p`, unless `p` has no sandbox. */
int sandbox_add_ignore(struct arena *a, struct str mapping, const struct sandbox_policy *p,
    struct sandbox_policy *ret, struct err *reterr);

/* ---- JSON: the contract's object, which enforcement reads as well */

/* Print a policy; a list without an opinion is printed as empty. */
void sandbox_print(const struct sandbox_policy *p, struct buf *out);
/* Print a policy without such lists: reading it back gives the same policy. */
void sandbox_print_given(const struct sandbox_policy *p, struct buf *out);
/*
 * Read a policy.  Unknown keys and values are CORDON_EINVAL, with the position in the text.
 */
int sandbox_read(
    struct arena *a, const struct json *v, struct sandbox_policy *ret, struct err *reterr);
/* Check a policy that was not read from JSON. */
int sandbox_check(struct arena *a, const struct sandbox_policy *p, struct err *reterr);

const char *sandbox_type_name(enum sandbox_type type);
/* Read WORKSPACE_READONLY or TYPE_WORKSPACE_READONLY, or either in lower case. */
bool sandbox_type_read(struct str name, enum sandbox_type *ret);

/* ---- internal, and for tests */

/* The order of entries.  Paths: one contains the other.  Hosts: *.b.c contains a.b.c, a
 * name contains name:443. */
enum sandbox_kind {
	SANDBOX_PATHS,
	SANDBOX_HOSTS,
};

int sandbox_list_meet(struct arena *a, enum sandbox_kind kind, const struct sandbox_list *x,
    const struct sandbox_list *y, struct sandbox_list *ret);
int sandbox_list_join(struct arena *a, enum sandbox_kind kind, const struct sandbox_list *x,
    const struct sandbox_list *y, struct sandbox_list *ret);
bool sandbox_list_within(struct arena *a, enum sandbox_kind kind,
    const struct sandbox_list *x, const struct sandbox_list *y);

/* sandbox_host.c: normalise a host; .p == NULL: not a host, or out of memory. */
struct str sandbox_host_normal(struct arena *a, struct str host);
bool sandbox_host_within(struct str outer, struct str inner);
/* The meet of two hosts; empty: none, .p == NULL: out of memory. */
struct str sandbox_host_meet(struct arena *a, struct str x, struct str y);

/* sandbox_ignore.c: the union of two mappings; .p == NULL: ignores nothing. */
int sandbox_ignore_union(
    struct arena *a, struct str x, struct str y, struct str *ret, struct err *reterr);
/* True if `whole` has every pattern of `part`. */
bool sandbox_ignore_within(struct arena *a, struct str part, struct str whole);
/* Split a mapping into texts for ignore_read_json(): a path is ignored if any of them
 * ignores it. */
int sandbox_ignore_mappings(struct arena *a, struct str mapping, struct str **ret,
    size_t *ret_n, struct err *reterr);
