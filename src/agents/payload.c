#include "agents/agent.h"
#include "base/path.h"

/* Members that name a file or directory, for any tool. */
#define PATH_KEYS                                                                          \
	"file_path\0path\0filePath\0absolute_path\0notebook_path\0target_file\0"           \
	"target_notebook\0target_directory\0dir_path\0directory\0filename\0old_path\0"     \
	"new_path\0relative_workspace_path\0"
/* Members with a list of paths. */
#define PATHS_KEYS "paths\0file_paths\0filePaths\0include\0"
/* Members with code to run. */
#define CODE_KEYS                                                                          \
	"command\0cmd\0commands\0script\0command_line\0commandLine\0CommandLine\0"         \
	"shell_command\0shellCommand\0argv\0"
#define PATCH_KEYS "command\0input\0patch\0patchText\0patch_text\0"
/* Limit for the readings of one tool name. */
#define MCP_WAYS 16

bool
payload_wrong(struct payload *r, const char *why)
{
	if (!r->wrong)
		r->wrong = why;
	return false;
}

struct str
payload_text(struct payload *r, const struct json *v, const char *key)
{
	const struct json *m = json_get(v, str_from_c(key));

	if (!m || m->kind == JSON_NULL)
		return (struct str){ NULL, 0 };
	if (m->kind != JSON_STRING)
		(void)payload_wrong(r, "a member that must be a string is not");
	return m->text.p ? m->text : STR("");
}

struct str
payload_need(struct payload *r, const struct json *v, const char *key)
{
	struct str s = payload_text(r, v, key);

	if (!s.p)
		(void)payload_wrong(r, "a required member is missing");
	return s;
}

void
payload_touch(
    struct payload *r, const char *tool, struct str path, const struct json *member)
{
	struct agent_touch *t = ARENA_NEW(r->a, struct agent_touch),
			   **end = &r->call->touches;
	size_t n = 0;

	for (; *end; end = &(*end)->next)
		n++;
	if (!t || n == AGENT_TOUCHES) {
		(void)payload_wrong(r, "the call touches too many files (limit 256)");
		return;
	}
	*t = (struct agent_touch){ str_from_c(tool), path, member, NULL };
	*end = t;
	r->call->kind = CALL_FILES;
}

void
payload_mcp(struct payload *r, struct str server, struct str tool)
{
	struct agent_mcp *m = ARENA_NEW(r->a, struct agent_mcp), **end = &r->call->servers;

	while (*end)
		end = &(*end)->next;
	if (!m) {
		(void)payload_wrong(r, "the payload exceeds the memory limit");
		return;
	}
	*m = (struct agent_mcp){ server, tool, NULL };
	*end = m;
	r->call->kind = CALL_MCP;
}

bool
payload_split_mcp(
    struct payload *r, struct str name, const char *prefix, const char *separator)
{
	struct str mark = str_from_c(separator), rest;
	size_t ways = 0;

	if (!str_starts(name, str_from_c(prefix)))
		return false;
	rest = str_skip(name, strlen(prefix));
	for (size_t i = 1; i + mark.n < rest.n; i++) {
		if (!str_starts(str_skip(rest, i), mark))
			continue;
		if (++ways > MCP_WAYS)
			return !payload_wrong(
			    r, "the name of the tool is ambiguous in too many ways");
		payload_mcp(r, str_cut(rest, 0, i), str_skip(rest, i + mark.n));
	}
	if (ways == 0 && strlen(prefix))
		payload_mcp(r, STR(""), rest);
	return ways > 0 || strlen(prefix) > 0;
}

void
payload_directory(struct payload *r, const struct json *input, const char *key)
{
	struct str dir = payload_text(r, input, key), base = r->call->cwd;

	if (dir.n == 0)
		return;
	if (dir.p[0] != '/' && !base.p) {
		(void)payload_wrong(
		    r, "the directory is relative, and the working directory is unknown");
		return;
	}
	if (path_normal(r->a, base.p ? base : STR("/"), dir, &r->call->cwd, NULL))
		(void)payload_wrong(r, "the directory is not a valid path");
}

void
payload_projects(struct payload *r, const struct json *list)
{
	if (!list || list->kind != JSON_ARRAY)
		return;
	r->call->projects = arena_array(r->a, list->count, sizeof *r->call->projects);
	for (const struct json *m = list->first; m && r->call->projects; m = m->next)
		if (m->kind == JSON_STRING && m->text.n && m->text.p[0] == '/')
			r->call->projects[r->call->projects_n++] = m->text;
	if (!r->call->projects)
		(void)payload_wrong(r, "the payload exceeds the memory limit");
}

