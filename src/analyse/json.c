/* Write effects as the JSON line of cordon-analyse(1). */
#include "base/json/json.h"
#include "analyse/analyse.h"
#include "analyse/programs/programs.h"

const char *
file_op_name(enum file_op op)
{
	switch (op) {
	case FILE_READ:
		return "read";
	case FILE_WRITE:
		return "write";
	case FILE_APPEND:
		return "append";
	case FILE_DELETE:
		return "delete";
	case FILE_CREATE:
		return "create";
	case FILE_TRUNCATE:
		return "truncate";
	case FILE_EXEC:
		return "exec";
	}
	return "write";
}

static void
put_field(struct buf *b, const struct field *f)
{
	json_put_sep(b);
	switch (f->kind) {
	case FIELD_STR:
		json_put_str(b, f->text);
		return;
	case FIELD_ONE:
		buf_puts(b, "{\"prefix\":");
		json_put_str(b, f->text);
		buf_putc(b, '}');
		return;
	case FIELD_MANY:
		buf_puts(b, "null");
		return;
	}
}

/* Outermost first. The list has the innermost first, and is short. */
static void
put_via(struct buf *b, const struct via *via)
{
	size_t n = 0;

	for (const struct via *v = via; v; v = v->outer)
		n++;
	for (; n > 0; n--) {
		const struct via *v = via;

		for (size_t i = 1; i < n; i++)
			v = v->outer;
		json_put_sep(b);
		json_put_str(b, v->text);
	}
}

static void
put_value(struct buf *b, const struct env_change *e)
{
	json_put_str_or_null(b, e->known ? e->value : (struct str){ NULL, 0 });
}

static void
put_command(struct buf *b, const struct command *c)
{
	json_put_sep(b);
	buf_putc(b, '{');
	json_put_key(b, "argv");
	buf_putc(b, '[');
	for (size_t i = 0; i < c->argc; i++)
		put_field(b, &c->argv[i]);
	buf_putc(b, ']');
	json_put_key(b, "program");
	json_put_str_or_null(b, c->program);
	json_put_key(b, "via");
	buf_putc(b, '[');
	put_via(b, c->via);
	buf_putc(b, ']');
	json_put_key(b, "assign");
	buf_putc(b, '[');
	for (const struct env_change *e = c->assigns; e; e = e->next) {
		json_put_sep(b);
		buf_putc(b, '[');
		json_put_str(b, e->name);
		buf_putc(b, ',');
		put_value(b, e);
		buf_putc(b, ']');
	}
	buf_putc(b, ']');
	json_put_range(b, c->at.start, c->at.end);
	json_put_member(b, "class", str_from_c(know_class_name(c->class)));
	buf_putc(b, '}');
}

static void
put_chdirs(struct buf *b, const struct chdir_effect *first)
{
	for (const struct chdir_effect *c = first; c; c = c->next) {
		json_put_sep(b);
		buf_putc(b, '{');
		json_put_key(b, "path");
		json_put_str_or_null(b, c->known ? c->path : (struct str){ NULL, 0 });
		json_put_range(b, c->at.start, c->at.end);
		buf_putc(b, '}');
	}
}

static void
put_files(struct buf *b, const struct file_effect *first)
{
	for (const struct file_effect *f = first; f; f = f->next) {
		json_put_sep(b);
		buf_putc(b, '{');
		json_put_member(b, "op", str_from_c(file_op_name(f->op)));
		json_put_key(b, "path");
		json_put_str_or_null(b, f->known ? f->path : (struct str){ NULL, 0 });
		json_put_range(b, f->at.start, f->at.end);
		json_put_member(b, "by", f->by);
		buf_putc(b, '}');
	}
}

static void
put_env(struct buf *b, const struct env_change *first)
{
	for (const struct env_change *c = first; c; c = c->next) {
		json_put_sep(b);
		buf_putc(b, '{');
		json_put_member(b, "name", c->name);
		json_put_key(b, "value");
		put_value(b, c);
		json_put_range(b, c->at.start, c->at.end);
		buf_putc(b, '}');
	}
}

static void
put_unknowns(struct buf *b, const struct unknown *first)
{
	for (const struct unknown *u = first; u; u = u->next) {
		json_put_sep(b);
		buf_putc(b, '{');
		json_put_member(b, "why", str_from_c(u->why));
		json_put_range(b, u->at.start, u->at.end);
		buf_putc(b, '}');
	}
}

static void
put_effects(struct buf *b, const struct effects *e)
{
	json_put_key(b, "commands");
	buf_putc(b, '[');
	for (const struct command *c = e->commands; c; c = c->next)
		put_command(b, c);
	buf_putc(b, ']');
	json_put_key(b, "chdir");
	buf_putc(b, '[');
	put_chdirs(b, e->chdirs);
	buf_putc(b, ']');
	json_put_key(b, "files");
	buf_putc(b, '[');
	put_files(b, e->files);
	buf_putc(b, ']');
	json_put_key(b, "env");
	buf_putc(b, '[');
	put_env(b, e->env);
	buf_putc(b, ']');
	json_put_key(b, "unknown");
	buf_putc(b, '[');
	put_unknowns(b, e->unknowns);
	buf_putc(b, ']');
}

/* line 1, column 5: quote never closed */
static void
put_error(struct arena *a, struct buf *b, struct str text, const struct err *e)
{
	struct pos at = err_pos(text, e->at);
	struct buf message;

	buf_init(&message, a);
	buf_puts(&message, "line ");
	buf_putu(&message, at.line);
	buf_puts(&message, ", column ");
	buf_putu(&message, at.column);
	buf_puts(&message, ": ");
	buf_puts(&message, e->why ? e->why : err_text(e->code));
	if (message.full) /* the arena is full: print the static reason only */
		json_put_str(b, str_from_c(e->why ? e->why : err_text(e->code)));
	else
		json_put_str(b, buf_str(&message));
}

int
analyse_json_id(struct arena *a, struct str text, const struct analyse_opts *opts,
    struct str id, struct buf *out)
{
	struct effects e = { 0 };
	struct err err = { 0 };
	int r = analyse(a, text, opts, &e, &err);

	buf_putc(out, '{');
	if (id.p) {
		json_put_key(out, "id");
		buf_put(out, id);
	}
	json_put_key(out, "ok");
	json_put_bool(out, r == 0);
	json_put_key(out, "error");
	if (r)
		put_error(a, out, text, &err);
	else
		buf_puts(out, "null");
	put_effects(out, &e);
	buf_putc(out, '}');
	return out->full ? CORDON_ENOMEM : r;
}

int
analyse_json(
    struct arena *a, struct str text, const struct analyse_opts *opts, struct buf *out)
{
	return analyse_json_id(a, text, opts, (struct str){ NULL, 0 }, out);
}
