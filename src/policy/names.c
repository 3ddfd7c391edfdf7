/* The keywords of the rule language. */
#include "policy/draft.h"

/* For settings with one value, the strictest word comes first: its index is its rank. */
static const struct word_value mode_words[] = {
	{ "ask_every_time", MODE_ASK_EVERY_TIME },
	{ "use_allowlist", MODE_USE_ALLOWLIST },
	{ "run_everything", MODE_RUN_EVERYTHING },
	{ "", 0 },
};
static const struct word_value default_words[] = {
	{ "deny", VERDICT_DENY },
	{ "ask", VERDICT_ASK },
	{ "confine", VERDICT_CONFINE },
	{ "", 0 },
};
static const struct word_value sandbox_words[] = {
	{ "workspace_readonly", 0 },
	{ "workspace_readwrite", 1 },
	{ "insecure_none", 2 },
	{ "", 0 },
};
const enum sandbox_type sandbox_of_rank[] = {
	SANDBOX_WORKSPACE_READONLY,
	SANDBOX_WORKSPACE_READWRITE,
	SANDBOX_INSECURE_NONE,
};
const struct word_value grant_words[] = {
	{ "readonly", SANDBOX_WORKSPACE_READONLY },
	{ "readwrite", SANDBOX_WORKSPACE_READWRITE },
	{ "", 0 },
};
static const struct word_value on_words[] = { { "off", 0 }, { "on", 1 }, { "", 0 } };
static const struct word_value boundary_words[] = {
	{ "workspace", 0 },
	{ "system", 1 },
	{ "", 0 },
};
static const struct word_value answer_words[] = { { "silent", 0 }, { "explicit", 1 },
	{ "", 0 } };
static const struct word_value journal_words[] = {
	{ "required", 0 },
	{ "optional", 1 },
	{ "", 0 },
};
/* Waiting times as a scale, so that two can be compared. */
static const struct word_value wait_words[] = {
	{ "10s", 0 },
	{ "30s", 1 },
	{ "1m", 2 },
	{ "2m", 3 },
	{ "5m", 4 },
	{ "10m", 5 },
	{ "30m", 6 },
	{ "1h", 7 },
	{ "4h", 8 },
	{ "8h", 9 },
	{ "1d", 10 },
	{ "", 0 },
};
const uint32_t wait_seconds[] = { 10, 30, 60, 120, 300, 600, 1800, 3600, 14400, 28800,
	86400 };
static const struct word_value autorun_words[] = { { "off", 0 }, { "", 0 } };

static const struct word_value protect_words[] = {
	{ "delete", PROTECT_DELETE },
	{ "destroy", PROTECT_DESTROY },
	{ "sudo", PROTECT_SUDO },
	{ "dotfiles", PROTECT_DOTFILES },
	{ "outside", PROTECT_OUTSIDE },
	{ "mcp", PROTECT_MCP },
	{ "env", PROTECT_ENV },
	{ "", 0 },
};
const struct word_value when_words[] = {
#define WHEN(NAME, word, test) { word, WHEN_##NAME },
#include "policy/when.list"
#undef WHEN
	{ "branch", WHEN_BRANCH },
	{ "", 0 },
};

const struct word_value verdict_words[] = {
	{ "deny", VERDICT_DENY },
	{ "ask", VERDICT_ASK },
	{ "confine", VERDICT_CONFINE },
	{ "allow", VERDICT_ALLOW },
	{ "", 0 },
};
const struct word_value effect_words[] = {
	{ "read", RULE_READ },
	{ "write", RULE_WRITE },
	{ "delete", RULE_DELETE },
	{ "exec", RULE_EXEC },
	{ "net", RULE_NET },
	{ "env", RULE_ENV },
	{ "mcp", RULE_MCP },
	{ "", 0 },
};

bool
policy_is_effect(struct str word)
{
	for (const struct word_value *w = effect_words; w->word[0]; w++)
		if (str_is(word, w->word))
			return true;
	return false;
}

