#include "daemon/log/learn.h"
#include "base/hash.h"
#include "base/json/json.h"
#include "base/show.h"
#include "look/root.h"

#define BUCKETS ((size_t)1 << 16)
#define WORK_BYTES ((size_t)512 << 20)

/* A person's answer to one question. */
struct answered {
	uint64_t about;
	bool accepted;
	struct answered *same;
};

/* ---- reading */

static size_t
bucket_of(struct str s, size_t seed)
{
	uint64_t h = hash64(HASH64_START ^ seed, s);

	return (size_t)(h ^ h >> 29) % BUCKETS;
}

static bool
take_answer(void *context, struct str body, const struct record *r)
{
	struct learn *l = context;
	struct answered *one = ARENA_NEW(&l->a, struct answered), **to;

	(void)body;
	if (!one || !r->about.set)
		return one != NULL;
	one->about = r->about.n;
	one->accepted = r->outcome.p && str_starts(r->outcome, STR("accepted"));
	to = &l->answers[r->about.n % BUCKETS];
	one->same = *to;
	*to = one;
	return true;
}

static const struct answered *
answer_to(const struct learn *l, uint64_t sequence)
{
	for (const struct answered *a = l->answers[sequence % BUCKETS]; a; a = a->same)
		if (a->about == sequence)
			return a;
	return NULL;
}

static struct str
text_of(struct str s)
{
	return s.p ? s : STR("");
}

static bool
is_same(const struct past *p, const struct record *r)
{
	return str_eq(p->command, text_of(r->command)) && str_eq(p->cwd, text_of(r->cwd)) &&
	       str_eq(p->tool, text_of(r->tool)) && str_eq(p->path, text_of(r->path)) &&
	       str_eq(p->op, text_of(r->op));
}

static bool
op_find(struct str name, enum file_op *ret)
{
	for (enum file_op op = FILE_READ; op <= FILE_EXEC; op++)
		if (str_is(name, file_op_name(op))) {
			*ret = op;
			return true;
		}
	return false;
}

/* True if its text is complete and can be judged by names. */
static bool
can_judge(const struct past *p, const struct record *r)
{
	enum file_op op;

	if (r->flags & (RECORD_REDACTED | RECORD_CUT))
		return false;
	if (p->file_tool)
		return op_find(p->op, &op) && p->path.n;
	/* A tool that is called by name only: MCP. */
	return p->command.n && !(p->tool.n && str_eq(p->tool, p->command));
}

static struct past *
make_past(struct learn *l, const struct record *r)
{
	struct past *p = ARENA_NEW(&l->a, struct past);

	if (!p)
		return NULL;
	p->command = arena_copy(&l->a, text_of(r->command));
	p->cwd = arena_copy(&l->a, text_of(r->cwd));
	p->tool = arena_copy(&l->a, text_of(r->tool));
	p->path = arena_copy(&l->a, text_of(r->path));
	p->op = arena_copy(&l->a, text_of(r->op));
	if (!p->command.p || !p->cwd.p || !p->tool.p || !p->path.p || !p->op.p)
		return NULL;
	p->file_tool = p->op.n > 0;
	p->judged = can_judge(p, r);
	p->recorded = (enum verdict)r->verdict.n;
	p->hard = r->hard.set && r->hard.n;
	p->last = r->time;
	*l->last = p;
	l->last = &p->next;
	l->distinct++;
	return p;
}

/* Newest first. */
static bool
take_decision(void *context, struct str body, const struct record *r)
{
	struct learn *l = context;
	size_t bucket = bucket_of(text_of(r->command), text_of(r->cwd).n);
	const struct answered *answer;
	struct past *p = l->buckets[bucket];

	(void)body;
	while (p && !is_same(p, r))
		p = p->same;
	if (!p) {
		p = make_past(l, r);
		if (!p)
			return false;
		p->same = l->buckets[bucket];
		l->buckets[bucket] = p;
	}
	if (p->n < LEARN_EXAMPLES)
		p->records[p->n] = r->sequence;
	p->n++;
	p->first = r->time;
	answer = answer_to(l, r->sequence);
	p->accepted += answer && answer->accepted;
	p->rejected += answer && !answer->accepted;
	l->decisions++;
	return true;
}

static int
read_past(struct learn *l, struct db_filter *f)
{
	struct db_filter answers = { .kind = { true, RECORD_ANSWER },
		.limit = LEARN_DECISIONS,
		.has_since = f->has_since,
		.since = f->since };
	struct err e = { 0 };
	int err;

	l->last = &l->first;
	l->buckets = arena_array(&l->a, BUCKETS, sizeof *l->buckets);
	l->answers = arena_array(&l->a, BUCKETS, sizeof *l->answers);
	if (!l->buckets || !l->answers)
		return internal_error("no memory", 0);
	f->kind = (struct record_number){ true, RECORD_DECISION };
	err = db_search(&l->log.d, &l->log.scratch, &answers, take_answer, l, &e);
	if (!err)
		err = db_search(&l->log.d, &l->log.scratch, f, take_decision, l, &e);
	return err ? log_error(&l->log, "cannot read past decisions", &e) : 0;
}

/* ---- roots and their rules */

