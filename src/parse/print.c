#include "parse/print.h"
#include "parse/emit.h"

/* Recursion is bounded: LIMIT_NESTING limits the depth of the tree. */

static void put_list(struct emit *o, const char *key, const struct list *list);
static void put_node(struct emit *o, const char *key, const struct node *n);
static void put_word(struct emit *o, const char *key, const struct word *w);

static const char part_names[][8] = {
	[PART_TEXT] = "text",
	[PART_PARAM] = "param",
	[PART_COMMAND] = "command",
	[PART_PROCESS] = "process",
	[PART_ARITH] = "arith",
	[PART_OPAQUE] = "opaque",
};

static const char sub_names[][3] = {
	[SUB_DOLLAR] = "$(",
	[SUB_BACKQUOTE] = "`",
	[SUB_IN] = "<(",
	[SUB_OUT] = ">(",
};

static const char param_names[][10] = {
	[PARAM_PLAIN] = "plain",
	[PARAM_LENGTH] = "length",
	[PARAM_NAMES] = "names",
	[PARAM_KEYS] = "keys",
	[PARAM_DEFAULT] = "default",
	[PARAM_ASSIGN] = "assign",
	[PARAM_ERROR] = "error",
	[PARAM_ALTERNATE] = "alternate",
	[PARAM_PREFIX] = "prefix",
	[PARAM_SUFFIX] = "suffix",
	[PARAM_REPLACE] = "replace",
	[PARAM_CASE] = "case",
	[PARAM_SUBSTRING] = "substring",
	[PARAM_TRANSFORM] = "transform",
};

static const char redir_names[][4] = {
	[REDIR_IN] = "<",
	[REDIR_OUT] = ">",
	[REDIR_CLOBBER] = ">|",
	[REDIR_APPEND] = ">>",
	[REDIR_RDWR] = "<>",
	[REDIR_BOTH] = "&>",
	[REDIR_BOTH_APPEND] = "&>>",
	[REDIR_DUP_IN] = "<&",
	[REDIR_DUP_OUT] = ">&",
	[REDIR_HEREDOC] = "<<",
	[REDIR_HERESTRING] = "<<<",
};

static const char cond_names[][8] = {
	[COND_AND] = "and",
	[COND_OR] = "or",
	[COND_NOT] = "not",
	[COND_GROUP] = "group",
	[COND_UNARY] = "unary",
	[COND_BINARY] = "binary",
	[COND_WORD] = "operand",
};

static const char node_names[][10] = {
	[NODE_SIMPLE] = "simple",
	[NODE_SUBSHELL] = "subshell",
	[NODE_GROUP] = "group",
	[NODE_IF] = "if",
	[NODE_FOR] = "for",
	[NODE_SELECT] = "select",
	[NODE_ARITH_FOR] = "arith-for",
	[NODE_WHILE] = "while",
	[NODE_UNTIL] = "until",
	[NODE_CASE] = "case",
	[NODE_COND] = "cond",
	[NODE_ARITH] = "arith",
	[NODE_FUNCTION] = "function",
	[NODE_COPROC] = "coproc",
};

static const char after_names[][3] = {
	[AFTER_END] = ";",
	[AFTER_BACKGROUND] = "&",
	[AFTER_AND] = "&&",
	[AFTER_OR] = "||",
};

static const char case_ends[][4] = {
	[CASE_BREAK] = ";;",
	[CASE_FALL] = ";&",
	[CASE_TEST_NEXT] = ";;&",
};

static void
put_param(struct emit *o, const struct param *m)
{
	emit_str(o, "name", m->name);
	emit_str(o, "op", str_from_c(param_names[m->op]));
	emit_flag(o, "indirect", m->indirect);
	emit_flag(o, "colon", m->colon);
	emit_flag(o, "doubled", m->doubled);
	emit_flag(o, "all", m->all);
	if (m->letter)
		emit_str(o, "letter", str_of(&m->letter, 1));
	put_word(o, "subscript", m->subscript);
	put_word(o, "arg", m->arg);
	put_word(o, "arg2", m->arg2);
}

