/* Walk lists, pipelines and compound commands. */
#include "analyse/guess.h"
#include "analyse/names.h"
#include "analyse/programs/programs.h"
#include "analyse/word/word.h"
#include "base/limits.h"
#include "base/path.h"

/* Limit for visited nodes, with unrolled loops and called functions. */
#define STEPS_MAX 65536
/* Limit for walking a body again because its loop runs over known words. */
#define UNROLL_MAX 32
/* Limit for expansions of a line that could fail. */
#define ABORTS_MAX 64

struct flow
flow_of(struct state s)
{
	return (struct flow){ s, s };
}

struct state
state_joined(struct walk *w, struct state x, struct state y)
{
	struct state s = x;

	if (!state_join(w->a, &x, &y, &s))
		walk_fail(w, CORDON_ENOMEM, (struct span){ 0, 0 },
		    "the command needs more memory than its limit");
	return s;
}

static struct state
ended(struct walk *w, struct flow f)
{
	return state_joined(w, f.ok, f.fail);
}

static struct state
dead_end(struct state s)
{
	s.dead = true;
	return s;
}

void
may_abort(struct walk *w, const struct state *s)
{
	/* Each join costs memory: beyond the limit, forget everything instead. */
	if (++w->aborts <= ABORTS_MAX)
		w->aborted = state_joined(w, w->aborted, *s);
	else if (!s->dead)
		w->aborted = forget_all(w, *s);
}

/* The state at the start of a body that its loop may have run before. */
static struct state
again(struct walk *w, const struct changes *scan, struct state s)
{
	scan_apply(w, scan, &s);
	return s;
}

/* ---- compound commands */

static struct flow
walk_if(struct walk *w, const struct node *node, struct state s)
{
	struct flow all = flow_of(dead_end(s)), f;

	for (const struct branch *b = node->cond_list.branches; b && !w->failed;
	     b = b->next) {
		struct flow cond = walk_list(w, b->cond, s);

		f = walk_list(w, b->body, cond.ok);
		all.ok = state_joined(w, all.ok, f.ok);
		all.fail = state_joined(w, all.fail, f.fail);
		s = cond.fail;
	}
	f = node->cond_list.otherwise ? walk_list(w, node->cond_list.otherwise, s)
				      : flow_of(s);
	all.ok = state_joined(w, all.ok, f.ok);
	/* An if without else succeeds if no branch is taken. */
	if (node->cond_list.otherwise)
		all.fail = state_joined(w, all.fail, f.fail);
	return all;
}

static struct flow
walk_repeat(struct walk *w, const struct node *node, struct state s)
{
	struct changes scan = { 0 };
	struct flow cond, body;

	scan_list(w, node->repeat.cond, &scan);
	scan_list(w, node->repeat.body, &scan);
	s = again(w, &scan, s);
	cond = walk_list(w, node->repeat.cond, s);
	body =
	    walk_list(w, node->repeat.body, node->kind == NODE_WHILE ? cond.ok : cond.fail);
	s = state_joined(w, s, ended(w, body));
	return flow_of(state_joined(w, s, ended(w, cond)));
}

static struct flow
walk_arith_for(struct walk *w, const struct node *node, struct state s)
{
	struct changes scan = { 0 };

	arith_word(w, node->arith_for.init, &s);
	scan_node(w, node, &scan);
	s = again(w, &scan, s);
	arith_word(w, node->arith_for.test, &s);
	arith_word(w, node->arith_for.step, &s);
	return flow_of(state_joined(w, s, ended(w, walk_list(w, node->arith_for.body, s))));
}

static bool
all_known(const struct fields *f)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->v[i].kind != FIELD_STR)
			return false;
	return true;
}

/* A for or select loop over words. */
struct word_loop {
	const struct node *node;
	struct span at;
	struct fields words;
	struct changes scan; /* changes by the body */
	bool guessable;      /* unknown words could be guessed */
};

/* Walk the body once, with an unknown value of the variable. */
static struct flow
walk_for_unknown(struct walk *w, const struct word_loop *l, struct state s)
{
	const struct node *node = l->node;
	struct field value = { .kind = FIELD_ONE, .text = STR(""), .at = l->at };
	struct state before = s;

	value.number = l->words.n > 0;
	for (size_t i = 0; i < l->words.n; i++)
		value.number &= l->words.v[i].kind == FIELD_STR
				    ? is_number(l->words.v[i].text)
				    : l->words.v[i].number;
	if (l->words.n == 1)
		value.among = l->words.v[0].among;
	assign_name(w, node->loop.name, value, l->at, &s);
	if (l->guessable)
		guess_words(w, node->loop.name, node->loop.words, s);
	if (node->kind == NODE_SELECT)
		assign_name(w, STR("REPLY"),
		    (struct field){ .kind = FIELD_ONE, .text = STR("") }, l->at, &s);
	return flow_of(state_joined(w, before, ended(w, walk_list(w, node->loop.body, s))));
}

