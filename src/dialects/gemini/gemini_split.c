/*
 * Split a line into commands by the real grammar, also where the original's splitter fails
 * (newlines, comments, here-documents, 2>&1, $'..').
 *
 * The recursion is as deep as the tree, whose depth the parser limits.
 */
#include "dialects/gemini/gemini.h"
#include "parse/parse.h"

struct split_walk {
	struct arena *a;
	struct gemini_view *v;
	struct str source; /* the text that spans refer to */
	bool inner;        /* a backquote body: its spans are meaningless outside */
	struct span outer; /* the position of that body */
};

static void walk_list(struct split_walk *w, const struct list *l);
static void walk_words(struct split_walk *w, const struct word *first);

static void
add_segment(struct split_walk *w, struct span at)
{
	struct gemini_view *v = w->v;
	struct str raw = gemini_trim(str_cut(w->source, at.start, at.end));
	struct str text = gemini_normalise(w->a, raw);

	if (text.p && text.n == 0)
		return;
	if (v->n == v->cap) {
		size_t cap = v->cap ? v->cap * 2 : 8;
		struct gemini_segment *bigger = arena_array(w->a, cap, sizeof *bigger);

		if (bigger && v->n)
			memcpy(bigger, v->segments, v->n * sizeof *bigger);
		v->cap = bigger ? cap : 0;
		v->segments = bigger;
	}
	if (!v->segments || !text.p) {
		v->full = true;
		v->n = v->cap = 0;
		return;
	}
	v->segments[v->n++] =
	    (struct gemini_segment){ text, raw, w->inner ? w->outer : at };
}

static void
walk_sub(struct split_walk *w, const struct part *p)
{
	struct split_walk saved = *w;

	w->v->substitution = true;
	if (p->sub->how == SUB_BACKQUOTE) {
		if (!w->inner)
			w->outer = p->at;
		w->inner = true;
		w->source = p->sub->text;
	}
	walk_list(w, p->sub->body);
	*w = saved;
}

static void
walk_param(struct split_walk *w, const struct param *p)
{
	if (p->op == PARAM_TRANSFORM && p->letter == 'P')
		w->v->prompt = true;
	walk_words(w, p->subscript);
	walk_words(w, p->arg);
	walk_words(w, p->arg2);
}

static void
walk_part(struct split_walk *w, const struct part *p)
{
	switch (p->kind) {
	case PART_TEXT:
	case PART_OPAQUE:
		return;
	case PART_PARAM:
		walk_param(w, p->param);
		return;
	case PART_COMMAND:
	case PART_PROCESS:
		walk_sub(w, p);
		return;
	case PART_ARITH:
		walk_words(w, p->arith);
		return;
	}
}

static void
walk_assigns(struct split_walk *w, const struct assign *first)
{
	for (const struct assign *a = first; a; a = a->next) {
		walk_words(w, a->subscript);
		walk_words(w, a->value);
		for (const struct element *e = a->elements; e; e = e->next) {
			walk_words(w, e->subscript);
			walk_words(w, e->value);
		}
	}
}

static void
walk_words(struct split_walk *w, const struct word *first)
{
	for (const struct word *d = first; d; d = d->next) {
		for (const struct part *p = d->parts; p; p = p->next)
			walk_part(w, p);
		walk_assigns(w, d->assign);
	}
}

static void
walk_redirs(struct split_walk *w, const struct redir *first)
{
	for (const struct redir *r = first; r; r = r->next) {
		walk_words(w, r->subscript);
		walk_words(w, r->target);
		walk_words(w, r->body);
	}
}

static void
walk_cond(struct split_walk *w, const struct cond *c)
{
	if (!c)
		return;
	walk_words(w, c->a);
	walk_words(w, c->b);
	walk_cond(w, c->left);
	walk_cond(w, c->right);
}

static void
walk_branches(struct split_walk *w, const struct node *n)
{
	for (const struct branch *b = n->cond_list.branches; b; b = b->next) {
		walk_list(w, b->cond);
		walk_list(w, b->body);
	}
	walk_list(w, n->cond_list.otherwise);
}

static void
walk_case(struct split_walk *w, const struct node *n)
{
	walk_words(w, n->choice.subject);
	for (const struct case_item *i = n->choice.items; i; i = i->next) {
		walk_words(w, i->patterns);
		walk_list(w, i->body);
	}
}

static void
walk_loop(struct split_walk *w, const struct node *n)
{
	if (n->kind == NODE_ARITH_FOR) {
		walk_words(w, n->arith_for.init);
		walk_words(w, n->arith_for.test);
		walk_words(w, n->arith_for.step);
		walk_list(w, n->arith_for.body);
		return;
	}
	walk_words(w, n->loop.words);
	walk_list(w, n->loop.body);
}

