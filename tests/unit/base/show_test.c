#include "../cm.h"
#include "base/show.h"
#include "base/utf8.h"

static const struct {
	struct str text, shown;
	unsigned flags;
} cases[] = {
	{ STR_INIT(""), STR_INIT(""), 0 },
	{ STR_INIT("plain text ~!"), STR_INIT("plain text ~!"), 0 },
	{ STR_INIT("\xc3\xa9 \xe4\xb8\xad \xf0\x9f\x92\x80"),
	    STR_INIT("\xc3\xa9 \xe4\xb8\xad \xf0\x9f\x92\x80"), 0 },
	{ STR_INIT("a\x1b[31mb"), STR_INIT("a\\x1b[31mb"), 0 },
	{ STR_INIT("a\x1b[31mb\nc"), STR_INIT("a\\x1b[31mb\nc"), SHOW_NEWLINES },
	{ STR_INIT("a\nb\tc\rd"), STR_INIT("a\\nb\\tc\\rd"), 0 },
	{ STR_INIT("\n\r\n"), STR_INIT("\n\\r\n"), SHOW_NEWLINES },
	{ STR_INIT("\0\x01\x7f\b"), STR_INIT("\\x00\\x01\\x7f\\x08"), 0 },
	{ STR_INIT("\xc2\x9b"
		   "1m"),
	    STR_INIT("\\u{9b}1m"), 0 },
	{ STR_INIT("\x9b\xff\xc0\xaf"), STR_INIT("\\x9b\\xff\\xc0\\xaf"), 0 },
	{ STR_INIT("\xed\xa0\x80"), STR_INIT("\\xed\\xa0\\x80"), 0 },
	{ STR_INIT("\xe2\x80\xae"
		   "fdp"),
	    STR_INIT("\\u{202e}fdp"), 0 },
	{ STR_INIT("\xf3\xa0\x81\x81"), STR_INIT("\\u{e0041}"), 0 },
	{ STR_INIT("a\\nb"), STR_INIT("a\\nb"), 0 },
	{ STR_INIT("a\\nb\n"), STR_INIT("a\\\\nb\\n"), SHOW_EXACT },
};

static void
test_table(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		cleanup_arena struct arena *a = arena_new(4096);
		struct buf b;

		buf_init(&b, a);
		show_put(&b, cases[i].text, cases[i].flags);
		assert_str(buf_str(&b), cases[i].shown);
	}
}

static const uint32_t hidden[] = { 0x80, 0x9f, 0xa0, 0xad, 0x34f, 0x61c, 0x115f, 0x1160,
	0x180e, 0x2000, 0x200a, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2028, 0x2029,
	0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x202f, 0x205f, 0x2060, 0x2064, 0x2066,
	0x2067, 0x2068, 0x2069, 0x206f, 0x2800, 0x3000, 0x3164, 0xe000, 0xf8ff, 0xfdd0,
	0xfe00, 0xfe0f, 0xfeff, 0xffa0, 0xfff9, 0xfffb, 0xfffe, 0xffff, 0x1d173, 0x1fffe,
	0xe0001, 0xe007f, 0xe0100, 0x10ffff };
static const uint32_t shown[] = { 0xa1, 0xe9, 0x300, 0x5d0, 0x627, 0x2010, 0x2014, 0x2027,
	0x2030, 0x205e, 0x2070, 0x20ac, 0x2801, 0x3001, 0x4e2d, 0xac00, 0xfffc, 0xfffd,
	0x1f480, 0x20000 };

static bool
is_kept(uint32_t c)
{
	char mem[256], out[4];
	struct arena a;
	struct buf b;
	struct str text = str_of(out, utf8_give(c, out));

	arena_init(&a, mem, sizeof mem);
	buf_init(&b, &a);
	show_put(&b, text, 0);
	return str_eq(buf_str(&b), text);
}

static void
test_characters(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(hidden); i++)
		if (is_kept(hidden[i]))
			fail_msg("U+%04X is shown as it is", (unsigned)hidden[i]);
	for (size_t i = 0; i < COUNT(shown); i++)
		if (!is_kept(shown[i]))
			fail_msg("U+%04X is not shown", (unsigned)shown[i]);
}

/* No byte that a terminal acts upon is printed, for any input. */
static void
test_no_control(void **state)
{
	uint32_t seed = 7;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		char bytes[16], mem[512];
		struct arena a;
		struct buf b;

		for (size_t n = 0; n < sizeof bytes; n++) {
			seed = seed * 1664525 + 1013904223;
			bytes[n] = (char)(seed >> 24);
		}
		arena_init(&a, mem, sizeof mem);
		buf_init(&b, &a);
		show_put(&b, str_of(bytes, sizeof bytes), i & 3);
		assert_false(b.full);
		for (size_t n = 0; n < b.n; n++) {
			unsigned char c = (unsigned char)b.p[n];

			assert_true(c == '\n' ? i & SHOW_NEWLINES : c >= 0x20 && c != 0x7f);
			if (c >= 0x80) {
				uint32_t unused;
				size_t length = utf8_take(buf_str(&b), n, &unused);

				assert_true(length > 1);
				n += length - 1;
			}
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_characters),
		cmocka_unit_test(test_no_control),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
