/* The original's functions by name, so that its test cases can be run. */
#include "base/quote.h"
#include "dialects/gemini/gemini.h"

static const char need_command[] = "this function needs a \"command\" that is a string";

/* Read a string argument; .p == NULL: absent or null. */
static const char *
string_argument(const struct json *args, const char *key, struct str *ret)
{
	const struct json *v = json_get(args, str_from_c(key));

	*ret = (struct str){ NULL, 0 };
	if (!v || v->kind == JSON_NULL)
		return NULL;
	if (v->kind != JSON_STRING)
		return "an argument must be a string";
	*ret = v->text.p ? v->text : STR("");
	return NULL;
}

static const char *
command_argument(const struct json *args, struct str *ret)
{
	const char *wrong = string_argument(args, "command", ret);

	return wrong || !ret->p ? need_command : NULL;
}

static const char *
put_whole_list(struct buf *out, const struct gemini_list *l)
{
	gemini_put_list(out, l);
	return l->full ? "the answer needs more memory than allowed" : NULL;
}

/* ---- text */

static const char *
fn_names(struct arena *a, const struct json *args, struct buf *out)
{
	struct gemini_list l = { 0 };

	(void)args;
	gemini_add(a, &l, gemini_shell_names[0]);
	gemini_add(a, &l, gemini_shell_names[1]);
	return put_whole_list(out, &l);
}

static const char *
fn_split(struct arena *a, const struct json *args, struct buf *out)
{
	struct gemini_list l = { 0 };
	struct str command;
	const char *wrong = command_argument(args, &command);

	if (wrong)
		return wrong;
	gemini_split(a, command, &l);
	return put_whole_list(out, &l);
}

static const char *
fn_root(struct arena *a, const struct json *args, struct buf *out)
{
	struct str command;
	const char *wrong = command_argument(args, &command);

	(void)a;
	if (!wrong)
		json_put_str_or_null(out, gemini_root(command));
	return wrong;
}

static const char *
fn_roots(struct arena *a, const struct json *args, struct buf *out)
{
	struct gemini_list l = { 0 };
	struct str command;
	const char *wrong = command_argument(args, &command);

	if (wrong)
		return wrong;
	gemini_roots(a, command, &l);
	return put_whole_list(out, &l);
}

static const char *
fn_strip(struct arena *a, const struct json *args, struct buf *out)
{
	struct str command;
	const char *wrong = command_argument(args, &command);

	(void)a;
	if (!wrong)
		json_put_str(out, gemini_strip_wrapper(command));
	return wrong;
}

static const char *
fn_detect(struct arena *a, const struct json *args, struct buf *out)
{
	struct str command, shell;
	const char *wrong = command_argument(args, &command);

	wrong = wrong ? wrong : string_argument(args, "shell", &shell);
	if (wrong)
		return wrong;
	json_put_bool(out,
	    gemini_substitution(a, command) || (shell.p && str_is(shell, "powershell") &&
						   gemini_scan_powershell(command)));
	return NULL;
}

static const char *
fn_escape(struct arena *a, const struct json *args, struct buf *out)
{
	struct str arg, shell;
	const char *wrong = string_argument(args, "arg", &arg);
	struct err e = { 0 };
	struct buf b;
	int r;

	wrong = wrong ? wrong : string_argument(args, "shell", &shell);
	if (wrong || !arg.p)
		return wrong ? wrong : "this function needs an \"arg\" that is a string";
	buf_init(&b, a);
	if (!shell.p || str_is(shell, "bash"))
		r = quote_put(&b, QUOTE_BASH, arg, &e);
	else if (str_is(shell, "cmd"))
		r = quote_put_always(&b, QUOTE_CMD, arg, &e);
	else if (str_is(shell, "powershell"))
		r = quote_put_always(&b, QUOTE_POWERSHELL, arg, &e);
	else
		return "shell must be bash, cmd or powershell";
	if (r)
		return e.why ? e.why : "this argument cannot be quoted";
	json_put_str(out, buf_str(&b));
	return b.full ? "the answer needs more memory than allowed" : NULL;
}

