/*
 * Add to a sandbox what allow rules give: hosts, paths, a type. One line has one sandbox.
 * A rule widens it only if every command of the line is allowed by itself, so that a
 * command that is merely confined gets nothing that another was given.
 */
#include "base/path.h"
#include "base/quote.h"
#include "decide/judge.h"

struct granting {
	struct deciding *d;
	struct sandbox_policy *p;
	bool agreed; /* a person approved the asks */
};

/* A rule of a lower layer cannot answer the ask of a higher one. */
bool
grant_readable(const struct decide_input *in, const struct judged *j, const struct rule *by,
    struct str path)
{
	const struct policy *p = in->policy;

	if (!j->covered || by->verdict != VERDICT_ASK || j->grant.layer < by->layer)
		return false;
	for (size_t i = 0; i < j->grant.readable.n; i++)
		if (pattern_path(p, patterns_at(p, j->grant.readable, i), path, true,
			&in->base) == MATCH_CERTAIN)
			return true;
	return false;
}

/* Write the shortest form: relative to the project, to the home, or absolute. */
void
decide_put_path(struct buf *b, const struct decide_input *in, struct str real)
{
	const struct pattern_base *base = &in->base;

	for (size_t i = 0; i < base->roots_n; i++)
		if (path_is_within(base->roots[i], real) && real.n > base->roots[i].n + 1) {
			(void)quote_put(
			    b, QUOTE_RULE, str_skip(real, base->roots[i].n + 1), NULL);
			return;
		}
	if (base->home.n > 1 && path_is_within(base->home, real)) {
		buf_putc(b, '~');
		real = str_skip(real, base->home.n);
	}
	(void)quote_put(b, QUOTE_RULE, real, NULL);
}

static bool
all_covered(const struct deciding *d)
{
	for (const struct judged *j = d->first; j; j = j->next)
		if ((j->command && !j->covered) || j->verdict < VERDICT_CONFINE)
			return false;
	return d->first != NULL;
}

static void
join(struct granting *g, enum sandbox_kind kind, struct sandbox_list *to, struct str *v,
    size_t n)
{
	struct sandbox_list more = { .given = true, .v = v, .n = n };

	to->given = true;
	if (sandbox_list_join(g->d->a, kind, to, &more, to))
		g->d->full = true;
}

static struct str
entry_text(struct granting *g, const struct pattern *x, size_t i)
{
	struct buf b;

	buf_init(&b, g->d->a);
	pattern_put(&b, g->d->in->policy, x, i);
	g->d->full |= b.full;
	return b.full ? STR("") : buf_str(&b);
}

static void
give_pattern(struct granting *g, const struct pattern *x, enum sandbox_kind kind)
{
	struct deciding *d = g->d;

	for (size_t i = 0; !d->full && pattern_alternative(d->in->policy, x, i, NULL).p;
	     i++) {
		struct str text = entry_text(g, x, i), *v;
		size_t n = 0;

		v = arena_array(d->a, d->in->base.roots_n + 1, sizeof *v);
		if (!v || (kind == SANDBOX_PATHS &&
			      !decide_path_entry(d->a, text, &d->in->base, v, &n))) {
			d->full = true;
			return;
		}
		if (kind == SANDBOX_HOSTS)
			v[n++] = text;
		join(g, kind,
		    kind == SANDBOX_HOSTS ? &g->p->network_allow : &g->p->readwrite, v, n);
	}
}

static void
give_patterns(struct granting *g, struct patterns list, enum sandbox_kind kind)
{
	for (size_t i = 0; i < list.n; i++)
		give_pattern(g, patterns_at(g->d->in->policy, list, i), kind);
}

/* Give a host unless the administrator's list of hosts excludes it. */
static void
give_host(struct granting *g, struct str host)
{
	struct deciding *d = g->d;
	struct str *v = arena_array(d->a, 1, sizeof *v);

	if (!v) {
		d->full = true;
		return;
	}
	v[0] = sandbox_host_normal(d->a, host);
	if (v[0].p && (!d->set->hosts_bounded || judge_host_granted(d, v[0], true)))
		join(g, SANDBOX_HOSTS, &g->p->network_allow, v, 1);
}

