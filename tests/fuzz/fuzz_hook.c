/* tests/fuzz/fuzz_hook.c: payloads of agents, and the answers to them.  The first byte says
 * whose. */
#include "agents/agents.h"
#include "agents/wrap.h"
#include "base/json/json.h"
#include "fuzz.h"

static char memory[2][4 << 20];

/* Standard output is one JSON object and a newline, or nothing. */
static void
check_bytes(const struct agent_bytes *b, enum verdict verdict)
{
	struct arena a;
	const struct json *v = NULL;

	arena_init(&a, memory[1], sizeof memory[1]);
	MUST(b->status == 0 || b->status == 2);
	MUST(b->err.n == 0 || b->err.p[b->err.n - 1] == '\n');
	if (b->out.n) {
		MUST(b->out.p[b->out.n - 1] == '\n');
		MUST(json_read(&a, b->out, &(struct json_opts){ .surrogate_bytes = true },
			 &v, NULL) == 0);
		MUST(v->kind == JSON_OBJECT);
	}
	MUST(verdict != VERDICT_DENY || b->out.n || (b->status == 2 && b->err.n));
}

static void
check_answers(struct arena *a, const struct agent_call *call)
{
	static const enum verdict verdicts[] = { VERDICT_DENY, VERDICT_ASK, VERDICT_ALLOW };

	for (int i = 0; i < 12; i++) {
		struct agent_answer answer = { .verdict = verdicts[i % 3],
			.aloud = i & 1,
			.reason = STR("why \x01 \"so\"") };
		size_t used = a->used;
		struct agent_bytes out;
		struct buf all;

		/* An event that decides nothing is never denied, and only cordon asks. */
		if (call->event == EVENT_OTHER)
			answer.verdict = VERDICT_ALLOW;
		buf_init(&all, a);
		if (call->input && i > 5) {
			agent_put_input(&all, call, NULL, 0, false);
			MUST(!all.full);
			answer.input = answer.changes = buf_str(&all);
		}
		if (agent_write(a, call, &answer, &out))
			check_bytes(&out, answer.verdict);
		if (agent_fault(a, call, answer.reason, &out))
			check_bytes(&out, VERDICT_DENY);
		a->used = used;
	}
}

static void
check_wrap(struct arena *a, struct str text)
{
	struct wrap w = { 0 };
	struct buf b;

	if (!wrap_read(a, text, &w))
		return;
	buf_init(&b, a);
	MUST(wrap_put(&b, &w) && str_eq(buf_str(&b), text));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct agent_call call;
	struct err e = { 0 };
	struct arena a;
	struct str text;

	if (size == 0 || size > 100000)
		return 0;
	text = str_of((const char *)data + 1, size - 1);
	arena_init(&a, memory[0], sizeof memory[0]);
	check_wrap(&a, text);
	if (agent_read(&a, (enum agent)(data[0] % (AGENTS + 1)), data[0] & 0x80, text,
		&call, &e)) {
		struct agent_bytes out;

		MUST(e.why);
		MUST(agent_fault(&a, &call, STR("bad"), &out));
		check_bytes(&out, VERDICT_DENY);
		return 0;
	}
	MUST(call.agent != AGENT_AUTO);
	MUST(call.kind != CALL_SHELL || call.command.p);
	MUST(call.kind != CALL_FILES || call.touches);
	MUST(call.kind != CALL_MCP || call.servers);
	MUST(call.kind != CALL_BAD || call.why);
	MUST(!call.can_rewrite || call.input || call.kind == CALL_NONE);
	check_answers(&a, &call);
	return 0;
}
