/*
 * tests/tools/know_lines.h: argument vectors and what the table says of them, as text.
 *
 *   words split at blanks; `?` is one unknown word, `pre?` one that begins so, `??` any
 * number class and flags TAB program and subcommands TAB role:value ... TAB role:rest ...
 *
 * Options without a value are given as `option:WORD`.  See tests/cases/know/README.
 */
#pragma once
#include "base/buf.h"
#include "know/know.h"

#define MAX_WORDS 4096

static struct field
field_of(struct str word)
{
	if (str_is(word, "??"))
		return (struct field){ .kind = FIELD_MANY, .text = str_of(word.p, 0) };
	if (str_ends(word, STR("?")))
		return (
		    struct field){ .kind = FIELD_ONE, .text = str_of(word.p, word.n - 1) };
	return (struct field){ .text = word };
}

static size_t
split(struct str line, struct field *argv)
{
	size_t n = 0;

	for (size_t i = 0; i < line.n && n < MAX_WORDS;) {
		size_t from = i;

		while (i < line.n && line.p[i] != ' ' && line.p[i] != '\t')
			i++;
		if (i > from)
			argv[n++] = field_of(str_cut(line, from, i));
		else
			i++;
	}
	return n;
}

static void
put_field(struct buf *b, struct field f)
{
	buf_put(b, f.text);
	buf_puts(b, f.kind == FIELD_MANY ? "??" : f.kind == FIELD_ONE ? "?" : "");
}

static void
put_flag(struct buf *b, bool truth, const char *name)
{
	if (!truth)
		return;
	buf_putc(b, ' ');
	buf_puts(b, name);
}

static void
put_items(struct buf *b, const struct know_scan *scan, const struct field *argv, size_t n)
{
	for (size_t i = 0; i < scan->count; i++) {
		const struct know_item *item = &scan->items[i];

		buf_puts(b, i ? " " : "");
		buf_puts(b, item->option_only ? "option" : know_role_name(item->role));
		buf_putc(b, ':');
		put_field(b, item->value);
	}
	buf_putc(b, '\t');
	for (size_t i = scan->rest; i < n; i++) {
		buf_puts(b, i == scan->rest ? know_role_name(scan->rest_role) : "");
		buf_puts(b, i == scan->rest ? ":" : " ");
		put_field(b, argv[i]);
	}
}

static void
put_scan(struct buf *b, const struct know_scan *scan, const struct field *argv, size_t n)
{
	buf_puts(b, know_class_name(scan->class));
	put_flag(b, scan->network, "net");
	put_flag(b, scan->dry, "dry");
	put_flag(b, scan->unknown_option < n, "odd");
	put_flag(b, scan->unlisted < n, "unlisted");
	put_flag(b, scan->unsure < n, "unsure");
	put_flag(b, scan->worst != scan->class, "at-worst=");
	buf_puts(b, scan->worst != scan->class ? know_class_name(scan->worst) : "");
	buf_putc(b, '\t');
	buf_put(b, str_base(argv[0].text));
	for (size_t i = 0; i < scan->depth; i++) {
		buf_putc(b, ' ');
		buf_put(b, argv[scan->path[i]].text);
	}
	buf_putc(b, '\t');
	put_items(b, scan, argv, n);
}

static struct str
know_line(struct arena *a, struct str line)
{
	static struct field argv[MAX_WORDS];
	size_t n = split(line, argv);
	const struct know_node *program = n ? know_program(str_base(argv[0].text)) : NULL;
	struct know_scan scan;
	struct buf b;

	buf_init(&b, a);
	if (!program || know_scan(a, program, argv, n, &scan) < 0)
		buf_puts(&b, program ? "no memory\t\t\t" : "unknown\t\t\t");
	else
		put_scan(&b, &scan, argv, n);
	return buf_str(&b);
}
