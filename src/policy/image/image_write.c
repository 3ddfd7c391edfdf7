/* Write a draft as an image. */
#include "policy/image/pool.h"

/* An image being written, section by section. */
struct image {
	struct draft *d;
	struct image_head head;
	char *base[SECTIONS];
	uint32_t n[SECTIONS], cap[SECTIONS];
	struct pool pool;
};

/* ---- sections */

size_t
image_unit(enum section s)
{
	static const unsigned char units[SECTIONS] = {
		[SECTION_FILES] = sizeof(struct image_text),
		[SECTION_ENTRIES] = sizeof(struct image_entry),
		[SECTION_LINES] = sizeof(struct image_line),
		[SECTION_TESTS] = sizeof(struct image_test),
		[SECTION_INERT] = sizeof(struct image_inert),
		[SECTION_RULES] = sizeof(struct image_rule),
		[SECTION_PATTERNS] = sizeof(struct pattern),
		[SECTION_ALTERNATIVES] = sizeof(struct image_alternative),
		[SECTION_NEEDS] = sizeof(uint64_t),
		[SECTION_PLACES] = sizeof(struct path_place),
		[SECTION_ORDER] = sizeof(uint32_t),
		[SECTION_SLOTS] = sizeof(struct image_slot),
		[SECTION_POOL] = 1,
	};

	return units[s];
}

/* The next element of a section; the space was counted before. */
static void *
next_of(struct image *m, enum section s)
{
	assert(m->n[s] < m->cap[s]);
	return m->base[s] + image_unit(s) * m->n[s]++;
}

static struct image_origin
origin_of(const struct draft_origin *o)
{
	return (struct image_origin){ .file = o->file,
		.line = o->line,
		.layer = (uint8_t)o->layer,
		.untrusted = o->untrusted,
		.said = 1 };
}

static uint32_t
put_pattern(struct image *m, const struct draft_pattern *x)
{
	struct pattern *to = next_of(m, SECTION_PATTERNS);

	*to = (struct pattern){ .text = pool_put(&m->pool, x->text),
		.first = m->n[SECTION_ALTERNATIVES],
		.n = (uint16_t)x->n,
		.kind = (uint8_t)x->kind };
	for (const struct alternative *alt = x->first; alt; alt = alt->next) {
		struct image_alternative *a = next_of(m, SECTION_ALTERNATIVES);
		uint64_t *need = next_of(m, SECTION_NEEDS);

		*need = image_need(alt, x->kind == PATTERN_PATH);
		*a = (struct image_alternative){ .code = pool_put(&m->pool, alt->code),
			.port = (uint16_t)alt->port,
			.anchor = (uint8_t)alt->anchor,
			.flags = (uint8_t)((alt->glob ? ALTERNATIVE_GLOB : 0) |
					   (alt->tree ? ALTERNATIVE_TREE : 0)) };
	}
	return m->n[SECTION_PATTERNS] - 1;
}

static void
put_place(struct image *m, const struct draft_rule *x)
{
	struct path_place *to = next_of(m, SECTION_PLACES);

	for (const struct draft_pattern *p = x->lists[RULE_OBJECTS].first; p; p = p->next)
		for (const struct alternative *alt = p->first; alt; alt = alt->next)
			place_add(to, alt, p->kind == PATTERN_PATH, p->text);
}

static void
put_rule(struct image *m, const struct draft_rule *x)
{
	struct image_rule *to = next_of(m, SECTION_RULES);

	*to = (struct image_rule){ .text = pool_line(&m->pool, x->text),
		.until = x->until,
		.origin = origin_of(&x->origin),
		.first = m->n[SECTION_PATTERNS],
		.verdict = (uint8_t)x->verdict,
		.effect = (uint8_t)x->effect,
		.sandbox = (uint8_t)x->sandbox,
		.when = (uint8_t)x->when,
		.exact = x->exact,
		.more = x->more,
		.specificity = draft_specificity(x) };
	to->because = pool_put(&m->pool, x->because);
	to->instead = pool_put(&m->pool, x->instead);
	m->head.settings.branches |= x->lists[RULE_BRANCHES].n != 0;
	for (int i = 0; i < RULE_LISTS; i++) {
		to->n[i] = (uint16_t)x->lists[i].n;
		for (const struct draft_pattern *p = x->lists[i].first; p; p = p->next)
			put_pattern(m, p);
	}
	put_place(m, x);
}

