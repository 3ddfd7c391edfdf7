#include "policy/sandbox/sandbox.h"

int
sandbox_level(const struct sandbox_policy *p)
{
	switch (p->type) {
	case SANDBOX_WORKSPACE_READONLY:
		return p->network_access ? LEVEL_READONLY_NETWORK : LEVEL_READONLY;
	case SANDBOX_WORKSPACE_READWRITE:
		return p->network_access ? LEVEL_NETWORK : LEVEL_NO_NETWORK;
	case SANDBOX_INSECURE_NONE:
	case SANDBOX_UNSPECIFIED:
		break;
	}
	return LEVEL_UNSANDBOXED;
}

/* An explicit "none" ranks above "unspecified": it gives as much, but is meant. */
static int
rank(enum sandbox_type type)
{
	switch (type) {
	case SANDBOX_WORKSPACE_READONLY:
		return 0;
	case SANDBOX_WORKSPACE_READWRITE:
		return 1;
	case SANDBOX_INSECURE_NONE:
		return 2;
	case SANDBOX_UNSPECIFIED:
		break;
	}
	return 3;
}

/* Compare texts; two absent ones are equal. */
static bool
same(struct str x, struct str y)
{
	return x.p && y.p ? str_eq(x, y) : x.p == y.p;
}

bool
sandbox_within(
    struct arena *a, const struct sandbox_policy *x, const struct sandbox_policy *y)
{
	return rank(x->type) <= rank(y->type) && x->network_access <= y->network_access &&
	       x->block_git_writes >= y->block_git_writes &&
	       x->disable_tmp_write >= y->disable_tmp_write &&
	       (!x->debug_output_dir.p || same(x->debug_output_dir, y->debug_output_dir)) &&
	       sandbox_list_within(
		   a, SANDBOX_HOSTS, &x->network_allow, &y->network_allow) &&
	       sandbox_list_within(a, SANDBOX_PATHS, &x->readwrite, &y->readwrite) &&
	       sandbox_list_within(a, SANDBOX_PATHS, &x->readonly, &y->readonly) &&
	       sandbox_ignore_within(a, y->ignore_mapping, x->ignore_mapping);
}

int
sandbox_meet(struct arena *a, const struct sandbox_policy *x,
    const struct sandbox_policy *y, struct sandbox_policy *ret)
{
	struct sandbox_policy m = {
		.type = rank(x->type) <= rank(y->type) ? x->type : y->type,
		.network_access = x->network_access && y->network_access,
		.block_git_writes = x->block_git_writes || y->block_git_writes,
		.disable_tmp_write = x->disable_tmp_write || y->disable_tmp_write,
	};
	int r;

	if (same(x->debug_output_dir, y->debug_output_dir))
		m.debug_output_dir = x->debug_output_dir;
	if ((r = sandbox_list_meet(a, SANDBOX_HOSTS, &x->network_allow, &y->network_allow,
		 &m.network_allow)) ||
	    (r = sandbox_list_meet(
		 a, SANDBOX_PATHS, &x->readwrite, &y->readwrite, &m.readwrite)) ||
	    (r = sandbox_list_meet(
		 a, SANDBOX_PATHS, &x->readonly, &y->readonly, &m.readonly)) ||
	    (r = sandbox_ignore_union(
		 a, x->ignore_mapping, y->ignore_mapping, &m.ignore_mapping, NULL)))
		return r;
	*ret = m;
	return 0;
}

