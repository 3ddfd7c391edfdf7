/*
 * Find what a loop body may change, before walking it: the second round begins with the
 * state that the first one left. Only commands in this shell count, so subshells,
 * substitutions, longer pipelines and background jobs are skipped.
 */
#include "analyse/names.h"
#include "analyse/programs/programs.h"
#include "analyse/word/word.h"

/* Limit for calls that are scanned. */
#define SCANNED_CALLS_MAX 4096

static void
scan_name(struct walk *w, struct changes *out, struct str name)
{
	struct scan_name *n;

	if (!is_name(name)) {
		out->all = true;
		return;
	}
	n = walk_alloc(w, sizeof *n);
	if (!n)
		return;
	*n = (struct scan_name){ name, out->names };
	out->names = n;
}

static bool
literal(const struct word *word, struct str *ret)
{
	const struct part *p = word->parts;

	if (!p || p->next || p->kind != PART_TEXT)
		return false;
	*ret = p->text;
	return true;
}

static void scan_word(struct walk *w, const struct word *word, struct changes *out);

/* Every name in an expression may be assigned there. */
static void
scan_arith(struct walk *w, const struct word *word, struct changes *out)
{
	for (const struct part *p = word ? word->parts : NULL; p; p = p->next) {
		if (p->kind != PART_TEXT) {
			struct part copy = *p;
			struct word alone = { .parts = &copy };

			copy.next = NULL;
			scan_word(w, &alone, out);
			continue;
		}
		for (size_t i = 0; i < p->text.n;) {
			size_t n = name_length(str_skip(p->text, i));

			if (n > 0)
				scan_name(w, out, str_cut(p->text, i, i + n));
			i += n ? n : 1;
		}
	}
}

/* ${x:=v} and $((x=1)) assign too. */
static void
scan_word(struct walk *w, const struct word *word, struct changes *out)
{
	if (!word)
		return;
	for (const struct part *p = word->parts; p && !w->failed; p = p->next) {
		if (p->kind == PART_ARITH)
			scan_arith(w, p->arith, out);
		if (p->kind != PART_PARAM)
			continue;
		if (p->param->op == PARAM_ASSIGN)
			scan_name(w, out, p->param->name);
		scan_arith(w, p->param->subscript, out);
		if (p->param->op == PARAM_SUBSTRING) {
			scan_arith(w, p->param->arg, out);
			scan_arith(w, p->param->arg2, out);
		} else {
			scan_word(w, p->param->arg, out);
			scan_word(w, p->param->arg2, out);
		}
	}
}

static void
scan_words(struct walk *w, const struct word *words, struct changes *out)
{
	for (; words; words = words->next)
		scan_word(w, words, out);
}

enum change {
	CHANGES_NOTHING,
	CHANGES_DIRECTORY,
	CHANGES_NAMES, /* the variables named by its words */
	CHANGES_ALL,
	STANDS_FOR, /* runs the command in its words */
	JUMPS,
};

static enum change
builtin_change(struct str name)
{
	static const struct {
		char name[10];
		unsigned char change;
	} table[] = { { "cd", CHANGES_DIRECTORY }, { "pushd", CHANGES_DIRECTORY },
		{ "popd", CHANGES_DIRECTORY }, { "read", CHANGES_NAMES },
		{ "export", CHANGES_NAMES }, { "declare", CHANGES_NAMES },
		{ "typeset", CHANGES_NAMES }, { "local", CHANGES_NAMES },
		{ "readonly", CHANGES_NAMES }, { "unset", CHANGES_NAMES },
		{ "printf", CHANGES_NAMES }, { "getopts", CHANGES_NAMES },
		{ "mapfile", CHANGES_NAMES }, { "readarray", CHANGES_NAMES },
		{ "wait", CHANGES_NAMES }, { "let", CHANGES_ALL }, { "eval", CHANGES_ALL },
		{ "source", CHANGES_ALL }, { ".", CHANGES_ALL }, { "command", STANDS_FOR },
		{ "builtin", STANDS_FOR }, { "set", CHANGES_ALL }, { "shift", CHANGES_ALL },
		{ "trap", CHANGES_ALL }, { "break", JUMPS }, { "continue", JUMPS },
		{ "return", JUMPS } };

	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (str_is(name, table[i].name))
			return (enum change)table[i].change;
	return CHANGES_NOTHING;
}