static void
put_part(struct emit *o, const struct part *part)
{
	emit_open(o, NULL, part_names[part->kind], &part->at);
	emit_flag(o, "quoted", part->quoted);
	switch (part->kind) {
	case PART_TEXT:
	case PART_OPAQUE:
		emit_str(o, "text", part->text);
		break;
	case PART_PARAM:
		put_param(o, part->param);
		break;
	case PART_COMMAND:
	case PART_PROCESS:
		emit_str(o, "how", str_from_c(sub_names[part->sub->how]));
		if (part->sub->how == SUB_BACKQUOTE)
			emit_str(o, "source", part->sub->text);
		put_list(o, "body", part->sub->body);
		break;
	case PART_ARITH:
		put_word(o, "expr", part->arith);
		break;
	}
	emit_close(o);
}

static void
put_element(struct emit *o, const struct element *e)
{
	emit_open(o, NULL, "element", NULL);
	emit_flag(o, "append", e->append);
	put_word(o, "subscript", e->subscript);
	put_word(o, "value", e->value);
	emit_close(o);
}

static void
put_assign(struct emit *o, const struct assign *a)
{
	emit_open(o, NULL, "assign", &a->at);
	emit_str(o, "name", a->name);
	emit_flag(o, "append", a->append);
	emit_flag(o, "array", a->array);
	put_word(o, "subscript", a->subscript);
	put_word(o, "value", a->value);
	if (a->array) {
		emit_list(o, "elements");
		for (const struct element *e = a->elements; e; e = e->next)
			put_element(o, e);
		emit_list_end(o);
	}
	emit_close(o);
}

static void
put_word(struct emit *o, const char *key, const struct word *w)
{
	if (!w)
		return;
	emit_open(o, key, "word", &w->at);
	emit_list(o, "parts");
	for (const struct part *part = w->parts; part; part = part->next)
		put_part(o, part);
	if (w->assign)
		put_assign(o, w->assign);
	emit_list_end(o);
	emit_close(o);
}

static void
put_words(struct emit *o, const char *key, const struct word *w)
{
	emit_list(o, key);
	for (; w; w = w->next)
		put_word(o, NULL, w);
	emit_list_end(o);
}

static void
put_redirs(struct emit *o, const struct redir *r)
{
	if (!r)
		return;
	emit_list(o, "redirs");
	for (; r; r = r->next) {
		emit_open(o, NULL, "redir", &r->at);
		emit_str(o, "op", str_from_c(redir_names[r->op]));
		if (r->fd >= 0)
			emit_int(o, "fd", r->fd);
		if (r->var.p)
			emit_str(o, "var", r->var);
		emit_flag(o, "inert", r->inert);
		put_word(o, "subscript", r->subscript);
		put_word(o, "target", r->target);
		put_word(o, "body", r->body);
		emit_close(o);
	}
	emit_list_end(o);
}

static void
put_cond(struct emit *o, const char *key, const struct cond *c)
{
	if (!c)
		return;
	emit_open(o, key, cond_names[c->kind], NULL);
	if (c->op.p)
		emit_str(o, "op", c->op);
	put_word(o, "a", c->a);
	put_word(o, "b", c->b);
	put_cond(o, "left", c->left);
	put_cond(o, "right", c->right);
	emit_close(o);
}

static void
put_branches(struct emit *o, const struct node *n)
{
	emit_list(o, "branches");
	for (const struct branch *b = n->cond_list.branches; b; b = b->next) {
		emit_open(o, NULL, "branch", NULL);
		put_list(o, "cond", b->cond);
		put_list(o, "body", b->body);
		emit_close(o);
	}
	emit_list_end(o);
	put_list(o, "else", n->cond_list.otherwise);
}

