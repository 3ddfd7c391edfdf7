#include "../cm.h"
#include "base/json/json.h"
#include "base/limits.h"
#include "journal/crc32c.h"
#include "journal/record.h"

static const struct record full = {
	.kind = RECORD_DECISION,
	.flags = RECORD_REDACTED,
	.time = 1,
	.host = STR_INIT("claude"),
	.session = STR_INIT("s\0t"),
	.tool = STR_INIT("bash"),
	.cwd = STR_INIT("/w"),
	.command = STR_INIT("ls \xff\0"),
	.program = STR_INIT("ls"),
	.op = STR_INIT("write"),
	.path = STR_INIT("/etc/x"),
	.gate = STR_INIT("deny"),
	.rule = STR_INIT("user:/r:3"),
	.reason = STR_INIT(""),
	.outcome = STR_INIT("exit 0"),
	.detail = STR_INIT("{}"),
	.verdict = { true, 3 },
	.hard = { true, 1 },
	.about = { true, 7 },
	.pid = { true, 42 },
	.exit = { true, 0 },
	.signal = { true, 9 },
	.wall_ms = { true, UINT64_MAX },
	.count = { true, 1 },
	.policy = { true, { 1, 2, 3 } },
};

static struct str
encoded(struct arena *a, const struct record *r)
{
	uint8_t previous[SHA256_BYTES] = { 9 }, chain[SHA256_BYTES];
	struct str body;

	assert_int_equal(record_encode(a, r, &body, NULL), 0);
	record_finish(body, 5, r->time, previous, chain);
	return body;
}

/* MUST 1 */
static void
test_round_trip(void **state)
{
	cleanup_arena struct arena *a = arena_new(1 << 20);
	struct str body = encoded(a, &full);
	struct record got;

	(void)state;
	assert_int_equal(record_decode(body, &got, NULL), 0);
	assert_int_equal(got.sequence, 5);
	assert_str(got.command, full.command);
	assert_str(got.session, full.session);
	assert_true(got.reason.p && got.reason.n == 0);
	assert_true(got.exit.set && got.exit.n == 0);
	assert_true(got.wall_ms.n == UINT64_MAX && !got.file.set);
	assert_memory_equal(got.policy.b, full.policy.b, SHA256_BYTES);
	assert_str(encoded(a, &got), body);
}

/* MUST 2: any change of one byte, and any cut, is seen. */
static void
test_every_byte(void **state)
{
	cleanup_arena struct arena *a = arena_new(1 << 20);
	struct str body = encoded(a, &full);
	struct record_head head;
	struct record r;

	(void)state;
	for (size_t i = 0; i < body.n; i++) {
		struct str other = arena_copy(a, body);
		char *p = (char *)(uintptr_t)other.p;

		assert_int_not_equal(record_check(str_cut(body, 0, i), &head, NULL), 0);
		for (int bit = 0; bit < 8; bit++) {
			p[i] = (char)(body.p[i] ^ 1 << bit);
			assert_int_not_equal(record_check(other, &head, NULL), 0);
			assert_int_not_equal(record_decode(other, &r, NULL), 0);
		}
		a->used -= body.n;
	}
}

static void
set_crc(struct str body)
{
	uint32_t c = crc32c(str_cut(body, 0, body.n - 4));

	for (size_t i = 0; i < 4; i++)
		((char *)(uintptr_t)body.p)[body.n - 4 + i] = (char)(c >> 8 * i);
}

/* MUST 4 and the rule for fields that are not known. */
static void
test_unknown(void **state)
{
	static const struct {
		size_t at;
		char value;
		int want;
	} changes[] = {
		{ 4, 2, CORDON_EINVAL },               /* version */
		{ 5, 99, CORDON_EINVAL },              /* kind */
		{ RECORD_HEADER, 127, CORDON_EINVAL }, /* a tag that must be known */
		{ RECORD_HEADER, (char)200, 0 },       /* one that need not */
		{ RECORD_HEADER, 0, CORDON_EINVAL },
		{ RECORD_HEADER, 32, CORDON_EINVAL }, /* a number that is too long */
		{ RECORD_HEADER + 1, 127, CORDON_EINVAL },
		{ RECORD_HEADER + 4, 127, CORDON_EINVAL },
	};
	struct record r = { .kind = RECORD_RUN, .host = STR("some host"), .time = 1 };

	(void)state;
	for (size_t i = 0; i < COUNT(changes); i++) {
		cleanup_arena struct arena *a = arena_new(1 << 16);
		struct str body = encoded(a, &r);
		struct record_head head;
		struct record got;

		((char *)(uintptr_t)body.p)[changes[i].at] = changes[i].value;
		set_crc(body);
		/* MUST 3: it is whole, whatever it says. */
		assert_int_equal(record_check(body, &head, NULL), 0);
		assert_int_equal(head.sequence, 5);
		assert_int_equal(record_decode(body, &got, NULL), changes[i].want);
	}
}