/* `from`: the start of the segment, with a leading `time` or `!`. */
static void
walk_node(struct split_walk *w, const struct node *n, uint32_t from)
{
	struct span at = { from, n->at.end };

	switch (n->kind) {
	case NODE_SIMPLE:
		add_segment(w, at);
		walk_assigns(w, n->simple.assigns);
		walk_words(w, n->simple.words);
		break;
	case NODE_SUBSHELL:
	case NODE_GROUP:
		walk_list(w, n->body);
		break;
	case NODE_IF:
		walk_branches(w, n);
		break;
	case NODE_FOR:
	case NODE_SELECT:
	case NODE_ARITH_FOR:
		walk_loop(w, n);
		break;
	case NODE_WHILE:
	case NODE_UNTIL:
		walk_list(w, n->repeat.cond);
		walk_list(w, n->repeat.body);
		break;
	case NODE_CASE:
		walk_case(w, n);
		break;
	case NODE_COND:
		add_segment(w, at);
		walk_cond(w, n->expr);
		break;
	case NODE_ARITH:
		add_segment(w, at);
		walk_words(w, n->arith);
		break;
	case NODE_FUNCTION:
		walk_node(w, n->function.body, n->function.body->at.start);
		break;
	case NODE_COPROC:
		walk_node(w, n->coproc.inner, n->coproc.inner->at.start);
		break;
	}
	walk_redirs(w, n->redirs);
}

static void
walk_list(struct split_walk *w, const struct list *l)
{
	for (const struct pipeline *p = l ? l->first : NULL; p; p = p->next) {
		if (!p->first)
			add_segment(w, p->at);
		for (const struct node *n = p->first; n; n = n->next)
			walk_node(w, n, n == p->first ? p->at.start : n->at.start);
	}
}

static bool
read_tree(struct arena *a, struct str text, struct gemini_view *v)
{
	struct list *tree = NULL;
	struct split_walk w = { .a = a, .v = v, .source = text };
	int r = parse(a, text, NULL, &tree, &v->error);

	v->full |= r == CORDON_ENOMEM;
	if (r)
		return false;
	walk_list(&w, tree);
	return !v->full;
}

/* The original strips the wrapper before it runs the text: check that text as well. */
static void
look_inside(struct arena *a, struct gemini_view *v)
{
	struct gemini_view inside = { 0 };

	if (str_eq(v->stripped, gemini_trim(v->command)))
		return;
	v->substitution = v->substitution || gemini_scan_substitution(v->stripped);
	(void)read_tree(a, v->stripped, &inside);
	v->substitution = v->substitution || inside.substitution || inside.full;
	v->prompt = v->prompt || inside.prompt;
}

void
gemini_look(struct arena *a, struct str command, const struct analyse_opts *opts,
    struct gemini_view *ret)
{
	static const struct analyse_opts nothing = { { NULL, 0 }, { NULL, 0 } };

	*ret = (struct gemini_view){ .command = command };
	ret->stripped = gemini_strip_wrapper(command);
	ret->parsed =
	    read_tree(a, command, ret) &&
	    analyse(a, command, opts ? opts : &nothing, &ret->effects, &ret->error) == 0;
	look_inside(a, ret);
}

/* The smallest segment that contains the position; a here-document belongs to the segment
 * before it. */
size_t
gemini_segment_of(const struct gemini_view *v, struct span at)
{
	size_t best = v->n, before = 0;

	for (size_t i = 0; i < v->n; i++) {
		struct span s = v->segments[i].at;

		if (s.start <= at.start)
			before = i;
		if (s.start > at.start || s.end <= at.start)
			continue;
		if (best == v->n || s.end - s.start <= v->segments[best].at.end -
							   v->segments[best].at.start)
			best = i;
	}
	return best < v->n ? best : v->n ? before : 0;
}

/* ---- the functions */

void
gemini_split(struct arena *a, struct str command, struct gemini_list *ret)
{
	struct gemini_view v = { 0 };

	ret->given = true;
	if (!read_tree(a, command, &v)) {
		ret->full |= v.full;
		if (!v.full)
			gemini_scan_split(a, command, ret);
		return;
	}
	for (size_t i = 0; i < v.n; i++)
		gemini_add(a, ret, v.segments[i].raw);
}

void
gemini_roots(struct arena *a, struct str command, struct gemini_list *ret)
{
	struct gemini_list parts = { 0 };

	gemini_split(a, command, &parts);
	ret->given = true;
	ret->full = parts.full;
	for (size_t i = 0; i < parts.n; i++) {
		struct str root = gemini_root(parts.v[i]);

		if (root.n)
			gemini_add(a, ret, root);
	}
}

bool
gemini_substitution(struct arena *a, struct str command)
{
	struct gemini_view v = { 0 };

	if (gemini_scan_substitution(command))
		return true;
	(void)read_tree(a, command, &v);
	return v.substitution || v.full;
}
