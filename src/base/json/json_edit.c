#include "base/json/json_edit.h"

int
json_edit_open(struct json_edit *e, struct arena *a, struct str text,
    const struct json_opts *opts, struct err *reterr)
{
	struct json_edit fresh = { .a = a, .text = text };
	int err;

	if (opts)
		fresh.opts = *opts;
	err = json_read(a, text, &fresh.opts, &fresh.root, reterr);
	if (!err)
		*e = fresh;
	return err;
}

/* Skip the comments after a value on its line; return `i` if there are none. */
static size_t
line_comments_end(struct str text, size_t i)
{
	size_t end = i;

	while (i < text.n) {
		if (text.p[i] == ' ' || text.p[i] == '\t') {
			i++;
			continue;
		}
		if (text.p[i] != '/')
			break;
		i = end = json_comment_end(text, i);
	}
	return end;
}

static bool
has_newline(struct str s)
{
	return str_find(s, '\n') < s.n;
}

/* ---- insert */

int
json_edit_accept(struct json_edit *e, const struct buf *b, struct err *reterr)
{
	const struct json *root;
	int err;

	if (b->full)
		return err_at(reterr, CORDON_ENOMEM, 0, "the edit needs more memory");
	err = json_read(e->a, buf_str(b), &e->opts, &root, reterr);
	if (err)
		return err;
	e->text = buf_str(b);
	e->root = root;
	return 0;
}

struct addition {
	struct str key; /* .p == NULL: an array element */
	const struct json *value;
};

static void
put_addition(struct buf *b, const struct addition *add, const struct json_form *form)
{
	if (add->key.p) {
		json_put_str(b, add->key);
		buf_puts(b, ": ");
	}
	json_put_form(b, add->value, form);
}

static void
put_first(struct json_edit *e, struct buf *b, const struct json *c,
    const struct addition *add, struct json_form form)
{
	struct str outer = json_line_indent(e->text, c->at);
	size_t end = c->end - 1;
	struct buf inner;

	while (end > c->at + 1u && json_is_space(e->text.p[end - 1]))
		end--;
	buf_init(&inner, e->a);
	buf_put(&inner, outer);
	buf_put(&inner, form.unit);
	form.indent = buf_str(&inner);
	buf_init(b, e->a);
	buf_put(b, str_cut(e->text, 0, end));
	buf_put(b, form.newline);
	buf_put(b, form.indent);
	put_addition(b, add, &form);
	buf_put(b, form.newline);
	buf_put(b, outer);
	buf_put(b, str_skip(e->text, c->end - 1));
	if (inner.full)
		b->full = true;
}

static void
put_after(struct json_edit *e, struct buf *b, const struct json *c, const struct json *last,
    const struct addition *add, struct json_form form)
{
	size_t first = json_start_of(c, c->first), start = json_start_of(c, last),
	       to = last->end;
	bool lines = has_newline(str_cut(e->text, c->at, first));

	if (!lines)
		form.newline.n = 0;
	else
		to = line_comments_end(e->text, last->end);
	form.indent = json_line_indent(e->text, start);
	buf_init(b, e->a);
	buf_put(b, str_cut(e->text, 0, last->end));
	buf_putc(b, ',');
	buf_put(b, str_cut(e->text, last->end, to));
	if (lines) {
		buf_put(b, form.newline);
		buf_put(b, form.indent);
	} else {
		buf_putc(b, ' ');
	}
	put_addition(b, add, &form);
	buf_put(b, str_skip(e->text, to));
}

static int
add(struct json_edit *e, const struct json *c, const struct addition *new,
    struct err *reterr)
{
	const struct json *last = c->first;
	struct buf b;

	while (last && last->next)
		last = last->next;
	if (last)
		put_after(e, &b, c, last, new, json_form_of(e->text, e->root));
	else
		put_first(e, &b, c, new, json_form_of(e->text, e->root));
	return json_edit_accept(e, &b, reterr);
}

static int
replace(
    struct json_edit *e, const struct json *old, const struct json *new, struct err *reterr)
{
	struct json_form form = json_form_of(e->text, e->root);
	struct buf b;

	form.indent = json_line_indent(e->text, old->at);
	if (!has_newline(json_source(e->text, e->root)))
		form.newline.n = 0;
	buf_init(&b, e->a);
	buf_put(&b, str_cut(e->text, 0, old->at));
	json_put_form(&b, new, &form);
	buf_put(&b, str_skip(e->text, old->end));
	return json_edit_accept(e, &b, reterr);
}

/* ---- follow the path */

/* Find the deepest existing value on the path; *n becomes the number of keys to it. */
static int
walk(const struct json_edit *e, const struct str *path, size_t *n, const struct json **ret,
    struct err *reterr)
{
	const struct json *v = e->root, *next;
	size_t i = 0;

	for (; i < *n; i++, v = next) {
		if (v->kind != JSON_OBJECT)
			return err_at(
			    reterr, CORDON_EINVAL, v->at, "expected an object here");
		next = json_get(v, path[i]);
		if (!next)
			break;
	}
	*n = i;
	*ret = v;
	return 0;
}

/* Wrap `value` in an object for each missing key (and in an array). */
static int
wrap(struct json_edit *e, const struct str *keys, size_t n, struct str value, bool array,
    const struct json **ret, struct err *reterr)
{
	struct buf b;

	buf_init(&b, e->a);
	for (size_t i = 0; i < n; i++) {
		buf_putc(&b, '{');
		json_put_str(&b, keys[i]);
		buf_putc(&b, ':');
	}
	if (array)
		buf_putc(&b, '[');
	buf_put(&b, value);
	if (array)
		buf_putc(&b, ']');
	for (size_t i = 0; i < n; i++)
		buf_putc(&b, '}');
	if (b.full)
		return err_at(reterr, CORDON_ENOMEM, 0, "the edit needs more memory");
	return json_read(e->a, buf_str(&b), NULL, ret, reterr);
}

int
json_edit_set(struct json_edit *e, const struct str *path, size_t n, struct str value,
    struct err *reterr)
{
	struct addition new = { { NULL, 0 }, NULL };
	const struct json *there;
	size_t known = n;
	int err = walk(e, path, &known, &there, reterr);

	if (!err && known == n) {
		err = wrap(e, NULL, 0, value, false, &new.value, reterr);
		return err ? err : replace(e, there, new.value, reterr);
	}
	if (!err)
		err = wrap(
		    e, path + known + 1, n - known - 1, value, false, &new.value, reterr);
	if (err)
		return err;
	new.key = path[known];
	return add(e, there, &new, reterr);
}

int
json_edit_append(struct json_edit *e, const struct str *path, size_t n, struct str value,
    struct err *reterr)
{
	struct addition new = { { NULL, 0 }, NULL };
	const struct json *there;
	size_t known = n;
	int err = walk(e, path, &known, &there, reterr);

	if (err)
		return err;
	if (known == n && there->kind != JSON_ARRAY)
		return err_at(reterr, CORDON_EINVAL, there->at, "expected an array here");
	if (known == n) {
		err = wrap(e, NULL, 0, value, false, &new.value, reterr);
	} else {
		err = wrap(
		    e, path + known + 1, n - known - 1, value, true, &new.value, reterr);
		new.key = path[known];
	}
	return err ? err : add(e, there, &new, reterr);
}
