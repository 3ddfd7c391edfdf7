#include "../cm.h"
#include "confine/env.h"
#include "confine/guard.h"

static const struct {
	const char *path;
	bool guarded;
	size_t free_if_new;
} cases[] = {
	{ "/ws/a.txt", false, 0 },
	{ "/ws/.vscode", true, 0 },
	{ "/ws/.VSCode/tasks.json", true, 0 },
	{ "/ws/sub/.vscode", true, 7 },
	{ "/ws/vscode", false, 0 },
	{ "/ws/.mcp.json", true, 0 },
	{ "/ws/.mcp.json/x", false, 0 },
	{ "/ws/.bashrc", true, 0 },
	{ "/ws/.eslintrc", false, 0 },
	{ "/ws/.cordonignore", true, 0 },
	{ "/ws/x.code-workspace", true, 0 },
	{ "/ws/.claude/settings.json", true, 0 },
	{ "/ws/.claude/worktrees/w/main.c", false, 0 },
	{ "/ws/.claude/worktrees/w/.vscode", true, 23 },
	{ "/ws/.claude/worktrees", true, 0 },
	{ "/ws/.git", true, 0 },
	{ "/ws/.git/index", false, 0 },
	{ "/ws/.git/hooks", true, 8 },
	{ "/ws/.git/hooks/pre-commit", true, 8 },
	{ "/ws/.git/config", true, 8 },
	{ "/ws/.git/config.lock", true, 8 },
	{ "/ws/.git/objects/info/alternates", true, 8 },
	{ "/ws/.git/refs/heads/config", false, 0 },
	{ "/ws/.git/modules/a/b/config", true, 20 },
	{ "/ws/.git/modules/a/HEAD", false, 0 },
	{ "/ws/.git/worktrees/w/gitdir", true, 20 },
	{ "/ws/.git/worktrees/w/modules/a/b/hooks/x", true, 32 },
	{ "/ws/.git/branches/x", true, 8 },
	{ "/ws/lib/.git", true, 12 },
	{ "/ws/lib/.git/hooks/x", true, 12 },
	{ "/ws/lib/.GIT/config", true, 12 },
	{ "/common/hooks/x", true, 7 },
	{ "/common/HEAD", false, 0 },
	{ "/common/config.x", true, 7 },
	{ "/ws/.githooks/pre-push", true, 0 },
	/* Other spellings. */
	{ "/ws/.cl\xc2\xad"
	  "aude/settings.json",
	    true, 0 },
	{ "/ws/.cur\xc5\xbfor", true, 0 },
	{ "/ws/.git/hoo\xe2\x84\xaas/x", true, 8 },
	{ "/ws/lib/.git/con\xef\xac\x81g", true, 12 },
	{ "/ws/sub/.vscode. /x", true, 7 },
	{ "/ws/.claud\xc3\xa9", false, 0 },
	{ "/ws/.claude\xff", false, 0 },
	{ "/ws/CLAUDE~1/settings.json", true, 0 },
	{ "/ws/VSCODE~12", true, 0 },
	{ "/ws/MCP~1.JSO", true, 0 },
	{ "/ws/cl0a9F~1/x", true, 0 },
	{ "/ws/lib/GIT~1/hooks", true, 13 },
	{ "/ws/clau~1", false, 0 },
	{ "/ws/claude~", false, 0 },
	{ "/ws/claude~x", false, 0 },
	{ "/ws/~1", false, 0 },
	{ "/ws/notes.", false, 0 },
	{ "/ws/\xc2\xad", false, 0 },
};

/* Bug 484: case-folding file systems and FAT know a protected name by other spellings
 * (`.curſor`, `CLAUDE~1`). */
static void
test_names(void **state)
{
	static struct str writable[] = { STR_INIT("/ws"), STR_INIT("/common") };
	static const struct plan_git git[] = { { STR_INIT("/ws"), STR_INIT("/ws/.git"),
						   STR_INIT("/ws/.git"), false },
		{ STR_INIT("/wt"), STR_INIT("/common"), STR_INIT("/common"), true } };
	static struct str led[] = { STR_INIT("/ws/.githooks") };
	const struct plan plan = { .writable = writable,
		.writable_n = 2,
		.git = git,
		.git_n = 2,
		.led = led,
		.led_n = 1 };

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct guard_hit h = guard_look(&plan, str_from_c(cases[i].path));

		if ((h.why != NULL) != cases[i].guarded ||
		    (h.why && h.free_if_new != cases[i].free_if_new))
			fail_msg("%s: %s, free %zu", cases[i].path, h.why ? h.why : "free",
			    h.free_if_new);
	}
}

/* Only these may be removed, and no git names where writes to git are blocked. */
static void
test_packages(void **state)
{
	static const struct {
		const char *path;
		bool package, blocked;
	} rows[] = {
		{ "/ws/node_modules/a/.vscode/x", true, true },
		{ "/ws/node_modules/.envrc", true, true },
		{ "/ws/b/_deps/x/.git/config", true, false },
		{ "/ws/b/_deps/x/.git", true, false },
		{ "/ws/.vscode/node_modules/x", false, false },
		{ "/ws/.git/node_modules/hooks/x", false, false },
		{ "/ws/not_node_modules/.vscode", false, false },
		{ "/node_modules/ws/.vscode", false, false },
	};
	static struct str writable[] = { STR_INIT("/ws"), STR_INIT("/node_modules/ws") };
	struct plan plan = { .writable = writable, .writable_n = 2 };

	(void)state;
	for (size_t i = 0; i < 2 * COUNT(rows); i++) {
		struct guard_hit h;
		bool want = i % 2 ? rows[i / 2].blocked : rows[i / 2].package;

		plan.block_git = i % 2;
		h = guard_look(&plan, str_from_c(rows[i / 2].path));
		if (h.package != want)
			fail_msg("%s, %d: %d", rows[i / 2].path, (int)(i % 2), h.package);
	}
}

