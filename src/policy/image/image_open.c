/* Check every byte of an image once when it is opened, so that the accessors need no
 * checks. */
#include "policy/image/image.h"

/*
 * A checksum against damage, not forgery: someone who can write the file could write the
 * rules as well.  Polynomials in an odd number detect any change of one word; four lanes
 * let the multiplications overlap.
 */
uint64_t
image_sum(struct str bytes, uint64_t length)
{
	const uint64_t prime = 0x9e3779b97f4a7c15u;
	uint64_t lane[4] = { length, prime, ~length, prime ^ length }, word[4];
	size_t i = offsetof(struct image_head, section);

	for (; bytes.n - i >= sizeof word; i += sizeof word) {
		memcpy(word, bytes.p + i, sizeof word);
		lane[0] = lane[0] * prime + word[0];
		lane[1] = lane[1] * prime + word[1];
		lane[2] = lane[2] * prime + word[2];
		lane[3] = lane[3] * prime + word[3];
	}
	for (; bytes.n - i >= 8; i += 8) {
		memcpy(word, bytes.p + i, 8);
		lane[0] = lane[0] * prime + word[0];
	}
	for (int k = 1; k < 4; k++) {
		lane[0] = (lane[0] ^ lane[k]) * prime;
		lane[0] ^= lane[0] >> 32;
	}
	return lane[0];
}

/* ---- pieces */

static bool
text_ok(const struct policy *p, struct image_text t)
{
	uint32_t size = p->head->section[SECTION_POOL].n;

	return t.at <= size && t.n <= size - t.at;
}

static bool
text_or_none_ok(const struct policy *p, struct image_text t)
{
	return (t.at == IMAGE_NONE && t.n == 0) || text_ok(p, t);
}

static bool
origin_ok(const struct policy *p, const struct image_origin *o)
{
	return o->layer < LAYERS && o->untrusted <= 1 && o->said <= 1 && o->zero == 0 &&
	       (o->said ? o->file < image_count(p, SECTION_FILES) : o->file == 0);
}

static bool
said_ok(const struct policy *p, const struct image_origin *o)
{
	return o->said == 1 && origin_ok(p, o);
}

static bool
range_ok(struct image_range r, size_t size)
{
	return r.first <= size && r.n <= size - r.first;
}

/* ---- sections */

static bool
head_ok(struct str image)
{
	const struct image_head *h = (const struct image_head *)(const void *)image.p;
	size_t at = sizeof *h;

	if (image.n < sizeof *h || image.n > IMAGE_BYTES || image.n % 8 != 0 ||
	    memcmp(h->magic, IMAGE_MAGIC, sizeof h->magic) != 0 || h->mark != IMAGE_MARK ||
	    h->version != IMAGE_VERSION || h->bytes != image.n)
		return false;
	for (int i = 0; i < SECTIONS; i++) {
		size_t unit = image_unit((enum section)i);

		if (h->section[i].first != at || h->section[i].n > (image.n - at) / unit)
			return false;
		at += (h->section[i].n * unit + 7) & ~(size_t)7;
		if (at > image.n)
			return false;
	}
	return at == image.n;
}

static bool
sum_ok(struct str image)
{
	return ((const struct image_head *)(const void *)image.p)->sum ==
	       image_sum(image, image.n);
}

static bool
values_ok(const struct policy *p)
{
	const struct image_settings *s = &p->head->settings;

	for (int i = 0; i < SET_VALUES; i++) {
		unsigned most = i == SET_AUTORUN ? 1 : 0;

		for (const struct word_value *w = setting_words((enum setting)i);
		     w->word[0]; w++)
			most = w->value > most ? w->value : most;
		if (s->value[i] > most)
			return false;
	}
	for (int i = 0; i < SET_BITS; i++)
		if (!origin_ok(p, &s->by[i]))
			return false;
	return origin_ok(p, &s->bound_by) && s->protect < 128 && s->forbidden < 8 &&
	       s->bounded < 4 && s->shell_disabled <= 1 && s->branches <= 1;
}

