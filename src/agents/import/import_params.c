/* Gemini CLI: settings other than the lists of tools. */
#include "agents/import/rules.h"
#include "base/quote.h"

static void
take_root(struct import *im, const struct json *root)
{
	struct str dir = import_member(root, "targetDir");
	struct buf b;

	if (!dir.p)
		return;
	if (dir.n == 0 || dir.p[0] != '/' || !import_is_plain_path(dir)) {
		import_note(im, STR("targetDir"), IMPORT_LEFT_OUT,
		    "a root must be an absolute path without `..` and special "
		    "characters");
		return;
	}
	buf_init(&b, im->a);
	import_put_word(&b, dir, false);
	im->full |= b.full;
	import_setting(im, "root", buf_str(&b), STR("targetDir"));
}

/* The value is true, or the program that makes the sandbox. */
static void
take_sandbox(struct import *im, const struct json *v)
{
	if (!v || v->kind == JSON_NULL)
		return;
	if (v->kind == JSON_BOOL && !v->truth)
		import_note(im, STR("sandbox"), IMPORT_LEFT_OUT,
		    "cordon confines what it cannot prove harmless; write `sandbox "
		    "none` if you do not want that");
	else if (v->kind == JSON_BOOL)
		import_setting(im, "sandbox", STR("workspace_readwrite"), STR("sandbox"));
	else
		import_note(im, STR("sandbox"), IMPORT_STAYS,
		    "this is the agent's own sandbox; cordon uses its own inside it");
}

/* ---- commands that the agent starts by itself */

static void
judge(struct import *im, struct str key, struct str command)
{
	struct buf b;

	buf_init(&b, im->a);
	buf_put(&b, key);
	buf_puts(&b, ": ");
	buf_put(&b, command);
	im->full |= b.full;
	import_note(im, buf_str(&b), IMPORT_STAYS, im->judge(im->context, command));
}

static void
take_command(struct import *im, const struct json *group, const char *key,
    const struct json *root, const char *old)
{
	struct str command = import_member(group, key);

	if (!command.p)
		command = import_member(root, old);
	if (command.p && command.n)
		judge(im, str_from_c(old), command);
}

/* Join a server's command and arguments as a shell would read them. */
static void
take_server(struct import *im, const struct json *server)
{
	const struct json *args = json_get(server, STR("args"));
	struct str command = import_member(server, "command");
	struct buf b;

	if (!command.p || command.n == 0)
		return;
	buf_init(&b, im->a);
	(void)quote_put(&b, QUOTE_BASH, command, NULL);
	for (const struct json *m = args && args->kind == JSON_ARRAY ? args->first : NULL;
	     m; m = m->next) {
		buf_putc(&b, ' ');
		if (m->kind == JSON_STRING)
			(void)quote_put(&b, QUOTE_BASH, m->text, NULL);
	}
	im->full |= b.full;
	judge(im, server->key, buf_str(&b));
}

/* ---- all settings */

void
import_params(struct import *im, const struct json *root)
{
	static const char nothing[] = "sessionId\0embeddingModel\0question\0";
	const struct json *tools = json_get(root, STR("tools")), *mcp, *servers, *sandbox;

	mcp = json_get(root, STR("mcp"));
	servers = json_get(root, STR("mcpServers"));
	sandbox = json_get(tools, STR("sandbox"));
	take_root(im, root);
	take_sandbox(im, sandbox ? sandbox : json_get(root, STR("sandbox")));
	if (import_is_true(root, "debugMode"))
		import_note(im, STR("debugMode"), IMPORT_LEFT_OUT,
		    "`cordon check --trace` shows each step of a decision");
	take_command(im, tools, "discoveryCommand", root, "toolDiscoveryCommand");
	take_command(im, tools, "callCommand", root, "toolCallCommand");
	take_command(im, mcp, "serverCommand", root, "mcpServerCommand");
	for (const struct json *m = servers ? servers->first : NULL; m; m = m->next)
		take_server(im, m);
	for (const char *key = nothing; *key; key += strlen(key) + 1)
		if (json_get(root, str_from_c(key)))
			import_note(
			    im, str_from_c(key), IMPORT_LEFT_OUT, "it is not a permission");
}
