#include "daemon/log/suggest.h"
#include "gate/rules/lint.h"

/* Limit for rejected sets. */
#define TRIES 64

/* ---- choose lines */

/* Run lint on the line alone. */
static bool
lint_accepts(struct suggest *s, struct str text)
{
	struct policy_source source = {
		.layer = LAYER_USER, .file = STR("rule"), .text = text
	};
	struct layers_request none = { .now = s->l.now };
	struct lint lint = { .a = &s->l.work, .q = &none };
	struct policy_error e;
	struct buf image, out;

	arena_reset(&s->l.work);
	buf_init(&image, &s->l.work);
	if (policy_compile(&s->l.work, &source, 1, &image, &e) || image.full ||
	    policy_open(&s->l.work, buf_str(&image), &lint.p))
		return false;
	buf_init(&out, &s->l.work);
	lint.out = &out;
	lint_policy(&lint);
	return lint.errors == 0 && lint.warnings == 0 && lint.wide == 0;
}

static struct line *
line_for(struct suggest *s, struct str text, bool wide)
{
	struct line *l = s->lines;

	while (l && !str_eq(l->text, text))
		l = l->next;
	if (l)
		return l;
	l = ARENA_NEW(&s->l.a, struct line);
	if (!l) {
		s->full = true;
		return NULL;
	}
	*l = (struct line){ .text = text, .wide = wide, .next = s->lines };
	if (!lint_accepts(s, text))
		l->dropped = "policy lint would complain about a rule for it";
	s->lines = l;
	return l;
}

static size_t
different(const struct suggest *s, struct str wider)
{
	size_t n = 0;

	for (const struct wish *w = s->wishes; w; w = w->next)
		n += w->wider.p && str_eq(w->wider, wider);
	return n;
}

/* Choose one line for several commands if there is enough evidence, else one for each. */
static void
choose(struct suggest *s)
{
	for (struct wish *w = s->wishes; w && !s->full; w = w->next) {
		if (!w->exact.p || w->why)
			continue;
		if (w->wider.p && different(s, w->wider) >= SUGGEST_DIFFERENT)
			w->line = line_for(s, w->wider, true);
		if (!w->line || w->line->dropped)
			w->line = line_for(s, w->exact, false);
	}
}

static struct str
all_lines(struct suggest *s, struct arena *a)
{
	struct buf b;

	buf_init(&b, a);
	for (const struct line *l = s->lines; l; l = l->next)
		if (!l->dropped)
			buf_put(&b, l->text);
	if (b.full)
		s->full = true;
	return buf_str(&b);
}

/* ---- decide the past again */

/* Replace a wide line by the exact ones. */
static void
narrow(struct suggest *s)
{
	for (struct wish *w = s->wishes; w && !s->full; w = w->next)
		if (w->line && w->line->dropped && w->line->wide)
			w->line = line_for(s, w->exact, false);
}

/* `allow "git" ...`: is this line about the program? */
static bool
is_about(const struct line *l, struct str program)
{
	struct str rest = str_skip(l->text, sizeof "allow \"" - 1);

	return program.p && str_starts(rest, program) && rest.n > program.n &&
	       rest.p[program.n] == '"';
}

/* Drop the lines about programs of this command: the wide ones, or all. */
static bool
drop_about(struct suggest *s, const struct effects *e, bool wide, const char *why)
{
	bool any = false;

	for (const struct command *c = e->commands; c; c = c->next)
		for (struct line *l = s->lines; l; l = l->next) {
			if (l->dropped || l->wide != wide || !is_about(l, c->program))
				continue;
			l->dropped = why;
			any = true;
		}
	return any;
}

/* A verdict became looser that must not: drop a line that may be the cause. */
static void
blame(struct suggest *s, const struct past *p)
{
	const char *why = p->rejected ? "a rule for it would allow what a person rejected"
				      : "a rule for it would change more than questions";
	struct effects effects;
	struct decision d;
	bool any;

	learn_decide(&s->l, p, s->l.roots[p->root].now, &effects, &d);
	any = drop_about(s, &effects, true, why) || drop_about(s, &effects, false, why);
	/* If the cause is unknown, drop all. */
	for (struct line *l = any ? NULL : s->lines; l; l = l->next)
		if (!l->dropped)
			l->dropped = why;
	narrow(s);
}

