/* tests/tools/walk.h: visits everything in a syntax tree, for tests. */
#pragma once
#include "parse/tree.h"

/*
 * Each hook may be NULL.  `source` is the text that spans count in: the inner
 * one inside backquotes.  Independent of the analyser's own walk on purpose: one
 * of the two forgetting a child shows.
 */
struct walk {
	void (*span)(struct walk *w, struct str source, struct span at);
	void (*text)(struct walk *w, struct str text);
	void (*node)(struct walk *w, const struct node *n);
	struct str source;
	int depth, deepest;
};

static void walk_list(struct walk *w, const struct list *l);
static void walk_node(struct walk *w, const struct node *n);
static void walk_words(struct walk *w, const struct word *first);

static inline void
walk_span(struct walk *w, struct span at)
{
	if (w->span)
		w->span(w, w->source, at);
}

static inline void
walk_text(struct walk *w, struct str text)
{
	if (w->text && text.p)
		w->text(w, text);
}

static void
walk_sub(struct walk *w, const struct sub *s)
{
	struct str outer = w->source;

	if (s->how == SUB_BACKQUOTE) {
		walk_text(w, s->text);
		w->source = s->text;
	}
	walk_list(w, s->body);
	w->source = outer;
}

static void
walk_param(struct walk *w, const struct param *p)
{
	walk_text(w, p->name);
	walk_words(w, p->subscript);
	walk_words(w, p->arg);
	walk_words(w, p->arg2);
}

static void
walk_part(struct walk *w, const struct part *p)
{
	walk_span(w, p->at);
	switch (p->kind) {
	case PART_TEXT:
		walk_text(w, p->text);
		break;
	case PART_PARAM:
		walk_param(w, p->param);
		break;
	case PART_COMMAND:
	case PART_PROCESS:
		walk_sub(w, p->sub);
		break;
	case PART_ARITH:
		walk_words(w, p->arith);
		break;
	case PART_OPAQUE:
		break;
	}
}

static void
walk_assigns(struct walk *w, const struct assign *first)
{
	for (const struct assign *a = first; a; a = a->next) {
		walk_span(w, a->at);
		walk_text(w, a->name);
		walk_words(w, a->subscript);
		walk_words(w, a->value);
		for (const struct element *e = a->elements; e; e = e->next) {
			walk_words(w, e->subscript);
			walk_words(w, e->value);
		}
	}
}

/* A lone word has no `next`, so this also serves where only one can stand. */
static void
walk_words(struct walk *w, const struct word *first)
{
	if (++w->depth > w->deepest)
		w->deepest = w->depth;
	for (const struct word *d = first; d; d = d->next) {
		walk_span(w, d->at);
		for (const struct part *p = d->parts; p; p = p->next)
			walk_part(w, p);
		walk_assigns(w, d->assign);
	}
	w->depth--;
}

static void
walk_redirs(struct walk *w, const struct redir *first)
{
	for (const struct redir *r = first; r; r = r->next) {
		walk_span(w, r->at);
		walk_text(w, r->var);
		walk_words(w, r->subscript);
		walk_words(w, r->target);
		walk_words(w, r->body);
	}
}

static void
walk_cond(struct walk *w, const struct cond *c)
{
	if (!c)
		return;
	walk_text(w, c->op);
	walk_words(w, c->a);
	walk_words(w, c->b);
	walk_cond(w, c->left);
	walk_cond(w, c->right);
}

static void
walk_node(struct walk *w, const struct node *n)
{
	if (!n)
		return;
	if (w->node)
		w->node(w, n);
	walk_span(w, n->at);
	switch (n->kind) {
	case NODE_SIMPLE:
		walk_assigns(w, n->simple.assigns);
		walk_words(w, n->simple.words);
		break;
	case NODE_SUBSHELL:
	case NODE_GROUP:
		walk_list(w, n->body);
		break;
	case NODE_IF:
		for (const struct branch *b = n->cond_list.branches; b; b = b->next) {
			walk_list(w, b->cond);
			walk_list(w, b->body);
		}
		walk_list(w, n->cond_list.otherwise);
		break;
	case NODE_FOR:
	case NODE_SELECT:
		walk_text(w, n->loop.name);
		walk_words(w, n->loop.words);
		walk_list(w, n->loop.body);
		break;
	case NODE_ARITH_FOR:
		walk_words(w, n->arith_for.init);
		walk_words(w, n->arith_for.test);
		walk_words(w, n->arith_for.step);
		walk_list(w, n->arith_for.body);
		break;
	case NODE_WHILE:
	case NODE_UNTIL:
		walk_list(w, n->repeat.cond);
		walk_list(w, n->repeat.body);
		break;
	case NODE_CASE:
		walk_words(w, n->choice.subject);
		for (const struct case_item *i = n->choice.items; i; i = i->next) {
			walk_words(w, i->patterns);
			walk_list(w, i->body);
		}
		break;
	case NODE_COND:
		walk_cond(w, n->expr);
		break;
	case NODE_ARITH:
		walk_words(w, n->arith);
		break;
	case NODE_FUNCTION:
		walk_text(w, n->function.name);
		walk_node(w, n->function.body);
		break;
	case NODE_COPROC:
		walk_text(w, n->coproc.name);
		walk_node(w, n->coproc.inner);
		break;
	}
	walk_redirs(w, n->redirs);
}

static void
walk_list(struct walk *w, const struct list *l)
{
	if (!l)
		return;
	if (++w->depth > w->deepest)
		w->deepest = w->depth;
	walk_span(w, l->at);
	for (const struct pipeline *p = l->first; p; p = p->next) {
		walk_span(w, p->at);
		for (const struct node *n = p->first; n; n = n->next)
			walk_node(w, n);
	}
	w->depth--;
}
