/* Hosts that a command needs, for the rule that is offered: this host, this project. */
#include "decide/judge.h"

/* What could stand behind `net` in a rule. */
static bool
is_host(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') &&
		    !(c >= '0' && c <= '9') && (i == 0 ? c != '@' : !strchr("-._", c)))
			return false;
	}
	return s.n > 0;
}

void
add_host(struct deciding *d, struct host_name **list, struct str host)
{
	struct host_name *h;

	if (!is_host(host))
		return;
	for (h = *list; h; h = h->next)
		if (str_eq(h->text, host))
			return;
	h = arena_zalloc(d->a, sizeof *h);
	if (!h) {
		d->full = true;
		return;
	}
	*h = (struct host_name){ host, *list };
	*list = h;
}

/* git fetch origin: a name that the repository's configuration has an address for. */
bool
is_remote(const struct net_effect *n)
{
	return n->known && str_is(n->by, "git") && str_find(n->host, ':') == n->host.n &&
	       str_find(n->host, '/') == n->host.n;
}

struct net_effect
remote_named(const struct judged *j, const struct net_effect *n)
{
	struct net_effect to = *n;

	to.known = j->command && j->command->git_url.p;
	to.host = to.known ? j->command->git_url : STR("");
	return to;
}
