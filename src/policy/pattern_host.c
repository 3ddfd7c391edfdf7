/* Hosts, and named sets of them. */
#include "policy/read.h"

#define EXPECTED                                                                           \
	"expected a host such as example.org, *.example.org, 10.0.0.1, [::1] or "          \
	"host:443, or *"

static bool
is_letter(char c)
{
	return (c | 32) >= 'a' && (c | 32) <= 'z';
}

/* Cuts :N off the end. */
static bool
take_port(struct str *host, uint32_t *ret)
{
	size_t colon = str_rfind(*host, ':');
	uint64_t port;

	*ret = 0;
	if (colon == host->n || (host->n && host->p[host->n - 1] == ']'))
		return true;
	if (host->n - colon > 6 || !str_number(str_skip(*host, colon + 1), 65535, &port))
		return false;
	*ret = (uint32_t)port;
	host->n = colon;
	return port > 0;
}

static bool
is_address6(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!byte_is_digit(s.p[i]) && s.p[i] != ':' && s.p[i] != '.' &&
		    !((s.p[i] | 32) >= 'a' && (s.p[i] | 32) <= 'f'))
			return false;
	return s.n > 1 && str_find(s, ':') < s.n;
}

/* Labels of letters, digits, - and _, none of them empty. */
static bool
is_host_name(struct str s)
{
	bool dot = true;

	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (c == '.' ? dot
			     : !byte_is_digit(c) && !is_letter(c) && c != '-' && c != '_')
			return false;
		dot = c == '.';
	}
	return s.n > 0 && s.n <= 253 && !dot;
}

static bool
lower(struct arena *a, struct str *s)
{
	char *copy;
	size_t i = 0;

	while (i < s->n && !(s->p[i] >= 'A' && s->p[i] <= 'Z'))
		i++;
	if (i == s->n)
		return true;
	copy = arena_alloc(a, s->n);
	for (i = 0; copy && i < s->n; i++)
		copy[i] = (char)(s->p[i] >= 'A' && s->p[i] <= 'Z' ? s->p[i] | 32 : s->p[i]);
	s->p = copy;
	return copy != NULL;
}

static bool
is_host(struct str *host)
{
	struct str name = *host;

	if (name.n > 2 && name.p[0] == '[' && name.p[name.n - 1] == ']') {
		*host = str_cut(name, 1, name.n - 1);
		return is_address6(*host);
	}
	if (name.n > 1 && name.p[name.n - 1] == '.')
		host->n = --name.n;
	if (name.n > 0 && name.p[0] == CODE_STAR) {
		if (name.n == 1)
			return true;
		return name.n > 2 && name.p[1] == '.' && is_host_name(str_skip(name, 2));
	}
	return is_host_name(name);
}

int
read_host(
    struct reading *r, const struct token *t, struct str code, struct alternative *alt)
{
	*alt = (struct alternative){ .code = code };
	if (code.n > 1 && code.p[0] == CODE_AT) {
		alt->set = true;
		alt->code = str_skip(code, 1);
		if (!is_host_name(alt->code))
			return read_fail(
			    r, t, "expected the name of a set of hosts, @name", NULL);
		return 0;
	}
	if (!take_port(&alt->code, &alt->port) || !is_host(&alt->code))
		return read_fail(r, t, EXPECTED, NULL);
	if (!lower(r->d->a, &alt->code))
		return read_no_room(r);
	alt->glob = alt->code.p[0] == CODE_STAR;
	return 0;
}

/* ---- sets */

/*
 * The highest layer that defines a set is heard; an untrusted project's own are
 * for its own lines alone.
 */
static bool
set_counts(const struct draft_setting *s, struct str name, const struct draft_origin *user)
{
	return s->id == SET_SET && str_eq(s->name, name) &&
	       (!s->origin.untrusted || user->untrusted);
}

static int
set_layer(const struct draft *d, struct str name, const struct draft_origin *user)
{
	int best = -1;

	for (const struct draft_setting *s = d->settings; s; s = s->next)
		if (set_counts(s, name, user) && (int)s->origin.layer > best)
			best = (int)s->origin.layer;
	return best;
}

static int
put_copy(struct draft *d, struct draft_pattern *x, const struct alternative *from,
    struct alternative ***end)
{
	struct alternative *alt = ARENA_NEW(d->a, struct alternative);

	if (!alt)
		return CORDON_ENOMEM;
	if (++x->n > DRAFT_ALTERNATIVES)
		return CORDON_ELIMIT;
	*alt = *from;
	alt->next = NULL;
	**end = alt;
	*end = &alt->next;
	return 0;
}

/* Every host of a set behind *end. */
static int
put_set(struct draft *d, struct draft_pattern *x, struct str name,
    const struct draft_origin *user, struct alternative ***end)
{
	int layer = set_layer(d, name, user), r = 0;

	if (layer < 0)
		return CORDON_EINVAL;
	for (const struct draft_setting *s = d->settings; s; s = s->next) {
		if (!set_counts(s, name, user) || (int)s->origin.layer != layer)
			continue;
		for (const struct draft_pattern *h = s->items.first; h; h = h->next)
			for (const struct alternative *alt = h->first; alt && !r;
			     alt = alt->next)
				r = put_copy(d, x, alt, end);
	}
	return r;
}

static int
resolve_pattern(struct draft *d, struct draft_pattern *x, const struct draft_origin *user)
{
	const struct alternative *old = x->first;
	struct alternative **end = &x->first;
	bool any = false;
	int r = 0;

	for (const struct alternative *alt = old; alt; alt = alt->next)
		any |= alt->set;
	if (!any)
		return 0;
	x->n = 0;
	for (; old && !r; old = old->next)
		r = old->set ? put_set(d, x, old->code, user, &end)
			     : put_copy(d, x, old, &end);
	return r;
}

static int
resolve_list(struct draft *d, const struct draft_list *list,
    const struct draft_origin *user, struct str *ret_word)
{
	int r = 0;

	for (struct draft_pattern *x = list->first; x && !r; x = x->next) {
		r = x->kind == PATTERN_HOST ? resolve_pattern(d, x, user) : 0;
		if (r)
			*ret_word = x->text;
	}
	return r;
}

int
draft_resolve_sets(struct draft *d, struct str *ret_word)
{
	int r = 0;

	for (const struct draft_setting *s = d->settings; s && !r; s = s->next)
		if (s->id == SET_NETWORK)
			r = resolve_list(d, &s->items, &s->origin, ret_word);
	for (const struct draft_rule *x = d->rules; x && !r; x = x->next) {
		r = resolve_list(d, &x->lists[RULE_OBJECTS], &x->origin, ret_word);
		if (!r)
			r = resolve_list(
			    d, &x->lists[RULE_GRANT_NET], &x->origin, ret_word);
	}
	return r;
}