int
sandbox_add(struct arena *a, const struct sandbox_policy *p,
    const struct sandbox_policy *more, struct sandbox_policy *ret)
{
	struct sandbox_policy sum = {
		.type = more->type == SANDBOX_UNSPECIFIED ? p->type : more->type,
		.network_access = p->network_access || more->network_access,
		.block_git_writes = p->block_git_writes || more->block_git_writes,
		.disable_tmp_write = p->disable_tmp_write || more->disable_tmp_write,
		.debug_output_dir =
		    more->debug_output_dir.p ? more->debug_output_dir : p->debug_output_dir,
	};
	int r;

	if ((r = sandbox_list_join(a, SANDBOX_HOSTS, &p->network_allow,
		 &more->network_allow, &sum.network_allow)) ||
	    (r = sandbox_list_join(
		 a, SANDBOX_PATHS, &p->readwrite, &more->readwrite, &sum.readwrite)) ||
	    (r = sandbox_list_join(
		 a, SANDBOX_PATHS, &p->readonly, &more->readonly, &sum.readonly)) ||
	    (r = sandbox_ignore_union(
		 a, p->ignore_mapping, more->ignore_mapping, &sum.ignore_mapping, NULL)))
		return r;
	*ret = sum;
	return 0;
}

/* A list without any opinion becomes empty before the agent's request is applied: else the
 * request's own list would count. */
static struct sandbox_policy
closed(struct sandbox_policy p)
{
	p.network_allow.given = p.readwrite.given = p.readonly.given = true;
	return p;
}

int
sandbox_effective(
    struct arena *a, const struct sandbox_voices *voices, struct sandbox_policy *ret)
{
	struct sandbox_policy sum = { 0 };
	int r = 0;

	for (size_t i = 0; i < voices->n && !r; i++)
		r = sandbox_add(a, &sum, &voices->layers[i], &sum);
	if (!r && voices->flags)
		r = sandbox_add(a, &sum, voices->flags, &sum);
	sum = closed(sum);
	if (!r && voices->admin)
		r = sandbox_meet(a, &sum, voices->admin, &sum);
	if (!r && voices->request)
		r = sandbox_meet(a, &sum, voices->request, &sum);
	if (!r)
		*ret = sum;
	return r;
}

struct sandbox_policy
sandbox_tightened(const struct sandbox_policy *p)
{
	struct sandbox_policy t = *p;

	if (sandbox_level(p) == LEVEL_UNSANDBOXED) {
		t.type = SANDBOX_WORKSPACE_READWRITE;
		t.network_access = false;
	}
	return t;
}

static bool
has(const struct str *v, size_t n, struct str s)
{
	for (size_t i = 0; i < n; i++)
		if (str_eq(v[i], s))
			return true;
	return false;
}

int
sandbox_add_folders(struct arena *a, const struct str *folders, size_t n,
    const struct sandbox_policy *p, struct sandbox_policy *ret)
{
	struct sandbox_policy more = *p;
	struct str *v;

	if (p->type != SANDBOX_WORKSPACE_READWRITE || n <= 1) {
		*ret = more;
		return 0;
	}
	if (n > SANDBOX_LIST_MAX || p->readwrite.n > SANDBOX_LIST_MAX - n)
		return CORDON_ELIMIT;
	v = arena_array(a, p->readwrite.n + n, sizeof *v);
	if (!v)
		return CORDON_ENOMEM;
	more.readwrite = (struct sandbox_list){ .given = true, .v = v };
	for (size_t i = 0; i < p->readwrite.n; i++)
		if (!has(v, more.readwrite.n, p->readwrite.v[i]))
			v[more.readwrite.n++] = p->readwrite.v[i];
	for (size_t i = 0; i < n; i++)
		if (!has(v, more.readwrite.n, folders[i]))
			v[more.readwrite.n++] = folders[i];
	*ret = more;
	return 0;
}

int
sandbox_add_ignore(struct arena *a, struct str mapping, const struct sandbox_policy *p,
    struct sandbox_policy *ret, struct err *reterr)
{
	struct sandbox_policy more = *p;
	int r;

	if (p->type != SANDBOX_INSECURE_NONE) {
		r = sandbox_ignore_union(
		    a, p->ignore_mapping, mapping, &more.ignore_mapping, reterr);
		if (r)
			return r;
	}
	*ret = more;
	return 0;
}
