#include "../cm.h"
#include "base/json/json.h"
#include "base/limits.h"
#include "base/utf8.h"
#include <stdlib.h>

/* Invalid documents, and the offset of the error. */
static const struct {
	struct str text;
	size_t at;
} refused[] = {
	{ STR_INIT(""), 0 },
	{ STR_INIT(" "), 1 },
	{ STR_INIT("nul"), 0 },
	{ STR_INIT("nulll"), 4 },
	{ STR_INIT("True"), 0 },
	{ STR_INIT("{} {}"), 3 },
	{ STR_INIT("{}\0"), 2 },
	{ STR_INIT("{}\0{}"), 2 },
	{ STR_INIT("\0"), 0 },
	{ STR_INIT("[1,]"), 3 },
	{ STR_INIT("[,1]"), 1 },
	{ STR_INIT("[1 2]"), 3 },
	{ STR_INIT("[1"), 2 },
	{ STR_INIT("["), 1 },
	{ STR_INIT("]"), 0 },
	{ STR_INIT("{\"a\":1,}"), 7 },
	{ STR_INIT("{\"a\"}"), 4 },
	{ STR_INIT("{\"a\":}"), 5 },
	{ STR_INIT("{a:1}"), 1 },
	{ STR_INIT("{'a':1}"), 1 },
	{ STR_INIT("{\"a\":1"), 6 },
	{ STR_INIT("{\"a\":1 \"b\":2}"), 7 },
	{ STR_INIT("01"), 1 },
	{ STR_INIT("-01"), 2 },
	{ STR_INIT("-"), 1 },
	{ STR_INIT("+1"), 0 },
	{ STR_INIT(".5"), 0 },
	{ STR_INIT("1."), 2 },
	{ STR_INIT("1e"), 2 },
	{ STR_INIT("1e+"), 3 },
	{ STR_INIT("1.e3"), 2 },
	{ STR_INIT("0x10"), 1 },
	{ STR_INIT("1_000"), 1 },
	{ STR_INIT("NaN"), 0 },
	{ STR_INIT("-Infinity"), 1 },
	{ STR_INIT("\"abc"), 4 },
	{ STR_INIT("\"a\\"), 2 },
	{ STR_INIT("\"a\\\""), 2 },
	{ STR_INIT("\"a\nb\""), 2 },
	{ STR_INIT("\"a\tb\""), 2 },
	{ STR_INIT("\"a\x1f\""), 2 },
	{ STR_INIT("\"a\0b\""), 2 },
	{ STR_INIT("\"\\t\0b\""), 3 },
	{ STR_INIT("\"\\x41\""), 2 },
	{ STR_INIT("\"\\'\""), 2 },
	{ STR_INIT("\"\\u12\""), 5 },
	{ STR_INIT("\"\\u12g4\""), 5 },
	{ STR_INIT("\"\\U0041\""), 2 },
	{ STR_INIT("\"ls\\u0000rm\""), 3 },
	{ STR_INIT("\"\\ud800\""), 1 },
	{ STR_INIT("\"\\ud800x\""), 1 },
	{ STR_INIT("\"\\ud800\\n\""), 1 },
	{ STR_INIT("\"\\ud800\\u0041\""), 1 },
	{ STR_INIT("\"\\ud800\\ud800\""), 1 },
	{ STR_INIT("\"\\ud800\\uzzzz\""), 9 },
	{ STR_INIT("\"x\\udc00\""), 2 },
	{ STR_INIT("\"\\udc80\""), 1 },
	{ STR_INIT("\"\\udfff\""), 1 },
	{ STR_INIT("\"\x80\""), 1 },
	{ STR_INIT("\"a\xff\""), 2 },
	{ STR_INIT("\"\xc0\xaf\""), 1 },
	{ STR_INIT("\"\xc1\xbf\""), 1 },
	{ STR_INIT("\"\xe0\x80\xaf\""), 1 },
	{ STR_INIT("\"\xf0\x80\x80\xaf\""), 1 },
	{ STR_INIT("\"\xed\xa0\x80\""), 1 },
	{ STR_INIT("\"\xed\xbf\xbf\""), 1 },
	{ STR_INIT("\"\xf4\x90\x80\x80\""), 1 },
	{ STR_INIT("\"\xf5\x80\x80\x80\""), 1 },
	{ STR_INIT("\"\xc3\""), 1 },
	{ STR_INIT("\"\xe2\x82"), 1 },
	{ STR_INIT("\"\\n\xc3\""), 3 },
	{ STR_INIT("\xef\xbb\xbf{}"), 0 },
	{ STR_INIT("{\"c\":\"ls\",\"c\":\"rm\"}"), 10 },
	{ STR_INIT("{\"c\":1,\"\\u0063\":2}"), 7 },
	{ STR_INIT("{\"\":1,\"b\":3,\"\":2}"), 12 },
	{ STR_INIT("[{\"x\":{\"a\":1,\"a\":1}}]"), 13 },
	{ STR_INIT("// no\n1"), 0 },
	{ STR_INIT("1 /* no */"), 2 },
	{ STR_INIT("\x0c"
		   "1"),
	    0 },
	{ STR_INIT("\xc2\xa0"
		   "1"),
	    0 },
};

