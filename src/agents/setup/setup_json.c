#include "agents/setup/setup.h"
#include "base/json/json_edit.h"

static const struct json_opts jsonc = { .comments = true };
static const struct str hooks = STR_INIT("hooks");
/* Editors of another system put it in front; it is no part of the JSON. */
#define BOM "\xef\xbb\xbf"

/* Handlers lie in groups, each with a matcher. */
static bool
is_nested(enum setup_host host)
{
	return host == SETUP_CLAUDE || host == SETUP_CODEX || host == SETUP_GEMINI;
}

/* ---- one entry */

/* A program and its arguments: no shell between. */
static void
put_exec(struct buf *b, const struct setup_params *p)
{
	struct buf ms;

	json_put_member(b, "command", p->program);
	buf_init(&ms, b->a);
	setup_put_deadline(&ms, p);
	buf_puts(b, ",\"args\":[\"hook\",\"claude\",\"--deadline\",");
	json_put_str(b, buf_str(&ms));
	if (p->shell.p) {
		buf_puts(b, ",\"--shell\",");
		json_put_str(b, p->shell);
	}
	buf_putc(b, ']');
}

static void
put_handler(struct buf *b, enum setup_host host, const struct setup_params *p)
{
	struct buf line;

	buf_init(&line, b->a);
	setup_put_command(&line, host, p);
	buf_putc(b, '{');
	if (host == SETUP_GEMINI)
		json_put_member(b, "name", STR("cordon"));
	if (is_nested(host) || host == SETUP_COPILOT)
		json_put_member(b, "type", STR("command"));
	if (host == SETUP_CLAUDE)
		put_exec(b, p);
	else
		json_put_member(
		    b, host == SETUP_COPILOT ? "bash" : "command", buf_str(&line));
	if (host == SETUP_WINDSURF) {
		buf_puts(b, ",\"show_output\":true}");
		return;
	}
	json_put_key(b, host == SETUP_COPILOT ? "timeoutSec" : "timeout");
	buf_putu(b, host == SETUP_GEMINI ? p->timeout * 1000u : p->timeout);
	if (host == SETUP_CLAUDE)
		json_put_member(b, "onFailure", STR("block"));
	if (host == SETUP_CURSOR || host == SETUP_COPILOT)
		buf_puts(b, ",\"failClosed\":true");
	buf_putc(b, '}');
}

/* What is appended to the list of an event. */
static struct str
entry_of(struct arena *a, enum setup_host host, const struct setup_params *p)
{
	struct buf b, inner;

	buf_init(&inner, a);
	put_handler(&inner, host, p);
	if (!is_nested(host))
		return inner.full ? (struct str){ NULL, 0 } : buf_str(&inner);
	buf_init(&b, a);
	buf_puts(&b, "{\"matcher\":");
	buf_puts(&b, host == SETUP_GEMINI ? "\".*\"" : "\"*\"");
	buf_puts(&b, ",\"hooks\":[");
	buf_put(&b, buf_str(&inner));
	buf_puts(&b, "]}");
	return b.full || inner.full ? (struct str){ NULL, 0 } : buf_str(&b);
}

/* ---- finding them */

static struct str
text_of(const struct json *v, const char *key)
{
	const struct json *m = json_get(v, str_from_c(key));

	return m && m->kind == JSON_STRING ? m->text : (struct str){ NULL, 0 };
}

bool
setup_is_ours(struct arena *a, enum setup_host host, const struct json *entry,
    struct setup_found *ret)
{
	const struct json *args = json_get(entry, STR("args"));
	struct str line = text_of(entry, host == SETUP_COPILOT ? "bash" : "command");
	const struct json *first, *second;

	if (!line.p)
		return false;
	if (!args)
		return setup_line_is_ours(a, host, line, ret);
	first = args->first;
	second = first ? first->next : NULL;
	if (!second || first->kind != JSON_STRING || second->kind != JSON_STRING ||
	    !str_is(str_base(line), "cordon") || !str_is(first->text, "hook") ||
	    !str_is(second->text, setup_host_name(host)))
		return false;
	if (!ret || ret->program.p)
		return true;
	ret->program = line;
	for (; first && ret->arguments_n < 16; first = first->next)
		if (first->kind == JSON_STRING)
			ret->arguments[ret->arguments_n++] = first->text;
	return true;
}

static bool
is_closed(enum setup_host host, const struct json *entry)
{
	const struct json *m;

	/* One that is not waited for, or asked only sometimes, holds nothing back. */
	if (host == SETUP_CLAUDE)
		return str_is(text_of(entry, "onFailure"), "block") &&
		       !json_get(entry, STR("async")) && !json_get(entry, STR("if"));
	if (host != SETUP_CURSOR && host != SETUP_COPILOT)
		return true;
	m = json_get(entry, STR("failClosed"));
	return m && m->kind == JSON_BOOL && m->truth;
}

