/* The cursor dialect: entries offered for the allowlist. */
#include "cursor_help.h"

#define Q(settings, command) "{" settings "\"command\":\"" command "\"}"

/* Row 3.12. */
static void
test_qJt_candidates(void **state)
{
#define COMPOSITE "\"compositeCommands\":[\"git\",\"npm\",\"docker compose\",\"mytool\"],"
	static const struct row rows[] = {
		{ Q(COMPOSITE, "ls -la"), "ask [\"ls\"]" },
		{ Q(COMPOSITE, "git push origin main"), "ask [\"git push\"]" },
		{ Q(COMPOSITE, "git -C . push origin"), "ask [\"git -C . push\"]" },
		{ Q(COMPOSITE, "git --version"), "ask [\"git --version\"]" },
		{ Q(COMPOSITE, "git"), "ask [\"git\"]" },
		{ Q(COMPOSITE, "git push; ls; git push x; ls"),
		    "ask [\"git push\",\"ls\"]" },
		{ Q(COMPOSITE, "docker compose up -d"), "ask [\"docker compose up\"]" },
		{ Q(COMPOSITE, "docker ps"), "ask [\"docker\"]" },
		{ Q(COMPOSITE, "mytool -v deploy now"), "ask [\"mytool -v deploy\"]" },
		{ Q(COMPOSITE, "timeout 5 npm ci"),
		    "ask [\"timeout 5 npm ci\",\"npm ci\"]" },
		{ Q(COMPOSITE, "git $x"), "ask []" },
		{ Q(COMPOSITE, "$x"), "ask []" },
	};
#undef COMPOSITE

	(void)state;
	CHECK(rows, "step 9 no allowlist");
}

/* An offered entry suffices: with it on the list, the same line runs. */
static void
test_candidates_suffice(void **state)
{
	static const char *commands[] = { "ls -la", "git push origin main | cat",
		"env X=1 npm ci", "FOO=1 make all", "'npm' test && \\\"ls\\\" x",
		"sh -e build.sh", ". ./env", "bash -c 'git push && ls'",
		"git -C . commit -m 'a b'", "if [ -f x ]; then ls; fi", "echo `ls` $(wc x)",
		"timeout 5 xargs -n1 grep x", "a/b --c" };

	(void)state;
	for (size_t i = 0; i < COUNT(commands); i++) {
		static char mem[4096];
		struct arena keep;
		struct got g;
		struct buf b;
		size_t at = 0, end;

		arena_init(&keep, mem, sizeof mem);
		buf_init(&b, &keep);
		buf_puts(&b, "{\"compositeCommands\":[\"git\",\"npm\"],\"command\":\"");
		buf_puts(&b, commands[i]);
		buf_puts(&b, "\",\"approvalSettings\":{\"allowedCommands\":[\"none\"]}}");
		buf_putc(&b, '\0');
		g = request(b.p);
		while (!str_starts(str_skip(g.text, at), STR("[")))
			at++;
		for (end = at; !str_starts(str_skip(g.text, end), STR("],\"eff"));)
			end++;
		b.n -= sizeof "[\"none\"]}}";
		buf_put(&b, str_cut(g.text, at, end + 1));
		buf_puts(&b, "}}");
		buf_putc(&b, '\0');
		check_row(&(struct row){ b.p, "run [" }, "step 11 allowed");
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_qJt_candidates),
		cmocka_unit_test(test_candidates_suffice),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