static void
test_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(refused); i++) {
		cleanup_arena struct arena *a = arena_new(4096);
		const struct json *v = NULL;
		struct err e = { 0 };

		if (json_read(a, refused[i].text, NULL, &v, &e) != CORDON_EINVAL)
			fail_msg("case %zu was accepted", i);
		if (e.at != refused[i].at)
			fail_msg("case %zu at %zu: %s", i, e.at, e.why);
		assert_null(v);
		assert_non_null(e.why);
		assert_int_equal(
		    json_read(a, refused[i].text, NULL, &v, NULL), CORDON_EINVAL);
	}
}

static const struct {
	struct str text, value;
} strings[] = {
	{ STR_INIT("\"\""), STR_INIT("") },
	{ STR_INIT(" \t\r\n\"a\" \t\r\n"), STR_INIT("a") },
	{ STR_INIT("\"a b\""), STR_INIT("a b") },
	{ STR_INIT("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""), STR_INIT("\"\\/\b\f\n\r\t") },
	{ STR_INIT("\"\\u0041\\u00e9\\u20AC\""), STR_INIT("A\xc3\xa9\xe2\x82\xac") },
	{ STR_INIT("\"\\ud83d\\udc80\""), STR_INIT("\xf0\x9f\x92\x80") },
	{ STR_INIT("\"\\udbff\\udfff\""), STR_INIT("\xf4\x8f\xbf\xbf") },
	{ STR_INIT("\"\\ud800\\udc00\""), STR_INIT("\xf0\x90\x80\x80") },
	{ STR_INIT("\"\\u007f\\u0001\""), STR_INIT("\x7f\x01") },
	{ STR_INIT("\"\x7f\""), STR_INIT("\x7f") },
	{ STR_INIT("\"\\uffff\\ufffe\""), STR_INIT("\xef\xbf\xbf\xef\xbf\xbe") },
	{ STR_INIT("\"x\\ny\xc3\xa9z\""), STR_INIT("x\ny\xc3\xa9z") },
	{ STR_INIT("\"\\\\u0041\""), STR_INIT("\\u0041") },
	{ STR_INIT("\"//\""), STR_INIT("//") },
};

static void
test_strings(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(strings); i++) {
		cleanup_arena struct arena *a = arena_new(4096);
		const struct json *v = NULL;

		assert_int_equal(json_read(a, strings[i].text, NULL, &v, NULL), 0);
		assert_int_equal(v->kind, JSON_STRING);
		assert_str(v->text, strings[i].value);
	}
}

static void
test_tree(void **state)
{
	struct str text =
	    STR(" {\"a\" : [1, true ,false,null,{}],\"b\":{\"c\":\"d\"}, \"\":-0.5e+3 } ");
	cleanup_arena struct arena *a = arena_new(4096);
	const struct json *v = NULL, *list;

	(void)state;
	assert_int_equal(json_read(a, text, NULL, &v, NULL), 0);
	assert_int_equal(v->kind, JSON_OBJECT);
	assert_int_equal(v->count, 3);
	list = json_get(v, STR("a"));
	assert_int_equal(list->kind, JSON_ARRAY);
	assert_int_equal(list->count, 5);
	assert_int_equal(list->first->kind, JSON_NUMBER);
	assert_true(list->first->next->truth);
	assert_false(list->first->next->next->truth);
	assert_int_equal(list->first->next->next->kind, JSON_BOOL);
	assert_int_equal(list->first->next->next->next->kind, JSON_NULL);
	assert_str(json_source(text, list), STR("[1, true ,false,null,{}]"));
	assert_str(json_get(json_get(v, STR("b")), STR("c"))->text, STR("d"));
	assert_str(json_get(v, STR(""))->text, STR("-0.5e+3"));
	assert_null(json_get(v, STR("c")));
	assert_null(json_get(list, STR("c")));
	assert_null(json_get(NULL, STR("c")));
}

