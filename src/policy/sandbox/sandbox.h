/*
 * policy/sandbox/sandbox.h: SandboxPolicy, what a confined command is given.
 *
 * MUST
 * 1. The meet of two is never looser than either, in any field.
 * 2. An absent list is "no opinion", an empty one is "none".
 * 3. No field is lost when one is copied, enriched, printed and read again.
 * 4. What is not understood is refused, never weakened.
 *
 * Paths are compared as text here.  Whoever may look at files follows the links of
 * both sides first: /ws/link lies inside /ws by its name alone.
 */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/json/json.h"
#include "policy/policy.h"

/* Entries of one list: each is compared with each, and a person should know them all. */
#define SANDBOX_LIST_MAX 256
/* Rows of an ignore mapping: patterns, or whole lists with a negation in them. */
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
	LEVEL_UNSANDBOXED = 30, /* also where nothing is said */
};

/* readonly 0, readonly + network 5, readwrite 10, readwrite + network 20, none 30. */
int sandbox_level(const struct sandbox_policy *p);
/* `x` gives nothing that `y` does not give, in every field.  False also without memory. */
bool sandbox_within(
    struct arena *a, const struct sandbox_policy *x, const struct sandbox_policy *y);

/* ---- of two; CORDON_ENOMEM, CORDON_ELIMIT, CORDON_EINVAL for a bad mapping */

/*
 * The per-field meet: what both give.  Lists come out sorted, without entries that lie
 * inside others, so that equal policies are equal bytes; sandbox_meet(x, x) is just that
 * form of x.  `ret` may be one of the arguments.
 */
int sandbox_meet(struct arena *a, const struct sandbox_policy *x,
    const struct sandbox_policy *y, struct sandbox_policy *ret);
/*
 * What `more`, the higher or later speaker, adds to `p`: its type where it says one, its
 * network, hosts and paths.  No restriction is lifted.
 */
int sandbox_add(struct arena *a, const struct sandbox_policy *p,
    const struct sandbox_policy *more, struct sandbox_policy *ret);

/* Who speaks, and with what right.  Each of the last three may be NULL. */
struct sandbox_voices {
	const struct sandbox_policy *layers; /* below admin, low to high: they add up */
	size_t n;
	const struct sandbox_policy *flags;   /* a person's own: these add, too */
	const struct sandbox_policy *admin;   /* bounds the sum */
	const struct sandbox_policy *request; /* an agent's: can only take away */
};

int sandbox_effective(
    struct arena *a, const struct sandbox_voices *voices, struct sandbox_policy *ret);
/* The same with a level below 30: where no sandbox is said, the workspace without network.
 */
struct sandbox_policy sandbox_tightened(const struct sandbox_policy *p);

/* ---- enrichment */

/* More than one workspace folder: all of them become writable. */
int sandbox_add_folders(struct arena *a, const struct str *folders, size_t n,
    const struct sandbox_policy *p, struct sandbox_policy *ret);
/* The mapping joins the one that is there, unless there is no sandbox to read it. */
int sandbox_add_ignore(struct arena *a, struct str mapping, const struct sandbox_policy *p,
    struct sandbox_policy *ret, struct err *reterr);

/* ---- JSON: the contract's object, which is also the form that enforcement is handed */

/* A list on which nobody had an opinion is printed as none. */
void sandbox_print(const struct sandbox_policy *p, struct buf *out);
/* Such a list is left out: what is read back is the same policy. */
void sandbox_print_given(const struct sandbox_policy *p, struct buf *out);
/* Unknown keys and values are CORDON_EINVAL, with the place in the text. */
int sandbox_read(
    struct arena *a, const struct json *v, struct sandbox_policy *ret, struct err *reterr);
/* The same checks for a policy that came another way. */
int sandbox_check(struct arena *a, const struct sandbox_policy *p, struct err *reterr);

const char *sandbox_type_name(enum sandbox_type type);
/* WORKSPACE_READONLY, TYPE_WORKSPACE_READONLY, and both in lower case. */
bool sandbox_type_read(struct str name, enum sandbox_type *ret);

/* ---- the parts, for this room and for tests */

/* Paths: one is inside the other.  Hosts: *.b.c holds a.b.c, a name holds name:443. */
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

/* sandbox_host.c: one host in its one spelling, or .p == NULL where it is none. */
struct str sandbox_host_normal(struct arena *a, struct str host);
bool sandbox_host_within(struct str outer, struct str inner);
/* What both hold; empty if nothing, .p == NULL without memory. */
struct str sandbox_host_meet(struct arena *a, struct str x, struct str y);

/* sandbox_ignore.c: what one of both ignores; .p == NULL for nothing. */
int sandbox_ignore_union(
    struct arena *a, struct str x, struct str y, struct str *ret, struct err *reterr);
/* Every pattern of `part` is in `whole`, too. */
bool sandbox_ignore_within(struct arena *a, struct str part, struct str whole);
/*
 * The mapping as one or several texts that ignore_read_json() takes: a path is ignored if
 * one of them ignores it.
 */
int sandbox_ignore_mappings(struct arena *a, struct str mapping, struct str **ret,
    size_t *ret_n, struct err *reterr);