/* By its name, whatever its content. */
static const struct {
	const char *name;
	bool refused;
} variables[] = {
	{ "PATH", false },
	{ "HOME", false },
	{ "LANG", false },
	{ "PWD", false },
	{ "OLDPWD", false },
	{ "KEYBOARD", false },
	{ "KEYBOARD_LAYOUT", false },
	{ "MONKEY", false },
	{ "COMPASS", false },
	{ "BYPASS", false },
	{ "SSH_CONNECTION", false },
	{ "SSH_CLIENT", false },
	{ "SSH_TTY", false },
	{ "XDG_SESSION_ID", false },
	{ "DESKTOP_SESSION", false },
	{ "AWS_REGION", false },
	{ "AWS_PROFILE", false },
	{ "NODE_EXTRA_CA_CERTS", false },
	{ "SSL_CERT_FILE", false },
	{ "PGPASSFILE", false },
	{ "AUTHOR", false },
	{ "TOKENIZERS_PARALLELISM", false },
	{ "CLAUDE_CODE_MAX_OUTPUT_TOKENS", false },
	{ "MAX_THINKING_TOKENS", false },
	{ "DATABASE_URL", false },
	{ "LD_PRELOAD", true },
	{ "LD_LIBRARY_PATH", true },
	{ "BASH_ENV", true },
	{ "ENV", true },
	{ "ENVIRONMENT", false },
	{ "BASH_FUNC_ls%%", true },
	{ "GITHUB_TOKEN", true },
	{ "github_token", true },
	{ "AWS_SECRET_ACCESS_KEY", true },
	{ "AWS_SESSION_TOKEN", true },
	{ "OPENAI_API_KEY", true },
	{ "PGPASSWORD", true },
	{ "MYSQL_PWD", true },
	{ "SSHPASS", true },
	{ "sshpass", true },
	{ "JWT", true },
	{ "SERVICE_JWT", true },
	{ "DB_CREDS", true },
	{ "SLACK_WEBHOOK", true },
	{ "SLACK_WEBHOOK_URL", true },
	{ "npm_config__auth", true },
	{ "NPM_CONFIG__AUTHTOKEN", true },
	{ "npm_config_//registry.npmjs.org/:_authToken", true },
	{ "SENTRY_DSN", true },
	{ "AZURE_STORAGE_CONNECTION_STRING", true },
	{ "REDISCLI_AUTH", true },
	{ "SSH_AUTH_SOCK", true },
	{ "DBUS_SESSION_BUS_ADDRESS", true },
	{ "GIT_DIR", true },
	{ "GIT_AUTHOR_NAME", false },
};

/* By its content, whatever its name. */
static const struct {
	const char *value;
	bool refused;
} values[] = {
	{ "", false },
	{ "plain", false },
	{ "/usr/bin:/bin", false },
	{ "http://example.org/a?b=c", false },
	{ "https://user@example.org/simple", false },
	{ "ssh://git@github.com:22/x", false },
	{ "postgres://u@h:5432/d", false },
	{ "postgres://u:@h/d", false },
	{ "postgres://h:5432/d@x:y", false },
	{ "http://[::1]:8080/", false },
	{ "redis://localhost:6379/0", false },
	{ "host:port@name", false },
	{ "://", false },
	{ "x://@", false },
	{ "user=a;password=", false },
	{ "password=;user=a", false },
	{ "--no-password=x", false },
	{ "forward=pwd", false },
	{ "-----BEGIN CERTIFICATE-----", false },
	{ "postgres://u:p@h/d", true },
	{ "postgresql+asyncpg://u:p%40x@h:5432/d", true },
	{ "mongodb+srv://u:p@c.example/d", true },
	{ "redis://:secret@h:6379/0", true },
	{ "amqp://u:p@q@h", true },
	{ "https://__token__:pypi-AgEI@upload.example/simple", true },
	{ "https://0123456789abcdef0123456789abcdef@o1.ingest.example/2", true },
	{ "HTTPS://ghp_0123456789abcdefghij@github.com/a/b", true },
	{ "http://a.example https://u:p@b.example/simple", true },
	{ "--extra-index-url=https://u:p@h/simple", true },
	{ "jdbc:postgresql://h/d?user=u&password=p", true },
	{ "Server=h;Database=d;User Id=u;Password=p;", true },
	{ "host=h user=u password=p", true },
	{ "AccountName=a;AccountKey=k==", true },
	{ "-----BEGIN OPENSSH PRIVATE KEY-----\nx", true },
};

static void
test_environment(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(variables); i++)
		if ((env_refused(str_from_c(variables[i].name), STR("x")) != NULL) !=
		    variables[i].refused)
			fail_msg("%s", variables[i].name);
	for (size_t i = 0; i < COUNT(values); i++)
		if ((env_refused(STR("SOME_URL"), str_from_c(values[i].value)) != NULL) !=
		    values[i].refused)
			fail_msg("%s", values[i].value);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_packages),
		cmocka_unit_test(test_environment),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
