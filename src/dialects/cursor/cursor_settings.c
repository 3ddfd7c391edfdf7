/*
 * Read the approval settings (fN) of the user and the administrator, and the auto-run mode.
 */
#include "dialects/cursor/cursor.h"

struct cursor_settings
cursor_defaults(void)
{
	return (struct cursor_settings){
		.browser_features = true,
		.dotfiles_protection = true,
		.outside_protection = true,
		.mcp_protection = true,
	};
}

/* ---- one object of settings */

enum kind {
	KIND_BOOL,
	KIND_LIST,
};

struct settings_key {
	char name[29]; /* "" ends a table */
	uint8_t kind;  /* enum kind */
	uint16_t at;   /* in struct cursor_settings */
};

#define BOOL(name, field)                                                                  \
	{                                                                                  \
		name, KIND_BOOL, offsetof(struct cursor_settings, field)                   \
	}
#define LIST(name, field)                                                                  \
	{                                                                                  \
		name, KIND_LIST, offsetof(struct cursor_settings, field)                   \
	}

static const struct settings_key approval_keys[] = {
	BOOL("isAdminControlled", admin_controlled),
	BOOL("isDisabledByAdmin", disabled_by_admin),
	BOOL("browserFeatures", browser_features),
	LIST("allowedCommands", allowed),
	LIST("blockedCommands", blocked),
	BOOL("deleteFileProtection", delete_protection),
	BOOL("dotFilesProtection", dotfiles_protection),
	BOOL("outsideWorkspaceProtection", outside_protection),
	BOOL("enableRunEverything", enable_run_everything),
	LIST("mcpAllowedTools", mcp_allowed),
	BOOL("mcpToolsProtection", mcp_protection),
	BOOL("playwrightProtection", playwright_protection),
	{ "", KIND_BOOL, 0 },
};

static const struct settings_key composer_keys[] = {
	LIST("yoloCommandAllowlist", allowed),
	LIST("yoloCommandDenylist", blocked),
	BOOL("yoloDeleteFileDisabled", delete_protection),
	BOOL("yoloDotFilesDisabled", dotfiles_protection),
	BOOL("yoloOutsideWorkspaceDisabled", outside_protection),
	BOOL("yoloEnableRunEverything", enable_run_everything),
	LIST("mcpAllowedTools", mcp_allowed),
	BOOL("yoloMcpToolsDisabled", mcp_protection),
	BOOL("playwrightProtection", playwright_protection),
	{ "", KIND_BOOL, 0 },
};

/* The keys as servers spell them, and as the approval settings do. */
static const struct settings_key admin_keys[] = {
	BOOL("enabled", admin_controlled),
	LIST("allowed", allowed),
	LIST("allowedCommands", allowed),
	LIST("blocked", blocked),
	LIST("blockedCommands", blocked),
	BOOL("enableRunEverything", enable_run_everything),
	LIST("mcpToolAllowlist", mcp_allowed),
	LIST("mcpAllowedTools", mcp_allowed),
	BOOL("disableMcpAutoRun", mcp_protection),
	BOOL("mcpToolsProtection", mcp_protection),
	BOOL("browserProtection", playwright_protection),
	BOOL("playwrightProtection", playwright_protection),
	BOOL("deleteFileProtection", delete_protection),
	BOOL("dotFilesProtection", dotfiles_protection),
	BOOL("outsideWorkspaceProtection", outside_protection),
	BOOL("browserFeatures", browser_features),
	BOOL("isDisabledByAdmin", disabled_by_admin),
	{ "", KIND_BOOL, 0 },
};

const char *
cursor_read_list(struct arena *a, const struct json *v, struct gemini_list *ret)
{
	struct gemini_list list = { .given = true };

	if (!v || v->kind == JSON_NULL)
		return NULL;
	if (v->kind != JSON_ARRAY)
		return "a list of commands must be a list of strings";
	for (const struct json *m = v->first; m; m = m->next) {
		if (m->kind != JSON_STRING)
			return "a list of commands must be a list of strings";
		gemini_add(a, &list, m->text.p ? m->text : STR(""));
	}
	if (list.full)
		return "the settings need more memory than allowed";
	*ret = list;
	return NULL;
}

static const char *
read_value(struct arena *a, const struct settings_key *key, const struct json *v,
    struct cursor_settings *s)
{
	char *at = (char *)s + key->at;

	if (v->kind == JSON_NULL) /* `??`: the default stays */
		return NULL;
	if (key->kind == KIND_LIST)
		return cursor_read_list(a, v, (struct gemini_list *)(void *)at);
	if (v->kind != JSON_BOOL)
		return "a protection or switch must be true or false";
	*(bool *)at = v->truth;
	return NULL;
}

