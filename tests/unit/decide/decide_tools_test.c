/* decide: decisions other than a command's verdict (tools, paths, hosts), and its showing.
 */
#include "decide/json.h"
#include "decide/show.h"
#include "decide_help.h"

static struct decide_input
input(struct arena *a, enum layer layer, const char *rules)
{
	return (struct decide_input){ .text = STR(""),
		.policy = policy_of(a, layer, rules),
		.base = { home, &root, 1 },
		.interactive = true,
		.sandbox = true,
		.hook = VERDICT_ALLOW,
		.trace = true };
}

/* ---- MCP tools */

static const struct {
	enum layer layer;
	const char *rules, *want;
	enum gate gate;
} tools[] = {
	{ LAYER_USER, "protect mcp\n", "ask", GATE_PROTECT },
	{ LAYER_USER, "protect mcp\nallow mcp hub:*\n", "allow", GATE_ALLOW },
	{ LAYER_USER, "protect mcp\nallow mcp other:*\n", "ask", GATE_PROTECT },
	{ LAYER_USER, "protect mcp\nallow mcp hub:*\nask mcp hub:push\n", "ask", GATE_ASK },
	{ LAYER_USER, "allow mcp hub:*\ndeny mcp *:push\n", "deny", GATE_DENY },
	{ LAYER_USER, "default confine\n", "allow", GATE_ALLOW },
	{ LAYER_USER, "default deny\n", "deny", GATE_SANDBOX },
	{ LAYER_USER, "default ask\n", "ask", GATE_SANDBOX },
	{ LAYER_USER, "default deny\nmode run_everything\n", "allow", GATE_ALLOW },
	{ LAYER_USER, "allow mcp hub:push\nmode ask_every_time\n", "ask", GATE_MODE },
	{ LAYER_ADMIN, "protect mcp\nmcp_allow hub:push\n", "allow", GATE_ALLOW },
	{ LAYER_ADMIN, "protect mcp\nmcp_allow hub:pull\n", "ask", GATE_PROTECT },
	{ LAYER_ADMIN, "mcp_allow hub:push\nautorun off\n", "ask", GATE_AUTORUN },
};

static void
test_tools(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(tools); i++) {
		cleanup_arena struct arena *a = arena_new(8 << 20);
		struct decide_input in = input(a, tools[i].layer, tools[i].rules);
		struct decision d;

		decide_mcp(a, &in, STR("hub"), STR("push"), &d);
		if (strcmp(verdict_name(d.verdict), tools[i].want) ||
		    d.gate != tools[i].gate)
			fail_msg("%s: %s, gate %s", tools[i].rules, verdict_name(d.verdict),
			    gate_name(d.gate));
		assert_int_equal(d.fix.n == 0, d.verdict == VERDICT_ALLOW);
		assert_true(d.reason.n > 0);
		in.interactive = false;
		decide_mcp(a, &in, STR("hub"), STR("push"), &d);
		assert_string_equal(verdict_name(d.verdict),
		    strcmp(tools[i].want, "ask") ? tools[i].want : "deny");
	}
}

static void
test_tools_memory(void **state)
{
	cleanup_arena struct arena *a = arena_new(8 << 20);
	struct decide_input in = input(a, LAYER_USER, "allow mcp hub:*\n");
	size_t used = a->used;
	struct decision d;
	bool enough = false;

	(void)state;
	for (size_t n = 0; n < 4096; n += 16) {
		a->used = used;
		a->limit = used + n;
		decide_mcp(a, &in, STR("hub"), STR("push"), &d);
		assert_true(d.verdict == VERDICT_ALLOW || d.verdict == VERDICT_DENY);
		assert_false(enough && d.verdict == VERDICT_DENY);
		enough |= d.verdict == VERDICT_ALLOW;
	}
	assert_true(enough);
}

/* ---- paths and hosts reached inside a sandbox */

static void
test_path(void **state)
{
	cleanup_arena struct arena *a = arena_new(8 << 20);
	struct decide_input in = input(a, LAYER_USER,
	    "deny read /home/u/.ssh/*\nask write /w/x\nallow read /srv/**\n");
	struct rule r;

	(void)state;
	assert_true(decide_path(&in, FILE_READ, STR("/home/u/.ssh/id"), &r));
	assert_int_equal(r.verdict, VERDICT_DENY);
	assert_true(decide_path(&in, FILE_WRITE, STR("/w/x"), &r));
	assert_int_equal(r.verdict, VERDICT_ASK);
	assert_true(decide_path(&in, FILE_READ, STR("/srv/a/b"), &r));
	assert_int_equal(r.verdict, VERDICT_ALLOW);
	assert_false(decide_path(&in, FILE_READ, STR("/w/y"), &r));
	assert_false(decide_path(&in, FILE_WRITE, STR("/w/y"), &r));
}

static void
test_host(void **state)
{
	static const struct {
		const char *host;
		bool denied;
	} rows[] = {
		{ "evil.example", true },
		{ "a.evil.example", true },
		{ "evil.example:443", true },
		{ "good.example", false },
		{ "notevil.example", false },
		/* Another spelling of an address may be the denied one. */
		{ "10.0.0.1", true },
		{ "[::1]", true },
	};
	cleanup_arena struct arena *a = arena_new(8 << 20);
	struct decide_input in =
	    input(a, LAYER_USER, "deny net evil.example *.evil.example 10.0.0.1\n");

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		if (decide_host(&in, str_from_c(rows[i].host)) != rows[i].denied)
			fail_msg("%s", rows[i].host);
}

/* ---- what a person agreed to */

