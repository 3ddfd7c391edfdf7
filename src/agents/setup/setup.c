#include "agents/setup/setup.h"
#include "base/quote.h"

/* Arrays, not pointers: the program has no relocation for them. */
struct host_row {
	char name[10], title[20];
	bool uses_shell;
	unsigned char fails; /* enum setup_fails */
	char events[112];
};

static const struct host_row hosts[SETUP_HOSTS] = {
	[SETUP_CLAUDE] = { "claude", "Claude Code", true, FAILS_UNSURE,
	    "PreToolUse\0ConfigChange\0" },
	[SETUP_CURSOR] = { "cursor", "Cursor", true, FAILS_CLOSED,
	    "preToolUse\0beforeShellExecution\0beforeMCPExecution\0beforeReadFile\0" },
	[SETUP_CODEX] = { "codex", "Codex", true, FAILS_OPEN,
	    "PreToolUse\0PermissionRequest\0" },
	[SETUP_GEMINI] = { "gemini", "Gemini CLI", false, FAILS_OPEN, "BeforeTool\0" },
	[SETUP_COPILOT] = { "copilot", "GitHub Copilot CLI", false, FAILS_UNSURE,
	    "preToolUse\0" },
	[SETUP_PI] = { "pi", "pi", false, FAILS_CLOSED, "tool_call\0" },
	[SETUP_OPENCODE] = { "opencode", "opencode", true, FAILS_CLOSED,
	    "tool.execute.before\0" },
	[SETUP_WINDSURF] = { "windsurf", "Windsurf", true, FAILS_OPEN,
	    "pre_run_command\0pre_mcp_tool_use\0pre_read_code\0pre_write_code\0" },
	[SETUP_CLINE] = { "cline", "Cline", true, FAILS_UNSURE, "PreToolUse\0" },
};

struct target_row {
	unsigned char host, scope, form, replaces;
	char variable[20], path[44];
};

static const struct target_row targets[] = {
	{ SETUP_CLAUDE, SCOPE_USER, FORM_JSON, 7, "CLAUDE_CONFIG_DIR",
	    ".claude/settings.json" },
	{ SETUP_CLAUDE, SCOPE_PROJECT, FORM_JSON, 0, "", ".claude/settings.json" },
	{ SETUP_CLAUDE, SCOPE_MANAGED, FORM_JSON, 0, "",
	    "etc/claude-code/managed-settings.json" },
	{ SETUP_CURSOR, SCOPE_USER, FORM_JSON, 0, "", ".cursor/hooks.json" },
	{ SETUP_CURSOR, SCOPE_PROJECT, FORM_JSON, 0, "", ".cursor/hooks.json" },
	{ SETUP_CURSOR, SCOPE_MANAGED, FORM_JSON, 0, "", "etc/cursor/hooks.json" },
	{ SETUP_CODEX, SCOPE_USER, FORM_JSON, 6, "CODEX_HOME", ".codex/hooks.json" },
	{ SETUP_CODEX, SCOPE_PROJECT, FORM_JSON, 0, "", ".codex/hooks.json" },
	{ SETUP_CODEX, SCOPE_MANAGED, FORM_TOML, 0, "", "etc/codex/requirements.toml" },
	{ SETUP_GEMINI, SCOPE_USER, FORM_JSON, 0, "", ".gemini/settings.json" },
	{ SETUP_GEMINI, SCOPE_PROJECT, FORM_JSON, 0, "", ".gemini/settings.json" },
	{ SETUP_GEMINI, SCOPE_MANAGED, FORM_JSON, 0, "", "etc/gemini-cli/settings.json" },
	{ SETUP_COPILOT, SCOPE_USER, FORM_JSON, 8, "COPILOT_HOME",
	    ".copilot/hooks/cordon.json" },
	{ SETUP_COPILOT, SCOPE_PROJECT, FORM_JSON, 0, "", ".github/hooks/cordon.json" },
	{ SETUP_PI, SCOPE_USER, FORM_WHOLE, 9, "PI_CODING_AGENT_DIR",
	    ".pi/agent/extensions/cordon.ts" },
	{ SETUP_PI, SCOPE_PROJECT, FORM_WHOLE, 0, "", ".pi/extensions/cordon.ts" },
	{ SETUP_OPENCODE, SCOPE_USER, FORM_WHOLE, 7, "XDG_CONFIG_HOME",
	    ".config/opencode/plugins/cordon.ts" },
	{ SETUP_OPENCODE, SCOPE_PROJECT, FORM_WHOLE, 0, "", ".opencode/plugins/cordon.ts" },
	{ SETUP_WINDSURF, SCOPE_USER, FORM_JSON, 0, "", ".codeium/windsurf/hooks.json" },
	{ SETUP_WINDSURF, SCOPE_PROJECT, FORM_JSON, 0, "", ".windsurf/hooks.json" },
	{ SETUP_WINDSURF, SCOPE_MANAGED, FORM_JSON, 0, "", "etc/windsurf/hooks.json" },
	{ SETUP_CLINE, SCOPE_USER, FORM_SCRIPT, 0, "", "Documents/Cline/Hooks/PreToolUse" },
	{ SETUP_CLINE, SCOPE_PROJECT, FORM_SCRIPT, 0, "", ".clinerules/hooks/PreToolUse" },
};

