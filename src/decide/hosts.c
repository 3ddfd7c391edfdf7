/* Hosts: find the host in an address, and collect the hosts that a command needs, for the
 * allow rule that the hint offers. */
#include "base/host.h"
#include "base/quote.h"
#include "decide/judge.h"

/* The part of a URL with user, host and port; without a scheme it starts at once. */
static struct str
authority(struct str address)
{
	size_t at = 0, end = 0;

	for (size_t i = 0; i + 2 < address.n; i++)
		if (address.p[i] == ':' && address.p[i + 1] == '/' &&
		    address.p[i + 2] == '/') {
			at = i + 3;
			break;
		}
	address = str_skip(address, at);
	while (end < address.n && !strchr("/?#", address.p[end]))
		end++;
	return str_cut(address, 0, end);
}

struct str
host_of_url(struct str address)
{
	struct str host = authority(address);
	size_t at = str_rfind(host, '@'), end;

	/* Browsers read http://x\@y/ as host x, curl as host y. */
	if (str_find(host, '\\') < host.n)
		return STR("");
	host = str_skip(host, at < host.n ? at + 1 : 0);
	end = str_find(host, ']');
	if (end < host.n && host.p[0] == '[') {
		host = str_cut(host, 0, end + 1);
		return host_is_bracketed(host) ? host : STR("");
	}
	host = str_cut(host, 0, str_find(host, ':'));
	/* Programs differ in how they read %65, {a,b} and letters of other scripts. */
	return host_is_name(host_without_dot(host)) ? host : STR("");
}

struct str
command_host(const struct command *c, const struct net_effect *n)
{
	struct str address = n->host;

	if (!n->known)
		return STR("");
	if (str_is(n->by, "git") && c && c->git_elsewhere)
		return STR("");
	/* git fetch origin: the repository's configuration maps this name to a URL. */
	if (str_is(n->by, "git") && str_find(address, ':') == address.n &&
	    str_find(address, '/') == address.n)
		address = c && c->git_url.p ? c->git_url : STR("");
	return host_of_url(address);
}

void
judge_add_host(struct deciding *d, struct text_list **list, struct str host)
{
	struct text_list *h;

	if (!host_is_name(host_without_dot(str_skip(host, str_starts(host, STR("@"))))))
		return;
	for (h = *list; h; h = h->next)
		if (str_eq(h->text, host))
			return;
	h = arena_zalloc(d->a, sizeof *h);
	if (!h) {
		d->full = true;
		return;
	}
	*h = (struct text_list){ host, *list };
	*list = h;
}

void
decide_put_host(struct buf *b, struct str host)
{
	if (str_starts(host, STR("@"))) /* a named set comes from know/, not the command */
		buf_put(b, host);
	else if (str_find(host, '.') < host.n) /* no keyword has a dot */
		(void)quote_put(b, QUOTE_RULE, host, NULL);
	else
		(void)quote_put_always(b, QUOTE_RULE, host, NULL);
}
