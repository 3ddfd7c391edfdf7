/* The dialog: keys in, an answer out; what is shown, and what is not taken for a yes. */
#include "approve/dialog.h"
#include "help.h"

static const struct str rules = STR_INIT("mode use_allowlist\ndefault ask\n");

/* Types `keys`, drawing before each byte as the terminal does. */
static bool
type(struct dialog *d, struct arena *a, const char *keys)
{
	struct keys k = { 0 };

	for (const char *c = keys; *c; c++) {
		size_t used = a->used;
		struct keypress key;
		struct buf b;

		buf_init(&b, a);
		dialog_draw(d, &b);
		assert_false(b.full);
		a->used = used;
		key = keys_byte(&k, (unsigned char)*c);
		if (key.code == KEY_NONE && c[1] == '\0')
			key = keys_pause(&k);
		if (key.code != KEY_NONE && dialog_key(d, key))
			return true;
	}
	return false;
}

static const struct {
	const char *keys;
	enum approve_choice choice;
	enum approve_level level;
	enum approve_place place;
	bool network;
	struct str path, message;
} rows[] = {
	{ "y", APPROVE_ONCE, 0, 0, false, { NULL, 0 }, { NULL, 0 } },
	{ "s", APPROVE_SESSION, 0, 0, false, { NULL, 0 }, { NULL, 0 } },
	{ "a1u", APPROVE_ALLOWLIST, APPROVE_EXACT, APPROVE_USER, false, { NULL, 0 },
	    { NULL, 0 } },
	{ "a2u", APPROVE_ALLOWLIST, APPROVE_SUBCOMMAND, APPROVE_USER, false, { NULL, 0 },
	    { NULL, 0 } },
	{ "a3pu", APPROVE_ALLOWLIST, APPROVE_COMMAND, APPROVE_USER, false, { NULL, 0 },
	    { NULL, 0 } },
	{ "eny", APPROVE_ONCE, 0, 0, true, { NULL, 0 }, { NULL, 0 } },
	{ "enny", APPROVE_ONCE, 0, 0, false, { NULL, 0 }, { NULL, 0 } },
	{ "ew/data\ry", APPROVE_ONCE, 0, 0, false, STR_INIT("/data"), { NULL, 0 } },
	{ "ewdata\r\x15/d\xc3\xa4\xc3\xb6\x7f\ry", APPROVE_ONCE, 0, 0, false,
	    STR_INIT("/d\xc3\xa4"), { NULL, 0 } },
	{ "ew/data\rcy", APPROVE_ONCE, 0, 0, false, { NULL, 0 }, { NULL, 0 } },
	{ "mtry --dry-run\r", APPROVE_REJECT, 0, 0, false, { NULL, 0 },
	    STR_INIT("try --dry-run") },
	{ "m\r", APPROVE_REJECT, 0, 0, false, { NULL, 0 }, { NULL, 0 } },
	/* What says no. */
	{ "\r", 0, 0, 0, false, { NULL, 0 }, { NULL, 0 } },
	{ "\n", 0, 0, 0, false, { NULL, 0 }, { NULL, 0 } },
	{ "n", 0, 0, 0, false, { NULL, 0 }, { NULL, 0 } },
	{ "q", 0, 0, 0, false, { NULL, 0 }, { NULL, 0 } },
	{ "\x03", 0, 0, 0, false, { NULL, 0 }, { NULL, 0 } },
	{ "\x04", 0, 0, 0, false, { NULL, 0 }, { NULL, 0 } },
	{ "\x1b", 0, 0, 0, false, { NULL, 0 }, { NULL, 0 } },
	{ "a\r", 0, 0, 0, false, { NULL, 0 }, { NULL, 0 } },
	{ "a1\r", 0, 0, 0, false, { NULL, 0 }, { NULL, 0 } },
	{ "en\r", 0, 0, 0, false, { NULL, 0 }, { NULL, 0 } },
	{ "ew/x\r\x03", 0, 0, 0, false, { NULL, 0 }, { NULL, 0 } },
	/* A paste is no answer, in none of its keys. */
	{ "\x1b[200~y\ry\x1b[201~n", 0, 0, 0, false, { NULL, 0 }, { NULL, 0 } },
	/* But it is text where text is typed. */
	{ "m\x1b[200~a\ny\x1b[201~\r", 0, 0, 0, false, { NULL, 0 }, STR_INIT("ay") },
};

