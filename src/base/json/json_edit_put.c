#include "base/json/json_edit.h"

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

struct str
json_line_indent(struct str text, size_t at)
{
	size_t from = at, to;

	while (from > 0 && text.p[from - 1] != '\n')
		from--;
	for (to = from; to < at && is_blank(text.p[to]);)
		to++;
	return str_cut(text, from, to);
}

/* One step of indentation, taken from the first member on a line of its own. */
static struct str
step_of(struct str text, const struct json *root)
{
	const struct json *m = root->first;
	struct str outer = json_line_indent(text, root->at), inner;

	if (!m)
		return STR("  ");
	inner = json_line_indent(text, root->kind == JSON_OBJECT ? m->key_at : m->at);
	if (inner.n <= outer.n || !str_starts(inner, outer))
		return STR("  ");
	return str_skip(inner, outer.n);
}

struct json_form
json_form_of(struct str text, const struct json *root)
{
	size_t line = str_find(text, '\n');
	bool crlf = line > 0 && line < text.n && text.p[line - 1] == '\r';

	return (struct json_form){ .unit = step_of(text, root),
		.newline = crlf ? STR("\r\n") : STR("\n") };
}

/* Arrays of scalars stay on one line, as people write them. */
static bool
is_flat(const struct json *v)
{
	if (v->kind == JSON_OBJECT)
		return false;
	for (const struct json *m = v->first; m; m = m->next)
		if (m->kind == JSON_ARRAY || m->kind == JSON_OBJECT)
			return false;
	return true;
}

static void
put_line(struct buf *b, const struct json_form *form, int depth)
{
	buf_put(b, form->newline);
	buf_put(b, form->indent);
	for (int i = 0; i < depth; i++)
		buf_put(b, form->unit);
}

/* Recursion is bounded: `v` was read by json_read(), which limits the depth. */
static void
put_value(struct buf *b, const struct json *v, const struct json_form *form, int depth)
{
	bool object = v->kind == JSON_OBJECT, lines = form->newline.n && !is_flat(v);

	if (json_put_scalar(b, v))
		return;
	buf_putc(b, object ? '{' : '[');
	for (const struct json *m = v->first; m; m = m->next) {
		if (m != v->first)
			buf_puts(b, lines ? "," : ", ");
		if (lines)
			put_line(b, form, depth + 1);
		if (object) {
			json_put_str(b, m->key);
			buf_puts(b, ": ");
		}
		put_value(b, m, form, depth + 1);
	}
	if (lines && v->first)
		put_line(b, form, depth);
	buf_putc(b, object ? '}' : ']');
}

void
json_put_form(struct buf *b, const struct json *v, const struct json_form *form)
{
	put_value(b, v, form, 0);
}
