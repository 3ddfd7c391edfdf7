/* Merge the layers: decide which line is effective. */
#include "policy/draft.h"

/* ---- values: the highest layer that sets one */

static bool
is_locked(unsigned locks, const struct draft_setting *s)
{
	enum setting id = s->id == SET_UNPROTECT ? SET_PROTECT : s->id;

	return (locks >> id & 1) && s->origin.layer != LAYER_ADMIN &&
	       s->origin.layer != LAYER_BUILTIN;
}

static int
apply_locks(struct draft *d)
{
	unsigned locks = 0;
	int r = 0;

	for (const struct draft_setting *s = d->settings; s; s = s->next)
		locks |= s->id == SET_LOCK ? s->value : 0;
	for (struct draft_setting *s = d->settings; s && locks && !r; s = s->next) {
		if (!is_locked(locks, s))
			continue;
		s->left_out = true;
		r = draft_leave_out(d, s->text, INERT_LOCKED, &s->origin);
	}
	return r;
}

/* Within one layer the stricter line wins.  An untrusted project only tightens. */
static bool
overrules(const struct merged *m, const struct draft_setting *s)
{
	const struct draft_setting *by = m->by[s->id];

	if (s->value < m->value[s->id])
		return !by || s->origin.layer >= by->origin.layer;
	return !s->origin.untrusted && (!by || s->origin.layer > by->origin.layer);
}

static int
merge_values(struct draft *d, struct merged *m)
{
	int r = 0;

	for (int i = 0; i < SET_VALUES; i++)
		m->value[i] = setting_default((enum setting)i);
	for (struct draft_setting *s = d->settings; s && !r; s = s->next) {
		if (s->id >= SET_VALUES || s->left_out)
			continue;
		if (s->origin.untrusted && s->value > m->value[s->id]) {
			s->left_out = true;
			r = draft_leave_out(d, s->text, INERT_UNTRUSTED, &s->origin);
		} else if (overrules(m, s)) {
			m->value[s->id] = s->value;
			m->by[s->id] = s;
		}
	}
	return r;
}

/* ---- bits */

/* For each layer, first remove bits, then add bits.  So within a layer adding wins, and a
 * lower layer cannot remove what a higher one added. */
static void
merge_protect(const struct draft *d, struct merged *m)
{
	for (int layer = 0; layer < LAYERS; layer++) {
		unsigned add = 0, remove = 0;

		for (const struct draft_setting *s = d->settings; s; s = s->next) {
			if ((int)s->origin.layer != layer || s->left_out ||
			    (s->id != SET_PROTECT && s->id != SET_UNPROTECT))
				continue;
			if (s->id == SET_PROTECT)
				add |= s->value;
			else
				remove |= s->value;
			m->by[SET_PROTECT] = s;
		}
		m->protect = (m->protect & ~remove) | add;
	}
}

static int
merge_forbidden(struct draft *d, struct merged *m)
{
	const struct draft_setting *by = m->by[SET_MODE];
	unsigned wanted = m->value[SET_MODE];

	for (const struct draft_setting *s = d->settings; s; s = s->next) {
		if (s->id == SET_FORBID) {
			m->forbidden |= s->value;
			m->by[SET_FORBID] = s;
		}
	}
	while (m->value[SET_MODE] > MODE_ASK_EVERY_TIME &&
	       m->forbidden >> m->value[SET_MODE] & 1)
		m->value[SET_MODE]--;
	if (m->value[SET_MODE] == wanted || !by)
		return 0;
	m->by[SET_MODE] = m->by[SET_FORBID];
	return draft_leave_out(d, by->text, INERT_FORBIDDEN, &by->origin);
}

/* ---- lists: layers add entries, the administrator bounds them */

static const struct {
	enum setting id;
	enum policy_list list;
} list_of[] = {
	{ SET_WRITABLE, LIST_WRITABLE },
	{ SET_READABLE, LIST_READABLE },
	{ SET_IGNORE, LIST_IGNORE },
	{ SET_ROOT, LIST_ROOT },
	{ SET_NETWORK, LIST_NET },
	{ SET_COMPOSITE, LIST_COMPOSITE },
	{ SET_SAFE, LIST_SAFE },
	{ SET_MCP_ALLOW, LIST_MCP_ALLOW },
	{ SET_LOCK, LIST_LOCKED },
	{ SET_HOOK, LIST_BEFORE_HOOK },
	{ SET_DEBUG_DIR, LIST_DEBUG_DIR },
};

