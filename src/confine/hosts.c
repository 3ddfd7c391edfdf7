#include "confine/hosts.h"
#include "base/err.h"
#include "base/host.h"
#include "decide/decide.h"

static bool
read_rule(struct arena *a, struct str text, struct host_rule *ret)
{
	struct host_port h;
	struct str name;

	if (!host_split(sandbox_host_normal(a, text), &h))
		return false;
	*ret = (struct host_rule){ .name = h.name, .port = h.port };
	name = h.name;
	if (name.p[0] == '[') {
		ret->literal = address_read(str_cut(name, 1, name.n - 1), &ret->address);
		return ret->literal;
	}
	ret->literal = address_read(name, &ret->address);
	return ret->literal || !address_is_like(name);
}

int
hosts_read(struct arena *a, const struct str *v, size_t n, const struct host_rule **ret,
    struct str *ret_bad)
{
	struct host_rule *rules = arena_array(a, n + 1, sizeof *rules);

	if (!rules)
		return CORDON_ENOMEM;
	for (size_t i = 0; i < n; i++)
		if (!read_rule(a, v[i], &rules[i])) {
			*ret_bad = v[i];
			return CORDON_EINVAL;
		}
	*ret = rules;
	return 0;
}

size_t
hosts_name(struct str text, char *buf)
{
	text = host_without_dot(text);
	if (!host_is_name(text) || address_is_like(text))
		return 0;
	for (size_t i = 0; i < text.n; i++)
		buf[i] = byte_lower(text.p[i]);
	return text.n;
}

static bool
names(const struct host_rule *r, struct str name)
{
	return !r->literal && sandbox_host_within(r->name, name);
}

/* ---- rules */

static bool
denies_one(
    const struct host_list *l, struct str name, const struct address *a, uint16_t port)
{
	char memory[1024];
	struct arena buf;
	struct buf b;

	arena_init(&buf, memory, sizeof memory);
	buf_init(&b, &buf);
	if (a)
		address_put(&b, a);
	else
		buf_put(&b, name);
	if (port) {
		buf_putc(&b, ':');
		buf_putu(&b, port);
	}
	return b.full || l->denied(l->context, buf_str(&b));
}

/* An address is denied together with the one that it leads to. */
static bool
denies(const struct host_list *l, struct str name, const struct address *a, uint16_t port)
{
	struct address inner;

	if (!l->denied)
		return false;
	return denies_one(l, name, a, port) ||
	       (a && address_inner(a, &inner) && denies_one(l, name, &inner, port));
}

/* ---- the list */

static bool
any_name(const struct host_rule *r, size_t n, struct str name, uint16_t port)
{
	for (size_t i = 0; i < n; i++)
		if ((r[i].port == 0 || r[i].port == port) && names(&r[i], name))
			return true;
	return false;
}

static bool
any_address(const struct host_rule *r, size_t n, const struct address *a, uint16_t port)
{
	for (size_t i = 0; i < n; i++)
		if ((r[i].port == 0 || port == 0 || r[i].port == port) && r[i].literal &&
		    address_same(&r[i].address, a))
			return true;
	return false;
}

static bool
any_all(const struct host_rule *r, size_t n, uint16_t port)
{
	for (size_t i = 0; i < n; i++)
		if ((r[i].port == 0 || r[i].port == port) && str_is(r[i].name, "*"))
			return true;
	return false;
}

bool
hosts_know(const struct host_list *l, struct str name)
{
	/* Denying one port leaves the others. */
	if (denies(l, name, NULL, 0))
		return false;
	for (size_t i = 0; i < l->allow_n; i++)
		if (names(&l->allow[i], name))
			return true;
	return false;
}

bool
hosts_allow_name(const struct host_list *l, struct str name, uint16_t port)
{
	return any_name(l->allow, l->allow_n, name, port) && !denies(l, name, NULL, port);
}

bool
hosts_lists(const struct host_list *l, const struct address *a, uint16_t port)
{
	return any_address(l->allow, l->allow_n, a, port);
}

bool
hosts_allow_address(const struct host_list *l, const struct address *a, uint16_t port)
{
	enum address_kind kind = address_kind(a);

	if (kind == ADDRESS_NEVER || denies(l, STR(""), a, port))
		return false;
	return hosts_lists(l, a, port) ||
	       (kind == ADDRESS_PUBLIC && any_all(l->allow, l->allow_n, port));
}

bool
hosts_may_lead(const struct host_list *l, const struct address *a, uint16_t port)
{
	enum address_kind kind = address_kind(a);

	if (kind == ADDRESS_NEVER || denies(l, STR(""), a, port))
		return false;
	return kind == ADDRESS_PUBLIC || hosts_lists(l, a, port);
}