static bool
lists_ok(const struct policy *p)
{
	const struct image_settings *s = &p->head->settings;

	for (int i = 0; i < LISTS; i++)
		if (s->lists[i] > s->lists[i + 1])
			return false;
	if (s->lists[0] != 0 || s->lists[LISTS] != image_count(p, SECTION_ENTRIES))
		return false;
	for (size_t i = 0; i < image_count(p, SECTION_ENTRIES); i++)
		if (!text_ok(p, p->entries[i].text) || !said_ok(p, &p->entries[i].origin) ||
		    p->entries[i].pattern >= image_count(p, SECTION_PATTERNS))
			return false;
	return true;
}

static bool
lines_ok(const struct policy *p)
{
	size_t n = image_count(p, SECTION_LINES), shapes = p->head->settings.shapes;

	if (shapes > n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!text_ok(p, p->lines[i].text) || !said_ok(p, &p->lines[i].origin) ||
		    p->lines[i].kind >= LINES ||
		    (p->lines[i].kind == LINE_SET) != (i >= shapes))
			return false;
	return true;
}

static bool
tests_ok(const struct policy *p)
{
	for (size_t i = 0; i < image_count(p, SECTION_TESTS); i++) {
		const struct image_test *t = &p->tests[i];

		if (!text_ok(p, t->command) || !text_ok(p, t->text) ||
		    !said_ok(p, &t->origin) || t->expected > VERDICT_ALLOW)
			return false;
	}
	for (size_t i = 0; i < image_count(p, SECTION_INERT); i++) {
		const struct image_inert *t = &p->inert[i];

		if (!text_ok(p, t->text) || !said_ok(p, &t->origin) || t->why >= INERTS)
			return false;
	}
	for (size_t i = 0; i < image_count(p, SECTION_FILES); i++)
		if (!text_ok(p, p->files[i]))
			return false;
	return true;
}

/* The lists of the rules are contiguous. */
static bool
rules_ok(const struct policy *p)
{
	size_t at = 0, patterns = image_count(p, SECTION_PATTERNS);

	for (size_t i = 0; i < image_count(p, SECTION_RULES); i++) {
		const struct image_rule *r = &p->rules[i];

		if (r->first != at || !text_ok(p, r->text) ||
		    !text_or_none_ok(p, r->because) || !text_or_none_ok(p, r->instead) ||
		    !said_ok(p, &r->origin) || r->verdict > VERDICT_ALLOW ||
		    r->effect > RULE_MCP || r->sandbox > SANDBOX_WORKSPACE_READONLY ||
		    r->when >> WHEN_PLACES || r->exact > 1 || r->more > 1)
			return false;
		for (int k = 0; k < RULE_LISTS; k++)
			at += r->n[k];
		if (at > patterns)
			return false;
	}
	return true;
}

/* Count a path's components: the matcher has one bit for each. */
static bool
code_ok(const struct policy *p, const struct image_alternative *a, uint8_t kind)
{
	struct str code = image_str(p, a->code);
	size_t parts = 0;

	if (a->flags & ALTERNATIVE_GLOB && code.n == 0)
		return false;
	if (kind != PATTERN_PATH)
		return code.n <= DRAFT_PATTERN && a->anchor == ANCHOR_NONE;
	for (size_t i = 0; i < code.n; i++)
		parts += code.p[i] == '/';
	return parts <= DRAFT_PARTS && (code.n == 0 || code.p[0] == '/') &&
	       a->anchor < ANCHORS;
}

/* An extra bit would hide a rule. */
static bool
need_ok(const struct policy *p, size_t at, uint8_t kind)
{
	struct alternative x = image_alternative(p, (uint32_t)at);

	return at < image_count(p, SECTION_NEEDS) &&
	       p->needs[at] == image_need(&x, kind == PATTERN_PATH);
}

