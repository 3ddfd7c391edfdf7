/*
 * tests/tools/tree_tool.c: the simple commands of many texts, for tests/oracle/agree.py.
 *
 * Reads texts separated by NUL on stdin and answers one line of JSON for each:
 *   {"ok":true,"commands":[["git","log",null]]}     null is a word that is not literal
 *   {"ok":false,"at":3,"error":"..."}
 * Called as `tree_tool sh` it takes only what sh and bash read alike.
 */
#include "base/arena.h"
#include "base/buf.h"
#include "base/json/json.h"
#include "base/limits.h"
#include "parse/parse.h"
#include "walk.h"
#include <stdio.h>
#include <stdlib.h>

struct tool {
	struct walk walk; /* first: hooks get this back */
	struct buf out;
};

/* A literal is one that no expansion could change, but for globs, braces and tildes. */
static bool
word_is_literal(const struct word *d)
{
	for (const struct part *p = d->parts; p; p = p->next)
		if (p->kind != PART_TEXT)
			return false;
	return !d->assign;
}

static void
put_word(struct tool *t, const struct word *d)
{
	struct buf text;

	json_put_sep(&t->out);
	if (!word_is_literal(d)) {
		buf_puts(&t->out, "null");
		return;
	}
	buf_init(&text, t->out.a);
	for (const struct part *p = d->parts; p; p = p->next)
		buf_put(&text, p->text);
	json_put_str(&t->out, buf_str(&text));
}

static void
put_node(struct walk *w, const struct node *n)
{
	struct tool *t = (struct tool *)(void *)w;

	if (n->kind != NODE_SIMPLE || !n->simple.words)
		return;
	json_put_sep(&t->out);
	buf_putc(&t->out, '[');
	for (const struct word *d = n->simple.words; d; d = d->next)
		put_word(t, d);
	buf_putc(&t->out, ']');
}

static void
answer(struct arena *a, struct str text, enum dialect dialect)
{
	const struct parse_opts opts = { .dialect = dialect };
	struct tool t = { .walk = { .node = put_node, .source = text } };
	struct list *top;
	struct err e = { 0, 0, NULL };

	arena_reset(a);
	buf_init(&t.out, a);
	if (parse(a, text, &opts, &top, &e)) {
		buf_puts(&t.out, "{\"ok\":false,\"at\":");
		buf_putu(&t.out, e.at);
		buf_puts(&t.out, ",\"error\":");
		json_put_str(&t.out, str_from_c(e.why));
	} else {
		buf_puts(&t.out, "{\"ok\":true,\"commands\":[");
		walk_list(&t.walk, top);
		buf_putc(&t.out, ']');
	}
	buf_puts(&t.out, "}\n");
	if (t.out.full)
		abort();
	fwrite(t.out.p, 1, t.out.n, stdout);
}

int
main(int argc, char **argv)
{
	enum dialect dialect =
	    argc > 1 && strcmp(argv[1], "sh") == 0 ? DIALECT_SH : DIALECT_BASH;
	cleanup_arena struct arena *a = arena_new(16 * LIMIT_ARENA);
	char *line = NULL;
	size_t room = 0;
	ssize_t n;

	if (!a)
		return 70;
	while ((n = getdelim(&line, &room, 0, stdin)) > 0) {
		if (line[n - 1] == 0)
			n--;
		answer(a, str_of(line, (size_t)n), dialect);
	}
	free(line);
	return fflush(stdout) ? 70 : 0;
}