static bool
is_bounding(const struct draft_setting *s, enum setting id)
{
	return s->id == id && s->origin.layer == LAYER_ADMIN;
}

/* The administrator's `network on` is no bound. */
static const struct draft_setting *
find_bound(const struct draft *d, enum setting id)
{
	for (const struct draft_setting *s = d->settings; s; s = s->next)
		if (is_bounding(s, id) && !(id == SET_NETWORK && s->value))
			return s;
	return NULL;
}

static bool
within_bound(const struct draft *d, enum setting id, const struct alternative *x)
{
	for (const struct draft_setting *s = d->settings; s; s = s->next) {
		if (!is_bounding(s, id))
			continue;
		for (const struct draft_pattern *p = s->items.first; p; p = p->next)
			for (const struct alternative *b = p->first; b; b = b->next)
				if (alternative_within(x, b))
					return true;
	}
	return false;
}

static int
leave_out_entry(struct draft *d, const struct alternative *x, enum pattern_kind kind,
    const char *word, const struct draft_origin *o)
{
	struct buf b;

	buf_init(&b, d->a);
	buf_puts(&b, word);
	buf_putc(&b, ' ');
	alternative_put(&b, x, kind, true);
	return b.full ? CORDON_ENOMEM : draft_leave_out(d, buf_str(&b), INERT_BOUND, o);
}

static struct str
entry_text(struct draft *d, const struct draft_setting *s, const struct alternative *x,
    enum pattern_kind kind)
{
	struct buf b;

	buf_init(&b, d->a);
	if (s->id == SET_HOOK) {
		buf_putu(&b, s->value);
		buf_putc(&b, ' ');
	}
	alternative_put(&b, x, kind, false);
	return b.full ? (struct str){ 0 } : buf_str(&b);
}

static int
add_entry(struct draft *d, struct merged_entries *list, const struct draft_setting *s,
    const struct draft_pattern *p, const struct alternative *x)
{
	struct merged_entry *e = ARENA_NEW(d->a, struct merged_entry);
	struct draft_pattern *one = ARENA_NEW(d->a, struct draft_pattern);
	struct alternative *alt = ARENA_NEW(d->a, struct alternative);

	if (!e || !one || !alt)
		return CORDON_ENOMEM;
	*alt = *x;
	alt->next = NULL;
	e->text = entry_text(d, s, x, p->kind);
	*one = (struct draft_pattern){
		.text = e->text, .kind = p->kind, .first = alt, .n = 1
	};
	e->x = one;
	e->origin = &s->origin;
	*list->end = e;
	list->end = &e->next;
	list->n++;
	return e->text.p ? 0 : CORDON_ENOMEM;
}

static int
add_setting(
    struct draft *d, struct merged *m, const struct draft_setting *s, enum policy_list to)
{
	bool bounded = s->origin.layer != LAYER_ADMIN &&
		       ((s->id == SET_WRITABLE && m->writable_bounded) ||
			   (s->id == SET_NETWORK && m->hosts_bounded));
	int r = 0;

	if (s->id == SET_HOOK && s->after)
		to = LIST_AFTER_HOOK;
	for (const struct draft_pattern *p = s->items.first; p; p = p->next) {
		for (const struct alternative *x = p->first; x && !r; x = x->next) {
			if (bounded && !within_bound(d, s->id, x))
				r = leave_out_entry(
				    d, x, p->kind, setting_name(s->id), &s->origin);
			else
				r = add_entry(d, &m->lists[to], s, p, x);
		}
	}
	return r;
}

static int
merge_list(struct draft *d, struct merged *m, enum setting id, enum policy_list to)
{
	const struct draft_setting *only = NULL;
	int r = 0;

	if (id == SET_DEBUG_DIR) /* a single value: the highest layer's */
		for (const struct draft_setting *s = d->settings; s; s = s->next)
			only = s->id == id && !s->left_out ? s : only;
	for (const struct draft_setting *s = d->settings; s && !r; s = s->next)
		if (s->id == id && !s->left_out && (!only || s == only))
			r = add_setting(d, m, s, to);
	return r;
}

