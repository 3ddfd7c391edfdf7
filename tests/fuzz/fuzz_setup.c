/* tests/fuzz/fuzz_setup.c: settings of agents, and TOML: what is registered can be taken
 * out again, and the rest is what it was. */
#include "agents/setup/setup.h"
#include "base/json/json_edit.h"
#include "base/toml.h"
#include "fuzz.h"

static char memory[64 << 20];

static const struct setup_params params = {
	.program = STR_INIT("/usr/bin/cordon"),
	.timeout = 30,
	.adapter = STR_INIT("const CALL = [];\n"),
};

/* The value on one line. */
static struct str
plain_of(struct arena *a, struct str text)
{
	static const struct json_opts jsonc = { .comments = true };
	static const struct json_form one_line = { .newline = STR_INIT("") };
	const struct json *v = NULL;
	struct buf b;

	if (str_starts(text, STR("\xef\xbb\xbf")))
		text = str_skip(text, 3);
	if (!text.n)
		return STR("");
	MUST(json_read(a, text, &jsonc, &v, NULL) == 0);
	buf_init(&b, a);
	json_put_form(&b, v, &one_line);
	MUST(!b.full);
	return buf_str(&b);
}

/* Registered twice is registered once; taken out twice is taken out once. */
static void
check_host(enum agent agent, enum agent_scope scope, struct str text)
{
	struct setup_found f;
	struct str with = { NULL, 0 }, again = { NULL, 0 }, clean = { NULL, 0 }, out, twice;
	struct err e = { 0 };
	struct arena a;

	arena_init(&a, memory, sizeof memory);
	if (setup_remove(&a, agent, scope, text, &clean, &e) || !clean.p ||
	    setup_add(&a, agent, scope, &params, clean, &with, &e))
		return;
	MUST(setup_inspect(&a, agent, scope, with, &f, &e) == 0);
	MUST(f.events == f.wanted && f.closed && str_is(f.program, "/usr/bin/cordon"));
	MUST(setup_add(&a, agent, scope, &params, with, &again, &e) == 0);
	MUST(str_eq(again, with));
	MUST(setup_remove(&a, agent, scope, with, &out, &e) == 0);
	if (!out.p)
		return;
	MUST(setup_remove(&a, agent, scope, out, &twice, &e) == 0 && str_eq(out, twice));
	MUST(setup_inspect(&a, agent, scope, out, &f, &e) == 0 && f.entries == 0);
	/* Nothing else has changed, but for the version that some files need and for what
	 * was empty. */
	if (scope == SCOPE_USER && agent == AGENT_CLAUDE) {
		struct str was = plain_of(&a, clean), is = plain_of(&a, out);

		MUST(str_eq(was, is) || is.n < was.n || was.n == 0);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = str_of((const char *)data, size);
	const struct json *v = NULL;
	struct arena a;

	if (size > 1 << 16)
		return 0;
	arena_init(&a, memory, sizeof memory);
	(void)toml_read(&a, text, &v, NULL);
	for (enum agent h = 0; h < AGENTS; h++)
		check_host(h, SCOPE_USER, text);
	check_host(AGENT_CODEX, SCOPE_MANAGED, text);
	return 0;
}
