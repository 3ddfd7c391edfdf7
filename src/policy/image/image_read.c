/* Accessors of an opened image. */
#include "policy/image/image.h"

struct policy_origin
image_origin(const struct policy *p, const struct image_origin *o)
{
	return (struct policy_origin){ (enum layer)o->layer,
		image_str(p, p->files[o->file]), o->line };
}

const struct policy_settings *
policy_settings(const struct policy *p)
{
	return &p->settings;
}

/* The first line of a list, where no single line decides. */
static bool
list_origin(const struct policy *p, enum setting id, struct policy_origin *ret)
{
	static const signed char lists[SETTINGS] = {
		[SET_WRITABLE] = LIST_WRITABLE,
		[SET_READABLE] = LIST_READABLE,
		[SET_IGNORE] = LIST_IGNORE,
		[SET_ROOT] = LIST_ROOT,
		[SET_COMPOSITE] = LIST_COMPOSITE,
		[SET_SAFE] = LIST_SAFE,
		[SET_MCP_ALLOW] = LIST_MCP_ALLOW,
		[SET_LOCK] = LIST_LOCKED,
		[SET_HOOK] = LIST_BEFORE_HOOK,
		[SET_DEBUG_DIR] = LIST_DEBUG_DIR,
	};

	if (id == SET_WRAPPER || id == SET_DATA || id == SET_SET)
		return false;
	return policy_entry_origin(p, (enum policy_list)lists[id], 0, ret);
}

bool
policy_origin(const struct policy *p, const char *setting, struct policy_origin *ret)
{
	enum setting id = setting_by_name(str_from_c(setting));

	if (id == SETTINGS)
		return false;
	if (id >= SET_BITS)
		return list_origin(p, id, ret);
	if (id == SET_UNPROTECT || !p->head->settings.by[id].said)
		return false;
	*ret = image_origin(p, &p->head->settings.by[id]);
	return true;
}

/* ---- lists */

static const struct image_entry *
entry_at(const struct policy *p, enum policy_list list, size_t i)
{
	const uint32_t *starts = p->head->settings.lists;

	if (list >= LISTS || i >= starts[list + 1] - starts[list])
		return NULL;
	return &p->entries[starts[list] + i];
}

struct str
policy_entry(const struct policy *p, enum policy_list list, size_t i)
{
	const struct image_entry *e = entry_at(p, list, i);

	return e ? image_str(p, e->text) : (struct str){ 0 };
}

const struct pattern *
policy_entry_pattern(const struct policy *p, enum policy_list list, size_t i)
{
	const struct image_entry *e = entry_at(p, list, i);

	return e ? &p->patterns[e->pattern] : NULL;
}

bool
policy_entry_origin(
    const struct policy *p, enum policy_list list, size_t i, struct policy_origin *ret)
{
	const struct image_entry *e = entry_at(p, list, i);

	if (!e)
		return false;
	*ret = image_origin(p, &e->origin);
	return true;
}

bool
policy_shape(const struct policy *p, size_t i, struct policy_shape *ret)
{
	if (i >= p->head->settings.shapes)
		return false;
	*ret = (struct policy_shape){ image_str(p, p->lines[i].text),
		p->lines[i].kind == LINE_DATA };
	return true;
}

/* ---- rules */

size_t
policy_rule_count(const struct policy *p)
{
	return image_count(p, SECTION_RULES);
}

void
policy_rule(const struct policy *p, size_t i, struct rule *ret)
{
	const struct image_rule *r = &p->rules[i];
	const struct pattern *at = p->patterns + r->first;
	struct patterns lists[RULE_LISTS];

	for (int k = 0; k < RULE_LISTS; k++) {
		lists[k] = (struct patterns){ at, r->n[k] };
		at += r->n[k];
	}
	*ret = (struct rule){
		.verdict = (enum verdict)r->verdict,
		.effect = (enum rule_effect)r->effect,
		.layer = (enum layer)r->origin.layer,
		.file = image_str(p, p->files[r->origin.file]),
		.text = image_str(p, r->text),
		.line = r->origin.line,
		.words = lists[RULE_WORDS],
		.with = lists[RULE_WITH],
		.without = lists[RULE_WITHOUT],
		.on = lists[RULE_ON],
		.in = lists[RULE_IN],
		.objects = lists[RULE_OBJECTS],
		.when = r->when,
		.branches = lists[RULE_BRANCHES],
		.until = r->until,
		.because = image_str(p, r->because),
		.instead = image_str(p, r->instead),
		.net = lists[RULE_GRANT_NET],
		.writable = lists[RULE_GRANT_WRITABLE],
		.readable = lists[RULE_GRANT_READABLE],
		.sandbox = (enum sandbox_type)r->sandbox,
		.specificity = r->specificity,
		.exact = r->exact,
		.more = r->more,
	};
}

