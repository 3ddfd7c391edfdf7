/* Read the lists from the request, settings and extensions. */
#include "base/path.h"
#include "dialects/gemini/gemini.h"

static bool
is_null(const struct json *v)
{
	return !v || v->kind == JSON_NULL;
}

const char *
gemini_read_list(struct arena *a, const struct json *v, struct gemini_list *ret)
{
	if (is_null(v))
		return NULL;
	if (v->kind != JSON_ARRAY)
		return "a list must be an array of strings";
	ret->given = true;
	for (const struct json *e = v->first; e; e = e->next) {
		if (e->kind != JSON_STRING)
			return "a list must be an array of strings";
		gemini_add(a, ret, e->text);
	}
	return ret->full ? "the lists need more memory than allowed" : NULL;
}

/* ---- mergeExcludeTools */

static const char *
merge_list(struct arena *a, const struct json *v, struct gemini_list *ret)
{
	struct gemini_list more = { 0 };
	const char *wrong = gemini_read_list(a, v, &more);

	for (size_t i = 0; i < more.n; i++)
		gemini_add_once(a, ret, more.v[i]);
	return wrong ? wrong : ret->full ? "the lists need more memory than allowed" : NULL;
}

/* Read {"config":{"excludeTools":[…]}}, the inner object alone, or just the list. */
static const char *
merge_extension(struct arena *a, const struct json *e, struct gemini_list *ret)
{
	const struct json *active = json_get(e, STR("isActive"));
	const struct json *config = json_get(e, STR("config"));

	if (e->kind == JSON_ARRAY)
		return merge_list(a, e, ret);
	if (e->kind != JSON_OBJECT)
		return "an extension must be an object";
	if (active && active->kind == JSON_BOOL && !active->truth)
		return NULL;
	return merge_list(a, json_get(config ? config : e, STR("excludeTools")), ret);
}

static const char *
merge_extensions(struct arena *a, const struct json *v, struct gemini_list *ret)
{
	if (is_null(v))
		return NULL;
	if (v->kind != JSON_ARRAY)
		return "extensions must be an array";
	for (const struct json *e = v->first; e; e = e->next) {
		const char *wrong = merge_extension(a, e, ret);

		if (wrong)
			return wrong;
	}
	return NULL;
}

const char *
gemini_merge_excludes(struct arena *a, const struct json *request,
    const struct gemini_list *extra, struct gemini_list *ret)
{
	const struct json *settings = json_get(request, STR("settings"));
	const struct json *tools = json_get(settings, STR("tools"));
	const char *wrong;

	ret->given = true;
	if (!is_null(settings) && settings->kind != JSON_OBJECT)
		return "settings must be an object";
	if (!is_null(tools) && tools->kind != JSON_OBJECT)
		return "settings.tools must be an object";
	wrong = merge_list(a, json_get(tools, STR("exclude")), ret);
	wrong = wrong ? wrong : merge_list(a, json_get(settings, STR("excludeTools")), ret);
	wrong =
	    wrong ? wrong : merge_list(a, json_get(request, STR("settingsExclude")), ret);
	wrong = wrong ? wrong : merge_list(a, json_get(request, STR("extraExcludes")), ret);
	for (size_t i = 0; extra && i < extra->n; i++)
		gemini_add_once(a, ret, extra->v[i]);
	wrong =
	    wrong ? wrong : merge_extensions(a, json_get(request, STR("extensions")), ret);
	return wrong
		   ? wrong
		   : merge_extensions(a, json_get(request, STR("extensionsExclude")), ret);
}

void
gemini_headless_excludes(struct arena *a, enum gemini_approval mode,
    const struct gemini_list *allowed, struct gemini_list *ret)
{
	bool shell = false;

	for (size_t i = 0; i < allowed->n; i++)
		shell = shell || str_starts(allowed->v[i], gemini_shell_names[0]) ||
			str_starts(allowed->v[i], gemini_shell_names[1]);
	ret->given = true;
	if (mode == GEMINI_YOLO)
		return;
	if (!shell)
		gemini_add(a, ret, gemini_shell_names[0]);
	if (mode == GEMINI_AUTO_EDIT)
		return;
	if (!gemini_has(allowed, STR("replace")))
		gemini_add(a, ret, STR("replace"));
	if (!gemini_has(allowed, STR("write_file")))
		gemini_add(a, ret, STR("write_file"));
}

/* ---- a request */

/* Refuse an unknown key that looks like a list: ignoring it could loosen the answer. */
static const char *
check_keys(const struct json *request)
{
	static const char known[][21] = { "tool", "session", "sessionId", "coreTools",
		"excludeTools", "allowedTools", "sessionAllowlist", "extraExcludes",
		"settingsExclude", "extensionsExclude", "toolDiscoveryCommand",
		"toolCallCommand", "toolName" };
	static const char telling[][7] = { "ool", "xclude", "llow", "ession", "core" };

	for (const struct json *m = request->first; m; m = m->next) {
		bool ours = false, telltale = false;

		for (size_t i = 0; i < sizeof known / sizeof *known; i++)
			ours = ours || str_is(m->key, known[i]);
		for (size_t i = 0; i < sizeof telling / sizeof *telling; i++)
			for (size_t k = 0; k < m->key.n; k++)
				telltale = telltale || str_starts(str_skip(m->key, k),
							   str_from_c(telling[i]));
		if (telltale && !ours)
			return "a key is not known here that looks like a list of tools";
	}
	return NULL;
}

