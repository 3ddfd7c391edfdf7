/* Answer one line of `check --as cursor --batch`. */
#include "base/path.h"
#include "base/show.h"
#include "dialects/cursor/cursor.h"

static const char no_memory[] = "the request needs more memory than allowed";

/* Keys of other dialects are accepted and ignored. */
static const char known_keys[][18] = { "id", "command", "cwd", "home", "roots", "tool",
	"path", "server", "name", "toolName", "approvalSettings", "composerState",
	"autoRunControls", "isAutoRun", "isFullAutoRun", "mode", "userPolicy",
	"requestedPolicy", "safeCommands", "compositeCommands", "sandboxEnabled", "session",
	"interactive", "hostMode", "projectTrusted" };

static const char *
check_keys(const struct json *request)
{
	for (const struct json *m = request->first; m; m = m->next) {
		size_t i = 0;

		while (i < sizeof known_keys / sizeof *known_keys &&
		       !str_is(m->key, known_keys[i]))
			i++;
		if (i == sizeof known_keys / sizeof *known_keys)
			return "an unknown key";
	}
	return NULL;
}

/* ---- the parts of a request; each returns NULL or an error */

static const struct json *
said(const struct json *request, const char *key)
{
	const struct json *v = json_get(request, str_from_c(key));

	return v && v->kind != JSON_NULL ? v : NULL;
}

static const char *
read_text(const struct json *request, const char *key, struct str *ret)
{
	const struct json *v = said(request, key);

	if (v && v->kind != JSON_STRING)
		return "command, path, server, name and directories must be strings";
	if (v)
		*ret = v->text.p ? v->text : STR("");
	return NULL;
}

static const char *
read_directory(
    struct arena *a, const struct json *request, const char *key, struct str *ret)
{
	struct str text = { NULL, 0 };
	const char *wrong = read_text(request, key, &text);

	if (wrong || !text.p)
		return wrong;
	if (!str_starts(text, STR("/")) || path_normal(a, STR("/"), text, ret, NULL))
		return "a directory must be an absolute path";
	return NULL;
}

static const char *
read_roots(struct arena *a, const struct json *request, struct cursor_input *in)
{
	const struct json *v = said(request, "roots");
	struct str *roots;
	size_t n = 0;

	if (!v)
		return NULL;
	if (v->kind != JSON_ARRAY)
		return "roots must be a list of directories";
	roots = arena_array(a, v->count, sizeof *roots);
	if (!roots)
		return no_memory;
	for (const struct json *m = v->first; m; m = m->next)
		if (m->kind != JSON_STRING || !str_starts(m->text, STR("/")) ||
		    path_normal(a, STR("/"), m->text, &roots[n++], NULL))
			return "roots must be a list of absolute paths";
	in->roots = roots;
	in->roots_n = n;
	return NULL;
}

static const char *
read_policy(struct arena *a, const struct json *request, const char *key,
    const struct sandbox_policy **ret)
{
	const struct json *v = said(request, key);
	struct sandbox_policy *p;
	struct err e = { 0 };
	struct buf why;

	if (!v)
		return NULL;
	p = ARENA_NEW(a, struct sandbox_policy);
	if (!p)
		return no_memory;
	*ret = p;
	if (!sandbox_read(a, v, p, &e))
		return NULL;
	buf_init(&why, a);
	buf_puts(&why, key);
	buf_puts(&why, ": ");
	buf_puts(&why, e.why ? e.why : err_text(e.code));
	buf_putc(&why, '\0');
	return why.full ? no_memory : why.p;
}

static const char *
read_tool(const struct json *request, struct cursor_input *in)
{
	static const struct {
		const char *name;
		enum cursor_tool tool;
		const char *needs;
	} tools[] = {
		{ "bash", CURSOR_SHELL, "command is missing" },
		{ "read", CURSOR_READ, "path is missing" },
		{ "write", CURSOR_WRITE, "path is missing" },
		{ "edit", CURSOR_WRITE, "path is missing" },
		{ "delete", CURSOR_DELETE, "path is missing" },
		{ "mcp", CURSOR_MCP, "server and name are missing" },
	};
	struct str name = STR("bash");
	const char *wrong = read_text(request, "tool", &name);
	bool there;

	for (size_t i = 0; i < sizeof tools / sizeof *tools && !wrong; i++) {
		if (!str_is(name, tools[i].name))
			continue;
		in->tool = tools[i].tool;
		there = in->tool == CURSOR_SHELL ? in->command.p != NULL
			: in->tool == CURSOR_MCP ? in->server.p && in->name.p
						 : in->path.p != NULL;
		return there ? NULL : tools[i].needs;
	}
	return wrong ? wrong : "tool must be bash, read, write, edit, delete or mcp";
}

