#include "agents/setup/forms.h"
#include "base/json/json_edit.h"

static const struct json_opts jsonc = { .comments = true };
static const struct str hooks = STR_INIT("hooks");
/* A byte order mark that some editors write; not part of the JSON. */
#define BOM "\xef\xbb\xbf"

/* True if hook entries lie in groups, each with a matcher. */
static bool
is_nested(enum agent agent)
{
	return agent_profile(agent)->matcher[0] != '\0';
}

/* ---- one entry */

static void
put_mark(struct buf *b, char mark, enum agent agent, const struct setup_params *p)
{
	struct buf line;

	switch (mark) {
	case '%':
		buf_init(&line, b->a);
		setup_put_command(&line, agent, p);
		json_put_str(b, buf_str(&line));
		break;
	case '$':
		json_put_str(b, p->program);
		break;
	case '&':
		buf_putc(b, '[');
		setup_put_arguments(b, agent, p, ",");
		buf_putc(b, ']');
		break;
	case '#':
		buf_putu(b, p->timeout);
		break;
	default:
		buf_putc(b, mark);
	}
}

static void
put_handler(struct buf *b, enum agent agent, const struct setup_params *p)
{
	for (const char *e = agent_profile(agent)->entry; *e; e++)
		put_mark(b, *e, agent, p);
}

/* Build the element to append to an event's list. */
static struct str
entry_of(struct arena *a, enum agent agent, const struct setup_params *p)
{
	struct buf b, inner;

	buf_init(&inner, a);
	put_handler(&inner, agent, p);
	if (!is_nested(agent))
		return inner.full ? (struct str){ NULL, 0 } : buf_str(&inner);
	buf_init(&b, a);
	buf_puts(&b, "{\"matcher\":");
	json_put_str(&b, str_from_c(agent_profile(agent)->matcher));
	buf_puts(&b, ",\"hooks\":[");
	buf_put(&b, buf_str(&inner));
	buf_puts(&b, "]}");
	return b.full || inner.full ? (struct str){ NULL, 0 } : buf_str(&b);
}

/* ---- find cordon's entries */

static struct str
text_of(const struct json *v, const char *key)
{
	const struct json *m = json_get(v, str_from_c(key));

	return m && m->kind == JSON_STRING ? m->text : (struct str){ NULL, 0 };
}

bool
setup_is_ours(
    struct arena *a, enum agent agent, const struct json *entry, struct setup_found *ret)
{
	const struct json *args = json_get(entry, STR("args"));
	struct str line = text_of(entry, agent_profile(agent)->line_key);
	const struct json *first, *second;

	if (!line.p)
		return false;
	if (!args)
		return setup_line_is_ours(a, agent, line, ret);
	first = args->first;
	second = first ? first->next : NULL;
	if (!second || first->kind != JSON_STRING || second->kind != JSON_STRING ||
	    !str_is(str_base(line), "cordon") || !str_is(first->text, "hook") ||
	    !str_is(second->text, agent_name(agent)))
		return false;
	if (!ret || ret->program.p)
		return true;
	ret->program = line;
	for (; first && ret->arguments_n < 16; first = first->next)
		if (first->kind == JSON_STRING)
			ret->arguments[ret->arguments_n++] = first->text;
	return true;
}

/* True if the agent stops when this hook fails, as far as the entry decides that. */
static bool
is_closed(enum agent agent, const struct json *entry)
{
	const char *key = agent_profile(agent)->stops_key;
	const struct json *m = json_get(entry, str_from_c(key));

	if (!key[0])
		return true;
	/* The agent does not wait for an async hook, and skips one with an unmet `if`. */
	if (!m || json_get(entry, STR("async")) || json_get(entry, STR("if")))
		return false;
	return m->kind == JSON_STRING ? str_is(m->text, "block")
				      : m->kind == JSON_BOOL && m->truth;
}