/* One entry of cordon's, or NULL, and what holds it. */
static const struct json *
find_in(struct arena *a, enum setup_host host, const struct json *list,
    const struct json **ret_parent)
{
	if (!list || list->kind != JSON_ARRAY)
		return NULL;
	for (const struct json *m = list->first; m; m = m->next) {
		const struct json *inner = NULL;

		*ret_parent = list;
		if (!is_nested(host)) {
			if (setup_is_ours(a, host, m, NULL))
				return m;
			continue;
		}
		inner = json_get(m, hooks);
		if (!inner || inner->kind != JSON_ARRAY)
			continue;
		for (const struct json *h = inner->first; h; h = h->next)
			if (setup_is_ours(a, host, h, NULL)) {
				/* A group that is left empty goes with it. */
				if (inner->count == 1)
					return m;
				*ret_parent = inner;
				return h;
			}
	}
	return NULL;
}

/* ---- the text */

static int
not_object(const struct json_edit *e, struct err *reterr)
{
	if (e->root->kind == JSON_OBJECT)
		return 0;
	return err_at(reterr, CORDON_EINVAL, e->root->at, "the settings are no object");
}

static int
open_edit(struct json_edit *e, struct arena *a, struct str text, struct err *reterr)
{
	int err = json_edit_open(e, a, text, &jsonc, reterr);

	return err ? err : not_object(e, reterr);
}

/* Removes one of cordon's entries and what it leaves empty; *ret_more tells if it did. */
static int
remove_one(struct json_edit *e, enum setup_host host, bool *ret_more, struct err *reterr)
{
	const struct json *all = json_get(e->root, hooks), *parent = NULL, *hit = NULL;
	const struct json *list = all && all->kind == JSON_OBJECT ? all->first : NULL;

	for (; list; list = list->next) {
		hit = find_in(e->a, host, list, &parent);
		if (hit)
			break;
	}
	*ret_more = hit != NULL;
	if (!hit)
		return 0;
	if (parent != list || list->count > 1)
		return json_edit_remove(e, parent, hit, reterr);
	if (all->count > 1)
		return json_edit_remove(e, all, list, reterr);
	return json_edit_remove(e, e->root, all, reterr);
}

static int
remove_all(struct json_edit *e, enum setup_host host, struct err *reterr)
{
	bool more = true;
	int err = 0;

	while (more && !err)
		err = remove_one(e, host, &more, reterr);
	return err;
}

static struct str
with_bom(struct arena *a, bool bom, struct str text)
{
	struct buf b;

	if (!bom)
		return text;
	buf_init(&b, a);
	buf_puts(&b, BOM);
	buf_put(&b, text);
	return b.full ? (struct str){ NULL, 0 } : buf_str(&b);
}

static bool
take_bom(struct str *text)
{
	bool bom = text->p && str_starts(*text, STR(BOM));

	if (bom)
		*text = str_skip(*text, 3);
	return bom;
}

/* ---- is it there already? */

static struct str
one_line(struct arena *a, const struct json *v)
{
	struct json_form form = { .newline = STR("") };
	struct buf b;

	buf_init(&b, a);
	json_put_form(&b, v, &form);
	return b.full ? (struct str){ NULL, 0 } : buf_str(&b);
}

static void inspect_event(struct arena *a, enum setup_host host, const struct json *list,
    struct setup_found *ret);

static bool
needs_version(enum setup_host host, const struct json *root)
{
	return (host == SETUP_CURSOR || host == SETUP_COPILOT) &&
	       !json_get(root, STR("version"));
}

/* Every event has this very entry, and there is no other of cordon's. */
static bool
is_current(struct arena *a, enum setup_host host, const struct json *root, struct str entry)
{
	const struct json *all = json_get(root, hooks), *want, *parent;
	struct setup_found f = { 0 };
	struct str line;
	unsigned same = 0;

	if (!all || needs_version(host, root) || json_read(a, entry, NULL, &want, NULL))
		return false;
	line = one_line(a, want);
	for (const char *e = setup_events(host); *e; e += strlen(e) + 1) {
		const struct json *list = json_get(all, str_from_c(e));
		const struct json *hit = find_in(a, host, list, &parent);

		if (!hit || parent != list || !line.p || !str_eq(one_line(a, hit), line))
			return false;
		same++;
	}
	for (const struct json *list = all->first; list; list = list->next)
		inspect_event(a, host, list, &f);
	return f.entries == same;
}

int
setup_json_add(struct arena *a, enum setup_host host, const struct setup_params *p,
    struct str text, struct str *ret, struct err *reterr)
{
	bool bom = take_bom(&text);
	struct str entry = entry_of(a, host, p);
	struct json_edit e;
	int err = open_edit(&e, a, text.n ? text : STR("{}\n"), reterr);