static void
test_keys(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct asked x;
		struct dialog d;

		ask_about(&x, STR("git push origin"), rules);
		x.q.session = STR("s");
		x.q.for_session = x.q.rules[APPROVE_USER][APPROVE_EXACT];
		assert_true(dialog_init(&d, &x.a, &x.q, 24, 80, false));
		if (!type(&d, &x.a, rows[i].keys))
			fail_msg("row %zu does not end", i);
		if (d.answer.choice != rows[i].choice)
			fail_msg("row %zu: %d", i, (int)d.answer.choice);
		assert_int_equal(d.answer.level, rows[i].level);
		assert_int_equal(d.answer.place, rows[i].place);
		assert_int_equal(d.answer.network, rows[i].network);
		assert_str(d.answer.path, rows[i].path);
		assert_str(d.answer.message, rows[i].message);
	}
}

/* Keys that end nothing. */
static void
test_others(void **state)
{
	static const char *keys[] = { "x", "Y", "S", "a9", "ap", "a1p", "ex", "\x1b[A",
		"\x1bOA", "\x1b[5~", "\x1b[15~", "\xff", "\xc3", "\x01", "\x1a", "\x1by" };

	(void)state;
	for (size_t i = 0; i < COUNT(keys); i++) {
		struct asked x;
		struct dialog d;

		ask_about(&x, STR("git push origin"), rules);
		assert_true(dialog_init(&d, &x.a, &x.q, 24, 80, false));
		if (type(&d, &x.a, keys[i]))
			fail_msg("%zu ends it", i);
	}
}

/* Without a session there is none to accept for. */
static void
test_not_offered(void **state)
{
	struct asked x;
	struct dialog d;

	(void)state;
	ask_about(&x, STR("git push \"$x\""), rules);
	assert_true(dialog_init(&d, &x.a, &x.q, 24, 80, false));
	assert_false(type(&d, &x.a, "s"));
	assert_false(type(&d, &x.a, "a1"));
	assert_int_equal(d.state, DIALOG_LEVEL);
	x.q.can_network = x.q.can_path = false;
	assert_false(type(&d, &x.a, "\x1b"));
	assert_false(type(&d, &x.a, "enw"));
	assert_int_equal(d.state, DIALOG_SANDBOX);
	assert_false(d.answer.network);
}

/* This host, this project: the line and its file are seen before the yes. */
static void
test_here(void **state)
{
	struct asked x;
	struct dialog d;
	struct buf out;

	(void)state;
	ask_about(&x, STR("curl https://example.org/x"), STR("ask net *\n"));
	assert_true(dialog_init(&d, &x.a, &x.q, 24, 80, false));
	assert_false(type(&d, &x.a, "h")); /* nothing was said about hosts */
	assert_int_equal(d.state, DIALOG_MAIN);
	x.q.hosts = STR("example.org");
	x.q.rules[APPROVE_PROJECT][APPROVE_COMMAND] =
	    approve_rules(&x.a, &x.decision, APPROVE_COMMAND);
	assert_false(type(&d, &x.a, "h"));
	assert_int_equal(d.state, DIALOG_PLACE);
	buf_init(&out, &x.a);
	dialog_draw(&d, &out);
	buf_putc(&out, '\0');
	assert_non_null(strstr(out.p, "allow \"curl\" net example.org"));
	assert_non_null(strstr(out.p, "/ws/.cordon/rules"));
	assert_true(type(&d, &x.a, "p"));
	assert_int_equal(d.answer.choice, APPROVE_ALLOWLIST);
	assert_int_equal(d.answer.level, APPROVE_COMMAND);
	assert_int_equal(d.answer.place, APPROVE_PROJECT);
	assert_false(d.answer.network);
	/* Where nobody knows the host there is no such width. */
	x.q.wants_network = true;
	assert_true(dialog_init(&d, &x.a, &x.q, 24, 80, false));
	assert_false(type(&d, &x.a, "h"));
	assert_int_equal(d.state, DIALOG_MAIN);
}

