/* Edits of a JSON text: a table by hand, and random documents against a model. */
#include "../cm.h"
#include "base/json/json_edit.h"
#include <stdlib.h>
#include <string.h>

static const struct json_opts jsonc = { .comments = true };

enum op { SET, APPEND };

static const struct {
	const char *name;
	enum op op;
	const char *text, *path, *value, *want;
} cases[] = {
	{ "an empty object", SET, "{}", "a", "1", "{\n  \"a\": 1\n}" },
	{ "an empty object with a newline", SET, "{\n}\n", "a", "1", "{\n  \"a\": 1\n}\n" },
	{ "a comment inside stays", SET, "{ // c\n}", "a", "1", "{ // c\n  \"a\": 1\n}" },
	{ "on one line", SET, "{\"x\":[1, 2]}", "a", "{\"b\":[]}",
	    "{\"x\":[1, 2], \"a\": {\"b\": []}}" },
	{ "as the others are indented", SET, "{\n\t\"x\": 1\n}", "a", "{\"b\":2}",
	    "{\n\t\"x\": 1,\n\t\"a\": {\n\t\t\"b\": 2\n\t}\n}" },
	{ "four blanks and CRLF", SET, "{\r\n    \"x\": 1\r\n}\r\n", "a", "{\"b\":2}",
	    "{\r\n    \"x\": 1,\r\n    \"a\": {\r\n        \"b\": 2\r\n    }\r\n}\r\n" },
	{ "behind the comment of its line", SET, "{\n  \"x\": 1 // about x\n}", "a", "2",
	    "{\n  \"x\": 1, // about x\n  \"a\": 2\n}" },
	{ "behind a block comment", SET, "{\n  \"x\": 1 /* x */\n  // end\n}", "a", "2",
	    "{\n  \"x\": 1, /* x */\n  \"a\": 2\n  // end\n}" },
	{ "a value that is there", SET, "{ \"a\" : 1 , \"b\":2}", "a", "true",
	    "{ \"a\" : true , \"b\":2}" },
	{ "objects on the way", SET, "{\"h\": {}}", "h/b/c", "1",
	    "{\"h\": {\n  \"b\": {\n    \"c\": 1\n  }\n}}" },
	{ "an array that is there", APPEND, "{\"h\": [1]}", "h", "2", "{\"h\": [1, 2]}" },
	{ "an array that is missing", APPEND, "{\n  \"v\": 1\n}", "h/e", "2",
	    "{\n  \"v\": 1,\n  \"h\": {\n    \"e\": [2]\n  }\n}" },
	{ "no object on the way", SET, "{\"h\": 1}", "h/e", "2", NULL },
	{ "no array at the end", APPEND, "{\"h\": {}}", "h", "2", NULL },
};

static size_t
split(const char *path, struct str out[static 8])
{
	size_t n = 0;

	for (struct str rest = str_from_c(path); rest.n;) {
		size_t end = str_find(rest, '/');

		out[n++] = str_cut(rest, 0, end);
		rest = str_skip(rest, end + 1);
	}
	return n;
}

static int
apply(struct json_edit *e, enum op op, const char *path, struct str value)
{
	struct str keys[8];
	size_t n = split(path, keys);

	return op == SET ? json_edit_set(e, keys, n, value, NULL)
			 : json_edit_append(e, keys, n, value, NULL);
}

static void
test_table(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		cleanup_arena struct arena *a = arena_new(1 << 20);
		struct str text = str_from_c(cases[i].text);
		struct json_edit e;
		int err;

		assert_int_equal(json_edit_open(&e, a, text, &jsonc, NULL), 0);
		err = apply(&e, cases[i].op, cases[i].path, str_from_c(cases[i].value));
		assert_true((err != 0) == (cases[i].want == NULL));
		assert_str(
		    e.text, str_from_c(cases[i].want ? cases[i].want : cases[i].text));
	}
}