static bool
patterns_ok(const struct policy *p)
{
	size_t at = 0, all = image_count(p, SECTION_ALTERNATIVES);

	for (size_t i = 0; i < image_count(p, SECTION_PATTERNS); i++) {
		const struct pattern *x = &p->patterns[i];

		if (x->first != at || x->n > all - at || x->kind >= PATTERN_KINDS ||
		    x->zero != 0 || !text_ok(p, x->text))
			return false;
		for (; at < x->first + x->n; at++) {
			const struct image_alternative *a = &p->alternatives[at];

			if (!text_ok(p, a->code) || a->flags > ALTERNATIVE_FLAGS ||
			    !code_ok(p, a, x->kind) || !need_ok(p, at, x->kind))
				return false;
		}
	}
	return at == all && image_count(p, SECTION_NEEDS) == all;
}

/* A missing bit would hide a rule. */
static bool
places_ok(const struct policy *p)
{
	if (image_count(p, SECTION_PLACES) != image_count(p, SECTION_RULES))
		return false;
	for (size_t i = 0; i < image_count(p, SECTION_RULES); i++) {
		struct patterns list = policy_objects(p, i);
		struct path_place place = { 0 };

		for (uint32_t k = 0; k < list.n; k++) {
			const struct pattern *x = &list.first[k];

			for (uint32_t j = 0; j < x->n; j++) {
				struct alternative alt = image_alternative(p, x->first + j);

				place_add(&place, &alt, x->kind == PATTERN_PATH,
				    pattern_text(p, x));
			}
		}
		if (memcmp(&place, &p->places[i], sizeof place) != 0)
			return false;
	}
	return true;
}

/* Check that rule numbers ascend and have this effect (-1: any). */
static bool
order_ok(const struct policy *p, struct image_range r, int effect)
{
	size_t rules = image_count(p, SECTION_RULES);

	if (!range_ok(r, image_count(p, SECTION_ORDER)))
		return false;
	for (uint32_t i = r.first; i < r.first + r.n; i++)
		if (p->order[i] >= rules ||
		    (i > r.first && p->order[i] <= p->order[i - 1]) ||
		    p->rules[p->order[i]].effect != effect)
			return false;
	return true;
}

static bool
index_ok(const struct policy *p)
{
	size_t n = image_count(p, SECTION_SLOTS), used = 0;

	for (int i = 0; i <= RULE_MCP; i++)
		if (!order_ok(p, p->head->effects[i], i))
			return false;
	if (!order_ok(p, p->head->always, RULE_COMMAND) || (n & (n - 1)) != 0)
		return false;
	for (size_t i = 0; i < n; i++) {
		const struct image_slot *s = &p->slots[i];

		if (!text_or_none_ok(p, s->program) || !order_ok(p, s->rules, RULE_COMMAND))
			return false;
		used += s->program.at != IMAGE_NONE;
	}
	return used * 2 <= n;
}

static bool
image_ok(const struct policy *p)
{
	size_t pool = image_count(p, SECTION_POOL);

	return (pool == 0 || !memchr(p->pool, 0, pool)) && values_ok(p) && tests_ok(p) &&
	       patterns_ok(p) && rules_ok(p) && places_ok(p) && lists_ok(p) &&
	       lines_ok(p) && index_ok(p);
}

/* ---- opening */

static const void *
section_at(struct str image, const struct image_head *h, enum section s)
{
	return image.p + h->section[s].first;
}