/* "path":"server:tool" names an MCP tool, as in rules. */
static void
split_mcp(struct cursor_input *in)
{
	size_t colon = str_find(in->path, ':');

	if (!in->path.p || in->server.p || in->name.p || colon == in->path.n)
		return;
	in->server = str_cut(in->path, 0, colon);
	in->name = str_skip(in->path, colon + 1);
}

/* Read the tool and its arguments. */
static const char *
read_call(const struct json *request, struct cursor_input *in)
{
	const struct {
		const char *key;
		struct str *text;
	} texts[] = {
		{ "command", &in->command },
		{ "path", &in->path },
		{ "server", &in->server },
		{ "name", &in->name },
		{ "toolName", &in->name },
	};
	const char *wrong = NULL;

	for (size_t i = 0; i < sizeof texts / sizeof *texts && !wrong; i++)
		wrong = read_text(request, texts[i].key, texts[i].text);
	if (wrong)
		return wrong;
	split_mcp(in);
	return read_tool(request, in);
}

/* Read the directories that it runs in. */
static const char *
read_context(struct arena *a, const struct json *request, struct cursor_input *in)
{
	const char *wrong = read_directory(a, request, "cwd", &in->where.cwd);

	if (!wrong)
		wrong = read_directory(a, request, "home", &in->where.home);
	return wrong ? wrong : read_roots(a, request, in);
}

/* Read the settings, lists and sandbox policies that the answer depends on. */
static const char *
read_rules(struct arena *a, const struct json *request, enum mode otherwise,
    struct cursor_input *in)
{
	const struct json *sandbox = said(request, "sandboxEnabled");
	const char *wrong = cursor_read_settings(a, request, &in->settings);

	if (!wrong)
		wrong = cursor_read_mode(request, otherwise, &in->mode);
	if (!wrong)
		wrong = cursor_read_list(a, said(request, "safeCommands"), &in->safe);
	if (!wrong)
		wrong =
		    cursor_read_list(a, said(request, "compositeCommands"), &in->composite);
	if (!wrong)
		wrong = read_policy(a, request, "userPolicy", &in->user);
	if (!wrong)
		wrong = read_policy(a, request, "requestedPolicy", &in->requested);
	if (!wrong && sandbox && sandbox->kind != JSON_BOOL)
		wrong = "sandboxEnabled must be true or false";
	in->sandbox_enabled = !wrong && sandbox && sandbox->truth;
	return wrong;
}

static const char *
read_request(struct arena *a, const struct json *request, const struct cursor_opts *opts,
    struct cursor_input *in)
{
	enum mode otherwise = opts->has_mode ? opts->mode : MODE_USE_ALLOWLIST;
	const char *wrong = check_keys(request);

	*in = opts->base;
	if (!wrong)
		wrong = read_call(request, in);
	if (!wrong)
		wrong = read_context(a, request, in);
	return wrong ? wrong : read_rules(a, request, otherwise, in);
}

/* ---- the answer */

static void
open_answer(struct buf *out, const struct cursor_opts *opts, struct str id)
{
	buf_putc(out, '{');
	if (!opts->batch)
		return;
	json_put_key(out, "id");
	buf_put(out, id.p ? id : STR("null"));
}

static void
put_answer(struct buf *out, const struct cursor_opts *opts, struct str id,
    const struct cursor_result *r)
{
	open_answer(out, opts, id);
	json_put_member_bool(out, "needApproval", !r->runs);
	if (r->has_candidates) {
		json_put_key(out, "candidatesForAllowlist");
		gemini_put_list(out, &r->candidates);
	}
	json_put_key(out, "effectivePolicy");
	sandbox_print(&r->effective, out);
	buf_putc(out, '}');
}

