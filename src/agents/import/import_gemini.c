/* Gemini CLI: tools.core, tools.exclude, tools.allowed and MCP servers of settings.json;
 * import_params.c has the other settings. */
#include "agents/import/rules.h"

static const struct str none = { NULL, 0 };
#define LIST 256

/* Shell commands that a list names. */
struct commands {
	struct import_words w[LIST];
	struct str entry[LIST];
	size_t n;
	bool set; /* the list exists */
	bool any; /* has an entry for the shell */
	bool all; /* has the shell without a command, or with `*` */
	struct str all_entry;
};

static bool
is_shell(struct str name)
{
	return str_is(name, "run_shell_command") || str_is(name, "ShellTool");
}

static void
add_command(struct import *im, struct commands *c, struct str text, struct str entry)
{
	struct import_words *w = &c->w[c->n];

	if (c->n == LIST) {
		im->full = true;
		return;
	}
	import_split(im, text, w);
	/* In this list a star is literal, and any arguments may follow a prefix. */
	w->exact = false;
	if (str_find(text, '*') < text.n)
		w->cut = true;
	c->entry[c->n++] = entry;
}

/* name(a,b): add a and b. */
static void
add_entry(struct import *im, struct commands *c, struct str entry)
{
	struct str name, inside;
	bool call = import_call(entry, &name, &inside);

	if (!is_shell(name)) {
		import_note(im, entry, IMPORT_STAYS,
		    "cordon has no rules for this tool; the agent keeps its own");
		return;
	}
	c->any = true;
	inside = import_trim(inside);
	if (!call || str_is(inside, "*")) {
		c->all = true;
		c->all_entry = entry;
		return;
	}
	while (inside.n) {
		size_t end = str_find(inside, ',');
		struct str part = import_trim(str_cut(inside, 0, end));

		if (part.n)
			add_command(im, c, part, entry);
		inside = str_skip(inside, end + 1);
	}
}

static void
read_list(struct import *im, const struct json *tools, const struct json *root,
    const char *key, const char *old, struct commands *c)
{
	const struct json *list = json_get(tools, str_from_c(key));

	if (!list)
		list = json_get(root, str_from_c(old));
	/* A list that cannot be read allows nothing. */
	c->set = list && list->kind != JSON_NULL;
	for (const struct json *m = import_list(im, list); m; m = m->next)
		if (m->kind == JSON_STRING)
			add_entry(im, c, m->text);
}

/* ---- commands that both lists allow */

static bool
begins_with(const struct import_words *w, const struct import_words *prefix)
{
	if (prefix->n > w->n || prefix->cut || w->cut)
		return false;
	for (size_t i = 0; i < prefix->n; i++)
		if (!str_eq(w->v[i], prefix->v[i]))
			return false;
	return true;
}

/* tools.allowed counts only for commands that tools.core names. */
static void
take_allowed(
    struct import *im, const struct commands *core, struct commands *allowed, bool bounded)
{
	for (size_t i = 0; i < allowed->n; i++) {
		bool hit = !bounded;

		if (!bounded)
			import_command(
			    im, IMPORT_ALLOW, &allowed->w[i], allowed->entry[i], none);
		for (size_t k = 0; bounded && k < core->n; k++) {
			struct import_words w;

			if (begins_with(&allowed->w[i], &core->w[k]))
				w = allowed->w[i];
			else if (begins_with(&core->w[k], &allowed->w[i]))
				w = core->w[k];
			else
				continue;
			import_command(im, IMPORT_ALLOW, &w, allowed->entry[i], none);
			hit = true;
		}
		if (!hit)
			import_note(im, allowed->entry[i], IMPORT_LEFT_OUT,
			    "tools.core does not list it, so the agent refuses it");
	}
	if (allowed->all)
		import_note(im, allowed->all_entry, IMPORT_LEFT_OUT,
		    "it allows every command; write `mode run_everything` if you want "
		    "that");
}

static bool
is_allowed(const struct commands *allowed, const struct import_words *w)
{
	for (size_t i = 0; i < allowed->n; i++)
		if (begins_with(w, &allowed->w[i]))
			return true;
	return false;
}

static void
deny_all(struct import *im, struct str entry)
{
	struct import_words w = { .cut = true };

	import_command(im, IMPORT_DENY, &w, entry, none);
}

static void
take_core(struct import *im, struct commands *core, const struct commands *allowed)
{
	for (size_t i = 0; i < core->n; i++) {
		/* A command in tools.core may run after a person approved it. */
		if (core->w[i].cut)
			import_note(
			    im, core->entry[i], IMPORT_LEFT_OUT, "a star is literal there");
		else if (!is_allowed(allowed, &core->w[i]))
			import_command(im, IMPORT_ASK, &core->w[i], core->entry[i], none);
	}
	import_default(im, "deny", "tools.core lists the only commands that may run");
	import_note(im, STR("tools.core"), IMPORT_LEFT_OUT,
	    "the shipped rules allow read-only commands whether listed or not; "
	    "`ask *` asks about them");
}

/* ---- MCP */

static void
take_servers(struct import *im, const struct json *servers)
{
	for (const struct json *m = servers ? servers->first : NULL; m; m = m->next) {
		const struct json *trust = json_get(m, STR("trust"));
		const struct json *list = json_get(m, STR("excludeTools"));

		for (const struct json *t = import_list(im, list); t; t = t->next)
			if (t->kind == JSON_STRING)
				import_mcp(im, IMPORT_DENY, m->key, t->text, t->text);
		if (trust && trust->kind == JSON_BOOL && trust->truth)
			import_mcp(im, IMPORT_ALLOW, m->key, STR("*"), m->key);
		if (json_get(m, STR("includeTools")))
			import_note(im, m->key, IMPORT_STAYS,
			    "includeTools: the agent itself hides the server's other "
			    "tools");
	}
}

static void
take_mcp(struct import *im, const struct json *root)
{
	const struct json *list = json_get(json_get(root, STR("mcp")), STR("excluded"));

	for (const struct json *m = import_list(im, list); m; m = m->next)
		if (m->kind == JSON_STRING)
			import_mcp(im, IMPORT_DENY, m->text, STR("*"), m->text);
	take_servers(im, json_get(root, STR("mcpServers")));
}

void
import_gemini(struct import *im, const struct json *root)
{
	const struct json *tools = json_get(root, STR("tools"));
	struct commands *core = ARENA_NEW(im->a, struct commands);
	struct commands *exclude = ARENA_NEW(im->a, struct commands);
	struct commands *allowed = ARENA_NEW(im->a, struct commands);
	bool bounded;

	if (!core || !exclude || !allowed) {
		im->full = true;
		return;
	}
	im->narrow_wins = true;
	read_list(im, tools, root, "core", "coreTools", core);
	read_list(im, tools, root, "exclude", "excludeTools", exclude);
	read_list(im, tools, root, "allowed", "allowedTools", allowed);
	if (exclude->all)
		deny_all(im, exclude->all_entry);
	for (size_t i = 0; i < exclude->n; i++)
		import_command(im, IMPORT_DENY, &exclude->w[i], exclude->entry[i], none);
	bounded = core->set && core->any && !core->all;
	if (core->set && !core->any)
		deny_all(im, STR("tools.core without run_shell_command"));
	else if (bounded)
		take_core(im, core, allowed);
	else
		import_default(im, "*",
		    "Gemini CLI asks about every command that is not allowed; remove "
		    "this line to run harmless ones without asking");
	take_allowed(im, core, allowed, bounded);
	take_mcp(im, root);
	import_params(im, root);
}
