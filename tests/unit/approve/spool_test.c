/* The console's answer: bound to the question, and never more than it offered. */
#include "approve/spool.h"
#include "help.h"

static const struct str rules = STR_INIT("mode use_allowlist\ndefault ask\n");

static struct str
with_bind(struct asked *x, const char *rest)
{
	char bind[APPROVE_BIND];
	struct buf b;

	approve_bind(&x->q, bind);
	buf_init(&b, &x->a);
	buf_puts(&b, "{\"bind\":\"");
	buf_put(&b, str_of(bind, sizeof bind));
	buf_puts(&b, "\"");
	buf_puts(&b, rest);
	buf_puts(&b, "}");
	return buf_str(&b);
}

static const struct {
	const char *rest;
	bool good;
	enum approve_choice choice;
} rows[] = {
	{ ",\"choice\":\"once\"", true, APPROVE_ONCE },
	{ ",\"choice\":\"reject\",\"message\":\"no\"", true, APPROVE_REJECT },
	{ ",\"choice\":\"allowlist\",\"level\":\"exact\",\"place\":\"user\"", true,
	    APPROVE_ALLOWLIST },
	{ ",\"choice\":\"once\",\"network\":true,\"path\":\"/d\"", true, APPROVE_ONCE },
	{ ",\"choice\":\"once\",\"path\":null", true, APPROVE_ONCE },
	{ "", false, 0 },
	{ ",\"choice\":\"yes\"", false, 0 },
	{ ",\"choice\":1", false, 0 },
	{ ",\"choice\":\"session\"", false, 0 },
	{ ",\"choice\":\"allowlist\"", false, 0 },
	{ ",\"choice\":\"allowlist\",\"level\":\"exact\",\"place\":\"project\"", false, 0 },
	{ ",\"choice\":\"allowlist\",\"level\":\"all\",\"place\":\"user\"", false, 0 },
	{ ",\"choice\":\"once\",\"path\":\"d\"", false, 0 },
	{ ",\"choice\":\"once\",\"path\":\"\"", false, 0 },
	{ ",\"choice\":\"once\",\"more\":1", false, 0 },
	{ ",\"choice\":\"once\",\"choice\":\"once\"", false, 0 },
};

static void
test_answers(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct approve_answer answer = { .end = APPROVE_LOST };
		struct asked x;
		const char *wrong;

		ask_about(&x, STR("git push origin"), rules);
		wrong =
		    approve_read_answer(&x.a, with_bind(&x, rows[i].rest), &x.q, &answer);
		if ((wrong == NULL) != rows[i].good)
			fail_msg("row %zu: %s", i, wrong ? wrong : "accepted");
		assert_int_equal(answer.choice, rows[i].choice);
		if (!rows[i].good)
			assert_int_equal(answer.end, APPROVE_LOST);
	}
}

/* Another command, directory or policy: another question. */
static void
test_bound(void **state)
{
	struct approve_answer answer = { 0 };
	struct asked x;
	struct str text;

	(void)state;
	ask_about(&x, STR("git push origin"), rules);
	text = with_bind(&x, ",\"choice\":\"once\"");
	assert_null(approve_read_answer(&x.a, text, &x.q, &answer));
	x.q.cwd = STR("/w");
	assert_non_null(approve_read_answer(&x.a, text, &x.q, &answer));
	x.q.cwd = STR("/ws");
	x.q.digest = STR("d2");
	assert_non_null(approve_read_answer(&x.a, text, &x.q, &answer));
	x.q.digest = STR("d1");
	x.in.text = STR("git push origin ");
	assert_non_null(approve_read_answer(&x.a, text, &x.q, &answer));
	/* Bytes that move from one field to the next are not the same either. */
	x.in.text = STR("git push origin/ws");
	x.q.cwd = STR("");
	assert_non_null(approve_read_answer(&x.a, text, &x.q, &answer));
}

/* The question is JSON, and what a person sees of the command is escaped in it. */
static void
test_question(void **state)
{
	struct approve_times t = { 1, 2 };
	const struct json *v, *pieces;
	struct asked x;
	struct buf b, all;

	(void)state;
	ask_about(&x, STR("tool \"\x1b[2J\" && other <x>"), rules);
	x.q.can_network = false;
	buf_init(&b, &x.a);
	approve_put_json(&b, &x.q, STR("id"), &t);
	assert_false(b.full);
	assert_int_equal(json_read(&x.a, buf_str(&b), NULL, &v, NULL), 0);
	pieces = json_get(v, STR("command"));
	buf_init(&all, &x.a);
	for (const struct json *p = pieces->first; p; p = p->next) {
		struct str piece = json_get(p, STR("text"))->text;

		assert_true(str_find(piece, 0x1b) == piece.n);
		buf_put(&all, piece);
	}
	assert_str(buf_str(&all), STR("tool \"\\x1b[2J\" && other <x>"));
	assert_str(json_get(pieces->first, STR("verdict"))->text, STR("ask"));
	assert_false(json_get(v, STR("canNetwork"))->truth);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_answers),
		cmocka_unit_test(test_bound), cmocka_unit_test(test_question) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
