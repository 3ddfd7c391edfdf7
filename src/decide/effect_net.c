/* Hosts that are talked to. */
#include "decide/judge.h"

bool
host_granted(const struct deciding *d, struct str host, bool known)
{
	if (d->set->network)
		return true;
	for (size_t i = 0; known; i++) {
		struct str entry = policy_entry(d->in->policy, LIST_NET, i);

		if (!entry.p)
			return false;
		if (str_eq(entry, host) ||
		    (str_starts(entry, STR("*.")) && str_ends(host, str_skip(entry, 1))))
			return true;
	}
	return false;
}

struct visiting {
	struct deciding *d;
	const struct net_effect *n;
	struct best_rules best;
};

static void
visit(void *context, size_t rule)
{
	struct visiting *v = context;
	struct rule r;

	policy_rule(v->d->in->policy, rule, &r);
	best_take(&v->best, &r, match_net(&v->d->m, &r, v->n));
}

bool
decide_host(const struct decide_input *in, struct str host)
{
	static const struct effects nothing;
	struct path_hint hint = { 0 };
	struct deciding d = {
		.in = in, .set = policy_settings(in->policy), .m = { in, &nothing, &hint }
	};
	struct net_effect n = { .host = host, .known = true };
	struct visiting v = { .d = &d, .n = &n };
	/* Two ways to write one address are not told apart: then it may be that one. */
	bool address = true;

	for (size_t i = 0; i < host.n && host.p[0] != '['; i++)
		address &= (host.p[i] >= '0' && host.p[i] <= '9') || host.p[i] == '.' ||
			   host.p[i] == ':';
	policy_effects(in->policy, RULE_NET, visit, &v);
	return v.best.deny.any && (v.best.deny.match == MATCH_CERTAIN || address);
}

/*
 * Without the network a sandbox has a loopback of its own: what it reaches there was
 * started in it, and a person's yes would give it no more.  So only a rule of theirs is
 * asked.
 */
static bool
is_own_loopback(
    const struct deciding *d, const struct net_effect *n, const struct best_rules *b)
{
	static const char names[] = "localhost\0"
				    "127.0.0.1\0";

	if (!n->known || !d->in->sandbox || d->set->network || b->deny.any ||
	    b->possible_ask.any || (b->open.any && b->open.rule.layer > LAYER_BUILTIN))
		return false;
	return str_among(n->host, names) || str_ends(n->host, STR(".localhost"));
}

/* The rule that allows the command gives its sandbox this host. */
static bool
gives_host(const struct deciding *d, const struct judged *j, const struct net_effect *n)
{
	const struct policy *p = d->in->policy;

	for (size_t i = 0; j->covered && n->known && i < j->grant.net.n; i++)
		if (pattern_host(p, patterns_at(p, j->grant.net, i), n->host, true) ==
		    MATCH_CERTAIN)
			return true;
	return false;
}

static struct str
network_text(struct deciding *d, struct str host)
{
	return SAY(d, STR("network access to "), host.n ? host : STR("an unknown host"));
}

static void
judge_host(struct deciding *d, const struct net_effect *n)
{
	struct visiting v = { .d = d };
	struct net_effect host = *n;
	struct judged *j = owner(d, n->at, n->by);
	struct str what;

	host.host = n->known ? net_host(j->command, n) : host_of(n->host);
	host.known = n->known && host.host.n;
	v.n = &host;
	what = network_text(d, host.host);
	policy_effects(d->in->policy, RULE_NET, visit, &v);
	/* Who has allowed the command with this host has been asked about the host. */
	if (v.best.open.any && v.best.open.rule.verdict == VERDICT_ASK &&
	    j->rule.layer > v.best.open.rule.layer && gives_host(d, j, &host))
		v.best.open.any = false;
	if (is_own_loopback(d, &host, &v.best)) {
		tighten(d, j,
		    (struct finding){ held(d), GATE_SANDBOX, false,
			SAY(d, what, STR(" stays inside the sandbox")), NULL });
		return;
	}
	judge_rules(d, j, &v.best, what);
	if (gives_host(d, j, &host) ||
	    (v.best.open.any && v.best.open.rule.verdict == VERDICT_ALLOW) ||
	    host_granted(d, host.host, host.known) ||
	    (j->rule.set && j->verdict == VERDICT_ALLOW)) {
		if (host.known && v.best.open.any &&
		    v.best.open.rule.verdict == VERDICT_ALLOW)
			add_host(d, &j->given, host.host);
		tighten(d, j,
		    (struct finding){ held(d), GATE_SANDBOX, false,
			SAY(d, what, STR(" is allowed only from the sandbox")), NULL });
		return;
	}
	if (host.known)
		add_host(d, &j->hosts, host.host);
	tighten(d, j,
	    (struct finding){
		VERDICT_ASK, GATE_PROTECT, false, SAY(d, STR("needs "), what), NULL });
}