static const char *
fn_shell(struct arena *a, const struct json *args, struct buf *out)
{
	struct str platform, comspec;
	struct gemini_shell s;
	const char *wrong = string_argument(args, "platform", &platform);

	(void)a;
	wrong = wrong ? wrong : string_argument(args, "ComSpec", &comspec);
	if (wrong)
		return wrong;
	s = gemini_shell(platform.p ? platform : STR("linux"), comspec);
	buf_putc(out, '{');
	json_put_member(out, "executable", s.executable);
	json_put_key(out, "argsPrefix");
	buf_putc(out, '[');
	for (size_t i = 0; s.args[i]; i++) {
		json_put_sep(out);
		json_put_str(out, str_from_c(s.args[i]));
	}
	buf_putc(out, ']');
	json_put_member(out, "shell", str_from_c(s.shell));
	buf_putc(out, '}');
	return NULL;
}

/* ---- patterns */

/* Read a name, or an object with the names of the tool and its class. */
static const char *
read_tool(const struct json *args, struct gemini_call *call)
{
	const struct json *tool = json_get(args, STR("tool")), *inner;

	tool = tool ? tool : json_get(args, STR("toolOrToolName"));
	if (tool && tool->kind == JSON_STRING) {
		call->names[0] = tool->text;
		return NULL;
	}
	inner = json_get(tool, STR("name"));
	if (!inner || inner->kind != JSON_STRING)
		return "tool must be a name, or an object with \"name\" and \"className\"";
	call->names[0] = inner->text;
	return string_argument(tool, "className", &call->names[1]);
}

/* JavaScript converts any value to a string; accept strings only. */
static const char *
read_invocation(const struct json *args, struct gemini_call *call)
{
	const struct json *params = json_get(args, STR("params"));

	if (!params)
		params = json_get(json_get(args, STR("invocation")), STR("params"));
	return string_argument(params ? params : args, "command", &call->command);
}

static const char *
fn_match(struct arena *a, const struct json *args, struct buf *out)
{
	struct gemini_call call = { 0 };
	struct gemini_list patterns = { 0 };
	const char *wrong = read_tool(args, &call);

	wrong = wrong ? wrong : read_invocation(args, &call);
	wrong =
	    wrong ? wrong : gemini_read_list(a, json_get(args, STR("patterns")), &patterns);
	if (!wrong)
		json_put_bool(out, gemini_call_matches(&call, &patterns));
	return wrong;
}

static const char *
fn_allowlisted(struct arena *a, const struct json *args, struct buf *out)
{
	struct gemini_call call = { 0 };
	struct gemini_list patterns = { 0 };
	const char *wrong = read_invocation(args, &call);

	wrong =
	    wrong ? wrong : gemini_read_list(a, json_get(args, STR("patterns")), &patterns);
	if (!wrong)
		json_put_bool(out,
		    gemini_covered(a, call.command.p ? call.command : STR(""), &patterns));
	return wrong;
}

static const char *
fn_subcommands(struct arena *a, const struct json *args, struct buf *out)
{
	struct gemini_list allowed = { 0 }, set = { 0 };
	const char *wrong =
	    gemini_read_list(a, json_get(args, STR("allowedTools")), &allowed);

	if (wrong)
		return wrong;
	gemini_allowed_subcommands(a, &allowed, &set);
	if (set.given || set.full)
		return put_whole_list(out, &set);
	buf_puts(out, "null");
	return NULL;
}

/* ---- the table */

typedef const char *function(struct arena *a, const struct json *args, struct buf *out);

