/* What can be done to the bytes of a journal, and that it is found.  Numbers in the names
 * of tests are those of the MUST list in journal/journal.h. */
#define _GNU_SOURCE
#include "fixture.h"

/* 2, and a power cut: cut at every byte, then go on. */
static void
test_2_cut_at_every_byte(void **state)
{
	struct fixture *f = *state;
	struct journal_file file, after;
	size_t at[32], n;
	int kinds[16];

	for (size_t i = 0; i < 5; i++)
		assert_int_equal(add(f, i * 90, NULL), 0);
	file = load(f);
	n = frames(file.bytes, at, COUNT(at));
	for (size_t cut = at[1]; cut <= file.bytes.n; cut++) {
		size_t whole = 0;
		bool clean = false;
		struct journal_verify v;

		for (size_t i = 1; i <= n; i++) {
			/* A record of which only the zero byte is missing is whole. */
			whole += cut >= at[i] - 1;
			clean = clean || cut == at[i] || cut == at[i] - 1;
		}
		save(f, str_cut(file.bytes, 0, cut));
		v = check_all(f, kinds);
		assert_int_equal(v.records, whole);
		assert_int_equal(v.faults, cut == at[whole] ? 0 : 1);
		assert_int_equal(kinds[FAULT_TORN], cut == at[whole] ? 0 : 1);
		assert_int_equal(add(f, 7, NULL), 0);
		v = check_all(f, kinds);
		assert_int_equal(v.faults, 0);
		assert_int_equal(v.records, whole + (clean ? 1 : 2));
		assert_int_equal(kinds[NOTE_SEALED], clean ? 0 : 1);
		/* Nothing that was there has changed. */
		after = load(f);
		assert_true(str_starts(after.bytes, str_cut(file.bytes, 0, cut)));
		journal_file_done(&after);
	}
	journal_file_done(&file);
}

/* 2: a seal that is itself cut, at every byte, and again. */
static void
test_2_seal_cut(void **state)
{
	struct fixture *f = *state;
	struct journal_file file;
	size_t base;
	int kinds[16];

	assert_int_equal(add(f, 400, NULL), 0);
	file = load(f);
	base = file.bytes.n - 150;
	save(f, str_cut(file.bytes, 0, base));
	journal_file_done(&file);
	assert_int_equal(add(f, 20, NULL), 0);
	file = load(f);
	for (size_t cut = base; cut <= file.bytes.n; cut++) {
		struct journal_verify v;

		save(f, str_cut(file.bytes, 0, cut));
		assert_int_equal(add(f, 7, NULL), 0);
		v = check_all(f, kinds);
		assert_int_equal(v.faults, 0);
		assert_true(kinds[NOTE_SEALED] == 1 || kinds[NOTE_SEALED] == 2);
	}
	journal_file_done(&file);
}

/* 5: whatever single byte is changed. */
static void
test_5_every_byte_flipped(void **state)
{
	struct fixture *f = *state;
	struct journal_file file;
	char *copy;
	int kinds[16];

	for (size_t i = 0; i < 6; i++)
		assert_int_equal(add(f, i * 60, NULL), 0);
	/* A sealed piece, too. */
	file = load(f);
	copy = malloc(file.bytes.n + 40);
	memcpy(copy, file.bytes.p, file.bytes.n);
	memcpy(copy + file.bytes.n, file.bytes.p + file.bytes.n - 300, 40);
	save(f, str_of(copy, file.bytes.n + 40));
	journal_file_done(&file);
	free(copy);
	assert_int_equal(add(f, 10, NULL), 0);
	assert_int_equal(add(f, 10, NULL), 0);

	file = load(f);
	assert_int_equal(check(f, file.bytes, kinds).faults, 0);
	assert_int_equal(kinds[NOTE_SEALED], 1);
	for (size_t i = 0; i < file.bytes.n; i++) {
		char *p = (char *)file.map + i, was = *p;

		for (int x = 1; x < 256; x++) {
			/* All values of the last ones, some of the others. */
			if (x & (x - 1) && x != (uint8_t)was && x != 255 &&
			    i + 40 < file.bytes.n)
				continue;
			*p = (char)(was ^ x);
			if (check(f, file.bytes, kinds).faults == 0)
				fail_msg("byte %zu xor %d is not seen", i, x);
		}
		*p = was;
	}
	journal_file_done(&file);
}

