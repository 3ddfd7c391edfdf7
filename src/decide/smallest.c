/* The smallest sandbox: no more than the known effects need, inside what the policy gives.
 */
#include "decide/judge.h"

static bool
writes(const struct effects *e)
{
	for (const struct file_effect *f = e->files; f; f = f->next)
		if (f->op != FILE_READ && f->op != FILE_EXEC &&
		    f->fact.where != WHERE_DEVICE)
			return true;
	return e->unknowns != NULL;
}

/* A program that is not known only to read may write where it works. */
static bool
may_write(const struct effects *e)
{
	for (const struct command *c = e->commands; c; c = c->next)
		if (c->class != CLASS_READ && !c->pure && !c->wrapper && !c->function)
			return true;
	return writes(e);
}

static struct sandbox_list
hosts(struct deciding *d)
{
	struct sandbox_list out = { .given = true };
	struct str *v;

	while (policy_entry(d->in->policy, LIST_NET, out.n).p)
		out.n++;
	v = arena_array(d->a, out.n, sizeof *v);
	if (!v) {
		d->full = true;
		out.n = 0;
		return out;
	}
	for (size_t i = 0; i < out.n; i++)
		v[i] = policy_entry(d->in->policy, LIST_NET, i);
	out.v = v;
	return out;
}

static struct sandbox_list
directories(struct deciding *d, enum policy_list list)
{
	struct sandbox_list out = { .given = true };
	struct str *v = NULL;

	if (!decide_paths(d->a, d->in->policy, list, &d->in->base, &v, &out.n))
		d->full = true;
	out.v = v;
	return out;
}

void
decide_sandbox(struct deciding *d, struct decision *out)
{
	const struct effects *e = d->in->effects;
	struct sandbox_policy p = { .type = d->set->sandbox,
		.network_access = d->set->network,
		.block_git_writes = !d->set->git_writes,
		.disable_tmp_write = !d->set->tmp_write };

	if (e && !may_write(e)) {
		p.type = SANDBOX_WORKSPACE_READONLY;
		p.network_access = false;
	} else {
		p.network_allow = hosts(d);
		p.readwrite = directories(d, LIST_WRITABLE);
	}
	p.readonly = directories(d, LIST_READABLE);
	grants_add(d, &p, e && may_write(e));
	if (e && !d->set->network)
		grants_add_hosts(d, &p);
	if (d->in->requested && sandbox_meet(d->a, &p, d->in->requested, &p))
		d->full = true;
	out->sandbox = p;
}
