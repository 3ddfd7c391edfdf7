/* Decide about file tools and MCP tools. */
#include "base/path.h"
#include "dialects/cursor/cursor.h"

static void
ask(struct cursor_result *r, enum cursor_step step, const char *what, struct str which)
{
	cursor_note(r, step, what, which);
	r->step = step;
}

/* ---- files */

static bool
file_effect(struct arena *a, const struct cursor_input *in, struct file_effect *ret)
{
	static const enum file_op ops[] = { [CURSOR_READ] = FILE_READ,
		[CURSOR_WRITE] = FILE_WRITE,
		[CURSOR_DELETE] = FILE_DELETE };
	struct str path;

	if (path_normal(a, in->where.cwd, in->path, &path, NULL))
		return false;
	*ret = (struct file_effect){
		.op = ops[in->tool], .known = true, .path = path, .by = STR("tool")
	};
	return true;
}

static void
file_tool(struct arena *a, const struct cursor_input *in, struct cursor_result *r)
{
	struct cursor_input bare = *in;
	struct effects effects = { 0 };
	struct cursor_view v;
	struct file_effect f;
	struct str which = in->path;
	const char *why;

	/* Lists of commands do not apply to files. */
	bare.settings.allowed = bare.settings.blocked = bare.safe =
	    (struct gemini_list){ 0 };
	cursor_view(a, &bare, &v);
	v.effects = &effects;
	v.effective = &r->effective;
	if (!file_effect(a, in, &f)) {
		ask(r, STEP_FILE, "the path is not valid", in->path);
		return;
	}
	effects.files = &f;
	if (in->look && in->look(in->context, a, in, &effects)) {
		ask(r, STEP_FILE, "the file cannot be examined", in->path);
		return;
	}
	why = cursor_ignored(&v, &which);
	if (!why)
		why = cursor_protected(&v, &which);
	if (!why)
		why = cursor_uncovered(&v);
	if (!why && in->tool == CURSOR_DELETE && in->settings.delete_protection)
		why = "files are protected from being deleted";
	if (why)
		ask(r, STEP_FILE, why, which);
	else
		cursor_runs(r, STEP_FILE, "no protection applies");
}

/* ---- MCP */

/* True if an allowlist entry could contain this name. */
static bool
is_name(struct str s)
{
	return s.p && s.n <= 256 && gemini_trim(s).n && str_find(s, ':') == s.n &&
	       str_find(s, '*') == s.n;
}

static bool
split_entry(struct str entry, struct str *ret_server, struct str *ret_name)
{
	size_t colon = str_find(entry, ':');

	if (colon == entry.n)
		return false;
	*ret_server = str_cut(entry, 0, colon);
	*ret_name = str_skip(entry, colon + 1);
	return (str_is(*ret_server, "*") || is_name(*ret_server)) &&
	       (str_is(*ret_name, "*") || is_name(*ret_name));
}

static bool
cursor_mcp_matches(struct str server, struct str name, struct str entry)
{
	struct str s, n;

	return split_entry(entry, &s, &n) && (str_is(s, "*") || str_eq(s, server)) &&
	       (str_is(n, "*") || str_eq(n, name));
}

/* True for the editor's own browser servers. */
static bool
is_own_browser(struct str server)
{
	return str_is(server, "cursor-browser-extension") ||
	       str_is(server, "cursor-ide-browser");
}

static bool
holds(struct str s, struct str part)
{
	for (size_t i = 0; i + part.n <= s.n; i++)
		if (str_starts(str_skip(s, i), part))
			return true;
	return false;
}

static bool
is_browser(const struct cursor_input *in)
{
	return is_own_browser(in->server) || holds(in->server, STR("playwright")) ||
	       holds(in->server, STR("browser")) || holds(in->name, STR("playwright")) ||
	       str_starts(in->name, STR("browser_"));
}

/* The entry that covers the tool; .p == NULL: none.  `named`: it must name the server or
 * the tool. */
static struct str
find_entry(const struct cursor_input *in, bool named)
{
	const struct gemini_list *list = &in->settings.mcp_allowed;

	for (size_t i = 0; i < list->n; i++)
		if (cursor_mcp_matches(in->server, in->name, list->v[i]) &&
		    !(named && str_is(list->v[i], "*:*")))
			return list->v[i];
	return (struct str){ NULL, 0 };
}

static void
offer_tool(struct arena *a, const struct cursor_input *in, struct cursor_result *r)
{
	struct buf b;

	if (in->settings.admin_controlled)
		return;
	buf_init(&b, a);
	buf_put(&b, in->server);
	buf_putc(&b, ':');
	buf_put(&b, in->name);
	gemini_add(a, &r->candidates, buf_str(&b));
	r->has_candidates = !b.full && !r->candidates.full;
}

static void
mcp_tool(struct arena *a, const struct cursor_input *in, struct cursor_result *r)
{
	const struct cursor_settings *s = &in->settings;

	if (!is_name(in->server) || !is_name(in->name))
		ask(r, STEP_MCP, "no entry could name this tool", in->server);
	else if (is_browser(in) && !s->browser_features)
		ask(r, STEP_MCP, "browser features are switched off", in->name);
	else if (is_browser(in) && s->playwright_protection)
		ask(r, STEP_MCP, "browser tools are protected", in->name);
	else if (is_own_browser(in->server))
		cursor_runs(r, STEP_MCP, "the browser's protection is off");
	else if (s->mcp_protection && !find_entry(in, true).p)
		ask(r, STEP_MCP, "MCP tools are protected", in->name);
	else if (in->mode == MODE_RUN_EVERYTHING && !s->admin_controlled)
		cursor_runs(r, STEP_MCP, "everything runs");
	else if (find_entry(in, false).p)
		cursor_runs(r, STEP_MCP, "the tool is allowed");
	else
		ask(r, STEP_MCP, "the tool is not on the allowlist", in->name);
	if (!r->runs && r->step == STEP_MCP && is_name(in->server) && is_name(in->name) &&
	    !is_browser(in))
		offer_tool(a, in, r);
}

void
cursor_decide_tool(
    struct arena *a, const struct cursor_input *in, struct cursor_result *ret)
{
	if (in->tool == CURSOR_MCP)
		mcp_tool(a, in, ret);
	else
		file_tool(a, in, ret);
}