/* Find one of cordon's entries and its parent, or return NULL. */
static const struct json *
find_in(struct arena *a, enum agent agent, const struct json *list,
    const struct json **ret_parent)
{
	if (!list || list->kind != JSON_ARRAY)
		return NULL;
	for (const struct json *m = list->first; m; m = m->next) {
		const struct json *inner = NULL;

		*ret_parent = list;
		if (!is_nested(agent)) {
			if (setup_is_ours(a, agent, m, NULL))
				return m;
			continue;
		}
		inner = json_get(m, hooks);
		if (!inner || inner->kind != JSON_ARRAY)
			continue;
		for (const struct json *h = inner->first; h; h = h->next)
			if (setup_is_ours(a, agent, h, NULL)) {
				/* Remove a group that becomes empty. */
				if (inner->count == 1)
					return m;
				*ret_parent = inner;
				return h;
			}
	}
	return NULL;
}

/* ---- edit */

static int
not_object(const struct json_edit *e, struct err *reterr)
{
	if (e->root->kind == JSON_OBJECT)
		return 0;
	return err_at(
	    reterr, CORDON_EINVAL, e->root->at, "the settings are not a JSON object");
}

static int
open_edit(struct json_edit *e, struct arena *a, struct str text, struct err *reterr)
{
	int err = json_edit_open(e, a, text, &jsonc, reterr);

	return err ? err : not_object(e, reterr);
}