/* Walk the body once for each word. */
static struct flow
walk_for_each(struct walk *w, const struct word_loop *l, struct state first)
{
	/* After a jump out of the body, a round may follow any earlier one. */
	struct state any = l->scan.jumps ? again(w, &l->scan, first) : first;
	struct state end = any;

	w->loops *= (unsigned)l->words.n;
	for (size_t i = 0; i < l->words.n && !w->failed; i++) {
		struct field word = l->words.v[i];
		struct state from = i == 0 ? first : l->scan.jumps ? any : end;

		assign_name(w, l->node->loop.name, word, word.at, &from);
		end =
		    state_joined(w, end, ended(w, walk_list(w, l->node->loop.body, from)));
	}
	w->loops /= (unsigned)l->words.n;
	forget_name(w, l->node->loop.name, &end);
	return flow_of(end);
}

static struct flow
walk_for(struct walk *w, const struct node *node, struct state s)
{
	struct word_loop l = { .node = node, .at = walk_span(w, node->at) };
	bool outer = guess_watch(w), is_for = node->kind == NODE_FOR;

	if (node->loop.has_in)
		eval_words(w, node->loop.words, &s, &l.words);
	l.guessable = guess_found(w, outer);
	scan_list(w, node->loop.body, &l.scan);
	if (is_for && l.words.n > 0 && all_known(&l.words) &&
	    w->loops * l.words.n <= UNROLL_MAX)
		return walk_for_each(w, &l, s);
	w->cut |= is_for && l.words.n > UNROLL_MAX;
	return walk_for_unknown(w, &l, again(w, &l.scan, s));
}

static struct flow
walk_case(struct walk *w, const struct node *node, struct state s)
{
	struct state end, through = dead_end(s);

	eval_visit(w, node->choice.subject, &s);
	end = s;
	for (const struct case_item *i = node->choice.items; i && !w->failed; i = i->next) {
		struct state from;

		for (const struct word *p = i->patterns; p; p = p->next)
			eval_visit(w, p, &s);
		from = ended(w, walk_list(w, i->body, state_joined(w, s, through)));
		through = i->end == CASE_BREAK ? dead_end(from) : from;
		end = state_joined(w, end, from);
	}
	return flow_of(state_joined(w, end, s));
}

static void
walk_cond(struct walk *w, const struct cond *c, struct state *s)
{
	struct str name;

	if (!c || w->failed)
		return;
	switch (c->kind) {
	case COND_AND:
	case COND_OR:
	case COND_NOT:
	case COND_GROUP:
		walk_cond(w, c->left, s);
		walk_cond(w, c->right, s);
		return;
	case COND_UNARY:
		if (str_is(c->op, "-v") || str_is(c->op, "-R"))
			(void)arith_target(w, eval_single(w, c->a, s, false), &name);
		else
			eval_visit(w, c->a, s);
		return;
	case COND_BINARY:
		if (str_among(c->op, "-eq\0-ne\0-lt\0-le\0-gt\0-ge\0")) {
			arith_word(w, c->a, s);
			arith_word(w, c->b, s);
			return;
		}
		eval_visit(w, c->a, s);
		eval_visit(w, c->b, s);
		return;
	case COND_WORD:
		eval_visit(w, c->a, s);
		return;
	}
}

/* ---- all kinds of nodes */

static void
walk_coproc(struct walk *w, const struct node *node, struct state s)
{
	struct state aborted = w->aborted;

	(void)walk_node(w, node->coproc.inner, s);
	w->aborted = aborted;
}

static struct flow
walk_body(struct walk *w, const struct node *node, struct state s)
{
	struct flow f = flow_of(s);

	switch (node->kind) {
	case NODE_SIMPLE:
		return walk_simple(w, node, s);
	case NODE_SUBSHELL:
		walk_sub(w, node->body, s);
		return f;
	case NODE_GROUP:
		return walk_list(w, node->body, s);
	case NODE_IF:
		return walk_if(w, node, s);
	case NODE_FOR:
	case NODE_SELECT:
		return walk_for(w, node, s);
	case NODE_ARITH_FOR:
		return walk_arith_for(w, node, s);
	case NODE_WHILE:
	case NODE_UNTIL:
		return walk_repeat(w, node, s);
	case NODE_CASE:
		return walk_case(w, node, s);
	case NODE_COND:
		walk_cond(w, node->expr, &s);
		return flow_of(s);
	case NODE_ARITH:
		arith_word(w, node->arith, &s);
		return flow_of(s);
	case NODE_FUNCTION:
		return define_function(w, node, s);
	case NODE_COPROC:
		walk_coproc(w, node, s);
		forget_name(w, node->coproc.name, &s);
		return flow_of(s);
	}
	return f;
}