/* Give the hosts that the command names. */
static bool
give_named(struct granting *g, const struct judged *j)
{
	struct deciding *d = g->d;
	bool any = false;

	for (const struct net_effect *n = d->in->effects->nets; n && !d->full;
	     n = n->next) {
		struct str host = command_host(j->command, n);

		if (host.n == 0 || !span_within(n->at, j->command->at) ||
		    !str_eq(n->by, j->command->program))
			continue;
		any = true;
		give_host(g, host);
	}
	return any;
}

static void
give_set(struct granting *g, struct str name)
{
	const struct policy *hosts;
	int err = policy_set(g->d->a, g->d->in->policy, name, &hosts);

	g->d->full |= err == CORDON_ENOMEM;
	for (size_t i = 0; !err && !g->d->full && policy_entry(hosts, LIST_NET, i).p; i++)
		give_host(g, policy_entry(hosts, LIST_NET, i));
}

/* Give what the question named: hosts, or the set of hosts of a package manager. */
static bool
give_asked(struct granting *g, const struct judged *j)
{
	for (const struct text_list *h = j->hosts; h && !g->d->full; h = h->next) {
		if (h->text.p[0] == '@')
			give_set(g, h->text);
		else
			give_host(g, h->text);
	}
	return j->hosts != NULL;
}

static void
give(struct granting *g, const struct judged *j)
{
	const struct command *c = j->command;
	bool named;

	give_patterns(g, j->grant.net, SANDBOX_HOSTS);
	give_patterns(g, j->grant.writable, SANDBOX_PATHS);
	if (!(j->grant.own || (g->agreed && j->verdict == VERDICT_ASK)) ||
	    g->d->set->network)
		return;
	named = give_named(g, j);
	if (g->agreed && give_asked(g, j))
		named = true;
	/* A person allowed a network command and its hosts are unknown: give it the
	 * network. */
	if (!named && j->grant.net.n == 0 && c->scan && c->scan->network &&
	    !g->d->set->hosts_bounded)
		g->p->network_access = true;
}

void
grants_add(struct deciding *d, struct sandbox_policy *p, bool writes)
{
	struct granting g = { .d = d, .p = p };
	bool readonly = false, readwrite = false;

	if (!d->in->effects || !all_covered(d))
		return;
	for (const struct judged *j = d->first; j && !d->full; j = j->next) {
		if (!j->command)
			continue;
		readonly |= j->grant.sandbox == SANDBOX_WORKSPACE_READONLY;
		readwrite |= j->grant.sandbox == SANDBOX_WORKSPACE_READWRITE;
		give(&g, j);
	}
	/* Of two rules the stricter type counts; a wider one applies only where something
	 * is written. */
	if (readonly)
		p->type = SANDBOX_WORKSPACE_READONLY;
	else if (readwrite && writes && p->type == SANDBOX_WORKSPACE_READONLY)
		p->type = SANDBOX_WORKSPACE_READWRITE;
}

bool
decide_readable(const struct decide_input *in, const struct decision *of, bool agreed,
    const struct rule *by, struct str path)
{
	const struct deciding d = { .in = in, .first = of->judged };

	if (!agreed && !all_covered(&d))
		return false;
	for (const struct judged *j = of->judged; j; j = j->next)
		if (grant_readable(in, j, by, path))
			return true;
	return false;
}

/* `allow net HOST` is about the host, not the command: any line that names the host gets
 * it. */
void
grants_add_hosts(struct deciding *d, struct sandbox_policy *p)
{
	struct granting g = { .d = d, .p = p };

	for (const struct judged *j = d->first; j && !d->full; j = j->next)
		for (const struct text_list *h = j->given; h && !d->full; h = h->next)
			give_host(&g, h->text);
}

/* The person saw the whole line, so every command gets what any of them was granted. */
int
decide_agreed(struct arena *a, const struct decide_input *in, const struct decision *of,
    struct sandbox_policy *p)
{
	struct deciding d = {
		.a = a, .in = in, .set = policy_settings(in->policy), .first = of->judged
	};
	struct granting g = { .d = &d, .p = p, .agreed = true };

	for (const struct judged *j = d.first; j && !d.full && in->effects; j = j->next)
		if (j->command)
			give(&g, j);
	return d.full ? CORDON_ENOMEM : 0;
}
