/* Hosts: which one an address means, and those that a command needs, for the rule that is
 * offered: this host, this project. */
#include "base/quote.h"
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

/* Between brackets: [::1], not [a-z]. */
static bool
is_address6(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!(s.p[i] >= '0' && s.p[i] <= ':') && s.p[i] != '.' &&
		    !((s.p[i] | 32) >= 'a' && (s.p[i] | 32) <= 'f'))
			return false;
	return str_find(s, ':') < s.n;
}

/* The part with user, host and port; from its beginning on where there is no scheme. */
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
host_of(struct str address)
{
	struct str host = authority(address);
	size_t at = str_rfind(host, '@'), end;

	/* http://x\@y/ is x for browsers and y for curl. */
	if (str_find(host, '\\') < host.n)
		return STR("");
	host = str_skip(host, at < host.n ? at + 1 : 0);
	end = str_find(host, ']');
	if (end < host.n && host.p[0] == '[')
		return is_address6(str_cut(host, 1, end)) ? str_cut(host, 0, end + 1)
							  : STR("");
	host = str_cut(host, 0, str_find(host, ':'));
	/* %65, {a,b}, letters of other scripts: what a program makes of them is its own. */
	return is_host(host) ? host : STR("");
}

struct str
net_host(const struct command *c, const struct net_effect *n)
{
	struct str address = n->host;

	if (!n->known)
		return STR("");
	if (str_is(n->by, "git") && c && c->git_elsewhere)
		return STR("");
	/* git fetch origin: a name that the repository's configuration has an address for.
	 */
	if (str_is(n->by, "git") && str_find(address, ':') == address.n &&
	    str_find(address, '/') == address.n)
		address = c && c->git_url.p ? c->git_url : STR("");
	return host_of(address);
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

void
decide_put_host(struct buf *b, struct str host)
{
	if (str_starts(host, STR("@"))) /* a set is none of the command's words */
		buf_put(b, host);
	else if (str_find(host, '.') < host.n) /* no word of the language has one */
		(void)quote_put(b, QUOTE_RULE, host, NULL);
	else
		(void)quote_put_always(b, QUOTE_RULE, host, NULL);
}