static void
test_cut(void **state)
{
	static char text[2 * 131072];
	cleanup_arena struct arena *a = arena_new((size_t)4 << 20);
	struct record r = { .kind = RECORD_RUN,
		.time = 1,
		.command = str_of(text, sizeof text),
		.host = str_of(text, sizeof text),
		.detail = str_of(text, sizeof text),
		.cwd = str_of(text, sizeof text),
		.path = str_of(text, sizeof text),
		.rule = str_of(text, sizeof text),
		.reason = str_of(text, sizeof text),
		.outcome = str_of(text, sizeof text),
		.program = str_of(text, sizeof text) };
	struct str body;
	struct record got;

	(void)state;
	memset(text, 'x', sizeof text);
	body = encoded(a, &r);
	assert_true(body.n < RECORD_MAX);
	assert_int_equal(record_decode(body, &got, NULL), 0);
	assert_int_equal(got.flags, RECORD_CUT);
	assert_int_equal(got.command.n, LIMIT_COMMAND);
	assert_int_equal(got.host.n, 256);
}

static void
test_no_memory(void **state)
{
	int r = CORDON_ENOMEM;

	(void)state;
	for (size_t limit = 0; r; limit += 7) {
		cleanup_arena struct arena *a = arena_new(limit);
		struct str body = STR("untouched");

		r = record_encode(a, &full, &body, NULL);
		assert_true(r == 0 || r == CORDON_ENOMEM);
		if (r)
			assert_str(body, STR("untouched"));
	}
	assert_int_equal(
	    record_encode(NULL, &(struct record){ .kind = 99 }, NULL, NULL), CORDON_EINVAL);
}

static void
test_json(void **state)
{
	cleanup_arena struct arena *a = arena_new(1 << 20);
	struct json_opts how = { .surrogate_bytes = true };
	struct record r = full;
	const struct json *v;
	struct buf b;

	(void)state;
	r.command = STR("ls \xff \x1b\"\n");
	r.session = STR("s");
	r.time = (int64_t)951827696 * 1000000000 + 5; /* a leap day */
	buf_init(&b, a);
	record_put_json(&b, &r);
	assert_int_equal(json_read(a, buf_str(&b), &how, &v, NULL), 0);
	assert_str(json_get(v, STR("time"))->text, STR("2000-02-29T12:34:56.000000005Z"));
	assert_str(json_get(v, STR("command"))->text, r.command);
	assert_str(json_get(v, STR("kind"))->text, STR("decision"));
	assert_true(json_get(v, STR("redacted"))->truth);
	buf_init(&b, a);
	r.time = -1;
	record_put_line(&b, &r);
	assert_true(str_starts(buf_str(&b), STR("1969-12-31T23:59:59Z 0 decision ")));
	assert_int_equal(str_find(buf_str(&b), '\x1b'), b.n);
	assert_int_equal(str_find(buf_str(&b), '\n'), b.n);
}

/* ---- frames */

static void
test_frames(void **state)
{
	static char body[1100], frame[1200], back[1200];

	(void)state;
	for (size_t n = 1; n <= sizeof body; n += n < 520 ? 1 : 37)
		for (size_t zero = 1; zero <= n + 1; zero += n < 300 ? 13 : 101) {
			size_t len, got;

			for (size_t i = 0; i < n; i++)
				body[i] = (char)((i + 1) % zero ? 1 + i % 255 : 0);
			len = frame_put(str_of(body, n), frame);
			assert_true(len <= frame_room(n));
			assert_int_equal(str_find(str_of(frame, len), '\0'), len - 1);
			assert_true(frame_take(str_of(frame, len - 1), back, &got));
			assert_int_equal(got, n);
			assert_memory_equal(back, body, n);
		}
}

/* Every frame of three bytes that is taken is the one that is made. */
static void
test_frames_have_one_form(void **state)
{
	char body[300], frame[300], run[256];
	size_t n;

	(void)state;
	for (unsigned i = 1; i < 1 << 12; i++) {
		char in[3] = { (char)(i & 15), (char)(i >> 4 & 15), (char)(i >> 8) };

		for (size_t len = 1; len <= 3; len++) {
			struct str f = str_of(in, len);

			if (!frame_take(f, body, &n))
				continue;
			assert_int_equal(frame_put(str_of(body, n), frame), len + 1);
			assert_memory_equal(frame, in, len);
		}
	}
	/* A full run and an empty one behind it: the second adds nothing. */
	memset(run, 7, sizeof run);
	run[0] = (char)255;
	run[255] = 1;
	assert_true(frame_take(str_of(run, 255), body, &n));
	assert_int_equal(n, 254);
	assert_false(frame_take(str_of(run, 256), body, &n));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_every_byte),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_no_memory),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_frames),
		cmocka_unit_test(test_frames_have_one_form),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
