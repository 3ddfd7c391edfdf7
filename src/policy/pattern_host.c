/* Read the hosts of rules, and expand named sets of hosts. */
#include "base/host.h"
#include "policy/read.h"

#define EXPECTED                                                                           \
	"expected a host such as example.org, *.example.org, 10.0.0.1, [::1] or "          \
	"host:443, or *"

static bool
lower(struct arena *a, struct str *s)
{
	char *copy;
	size_t i = 0;

	while (i < s->n && byte_lower(s->p[i]) == s->p[i])
		i++;
	if (i == s->n)
		return true;
	copy = arena_alloc(a, s->n);
	for (i = 0; copy && i < s->n; i++)
		copy[i] = byte_lower(s->p[i]);
	s->p = copy;
	return copy != NULL;
}

/* Check the name and reduce it to how it is matched: no brackets, no final dot. */
static bool
is_host(struct str *host)
{
	struct str name;

	if (host_is_bracketed(*host)) {
		*host = str_cut(*host, 1, host->n - 1);
		return true;
	}
	*host = name = host_without_dot(*host);
	if (name.n > 0 && name.p[0] == CODE_STAR) {
		if (name.n == 1)
			return true;
		return name.n > 2 && name.p[1] == '.' && host_is_name(str_skip(name, 2));
	}
	return host_is_name(name);
}

int
read_host(
    struct rule_reader *r, const struct token *t, struct str code, struct alternative *alt)
{
	struct host_port h;

	*alt = (struct alternative){ .code = code };
	if (code.n > 1 && code.p[0] == CODE_AT) {
		alt->set = true;
		alt->code = str_skip(code, 1);
		if (!host_is_name(alt->code))
			return read_fail(
			    r, t, "expected the name of a set of hosts, @name", NULL);
		return 0;
	}
	if (!host_split(code, &h) || !is_host(&h.name))
		return read_fail(r, t, EXPECTED, NULL);
	alt->code = h.name;
	alt->port = h.port;
	if (!lower(r->d->a, &alt->code))
		return read_no_memory(r);
	alt->glob = alt->code.p[0] == CODE_STAR;
	return 0;
}

/* ---- sets */

/* The highest layer that defines a set wins.  Sets of an untrusted project apply only to
 * its own lines. */
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

/* Append every host of a set at *end. */
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
