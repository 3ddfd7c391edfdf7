#include "analyse/analyse.h"
#include "api/api.h"
#include "api/cache.h"
#include "base/buf.h"
#include "base/limits.h"
#include "cordon.h"
#include "decide/json.h"
#include "policy/builtin.h"
#include <stdlib.h>

/* Limits for one policy: rules files, and memory to compile them. */
#define SOURCES_MAX 64
#define COMPILE_BYTES ((size_t)256 << 20)
#define ROOTS_MAX 64

struct cordon_policy {
	struct arena handle;
	const struct policy *policy;
	char *image;
	uint64_t says[2]; /* hash of its content, for the cache */
	int64_t *until;   /* `until` dates of its rules */
	size_t until_n;
	_Alignas(uint64_t) char room[4096]; /* of the handle */
};

const char *
cordon_error(const struct cordon *c)
{
	return c->message;
}

static int
fail(struct cordon *c, int code, struct str message)
{
	size_t n = message.n < sizeof c->message ? message.n : sizeof c->message - 1;

	if (n)
		memcpy(c->message, message.p, n);
	c->message[n] = '\0';
	return code;
}

/* ---- a policy */

static int
take_sources(const struct cordon_policy_opts *o, struct policy_source *to, size_t *n)
{
	const char *at = (const char *)o->sources;
	uint32_t stride = 0;

	if (o->sources_n > SOURCES_MAX - 1)
		return CORDON_FAIL_INPUT;
	for (size_t i = 0; i < o->sources_n; i++, at += stride) {
		struct cordon_source s = { 0 };

		if (api_take_opts(&s, sizeof s, at))
			return CORDON_FAIL_INPUT;
		if (i == 0)
			stride = s.size;
		if (s.size != stride || s.layer < CORDON_LAYER_PROJECT ||
		    s.layer > CORDON_LAYER_ADMIN || s.reserved || s.trusted > 1)
			return CORDON_FAIL_INPUT;
		to[(*n)++] = (struct policy_source){ .layer = (enum layer)s.layer,
			.trusted = s.trusted,
			.file = str_of(s.name ? s.name : "", s.name ? s.name_len : 0),
			.text = str_of(s.text ? s.text : "", s.text ? s.text_len : 0) };
	}
	return 0;
}

static int
say_where(struct cordon *c, struct arena *a, struct str file, const struct policy_error *e)
{
	struct buf b;

	buf_init(&b, a);
	buf_put(&b, file);
	buf_putc(&b, ':');
	buf_putu(&b, e->line);
	buf_putc(&b, ':');
	buf_putu(&b, e->column);
	buf_puts(&b, ": ");
	buf_put(&b, e->why);
	return fail(c, CORDON_FAIL_POLICY, buf_str(&b));
}

/* Two independent hashes: of the bytes alone, and of each byte with its position. */
static void
know_again(struct cordon_policy *p, struct str image)
{
	uint64_t a = 14695981039346656037u, b = image.n * 0x9e3779b97f4a7c15u;

	for (size_t i = 0; i < image.n; i++) {
		uint64_t byte = (unsigned char)image.p[i];

		a = (a ^ byte) * 1099511628211u;
		b = (b << 7 | b >> 57) * 0xff51afd7ed558ccdu + byte + i;
	}
	p->says[0] = a;
	p->says[1] = b;
}

static bool
take_dates(struct cordon_policy *p)
{
	size_t rules = policy_rule_count(p->policy);
	struct rule r;

	for (size_t i = 0; i < rules; i++) {
		policy_rule(p->policy, i, &r);
		p->until_n += r.until != 0;
	}
	if (p->until_n == 0)
		return true;
	p->until = calloc(p->until_n, sizeof *p->until);
	for (size_t i = 0, n = 0; p->until && i < rules; i++) {
		policy_rule(p->policy, i, &r);
		if (r.until)
			p->until[n++] = r.until;
	}
	return p->until != NULL;
}

