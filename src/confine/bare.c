/*
 * A plan without namespaces: in containers and on systems that forbid them.
 *
 * Landlock then restricts writing, reading, signals and abstract sockets; the filter
 * restricts the network and the rest; the supervisor performs every change of a file
 * itself, attributes too, which Landlock does not cover.  A field that only a mount can
 * enforce is refused.
 */
#include "base/path.h"
#include "confine/enter_internal.h"
#include "confine/plan/plan_internal.h"
#include "os/fd.h"

/* The first Landlock ABI that restricts signals and abstract sockets. */
#define ABI_WANTED 6

bool
plan_has_below(const struct plan *plan, struct str path)
{
	for (size_t i = 0; i < plan->mounts_n; i++)
		if (path_is_within(path, str_from_c(plan->mounts[i].path)))
			return true;
	return false;
}

/* The mounts are sorted with the most specific last. */
enum plan_kind
plan_kind_at(const struct plan *plan, struct str path)
{
	for (size_t i = plan->mounts_n; i-- > 0;)
		if (path_is_within(str_from_c(plan->mounts[i].path), path))
			return plan->mounts[i].kind;
	return PLAN_READABLE;
}

static bool
hides_in_writable(const struct plan *plan, struct str *ret_path)
{
	for (size_t i = 0; i < plan->mounts_n; i++) {
		*ret_path = str_from_c(plan->mounts[i].path);
		for (size_t k = 0; k < plan->writable_n; k++)
			if (plan->mounts[i].kind == PLAN_HIDDEN &&
			    !str_is(plan->state, plan->mounts[i].path) &&
			    path_is_within(plan->writable[k], *ret_path))
				return true;
	}
	return false;
}

static int
refuse(struct plan *plan, struct plan_refusal *ret, enum plan_field field, const char *why,
    struct str path)
{
	*ret = (struct plan_refusal){ field, why, path };
	plan->fields[field] = (struct plan_field_state){ PLAN_REFUSED, why };
	return CORDON_EREFUSED;
}

static int
check(struct plan *plan, struct plan_refusal *ret)
{
	struct str path = { NULL, 0 };

	if (landlock_abi() < ABI_WANTED)
		return refuse(plan, ret, FIELD_PROCESSES,
		    "without namespaces other processes are out of reach only with "
		    "Landlock from Linux 6.12 on",
		    STR(""));
	if (plan->review)
		return refuse(plan, ret, FIELD_READWRITE,
		    "--review needs a mount namespace", STR(""));
	if (plan->listed)
		return refuse(plan, ret, FIELD_NETWORK_ALLOW,
		    "a list of hosts needs a network namespace", STR(""));
	if (plan->ignores)
		return refuse(plan, ret, FIELD_IGNORE,
		    "files in the workspace can be hidden in a mount namespace only",
		    STR(""));
	if (hides_in_writable(plan, &path))
		return refuse(plan, ret, FIELD_PROTECTED,
		    "files in writable paths can be hidden in a mount namespace only",
		    path);
	return 0;
}

static const struct {
	enum plan_field field;
	const char *by;
} holds[] = {
	{ FIELD_TYPE, "Landlock; changes are made by the supervisor" },
	{ FIELD_NETWORK, "no sockets but local ones (seccomp)" },
	{ FIELD_READWRITE, "Landlock, the supervisor" },
	{ FIELD_READONLY, "Landlock, the supervisor" },
	{ FIELD_GIT, "Landlock, the supervisor" },
	{ FIELD_TMP, "Landlock; TMPDIR leads to a directory of the run's own" },
	{ FIELD_DEBUG, "Landlock: it cannot be read" },
	{ FIELD_PROTECTED, "changes are made by the supervisor, which knows the names" },
	{ FIELD_PROCESSES, "Landlock, seccomp; the reaper ends the tree" },
};

/* Add one more mount: the private directory. */
static bool
add_tmp(struct arena *a, struct plan *plan, struct str tmp)
{
	struct plan_mount *mounts = arena_array(a, plan->mounts_n + 1, sizeof *mounts);
	struct str *writable = arena_array(a, plan->writable_n + 1, sizeof *writable);
	const char *path = str_to_path(a, tmp);

	if (!mounts || !writable || !path)
		return false;
	if (plan->mounts_n)
		memcpy(mounts, plan->mounts, plan->mounts_n * sizeof *mounts);
	if (plan->writable_n)
		memcpy(writable, plan->writable, plan->writable_n * sizeof *writable);
	mounts[plan->mounts_n++] =
	    (struct plan_mount){ .path = path, .kind = PLAN_WRITABLE, .directory = true };
	writable[plan->writable_n++] = str_from_c(path);
	plan->mounts = mounts;
	plan->writable = writable;
	return true;
}

/* Landlock hides a file by granting everything next to it, as it is at the start.  For the
 * whole home directory these would be too many rules, so all of it stays closed. */
static bool
show_state(struct arena *a, struct plan *plan)
{
	struct plan_mount *mounts = arena_array(a, plan->mounts_n + 1, sizeof *mounts);

	if (!mounts)
		return false;
	memcpy(mounts, plan->mounts, plan->mounts_n * sizeof *mounts);
	for (size_t i = 0; i < plan->mounts_n; i++)
		if (mounts[i].kind == PLAN_HIDDEN && str_is(plan->state, mounts[i].path))
			mounts[i].kind = PLAN_READONLY;
	plan->mounts = mounts;
	return true;
}

int
plan_make_bare(struct arena *a, const struct plan *plan, struct str tmp, struct plan *ret,
    struct plan_refusal *refusal)
{
	int r;

	*ret = *plan;
	if ((r = check(ret, refusal)))
		return r;
	ret->bare = true;
	/* No mount makes anything writable: the list alone says what is. */
	ret->readonly = false;
	/* No mount covers anything: the supervisor enforces the rules. */
	ret->watch_reads = ret->judge_reads;
	if (tmp.p && !add_tmp(a, ret, tmp))
		return CORDON_ENOMEM;
	if (plan->state.p && !show_state(a, ret))
		return CORDON_ENOMEM;
	for (size_t i = 0; i < sizeof holds / sizeof *holds; i++)
		if (ret->fields[holds[i].field].state == PLAN_ENFORCED)
			ret->fields[holds[i].field].by = holds[i].by;
	if (plan->network)
		ret->fields[FIELD_NETWORK].by = "socket families by seccomp";
	return 0;
}