/* ---- classify a tool by its input */

static const char *
word_of(enum tool_kind kind)
{
	static const char words[][8] = { [KIND_READ] = "read",
		[KIND_WRITE] = "write",
		[KIND_EDIT] = "edit",
		[KIND_DELETE] = "delete",
		[KIND_LIST] = "list",
		[KIND_GLOB] = "glob",
		[KIND_GREP] = "grep" };

	return words[kind];
}

/* The directory in which a pattern such as `/etc/ **` starts: the part before the first
 * special byte, up to a slash. */
static struct str
fixed_part(struct str pattern)
{
	size_t slash = 0;

	for (size_t i = 0; i < pattern.n && !strchr("*?[{!", pattern.p[i]); i++)
		if (pattern.p[i] == '/')
			slash = i + 1;
	return str_cut(pattern, 0, slash > 1 ? slash - 1 : slash);
}

/* Record a pattern that looks outside the given directory. */
static void
take_pattern(struct payload *r, enum tool_kind kind, const struct json *m)
{
	struct str s = m->text;

	if (m->kind == JSON_STRING && s.n &&
	    (s.p[0] == '/' || s.p[0] == '~' || path_has_dotdot(s)))
		payload_touch(r, word_of(kind), fixed_part(s).n ? fixed_part(s) : s, NULL);
}

static void
take_paths(struct payload *r, enum tool_kind kind, const struct json *input)
{
	bool looks = kind == KIND_LIST || kind == KIND_GLOB || kind == KIND_GREP;

	for (const struct json *m = input ? input->first : NULL; m; m = m->next) {
		if (str_among(m->key, PATH_KEYS) && m->kind == JSON_STRING && m->text.n)
			payload_touch(r, word_of(kind), m->text, m);
		else if (str_among(m->key, PATH_KEYS) && m->kind != JSON_NULL &&
			 m->kind != JSON_STRING)
			(void)payload_wrong(r, "a path is not a string");
		if (str_among(m->key, PATHS_KEYS) && m->kind == JSON_ARRAY)
			for (const struct json *e = m->first; e; e = e->next)
				take_pattern(r, looks ? kind : KIND_GREP, e);
		if (looks && (str_is(m->key, "pattern") || str_is(m->key, "glob")) &&
		    kind == KIND_GLOB)
			take_pattern(r, kind, m);
	}
	/* Without a path, these tools search the workspace. */
	if (!r->call->touches && !looks)
		(void)payload_wrong(r, "a file tool without a path");
}

static void
take_patch_of(struct payload *r, const struct json *input)
{
	for (const struct json *m = input ? input->first : NULL; m; m = m->next)
		if (str_among(m->key, PATCH_KEYS) && m->kind == JSON_STRING) {
			payload_patch(r, m->text);
			return;
		}
	(void)payload_wrong(r, "a patch tool without a patch");
}

static enum tool_kind
by_input(const struct json *input)
{
	enum tool_kind kind = KIND_NONE;

	for (const struct json *m = input ? input->first : NULL; m; m = m->next) {
		if (str_among(m->key, CODE_KEYS))
			return KIND_BAD;
		if (str_among(m->key, PATH_KEYS))
			kind = KIND_EDIT;
	}
	return kind;
}

static enum tool_kind
find_kind(const struct tool_entry *table, struct str name, const struct json *input)
{
	for (; table->kind != KIND_END; table++)
		if (str_is(name, table->name))
			return (enum tool_kind)table->kind;
	return by_input(input);
}

void
payload_tool(struct payload *r, const struct tool_entry *table, const struct json *input)
{
	struct agent_call *c = r->call;
	enum tool_kind kind = find_kind(table, c->tool, input);

	if (input && input->kind != JSON_OBJECT) {
		(void)payload_wrong(r, "the tool's input is not a JSON object");
		return;
	}
	switch (kind) {
	case KIND_SHELL:
		c->kind = CALL_SHELL;
		c->command_key = c->command_key ? c->command_key : "command";
		c->command = payload_need(r, input, c->command_key);
		return;
	case KIND_BAD:
		c->kind = CALL_BAD;
		c->why = "this tool runs code that cordon cannot check";
		return;
	case KIND_PATCH:
		take_patch_of(r, input);
		return;
	case KIND_NONE:
	case KIND_END:
		c->kind = CALL_NONE;
		return;
	case KIND_READ:
	case KIND_WRITE:
	case KIND_EDIT:
	case KIND_DELETE:
	case KIND_LIST:
	case KIND_GLOB:
	case KIND_GREP:
		take_paths(r, kind, input);
	}
}
