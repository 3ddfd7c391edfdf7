#include "base/toml.h"
#include "base/limits.h"
#include "base/utf8.h"

int
toml_fail(struct toml *t, const char *why)
{
	return err_at(t->e, CORDON_EINVAL, t->at, why);
}

char
toml_peek(const struct toml *t)
{
	return t->at < t->text.n ? t->text.p[t->at] : '\0';
}

bool
toml_take(struct toml *t, const char *word)
{
	struct str w = str_from_c(word);

	if (!str_starts(str_skip(t->text, t->at), w))
		return false;
	t->at += w.n;
	return true;
}

struct json *
toml_new(struct toml *t, enum json_kind kind)
{
	struct json *v = ARENA_NEW(t->a, struct json);

	if (v)
		v->kind = kind;
	else
		(void)err_at(t->e, CORDON_ENOMEM, t->at, "TOML needs more memory");
	return v;
}

void
toml_add(struct json *parent, struct json *child)
{
	struct json **to = &parent->first;

	while (*to)
		to = &(*to)->next;
	*to = child;
	parent->count++;
}

static bool
is_crlf(const struct toml *t)
{
	return str_starts(str_skip(t->text, t->at), STR("\r\n"));
}

static int
skip_comment(struct toml *t)
{
	while (t->at < t->text.n && toml_peek(t) != '\n') {
		uint32_t c = 0;
		size_t n = utf8_take(t->text, t->at, &c);

		if (n == 0 || c == 0x7f || (c < 0x20 && c != '\t' && !is_crlf(t)))
			return toml_fail(t, "comment with control bytes or invalid UTF-8");
		t->at += n;
	}
	return 0;
}

int
toml_space(struct toml *t, bool lines)
{
	for (;;) {
		char c = toml_peek(t);
		int err;

		if (c == ' ' || c == '\t' || (lines && (c == '\n' || is_crlf(t)))) {
			t->at++;
			continue;
		}
		if (!lines || c != '#')
			return 0;
		err = skip_comment(t);
		if (err)
			return err;
	}
}

/* ---- keys and tables */

static bool
is_bare(char c)
{
	return byte_is_word(c) || c == '-';
}

static int
read_key(struct toml *t, struct str *ret)
{
	size_t from = t->at;

	if (toml_peek(t) == '"' || toml_peek(t) == '\'')
		return toml_string(t, true, ret);
	while (is_bare(toml_peek(t)))
		t->at++;
	if (t->at == from)
		return toml_fail(t, "expected a key");
	*ret = str_cut(t->text, from, t->at);
	return 0;
}

/* Skip a dot and the blanks around it; *ret: a dot was there, another key follows. */
static int
take_dot(struct toml *t, bool *ret)
{
	int err = toml_space(t, false);

	*ret = !err && toml_take(t, ".");
	return err ? err : *ret ? toml_space(t, false) : 0;
}

/* Find the table `key` of `in`, or create it; for an array of tables, return its last.
 * Flags of a table: `truth`: a header named it; `key_at`: a dotted key did; `end`: it is an
 * inline table, and complete. */
static int
step(struct toml *t, struct json *in, struct str key, struct json **ret)
{
	struct json *v = (struct json *)json_get(in, key);

	if (!v) {
		v = toml_new(t, JSON_OBJECT);
		if (!v)
			return CORDON_ENOMEM;
		v->key = key;
		toml_add(in, v);
	} else if (v->kind == JSON_ARRAY && v->truth) {
		v = v->first;
		while (v->next)
			v = v->next;
	} else if (v->kind != JSON_OBJECT || v->end) {
		return toml_fail(t, "this key is not a table, or the table is complete");
	}
	*ret = v;
	return 0;
}

int
toml_pair(struct toml *t, struct json *table, int depth)
{
	struct json *v = NULL;
	struct str key;
	bool more;
	int err = read_key(t, &key);

	if (!err)
		err = take_dot(t, &more);
	while (!err && more) {
		err = step(t, table, key, &table);
		if (!err && table->truth)
			err = toml_fail(t, "this table is complete and cannot be extended");
		if (!err)
			table->key_at = 1;
		if (!err)
			err = read_key(t, &key);
		if (!err)
			err = take_dot(t, &more);
		if (++depth > LIMIT_JSON_DEPTH)
			return err_at(
			    t->e, CORDON_ELIMIT, t->at, "values nested too deeply");
	}
	if (!err && !toml_take(t, "="))
		err = toml_fail(t, "expected '=' after the key");
	if (!err && json_get(table, key))
		err = toml_fail(t, "duplicate key in this table");
	if (!err)
		err = toml_space(t, false);
	if (!err)
		err = toml_value(t, depth, &v);
	if (err)
		return err;
	v->key = key;
	toml_add(table, v);
	return 0;
}

/* Read [a.b] or [[a.b]]; the following pairs go to the table *ret. */
static int
open_table(struct toml *t, struct json *root, struct json **ret)
{
	bool array = toml_take(t, "[["), more = false;
	struct json *in = root, *list, *v;
	struct str key;
	int err, depth = 0;

	if (!array)
		t->at++;
	err = toml_space(t, false);
	for (;;) {
		if (!err)
			err = read_key(t, &key);
		if (!err)
			err = take_dot(t, &more);
		if (err || !more)
			break;
		err = step(t, in, key, &in);
		if (++depth > LIMIT_JSON_DEPTH / 2)
			return err_at(
			    t->e, CORDON_ELIMIT, t->at, "values nested too deeply");
	}
	if (err)
		return err;
	if (!toml_take(t, array ? "]]" : "]"))
		return toml_fail(t, "expected ']'");
	v = (struct json *)json_get(in, key);
	if (!array) {
		if (v && (v->kind != JSON_OBJECT || v->truth || v->key_at))
			return toml_fail(t, "duplicate table");
		err = step(t, in, key, ret);
		if (!err)
			(*ret)->truth = true;
		return err;
	}
	if (v && (v->kind != JSON_ARRAY || !v->truth))
		return toml_fail(t, "this key is not an array of tables");
	list = v ? v : toml_new(t, JSON_ARRAY);
	v = toml_new(t, JSON_OBJECT);
	if (!list || !v)
		return CORDON_ENOMEM;
	if (!list->count) {
		list->key = key;
		list->truth = true;
		toml_add(in, list);
	}
	toml_add(list, v);
	*ret = v;
	return 0;
}

/* Only a comment may follow on the line. */
static int
end_line(struct toml *t)
{
	int err = toml_space(t, false);

	if (!err && toml_peek(t) == '#')
		err = skip_comment(t);
	if (err || t->at >= t->text.n || toml_take(t, "\n") || toml_take(t, "\r\n"))
		return err;
	return toml_fail(t, "expected the end of the line");
}

int
toml_read(struct arena *a, struct str text, const struct json **ret, struct err *reterr)
{
	struct toml t = { .a = a, .text = text, .e = reterr };
	struct json *root, *table;
	int err = 0;

	if (text.n > LIMIT_TOML)
		return err_at(reterr, CORDON_ELIMIT, 0, "larger than 256 KiB");
	root = table = toml_new(&t, JSON_OBJECT);
	if (!root)
		return CORDON_ENOMEM;
	for (;;) {
		err = toml_space(&t, true);
		if (err || t.at >= text.n)
			break;
		err = toml_peek(&t) == '[' ? open_table(&t, root, &table)
					   : toml_pair(&t, table, 1);
		if (!err)
			err = end_line(&t);
		if (err)
			break;
	}
	if (!err)
		*ret = root;
	return err;
}
