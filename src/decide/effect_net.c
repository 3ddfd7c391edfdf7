/* Judge the hosts that commands connect to. */
#include "decide/judge.h"

bool
judge_host_granted(const struct deciding *d, struct str host, bool known)
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

static enum match
matches(const struct matching *m, const struct rule *r, const void *subject)
{
	return match_net(m, r, subject);
}

static struct best_rules
rules_for_host(struct deciding *d, const struct net_effect *n)
{
	return best_for_effect(d, RULE_NET, matches, n);
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
	struct best_rules b = rules_for_host(&d, &n);
	/* A possible match of an address counts: it may be another spelling of it. */
	bool address = true;

	for (size_t i = 0; i < host.n && host.p[0] != '['; i++)
		address &= (host.p[i] >= '0' && host.p[i] <= '9') || host.p[i] == '.' ||
			   host.p[i] == ':';
	return b.deny.any && (b.deny.match == MATCH_CERTAIN || address);
}

/* A sandbox without the network has its own loopback: it reaches only servers started
 * inside, and an approval would give it no more.  So only a rule of the user's can ask. */
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

/* True if the rule that allows the command gives its sandbox this host. */
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
	struct net_effect host = *n;
	struct judged *j = judge_owner(d, n->at, n->by);
	struct best_rules b;
	struct str what;

	host.host = n->known ? command_host(j->command, n) : host_of_url(n->host);
	host.known = n->known && host.host.n;
	what = network_text(d, host.host);
	b = rules_for_host(d, &host);
	/* A rule that allows the command with this host answers an ask of a lower layer. */
	if (b.open.any && b.open.rule.verdict == VERDICT_ASK &&
	    j->rule.layer > b.open.rule.layer && gives_host(d, j, &host))
		b.open.any = false;
	if (is_own_loopback(d, &host, &b)) {
		judge_gate(d, j, judge_contained(d), GATE_SANDBOX,
		    SAY(d, what, STR(" stays inside the sandbox")));
		return;
	}
	judge_rules(d, j, &b, what);
	if (gives_host(d, j, &host) ||
	    (b.open.any && b.open.rule.verdict == VERDICT_ALLOW) ||
	    judge_host_granted(d, host.host, host.known) ||
	    (j->rule.set && j->verdict == VERDICT_ALLOW)) {
		if (host.known && b.open.any && b.open.rule.verdict == VERDICT_ALLOW)
			judge_add_host(d, &j->given, host.host);
		judge_gate(d, j, judge_contained(d), GATE_SANDBOX,
		    SAY(d, what, STR(" is allowed only from the sandbox")));
		return;
	}
	if (host.known)
		judge_add_host(d, &j->hosts, host.host);
	judge_gate(d, j, VERDICT_ASK, GATE_PROTECT, SAY(d, STR("needs "), what));
}

/* True if the command names a host: then that host has been judged. */
static bool
names_host(const struct deciding *d, const struct command *c)
{
	for (const struct net_effect *n = d->in->effects->nets; n; n = n->next)
		if (n->known && span_within(n->at, c->at) && str_eq(n->by, c->program))
			return true;
	return false;
}

/*
 * An allow for `git fetch` does not say which host the repository's configuration may
 * name.  A rule that denies that host counts; one that asks counts unless its layer is
 * lower than that of the allow.
 */
static void
judge_remote(struct deciding *d, struct judged *j)
{
	struct str url = j->command->git_url, host = host_of_url(url);
	struct net_effect to = { .known = host.n > 0, .host = host };
	struct best_rules b = rules_for_host(d, &to);
	struct best *asks[] = { &b.open, &b.possible_ask };

	for (size_t i = 0; i < 2; i++)
		if (asks[i]->any && (asks[i]->rule.layer == LAYER_BUILTIN ||
					asks[i]->rule.layer < j->rule.layer))
			asks[i]->any = false;
	judge_rules(d, j, &b, network_text(d, host));
}

/* True if no approval is needed for the network as such. */
static bool
has_network(const struct deciding *d, const struct judged *j)
{
	return d->set->network || (j->rule.set && j->verdict == VERDICT_ALLOW) ||
	       (j->covered && j->grant.net.n);
}

/* True if a word is a URL.  `curl file:///x` has one, so it needs no other host. */
static bool
has_address(const struct command *c)
{
	for (size_t i = 0; i < c->scan->count; i++)
		if (c->scan->items[i].role == ROLE_URL && !c->scan->items[i].option_only)
			return true;
	return false;
}

/* True if the command may connect to some host: it is unknown, runs other code, or uses the
 * network without naming a host.  git's host has been judged already. */
static bool
may_connect(const struct command *c)
{
	if (c->remote || c->function || c->pure || c->wrapper || str_is(c->program, "git"))
		return false;
	return c->class == CLASS_UNKNOWN || c->class == CLASS_EXEC ||
	       (c->scan && c->scan->network && !has_address(c));
}

/*
 * The host is unknown, so a rule that denies hosts may mean it.  The sandbox checks each
 * connect(2): confine even allowed commands.  If a rule denies every host, deny a command
 * that needs one.
 */
static void
judge_anywhere(struct deciding *d, struct judged *j)
{
	const struct command *c = j->command;
	struct net_effect to = { .known = false, .host = STR("") };
	struct best_rules b;
	const struct best *deny = &b.deny;

	if (!c || names_host(d, c) || !may_connect(c))
		return;
	b = rules_for_host(d, &to);
	if (!deny->any)
		return;
	if (deny->match == MATCH_CERTAIN && c->scan && c->scan->network)
		judge_tighten(d, j,
		    (struct finding){ VERDICT_DENY, GATE_DENY, true,
			rule_reason(d, &deny->rule, network_text(d, STR(""))),
			&deny->rule });
	else
		judge_tighten(d, j,
		    (struct finding){ judge_contained(d), GATE_DENY, false,
			SAY(d, command_text(d, c),
			    STR(" could reach a host that a rule denies ("),
			    rule_position(d, &deny->rule), STR(")")),
			&deny->rule });
}

void
judge_network(struct deciding *d)
{
	for (const struct net_effect *n = d->in->effects->nets; n && !d->full; n = n->next)
		judge_host(d, n);
	/* Programs that use the network without naming a host. */
	for (struct judged *j = d->first; j && !d->full; j = j->next) {
		const struct command *c = j->command;

		if (!c || !c->scan || !c->scan->network || names_host(d, c))
			continue;
		/* npx and docker run may find locally what they start: do not ask for the
		 * network alone. */
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
			judge_add_host(d, &j->hosts, know_hosts_of(c->program));
		judge_gate(d, j, VERDICT_ASK, GATE_PROTECT,
		    SAY(d, c->program, STR(" needs the network")));
	}
	for (struct judged *j = d->first; j && !d->full; j = j->next)
		judge_anywhere(d, j);
}