static void
put_entries(struct image *m, const struct merged *merged)
{
	for (int i = 0; i < LISTS; i++) {
		m->head.settings.lists[i] = m->n[SECTION_ENTRIES];
		for (const struct merged_entry *e = merged->lists[i].first; e;
		     e = e->next) {
			struct image_entry *to = next_of(m, SECTION_ENTRIES);

			pool_line_done(&m->pool);
			to->text = pool_put(&m->pool, e->text);
			to->pattern = put_pattern(m, e->x);
			to->origin = origin_of(e->origin);
		}
	}
	m->head.settings.lists[LISTS] = m->n[SECTION_ENTRIES];
}

static bool
line_kind(const struct draft_setting *s, enum line_kind *ret)
{
	if (s->left_out || (s->id != SET_WRAPPER && s->id != SET_DATA && s->id != SET_SET))
		return false;
	*ret = s->id == SET_WRAPPER ? LINE_WRAPPER
	       : s->id == SET_DATA  ? LINE_DATA
				    : LINE_SET;
	return true;
}

static void
put_lines(struct image *m, bool sets)
{
	pool_line_done(&m->pool);
	for (const struct draft_setting *s = m->d->settings; s; s = s->next) {
		enum line_kind kind;
		struct image_line *to;

		if (!line_kind(s, &kind) || (kind == LINE_SET) != sets)
			continue;
		to = next_of(m, SECTION_LINES);
		to->text = pool_put(&m->pool, sets ? s->text : s->name);
		to->origin = origin_of(&s->origin);
		to->kind = (uint8_t)kind;
	}
}

static void
put_tests(struct image *m)
{
	for (const struct draft_test *x = m->d->tests; x; x = x->next) {
		struct image_test *to = next_of(m, SECTION_TESTS);

		to->text = pool_line(&m->pool, x->text);
		to->command = pool_put(&m->pool, x->command);
		to->origin = origin_of(&x->origin);
		to->expected = (uint8_t)x->expected;
	}
	pool_line_done(&m->pool);
}

static void
put_inert(struct image *m)
{
	for (const struct draft_inert *x = m->d->inert; x; x = x->next) {
		struct image_inert *to = next_of(m, SECTION_INERT);

		to->text = pool_put(&m->pool, x->text);
		to->origin = origin_of(&x->origin);
		to->why = (uint8_t)x->why;
	}
}

static void
put_settings(struct image *m, const struct merged *merged)
{
	struct image_settings *s = &m->head.settings;

	for (int i = 0; i < SET_VALUES; i++)
		s->value[i] = (uint8_t)merged->value[i];
	for (int i = 0; i < SET_BITS; i++)
		if (merged->by[i])
			s->by[i] = origin_of(&merged->by[i]->origin);
	if (merged->bound_by)
		s->bound_by = origin_of(&merged->bound_by->origin);
	s->protect = (uint8_t)merged->protect;
	s->forbidden = (uint8_t)merged->forbidden;
	s->bounded = (uint8_t)(merged->writable_bounded | merged->hosts_bounded << 1);
	s->shell_disabled = merged->shell_disabled;
}

/* ---- the whole image */

/* Count the patterns and alternatives. */
static void
count_list(struct image *m, const struct draft_pattern *x)
{
	for (; x; x = x->next) {
		m->cap[SECTION_PATTERNS]++;
		m->cap[SECTION_ALTERNATIVES] += x->n;
		m->cap[SECTION_NEEDS] += x->n;
	}
}

static void
count_all(struct image *m, const struct merged *merged, const struct program_index *index)
{
	const struct draft *d = m->d;
	enum line_kind kind;

	for (const struct draft_rule *x = d->rules; x; x = x->next)
		for (int i = 0; i < RULE_LISTS; i++)
			count_list(m, x->lists[i].first);
	for (int i = 0; i < LISTS; i++) {
		m->cap[SECTION_ENTRIES] += merged->lists[i].n;
		for (const struct merged_entry *e = merged->lists[i].first; e; e = e->next)
			count_list(m, e->x);
	}
	for (const struct draft_setting *s = d->settings; s; s = s->next)
		m->cap[SECTION_LINES] += line_kind(s, &kind);
	m->cap[SECTION_FILES] = d->files_n;
	m->cap[SECTION_TESTS] = d->tests_n;
	m->cap[SECTION_INERT] = d->inert_n;
	m->cap[SECTION_RULES] = d->rules_n;
	m->cap[SECTION_PLACES] = d->rules_n;
	m->cap[SECTION_ORDER] = index->order_n;
	m->cap[SECTION_SLOTS] = index->slots_n;
}