static int
keep(struct cordon *c, struct str image, struct cordon_policy **ret)
{
	struct cordon_policy *p = calloc(1, sizeof *p);

	if (!p)
		return fail(c, CORDON_FAIL_MEMORY, STR("no memory for the policy"));
	p->image = malloc(image.n);
	arena_init(&p->handle, p->room, sizeof p->room);
	if (p->image)
		memcpy(p->image, image.p, image.n);
	if (!p->image || policy_open(&p->handle, str_of(p->image, image.n), &p->policy) ||
	    !take_dates(p)) {
		cordon_policy_free(p);
		return fail(c, CORDON_FAIL_MEMORY, STR("no memory for the policy"));
	}
	know_again(p, image);
	*ret = p;
	return 0;
}

int
cordon_policy_new(
    struct cordon *c, const struct cordon_policy_opts *opts, struct cordon_policy **ret)
{
	struct cordon_policy_opts o = { .size = sizeof o };
	struct policy_source sources[SOURCES_MAX];
	struct policy_error e = { 0 };
	cleanup_arena struct arena *a = arena_new(COMPILE_BYTES);
	struct buf image;
	size_t n = 0;
	int err;

	c->message[0] = '\0';
	if (!a)
		return fail(c, CORDON_FAIL_MEMORY, STR("no memory for the policy"));
	if (opts && api_take_opts(&o, sizeof o, opts))
		return fail(c, CORDON_FAIL_INPUT, STR("unknown options"));
	if (o.flags & ~CORDON_NO_BUILTIN)
		return fail(c, CORDON_FAIL_INPUT, STR("unknown flag"));
	if (!(o.flags & CORDON_NO_BUILTIN))
		sources[n++] = (struct policy_source){ .layer = LAYER_BUILTIN,
			.trusted = true,
			.file = STR("builtin.rules"),
			.text = policy_builtin() };
	if (take_sources(&o, sources, &n))
		return fail(c, CORDON_FAIL_INPUT, STR("invalid source"));
	buf_init(&image, a);
	err = policy_compile(a, sources, n, &image, &e);
	if (err == CORDON_ENOMEM || image.full)
		return fail(c, CORDON_FAIL_MEMORY, STR("no memory for the policy"));
	if (err)
		return say_where(c, a, sources[e.source].file, &e);
	return keep(c, buf_str(&image), ret);
}

void
cordon_policy_free(struct cordon_policy *p)
{
	if (!p)
		return;
	free(p->until);
	free(p->image);
	free(p);
}

/* ---- a check */

static bool
take_roots(const struct cordon_check_opts *o, struct str *roots, size_t *n)
{
	if (o->roots_n > ROOTS_MAX)
		return false;
	for (size_t i = 0; i < o->roots_n; i++) {
		roots[i] = str_from_c(o->roots[i]);
		if (!roots[i].p || !api_is_directory(roots[i].p, roots[i].n))
			return false;
	}
	*n = o->roots_n;
	if (*n == 0 && o->cwd)
		roots[(*n)++] = str_of(o->cwd, o->cwd_len);
	return true;
}

static void
decide_text(struct arena *a, struct decide_input *in, const struct cordon_check_opts *o,
    struct effects *effects, struct decision *d)
{
	struct decide_text how = { .cwd = str_of(o->cwd, o->cwd ? o->cwd_len : 0),
		.home = str_of(o->home, o->home ? o->home_len : 0),
		.blind = !(o->flags & CORDON_BY_NAME) };

	(void)decide_by_name(a, in, &how, effects, d);
}

static void
put_text(struct buf *b, struct str text)
{
	uint64_t n = text.p ? text.n + 1 : 0; /* unknown differs from empty */

	buf_put(b, str_of((const char *)&n, sizeof n));
	buf_put(b, text);
}

/* Build the key: everything that the answer depends on.  Of the time, only which `until`
 * dates have passed. */