/* The names among the words of read, export ...: each literal word up to its = or [. */
static void
scan_named(struct walk *w, const struct word *words, struct changes *out)
{
	for (; words && !out->all; words = words->next) {
		const struct part *p = words->parts;
		size_t end;

		if (words->assign) {
			scan_name(w, out, words->assign->name);
			continue;
		}
		if (!p || p->kind != PART_TEXT) {
			out->all = true;
			return;
		}
		end = name_length(p->text);
		if (end > 0)
			scan_name(w, out, str_cut(p->text, 0, end));
	}
}

/* printf and wait set a variable only with an option first. */
static bool
sets_no_name(struct str name, const struct word *args)
{
	struct str first;

	if (!str_is(name, "printf") && !str_is(name, "wait"))
		return false;
	if (!args)
		return true;
	return literal(args, &first) && !str_starts(first, STR("-"));
}

/* Anything may change: eval, a computed name, an unknown function. */
static void
scan_anything(struct changes *out)
{
	out->all = out->cd = out->jumps = true;
}

/* A call changes what the function body changes; in sh, break also leaves through it. */
static void
scan_call(struct walk *w, struct function *f, struct changes *out)
{
	bool jumps = out->jumps;

	if (!out->id)
		out->id = ++w->scans;
	if (!f || f->ambiguous || ++w->scanned_calls > SCANNED_CALLS_MAX) {
		scan_anything(out);
		return;
	}
	if (f->scan == out->id)
		return;
	f->scan = out->id;
	scan_node(w, f->body, out);
	if (w->frame.dialect == DIALECT_BASH && !out->all)
		out->jumps = jumps;
}

/* The words after command or builtin; NULL if there are none, or with -v or -V. */
static const struct word *
stands_for(const struct word *words, bool *ret_sure)
{
	struct str text;

	*ret_sure = true;
	for (; words; words = words->next) {
		if (!literal(words, &text)) {
			*ret_sure = false;
			return NULL;
		}
		if (str_is(text, "--"))
			return words->next;
		if (!str_starts(text, STR("-")))
			return words;
		if (str_find(text, 'v') < text.n || str_find(text, 'V') < text.n)
			return NULL;
	}
	return NULL;
}

static void
scan_unset(struct walk *w, const struct word *words)
{
	struct str name;

	for (; words; words = words->next)
		if (literal(words, &name))
			function_forget(w, name);
}

static void
scan_command(struct walk *w, const struct word *words, bool functions, struct changes *out)
{
	bool sure;
	struct str name;

	if (!literal(words, &name)) {
		scan_anything(out);
		return;
	}
	if (functions && name_has(w, name, NAME_FUNCTION)) {
		scan_call(w, function_named(w, name), out);
		return;
	}
	if (sets_no_name(name, words->next))
		return;
	if (str_is(name, "unset"))
		scan_unset(w, words->next);
	switch (builtin_change(name)) {
	case CHANGES_NOTHING:
		return;
	case CHANGES_DIRECTORY:
		out->cd = true;
		return;
	case CHANGES_NAMES:
		scan_named(w, words->next, out);
		scan_name(w, out, STR("REPLY"));
		return;
	case CHANGES_ALL:
		scan_anything(out);
		return;
	case STANDS_FOR:
		words = stands_for(words->next, &sure);
		if (words)
			scan_command(w, words, false, out);
		else if (!sure)
			scan_anything(out);
		return;
	case JUMPS:
		out->jumps = true;
		return;
	}
}

