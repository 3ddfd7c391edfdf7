/* Cursor: permissions.json, cli-config.json (or cli.json), sandbox.json. */
#include "agents/import/rules.h"

static const struct str none = { NULL, 0 };

/* ---- commands: `npm run`, or `npm:run *` */

static void
take_command(struct import *im, enum import_verb verb, struct str text, struct str entry)
{
	size_t colon = str_find(text, ':');
	struct import_words w, more;

	if (colon == text.n) {
		import_split(im, text, &w);
		w.exact = false;
	} else {
		import_split(im, str_cut(text, 0, colon), &w);
		import_split(im, str_skip(text, colon + 1), &more);
		if (str_is(import_trim(str_skip(text, colon + 1)), "*"))
			more = (struct import_words){ .exact = false };
		for (size_t i = 0; i < more.n && w.n < IMPORT_WORDS; i++)
			w.v[w.n++] = more.v[i];
		for (size_t i = 0; i < more.later_n && w.later_n < 8; i++)
			w.later[w.later_n++] = more.later[i];
		w.exact = more.exact;
		w.tail = more.tail;
		w.cut = w.cut || more.cut;
	}
	if (str_is(text, "*") && verb == IMPORT_ALLOW)
		import_note(im, entry, IMPORT_LEFT_OUT,
		    "it allows every command; write `mode run_everything` if you want "
		    "that");
	else
		import_command(im, verb, &w, entry, none);
}

static void
take_tool(struct import *im, enum import_verb verb, struct str text, struct str entry)
{
	size_t colon = str_find(text, ':');

	import_mcp(im, verb, str_cut(text, 0, colon), str_skip(text, colon + 1), entry);
}

/* ---- cli-config.json: Shell(..), Read(..), Write(..), WebFetch(..), Mcp(..) */

static void
take_entry(struct import *im, enum import_verb verb, struct str entry)
{
	struct str name, inside;
	bool call = import_call(entry, &name, &inside);
	bool allow = verb == IMPORT_ALLOW;

	if (!call)
		inside = STR("*");
	if (str_is(name, "Shell"))
		take_command(im, verb, inside, entry);
	else if (str_is(name, "Mcp"))
		take_tool(im, verb, inside, entry);
	else if (allow && str_among(name, "Read\0Write\0WebFetch\0"))
		import_note(im, entry, IMPORT_LEFT_OUT,
		    "a rule for a file or host applies to every command, not only to "
		    "the agent's own tool");
	else if (str_is(name, "Read"))
		import_path(im, verb, "read", inside, entry);
	else if (str_is(name, "Write"))
		import_path(im, verb, "write", inside, entry);
	else if (str_is(name, "WebFetch"))
		import_host(im, verb, inside, entry);
	else
		import_note(im, entry, IMPORT_STAYS,
		    "cordon has no rules for this tool; the agent keeps its own");
}

typedef void taker(
    struct import *im, enum import_verb verb, struct str text, struct str entry);

static void
take_plain(struct import *im, enum import_verb verb, struct str text, struct str entry)
{
	(void)text;
	take_entry(im, verb, entry);
}

static void
each(struct import *im, const struct json *list, enum import_verb verb, taker *take)
{
	for (const struct json *m = import_list(im, list); m; m = m->next)
		if (m->kind == JSON_STRING)
			take(im, verb, m->text, m->text);
}

/* ---- sandbox.json */

static void
take_type(struct import *im, struct str type)
{
	if (str_is(type, "workspace_readonly") || str_is(type, "workspace_readwrite"))
		import_setting(im, "sandbox", type, STR("type"));
	else if (type.p)
		import_note(im, type, IMPORT_LEFT_OUT,
		    "it switches the sandbox off; write `sandbox insecure_none` if you "
		    "want that");
}

static void
take_paths(struct import *im, const struct json *root, const char *key, const char *name)
{
	const struct json *list = json_get(root, str_from_c(key));

	for (const struct json *m = import_list(im, list); m; m = m->next) {
		struct buf b;

		if (m->kind != JSON_STRING)
			continue;
		if (!import_is_plain_path(m->text)) {
			import_note(im, m->text, IMPORT_LEFT_OUT,
			    "only an absolute directory without special characters can be "
			    "converted");
			continue;
		}
		buf_init(&b, im->a);
		if (m->text.p[0] == '~') {
			buf_putc(&b, '~');
			import_put_word(&b, str_skip(m->text, 1), false);
		} else {
			import_put_word(&b, m->text, false);
		}
		import_setting(im, name, buf_str(&b), str_from_c(key));
	}
}