/* 5: records removed, copied, swapped, put in. */
static void
test_5_records_moved(void **state)
{
	struct fixture *f = *state;
	struct journal_file file;
	size_t at[32], n;
	char out[65536];
	int kinds[16];

	for (size_t i = 0; i < 8; i++)
		assert_int_equal(add(f, i * 50, NULL), 0);
	file = load(f);
	n = frames(file.bytes, at, COUNT(at));
	assert_int_equal(n, 9);
	for (size_t i = 0; i < n; i++)
		for (size_t k = i; k <= n; k++) {
			struct buf b;
			struct arena a;

			/* [i, k) removed, unless that is the end: then only a head tells.
			 */
			arena_init(&a, out, sizeof out);
			buf_init(&b, &a);
			buf_put(&b, str_cut(file.bytes, 0, at[i]));
			buf_put(&b, str_skip(file.bytes, at[k]));
			if (k > i && k < n)
				assert_true(check(f, buf_str(&b), kinds).faults > 0);
			if (k > i && k < n && i > 0) {
				assert_int_equal(kinds[FAULT_MISSING], 1);
				assert_int_equal(check(f, buf_str(&b), kinds).faults, 1);
			}
			/* Record i copied to k. */
			arena_init(&a, out, sizeof out);
			buf_init(&b, &a);
			buf_put(&b, str_cut(file.bytes, 0, at[k]));
			buf_put(&b, str_cut(file.bytes, at[i], at[i + 1]));
			buf_put(&b, str_skip(file.bytes, at[k]));
			assert_true(check(f, buf_str(&b), kinds).faults > 0);
			/* i and k swapped. */
			if (k == i || k == n)
				continue;
			arena_init(&a, out, sizeof out);
			buf_init(&b, &a);
			buf_put(&b, str_cut(file.bytes, 0, at[i]));
			buf_put(&b, str_cut(file.bytes, at[k], at[k + 1]));
			buf_put(&b, str_cut(file.bytes, at[i + 1], at[k]));
			buf_put(&b, str_cut(file.bytes, at[i], at[i + 1]));
			buf_put(&b, str_skip(file.bytes, at[k + 1]));
			assert_true(check(f, buf_str(&b), kinds).faults > 0);
		}
	journal_file_done(&file);
}

/* 5: a record that was altered and given a new checksum, or a new chain, too. */
static void
test_5_forged(void **state)
{
	struct fixture *f = *state;
	struct journal_file file;
	uint8_t before[SHA256_BYTES] = { 0 }, chain[SHA256_BYTES];
	size_t at[32], n;
	int kinds[16];

	for (size_t i = 0; i < 8; i++)
		assert_int_equal(add(f, 50, NULL), 0);
	file = load(f);
	n = frames(file.bytes, at, COUNT(at));
	for (size_t i = 0; i < n; i++) {
		struct str frame = str_cut(file.bytes, at[i], at[i + 1] - 1);
		char body[1024], kept[1024], out[1100];
		struct record_head head;
		size_t len;

		assert_true(frame_take(frame, body, &len));
		assert_int_equal(record_check(str_of(body, len), &head, NULL), 0);
		memcpy(kept, frame.p, frame.n);
		/* Another time, which is in every record; the chain is made to fit. */
		record_finish(str_of(body, len), head.sequence, 12345, before, chain);
		if (frame_put(str_of(body, len), out) == frame.n + 1) {
			memcpy((char *)(uintptr_t)frame.p, out, frame.n);
			assert_int_equal(
			    check(f, file.bytes, kinds).faults, i + 1 < n ? 1 : 0);
			assert_int_equal(kinds[FAULT_CHAIN], i + 1 < n ? 1 : 0);
		}
		memcpy((char *)(uintptr_t)frame.p, kept, frame.n);
		memcpy(before, head.chain, sizeof before);
	}
	journal_file_done(&file);
}

/* 5: the last records cut off, or the chain written anew: a head that was seen tells. */
static void
test_5_head(void **state)
{
	struct fixture *f = *state;
	struct journal_head head;
	struct journal_file file;
	size_t at[32], n;
	char text[200];
	struct arena a;
	struct buf b;

	for (size_t i = 0; i < 5; i++)
		assert_int_equal(add(f, 50, &head), 0);
	arena_init(&a, text, sizeof text);
	buf_init(&b, &a);
	journal_head_put(&b, &head);
	file = load(f);
	n = frames(file.bytes, at, COUNT(at));
	for (size_t cut = n - 1; cut <= n; cut++) {
		struct journal_verify v = { .scratch = f->a, .has_seen = true };

		assert_true(journal_head_read(buf_str(&b), &v.seen));
		journal_verify_file(&v, STR("x"), 0, str_cut(file.bytes, 0, at[cut]));
		journal_verify_end(&v, true);
		assert_int_equal(v.faults, cut == n ? 0 : 1);
	}
	assert_false(journal_head_read(STR("1:00"), &head));
	assert_false(journal_head_read(str_cut(buf_str(&b), 0, b.n - 1), &head));
	journal_file_done(&file);
}

/* Blocks that never reached the disk: zeros, at the end or in the last records. */
static void
test_zeros(void **state)
{
	struct fixture *f = *state;
	struct journal_file file;
	int kinds[16];

	for (size_t i = 0; i < 30; i++)
		assert_int_equal(add(f, 300, NULL), 0);
	file = load(f);
	for (size_t back = 4; back < 1200; back += 61) {
		memset((char *)file.map + file.bytes.n - back, 0, back);
		save(f, file.bytes);
		assert_true(check_all(f, kinds).faults > 0);
		assert_int_equal(add(f, 7, NULL), 0);
		assert_int_equal(check_all(f, kinds).faults, 1);
		assert_int_equal(kinds[FAULT_DAMAGED], 1);
	}
	journal_file_done(&file);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_2_cut_at_every_byte),
		TEST(test_2_seal_cut),
		TEST(test_5_every_byte_flipped),
		TEST(test_5_records_moved),
		TEST(test_5_forged),
		TEST(test_5_head),
		TEST(test_zeros),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
