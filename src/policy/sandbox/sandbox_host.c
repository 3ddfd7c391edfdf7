/* Hosts of a policy: example.org, *.example.org, 10.0.0.1, [::1], *; each with :port or
 * not. */
#include "policy/sandbox/sandbox.h"

struct host {
	struct str name; /* without its star */
	struct str port; /* empty: any */
	bool below; /* *.name: what lies below it, not itself; with an empty name: all */
};

static bool
is_address6(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		char c = byte_lower(s.p[i]);

		if (!byte_is_digit(c) && c != ':' && c != '.' && !(c >= 'a' && c <= 'f'))
			return false;
	}
	return s.n > 1;
}

/* Labels of letters, digits, - and _, none of them empty. */
static bool
is_name(struct str s)
{
	bool dot = true;

	for (size_t i = 0; i < s.n; i++) {
		char c = byte_lower(s.p[i]);

		if (c == '.' ? dot
			     : !byte_is_digit(c) && !(c >= 'a' && c <= 'z') && c != '-' &&
				   c != '_')
			return false;
		dot = c == '.';
	}
	return s.n > 0 && s.n <= 253 && !dot;
}

static bool
split_port(struct str *rest, struct str *ret)
{
	size_t colon = str_rfind(*rest, ':');
	uint16_t port;

	*ret = STR("");
	if (colon == rest->n || rest->p[rest->n - 1] == ']')
		return true;
	*ret = str_skip(*rest, colon + 1);
	rest->n = colon;
	return str_port(*ret, &port);
}

static bool
host_read(struct str s, struct host *ret)
{
	struct host h = { .name = s };

	if (s.n == 0 || !split_port(&h.name, &h.port) || h.name.n == 0)
		return false;
	*ret = h;
	if (h.name.p[0] == '[')
		return h.name.n > 3 && h.name.p[h.name.n - 1] == ']' &&
		       is_address6(str_cut(h.name, 1, h.name.n - 1));
	if (str_is(h.name, "*")) {
		ret->below = true;
		ret->name = STR("");
		return true;
	}
	if (h.name.p[h.name.n - 1] == '.')
		ret->name.n--;
	if (str_starts(ret->name, STR("*."))) {
		ret->below = true;
		ret->name = str_skip(ret->name, 2);
	}
	return is_name(ret->name);
}

static struct str
host_text(struct arena *a, const struct host *h)
{
	struct buf b;

	buf_init(&b, a);
	buf_puts(&b, !h->below ? "" : h->name.n ? "*." : "*");
	for (size_t i = 0; i < h->name.n; i++)
		buf_putc(&b, byte_lower(h->name.p[i]));
	if (h->port.n) {
		buf_putc(&b, ':');
		buf_put(&b, h->port);
	}
	return b.full ? (struct str){ NULL, 0 } : buf_str(&b);
}

struct str
sandbox_host_normal(struct arena *a, struct str host)
{
	struct host h;

	return host_read(host, &h) ? host_text(a, &h) : (struct str){ NULL, 0 };
}

static bool
is_below(struct str name, struct str host)
{
	return name.n == 0 || (host.n > name.n + 1 && str_ends(host, name) &&
				  host.p[host.n - name.n - 1] == '.' && host.p[0] != '[');
}

static bool
name_within(const struct host *outer, const struct host *inner)
{
	if (!outer->below)
		return !inner->below && str_eq(outer->name, inner->name);
	if (inner->below && str_eq(outer->name, inner->name))
		return true;
	if (inner->below && inner->name.n == 0)
		return false;
	return is_below(outer->name, inner->name);
}

static bool
port_within(const struct host *outer, const struct host *inner)
{
	return outer->port.n == 0 || str_eq(outer->port, inner->port);
}

/* Both must be in their one spelling; what is no host lies only inside itself. */
bool
sandbox_host_within(struct str outer, struct str inner)
{
	struct host o, i;

	if (!host_read(outer, &o) || !host_read(inner, &i))
		return str_eq(outer, inner);
	return name_within(&o, &i) && port_within(&o, &i);
}

struct str
sandbox_host_meet(struct arena *a, struct str x, struct str y)
{
	struct host hx, hy, both;

	if (!host_read(x, &hx) || !host_read(y, &hy))
		return str_eq(x, y) ? x : STR("");
	both = name_within(&hx, &hy) ? hy : hx;
	if (!name_within(&hx, &hy) && !name_within(&hy, &hx))
		return STR("");
	if (!port_within(&hx, &hy) && !port_within(&hy, &hx))
		return STR("");
	both.port = hx.port.n ? hx.port : hy.port;
	return host_text(a, &both);
}