static bool
is_host(struct str s)
{
	size_t from = str_starts(s, STR("*.")) ? 2 : 0;

	for (size_t i = from; i < s.n; i++) {
		char c = s.p[i];

		if (!((c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') ||
			c == '.' || c == '-'))
			return false;
	}
	return s.n > from;
}

static void
take_network(struct import *im, const struct json *policy)
{
	const struct json *allow = json_get(policy, STR("allow"));
	const struct json *deny = json_get(policy, STR("deny"));
	bool open = str_is(import_member(policy, "default"), "allow"), sure = true;
	struct buf hosts;

	if (!policy)
		return;
	for (const struct json *m = import_list(im, deny); m; m = m->next) {
		if (m->kind != JSON_STRING)
			continue;
		if (is_host(m->text))
			import_host(im, IMPORT_DENY, m->text, m->text);
		else
			sure = false;
	}
	buf_init(&hosts, im->a);
	for (const struct json *m = import_list(im, allow); m; m = m->next) {
		if (m->kind == JSON_STRING && is_host(m->text)) {
			buf_putc(&hosts, ' ');
			buf_put(&hosts, m->text);
		} else if (m->kind == JSON_STRING) {
			import_note(im, m->text, IMPORT_LEFT_OUT,
			    "rules cannot express a range of addresses");
		}
	}
	if (open && !sure)
		import_note(im, STR("networkPolicy.default"), IMPORT_WIDER,
		    "rules cannot express a denied range of addresses, so the network "
		    "is off");
	if (open && sure) {
		import_setting(im, "network", STR("on"), STR("networkPolicy"));
	} else {
		struct buf b;

		buf_init(&b, im->a);
		buf_puts(&b, hosts.n && !open ? "off except" : "off");
		if (!open)
			buf_put(&b, buf_str(&hosts));
		import_setting(im, "network", buf_str(&b), STR("networkPolicy"));
	}
}

static void
take_sandbox(struct import *im, const struct json *root)
{
	const struct json *m = json_get(root, STR("disableTmpWrite"));
	struct str boundary = import_member(root, "readBoundary");

	take_type(im, import_member(root, "type"));
	take_network(im, json_get(root, STR("networkPolicy")));
	take_paths(im, root, "additionalReadwritePaths", "writable");
	take_paths(im, root, "additionalReadonlyPaths", "readable");
	take_paths(im, root, "additionalReadPaths", "readable");
	if (m && m->kind == JSON_BOOL && m->truth)
		import_setting(im, "tmp_write", STR("off"), STR("disableTmpWrite"));
	if (str_is(boundary, "workspace") || str_is(boundary, "system"))
		import_setting(im, "read_boundary", boundary, STR("readBoundary"));
}

void
import_cursor(struct import *im, const struct json *root)
{
	const struct json *permissions = json_get(root, STR("permissions"));
	const struct json *commands = json_get(root, STR("terminalAllowlist"));
	const struct json *tools = json_get(root, STR("mcpAllowlist"));

	im->narrow_wins = true; /* this file can only ask for everything */
	each(im, json_get(permissions, STR("deny")), IMPORT_DENY, take_plain);
	each(im, json_get(permissions, STR("allow")), IMPORT_ALLOW, take_plain);
	each(im, commands, IMPORT_ALLOW, take_command);
	each(im, tools, IMPORT_ALLOW, take_tool);
	if (permissions || commands)
		import_default(im, "*",
		    "Cursor may ask about every command that is not allowed; remove "
		    "this line to run harmless ones without asking");
	if (json_get(root, STR("autoRun")))
		import_note(im, STR("autoRun"), IMPORT_STAYS,
		    "these are instructions in prose for Cursor's own judge");
	if (str_is(import_member(root, "approvalMode"), "unrestricted"))
		import_note(im, STR("approvalMode"), IMPORT_LEFT_OUT,
		    "it allows every command; write `mode run_everything` if you want "
		    "that");
	take_sandbox(im, root);
}
