/* Hosts of a sandbox policy: example.org, *.example.org, 10.0.0.1, [::1] or *, each with
 * or without :port. */
#include "base/host.h"
#include "policy/sandbox/sandbox.h"

struct sandbox_host {
	struct str name; /* without "*."; empty: any host */
	uint16_t port;   /* 0: any */
	bool below;      /* the subdomains of `name`, not `name` itself */
};

static bool
host_read(struct str text, struct sandbox_host *ret)
{
	struct host_port h;

	if (!host_split(text, &h))
		return false;
	*ret = (struct sandbox_host){ .name = host_without_dot(h.name), .port = h.port };
	if (str_is(h.name, "*")) {
		ret->below = true;
		ret->name = STR("");
		return true;
	}
	if (str_starts(ret->name, STR("*."))) {
		ret->below = true;
		ret->name = str_skip(ret->name, 2);
		return host_is_name(ret->name);
	}
	return host_is_bracketed(ret->name) || host_is_name(ret->name);
}

static struct str
host_text(struct arena *a, const struct sandbox_host *h)
{
	struct buf b;

	buf_init(&b, a);
	buf_puts(&b, !h->below ? "" : h->name.n ? "*." : "*");
	for (size_t i = 0; i < h->name.n; i++)
		buf_putc(&b, byte_lower(h->name.p[i]));
	if (h->port) {
		buf_putc(&b, ':');
		buf_putu(&b, h->port);
	}
	return b.full ? (struct str){ NULL, 0 } : buf_str(&b);
}

struct str
sandbox_host_normal(struct arena *a, struct str host)
{
	struct sandbox_host h;

	return host_read(host, &h) ? host_text(a, &h) : (struct str){ NULL, 0 };
}

static bool
is_below(struct str name, struct str host)
{
	return name.n == 0 || (host.n > name.n + 1 && str_ends(host, name) &&
				  host.p[host.n - name.n - 1] == '.' && host.p[0] != '[');
}

static bool
name_within(const struct sandbox_host *outer, const struct sandbox_host *inner)
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
port_within(const struct sandbox_host *outer, const struct sandbox_host *inner)
{
	return outer->port == 0 || outer->port == inner->port;
}

/* Both are normal (sandbox_host_normal()).  Text that is no host contains only itself. */
bool
sandbox_host_within(struct str outer, struct str inner)
{
	struct sandbox_host o, i;

	if (!host_read(outer, &o) || !host_read(inner, &i))
		return str_eq(outer, inner);
	return name_within(&o, &i) && port_within(&o, &i);
}

struct str
sandbox_host_meet(struct arena *a, struct str x, struct str y)
{
	struct sandbox_host hx, hy, both;

	if (!host_read(x, &hx) || !host_read(y, &hy))
		return str_eq(x, y) ? x : STR("");
	both = name_within(&hx, &hy) ? hy : hx;
	if (!name_within(&hx, &hy) && !name_within(&hy, &hx))
		return STR("");
	if (!port_within(&hx, &hy) && !port_within(&hy, &hx))
		return STR("");
	both.port = hx.port ? hx.port : hy.port;
	return host_text(a, &both);
}
