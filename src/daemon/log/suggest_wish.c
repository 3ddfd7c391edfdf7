#include "base/hash.h"
#include "daemon/log/suggest.h"

#define BUCKETS ((size_t)4096)

/* ---- whether a rule may be proposed */

/* Programs whose arguments are code, whatever their class. */
static bool
takes_code(const struct command *c)
{
	const struct know_node *node = know_program(c->program);

	if (!node)
		return false;
	switch (know_handler(node)) {
	case HANDLER_ENV:
	case HANDLER_XARGS:
	case HANDLER_SHELL:
	case HANDLER_CODE:
	case HANDLER_AWK:
	case HANDLER_FIND:
	case HANDLER_FD:
	case HANDLER_SED:
		return true;
	case HANDLER_NONE:
	case HANDLER_GIT:
	case HANDLER_TAR:
	case HANDLER_BUILTIN:
		break;
	}
	return know_node_class(node) == CLASS_EXEC;
}

static const char *
why_not(const struct judged *j)
{
	const struct command *c = j->command;

	if (!c)
		return "the question is not about a command that a rule can name";
	if (j->hard)
		return "no rule can allow it";
	if (!c->program.p || c->function || c->wrapper || c->via)
		return "it is not a plain command";
	switch (c->class) {
	case CLASS_DESTROY:
		return "it destroys what cannot be restored, so each call needs an answer";
	case CLASS_ADMIN:
		return "it changes the system or privileges";
	case CLASS_EXEC:
		return "it runs code from its arguments or from files";
	case CLASS_READ:
	case CLASS_WRITE:
	case CLASS_NETWORK:
	case CLASS_UNKNOWN:
		break;
	}
	if (takes_code(c))
		return "it runs code from its arguments or from files";
	if (str_find(c->argv[0].text, '/') < c->argv[0].text.n)
		return "its program is a file that may change";
	return NULL;
}

/* A subcommand rule is for commands that only read or write; without a subcommand it
 * would cover the whole program. */
static bool
may_widen(const struct command *c)
{
	return (c->class == CLASS_READ || c->class == CLASS_WRITE) && c->scan &&
	       c->scan->depth > 0;
}

/* ---- wishes */

static struct str
line_of(struct suggest *s, const struct command *c, enum approve_level level)
{
	struct buf b;

	buf_init(&b, &s->l.work);
	if (approve_rule(&b, c, level) || b.full)
		return str_of(NULL, 0);
	return buf_str(&b);
}

static size_t
bucket_of(struct str line)
{
	uint64_t h = hash64(HASH64_START, line);

	return (size_t)(h ^ h >> 31) % BUCKETS;
}

static struct str
keep(struct suggest *s, struct str text)
{
	struct str copy;

	if (!text.p)
		return text;
	copy = arena_copy(&s->l.a, text);
	if (!copy.p)
		s->full = true;
	return copy;
}

static struct str
shown(const struct past *p, const struct judged *j)
{
	if (p->file_tool)
		return p->path;
	if (j->at.start < j->at.end && j->at.end <= p->command.n)
		return str_cut(p->command, j->at.start, j->at.end);
	return p->command;
}

/* Build `allow write "/a/b"` for a file tool. */
static struct str
line_of_tool(struct suggest *s, const struct past *p)
{
	const char *effect = str_is(p->op, "read")     ? "read"
			     : str_is(p->op, "delete") ? NULL
						       : "write";
	struct buf b;

	if (!effect || str_find(p->path, '\n') < p->path.n)
		return str_of(NULL, 0);
	buf_init(&b, &s->l.work);
	buf_puts(&b, "allow ");
	buf_puts(&b, effect);
	buf_puts(&b, " \"");
	for (size_t i = 0; i < p->path.n; i++) {
		if (p->path.p[i] == '"' || p->path.p[i] == '\\')
			buf_putc(&b, '\\');
		buf_putc(&b, p->path.p[i]);
	}
	buf_puts(&b, "\"\n");
	return b.full ? str_of(NULL, 0) : buf_str(&b);
}

static struct wish *
wish_for(struct suggest *s, const struct past *p, const struct judged *j)
{
	const char *why = p->file_tool ? NULL : why_not(j);
	struct str exact = str_of(NULL, 0), wider = exact, key = shown(p, j);
	struct wish *w;
	size_t bucket;

	if (!why) {
		exact = p->file_tool ? line_of_tool(s, p)
				     : line_of(s, j->command, APPROVE_EXACT);
		if (!exact.p)
			why = "one of its words is unknown before it runs";
		else if (!p->file_tool && may_widen(j->command))
			wider = line_of(s, j->command, APPROVE_SUBCOMMAND);
		if (exact.p)
			key = exact;
	}
	bucket = bucket_of(key);
	for (w = s->buckets[bucket]; w; w = w->same)
		if (str_eq(w->exact.p ? w->exact : w->shown, key) &&
		    !w->exact.p == !exact.p)
			return w;
	w = ARENA_NEW(&s->l.a, struct wish);
	if (!w) {
		s->full = true;
		return NULL;
	}
	*w = (struct wish){ .exact = keep(s, exact),
		.wider = keep(s, wider),
		.why = why,
		.shown = keep(s, shown(p, j)),
		.same = s->buckets[bucket],
		.next = s->wishes };
	s->buckets[bucket] = s->wishes = w;
	return w;
}

/* Counts if the current rules still ask; also a denial because nobody could be asked. */
static bool
is_question(const struct past *p)
{
	return p->judged && p->now == VERDICT_ASK &&
	       (p->recorded == VERDICT_ASK || (p->recorded == VERDICT_DENY && !p->hard));
}

static void
collect_one(struct suggest *s, struct past *p)
{
	struct asked *q = ARENA_NEW(&s->l.a, struct asked);
	struct effects effects;
	struct decision d;
	size_t room = 0;

	learn_decide(&s->l, p, s->l.roots[p->root].now, &effects, &d);
	for (const struct judged *j = d.judged; j; j = j->next)
		room += j->verdict == VERDICT_ASK;
	if (q)
		q->wishes = arena_array(&s->l.a, room, sizeof *q->wishes);
	if (!q || !q->wishes) {
		s->full = true;
		return;
	}
	q->past = p;
	for (const struct judged *j = d.judged; j && q->n < room; j = j->next) {
		struct wish *w = j->verdict == VERDICT_ASK ? wish_for(s, p, j) : NULL;

		if (!w)
			continue;
		q->wishes[q->n++] = w;
		w->asked += p->n;
	}
	if (p->rejected && q->n == 1)
		q->wishes[0]->why = "a person rejected it";
	s->questions += p->n;
	q->next = s->asked;
	s->asked = q;
}

void
suggest_collect(struct suggest *s)
{
	s->buckets = arena_array(&s->l.a, BUCKETS, sizeof *s->buckets);
	s->full = !s->buckets;
	for (struct past *p = s->l.first; p && !s->full; p = p->next)
		if (is_question(p))
			collect_one(s, p);
}
