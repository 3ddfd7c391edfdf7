/* confine/plan/plan_internal.h: inside the room: how a plan is made. */
#pragma once
#include "confine/plan/plan.h"

/* More mounts than the kernel allows by default (fs.mount-max); a power of two. */
#define PLAN_MOUNTS ((size_t)262144)

struct planning {
	struct arena *a;
	const struct plan_input *in;
	struct plan *plan;
	struct plan_mount *mounts;
	size_t n, cap;
	struct plan_refusal *refusal;
};

/* Record the refusal and return CORDON_EREFUSED. */
int plan_refuse(
    struct planning *p, enum plan_field field, const char *why, struct str path);
/* Add a mount of what is at `path`.  False with *ret_error set if nothing is there or it is
 * a symlink. */
bool plan_add(struct planning *p, enum plan_kind kind, struct str path, int *ret_error);
/* Record that the field is enforced, and by what. */
void plan_enforced(struct planning *p, enum plan_field field, const char *by);
/* Add a note for a person, once. */
void plan_note(struct planning *p, const char *note);
/* The kind of the mount that `path` lies in; PLAN_READABLE without one. */
enum plan_kind plan_kind_at(const struct plan *plan, struct str path);

/* plan_order.c: sort the mounts, most specific last, and check them as a whole. */
int plan_finish(struct planning *p);
/* plan_git.c: git directories. */
int plan_add_git(struct planning *p);
/* plan_net.c: the network, and what is hidden while there is one. */
int plan_add_network(struct planning *p);
/* plan_secrets.c: credentials, hidden while there is a network to send them to. */
int plan_add_secrets(struct planning *p);
/* plan_hide.c: files that ignore patterns hide. */
int plan_add_hidden(struct planning *p);