/* The defaults. */
static const struct {
	char name[15];
	uint8_t by_default;
} settings[SETTINGS] = {
	[SET_MODE] = { "mode", MODE_USE_ALLOWLIST },
	[SET_DEFAULT] = { "default", VERDICT_CONFINE },
	[SET_SANDBOX] = { "sandbox", 1 },
	[SET_NETWORK] = { "network", 0 },
	[SET_GIT_WRITES] = { "git_writes", 1 },
	[SET_TMP_WRITE] = { "tmp_write", 1 },
	[SET_READ_BOUNDARY] = { "read_boundary", 1 },
	[SET_ANSWER] = { "answer", 1 },
	[SET_JOURNAL] = { "journal", 0 },
	[SET_WAIT] = { "wait", 4 },
	[SET_AUTORUN] = { "autorun", 1 },
	[SET_PROTECT] = { "protect", 0 },
	[SET_UNPROTECT] = { "unprotect", 0 },
	[SET_FORBID] = { "forbid", 0 },
	[SET_WRITABLE] = { "writable", 0 },
	[SET_READABLE] = { "readable", 0 },
	[SET_IGNORE] = { "ignore", 0 },
	[SET_ROOT] = { "root", 0 },
	[SET_COMPOSITE] = { "composite", 0 },
	[SET_SAFE] = { "safe", 0 },
	[SET_MCP_ALLOW] = { "mcp_allow", 0 },
	[SET_LOCK] = { "lock", 0 },
	[SET_HOOK] = { "hook", 0 },
	[SET_DEBUG_DIR] = { "debug_dir", 0 },
	[SET_WRAPPER] = { "wrapper", 0 },
	[SET_DATA] = { "data", 0 },
	[SET_SET] = { "set", 0 },
};

const char *
setting_name(enum setting id)
{
	return settings[id].name;
}

enum setting
setting_by_name(struct str name)
{
	for (int i = 0; i < SETTINGS; i++)
		if (str_is(name, settings[i].name))
			return (enum setting)i;
	return SETTINGS;
}

const struct word_value *
setting_words(enum setting id)
{
	/* A switch, not a table: pointers need relocations at start. */
	switch (id) {
	case SET_MODE:
	case SET_FORBID:
		return mode_words;
	case SET_DEFAULT:
		return default_words;
	case SET_SANDBOX:
		return sandbox_words;
	case SET_NETWORK:
	case SET_GIT_WRITES:
	case SET_TMP_WRITE:
		return on_words;
	case SET_READ_BOUNDARY:
		return boundary_words;
	case SET_ANSWER:
		return answer_words;
	case SET_JOURNAL:
		return journal_words;
	case SET_WAIT:
		return wait_words;
	case SET_AUTORUN:
		return autorun_words;
	case SET_PROTECT:
	case SET_UNPROTECT:
		return protect_words;
	default:
		return NULL;
	}
}

unsigned
setting_default(enum setting id)
{
	return settings[id].by_default;
}

const char *
word_of(const struct word_value *table, unsigned value)
{
	for (; table->word[0]; table++)
		if (table->value == value)
			return table->word;
	return "";
}

bool
word_find(const struct word_value *table, const struct token *t, unsigned *ret)
{
	for (; t && t->bare && table->word[0]; table++) {
		if (str_is(t->plain, table->word)) {
			*ret = table->value;
			return true;
		}
	}
	return false;
}

const char *
layer_name(enum layer layer)
{
	static const char names[LAYERS][9] = { "built-in", "project", "user", "session",
		"admin" };

	return layer < LAYERS ? names[layer] : "unknown";
}

const char *
inert_text(enum inert_why why)
{
	static const char texts[INERTS][38] = {
		[INERT_UNTRUSTED] = "until the project is trusted",
		[INERT_PROJECT] = "not allowed in a project",
		[INERT_LOCKED] = "the administrator locked this setting",
		[INERT_BOUND] = "outside the administrator's bounds",
		[INERT_FORBIDDEN] = "the administrator forbids this mode",
	};

	return why < INERTS ? texts[why] : "";
}