static void
point(struct policy *p, struct str image)
{
	const struct image_head *h = (const struct image_head *)(const void *)image.p;

	*p = (struct policy){
		.head = h,
		.files = section_at(image, h, SECTION_FILES),
		.entries = section_at(image, h, SECTION_ENTRIES),
		.lines = section_at(image, h, SECTION_LINES),
		.tests = section_at(image, h, SECTION_TESTS),
		.inert = section_at(image, h, SECTION_INERT),
		.rules = section_at(image, h, SECTION_RULES),
		.patterns = section_at(image, h, SECTION_PATTERNS),
		.alternatives = section_at(image, h, SECTION_ALTERNATIVES),
		.needs = section_at(image, h, SECTION_NEEDS),
		.places = section_at(image, h, SECTION_PLACES),
		.order = section_at(image, h, SECTION_ORDER),
		.slots = section_at(image, h, SECTION_SLOTS),
		.pool = section_at(image, h, SECTION_POOL),
	};
}

static void
settle(struct policy *p)
{
	const struct image_settings *s = &p->head->settings;

	p->settings = (struct policy_settings){
		.mode = (enum mode)s->value[SET_MODE],
		.by_default = (enum verdict)s->value[SET_DEFAULT],
		.sandbox = sandbox_of_rank[s->value[SET_SANDBOX]],
		.network = s->value[SET_NETWORK],
		.git_writes = s->value[SET_GIT_WRITES],
		.tmp_write = s->value[SET_TMP_WRITE],
		.read_workspace = s->value[SET_READ_BOUNDARY] == 0,
		.protect = s->protect,
		.autorun = s->value[SET_AUTORUN],
		.shell_disabled = s->shell_disabled,
		.forbidden_modes = s->forbidden,
		.branches = s->branches,
		.answer_explicit = s->value[SET_ANSWER],
		.journal_required = s->value[SET_JOURNAL] == 0,
		.wait_seconds = wait_seconds[s->value[SET_WAIT]],
		.writable_bounded = s->bounded & 1,
		.hosts_bounded = s->bounded >> 1 & 1,
	};
}

/* The origin of the bytes determines what is checked. */
enum origin {
	FROM_ANYWHERE, /* everything */
	FROM_CACHE,    /* damage */
	FROM_PROGRAM,  /* nothing: the bytes are constants of ours */
};

static int
open_image(struct arena *a, struct str image, enum origin origin, const struct policy **ret)
{
	struct policy *p = ARENA_NEW(a, struct policy);

	if (!p)
		return CORDON_ENOMEM;
	if (image.n < sizeof(struct image_head) || image.n > IMAGE_BYTES)
		return CORDON_EINVAL;
	if ((uintptr_t)image.p % 8 != 0) {
		image = arena_copy(a, image);
		if (!image.p)
			return CORDON_ENOMEM;
	}
	if (!head_ok(image) || (origin != FROM_PROGRAM && !sum_ok(image)))
		return CORDON_EINVAL;
	point(p, image);
	if (origin == FROM_ANYWHERE && !image_ok(p))
		return CORDON_EINVAL;
	settle(p);
	*ret = p;
	return 0;
}

int
policy_open(struct arena *a, struct str image, const struct policy **ret)
{
	return open_image(a, image, FROM_ANYWHERE, ret);
}

int
policy_open_kept(struct arena *a, struct str image, const struct policy **ret)
{
	return open_image(a, image, FROM_CACHE, ret);
}

int
policy_open_shipped(struct arena *a, struct str image, const struct policy **ret)
{
	return open_image(a, image, FROM_PROGRAM, ret);
}

int
policy_compile(struct arena *a, const struct policy_source *sources, size_t n,
    struct buf *out, struct policy_error *reterr)
{
	struct policy_error ignored, *e = reterr ? reterr : &ignored;
	struct draft d;
	struct merged m;
	int r = draft_read(a, sources, n, &d, e);

	if (r)
		return r;
	r = draft_merge(&d, &m);
	if (!r)
		r = image_write(&d, &m, out);
	if (r)
		*e = (struct policy_error){ .line = 1,
			.column = 1,
			.why = r == CORDON_ELIMIT
				   ? STR("the rules are too large")
				   : STR("the rules need more memory than allowed") };
	return r;
}