static struct flow
walk_compound(struct walk *w, const struct node *node, struct state s)
{
	struct flow f;

	walk_redirs(w, node->redirs, &s);
	if (node->redirs)
		w->input =
		    guess_input(w, &(struct invocation){ .redirs = node->redirs }, &s);
	f = walk_body(w, node, s);
	if (redirs_may_fail(node->redirs)) /* then nothing of it was run */
		f.fail = state_joined(w, f.fail, s);
	return f;
}

struct flow
walk_node(struct walk *w, const struct node *node, struct state s)
{
	struct flow f = flow_of(s);
	struct str input = w->input;

	if (++w->steps > STEPS_MAX)
		walk_fail(w, CORDON_ELIMIT, node->at, "too many commands to analyse");
	if (w->failed)
		return f;
	if (node->kind == NODE_SIMPLE)
		return walk_simple(w, node, s);
	if (w->piped.p)
		w->input = w->piped;
	w->piped.p = NULL;
	if (node->kind == NODE_FUNCTION)
		return define_function(w, node, s);
	/* A function defined inside a compound command is defined on some paths only. */
	w->level++;
	f = walk_compound(w, node, s);
	w->level--;
	w->input = input;
	return f;
}

/* ---- pipelines and lists */

static struct flow
walk_pipeline(struct walk *w, const struct pipeline *p, struct state s)
{
	struct flow f = flow_of(s);

	w->piped.p = NULL;
	if (!p->first)
		return f;
	if (!p->first->next)
		f = walk_node(w, p->first, s);
	else {
		struct state aborted = w->aborted;

		struct str in = { NULL, 0 };
		bool decoded = false;

		w->level++;
		w->forks++;
		for (const struct node *n = p->first; n && !w->failed; n = n->next) {
			w->piped = in;
			w->decoded = decoded;
			(void)walk_node(w, n, s);
			in = known_output_of(w, n, in, &s);
			decoded = in.p && filter_decodes(n, decoded);
		}
		w->piped.p = NULL;
		w->forks--;
		w->level--;
		w->aborted = aborted;
	}
	if (p->negated)
		f = (struct flow){ f.fail, f.ok };
	return f;
}

/* Walk one a && b || c, up to its ; or &. *ret_last is its last pipeline. */
static struct flow
walk_chain(struct walk *w, const struct pipeline *p, struct state s,
    const struct pipeline **ret_last)
{
	struct flow all = walk_pipeline(w, p, s), f;

	for (; p->next && (p->after == AFTER_AND || p->after == AFTER_OR) && !w->failed;
	     p = p->next) {
		w->level++;
		if (p->after == AFTER_AND) {
			f = walk_pipeline(w, p->next, all.ok);
			all = (struct flow){ f.ok, state_joined(w, all.fail, f.fail) };
		} else {
			f = walk_pipeline(w, p->next, all.fail);
			all = (struct flow){ state_joined(w, all.ok, f.ok), f.fail };
		}
		w->level--;
	}
	*ret_last = p;
	return all;
}

static bool
is_background(const struct pipeline *p)
{
	while (p->next && (p->after == AFTER_AND || p->after == AFTER_OR))
		p = p->next;
	return p->after == AFTER_BACKGROUND;
}

/* Walk one chain of a list; a chain before & leaves the state unchanged. */
static struct flow
walk_step(struct walk *w, const struct pipeline **p, struct flow before)
{
	const struct pipeline *last;
	struct state from = ended(w, before), aborted = w->aborted;
	bool forks = is_background(*p);
	struct flow f;

	w->forks += forks;
	f = walk_chain(w, *p, from, &last);
	w->forks -= forks;

	if (last->after == AFTER_BACKGROUND) {
		f = flow_of(from);
		w->aborted = aborted;
	}
	*p = last;
	return f;
}

struct flow
walk_list(struct walk *w, const struct list *list, struct state s)
{
	struct flow f = flow_of(s);

	for (const struct pipeline *p = list ? list->first : NULL; p && !w->failed;
	     p = p->next)
		f = walk_step(w, &p, f);
	return f;
}

