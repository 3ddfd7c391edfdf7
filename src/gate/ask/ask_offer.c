/* Find the rules a person may add with one key: lint accepts them, and they let the command
 * pass. */
#include "base/show.h"
#include "gate/ask/ask.h"
#include "gate/rules/lint.h"

/* Compiles all layers with one line added, up to seven times. */
#define OFFER_BYTES ((size_t)512 << 20)

struct offering {
	const struct ask *q;
	struct arena a;
	struct policy_source sources[LAYER_FILES + 2];
	size_t n;
};

static struct approve_rules
refuse(const char *why)
{
	return (struct approve_rules){ .why = str_from_c(why) };
}

/* Lint the lines on their own. */
static bool
is_too_wide(struct offering *o, struct str lines)
{
	struct policy_source source = { .layer = LAYER_USER, .text = lines };
	struct layers_request none = { 0 };
	struct policy_error e;
	struct lint lint = { .a = &o->a, .q = &none };
	struct buf image, out;

	source.file = STR("rule");
	buf_init(&image, &o->a);
	if (policy_compile(&o->a, &source, 1, &image, &e) || image.full ||
	    policy_open(&o->a, buf_str(&image), &lint.p))
		return true;
	buf_init(&out, &o->a);
	lint.out = &out;
	lint_policy(&lint);
	return lint.wide > 0 || lint.errors > 0;
}

/* Append the lines to the source of a layer. */
static bool
add_lines(struct offering *o, enum layer layer, struct str lines)
{
	struct buf b;
	size_t at;

	buf_init(&b, &o->a);
	for (size_t i = 0; i < o->n; i++) {
		struct policy_source *s = &o->sources[i];

		if (s->layer != layer)
			continue;
		buf_put(&b, s->text);
		if (s->text.n && s->text.p[s->text.n - 1] != '\n')
			buf_putc(&b, '\n');
		buf_put(&b, lines);
		s->text = buf_str(&b);
		s->trusted = true;
		return !b.full;
	}
	/* The layer has no file yet: insert a source; sources are ordered from low to
	 * high. */
	for (at = 0; at < o->n && o->sources[at].layer < layer; at++)
		;
	memmove(o->sources + at + 1, o->sources + at, (o->n - at) * sizeof *o->sources);
	o->sources[at] = (struct policy_source){
		.layer = layer, .trusted = true, .file = STR("rule"), .text = lines
	};
	o->n++;
	return true;
}

/* Decide about this command again with the lines added. */
static enum verdict
try_lines(struct offering *o, enum layer layer, struct str lines)
{
	struct decide_input in = o->q->answer->in;
	struct policy_error e;
	struct decision d;
	struct buf image;

	memcpy(o->sources, o->q->l->sources, sizeof o->q->l->sources);
	o->n = o->q->l->sources_n;
	buf_init(&image, &o->a);
	if (!add_lines(o, layer, lines) ||
	    policy_compile(&o->a, o->sources, o->n, &image, &e) || image.full ||
	    policy_open(&o->a, buf_str(&image), &in.policy))
		return VERDICT_DENY;
	decide(&o->a, &in, &d);
	return d.verdict;
}

static bool
is_destructive(const struct decision *d)
{
	for (const struct judged *j = d->judged; j; j = j->next)
		if (j->verdict == VERDICT_ASK && j->command &&
		    (j->command->class == CLASS_DESTROY ||
			j->command->class == CLASS_ADMIN))
			return true;
	return false;
}

static struct approve_rules
offer(struct offering *o, enum layer layer, enum approve_level level)
{
	struct approve_rules r = approve_rules(o->q->a, &o->q->answer->decision, level);
	size_t used = o->a.used;

	if (!r.lines.p)
		return r;
	/* The same program would destroy other files next time, without being asked
	 * about. */
	if (level != APPROVE_EXACT && is_destructive(&o->q->answer->decision))
		return refuse("may delete work: only the exact command");
	if (is_too_wide(o, r.lines))
		r = refuse("would allow too much");
	else if (try_lines(o, layer, r.lines) < VERDICT_CONFINE)
		r = refuse("would still need approval");
	arena_back(&o->a, used);
	return r;
}

/* ---- files */

static const struct policy_source *
source_of(const struct loader *l, enum layer layer)
{
	for (size_t i = 0; i < l->sources_n; i++)
		if (l->sources[i].layer == layer)
			return &l->sources[i];
	return NULL;
}

static const char *
why_not_project(const struct ask *q)
{
	const struct policy_source *s = source_of(q->l, LAYER_PROJECT);

	if (q->request->policy.p)
		return "--policy replaces the rules files";
	if (q->request->untrusted || (s && !s->trusted))
		return "the project's rules are not trusted";
	return NULL;
}

static void
offer_place(struct offering *o, struct approve_question *to, enum approve_place place,
    const char *why)
{
	enum layer layer = place == APPROVE_PROJECT ? LAYER_PROJECT : LAYER_USER;

	for (unsigned i = 0; i < APPROVE_LEVELS; i++)
		to->rules[place][i] = why || !to->files[place].p
					  ? refuse(why ? why : "no rules file")
					  : offer(o, layer, (enum approve_level)i);
}

static void
find_files(const struct ask *q, struct approve_question *to)
{
	const char *path =
	    own_dir(q->a, q->cli, q->request->home, DIR_CONFIG, STR("/rules"));

	to->files[APPROVE_USER] = str_from_c(path);
	path = STORE_NAME(q->a, q->answer->roots.roots[0], STR("/.cordon/rules"));
	to->files[APPROVE_PROJECT] = str_from_c(path);
}

/* A program without subcommands gives the same rule twice: drop one. */
static void
drop_doubles(struct approve_rules rules[static APPROVE_LEVELS])
{
	if (rules[APPROVE_SUBCOMMAND].lines.p && rules[APPROVE_COMMAND].lines.p &&
	    str_eq(rules[APPROVE_SUBCOMMAND].lines, rules[APPROVE_COMMAND].lines))
		rules[APPROVE_SUBCOMMAND] = refuse("no subcommand");
}

void
ask_offer(const struct ask *q, struct approve_question *to)
{
	struct offering o = { .q = q };

	find_files(q, to);
	if (!arena_map(&o.a, OFFER_BYTES)) {
		to->for_session = refuse("no memory");
		for (unsigned p = 0; p < APPROVE_PLACES; p++)
			offer_place(&o, to, (enum approve_place)p, "no memory");
		return;
	}
	to->for_session =
	    to->session.p ? offer(&o, LAYER_SESSION, APPROVE_EXACT) : refuse("no session");
	offer_place(&o, to, APPROVE_USER,
	    q->request->policy.p ? "--policy replaces the rules files" : NULL);
	offer_place(&o, to, APPROVE_PROJECT, why_not_project(q));
	drop_doubles(to->rules[APPROVE_USER]);
	drop_doubles(to->rules[APPROVE_PROJECT]);
}