static const struct {
	struct str text;
	int want;
	int64_t value;
} integers[] = {
	{ STR_INIT("0"), 0, 0 },
	{ STR_INIT("-0"), 0, 0 },
	{ STR_INIT("9007199254740993"), 0, 9007199254740993 },
	{ STR_INIT("9223372036854775807"), 0, INT64_MAX },
	{ STR_INIT("-9223372036854775808"), 0, INT64_MIN },
	{ STR_INIT("9223372036854775808"), CORDON_ELIMIT, 0 },
	{ STR_INIT("-9223372036854775809"), CORDON_ELIMIT, 0 },
	{ STR_INIT("100000000000000000000000000"), CORDON_ELIMIT, 0 },
	{ STR_INIT("1.0"), CORDON_EINVAL, 0 },
	{ STR_INIT("1e3"), CORDON_EINVAL, 0 },
	{ STR_INIT("\"1\""), CORDON_EINVAL, 0 },
};

static void
test_integers(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(integers); i++) {
		cleanup_arena struct arena *a = arena_new(4096);
		const struct json *v = NULL;
		int64_t got = 77;

		assert_int_equal(json_read(a, integers[i].text, NULL, &v, NULL), 0);
		assert_int_equal(json_int(v, &got), integers[i].want);
		assert_true(got == (integers[i].want ? 77 : integers[i].value));
	}
	assert_int_equal(json_int(NULL, NULL), CORDON_EINVAL);
}

static const struct {
	struct str text;
	int want;
} commented[] = {
	{ STR_INIT("// a\n{ /* b */ \"a\" /**/ : /***/ 1 // c\n } // d"), 0 },
	{ STR_INIT("/* a */ 1 // \xc3\xa9\r\n"), 0 },
	{ STR_INIT("\"//\""), 0 },
	{ STR_INIT("[1,/* a */]"), CORDON_EINVAL },
	{ STR_INIT("1 /"), CORDON_EINVAL },
	{ STR_INIT("1 /x"), CORDON_EINVAL },
	{ STR_INIT("1 /*"), CORDON_EINVAL },
	{ STR_INIT("{ /*"), CORDON_EINVAL },
	{ STR_INIT("[1, /*"), CORDON_EINVAL },
	{ STR_INIT("1 /*/"), CORDON_EINVAL },
	{ STR_INIT("1 # a"), CORDON_EINVAL },
	{ STR_INIT("1 // \r2"), CORDON_EINVAL },
	{ STR_INIT("1 // \xe2\x80\xa8"), CORDON_EINVAL },
	{ STR_INIT("1 // \xff"), CORDON_EINVAL },
	{ STR_INIT("1 // \0"), CORDON_EINVAL },
	{ STR_INIT("1 /* \0 */"), CORDON_EINVAL },
};

static void
test_comments(void **state)
{
	static const struct json_opts opts = { .comments = true };

	(void)state;
	for (size_t i = 0; i < COUNT(commented); i++) {
		cleanup_arena struct arena *a = arena_new(4096);
		const struct json *v = NULL;

		if (json_read(a, commented[i].text, &opts, &v, NULL) != commented[i].want)
			fail_msg("case %zu", i);
	}
}

static const struct {
	struct str text;
	int want;
	struct str value;
} surrogates[] = {
	{ STR_INIT("\"a\\udc80b\\udcff\""), 0,
	    STR_INIT("a\x80"
		     "b\xff") },
	{ STR_INIT("\"\\uDCFF\""), 0, STR_INIT("\xff") },
	{ STR_INIT("\"\\ud83d\\udc80\""), 0, STR_INIT("\xf0\x9f\x92\x80") },
	{ STR_INIT("\"\\udc7f\""), CORDON_EINVAL, STR_INIT("") },
	{ STR_INIT("\"\\udd00\""), CORDON_EINVAL, STR_INIT("") },
	{ STR_INIT("\"\\udc00\""), CORDON_EINVAL, STR_INIT("") },
	{ STR_INIT("\"\\ud800\""), CORDON_EINVAL, STR_INIT("") },
	{ STR_INIT("\"\xff\""), CORDON_EINVAL, STR_INIT("") },
	{ STR_INIT("\"\\u0000\""), CORDON_EINVAL, STR_INIT("") },
	{ STR_INIT("{\"\xc3\xa9\":1,\"\\udcc3\\udca9\":2}"), CORDON_EINVAL, STR_INIT("") },
};