static bool
may_be(const struct past *p)
{
	bool question =
	    p->now == VERDICT_ASK && p->rejected == 0 &&
	    (p->recorded == VERDICT_ASK || (p->recorded == VERDICT_DENY && !p->hard));

	return p->other <= p->now || question;
}

/* Decide the past with the lines; false if a verdict became looser. */
static bool
agrees(struct suggest *s)
{
	const struct policy *with[LEARN_ROOTS] = { 0 };
	struct arena *a = &s->l.a;
	size_t used = a->used;
	struct str lines = all_lines(s, a), why;
	struct past *guilty = NULL;

	for (struct past *p = s->l.first; p && !guilty && !s->full; p = p->next) {
		struct effects effects;
		struct decision d;

		if (!p->judged)
			continue;
		if (!with[p->root])
			with[p->root] =
			    learn_policy(&s->l, a, p->root, LAYER_USER, lines, &why);
		if (!with[p->root]) {
			s->full = true;
			break;
		}
		learn_decide(&s->l, p, with[p->root], &effects, &d);
		p->other = d.verdict;
		if (!may_be(p))
			guilty = p;
	}
	arena_back(a, used);
	if (!guilty)
		return !s->full;
	blame(s, guilty);
	return false;
}

/* ---- evidence */

static void
add_evidence(struct line *l, const struct past *p, struct str command, bool first)
{
	l->avoids += p->n;
	l->accepted += p->accepted;
	l->different += first;
	if (l->last == 0 || p->last > l->last)
		l->last = p->last;
	if (l->first == 0 || p->first < l->first)
		l->first = p->first;
	for (size_t i = 0; i < LEARN_EXAMPLES && p->records[i]; i++)
		if (l->records_n < LEARN_EXAMPLES)
			l->records[l->records_n++] = p->records[i];
	if (first && l->examples_n < LEARN_EXAMPLES)
		l->examples[l->examples_n++] = command;
}

static void
forget_evidence(struct suggest *s)
{
	for (struct line *l = s->lines; l; l = l->next)
		*l = (struct line){ .text = l->text,
			.wide = l->wide,
			.dropped = l->dropped,
			.next = l->next };
	s->avoided = 0;
}

static bool
has_example(const struct line *l, struct str command)
{
	for (size_t i = 0; i < l->examples_n; i++)
		if (str_eq(l->examples[i], command))
			return true;
	return false;
}

static void
find_evidence(struct suggest *s)
{
	forget_evidence(s);
	for (struct asked *q = s->asked; q; q = q->next) {
		q->avoided = q->past->other >= VERDICT_CONFINE;
		if (!q->avoided)
			continue;
		s->avoided += q->past->n;
		for (size_t i = 0; i < q->n; i++) {
			struct line *l = q->wishes[i]->line;
			bool again = false;

			for (size_t k = 0; k < i; k++)
				again |= q->wishes[k]->line == l;
			if (l && !l->dropped && !again)
				add_evidence(l, q->past, q->wishes[i]->shown,
				    !has_example(l, q->wishes[i]->shown));
		}
	}
}

/* Drop lines that avoid too little; true if there was one. */
static bool
drop_useless(struct suggest *s)
{
	bool any = false;

	for (struct line *l = s->lines; l; l = l->next)
		if (!l->dropped && l->avoids < s->min) {
			l->dropped = l->avoids
					 ? "it was asked too seldom"
					 : "it would still be asked with a rule for it";
			any = true;
		}
	narrow(s);
	return any;
}

static void
drop_all(struct suggest *s)
{
	for (struct line *l = s->lines; l; l = l->next)
		l->dropped = "no set of rules gave the same past decisions";
	s->avoided = 0;
}

void
suggest_prove(struct suggest *s)
{
	int tries = 0;

	choose(s);
	/* Dropping a line may change other verdicts: decide again. */
	while (!s->full && tries++ < TRIES) {
		if (!agrees(s))
			continue;
		find_evidence(s);
		if (!drop_useless(s))
			return;
	}
	drop_all(s);
}
