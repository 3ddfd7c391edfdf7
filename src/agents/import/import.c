#include "agents/import/rules.h"
#include "base/show.h"
#include "base/toml.h"

struct str
import_member(const struct json *v, const char *key)
{
	const struct json *m = json_get(v, str_from_c(key));

	return m && m->kind == JSON_STRING ? m->text : (struct str){ NULL, 0 };
}

bool
import_is_true(const struct json *v, const char *key)
{
	const struct json *m = json_get(v, str_from_c(key));

	return m && m->kind == JSON_BOOL && m->truth;
}

const char *
import_result_name(enum import_result r)
{
	return r == IMPORT_LEFT_OUT ? "left out"
	       : r == IMPORT_WIDER  ? "made wider"
				    : "stays with the agent";
}

const char *
import_kind_name(enum import_kind kind)
{
	switch (kind) {
	case IMPORT_CLAUDE:
		return "claude";
	case IMPORT_GEMINI:
		return "gemini";
	case IMPORT_CURSOR:
		return "cursor";
	case IMPORT_CODEX_RULES:
	case IMPORT_CODEX_CONFIG:
		return "codex";
	case IMPORT_UNKNOWN:
		break;
	}
	return "unknown";
}

/* ---- collect rules and notes */

const struct json *
import_list(struct import *im, const struct json *list)
{
	if (!list || list->kind == JSON_NULL)
		return NULL;
	if (list->kind != JSON_ARRAY) {
		import_note(im, list->key, IMPORT_LEFT_OUT, "not a list");
		return NULL;
	}
	for (const struct json *m = list->first; m; m = m->next)
		if (m->kind != JSON_STRING)
			import_note(im, list->key, IMPORT_LEFT_OUT,
			    "it has an entry that is not a string");
	return list->first;
}

void
import_note(struct import *im, struct str entry, enum import_result result, const char *why)
{
	struct import_note *n = ARENA_NEW(im->a, struct import_note);

	if (!n) {
		im->full = true;
		return;
	}
	*n = (struct import_note){ entry, result, why, NULL };
	*im->notes_end = n;
	im->notes_end = &n->next;
}

void
import_setting(struct import *im, const char *name, struct str value, struct str entry)
{
	struct buf *b = &im->settings;

	buf_puts(b, name);
	buf_putc(b, ' ');
	buf_put(b, value);
	buf_puts(b, "  # ");
	show_put(b, entry, SHOW_EXACT);
	buf_putc(b, '\n');
}

void
import_default(struct import *im, const char *verdict, const char *why)
{
	if (im->by_default.p && str_is(im->by_default, "deny"))
		return;
	im->by_default = str_from_c(verdict);
	im->why_default = why;
}

/* ---- rules of which the source prefers the stricter one */

static bool
words_meet(struct str x, struct str y)
{
	size_t sx = str_find(x, '*'), sy = str_find(y, '*');
	size_t n = sx < sy ? sx : sy;

	if (sx == x.n && sy == y.n)
		return str_eq(x, y);
	return n <= x.n && n <= y.n && str_eq(str_cut(x, 0, n), str_cut(y, 0, n));
}

static bool
rules_meet(const struct import_rule *x, const struct import_rule *y)
{
	for (size_t i = 0; i < x->words_n && i < y->words_n; i++)
		if (!words_meet(x->words[i], y->words[i]))
			return false;
	return true;
}

/* cordon prefers the narrower of two rules, these agents the stricter one. */
static void
yield_to_asks(struct import *im, struct import_rule *allow)
{
	for (size_t i = 0; i < im->rules_n && !allow->dropped; i++) {
		const struct import_rule *ask = &im->rules[i];

		if (ask->verb != IMPORT_ASK || ask->dropped || !rules_meet(ask, allow) ||
		    ask->words_n > allow->words_n)
			continue;
		if (ask->option.p && !allow->without.p) {
			allow->without = ask->option;
			continue;
		}
		allow->dropped = true;
		import_note(im, allow->entry, IMPORT_LEFT_OUT,
		    "an ask rule of the same file also matches it and takes precedence "
		    "there");
	}
}

static bool
is_double(const struct import *im, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (!im->rules[i].dropped && str_eq(im->rules[i].line, im->rules[at].line))
			return true;
	return false;
}

/* ---- print */

/* Print the source entry after its rule, cut to 160 bytes. */
static void
put_entry(struct buf *b, struct str entry)
{
	buf_puts(b, "  # ");
	show_put(b, entry.n > 160 ? str_cut(entry, 0, 160) : entry, SHOW_EXACT);
	buf_putc(b, '\n');
}

static void
put_rule(struct buf *b, const struct import_rule *r)
{
	static const char *const verdicts[] = { "allow", "ask", "deny" };

	buf_put(b, r->line);
	if (r->without.p) {
		buf_puts(b, " without ");
		buf_put(b, r->without);
	}
	put_entry(b, r->entry);
	if (!r->test.p)
		return;
	buf_puts(b, "test ");
	import_put_quoted(b, r->test);
	buf_putc(b, ' ');
	buf_puts(b, verdicts[r->verb]);
	buf_putc(b, '\n');
}

