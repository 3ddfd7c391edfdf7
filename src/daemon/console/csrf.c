/*
 * Protect against forged requests.  Another page in the same browser cannot read our token,
 * and its requests carry its own Origin.  A name that was rebound to 127.0.0.1 shows in
 * Host.  Another user of the machine reaches the port but has no token.
 */
#include "daemon/console/server.h"

static bool
is_own(const struct serve_opts *o, struct str value, const char *before)
{
	static const char hosts[][10] = { "127.0.0.1", "localhost" };
	char mem[64];
	struct arena a;

	for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
		struct buf b;

		arena_init(&a, mem, sizeof mem);
		buf_init(&b, &a);
		buf_puts(&b, before);
		buf_puts(&b, hosts[i]);
		buf_putc(&b, ':');
		buf_putu(&b, o->port);
		if (!b.full && str_eq(buf_str(&b), value))
			return true;
	}
	return false;
}

const char *
csrf_check(
    const struct serve_opts *o, const struct web_request *q, bool needs_token, int *status)
{
	*status = 403;
	if (!q->host.p || !is_own(o, q->host, ""))
		return "wrong host name for the console";
	if (q->origin.p && !is_own(o, q->origin, "http://"))
		return "requests from other pages are refused";
	/* The page itself holds no data and may be opened from anywhere. */
	if (!needs_token && q->method == HTTP_GET)
		return NULL;
	if (q->fetch_site.p && !str_is(q->fetch_site, "same-origin"))
		return "requests from other pages are refused";
	if (q->method == HTTP_POST && !q->origin.p)
		return "a change needs an Origin header";
	*status = 401;
	if (!q->token.p || !http_same(q->token, str_of(o->token, sizeof o->token)))
		return "the token is missing or wrong; open the console again";
	return NULL;
}