static void
test_agreed(void **state)
{
	static const struct {
		const char *text;
		const char *host; /* a host that it then reaches; "": any */
	} rows[] = {
		{ "curl https://example.org/x", "example.org" },
		{ "curl $x", "" },
		{ "curl https://a.example; wget https://b.example", "a.example" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		cleanup_arena struct arena *a = arena_new(8 << 20);
		struct decide_input in = input(a, LAYER_USER, "network off\nask net *\n");
		struct analyse_opts where = { root, home };
		struct sandbox_policy p;
		struct effects e = { 0 };
		struct decision d;

		in.text = str_from_c(rows[i].text);
		assert_int_equal(analyse(a, in.text, &where, &e, NULL), 0);
		effects_assume(&e, &root, 1);
		in.effects = &e;
		decide(a, &in, &d);
		assert_int_equal(d.verdict, VERDICT_ASK);
		p = d.sandbox;
		assert_false(p.network_access);
		assert_int_equal(decide_agreed(a, &in, &d, &p), 0);
		assert_int_equal(p.network_access, rows[i].host[0] == '\0');
		if (rows[i].host[0])
			assert_str(p.network_allow.v[0], str_from_c(rows[i].host));
		p = d.sandbox;
		a->limit = a->used;
		if (rows[i].host[0])
			assert_int_equal(decide_agreed(a, &in, &d, &p), CORDON_ENOMEM);
	}
}

/* ---- output for people, and too small buffers */

static void
test_full(void **state)
{
	cleanup_arena struct arena *a = arena_new(1 << 16);
	struct buf out;

	(void)state;
	buf_init(&out, a);
	decision_json_full(&out, STR("7"));
	assert_true(str_starts(buf_str(&out), STR("{\"id\":7,\"verdict\":\"deny\"")));
	assert_true(str_ends(buf_str(&out), STR("}")));
}

static const char *const shown_texts[] = {
	"ls; git push && rm -rf \"$x\" | sudo tee /etc/x; cd /tmp; LD_PRELOAD=a b",
	"curl https://example.org/x > out; cat *.c; cat a b c d e f g h i j k l m n o p q",
	"tool; echo 'open",
	"a && b && c && d && e && f && g && h && i && j && k && l && m && n && o && p && q",
};

/* The coloured drawing without its colours is the plain one. */
static void
strip(struct buf *to, struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] != '\x1b') {
			buf_putc(to, s.p[i]);
			continue;
		}
		while (s.p[i] != 'm')
			i++;
	}
}

static void
decide_text(struct arena *a, struct decide_input *in, struct effects *e, const char *text,
    struct decision *d)
{
	struct analyse_opts where = { root, home };

	in->text = str_from_c(text);
	*e = (struct effects){ 0 };
	in->effects = NULL;
	if (analyse(a, in->text, &where, e, &in->error) == 0) {
		effects_assume(e, &root, 1);
		in->effects = e;
	}
	decide(a, in, d);
}

static void
test_shown(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(shown_texts); i++) {
		cleanup_arena struct arena *a = arena_new(8 << 20);
		struct decide_input in = input(a, LAYER_USER,
		    "safe @read\nsandbox workspace_readonly\nnetwork off except a.example\n"
		    "writable /srv/x\ntmp_write off\nprotect sudo env outside destroy\n"
		    "ask git push\ndeny tee\n");
		struct buf plain, colour, stripped;
		struct effects e;
		struct decision d;
		size_t used, peak;

		decide_text(a, &in, &e, shown_texts[i], &d);
		used = a->used;
		buf_init(&plain, a);
		decision_show(&plain, &in, &d, false);
		decision_trace(&plain, &in, &d);
		assert_false(plain.full);
		assert_int_equal(str_find(buf_str(&plain), '\x1b'), plain.n);
		peak = a->used;
		buf_init(&colour, a);
		decision_show(&colour, &in, &d, true);
		decision_trace(&colour, &in, &d);
		assert_true(colour.n > plain.n);
		buf_init(&stripped, a);
		strip(&stripped, buf_str(&colour));
		assert_str(buf_str(&stripped), buf_str(&plain));
		/* Truncated output says so. */
		for (size_t n = used; n < peak; n += 64) {
			a->used = used;
			a->limit = n;
			buf_init(&plain, a);
			decision_show(&plain, &in, &d, true);
			decision_trace(&plain, &in, &d);
			decision_line(&plain, &d);
			assert_true(plain.full);
		}
	}
}

/* Every text with every amount of memory: never looser than with enough. */
static void
test_memory(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(shown_texts); i++) {
		cleanup_arena struct arena *a = arena_new(8 << 20);
		struct decide_input in = input(a, LAYER_USER,
		    "safe @read\nallow curl net example.org writable /srv/x\nallow tool a\n"
		    "allow net example.org\nprotect destroy\n");
		struct effects e;
		struct decision whole, d;
		size_t used, peak;

		decide_text(a, &in, &e, shown_texts[i], &whole);
		used = a->used;
		decide(a, &in, &d);
		assert_int_equal(d.verdict, whole.verdict);
		peak = a->used;
		for (size_t n = used; n < peak; n += 16) {
			a->used = used;
			a->limit = n;
			decide(a, &in, &d);
			assert_true(d.verdict <= whole.verdict);
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_tools),
		cmocka_unit_test(test_tools_memory), cmocka_unit_test(test_path),
		cmocka_unit_test(test_host), cmocka_unit_test(test_agreed),
		cmocka_unit_test(test_full), cmocka_unit_test(test_shown),
		cmocka_unit_test(test_memory) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