static const struct {
	const char *text;
	int index; /* index among the root's members */
	const char *want;
} removed[] = {
	{ "[1]", 0, "[]" },
	{ "[\n  1\n]\n", 0, "[]\n" },
	{ "[1, 2]", 1, "[1]" },
	{ "[1, 2]", 0, "[ 2]" },
	{ "[\n  1,\n  2\n]", 0, "[\n  2\n]" },
	{ "[\n  1,\n  2,\n  3\n]", 1, "[\n  1,\n  3\n]" },
	{ "[\n  1, // one\n  2\n]", 1, "[\n  1 // one\n]" },
	{ "[1, // one\n 2]", 1, "[1 // one\n]" },
	{ "[1, // one\n 2, 3]", 1, "[1, // one\n 3]" },
	{ "[ // c\n 1]", 0, "[ // c\n]" },
	{ "[1 /* a */ , 2]", 0, "[ /* a */  2]" },
	{ "{\"a\": 1, \"b\": 2}", 1, "{\"a\": 1}" },
};

static void
test_remove(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(removed); i++) {
		cleanup_arena struct arena *a = arena_new(1 << 20);
		const struct json *m;
		struct json_edit e;

		assert_int_equal(
		    json_edit_open(&e, a, str_from_c(removed[i].text), &jsonc, NULL), 0);
		m = e.root->first;
		for (int k = 0; k < removed[i].index; k++)
			m = m->next;
		assert_int_equal(json_edit_remove(&e, e.root, m, NULL), 0);
		assert_str(e.text, str_from_c(removed[i].want));
	}
}

/* ---- random documents */

static uint64_t seed;

static unsigned
dice(unsigned n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (unsigned)(seed % n);
}

static const char *blanks[] = { "", "", " ", "\n", "\n  ", "\t", "\r\n", " // c\n",
	"/* b */", "// , ] }\n", " /* \" */ ", "\n\n" };

static void
gap(struct buf *b)
{
	buf_puts(b, blanks[dice(COUNT(blanks))]);
}

static void
random_value(struct buf *b, int depth)
{
	static const char *plain[] = { "1", "-2.5e3", "true", "null", "\"\"",
		"\"a\\u0041\"", "\"// no, comment\"", "\"] }\"" };
	unsigned kind = depth > 3 ? 2 : dice(4), n = dice(4);

	if (kind >= 2) {
		buf_puts(b, plain[dice(COUNT(plain))]);
		return;
	}
	buf_putc(b, kind ? '[' : '{');
	gap(b);
	for (unsigned i = 0; i < n; i++) {
		if (i) {
			buf_putc(b, ',');
			gap(b);
		}
		if (!kind) {
			buf_putc(b, '"');
			buf_putc(b, (char)('a' + i));
			buf_putc(b, '"');
			gap(b);
			buf_putc(b, ':');
			gap(b);
		}
		random_value(b, depth + 1);
		gap(b);
	}
	buf_putc(b, kind ? ']' : '}');
}

/* Print the value compactly; one child can be removed, one inserted. */
static void
plain(struct buf *b, const struct json *v, const struct json *without,
    const struct json *into, const char *addition)
{
	bool object = v->kind == JSON_OBJECT, any = false;

	if (json_put_scalar(b, v))
		return;
	buf_putc(b, object ? '{' : '[');
	for (const struct json *m = v->first; m; m = m->next) {
		if (m == without)
			continue;
		if (any)
			buf_putc(b, ',');
		any = true;
		if (object) {
			json_put_str(b, m->key);
			buf_putc(b, ':');
		}
		plain(b, m, without, into, addition);
	}
	if (v == into) {
		if (any)
			buf_putc(b, ',');
		buf_puts(b, addition);
	}
	buf_putc(b, object ? '}' : ']');
}

static struct str
plain_of(struct arena *a, const struct json *v, const struct json *without,
    const struct json *into, const char *addition)
{
	struct buf b;

	buf_init(&b, a);
	plain(&b, v, without, into, addition);
	assert_false(b.full);
	return buf_str(&b);
}

/* The comments of a text, concatenated. */
static struct str
comments_of(struct arena *a, struct str text)
{
	struct buf b;
	bool in = false;

	buf_init(&b, a);
	for (size_t i = 0; i < text.n; i++) {
		if (in && text.p[i] == '\\') {
			i++;
		} else if (text.p[i] == '"') {
			in = !in;
		} else if (!in && text.p[i] == '/') {
			size_t end = json_comment_end(text, i);

			buf_put(&b, str_cut(text, i, end));
			buf_putc(&b, '|');
			i = end - 1;
		}
	}
	return buf_str(&b);
}

