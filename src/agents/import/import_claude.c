/* Claude Code: `permissions` and `sandbox` of settings.json. */
#include "agents/import/rules.h"

static const struct str none = { NULL, 0 };

/* ---- one entry: Tool or Tool(what) */

static void
take_bash(struct import *im, enum import_verb verb, struct str inside, struct str entry)
{
	struct import_words w;

	if (inside.n == 0 || str_is(inside, "*") || str_is(inside, ":*")) {
		w = (struct import_words){ .cut = true };
		if (verb == IMPORT_ALLOW)
			import_note(im, entry, IMPORT_LEFT_OUT,
			    "it allows every command; write `mode run_everything` if you "
			    "want "
			    "that");
		else
			import_command(im, verb, &w, entry, none);
		return;
	}
	import_split(im, inside, &w);
	/* Drop NAME=value before the program: a rule would match without it as well. */
	while (w.n && str_find(w.v[0], '=') < w.v[0].n) {
		memmove(w.v, w.v + 1, (w.n - 1) * sizeof *w.v);
		w.n--;
		w.cut = true;
		w.exact = false;
	}
	import_command(im, verb, &w, entry, none);
}

static void
take_file(struct import *im, enum import_verb verb, const char *effect, struct str inside,
    struct str entry)
{
	if (verb != IMPORT_ALLOW) {
		import_path(im, verb, effect, inside.n ? inside : STR("//**"), entry);
		return;
	}
	import_note(im, entry, IMPORT_LEFT_OUT,
	    effect[0] == 'r' ? "reading needs no rule here, unless another denies it"
			     : "a rule for a file applies to every command, not only to "
			       "the agent's own tool");
}

static void
take_fetch(struct import *im, enum import_verb verb, struct str inside, struct str entry)
{
	if (verb == IMPORT_ALLOW)
		import_note(im, entry, IMPORT_LEFT_OUT,
		    "a rule for a host applies to every command, not only to the "
		    "agent's own tool");
	else
		import_host(im, verb, inside.n ? inside : STR("*"), entry);
}

/* mcp__server, mcp__server__tool */
static void
take_mcp(struct import *im, enum import_verb verb, struct str name, struct str entry)
{
	struct str server = str_skip(name, 5), tool = STR("");

	for (size_t i = 0; i + 1 < server.n; i++)
		if (server.p[i] == '_' && server.p[i + 1] == '_') {
			tool = str_skip(server, i + 2);
			server = str_cut(server, 0, i);
			break;
		}
	import_mcp(im, verb, server, tool, entry);
}

static void
take_entry(struct import *im, enum import_verb verb, struct str entry)
{
	struct str name, inside;

	(void)import_call(entry, &name, &inside);
	inside = import_trim(inside);
	if (str_is(name, "Bash"))
		take_bash(im, verb, inside, entry);
	else if (str_is(name, "Read"))
		take_file(im, verb, "read", inside, entry);
	else if (str_among(name, "Edit\0Write\0MultiEdit\0NotebookEdit\0"))
		take_file(im, verb, "write", inside, entry);
	else if (str_is(name, "WebFetch"))
		take_fetch(im, verb, inside, entry);
	else if (str_starts(name, STR("mcp__")))
		take_mcp(im, verb, name, entry);
	else
		import_note(im, entry, IMPORT_STAYS,
		    "cordon has no rules for this tool; the agent keeps its own");
}

static void
take_list(struct import *im, const struct json *permissions, const char *key,
    enum import_verb verb)
{
	const struct json *list = json_get(permissions, str_from_c(key));

	for (const struct json *m = import_list(im, list); m; m = m->next)
		if (m->kind == JSON_STRING)
			take_entry(im, verb, m->text);
}

/* ---- the sandbox */

static void
each_text(struct import *im, const struct json *list,
    void (*take)(struct import *im, struct str text))
{
	for (const struct json *m = import_list(im, list); m; m = m->next)
		if (m->kind == JSON_STRING)
			take(im, m->text);
}

static void
take_deny_read(struct import *im, struct str path)
{
	import_path(im, IMPORT_DENY, "read", path, path);
}

static void
take_deny_write(struct import *im, struct str path)
{
	import_path(im, IMPORT_DENY, "write", path, path);
}

static void
take_deny_host(struct import *im, struct str host)
{
	import_host(im, IMPORT_DENY, host, host);
}

static void
take_sandbox(struct import *im, const struct json *sandbox)
{
	const struct json *files = json_get(sandbox, STR("filesystem"));
	const struct json *net = json_get(sandbox, STR("network"));

	each_text(im, json_get(files, STR("denyRead")), take_deny_read);
	each_text(im, json_get(files, STR("denyWrite")), take_deny_write);
	each_text(im, json_get(net, STR("deniedDomains")), take_deny_host);
	if (json_get(files, STR("allowWrite")))
		import_note(im, STR("sandbox.filesystem.allowWrite"), IMPORT_LEFT_OUT,
		    "use `writable DIR` for directories that confined commands may "
		    "write");
	if (json_get(net, STR("allowedDomains")))
		import_note(im, STR("sandbox.network.allowedDomains"), IMPORT_LEFT_OUT,
		    "use `network off except HOST...` for hosts that confined commands "
		    "may reach");
	if (json_get(sandbox, STR("excludedCommands")))
		import_note(im, STR("sandbox.excludedCommands"), IMPORT_LEFT_OUT,
		    "cordon runs nothing outside the sandbox without an allow rule");
}

static void
take_mode(struct import *im, const struct json *permissions, const struct json *sandbox)
{
	const struct json *m = json_get(permissions, STR("defaultMode"));
	struct str mode = m && m->kind == JSON_STRING ? m->text : STR("default");

	if (str_is(mode, "dontAsk")) {
		import_default(
		    im, "deny", "defaultMode dontAsk: deny everything that is not allowed");
		return;
	}
	if (import_is_true(sandbox, "enabled") &&
	    import_is_true(sandbox, "autoAllowBashIfSandboxed"))
		return; /* cordon already does this */
	import_default(im, "ask",
	    "Claude Code asks if no rule matches; without this line such "
	    "commands run confined");
	if (!str_is(mode, "default") && !str_is(mode, "acceptEdits"))
		import_note(im, mode, IMPORT_LEFT_OUT,
		    "cordon has no equivalent for this defaultMode");
}

void
import_claude(struct import *im, const struct json *root)
{
	const struct json *permissions = json_get(root, STR("permissions"));
	const struct json *sandbox = json_get(root, STR("sandbox"));

	take_list(im, permissions, "deny", IMPORT_DENY);
	take_list(im, permissions, "ask", IMPORT_ASK);
	take_list(im, permissions, "allow", IMPORT_ALLOW);
	take_sandbox(im, sandbox);
	take_mode(im, permissions, sandbox);
	if (json_get(permissions, STR("additionalDirectories")))
		import_note(im, STR("additionalDirectories"), IMPORT_LEFT_OUT,
		    "use `root DIR` or `writable DIR` for further directories of the "
		    "project");
}