/* No yes before the whole command was on the screen; none in a window that is too small. */
static void
test_must_be_seen(void **state)
{
	static char text[6000];
	struct asked x;
	struct dialog d;

	(void)state;
	memset(text, 'a', sizeof text);
	memcpy(text, "tool ", 5);
	ask_about(&x, str_of(text, sizeof text), rules);
	assert_true(dialog_init(&d, &x.a, &x.q, 24, 80, false));
	assert_false(type(&d, &x.a, "yyy"));
	assert_non_null(d.note);
	assert_false(type(&d, &x.a, "a2u"));
	assert_false(type(&d, &x.a, "\x1b"));
	assert_false(type(&d, &x.a, "\x1b"));
	for (int i = 0; i < 20; i++)
		assert_false(type(&d, &x.a, " "));
	assert_true(type(&d, &x.a, " y"));
	assert_int_equal(d.answer.choice, APPROVE_ONCE);

	ask_about(&x, STR("tool"), rules);
	assert_true(dialog_init(&d, &x.a, &x.q, 8, 30, false));
	assert_false(type(&d, &x.a, "yy"));
	dialog_resize(&d, 24, 80);
	assert_true(type(&d, &x.a, "y"));
}

/* Jumping to the end counts as having seen nothing in between. */
static void
test_no_jump(void **state)
{
	static char text[6000];
	struct asked x;
	struct dialog d;

	(void)state;
	memset(text, 'a', sizeof text);
	memcpy(text, "tool ", 5);
	ask_about(&x, str_of(text, sizeof text), rules);
	assert_true(dialog_init(&d, &x.a, &x.q, 24, 80, false));
	d.top = d.lines - 4;
	assert_false(type(&d, &x.a, "y"));
}

static bool
contains(struct str text, const char *part)
{
	for (size_t i = 0; i < text.n; i++)
		if (str_starts(str_skip(text, i), str_from_c(part)))
			return true;
	return false;
}

/* Of all that a command can hold, only our own sequences reach the terminal. */
static void
test_forges_nothing(void **state)
{
	static const struct str hostile =
	    STR_INIT("tool $'\\e[2J' '\x1b[2J\x1b[1;1HEnter says yes' '\xe2\x80\xae"
		     "gpj.exe' '\xc2\x9b"
		     "31m' '\r' \"\x07\"");
	struct asked x;
	struct dialog d;
	struct buf b;
	size_t at = 0;

	(void)state;
	ask_about(&x, hostile, rules);
	x.q.cwd = STR("/ws/\x1b]0;title\x07");
	assert_true(dialog_init(&d, &x.a, &x.q, 40, 100, false));
	buf_init(&b, &x.a);
	dialog_draw(&d, &b);
	for (; at < b.n; at++) {
		struct str rest = str_of(b.p + at, b.n - at);
		unsigned char c = (unsigned char)b.p[at];

		if (c == 0x1b) {
			/* Only what screen.c writes: CSI, digits, one of H, K, l, m. */
			size_t i = 2;

			assert_int_equal(rest.p[1], '[');
			while (rest.p[i] == ';' || rest.p[i] == '?' ||
			       (rest.p[i] >= '0' && rest.p[i] <= '9'))
				i++;
			assert_non_null(strchr("HKlm", rest.p[i]));
			assert_false(str_starts(rest, STR("\x1b[1;1HEnter")));
			at += i;
			continue;
		}
		assert_true(c >= 0x20 && c != 0x7f);
		assert_false(str_starts(rest, STR("\xe2\x80\xae")));
		assert_false(str_starts(rest, STR("\xc2\x9b")));
	}
	assert_true(contains(buf_str(&b), "\\x1b[2J"));
	assert_true(contains(buf_str(&b), "\\u{202e}"));
}

/* What a character takes that begins with this byte. */
static size_t
columns_of(unsigned char c)
{
	if ((c & 0xc0) == 0x80)
		return 0;
	return c >= 0xe3 ? 2 : 1;
}

/* Every row stays within the window, at any width. */
static void
test_width(void **state)
{
	struct asked x;
	struct dialog d;

	(void)state;
	ask_about(&x,
	    STR("tool 漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字 🚀🚀🚀🚀🚀🚀🚀🚀🚀"
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
	    rules);
	for (size_t columns = 40; columns <= 120; columns++) {
		size_t next;

		assert_true(dialog_init(&d, &x.a, &x.q, 24, columns, false));
		for (size_t at = 0; at < d.text.n; at = next) {
			size_t end = layout_line(d.text, at, columns, &next), wide = 0;

			assert_true(next > at);
			for (size_t i = at; i < end; i++)
				wide += columns_of((unsigned char)d.text.p[i]);
			assert_true(wide <= columns);
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_keys),
		cmocka_unit_test(test_others), cmocka_unit_test(test_not_offered),
		cmocka_unit_test(test_here), cmocka_unit_test(test_must_be_seen),
		cmocka_unit_test(test_no_jump), cmocka_unit_test(test_forges_nothing),
		cmocka_unit_test(test_width) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