static const char step_names[STEPS][17] = {
	[STEP_MERGE] = "1 merge",
	[STEP_DISABLED] = "2 admin",
	[STEP_PARSE] = "3 parse",
	[STEP_BLOCKED] = "4 blocklist",
	[STEP_EMPTY] = "5 no command",
	[STEP_EVERYTHING] = "6 run everything",
	[STEP_DELETE] = "7 rm",
	[STEP_SUDO] = "8 sudo",
	[STEP_NO_ALLOWLIST] = "9 no allowlist",
	[STEP_FILTER] = "10 filter",
	[STEP_ALLOWED] = "11 allowed",
	[STEP_SANDBOX] = "12 sandbox",
	[STEP_DEFAULT] = "13 default",
	[STEP_MODE] = "mode",
	[STEP_IGNORED] = "ignored file",
	[STEP_PROTECT] = "protection",
	[STEP_FILE] = "file tool",
	[STEP_MCP] = "MCP tool",
};

static void
cursor_put_trace(struct buf *out, const struct cursor_result *r)
{
	for (size_t i = 0; i < r->notes_n; i++) {
		const struct cursor_note *n = &r->notes[i];

		buf_puts(out, "step ");
		buf_puts(out, step_names[n->step]);
		buf_puts(out, ": ");
		buf_puts(out, n->what);
		if (n->which.n) {
			buf_puts(out, ": ");
			show_put(out, n->which, 0);
		}
		buf_putc(out, '\n');
	}
	buf_puts(out, r->runs ? "no approval needed\n" : "approval needed\n");
}

static enum verdict
answer(struct arena *a, const struct cursor_input *in, const struct cursor_opts *opts,
    struct str id, struct buf *out)
{
	struct cursor_result r;

	cursor_decide(a, in, &r);
	put_answer(out, opts, id, &r);
	if (opts->trace)
		cursor_put_trace(opts->trace, &r);
	return cursor_verdict(&r);
}

static const char *
answer_line(struct arena *a, struct str line, const struct cursor_opts *opts,
    struct str *ret_id, struct buf *out, enum verdict *ret)
{
	static const struct json_opts bytes = { .surrogate_bytes = true };
	const struct json *request, *id;
	struct cursor_input in;
	struct err e = { 0 };
	const char *wrong;

	if (json_read(a, line, &bytes, &request, &e))
		return e.why ? e.why : err_text(e.code);
	if (request->kind != JSON_OBJECT)
		return "a request must be an object";
	id = json_get(request, STR("id"));
	if (id)
		*ret_id = json_source(line, id);
	wrong = read_request(a, request, opts, &in);
	if (!wrong)
		*ret = answer(a, &in, opts, *ret_id, out);
	return wrong;
}

int
cursor_request(struct arena *a, struct str line, const struct cursor_opts *opts,
    struct buf *out, enum verdict *ret_verdict)
{
	struct buf before = *out;
	struct str id = { NULL, 0 };
	enum verdict verdict = VERDICT_DENY;
	const char *wrong = answer_line(a, line, opts, &id, out, &verdict);

	if (!wrong && out->full)
		wrong = "the answer needs more memory than allowed";
	if (wrong) {
		verdict = VERDICT_DENY;
		/* Discard the output so far, and reuse its memory. */
		out->n = before.n;
		out->full = before.full;
		open_answer(out, opts, id);
		json_put_member(out, "error", str_from_c(wrong));
		buf_putc(out, '}');
	}
	if (ret_verdict)
		*ret_verdict = verdict;
	return out->full ? CORDON_ENOMEM : 0;
}

int
cursor_command(struct arena *a, struct str command, const struct cursor_opts *opts,
    struct buf *out, enum verdict *ret_verdict)
{
	struct cursor_input in = opts->base;
	enum verdict verdict;

	in.tool = CURSOR_SHELL;
	in.command = command;
	in.settings = cursor_defaults();
	in.mode = opts->has_mode ? opts->mode : MODE_USE_ALLOWLIST;
	verdict = answer(a, &in, opts, (struct str){ NULL, 0 }, out);
	if (ret_verdict)
		*ret_verdict = out->full ? VERDICT_DENY : verdict;
	return out->full ? CORDON_ENOMEM : 0;
}