static int
merge_lists(struct draft *d, struct merged *m)
{
	int r = 0;

	for (size_t i = 0; i < LISTS; i++)
		m->lists[i].end = &m->lists[i].first;
	m->bound_by = find_bound(d, SET_WRITABLE);
	m->writable_bounded = m->bound_by != NULL;
	m->hosts_bounded = find_bound(d, SET_NETWORK) != NULL;
	for (size_t i = 0; i < sizeof list_of / sizeof *list_of && !r; i++)
		r = merge_list(d, m, list_of[i].id, list_of[i].list);
	return r;
}

/* ---- rules */

/* Remove from a rule's grants what the administrator's bound excludes. */
static int
bound_grants(struct draft *d, struct draft_rule *rule, enum rule_list list, enum setting id)
{
	struct draft_pattern **link = &rule->lists[list].first;
	int r = 0;

	for (; *link && !r; link = *link ? &(*link)->next : link) {
		struct alternative **alt = &(*link)->first;

		while (*alt && !r) {
			if (within_bound(d, id, *alt)) {
				alt = &(*alt)->next;
				continue;
			}
			r = leave_out_entry(d, *alt, (*link)->kind,
			    list == RULE_GRANT_NET ? "net" : "writable", &rule->origin);
			*alt = (*alt)->next;
			(*link)->n--;
		}
	}
	return r;
}

/* Drop patterns that the bounds left without alternatives. */
static void
drop_empty(struct draft_list *list)
{
	struct draft_pattern **link = &list->first;

	list->n = 0;
	list->last = NULL;
	while (*link) {
		if ((*link)->n == 0) {
			*link = (*link)->next;
			continue;
		}
		list->last = *link;
		list->n++;
		link = &(*link)->next;
	}
}

static bool
is_star(const struct draft_pattern *x)
{
	return x->n == 1 && x->first->code.n == 1 && x->first->code.p[0] == CODE_STAR;
}

/* True for a plain `deny *`, which disables the shell. */
static bool
is_deny_all(const struct draft_rule *rule)
{
	const struct draft_list *l = rule->lists;

	if (rule->verdict != VERDICT_DENY || rule->effect != RULE_COMMAND)
		return false;
	if (rule->when || rule->until || rule->exact || l[RULE_WITH].n ||
	    l[RULE_WITHOUT].n || l[RULE_ON].n || l[RULE_IN].n)
		return false;
	return l[RULE_WORDS].n == 1 && is_star(l[RULE_WORDS].first);
}

/* True if the administrator made the sandbox read-only: lower layers cannot widen it. */
static bool
is_readonly_by_admin(const struct draft *d)
{
	for (const struct draft_setting *s = d->settings; s; s = s->next)
		if (s->id == SET_SANDBOX && s->origin.layer == LAYER_ADMIN &&
		    sandbox_of_rank[s->value] == SANDBOX_WORKSPACE_READONLY)
			return true;
	return false;
}

static int
merge_rules(struct draft *d, struct merged *m)
{
	bool readonly = is_readonly_by_admin(d);
	int r = 0;

	for (struct draft_rule *x = d->rules; x && !r; x = x->next) {
		m->shell_disabled |= is_deny_all(x);
		if (x->origin.layer == LAYER_ADMIN)
			continue;
		if (readonly && x->sandbox == SANDBOX_WORKSPACE_READWRITE)
			x->sandbox = SANDBOX_UNSPECIFIED;
		if (m->hosts_bounded)
			r = bound_grants(d, x, RULE_GRANT_NET, SET_NETWORK);
		if (!r && m->writable_bounded)
			r = bound_grants(d, x, RULE_GRANT_WRITABLE, SET_WRITABLE);
		drop_empty(&x->lists[RULE_GRANT_NET]);
		drop_empty(&x->lists[RULE_GRANT_WRITABLE]);
	}
	return r;
}

int
draft_merge(struct draft *d, struct merged *ret)
{
	struct merged m = { 0 };
	int r = apply_locks(d);

	if (!r)
		r = merge_values(d, &m);
	if (!r)
		r = merge_forbidden(d, &m);
	if (!r)
		r = merge_lists(d, &m);
	if (!r)
		r = merge_rules(d, &m);
	if (r)
		return r;
	merge_protect(d, &m);
	*ret = m;
	for (size_t i = 0; i < LISTS; i++)
		if (!m.lists[i].first)
			ret->lists[i].end = &ret->lists[i].first;
	return 0;
}