static struct str
key_of(struct arena *a, const struct cordon_policy *policy, const struct decide_input *in,
    const struct cordon_check_opts *o)
{
	uint64_t numbers[] = { policy->says[0], policy->says[1], o->flags, o->mode, 0,
		in->base.roots_n };
	struct buf b;

	for (size_t i = 0; i < policy->until_n; i++)
		numbers[4] += o->now > policy->until[i];
	buf_init(&b, a);
	buf_put(&b, str_of((const char *)numbers, sizeof numbers));
	put_text(&b, str_of(o->cwd, o->cwd ? o->cwd_len : 0));
	put_text(&b, in->base.home);
	for (size_t i = 0; i < in->base.roots_n; i++)
		put_text(&b, in->base.roots[i]);
	put_text(&b, in->text);
	return b.full ? (struct str){ NULL, 0 } : buf_str(&b);
}

static void
take_options(struct decide_input *in, const struct cordon_check_opts *o)
{
	in->base.home = str_of(o->home, o->home ? o->home_len : 0);
	in->explicit_root = o->flags & CORDON_EXPLICIT_ROOT;
	in->interactive = !(o->flags & CORDON_HEADLESS);
	in->sandbox = !(o->flags & CORDON_NO_SANDBOX);
	in->trace = o->flags & CORDON_TRACE;
	in->now = o->now;
	in->has_mode = o->mode != CORDON_MODE_OF_POLICY;
	in->mode = in->has_mode ? (enum mode)(o->mode - 1) : MODE_ASK_EVERY_TIME;
}

int
cordon_check(struct cordon *c, const struct cordon_policy *policy, const char *text,
    size_t len, const struct cordon_check_opts *opts, int *ret_verdict,
    const char **ret_json, size_t *ret_json_len)
{
	const uint32_t known = CORDON_HEADLESS | CORDON_EXPLICIT_ROOT | CORDON_NO_SANDBOX |
			       CORDON_BY_NAME | CORDON_TRACE;
	struct cordon_check_opts o = { .size = sizeof o };
	struct str roots[ROOTS_MAX + 1];
	struct effects effects = { 0 };
	struct decide_input in = { .text = str_of(text ? text : "", text ? len : 0),
		.policy = policy->policy,
		.hook = VERDICT_ALLOW };
	struct str key = { NULL, 0 }, answer;
	struct decision d;
	struct buf out;

	*ret_verdict = CORDON_DENY;
	c->message[0] = '\0';
	if ((opts && api_take_opts(&o, sizeof o, opts)) || (o.flags & ~known) ||
	    o.reserved || o.mode > CORDON_MODE_RUN_EVERYTHING ||
	    !api_is_directory(o.cwd, o.cwd_len) || !api_is_directory(o.home, o.home_len) ||
	    !take_roots(&o, roots, &in.base.roots_n))
		return fail(c, CORDON_FAIL_INPUT, STR("invalid option"));
	in.base.roots = roots;
	take_options(&in, &o);
	arena_reset(c->arena);
	key = c->cache ? key_of(c->arena, policy, &in, &o) : key;
	answer = key.p ? cache_get(c->cache, key, ret_verdict) : key;
	if (answer.p) {
		*ret_json = answer.p;
		*ret_json_len = answer.n;
		return 0;
	}
	decide_text(c->arena, &in, &o, &effects, &d);
	buf_init(&out, c->arena);
	decision_json(&out, &in, &d, &(struct decision_extra){ .trace = in.trace });
	buf_putc(&out, '\0');
	if (out.full)
		return fail(
		    c, CORDON_FAIL_MEMORY, STR("the answer exceeds the memory limit"));
	if (key.p)
		cache_put(c->cache, key, str_of(out.p, out.n - 1), (int)d.verdict);
	*ret_verdict = (int)d.verdict;
	*ret_json = out.p;
	*ret_json_len = out.n - 1;
	return 0;
}