static const struct {
	char name[32];
	char parameters[3][17]; /* names of positional arguments; "": none */
} functions[] = {
	{ "SHELL_TOOL_NAMES", { "" } },
	{ "splitCommands", { "command" } },
	{ "getCommandRoot", { "command" } },
	{ "getCommandRoots", { "command" } },
	{ "stripShellWrapper", { "command" } },
	{ "detectCommandSubstitution", { "command", "shell" } },
	{ "doesToolInvocationMatch", { "tool", "invocation", "patterns" } },
	{ "isShellInvocationAllowlisted", { "invocation", "patterns" } },
	{ "parseAllowedSubcommands", { "allowedTools" } },
	{ "escapeShellArg", { "arg", "shell" } },
	{ "getShellConfiguration", { "platform", "ComSpec" } },
	{ "mergeExcludeTools", { "settings", "extensions", "extraExcludes" } },
	{ "isCommandAllowed", { "command", "config" } },
	{ "checkCommandPermissions", { "command", "config", "sessionAllowlist" } },
	{ "debugPermissionCheck", { "command", "config", "sessionAllowlist" } },
	{ "batchPermissionCheck", { "commands", "config" } },
	{ "formatPermissionError", { "result", "command" } },
	{ "validatePermissionConfig", { "config" } },
	{ "getPermissions", { "permissions", "toolName" } },
	{ "ShellTool.build", { "command", "directory" } },
	{ "ShellTool.shouldConfirmExecute", { "command" } },
};

/* The functions, in the order of the table above. */
static function *const runs[] = { fn_names, fn_split, fn_root, fn_roots, fn_strip,
	fn_detect, fn_match, fn_allowlisted, fn_subcommands, fn_escape, fn_shell,
	gemini_fn_merge, gemini_fn_allowed, gemini_fn_check, gemini_fn_check,
	gemini_fn_batch, gemini_fn_format, gemini_fn_validate, gemini_fn_permissions,
	gemini_fn_build, gemini_fn_confirm };

static size_t
find_function(struct str name)
{
	size_t i = 0;

	while (i < sizeof functions / sizeof *functions && !str_is(name, functions[i].name))
		i++;
	return i;
}

/* ["ls", …] → {"command":"ls", …} */
static const struct json *
by_name(struct arena *a, const struct json *args, const char (*names)[17])
{
	struct json *object = ARENA_NEW(a, struct json), **end;
	size_t i = 0;

	if (!object)
		return NULL;
	object->kind = JSON_OBJECT;
	end = &object->first;
	for (const struct json *v = args->first; v; v = v->next, i++) {
		struct json *copy = i < 3 && names[i][0] ? ARENA_NEW(a, struct json) : NULL;

		if (!copy)
			return NULL;
		*copy = *v;
		copy->key = str_from_c(names[i]);
		copy->next = NULL;
		*end = copy;
		end = &copy->next;
	}
	return object;
}

/* An argument from the command line, unless the line has its own. */
static const struct json *
with_place(struct arena *a, const struct json *args, const char *key, struct str value)
{
	struct json *object, *member;

	if (!args || args->kind != JSON_OBJECT || !value.p ||
	    json_get(args, str_from_c(key)))
		return args;
	object = ARENA_NEW(a, struct json);
	member = ARENA_NEW(a, struct json);
	if (!object || !member)
		return NULL;
	*object = *args;
	*member = (struct json){ .kind = JSON_STRING, .text = value };
	member->key = str_from_c(key);
	member->next = args->first;
	object->first = member;
	return object;
}

const char *
gemini_function(struct arena *a, struct str name, const struct json *request,
    const struct analyse_opts *where, struct buf *out)
{
	size_t i = find_function(name);
	const struct json *args = json_get(request, STR("input"));

	if (i == sizeof functions / sizeof *functions)
		return "there is no such function";
	args = args ? args : json_get(request, STR("args"));
	args = args ? args : request;
	if (args->kind == JSON_ARRAY)
		args = by_name(a, args, functions[i].parameters);
	args = with_place(a, args, "cwd", where->cwd);
	args = with_place(a, args, "home", where->home);
	if (!args || args->kind != JSON_OBJECT)
		return "the arguments are not those of this function";
	return runs[i](a, args, out);
}