	if (!err && !entry.p)
		err = err_at(reterr, CORDON_ENOMEM, 0, "no memory");
	if (!err && is_current(a, host, e.root, entry)) {
		*ret = with_bom(a, bom, e.text);
		return ret->p ? 0 : err_at(reterr, CORDON_ENOMEM, 0, "no memory");
	}
	if (!err)
		err = remove_all(&e, host, reterr);
	if (!err && needs_version(host, e.root))
		err = json_edit_set(
		    &e, (const struct str[]){ STR("version") }, 1, STR("1"), reterr);
	for (const char *event = setup_events(host); !err && *event;
	     event += strlen(event) + 1)
		err = json_edit_append(
		    &e, (const struct str[]){ hooks, str_from_c(event) }, 2, entry, reterr);
	if (err)
		return err;
	*ret = with_bom(a, bom, e.text);
	return ret->p ? 0 : err_at(reterr, CORDON_ENOMEM, 0, "no memory");
}

int
setup_json_remove(struct arena *a, enum setup_host host, struct str text, struct str *ret,
    struct err *reterr)
{
	bool bom = take_bom(&text);
	struct json_edit e;
	int err;

	if (!text.n) {
		*ret = with_bom(a, bom, text);
		return 0;
	}
	err = open_edit(&e, a, text, reterr);
	if (!err)
		err = remove_all(&e, host, reterr);
	if (err)
		return err;
	*ret = with_bom(a, bom, e.text);
	/* Of a file that only cordon has ever filled, nothing is left. */
	if (host == SETUP_COPILOT && !json_get(e.root, hooks))
		*ret = (struct str){ NULL, 0 };
	return 0;
}

/* ---- for doctor */

static const char *
disabled_by(enum setup_host host, const struct json *root)
{
	const struct json *m = json_get(root, STR("disableAllHooks"));
	const struct json *config = json_get(root, STR("hooksConfig"));
	const struct json *list = json_get(config, STR("disabled"));

	if ((host == SETUP_CLAUDE || host == SETUP_COPILOT) && m && m->kind == JSON_BOOL &&
	    m->truth)
		return "disableAllHooks";
	if (host != SETUP_GEMINI)
		return NULL;
	m = json_get(config, STR("enabled"));
	if (m && m->kind == JSON_BOOL && !m->truth)
		return "hooksConfig.enabled";
	for (m = list && list->kind == JSON_ARRAY ? list->first : NULL; m; m = m->next)
		if (m->kind == JSON_STRING && str_is(m->text, "cordon"))
			return "hooksConfig.disabled";
	return NULL;
}

/* Of a group: not for every tool. */
static bool
is_narrow(const struct json *group)
{
	const struct json *matcher = json_get(group, STR("matcher"));

	return matcher && (matcher->kind != JSON_STRING ||
			      (matcher->text.n && !str_is(matcher->text, "*") &&
				  !str_is(matcher->text, ".*")));
}

/* Another entry than the first? */
static bool
is_other(struct arena *a, enum setup_host host, const struct json *entry,
    const struct setup_found *first)
{
	struct setup_found f = { 0 };

	if (!setup_is_ours(a, host, entry, &f) || !str_eq(f.program, first->program) ||
	    f.arguments_n != first->arguments_n)
		return true;
	for (size_t i = 0; i < f.arguments_n; i++)
		if (!str_eq(f.arguments[i], first->arguments[i]))
			return true;
	return false;
}

static void
inspect_event(
    struct arena *a, enum setup_host host, const struct json *list, struct setup_found *ret)
{
	unsigned before = ret->entries;

	if (!list || list->kind != JSON_ARRAY)
		return;
	for (const struct json *m = list->first; m; m = m->next) {
		const struct json *inner = is_nested(host) ? json_get(m, hooks) : NULL;
		const struct json *h = inner ? inner->first : m;

		for (; h; h = inner ? h->next : NULL)
			if (setup_is_ours(a, host, h, ret)) {
				ret->entries++;
				ret->differ |= is_other(a, host, h, ret);
				ret->narrow |= inner && is_narrow(m);
				ret->closed = ret->closed && is_closed(host, h);
			}
	}
	ret->events += ret->entries > before;
}

int
setup_json_inspect(struct arena *a, enum setup_host host, struct str text,
    struct setup_found *ret, struct err *reterr)
{
	const struct json *root, *all;
	int err;

	(void)take_bom(&text);
	if (!text.n)
		return 0;
	err = json_read(a, text, &jsonc, &root, reterr);
	if (err)
		return err;
	ret->disabled_by = disabled_by(host, root);
	ret->disabled = ret->disabled_by != NULL;
	all = json_get(root, hooks);
	for (const char *event = setup_events(host); *event; event += strlen(event) + 1)
		inspect_event(a, host, json_get(all, str_from_c(event)), ret);
	return 0;
}