static int
add_root(struct learn *l, struct str dir)
{
	struct learn_root *to = &l->roots[l->roots_n];
	struct layers_request q = { .root = dir, .home = l->log.cli->home, .now = l->now };
	const struct policy *p;
	struct str why;
	int status = load_policy(&l->loader, &q, &p);

	if (status)
		return load_complain(&l->loader, status);
	to->dir = dir;
	/* Copy the sources: the loader's memory is reused for the next root. */
	for (size_t i = 0; i < l->loader.sources_n; i++) {
		to->sources[i] = l->loader.sources[i];
		to->sources[i].text = arena_copy(&l->a, to->sources[i].text);
		to->sources[i].file = arena_copy(&l->a, to->sources[i].file);
		if (!to->sources[i].text.p || !to->sources[i].file.p)
			return internal_error("no memory", 0);
	}
	to->n = l->loader.sources_n;
	l->roots_n++;
	to->now = learn_policy(
	    l, &l->a, l->roots_n - 1, LAYER_USER, (struct str){ NULL, 0 }, &why);
	return to->now ? 0 : internal_error("the rules do not compile", 0);
}

/* Index of the project of `cwd`; LEARN_ROOTS: too many. */
static int
find_root(struct learn *l, struct past *p)
{
	struct root_answer roots;
	struct root_request q = {
		.cwd = p->cwd, .home = l->log.cli->home, .missing_ok = true
	};
	struct str dir = p->cwd;

	arena_reset(&l->work);
	if (p->cwd.n == 0 || p->cwd.p[0] != '/') {
		p->judged = false;
		return 0;
	}
	if (root_find(&l->work, &q, &roots, NULL) == 0 && roots.n)
		dir = roots.roots[0];
	for (p->root = 0; p->root < l->roots_n; p->root++)
		if (str_eq(l->roots[p->root].dir, dir))
			return 0;
	if (p->root == LEARN_ROOTS) {
		p->judged = false;
		return 0;
	}
	dir = arena_copy(&l->a, dir);
	return dir.p ? add_root(l, dir) : internal_error("no memory", 0);
}

static int
find_roots(struct learn *l)
{
	const struct past *before = NULL;
	int status = 0;

	for (struct past *p = l->first; p && !status; p = p->next) {
		if (!p->judged)
			continue;
		/* Consecutive commands usually have the same directory. */
		if (before && str_eq(before->cwd, p->cwd))
			p->root = before->root;
		else
			status = find_root(l, p);
		if (p->judged)
			before = p;
	}
	return status;
}

const struct policy *
learn_policy(struct learn *l, struct arena *a, size_t root, enum layer layer,
    struct str lines, struct str *ret_why)
{
	const struct learn_root *from = &l->roots[root];
	struct policy_source sources[LAYER_FILES + 2];
	struct policy_error e = { 0 };
	const struct policy *p = NULL;
	size_t n = from->n, at = 0;
	struct buf image, text;

	memcpy(sources, from->sources, sizeof from->sources);
	*ret_why = STR("no memory");
	if (lines.p) {
		while (at < n && sources[at].layer < layer)
			at++;
		if (at == n || sources[at].layer != layer) {
			memmove(sources + at + 1, sources + at, (n - at) * sizeof *sources);
			sources[at] =
			    (struct policy_source){ .layer = layer, .file = STR("rule") };
			n++;
		}
		buf_init(&text, a);
		if (sources[at].text.n) {
			buf_put(&text, sources[at].text);
			buf_putc(&text, '\n');
		}
		buf_put(&text, lines);
		if (text.full)
			return NULL;
		sources[at].text = buf_str(&text);
	}
	buf_init(&image, a);
	if (policy_compile(a, sources, n, &image, &e)) {
		*ret_why = e.why;
		return NULL;
	}
	return image.full || policy_open(a, buf_str(&image), &p) ? NULL : p;
}

void
learn_decide(struct learn *l, const struct past *p, const struct policy *policy,
    struct effects *ret_effects, struct decision *ret)
{
	struct lexical q = { .policy = policy,
		.text = p->command,
		.cwd = p->cwd,
		.home = l->log.cli->home,
		.roots = &l->roots[p->root].dir,
		.roots_n = 1,
		.now = l->now,
		.file_tool = p->file_tool,
		.path = p->path };

	if (p->file_tool)
		(void)op_find(p->op, &q.op);
	arena_reset(&l->work);
	*ret_effects = (struct effects){ 0 };
	lexical_decide(&l->work, &q, ret_effects, ret);
}

int
learn_start(struct learn *l, struct db_filter *f)
{
	struct effects effects;
	struct decision d;
	int status = log_start(&l->log, false);

	if (status)
		return status;
	l->now = log_now() / 1000000000;
	if (!arena_map(&l->a, LEARN_BYTES) || !arena_map(&l->work, WORK_BYTES) ||
	    !loader_init(&l->loader, l->log.cli))
		return internal_error("no memory", 0);
	l->loader.no_cache = true;
	l->loader.no_tests = true;
	status = read_past(l, f);
	if (!status)
		status = find_roots(l);
	for (struct past *p = l->first; p && !status; p = p->next) {
		if (!p->judged) {
			l->unjudged += p->n;
			continue;
		}
		learn_decide(l, p, l->roots[p->root].now, &effects, &d);
		p->now = d.verdict;
	}
	return status;
}

/* ---- shared output */

void
learn_put_time(struct buf *b, const char *key, int64_t time)
{
	json_put_key(b, key);
	buf_putc(b, '"');
	record_put_time(b, time, false);
	buf_putc(b, '"');
}

void
learn_put_column(struct buf *b, struct str s, size_t columns)
{
	size_t from = b->n;

	show_put(b, s, 0);
	if (b->full)
		return;
	/* Do not cut inside a UTF-8 character. */
	if (b->n - from > columns) {
		size_t end = from + columns - 3;

		while (end > from && (b->p[end] & 0xc0) == 0x80)
			end--;
		b->n = end;
		buf_puts(b, "...");
	}
	while (b->n - from < columns)
		buf_putc(b, ' ');
}
