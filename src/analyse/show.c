/* Print effects for people. */
#include "base/show.h"
#include "analyse/analyse.h"
#include "analyse/programs/programs.h"

static void
show_field(struct buf *b, const struct field *f)
{
	bool plain = f->text.n > 0;

	for (size_t i = 0; i < f->text.n; i++)
		plain &=
		    f->text.p[i] > ' ' && !strchr("'\"\\$`*?[]{}();&|<>#~", f->text.p[i]);
	switch (f->kind) {
	case FIELD_STR:
		if (!plain)
			buf_putc(b, '\'');
		show_put(b, f->text, SHOW_EXACT);
		if (!plain)
			buf_putc(b, '\'');
		return;
	case FIELD_ONE:
		show_put(b, f->text, SHOW_EXACT);
		buf_puts(b, "\xe2\x80\xa6"); /* ellipsis: unknown rest */
		return;
	case FIELD_MANY:
		buf_puts(b, "\xe2\x80\xa6?"); /* any number of words */
		return;
	}
}

static void
show_via(struct buf *b, const struct via *via)
{
	if (!via)
		return;
	if (via->outer) {
		show_via(b, via->outer);
		buf_puts(b, " > ");
	}
	show_put(b, via->text, 0);
}

static void
show_command(struct buf *b, const struct command *c)
{
	const char *class = know_class_name(c->class);

	buf_puts(b, "  ");
	buf_puts(b, class);
	for (size_t n = strlen(class); n < 9; n++)
		buf_putc(b, ' ');
	for (const struct env_change *e = c->assigns; e; e = e->next) {
		show_put(b, e->name, 0);
		buf_putc(b, '=');
		show_put(b, e->known ? e->value : STR("\xe2\x80\xa6"), 0);
		buf_putc(b, ' ');
	}
	for (size_t i = 0; i < c->argc; i++) {
		if (i)
			buf_putc(b, ' ');
		show_field(b, &c->argv[i]);
	}
	if (c->via) {
		buf_puts(b, "   (through ");
		show_via(b, c->via);
		buf_putc(b, ')');
	}
	if (c->function)
		buf_puts(b, "   (a function)");
	buf_putc(b, '\n');
}

static void
show_path(struct buf *b, bool known, struct str path)
{
	show_put(b, path, 0);
	if (!known)
		buf_puts(b, path.n ? "\xe2\x80\xa6" : "somewhere");
	buf_putc(b, '\n');
}

static void
show_effects(struct buf *b, const struct effects *e)
{
	if (e->commands)
		buf_puts(b, "runs\n");
	for (const struct command *c = e->commands; c; c = c->next)
		show_command(b, c);
	if (e->chdirs)
		buf_puts(b, "enters\n");
	for (const struct chdir_effect *c = e->chdirs; c; c = c->next) {
		buf_puts(b, "  ");
		show_path(b, c->known, c->path);
	}
	if (e->files)
		buf_puts(b, "files\n");
	for (const struct file_effect *f = e->files; f; f = f->next) {
		const char *op = file_op_name(f->op);

		buf_puts(b, "  ");
		buf_puts(b, op);
		for (size_t n = strlen(op); n < 9; n++)
			buf_putc(b, ' ');
		show_path(b, f->known, f->path);
	}
	if (e->nets)
		buf_puts(b, "talks to\n");
	for (const struct net_effect *n = e->nets; n; n = n->next) {
		buf_puts(b, "  ");
		show_path(b, n->known, n->host);
	}
	if (e->env)
		buf_puts(b, "sets\n");
	for (const struct env_change *c = e->env; c; c = c->next) {
		buf_puts(b, "  ");
		show_put(b, c->name, 0);
		buf_putc(b, '=');
		show_path(b, c->known, c->value);
	}
}

static void
show_unknowns(struct buf *b, const struct effects *e, struct str text)
{
	if (e->unknowns)
		buf_puts(b, "not known\n");
	for (const struct unknown *u = e->unknowns; u; u = u->next) {
		buf_puts(b, "  ");
		buf_puts(b, u->why);
		buf_puts(b, ": ");
		show_put(b, str_cut(text, u->at.start, u->at.end), 0);
		buf_putc(b, '\n');
	}
}

/* Print the line with the error, and a mark under its position. */
static void
show_error(struct buf *b, struct str text, const struct err *e)
{
	struct pos at = err_pos(text, e->at);
	size_t from = e->at > text.n ? text.n : e->at, to = from;
	struct buf before = { .a = b->a };

	while (from > 0 && text.p[from - 1] != '\n')
		from--;
	while (to < text.n && text.p[to] != '\n')
		to++;
	buf_puts(b, "refused, line ");
	buf_putu(b, at.line);
	buf_puts(b, ", column ");
	buf_putu(b, at.column);
	buf_puts(b, ": ");
	buf_puts(b, e->why ? e->why : err_text(e->code));
	buf_puts(b, "\n  ");
	if (to - from > 200 || e->at > text.n)
		return;
	show_put(b, str_cut(text, from, to), 0);
	buf_puts(b, "\n  ");
	show_put(&before, str_cut(text, from, e->at), 0);
	for (size_t i = 0; i < before.n; i++)
		if (((unsigned char)before.p[i] & 0xc0) != 0x80)
			buf_putc(b, ' ');
	buf_puts(b, "^\n");
}

int
analyse_show(
    struct arena *a, struct str text, const struct analyse_opts *opts, struct buf *out)
{
	struct effects e = { 0 };
	struct err err = { 0 };
	int r = analyse(a, text, opts, &e, &err);

	if (r)
		show_error(out, text, &err);
	else {
		show_effects(out, &e);
		show_unknowns(out, &e, text);
	}
	return out->full ? CORDON_ENOMEM : r;
}