bool
setup_host_find(struct str name, enum setup_host *ret)
{
	for (enum setup_host h = 0; h < SETUP_HOSTS; h++)
		if (str_is(name, hosts[h].name)) {
			*ret = h;
			return true;
		}
	return false;
}

const char *
setup_host_name(enum setup_host host)
{
	return hosts[host].name;
}

const char *
setup_host_title(enum setup_host host)
{
	return hosts[host].title;
}

bool
setup_host_uses_shell(enum setup_host host)
{
	return hosts[host].uses_shell;
}

enum setup_fails
setup_host_fails(enum setup_host host)
{
	return (enum setup_fails)hosts[host].fails;
}

const char *
setup_host_fails_text(enum setup_host host)
{
	switch (host) {
	case SETUP_CLAUDE:
		return "stops if it is 2.1.295 or newer (onFailure), else goes on";
	case SETUP_CURSOR:
		return "stops (failClosed)";
	case SETUP_CODEX:
	case SETUP_GEMINI:
		return "goes on; it has no setting against that";
	case SETUP_COPILOT:
		return "stops (failClosed) in the versions that were tried, goes on by its "
		       "manual";
	case SETUP_PI:
	case SETUP_OPENCODE:
		return "stops: the adapter blocks on any failure";
	case SETUP_WINDSURF:
		return "goes on: only exit status 2 stops it";
	case SETUP_CLINE:
	case SETUP_HOSTS:
		break;
	}
	return "does what nobody has verified";
}

const char *
setup_events(enum setup_host host)
{
	return hosts[host].events;
}

bool
setup_target(enum setup_host host, enum setup_scope scope, struct setup_target *ret)
{
	for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
		const struct target_row *t = &targets[i];

		if (t->host != host || t->scope != scope)
			continue;
		*ret = (struct setup_target){ .form = (enum setup_form)t->form,
			.path = t->path,
			.variable = t->variable[0] ? t->variable : NULL,
			.replaces = t->replaces };
		return true;
	}
	return false;
}

/* ---- the command line */

void
setup_put_deadline(struct buf *b, const struct setup_params *p)
{
	buf_putu(b, p->timeout * 1000u - SETUP_MARGIN);
}

void
setup_put_command(struct buf *b, enum setup_host host, const struct setup_params *p)
{
	(void)quote_put(b, QUOTE_BASH, p->program, NULL);
	buf_puts(b, " hook ");
	buf_puts(b, hosts[host].name);
	buf_puts(b, " --deadline ");
	setup_put_deadline(b, p);
	if (p->shell.p) {
		buf_puts(b, " --shell ");
		(void)quote_put(b, QUOTE_BASH, p->shell, NULL);
	}
}

/* One word of the form that quote_put writes; false for another form. */
static bool
take_word(struct arena *a, struct str *line, struct str *ret)
{
	struct buf b;
	size_t i = 0;

	buf_init(&b, a);
	while (i < line->n && line->p[i] != ' ') {
		if (line->p[i] == '\'' || line->p[i] == '"') {
			char q = line->p[i++];

			while (i < line->n && line->p[i] != q)
				buf_putc(&b, line->p[i++]);
			if (i++ >= line->n)
				return false;
		} else if (line->p[i] == '\\' && i + 1 < line->n) {
			buf_putc(&b, line->p[i + 1]);
			i += 2;
		} else {
			buf_putc(&b, line->p[i++]);
		}
	}
	if (b.full || b.n == 0)
		return false;
	while (i < line->n && line->p[i] == ' ')
		i++;
	*line = str_skip(*line, i);
	*ret = buf_str(&b);
	return true;
}

bool
setup_line_is_ours(
    struct arena *a, enum setup_host host, struct str line, struct setup_found *ret)
{
	struct setup_found f = { 0 };
	struct str word;

	if (!take_word(a, &line, &f.program) || !str_is(str_base(f.program), "cordon"))
		return false;
	while (f.arguments_n < 16 && take_word(a, &line, &word))
		f.arguments[f.arguments_n++] = word;
	if (f.arguments_n < 2 || !str_is(f.arguments[0], "hook") ||
	    !str_is(f.arguments[1], hosts[host].name))
		return false;
	if (ret && !ret->program.p) {
		ret->program = f.program;
		memcpy(ret->arguments, f.arguments, sizeof f.arguments);
		ret->arguments_n = f.arguments_n;
	}
	return true;
}