static int
make_room(struct image *m)
{
	for (int i = 0; i < SECTION_POOL; i++) {
		if (m->cap[i] > IMAGE_BYTES / 128)
			return CORDON_ELIMIT;
		m->base[i] = arena_array(m->d->a, m->cap[i], image_unit((enum section)i));
		if (!m->base[i])
			return CORDON_ENOMEM;
	}
	return 0;
}

static void
put_index(struct image *m, const struct program_index *index)
{
	pool_line_done(&m->pool);
	for (uint32_t i = 0; i < index->order_n; i++)
		*(uint32_t *)next_of(m, SECTION_ORDER) = index->order[i];
	for (uint32_t i = 0; i < index->slots_n; i++) {
		const struct program_slot *from = &index->slots[i];
		struct image_slot *to = next_of(m, SECTION_SLOTS);

		to->program = pool_put(&m->pool, from->name);
		to->rules = (struct image_range){ from->first, from->n };
	}
	memcpy(m->head.effects, index->effects, sizeof index->effects);
	m->head.always = index->always;
}

static void
put_all(struct image *m, const struct merged *merged, const struct program_index *index)
{
	put_settings(m, merged);
	for (const struct draft_file *f = m->d->files; f; f = f->next)
		*(struct image_text *)next_of(m, SECTION_FILES) =
		    pool_put(&m->pool, f->name.p ? f->name : STR(""));
	for (const struct draft_rule *x = m->d->rules; x; x = x->next)
		put_rule(m, x);
	put_entries(m, merged);
	put_lines(m, false);
	m->head.settings.shapes = m->n[SECTION_LINES];
	put_lines(m, true);
	put_tests(m);
	put_inert(m);
	put_index(m, index);
	m->n[SECTION_POOL] = (uint32_t)m->pool.bytes.n;
	m->base[SECTION_POOL] = m->pool.bytes.p;
}

static int
finish(struct image *m, struct buf *out)
{
	static const char zeros[8];
	size_t at = sizeof m->head, start = out->n;
	struct image_head *h = &m->head;

	for (int i = 0; i < SECTIONS; i++) {
		h->section[i] = (struct image_range){ (uint32_t)at, m->n[i] };
		at += (m->n[i] * image_unit((enum section)i) + 7) & ~(size_t)7;
		if (at > IMAGE_BYTES)
			return CORDON_ELIMIT;
	}
	memcpy(h->magic, IMAGE_MAGIC, sizeof h->magic);
	h->mark = IMAGE_MARK;
	h->version = IMAGE_VERSION;
	h->bytes = at;
	buf_put(out, str_of((const char *)h, sizeof *h));
	for (int i = 0; i < SECTIONS; i++) {
		buf_put(out, str_of(m->base[i], m->n[i] * image_unit((enum section)i)));
		buf_put(out, str_of(zeros, (start - out->n) & 7));
	}
	if (out->full)
		return CORDON_ENOMEM;
	h->sum = image_sum(str_of(out->p + start, at), at);
	memcpy(out->p + start + offsetof(struct image_head, sum), &h->sum, sizeof h->sum);
	return 0;
}

int
image_write(struct draft *d, const struct merged *merged, struct buf *out)
{
	struct image m = { .d = d };
	struct program_index index;
	int r = index_rules(d, &index);

	if (r)
		return r;
	count_all(&m, merged, &index);
	r = make_room(&m);
	if (r)
		return r;
	buf_init(&m.pool.bytes, d->a);
	put_all(&m, merged, &index);
	if (m.pool.bytes.full)
		return CORDON_ENOMEM;
	return m.pool.too_big ? CORDON_ELIMIT : finish(&m, out);
}
