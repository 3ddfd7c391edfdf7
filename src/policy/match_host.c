/* Hosts against patterns. */
#include "policy/match.h"

struct host {
	struct str name;
	uint32_t port; /* 0: not said */
};

/* `code` is in lower case already. */
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

static bool
take_port(struct str s, uint32_t *ret)
{
	uint64_t n = 0;
	bool done = str_number(s, 655359, &n);

	*ret = (uint32_t)n;
	return done;
}

/* [::1]:443, ::1, host:443, host. */
static struct host
split(struct str text)
{
	struct host h = { text, 0 };
	size_t colon = str_find(text, ':');
	size_t close = text.n && text.p[0] == '[' ? str_find(text, ']') : text.n;

	if (close < text.n) {
		h.name = str_cut(text, 1, close);
		text = str_skip(text, close + 1);
		if (text.n > 1 && text.p[0] == ':')
			take_port(str_skip(text, 1), &h.port);
		return h;
	}
	if (colon < text.n && colon == str_rfind(text, ':') &&
	    take_port(str_skip(text, colon + 1), &h.port))
		h.name.n = colon;
	if (h.name.n > 1 && h.name.p[h.name.n - 1] == '.')
		h.name.n--;
	return h;
}

/* Could be read as an address: digits, letters of hexadecimal and x, dots, colons. */
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

/* Four numbers without leading zeros: there is one way to write it. */
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
		/* Two ways to write one address are not told apart here. */
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
alternative_host(const struct alternative *x, struct host h)
{
	enum match name = name_matches(x, h.name);

	if (x->port == 0 || x->port == h.port)
		return name;
	return h.port == 0 && name ? MATCH_POSSIBLE : MATCH_NO;
}

enum match
pattern_host(const struct policy *p, const struct pattern *x, struct str host, bool known)
{
	struct host h = split(host);
	enum match best = MATCH_NO;

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
