/* Index the rules by effect and by program. */
#include "policy/image/image.h"

static const struct draft_pattern *
program_of(const struct draft_rule *x)
{
	return x->effect == RULE_COMMAND ? x->lists[RULE_WORDS].first : NULL;
}

static bool
is_always(const struct draft_pattern *program)
{
	for (const struct alternative *alt = program->first; alt; alt = alt->next)
		if (alt->glob || str_base(alt->code).n == 0)
			return true;
	return false;
}

static struct program_slot *
slot_find(struct program_slot *slots, uint32_t size, struct str name)
{
	uint32_t i = image_hash(name) & (size - 1);

	while (slots[i].name.p && !str_eq(slots[i].name, name))
		i = (i + 1) & (size - 1);
	return &slots[i];
}

/* Collect each pair of a program and a rule once. */
struct pairs {
	struct program_slot *slots;
	uint32_t size, distinct;
	uint32_t *order; /* NULL: count */
};

static void
take_pair(struct pairs *p, struct str name, uint32_t rule)
{
	struct program_slot *slot = slot_find(p->slots, p->size, name);

	if (!slot->name.p) {
		slot->name = name;
		p->distinct++;
	}
	if (slot->last == rule + 1)
		return;
	slot->last = rule + 1;
	if (p->order)
		p->order[slot->first + slot->n] = rule;
	slot->n++;
}

static void
take_pairs(const struct draft *d, struct pairs *p)
{
	uint32_t i = 0;

	for (const struct draft_rule *x = d->rules; x; x = x->next, i++) {
		const struct draft_pattern *program = program_of(x);

		if (!program || is_always(program))
			continue;
		for (const struct alternative *alt = program->first; alt; alt = alt->next)
			take_pair(p, str_base(alt->code), i);
	}
}

static uint32_t
power_above(uint32_t n)
{
	uint32_t size = 2;

	while (size < n)
		size *= 2;
	return size;
}

/* Allocate the table and give each slot its range of rules, starting at `first`. */
static int
make_slots(struct arena *a, struct pairs *counted, uint32_t first,
    struct program_index *ret, uint32_t *ret_end)
{
	uint32_t size = counted->distinct ? power_above(counted->distinct * 2) : 0;

	ret->slots = arena_array(a, size, sizeof *ret->slots);
	if (!ret->slots)
		return CORDON_ENOMEM;
	ret->slots_n = size;
	for (uint32_t i = 0; i < counted->size; i++) {
		struct program_slot *from = &counted->slots[i], *to;

		if (!from->name.p)
			continue;
		to = slot_find(ret->slots, size, from->name);
		*to = (struct program_slot){ .name = from->name, .first = first };
		first += from->n;
	}
	*ret_end = first;
	return 0;
}

static uint32_t
count_pairs(const struct draft *d)
{
	uint32_t n = 0;

	for (const struct draft_rule *x = d->rules; x; x = x->next) {
		const struct draft_pattern *program = program_of(x);

		n += program ? program->n : 0;
	}
	return n;
}

/* Counting sort by effect: visits each rule twice. */
static void
order_effects(const struct draft *d, struct program_index *ret)
{
	uint32_t at[RULE_MCP + 1] = { 0 }, i = 0;

	for (const struct draft_rule *x = d->rules; x; x = x->next)
		ret->effects[x->effect].n++;
	for (int effect = 0; effect <= RULE_MCP; effect++) {
		struct image_range *r = &ret->effects[effect];

		r->first = effect ? r[-1].first + r[-1].n : 0;
		at[effect] = r->first;
	}
	for (const struct draft_rule *x = d->rules; x; x = x->next)
		ret->order[at[x->effect]++] = i++;
}

static uint32_t
order_always(const struct draft *d, struct program_index *ret)
{
	uint32_t at = d->rules_n, i = 0;

	ret->always.first = at;
	for (const struct draft_rule *x = d->rules; x; x = x->next, i++) {
		const struct draft_pattern *program = program_of(x);

		if (program && is_always(program))
			ret->order[at++] = i;
	}
	ret->always.n = at - ret->always.first;
	return at;
}

int
index_rules(const struct draft *d, struct program_index *ret)
{
	uint32_t pairs_n = count_pairs(d), at;
	struct pairs p = { .size = power_above(pairs_n * 2) };
	int r;

	if (pairs_n > IMAGE_BYTES / 64)
		return CORDON_ELIMIT;
	*ret = (struct program_index){ 0 };
	p.slots = arena_array(d->a, p.size, sizeof *p.slots);
	ret->order = arena_array(d->a, d->rules_n * 2 + pairs_n, sizeof *ret->order);
	if (!p.slots || !ret->order)
		return CORDON_ENOMEM;
	take_pairs(d, &p);
	order_effects(d, ret);
	at = order_always(d, ret);
	r = make_slots(d->a, &p, at, ret, &ret->order_n);
	if (r || ret->slots_n == 0)
		return r;
	p = (struct pairs){ ret->slots, ret->slots_n, 0, ret->order };
	take_pairs(d, &p);
	return 0;
}