static void
test_surrogate_bytes(void **state)
{
	static const struct json_opts opts = { .surrogate_bytes = true };

	(void)state;
	for (size_t i = 0; i < COUNT(surrogates); i++) {
		cleanup_arena struct arena *a = arena_new(4096);
		const struct json *v = NULL;

		if (json_read(a, surrogates[i].text, &opts, &v, NULL) != surrogates[i].want)
			fail_msg("case %zu", i);
		if (v)
			assert_str(v->text, surrogates[i].value);
	}
}

static void
test_depth(void **state)
{
	char text[2 * LIMIT_JSON_DEPTH + 2];
	cleanup_arena struct arena *a = arena_new(65536);
	const struct json *v = NULL;
	struct err e;

	(void)state;
	memset(text, '[', LIMIT_JSON_DEPTH);
	memset(text + LIMIT_JSON_DEPTH, ']', LIMIT_JSON_DEPTH);
	assert_int_equal(
	    json_read(a, str_of(text, (size_t)2 * LIMIT_JSON_DEPTH), NULL, &v, NULL), 0);
	memset(text, '[', LIMIT_JSON_DEPTH + 1);
	assert_int_equal(
	    json_read(a, str_of(text, sizeof text), NULL, &v, &e), CORDON_ELIMIT);
	assert_int_equal(e.at, LIMIT_JSON_DEPTH);
}

static void
test_size(void **state)
{
	char *text = malloc(LIMIT_JSON + 1);
	cleanup_arena struct arena *a = arena_new(4096);
	const struct json *v = NULL;

	(void)state;
	memset(text, ' ', LIMIT_JSON + 1);
	text[0] = '1';
	assert_int_equal(json_read(a, str_of(text, LIMIT_JSON), NULL, &v, NULL), 0);
	v = NULL;
	assert_int_equal(
	    json_read(a, str_of(text, LIMIT_JSON + 1), NULL, &v, NULL), CORDON_ELIMIT);
	assert_null(v);
	free(text);
}

static void
put_keys(struct buf *b, size_t count, size_t twice)
{
	buf_putc(b, '{');
	for (size_t i = 0; i < count; i++) {
		json_put_sep(b);
		buf_puts(b, "\"k");
		buf_putu(b, i * 7919 % count);
		buf_puts(b, "\":1");
	}
	if (twice < count) {
		buf_puts(b, ",\"k");
		buf_putu(b, twice);
		buf_puts(b, "\":2");
	}
	buf_putc(b, '}');
}

/* 100,000 different keys, then one twice: a quadratic check would take minutes. */
static void
test_many_keys(void **state)
{
	static const size_t counts[] = { 8, 9, 10, 17, 100, 100000 };

	(void)state;
	for (size_t i = 0; i < COUNT(counts); i++) {
		cleanup_arena struct arena *a = arena_new((size_t)64 << 20);
		const struct json *v = NULL;
		struct buf b;
		struct err e;

		buf_init(&b, a);
		put_keys(&b, counts[i], counts[i]);
		assert_int_equal(json_read(a, buf_str(&b), NULL, &v, NULL), 0);
		assert_int_equal(v->count, counts[i]);
		buf_init(&b, a);
		put_keys(&b, counts[i], counts[i] / 3);
		assert_int_equal(json_read(a, buf_str(&b), NULL, &v, &e), CORDON_EINVAL);
		assert_int_equal(b.p[e.at], '"');
		assert_true(str_find(str_skip(buf_str(&b), e.at), ',') == b.n - e.at);
	}
}

/* Every arena that is too small fails; the first that is large enough succeeds. */
static void
test_memory(void **state)
{
	struct str text =
	    STR("{\"a\\n\":[1,2,{\"b\":\"\\u0041\"}],\"1\":1,\"2\":1,\"3\":1,\"4\":1,"
		"\"5\":1,\"6\":1,\"7\":1,\"8\":1}");
	bool done = false;

	(void)state;
	for (size_t limit = 0; !done; limit++) {
		cleanup_arena struct arena *a = arena_new(limit);
		const struct json *v = NULL;
		struct err e;
		int err = json_read(a, text, NULL, &v, &e);

		assert_true(limit < 8192);
		assert_true(err == 0 || err == CORDON_ENOMEM);
		assert_true((v != NULL) == (err == 0));
		done = err == 0;
	}
}