/* Remove one of cordon's entries, and its parents if they become empty. */
static int
remove_one(struct json_edit *e, enum agent agent, bool *ret_more, struct err *reterr)
{
	const struct json *all = json_get(e->root, hooks), *parent = NULL, *hit = NULL;
	const struct json *list = all && all->kind == JSON_OBJECT ? all->first : NULL;

	for (; list; list = list->next) {
		hit = find_in(e->a, agent, list, &parent);
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
remove_all(struct json_edit *e, enum agent agent, struct err *reterr)
{
	bool more = true;
	int err = 0;

	while (more && !err)
		err = remove_one(e, agent, &more, reterr);
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

/* ---- compare with the current entries */

static struct str
one_line(struct arena *a, const struct json *v)
{
	struct json_form form = { .newline = STR("") };
	struct buf b;

	buf_init(&b, a);
	json_put_form(&b, v, &form);
	return b.full ? (struct str){ NULL, 0 } : buf_str(&b);
}

static void inspect_event(
    struct arena *a, enum agent agent, const struct json *list, struct setup_found *ret);

static bool
needs_version(enum agent agent, const struct json *root)
{
	return agent_profile(agent)->has_version && !json_get(root, STR("version"));
}

/* True if every event has exactly this entry and cordon has no other. */
static bool
is_current(struct arena *a, enum agent agent, const struct json *root, struct str entry)
{
	const struct json *all = json_get(root, hooks), *want, *parent;
	struct setup_found f = { 0 };
	struct str line;
	unsigned same = 0;

	if (!all || needs_version(agent, root) || json_read(a, entry, NULL, &want, NULL))
		return false;
	line = one_line(a, want);
	for (const char *e = agent_profile(agent)->events; *e; e += strlen(e) + 1) {
		const struct json *list = json_get(all, str_from_c(e));
		const struct json *hit = find_in(a, agent, list, &parent);

		if (!hit || parent != list || !line.p || !str_eq(one_line(a, hit), line))
			return false;
		same++;
	}
	for (const struct json *list = all->first; list; list = list->next)
		inspect_event(a, agent, list, &f);
	return f.entries == same;
}

int
setup_json_add(struct arena *a, enum agent agent, const struct setup_params *p,
    struct str text, struct str *ret, struct err *reterr)
{
	bool bom = take_bom(&text);
	struct str entry = entry_of(a, agent, p);
	struct json_edit e;
	int err = open_edit(&e, a, text.n ? text : STR("{}\n"), reterr);

	if (!err && !entry.p)
		err = err_at(reterr, CORDON_ENOMEM, 0, "no memory");
	if (!err && is_current(a, agent, e.root, entry)) {
		*ret = with_bom(a, bom, e.text);
		return ret->p ? 0 : err_at(reterr, CORDON_ENOMEM, 0, "no memory");
	}
	if (!err)
		err = remove_all(&e, agent, reterr);
	if (!err && needs_version(agent, e.root))
		err = json_edit_set(
		    &e, (const struct str[]){ STR("version") }, 1, STR("1"), reterr);
	for (const char *event = agent_profile(agent)->events; !err && *event;
	     event += strlen(event) + 1)
		err = json_edit_append(
		    &e, (const struct str[]){ hooks, str_from_c(event) }, 2, entry, reterr);
	if (err)
		return err;
	*ret = with_bom(a, bom, e.text);
	return ret->p ? 0 : err_at(reterr, CORDON_ENOMEM, 0, "no memory");
}

int
setup_json_remove(
    struct arena *a, enum agent agent, struct str text, struct str *ret, struct err *reterr)
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
		err = remove_all(&e, agent, reterr);
	if (err)
		return err;
	*ret = with_bom(a, bom, e.text);
	/* Remove a file that only cordon has ever written. */
	if (agent_profile(agent)->own_file && !json_get(e.root, hooks))
		*ret = (struct str){ NULL, 0 };
	return 0;
}

/* ---- for doctor */

/* Return the member at a path such as "a.b.c". */
static const struct json *
member_at(const struct json *v, const char *key)
{
	struct str rest = str_from_c(key);

	while (v && rest.n) {
		size_t dot = str_find(rest, '.');

		v = json_get(v, str_cut(rest, 0, dot));
		rest = str_skip(rest, dot + 1);
	}
	return v;
}

bool
setup_is_off(const struct agent_switch *s, const struct json *root)
{
	const struct json *m = member_at(root, s->key);

	if (!m)
		return false;
	switch (s->when) {
	case SWITCH_TRUE:
		return m->kind == JSON_BOOL && m->truth;
	case SWITCH_FALSE:
		return m->kind == JSON_BOOL && !m->truth;
	case SWITCH_LISTS_CORDON:
		for (m = m->kind == JSON_ARRAY ? m->first : NULL; m; m = m->next)
			if (m->kind == JSON_STRING && str_is(m->text, "cordon"))
				return true;
		break;
	case SWITCH_NONE:
		break;
	}
	return false;
}

static const char *
disabled_by(enum agent agent, const struct json *root)
{
	const struct agent_switch *s = agent_profile(agent)->off;

	for (int i = 0; i < AGENT_SWITCHES; i++)
		if (s[i].where == IN_SETTINGS && setup_is_off(&s[i], root))
			return s[i].key;
	return NULL;
}

/* True if a group matches only some tools. */
static bool
is_narrow(const struct json *group)
{
	const struct json *matcher = json_get(group, STR("matcher"));

	return matcher && (matcher->kind != JSON_STRING ||
			      (matcher->text.n && !str_is(matcher->text, "*") &&
				  !str_is(matcher->text, ".*")));
}

/* True if this entry differs from the first. */
static bool
is_other(struct arena *a, enum agent agent, const struct json *entry,
    const struct setup_found *first)
{
	struct setup_found f = { 0 };

	if (!setup_is_ours(a, agent, entry, &f) || !str_eq(f.program, first->program) ||
	    f.arguments_n != first->arguments_n)
		return true;
	for (size_t i = 0; i < f.arguments_n; i++)
		if (!str_eq(f.arguments[i], first->arguments[i]))
			return true;
	return false;
}

static void
inspect_event(
    struct arena *a, enum agent agent, const struct json *list, struct setup_found *ret)
{
	unsigned before = ret->entries;

	if (!list || list->kind != JSON_ARRAY)
		return;
	for (const struct json *m = list->first; m; m = m->next) {
		const struct json *inner = is_nested(agent) ? json_get(m, hooks) : NULL;
		const struct json *h = inner ? inner->first : m;

		for (; h; h = inner ? h->next : NULL)
			if (setup_is_ours(a, agent, h, ret)) {
				ret->entries++;
				ret->differ |= is_other(a, agent, h, ret);
				ret->narrow |= inner && is_narrow(m);
				ret->closed = ret->closed && is_closed(agent, h);
			}
	}
	ret->events += ret->entries > before;
}

int
setup_json_inspect(struct arena *a, enum agent agent, struct str text,
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
	ret->disabled_by = disabled_by(agent, root);
	ret->disabled = ret->disabled_by != NULL;
	all = json_get(root, hooks);
	for (const char *event = agent_profile(agent)->events; *event;
	     event += strlen(event) + 1)
		inspect_event(a, agent, json_get(all, str_from_c(event)), ret);
	return 0;
}