/* Which hosts it names has been judged. */
static bool
names_host(const struct deciding *d, const struct command *c)
{
	for (const struct net_effect *n = d->in->effects->nets; n; n = n->next)
		if (n->known && span_within(n->at, c->at) && str_eq(n->by, c->program))
			return true;
	return false;
}

/*
 * git fetch: who allowed it did not say where the configuration may send it.  A rule that
 * denies that host counts, and one that asks, unless it stands below the one that allows.
 */
static void
judge_remote(struct deciding *d, struct judged *j)
{
	struct str url = j->command->git_url, host = host_of(url);
	struct net_effect to = { .known = host.n > 0, .host = host };
	struct visiting v = { .d = d, .n = &to };
	struct best *asks[] = { &v.best.open, &v.best.possible_ask };

	policy_effects(d->in->policy, RULE_NET, visit, &v);
	for (size_t i = 0; i < 2; i++)
		if (asks[i]->any && (asks[i]->rule.layer == LAYER_BUILTIN ||
					asks[i]->rule.layer < j->rule.layer))
			asks[i]->any = false;
	judge_rules(d, j, &v.best, network_text(d, host));
}

/* Nobody is asked about the network for its own sake. */
static bool
has_network(const struct deciding *d, const struct judged *j)
{
	return d->set->network || (j->rule.set && j->verdict == VERDICT_ALLOW) ||
	       (j->covered && j->grant.net.n);
}

/* curl file:///x names where it goes, and that is no host. */
static bool
has_address(const struct command *c)
{
	for (size_t i = 0; i < c->scan->count; i++)
		if (c->scan->items[i].role == ROLE_URL && !c->scan->items[i].option_only)
			return true;
	return false;
}

/* What it does is not known, or is what somebody's code does, or is to go online.  Where
 * git goes has been judged. */
static bool
may_connect(const struct command *c)
{
	if (c->remote || c->function || c->pure || c->wrapper || str_is(c->program, "git"))
		return false;
	return c->class == CLASS_UNKNOWN || c->class == CLASS_EXEC ||
	       (c->scan && c->scan->network && !has_address(c));
}

/*
 * Where it goes nobody can say: a rule that denies hosts could mean that one.  In the
 * sandbox it is asked at each connect, so nothing that was allowed runs outside of it.  If
 * every host is denied, who needs one is denied.
 */
static void
judge_anywhere(struct deciding *d, struct judged *j)
{
	const struct command *c = j->command;
	struct net_effect to = { .known = false, .host = STR("") };
	struct visiting v = { .d = d, .n = &to };
	const struct best *deny = &v.best.deny;

	if (!c || names_host(d, c) || !may_connect(c))
		return;
	policy_effects(d->in->policy, RULE_NET, visit, &v);
	if (!deny->any)
		return;
	if (deny->match == MATCH_CERTAIN && c->scan && c->scan->network)
		tighten(d, j,
		    (struct finding){ VERDICT_DENY, GATE_DENY, true,
			rule_reason(d, &deny->rule, network_text(d, STR(""))),
			&deny->rule });
	else
		tighten(d, j,
		    (struct finding){ held(d), GATE_DENY, false,
			SAY(d, shown(d, c), STR(" could reach a host that a rule denies ("),
			    rule_place(d, &deny->rule), STR(")")),
			&deny->rule });
}

void
judge_network(struct deciding *d)
{
	for (const struct net_effect *n = d->in->effects->nets; n && !d->full; n = n->next)
		judge_host(d, n);
	/* Programs that go online without naming a host in their words. */
	for (struct judged *j = d->first; j && !d->full; j = j->next) {
		const struct command *c = j->command;

		if (!c || !c->scan || !c->scan->network || names_host(d, c))
			continue;
		/* npx, docker run may find here what they start: no question for that
		 * alone. */
		if (c->wrapper && j->verdict > VERDICT_ASK)
			continue;
		if (has_network(d, j)) {
			if (str_is(c->program, "git"))
				judge_remote(d, j);
			continue;
		}
		if (c->git_url.p) {
			judge_host(d, &(struct net_effect){ .known = true,
					  .host = c->git_url,
					  .at = c->at,
					  .by = c->program });
			continue;
		}
		if (know_hosts_of(c->program).p)
			add_host(d, &j->hosts, know_hosts_of(c->program));
		tighten(d, j,
		    (struct finding){ VERDICT_ASK, GATE_PROTECT, false,
			SAY(d, c->program, STR(" needs the network")), NULL });
	}
	for (struct judged *j = d->first; j && !d->full; j = j->next)
		judge_anywhere(d, j);
}