/* Look in the line itself, then in its `config`, then in the settings. */
static const char *
read_named(struct arena *a, const struct json *request, const char *key,
    const char *setting, struct gemini_list *ret)
{
	const struct json *settings = json_get(request, STR("settings"));
	const struct json *v = json_get(request, str_from_c(key));

	if (is_null(v))
		v = json_get(json_get(request, STR("config")), str_from_c(key));
	if (is_null(v) && setting)
		v = json_get(json_get(settings, STR("tools")), str_from_c(setting));
	if (is_null(v) && setting)
		v = json_get(settings, str_from_c(key));
	return gemini_read_list(a, v, ret);
}

static const char *
read_place(struct arena *a, const struct json *request, const char *key, struct str *ret)
{
	const struct json *v = json_get(request, str_from_c(key));

	if (is_null(v))
		return NULL;
	if (v->kind != JSON_STRING || v->text.n == 0 || v->text.p[0] != '/' ||
	    path_normal(a, STR("/"), v->text, ret, NULL))
		return "cwd and home must be absolute paths";
	return NULL;
}

/* The excluded tools of the settings and extensions, then those of the request. */
static const char *
read_excludes(struct arena *a, const struct json *request, struct gemini_list *ret)
{
	struct gemini_list own = { 0 };
	const char *wrong = gemini_merge_excludes(a, request, NULL, ret);

	if (!wrong)
		wrong = read_named(a, request, "excludeTools", NULL, &own);
	for (size_t i = 0; i < own.n; i++)
		gemini_add_once(a, ret, own.v[i]);
	return wrong || !ret->full ? wrong : "the lists need more memory than allowed";
}

static const char *
read_lists(struct arena *a, const struct json *request, struct gemini_config *ret)
{
	const struct {
		const char *key, *setting;
		struct gemini_list *list;
	} lists[] = {
		{ "coreTools", "core", &ret->core },
		{ "allowedTools", "allowed", &ret->allowed },
		{ "sessionAllowlist", NULL, &ret->session },
	};
	const char *wrong = read_excludes(a, request, &ret->exclude);

	for (size_t i = 0; i < sizeof lists / sizeof *lists && !wrong; i++)
		wrong =
		    read_named(a, request, lists[i].key, lists[i].setting, lists[i].list);
	return wrong;
}

const char *
gemini_read_config(struct arena *a, const struct json *request, struct gemini_config *ret)
{
	const struct json *person = json_get(request, STR("interactive"));
	const struct json *config = json_get(request, STR("config"));
	const char *wrong = check_keys(request);

	if (!is_null(config) && config->kind != JSON_OBJECT)
		return "config must be an object";
	if (!wrong && !is_null(config))
		wrong = check_keys(config);
	if (!is_null(person) && person->kind != JSON_BOOL)
		return "interactive must be true or false";
	ret->headless = !is_null(person) && !person->truth;
	if (!wrong)
		wrong = read_lists(a, request, ret);
	if (!wrong)
		wrong = read_place(a, request, "cwd", &ret->where.cwd);
	return wrong ? wrong : read_place(a, request, "home", &ret->where.home);
}

/* ---- permissions that a session collects */

static struct str
lower(struct arena *a, struct str s)
{
	char *out = arena_alloc(a, s.n + 1);

	if (!out)
		return (struct str){ NULL, 0 };
	for (size_t i = 0; i < s.n; i++)
		out[i] = (char)(s.p[i] >= 'A' && s.p[i] <= 'Z' ? s.p[i] + 32 : s.p[i]);
	return str_of(out, s.n);
}

int
gemini_permit_add(
    struct arena *a, struct gemini_permit **all, struct str tool, struct str command)
{
	struct str name = lower(a, tool), kept = arena_copy(a, command);
	struct gemini_permit *p = *all;

	if (!name.p || !kept.p)
		return CORDON_ENOMEM;
	while (p && !str_eq(p->tool, name))
		p = p->next;
	if (!p && (p = ARENA_NEW(a, struct gemini_permit)) == NULL)
		return CORDON_ENOMEM;
	if (!p->tool.p) {
		*p = (struct gemini_permit){ .tool = name, .next = *all };
		*all = p;
	}
	gemini_add_once(a, &p->commands, kept);
	return p->commands.full ? CORDON_ENOMEM : 0;
}

const struct gemini_list *
gemini_permits(const struct gemini_permit *all, struct str tool)
{
	for (const struct gemini_permit *p = all; p; p = p->next) {
		bool same = p->tool.n == tool.n;

		for (size_t i = 0; same && i < tool.n; i++) {
			char c = tool.p[i];

			same = (c >= 'A' && c <= 'Z' ? c + 32 : c) == p->tool.p[i];
		}
		if (same)
			return &p->commands;
	}
	return NULL;
}