static void
put_items(struct emit *o, const struct node *n)
{
	put_word(o, "subject", n->choice.subject);
	emit_list(o, "items");
	for (const struct case_item *item = n->choice.items; item; item = item->next) {
		emit_open(o, NULL, "item", NULL);
		emit_str(o, "end", str_from_c(case_ends[item->end]));
		put_words(o, "patterns", item->patterns);
		put_list(o, "body", item->body);
		emit_close(o);
	}
	emit_list_end(o);
}

static void
put_simple(struct emit *o, const struct node *n)
{
	if (n->simple.assigns) {
		emit_list(o, "assigns");
		for (const struct assign *a = n->simple.assigns; a; a = a->next)
			put_assign(o, a);
		emit_list_end(o);
	}
	put_words(o, "words", n->simple.words);
}

static void
put_loop(struct emit *o, const struct node *n)
{
	emit_str(o, "name", n->loop.name);
	emit_flag(o, "in", n->loop.has_in);
	put_words(o, "words", n->loop.words);
	put_list(o, "body", n->loop.body);
}

static void
put_arith_for(struct emit *o, const struct node *n)
{
	put_word(o, "init", n->arith_for.init);
	put_word(o, "test", n->arith_for.test);
	put_word(o, "step", n->arith_for.step);
	put_list(o, "body", n->arith_for.body);
}

static void
put_inside(struct emit *o, const struct node *n)
{
	switch (n->kind) {
	case NODE_SIMPLE:
		put_simple(o, n);
		break;
	case NODE_SUBSHELL:
	case NODE_GROUP:
		put_list(o, "body", n->body);
		break;
	case NODE_IF:
		put_branches(o, n);
		break;
	case NODE_FOR:
	case NODE_SELECT:
		put_loop(o, n);
		break;
	case NODE_ARITH_FOR:
		put_arith_for(o, n);
		break;
	case NODE_WHILE:
	case NODE_UNTIL:
		put_list(o, "cond", n->repeat.cond);
		put_list(o, "body", n->repeat.body);
		break;
	case NODE_CASE:
		put_items(o, n);
		break;
	case NODE_COND:
		put_cond(o, "expr", n->expr);
		break;
	case NODE_ARITH:
		put_word(o, "expr", n->arith);
		break;
	case NODE_FUNCTION:
		emit_str(o, "name", n->function.name);
		put_node(o, "body", n->function.body);
		break;
	case NODE_COPROC:
		emit_str(o, "name", n->coproc.name);
		put_node(o, "command", n->coproc.inner);
		break;
	}
}

static void
put_node(struct emit *o, const char *key, const struct node *n)
{
	emit_open(o, key, node_names[n->kind], &n->at);
	emit_flag(o, "pipe_errors", n->pipe_errors);
	put_inside(o, n);
	put_redirs(o, n->redirs);
	emit_close(o);
}

static void
put_list(struct emit *o, const char *key, const struct list *list)
{
	if (!list)
		return;
	emit_open(o, key, "list", &list->at);
	emit_list(o, "pipelines");
	for (const struct pipeline *pl = list->first; pl; pl = pl->next) {
		emit_open(o, NULL, "pipeline", &pl->at);
		emit_str(o, "after", str_from_c(after_names[pl->after]));
		emit_flag(o, "negated", pl->negated);
		emit_flag(o, "timed", pl->timed);
		emit_list(o, "commands");
		for (const struct node *n = pl->first; n; n = n->next)
			put_node(o, NULL, n);
		emit_list_end(o);
		emit_close(o);
	}
	emit_list_end(o);
	emit_close(o);
}

void
tree_print(struct buf *b, const struct list *top)
{
	struct emit o = { .b = b };

	put_list(&o, NULL, top);
	buf_putc(b, '\n');
}

void
tree_print_json(struct buf *b, const struct list *top)
{
	struct emit o = { .b = b, .json = true };

	put_list(&o, NULL, top);
}