static const struct json *
some_container(const struct json *v, const struct json **parent, const struct json **child)
{
	const struct json *hit = NULL;
	unsigned seen = 0;

	if (v->kind != JSON_ARRAY && v->kind != JSON_OBJECT)
		return NULL;
	for (const struct json *m = v->first; m; m = m->next) {
		const struct json *inner = some_container(m, parent, child);

		if (!*child || dice(++seen + 1) == 0) {
			*parent = v;
			*child = m;
		}
		if (inner && dice(2))
			hit = inner;
	}
	return hit ? hit : v;
}

static void
check_append(struct arena *a, struct str text)
{
	static const struct str path[] = { STR_INIT("a"), STR_INIT("new") };
	struct json_edit e;
	const struct json *top, *old, *array;
	struct str want, first = text;
	size_t n = dice(2) ? 2 : 1;
	bool was_empty;

	assert_int_equal(json_edit_open(&e, a, text, &jsonc, NULL), 0);
	top = e.root;
	old = n == 1 ? top : json_get(top, path[0]);
	if (top->kind != JSON_OBJECT || !old || old->kind != JSON_OBJECT)
		return;
	was_empty = old->count == 0;
	want = plain_of(a, top, NULL, old, "\"new\":[{\"k\":[1,\"x\"]}]");
	assert_int_equal(
	    json_edit_append(&e, path + 2 - n, n, STR("{\"k\":[1,\"x\"]}"), NULL), 0);
	assert_str(plain_of(a, e.root, NULL, NULL, ""), want);
	assert_str(comments_of(a, e.text), comments_of(a, text));
	/* Append again, then remove both: the text is restored byte for byte. */
	first = e.text;
	assert_int_equal(json_edit_append(&e, path + 2 - n, n, STR("2"), NULL), 0);
	old = n == 1 ? e.root : json_get(e.root, path[0]);
	array = json_get(old, path[1]);
	assert_int_equal(array->count, 2);
	assert_int_equal(json_edit_remove(&e, array, array->first->next, NULL), 0);
	assert_str(e.text, first);
	old = n == 1 ? e.root : json_get(e.root, path[0]);
	assert_int_equal(json_edit_remove(&e, old, json_get(old, path[1]), NULL), 0);
	if (!was_empty)
		assert_str(e.text, text);
	assert_str(comments_of(a, e.text), comments_of(a, text));
}

static void
check_remove(struct arena *a, struct str text)
{
	const struct json *parent = NULL, *child = NULL;
	struct str want, inner;
	struct json_edit e;

	assert_int_equal(json_edit_open(&e, a, text, &jsonc, NULL), 0);
	(void)some_container(e.root, &parent, &child);
	if (!child)
		return;
	want = plain_of(a, e.root, child, NULL, "");
	inner = comments_of(a, str_cut(text, json_start_of(parent, child), child->end));
	assert_int_equal(json_edit_remove(&e, parent, child, NULL), 0);
	assert_str(plain_of(a, e.root, NULL, NULL, ""), want);
	/* Two comments may have been joined; none of their bytes is lost. */
	assert_true(comments_of(a, e.text).n + inner.n + 4 >= comments_of(a, text).n);
}

static void
test_random(void **state)
{
	(void)state;
	for (unsigned i = 1; i <= 60000; i++) {
		static char mem[1 << 20];
		struct arena a;
		struct buf b;

		seed = i * 0x9e3779b97f4a7c15u;
		arena_init(&a, mem, sizeof mem);
		buf_init(&b, &a);
		gap(&b);
		random_value(&b, 0);
		gap(&b);
		check_append(&a, buf_str(&b));
		check_remove(&a, buf_str(&b));
	}
}

/* With any amount of memory: the edit is done, or nothing changes. */
static void
test_memory(void **state)
{
	static const struct str path[] = { STR_INIT("h"), STR_INIT("e") };
	static char mem[8192];

	(void)state;
	for (size_t room = 0; room < sizeof mem; room += 16) {
		struct str text = STR("{\"h\": {\"e\": [1]}}");
		struct json_edit e;
		struct arena a;
		struct err why = { 0 };
		int err;

		arena_init(&a, mem, room);
		if (json_edit_open(&e, &a, text, NULL, NULL))
			continue;
		err = json_edit_append(&e, path, 2, STR("{\"x\":2}"), &why);
		if (err) {
			assert_int_equal(err, CORDON_ENOMEM);
			assert_str(e.text, text);
		} else {
			assert_str(e.text, STR("{\"h\": {\"e\": [1, {\"x\": 2}]}}"));
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_remove),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
