/* Match a host against the host patterns of rules. */
#include "base/host.h"
#include "policy/match.h"

/* Compare without case; `code` is in lower case. */
static bool
same_name(struct str code, struct str name)
{
	if (code.n != name.n)
		return false;
	for (size_t i = 0; i < name.n; i++)
		if (byte_lower(name.p[i]) != code.p[i])
			return false;
	return true;
}

/* The name as patterns spell it: no brackets, no final dot.  False: no valid host. */
static bool
split(struct str text, struct host_port *ret)
{
	/* An IPv6 address may come without brackets, and then without a port. */
	if (str_find(text, ':') != str_rfind(text, ':') && text.p[0] != '[') {
		*ret = (struct host_port){ .name = text };
		return true;
	}
	if (!host_split(text, ret))
		return false;
	if (host_is_bracketed(ret->name))
		ret->name = str_cut(ret->name, 1, ret->name.n - 1);
	else
		ret->name = host_without_dot(ret->name);
	return true;
}

/* True if a resolver might read it as an address: digits, a to f, x, dots, colons. */
static bool
is_numeric(struct str s)
{
	bool digit = false;

	for (size_t i = 0; i < s.n; i++) {
		char c = byte_lower(s.p[i]);

		digit |= byte_is_digit(c);
		if (!byte_is_digit(c) && c != '.' && c != ':' && c != 'x' &&
		    !(c >= 'a' && c <= 'f'))
			return false;
	}
	return digit || str_find(s, ':') < s.n;
}

/* Four decimal numbers without leading zeros: the one canonical spelling. */
static bool
is_quad(struct str s)
{
	size_t parts = 0, from = 0;

	while (from <= s.n) {
		struct str part = str_skip(s, from);
		uint64_t n;

		part.n = str_find(part, '.');
		if (!str_number(part, 255, &n) || (part.n > 1 && part.p[0] == '0'))
			return false;
		parts++;
		from += part.n + 1;
	}
	return parts == 4;
}

static enum match
name_matches(const struct alternative *x, struct str name)
{
	struct str tail = str_skip(x->code, 1);

	if (!x->glob) {
		if (same_name(x->code, name))
			return MATCH_CERTAIN;
		/* Two spellings may be one address, e.g. 127.1 and 127.0.0.1. */
		return is_numeric(x->code) && is_numeric(name) &&
			       !(is_quad(x->code) && is_quad(name))
			   ? MATCH_POSSIBLE
			   : MATCH_NO;
	}
	if (tail.n == 0)
		return MATCH_CERTAIN;
	return name.n > tail.n && same_name(tail, str_skip(name, name.n - tail.n))
		   ? MATCH_CERTAIN
		   : MATCH_NO;
}

static enum match
alternative_host(const struct alternative *x, struct host_port h)
{
	enum match name = name_matches(x, h.name);

	if (x->port == 0 || x->port == h.port)
		return name;
	return h.port == 0 && name ? MATCH_POSSIBLE : MATCH_NO;
}

enum match
pattern_host(const struct policy *p, const struct pattern *x, struct str host, bool known)
{
	struct host_port h;
	enum match best = MATCH_NO;

	known = known && split(host, &h);
	for (uint32_t i = 0; i < x->n && best != MATCH_CERTAIN; i++) {
		struct alternative alt = image_alternative(p, x->first + i);
		bool all = alt.glob && alt.code.n == 1 && alt.port == 0;
		enum match one = known ? alternative_host(&alt, h) : MATCH_POSSIBLE;

		if (all)
			one = MATCH_CERTAIN;
		best = one > best ? one : best;
	}
	return best;
}