/* ---- whole files */

static void
put_script(struct buf *b, const struct setup_params *p)
{
	buf_puts(b,
	    "#!/bin/sh\n# Written by `cordon install cline`; `cordon uninstall cline` "
	    "takes it away.\nexec ");
	setup_put_command(b, SETUP_CLINE, p);
	buf_putc(b, '\n');
}

#define ADAPTER_MARK "// Written by `cordon install "

/* The adapter, with what it calls in its first lines. */
static void
put_adapter(struct buf *b, enum setup_host host, const struct setup_params *p)
{
	struct buf line;

	buf_puts(b, ADAPTER_MARK);
	buf_puts(b, hosts[host].name);
	buf_puts(b, "`; `cordon uninstall ");
	buf_puts(b, hosts[host].name);
	buf_puts(b, "` takes it away.\n// calls: ");
	buf_init(&line, b->a);
	setup_put_command(&line, host, p);
	buf_put(b, buf_str(&line));
	buf_puts(b, "\nconst CALL = [");
	json_put_str(b, p->program);
	buf_puts(b, ", \"hook\", ");
	json_put_str(b, str_from_c(hosts[host].name));
	buf_puts(b, ", \"--deadline\", \"");
	setup_put_deadline(b, p);
	buf_putc(b, '"');
	if (p->shell.p) {
		buf_puts(b, ", \"--shell\", ");
		json_put_str(b, p->shell);
	}
	buf_puts(b, "];\n");
	buf_put(b, p->adapter);
}

static bool
whole_is_ours(
    struct arena *a, enum setup_host host, struct str text, struct setup_found *ret)
{
	while (text.n) {
		size_t end = str_find(text, '\n');
		struct str line = str_cut(text, 0, end);

		if (str_starts(line, STR("exec ")) &&
		    setup_line_is_ours(a, host, str_skip(line, 5), ret))
			return true;
		if (str_starts(line, STR("// calls: ")) &&
		    setup_line_is_ours(a, host, str_skip(line, 10), ret))
			return true;
		text = str_skip(text, end + 1);
	}
	return false;
}

static int
whole_add(struct arena *a, enum setup_host host, const struct setup_params *p,
    struct str text, struct str *ret, struct err *reterr)
{
	struct buf b;

	if (text.p && !whole_is_ours(a, host, text, NULL))
		return err_at(reterr, CORDON_EINVAL, 0,
		    "there is a file of that name which is not cordon's");
	buf_init(&b, a);
	if (host == SETUP_CLINE)
		put_script(&b, p);
	else
		put_adapter(&b, host, p);
	if (b.full)
		return err_at(reterr, CORDON_ENOMEM, 0, "no memory");
	*ret = buf_str(&b);
	return 0;
}

/* ---- by form */

int
setup_add(struct arena *a, enum setup_host host, enum setup_scope scope,
    const struct setup_params *p, struct str text, struct str *ret, struct err *reterr)
{
	struct setup_target t;

	if (!setup_target(host, scope, &t))
		return err_at(reterr, CORDON_EUSAGE, 0, "this agent has no such settings");
	switch (t.form) {
	case FORM_JSON:
		return setup_json_add(a, host, p, text, ret, reterr);
	case FORM_TOML:
		return setup_toml_add(a, p, text, ret, reterr);
	case FORM_WHOLE:
	case FORM_SCRIPT:
		break;
	}
	return whole_add(a, host, p, text, ret, reterr);
}

int
setup_remove(struct arena *a, enum setup_host host, enum setup_scope scope, struct str text,
    struct str *ret, struct err *reterr)
{
	struct setup_target t;

	if (!setup_target(host, scope, &t))
		return err_at(reterr, CORDON_EUSAGE, 0, "this agent has no such settings");
	if (t.form == FORM_JSON)
		return setup_json_remove(a, host, text, ret, reterr);
	if (t.form == FORM_TOML)
		return setup_toml_remove(a, text, ret, reterr);
	*ret = whole_is_ours(a, host, text, NULL) ? (struct str){ NULL, 0 } : text;
	return 0;
}

int
setup_inspect(struct arena *a, enum setup_host host, enum setup_scope scope,
    struct str text, struct setup_found *ret, struct err *reterr)
{
	struct setup_target t;

	*ret = (struct setup_found){ .closed = true };
	for (const char *e = setup_events(host); *e; e += strlen(e) + 1)
		ret->wanted++;
	if (!setup_target(host, scope, &t))
		return 0;
	if (t.form == FORM_JSON)
		return setup_json_inspect(a, host, text, ret, reterr);
	if (t.form == FORM_TOML)
		return setup_toml_inspect(a, text, ret, reterr);
	if (whole_is_ours(a, host, text, ret))
		ret->entries = ret->events = ret->wanted;
	return 0;
}