/* Is there a line end between this command and the next? */
static bool
line_ends(const struct walk *w, const struct pipeline *p)
{
	struct str text = w->frame.text, between;

	if (!p->next)
		return true;
	if (p->at.end > p->next->at.start || p->next->at.start > text.n)
		return true;
	between = str_cut(text, p->at.end, p->next->at.start);
	return str_find(between, '\n') < between.n;
}

/*
 * Walk the commands of a whole text. An error in an expansion ends its line, at any depth;
 * the next line runs with the state at that point.
 */
static struct flow
walk_lines(struct walk *w, const struct list *list, struct state s)
{
	struct flow f = flow_of(s);
	struct state outer = w->aborted, none = dead_end(s);

	w->aborted = none;
	for (const struct pipeline *p = list ? list->first : NULL; p && !w->failed;
	     p = p->next) {
		f = walk_step(w, &p, f);
		if (!line_ends(w, p))
			continue;
		f.fail = state_joined(w, f.fail, w->aborted);
		w->aborted = none;
		w->aborts = 0;
	}
	w->aborted = outer;
	return f;
}

void
walk_sub(struct walk *w, const struct list *list, struct state s)
{
	struct state aborted = w->aborted;

	w->level++;
	(void)walk_list(w, list, s);
	w->level--;
	w->aborted = aborted;
}

bool
walk_source(struct walk *w, struct str text, enum dialect dialect, struct span at,
    struct str via, struct state s, struct flow *ret)
{
	struct parse_opts opts = { .dialect = dialect };
	struct frame frame = w->frame;
	const struct via *outer = w->via;
	struct via *link = walk_alloc(w, sizeof *link);
	struct list *list;

	*ret = flow_of(forget_all(w, s));
	w->source_bytes += text.n;
	if (!link)
		return false;
	if (w->depth >= LIMIT_SOURCES || w->source_bytes > LIMIT_SOURCE_BYTES) {
		add_unknown(w, at, UNKNOWN_DEEP);
		return false;
	}
	if (parse(w->a, text, &opts, &list, &w->err)) {
		if (w->err.code == CORDON_ENOMEM)
			walk_fail(w, CORDON_ENOMEM, at,
			    "the command needs more memory than its limit");
		else
			add_unknown(w, at, UNKNOWN_UNREAD);
		return false;
	}
	*link = (struct via){ via, outer };
	w->via = link;
	w->frame = (struct frame){ true, at, dialect, text };
	w->depth++;
	*ret = walk_lines(w, list, s);
	w->depth--;
	w->frame = frame;
	w->via = outer;
	return true;
}

/* ---- entry points */

static int
analyse_text(struct arena *a, struct str text, const struct analyse_opts *opts,
    struct analyse_shapes shapes, bool argv, struct effects *ret, struct err *reterr)
{
	struct walk w = { .a = a,
		.opts = opts,
		.shapes = shapes,
		.loops = 1,
		.frame = { .text = text },
		.aborted = { .cwd = &dirs_anywhere, .old = &dirs_anywhere, .dead = true } };
	struct state s = { .cwd = &dirs_anywhere, .old = &dirs_anywhere };
	struct list *list;
	int r = parse(a, text, &(struct parse_opts){ .argv = argv }, &list, reterr);

	if (r)
		return r;
	w.command_end = &w.out.commands;
	w.chdir_end = &w.out.chdirs;
	w.file_end = &w.out.files;
	w.net_end = &w.out.nets;
	w.env_end = &w.out.env;
	w.unknown_end = &w.out.unknowns;
	if (opts->cwd.n && (s.cwd = dirs_one(a, opts->cwd, true)) == NULL)
		return err_at(reterr, CORDON_ENOMEM, 0, "out of memory");
	(void)walk_lines(&w, list, s);
	walk_uncalled(&w);
	check_whole(&w);
	if (w.failed) {
		if (reterr)
			*reterr = w.err;
		return w.err.code;
	}
	*ret = w.out;
	return 0;
}

int
analyse_with(struct arena *a, struct str text, const struct analyse_opts *opts,
    struct analyse_shapes shapes, struct effects *ret, struct err *reterr)
{
	return analyse_text(a, text, opts, shapes, false, ret, reterr);
}

int
analyse_argv(struct arena *a, struct str text, const struct analyse_opts *opts,
    struct analyse_shapes shapes, struct effects *ret, struct err *reterr)
{
	return analyse_text(a, text, opts, shapes, true, ret, reterr);
}

int
analyse(struct arena *a, struct str text, const struct analyse_opts *opts,
    struct effects *ret, struct err *reterr)
{
	return analyse_with(a, text, opts, (struct analyse_shapes){ NULL, 0 }, ret, reterr);
}