static const struct settings_key *
find_key(const struct settings_key *keys, struct str name)
{
	while (keys->name[0] && !str_is(name, keys->name))
		keys++;
	return keys->name[0] ? keys : NULL;
}

/* `others`: ignore keys that are not in the table. */
static const char *
read_object(struct arena *a, const struct json *v, const struct settings_key *keys,
    bool others, struct cursor_settings *s)
{
	if (v->kind != JSON_OBJECT)
		return "settings must be an object";
	for (const struct json *m = v->first; m; m = m->next) {
		const struct settings_key *key = find_key(keys, m->key);
		const char *wrong = NULL;

		if (key)
			wrong = read_value(a, key, m, s);
		else if (!others || str_starts(m->key, STR("yolo")))
			wrong = "an unknown key in the settings";
		if (wrong)
			return wrong;
	}
	return NULL;
}

/* ---- admin over user */

/* The administrator's lists replace the user's allowlists; the user's blocked commands stay
 * blocked. */
static const char *
put_admin(struct arena *a, const struct json *v, struct cursor_settings *user)
{
	struct cursor_settings s = { .admin_controlled = true, .outside_protection = true };
	const char *wrong = read_object(a, v, admin_keys, false, &s);

	if (wrong || !s.admin_controlled) /* "enabled":false */
		return wrong;
	/* If nothing could ever run without approval, auto-run is off. */
	if (s.allowed.n + s.blocked.n + s.mcp_allowed.n == 0 && !s.enable_run_everything)
		s.disabled_by_admin = true;
	for (size_t i = 0; i < user->blocked.n; i++)
		gemini_add(a, &s.blocked, user->blocked.v[i]);
	s.playwright_protection =
	    s.playwright_protection || s.mcp_protection || user->playwright_protection;
	s.delete_protection = s.delete_protection || user->delete_protection;
	s.dotfiles_protection = s.dotfiles_protection || user->dotfiles_protection;
	s.outside_protection = s.outside_protection || user->outside_protection;
	s.mcp_protection = s.mcp_protection || user->mcp_protection;
	if (s.blocked.full)
		return "the settings need more memory than allowed";
	*user = s;
	return NULL;
}

/* A member that is not null, or NULL. */
static const struct json *
said(const struct json *request, struct str key)
{
	const struct json *v = json_get(request, key);

	return v && v->kind != JSON_NULL ? v : NULL;
}

const char *
cursor_read_settings(
    struct arena *a, const struct json *request, struct cursor_settings *ret)
{
	const struct json *approval = said(request, STR("approvalSettings"));
	const struct json *composer = said(request, STR("composerState"));
	const struct json *admin = said(request, STR("autoRunControls"));
	struct cursor_settings s = cursor_defaults();
	const char *wrong = NULL;

	if (approval && (composer || admin))
		return "approvalSettings stands for composerState and autoRunControls: "
		       "give one";
	if (approval)
		wrong = read_object(a, approval, approval_keys, false, &s);
	if (composer)
		wrong = read_object(a, composer, composer_keys, true, &s);
	if (admin && !wrong)
		wrong = put_admin(a, admin, &s);
	if (!wrong)
		*ret = s;
	return wrong;
}

/* ---- the mode */

enum mode
cursor_mode(bool auto_run, bool full_auto_run)
{
	if (!auto_run)
		return MODE_ASK_EVERY_TIME;
	return full_auto_run ? MODE_RUN_EVERYTHING : MODE_USE_ALLOWLIST;
}

static bool
mode_read(const struct json *v, enum mode *ret)
{
	if (v->kind != JSON_STRING)
		return false;
	if (str_is(v->text, "ask_every_time"))
		*ret = MODE_ASK_EVERY_TIME;
	else if (str_is(v->text, "use_allowlist"))
		*ret = MODE_USE_ALLOWLIST;
	else if (str_is(v->text, "run_everything"))
		*ret = MODE_RUN_EVERYTHING;
	else
		return false;
	return true;
}

const char *
cursor_read_mode(const struct json *request, enum mode otherwise, enum mode *ret)
{
	const struct json *name = said(request, STR("mode"));
	const struct json *some = said(request, STR("isAutoRun"));
	const struct json *full = said(request, STR("isFullAutoRun"));
	enum mode mode = otherwise, switches;

	if (name && !mode_read(name, &mode))
		return "mode must be ask_every_time, use_allowlist or run_everything";
	if ((some && some->kind != JSON_BOOL) || (full && full->kind != JSON_BOOL))
		return "isAutoRun and isFullAutoRun must be true or false";
	switches = cursor_mode(some && some->truth, full && full->truth);
	if ((some || full) && (!name || switches < mode))
		mode = switches;
	*ret = mode;
	return NULL;
}