struct patterns
policy_objects(const struct policy *p, size_t i)
{
	const struct image_rule *r = &p->rules[i];
	uint32_t at = r->first;

	for (int k = 0; k < RULE_OBJECTS; k++)
		at += r->n[k];
	return (struct patterns){ p->patterns + at, r->n[RULE_OBJECTS] };
}

static struct image_range
rules_of_program(const struct policy *p, struct str program)
{
	size_t n = image_count(p, SECTION_SLOTS), i;

	if (n == 0)
		return (struct image_range){ 0 };
	/* The loop ends: at least half of the slots are free. */
	for (i = image_hash(program) & (n - 1); p->slots[i].program.at != IMAGE_NONE;
	     i = (i + 1) & (n - 1))
		if (str_eq(image_str(p, p->slots[i].program), program))
			return p->slots[i].rules;
	return (struct image_range){ 0 };
}

void
policy_commands(
    const struct policy *p, struct str program, rule_visitor *each, void *context)
{
	struct image_range named, always = p->head->always;

	if (!program.p) {
		policy_effects(p, RULE_COMMAND, each, context);
		return;
	}
	named = rules_of_program(p, program);
	while (named.n || always.n) {
		uint32_t x = named.n ? p->order[named.first] : UINT32_MAX;
		uint32_t y = always.n ? p->order[always.first] : UINT32_MAX;

		each(context, x < y ? x : y);
		if (x <= y) {
			named.first++;
			named.n--;
		}
		if (y <= x) {
			always.first++;
			always.n--;
		}
	}
}

void
policy_effects(
    const struct policy *p, enum rule_effect effect, rule_visitor *each, void *context)
{
	struct image_range r =
	    effect <= RULE_MCP ? p->head->effects[effect] : (struct image_range){ 0 };

	for (uint32_t i = 0; i < r.n; i++)
		each(context, p->order[r.first + i]);
}

void
policy_files(const struct policy *p, enum rule_effect effect, struct path_place place,
    rule_visitor *each, void *context)
{
	struct image_range r =
	    effect <= RULE_MCP ? p->head->effects[effect] : (struct image_range){ 0 };

	for (uint32_t i = r.first; i < r.first + r.n; i++) {
		const struct path_place *x = &p->places[p->order[i]];

		if ((x->starts & place.starts) | (x->names & place.names) |
		    (x->lasts & place.lasts))
			each(context, p->order[i]);
	}
}

/* ---- patterns */

const struct pattern *
patterns_at(const struct policy *p, struct patterns list, size_t i)
{
	(void)p;
	return i < list.n ? list.first + i : NULL;
}

struct str
pattern_text(const struct policy *p, const struct pattern *x)
{
	return image_str(p, x->text);
}

struct alternative
image_alternative(const struct policy *p, uint32_t i)
{
	const struct image_alternative *a = &p->alternatives[i];

	return (struct alternative){ .code = image_str(p, a->code),
		.anchor = (enum pattern_anchor)a->anchor,
		.glob = a->flags & ALTERNATIVE_GLOB,
		.tree = a->flags & ALTERNATIVE_TREE,
		.port = a->port };
}

struct str
pattern_alternative(
    const struct policy *p, const struct pattern *x, size_t i, bool *ret_glob)
{
	struct alternative alt;

	if (i >= x->n)
		return (struct str){ 0 };
	alt = image_alternative(p, x->first + (uint32_t)i);
	if (ret_glob)
		*ret_glob = alt.glob;
	return alt.code;
}

enum pattern_from
pattern_from(const struct policy *p, const struct pattern *x, size_t i)
{
	static const enum pattern_from from[ANCHORS] = { [ANCHOR_NONE] = FROM_ROOT,
		[ANCHOR_HOME] = FROM_HOME,
		[ANCHOR_PROJECT] = FROM_PROJECT };

	return i < x->n ? from[image_alternative(p, x->first + (uint32_t)i).anchor]
			: FROM_ROOT;
}

void
pattern_put(struct buf *b, const struct policy *p, const struct pattern *x, size_t i)
{
	struct alternative alt;

	if (i >= x->n)
		return;
	alt = image_alternative(p, x->first + (uint32_t)i);
	alternative_put(b, &alt, x->kind, false);
}

/* ---- tests, and lines without effect */

bool
policy_test(const struct policy *p, size_t i, struct policy_test *ret)
{
	const struct image_test *t;

	if (i >= image_count(p, SECTION_TESTS))
		return false;
	t = &p->tests[i];
	*ret = (struct policy_test){ image_str(p, t->command),
		image_str(p, p->files[t->origin.file]), (enum verdict)t->expected,
		t->origin.line, (enum layer)t->origin.layer };
	return true;
}

bool
policy_inert(const struct policy *p, size_t i, struct policy_inert *ret)
{
	const struct image_inert *t;

	if (i >= image_count(p, SECTION_INERT))
		return false;
	t = &p->inert[i];
	*ret = (struct policy_inert){ image_str(p, t->text), (enum inert_why)t->why,
		image_origin(p, &t->origin) };
	return true;
}