static void
scan_simple(struct walk *w, const struct node *node, struct changes *out)
{
	const struct word *words = node->simple.words;

	for (const struct assign *a = node->simple.assigns; a; a = a->next) {
		/* sh keeps assignments before a special builtin. */
		if (!words || w->frame.dialect == DIALECT_SH)
			scan_name(w, out, a->name);
		scan_word(w, a->value, out);
		scan_arith(w, a->subscript, out);
		for (const struct element *e = a->elements; e; e = e->next) {
			scan_word(w, e->value, out);
			scan_arith(w, e->subscript, out);
		}
	}
	scan_words(w, words, out);
	if (words)
		scan_command(w, words, true, out);
}

static void
scan_cond(struct walk *w, const struct cond *c, struct changes *out)
{
	if (!c)
		return;
	scan_cond(w, c->left, out);
	scan_cond(w, c->right, out);
	scan_arith(w, c->a, out);
	scan_arith(w, c->b, out);
}

void
scan_node(struct walk *w, const struct node *node, struct changes *out)
{
	for (const struct redir *r = node->redirs; r; r = r->next) {
		if (r->var.p)
			scan_name(w, out, r->var);
		scan_word(w, r->target, out);
		scan_word(w, r->body, out);
	}
	switch (node->kind) {
	case NODE_SIMPLE:
		scan_simple(w, node, out);
		return;
	case NODE_SUBSHELL:
		return;
	case NODE_GROUP:
		scan_list(w, node->body, out);
		return;
	case NODE_IF:
		for (const struct branch *b = node->cond_list.branches; b; b = b->next) {
			scan_list(w, b->cond, out);
			scan_list(w, b->body, out);
		}
		scan_list(w, node->cond_list.otherwise, out);
		return;
	case NODE_FOR:
	case NODE_SELECT:
		scan_name(w, out, node->loop.name);
		scan_words(w, node->loop.words, out);
		scan_list(w, node->loop.body, out);
		return;
	case NODE_ARITH_FOR:
		scan_arith(w, node->arith_for.init, out);
		scan_arith(w, node->arith_for.test, out);
		scan_arith(w, node->arith_for.step, out);
		scan_list(w, node->arith_for.body, out);
		return;
	case NODE_WHILE:
	case NODE_UNTIL:
		scan_list(w, node->repeat.cond, out);
		scan_list(w, node->repeat.body, out);
		return;
	case NODE_CASE:
		scan_word(w, node->choice.subject, out);
		for (const struct case_item *i = node->choice.items; i; i = i->next) {
			scan_words(w, i->patterns, out);
			scan_list(w, i->body, out);
		}
		return;
	case NODE_COND:
		scan_cond(w, node->expr, out);
		/* set by =~ */
		scan_name(w, out, STR("BASH_REMATCH"));
		return;
	case NODE_ARITH:
		scan_arith(w, node->arith, out);
		return;
	case NODE_FUNCTION:
		/* From now on the name means something else. */
		out->all = out->cd = true;
		return;
	case NODE_COPROC:
		scan_name(w, out, node->coproc.name);
		return;
	}
}

void
scan_list(struct walk *w, const struct list *list, struct changes *out)
{
	for (const struct pipeline *p = list ? list->first : NULL; p && !w->failed;
	     p = p->next)
		/* In a longer pipeline each command has its own shell. */
		if (p->first && !p->first->next)
			scan_node(w, p->first, out);
}

void
scan_apply(struct walk *w, const struct changes *scan, struct state *s)
{
	if (scan->cd) {
		s->cwd = s->old = &dirs_anywhere;
		s->stack = NULL;
	}
	if (scan->all) {
		s->args = NULL;
		if (!var_forget_all(w->a, s))
			walk_fail(w, CORDON_ENOMEM, (struct span){ 0, 0 }, "out of memory");
		return;
	}
	for (const struct scan_name *n = scan->names; n && !w->failed; n = n->next)
		forget_name(w, n->text, s);
}