static void
put_all(struct import *im, enum import_kind kind, struct str file, struct buf *out)
{
	buf_puts(out, "# Made by `cordon policy import ");
	buf_puts(out, import_kind_name(kind));
	buf_puts(out, "` from ");
	show_put(out, file, SHOW_EXACT);
	buf_putc(out, '\n');
	if (im->by_default.p) {
		/* `ask *` also covers commands that the shipped rules allow. */
		buf_puts(out, str_is(im->by_default, "*") ? "ask " : "default ");
		buf_put(out, im->by_default);
		buf_puts(out, "  # ");
		buf_puts(out, im->why_default);
		buf_putc(out, '\n');
	}
	buf_put(out, buf_str(&im->settings));
	for (size_t i = 0; i < im->rules_n; i++)
		if (im->rules[i].verb == IMPORT_ALLOW && !im->narrow_wins)
			yield_to_asks(im, &im->rules[i]);
	for (size_t i = 0; i < im->rules_n; i++)
		if (!im->rules[i].dropped && !is_double(im, i))
			put_rule(out, &im->rules[i]);
}

/* ---- recognise the file */

static bool
has_any(const struct json *v, const char *keys)
{
	for (; *keys; keys += strlen(keys) + 1)
		if (json_get(v, str_from_c(keys)))
			return true;
	return false;
}

static enum import_kind
kind_of_json(const struct json *v)
{
	const struct json *permissions = json_get(v, STR("permissions"));
	const struct json *allow = json_get(permissions, STR("allow"));

	if (has_any(v, "mcpAllowlist\0terminalAllowlist\0autoRun\0networkPolicy\0"
		       "additionalReadwritePaths\0readBoundary\0approvalMode\0editor\0"))
		return IMPORT_CURSOR;
	if (has_any(v, "tools\0coreTools\0excludeTools\0allowedTools\0security\0"
		       "selectedAuthType\0"))
		return IMPORT_GEMINI;
	for (const struct json *m = allow ? allow->first : NULL; m; m = m->next)
		if (m->kind == JSON_STRING && str_starts(m->text, STR("Shell(")))
			return IMPORT_CURSOR;
	return permissions ? IMPORT_CLAUDE : IMPORT_UNKNOWN;
}

bool
import_kind_find(struct str agent, struct str file, struct str text, struct arena *scratch,
    enum import_kind *ret)
{
	static const struct json_opts jsonc = { .comments = true };
	const struct json *v = NULL;
	size_t used = scratch->used;
	bool codex = str_is(agent, "codex");

	*ret = IMPORT_UNKNOWN;
	if (codex || !agent.p)
		*ret = str_ends(file, STR(".rules"))  ? IMPORT_CODEX_RULES
		       : str_ends(file, STR(".toml")) ? IMPORT_CODEX_CONFIG
		       : codex && str_starts(text, STR("prefix_rule(")) ? IMPORT_CODEX_RULES
									: IMPORT_UNKNOWN;
	else
		*ret = str_is(agent, "claude")   ? IMPORT_CLAUDE
		       : str_is(agent, "gemini") ? IMPORT_GEMINI
		       : str_is(agent, "cursor") ? IMPORT_CURSOR
						 : IMPORT_UNKNOWN;
	if (*ret == IMPORT_UNKNOWN && !agent.p &&
	    json_read(scratch, text, &jsonc, &v, NULL) == 0)
		*ret = kind_of_json(v);
	arena_back(scratch, used);
	return *ret != IMPORT_UNKNOWN;
}

int
import_text(struct import *im, enum import_kind kind, struct str file, struct str text,
    struct buf *out, struct err *reterr)
{
	static const struct json_opts jsonc = { .comments = true };
	const struct json *root = NULL;
	int err = 0;

	im->e = reterr;
	im->notes_end = &im->notes;
	im->rules = arena_array(im->a, IMPORT_RULES, sizeof *im->rules);
	if (!im->rules)
		return err_at(reterr, CORDON_ENOMEM, 0, "no memory");
	buf_init(&im->settings, im->a);
	if (kind == IMPORT_CODEX_RULES)
		err = import_codex_rules(im, text);
	else if (kind == IMPORT_CODEX_CONFIG)
		err = toml_read(im->a, text, &root, reterr);
	else
		err = json_read(im->a, text, &jsonc, &root, reterr);
	if (!err && root && root->kind != JSON_OBJECT)
		err = err_at(
		    reterr, CORDON_EINVAL, root->at, "the settings are not a JSON object");
	if (err)
		return err;
	if (kind == IMPORT_CLAUDE)
		import_claude(im, root);
	else if (kind == IMPORT_GEMINI)
		import_gemini(im, root);
	else if (kind == IMPORT_CURSOR)
		import_cursor(im, root);
	else if (kind == IMPORT_CODEX_CONFIG)
		import_codex_config(im, root);
	if (im->rules_n == IMPORT_RULES)
		return err_at(reterr, CORDON_ELIMIT, 0, "more than 4095 rules");
	put_all(im, kind, file, out);
	if (im->full || out->full || im->settings.full)
		return err_at(reterr, CORDON_ENOMEM, 0, "no memory");
	return 0;
}