static const struct {
	struct str value, text;
} written[] = {
	{ STR_INIT(""), STR_INIT("\"\"") },
	{ STR_INIT("a b"), STR_INIT("\"a b\"") },
	{ STR_INIT("\"\\/"), STR_INIT("\"\\\"\\\\/\"") },
	{ STR_INIT("\b\f\n\r\t"), STR_INIT("\"\\b\\f\\n\\r\\t\"") },
	{ STR_INIT("\x00\x01\x1f\x7f"), STR_INIT("\"\\u0000\\u0001\\u001f\x7f\"") },
	{ STR_INIT("\xc3\xa9\xf0\x9f\x92\x80"), STR_INIT("\"\xc3\xa9\xf0\x9f\x92\x80\"") },
	{ STR_INIT("\x80\xff\xc3"), STR_INIT("\"\\udc80\\udcff\\udcc3\"") },
	{ STR_INIT("\xed\xa0\x80"), STR_INIT("\"\\udced\\udca0\\udc80\"") },
	{ STR_INIT("\xc0\xaf"), STR_INIT("\"\\udcc0\\udcaf\"") },
};

static void
test_writer(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(written); i++) {
		cleanup_arena struct arena *a = arena_new(4096);
		struct buf b;

		buf_init(&b, a);
		json_put_str(&b, written[i].value);
		assert_str(buf_str(&b), written[i].text);
	}
}

static void
test_writer_parts(void **state)
{
	cleanup_arena struct arena *a = arena_new(4096);
	struct buf b;

	(void)state;
	buf_init(&b, a);
	json_put_sep(&b);
	buf_putc(&b, '{');
	json_put_key(&b, "a");
	json_put_int(&b, INT64_MIN);
	json_put_key(&b, "b\n");
	buf_putc(&b, '[');
	json_put_sep(&b);
	json_put_bool(&b, true);
	json_put_sep(&b);
	json_put_bool(&b, false);
	json_put_sep(&b);
	json_put_sep(&b);
	json_put_str_or_null(&b, (struct str){ NULL, 0 });
	buf_putc(&b, ']');
	json_put_key(&b, "c");
	json_put_str_or_null(&b, STR(""));
	buf_puts(&b, "}\n");
	json_put_sep(&b);
	json_put_int(&b, 12);
	assert_str(
	    buf_str(&b), STR("{\"a\":-9223372036854775808,\"b\\n\":[true,false,null],"
			     "\"c\":\"\"}\n12"));
}

/* Any bytes except NUL survive a round trip: all pairs, then long random texts. */
static void
round_trip(struct arena *a, struct str bytes)
{
	static const struct json_opts opts = { .surrogate_bytes = true };
	const struct json *v = NULL;
	struct buf b;

	arena_reset(a);
	buf_init(&b, a);
	json_put_str(&b, bytes);
	assert_int_equal(json_read(a, buf_str(&b), &opts, &v, NULL), 0);
	assert_str(v->text, bytes);
}

static void
test_round_trip(void **state)
{
	cleanup_arena struct arena *a = arena_new(65536);
	uint32_t seed = 1;

	(void)state;
	for (int x = 1; x < 256; x++)
		for (int y = 1; y < 256; y++)
			round_trip(a, str_of((char[]){ (char)x, (char)y }, 2));
	for (int i = 0; i < 20000; i++) {
		char bytes[24];
		size_t n = 0;

		for (; n < sizeof bytes; n++) {
			seed = seed * 1664525 + 1013904223;
			/* Mostly bytes that begin or continue a character. */
			bytes[n] =
			    (char)(seed >> 30 ? 0x80 | seed >> 24 : 1 + (seed >> 24) % 127);
		}
		round_trip(a, str_of(bytes, n));
	}
}

/* All characters survive a round trip; every other code point is refused. */
static void
test_utf8(void **state)
{
	(void)state;
	for (uint32_t c = 0; c < 0x110000; c++) {
		char out[4];
		uint32_t back = 0;
		size_t n;

		if (c >= 0xd800 && c < 0xe000)
			continue;
		n = utf8_give(c, out);
		assert_int_equal(utf8_take(str_of(out, n), 0, &back), n);
		assert_int_equal(back, c);
		if (n > 1)
			assert_int_equal(utf8_take(str_of(out, n - 1), 0, &back), 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_tree),
		cmocka_unit_test(test_integers),
		cmocka_unit_test(test_comments),
		cmocka_unit_test(test_surrogate_bytes),
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_size),
		cmocka_unit_test(test_many_keys),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_writer),
		cmocka_unit_test(test_writer_parts),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_utf8),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
