/* Read settings. */
#include "policy/read.h"

#define HOOK_SECONDS 10
#define HOOK_SECONDS_MOST 600

/* Whether an untrusted project may have a setting. */
enum project_may {
	MAY_SAY,     /* it only tightens */
	MAY_TIGHTEN, /* merge.c keeps it if it tightens */
	MAY_TRUSTED, /* only when trusted */
	MAY_NEVER,
};

enum form {
	FORM_VALUE,
	FORM_NETWORK,
	FORM_BITS,
	FORM_LIST,
	FORM_LOCK,
	FORM_HOOK,
	FORM_SET,
	FORM_SHAPE,
};

static const struct {
	uint8_t form;    /* enum form */
	uint8_t use;     /* enum pattern_use, of a list */
	uint8_t project; /* enum project_may */
	bool admin, once;
} defs[SETTINGS] = {
	[SET_MODE] = { FORM_VALUE, 0, MAY_TIGHTEN, false, true },
	[SET_DEFAULT] = { FORM_VALUE, 0, MAY_TIGHTEN, false, true },
	[SET_SANDBOX] = { FORM_VALUE, 0, MAY_TIGHTEN, false, true },
	[SET_NETWORK] = { FORM_NETWORK, USE_HOST, MAY_TIGHTEN, false, false },
	[SET_GIT_WRITES] = { FORM_VALUE, 0, MAY_TIGHTEN, false, true },
	[SET_TMP_WRITE] = { FORM_VALUE, 0, MAY_TIGHTEN, false, true },
	[SET_READ_BOUNDARY] = { FORM_VALUE, 0, MAY_TIGHTEN, false, true },
	[SET_ANSWER] = { FORM_VALUE, 0, MAY_TIGHTEN, false, true },
	[SET_JOURNAL] = { FORM_VALUE, 0, MAY_TIGHTEN, false, true },
	[SET_WAIT] = { FORM_VALUE, 0, MAY_TIGHTEN, false, true },
	[SET_AUTORUN] = { FORM_VALUE, 0, MAY_NEVER, true, true },
	[SET_PROTECT] = { FORM_BITS, 0, MAY_SAY, false, false },
	[SET_UNPROTECT] = { FORM_BITS, 0, MAY_NEVER, false, false },
	[SET_FORBID] = { FORM_BITS, 0, MAY_NEVER, true, false },
	[SET_WRITABLE] = { FORM_LIST, USE_DIR, MAY_TRUSTED, false, false },
	[SET_READABLE] = { FORM_LIST, USE_DIR, MAY_TRUSTED, false, false },
	[SET_IGNORE] = { FORM_LIST, USE_NAME, MAY_SAY, false, false },
	[SET_ROOT] = { FORM_LIST, USE_DIR, MAY_TRUSTED, false, false },
	[SET_COMPOSITE] = { FORM_LIST, USE_PROGRAM, MAY_SAY, false, false },
	[SET_SAFE] = { FORM_LIST, USE_PROGRAM, MAY_TRUSTED, false, false },
	[SET_MCP_ALLOW] = { FORM_LIST, USE_TOOL, MAY_NEVER, true, false },
	[SET_LOCK] = { FORM_LOCK, 0, MAY_NEVER, true, false },
	[SET_HOOK] = { FORM_HOOK, USE_DIR, MAY_TRUSTED, false, false },
	[SET_DEBUG_DIR] = { FORM_LIST, USE_DIR, MAY_TRUSTED, false, true },
	[SET_WRAPPER] = { FORM_SHAPE, 0, MAY_TRUSTED, false, false },
	[SET_DATA] = { FORM_SHAPE, 0, MAY_TRUSTED, false, false },
	[SET_SET] = { FORM_SET, USE_HOST, MAY_SAY, false, false },
};

/* ---- the forms */

static int
read_value(struct rule_reader *r, struct draft_setting *s)
{
	const struct token *t = read_next(r);
	const struct word_value *words = setting_words(s->id);
	unsigned value = 0;

	if (!word_find(words, t, &value))
		return read_expected(r, t, words);
	s->value = value;
	return 0;
}

static int
read_items(struct rule_reader *r, struct draft_setting *s, const char *why)
{
	const struct token *t = read_next(r);
	int e = 0;

	if (!t)
		return read_fail(r, t, why, NULL);
	for (; t && !e; t = e ? NULL : read_next(r))
		e = read_pattern(r, t, (enum pattern_use)defs[s->id].use, &s->items);
	return e;
}

static int
read_network(struct rule_reader *r, struct draft_setting *s)
{
	int e = read_value(r, s);

	if (e || !read_peek(r))
		return e;
	if (!token_is(read_peek(r), "except"))
		return read_fail(
		    r, read_peek(r), "expected except and hosts, or nothing", NULL);
	if (s->value)
		return read_fail(r, read_peek(r),
		    "network on has no except; to block a host write deny net HOST", NULL);
	r->at++;
	return read_items(r, s, "expected hosts");
}

static int
read_bits(struct rule_reader *r, struct draft_setting *s)
{
	const struct word_value *words = setting_words(s->id);
	const struct token *t = read_next(r);

	do {
		unsigned value = 0;

		if (!word_find(words, t, &value))
			return read_expected(r, t, words);
		if (s->id == SET_FORBID && value == MODE_ASK_EVERY_TIME)
			return read_fail(
			    r, t, "the strictest mode cannot be forbidden", NULL);
		s->value |= s->id == SET_FORBID ? 1u << value : value;
		t = read_next(r);
	} while (t);
	return 0;
}

/* `safe @read` means every program that know/ says only reads; there is no other @name. */
static int
check_safe(struct rule_reader *r)
{
	for (size_t i = 1; i < r->x.n; i++) {
		const struct token *t = &r->x.v[i];

		if (t->code.n && t->code.p[0] == CODE_AT && !token_is(t, "@read"))
			return read_fail(r, t, "expected programs, or @read", NULL);
	}
	return 0;
}

static int
read_list(struct rule_reader *r, struct draft_setting *s)
{
	int e = 0;

	if (s->id == SET_WRITABLE && r->x.n == 2 && token_is(read_peek(r), "none")) {
		r->at++;
		return 0;
	}
	if (s->id == SET_SAFE)
		e = check_safe(r);
	if (!e)
		e = read_items(r, s, "expected at least one word after the setting");
	if (!e && s->id == SET_DEBUG_DIR && (s->items.n != 1 || s->items.first->n != 1))
		return read_fail(r, &r->x.v[1], "expected one directory", NULL);
	return e;
}

/* Read the names of settings that lower layers could set. */
static int
read_lock(struct rule_reader *r, struct draft_setting *s)
{
	const struct token *t = read_next(r);
	int e = 0;

	if (!t)
		return read_fail(r, t, "expected names of settings", NULL);
	for (; t && !e; t = e ? NULL : read_next(r)) {
		enum setting id = t->bare ? setting_by_name(t->plain) : SETTINGS;

		if (id == SETTINGS || defs[id].admin || id == SET_UNPROTECT)
			return read_fail(
			    r, t, "expected the name of a setting, such as mode", NULL);
		s->value |= 1u << id;
		e = read_pattern(r, t, USE_PROGRAM, &s->items);
	}
	return e;
}

static const struct word_value hook_words[] = {
	{ "before-shell", 0 },
	{ "after-shell", 1 },
	{ "", 0 },
};

static int
read_seconds(struct rule_reader *r, unsigned *ret)
{
	const struct token *t = read_next(r);
	uint64_t n = 0;

	if (!t || !str_number(t->plain, HOOK_SECONDS_MOST, &n) || n == 0)
		return read_fail(r, t, "expected whole seconds, 1 to 600", NULL);
	*ret = (unsigned)n;
	return 0;
}

static int
read_hook(struct rule_reader *r, struct draft_setting *s)
{
	const struct token *t = read_next(r);
	unsigned after = 0;
	int e;

	if (!word_find(hook_words, t, &after))
		return read_expected(r, t, hook_words);
	s->after = after;
	s->value = HOOK_SECONDS;
	t = read_next(r);
	if (!t)
		return read_fail(r, t, "expected the path of a program", NULL);
	e = read_pattern(r, t, USE_DIR, &s->items);
	if (!e && s->items.first->n != 1)
		return read_fail(r, t, "expected the path of one program", NULL);
	if (e || !read_peek(r))
		return e;
	t = read_next(r);
	return token_is(t, "timeout")
		   ? read_seconds(r, &s->value)
		   : read_fail(r, t, "expected timeout and seconds", NULL);
}

static int
read_set(struct rule_reader *r, struct draft_setting *s)
{
	const struct token *t = read_next(r);
	int e;

	if (!t || t->code.n < 2 || t->code.p[0] != CODE_AT)
		return read_fail(r, t, "expected @name and hosts", NULL);
	s->name = str_skip(t->plain, 1);
	if (str_is(s->name, "project") || str_is(s->name, "home") ||
	    str_is(s->name, "read"))
		return read_fail(r, t, "this name is reserved", NULL);
	e = read_items(r, s, "expected hosts");
	for (const struct draft_pattern *x = s->items.first; x && !e; x = x->next)
		for (const struct alternative *alt = x->first; alt && !e; alt = alt->next)
			if (alt->set)
				return read_fail(r, &r->x.v[1],
				    "a set is made of hosts, not of other sets", NULL);
	return e;
}

static bool
is_slot(const struct token *t)
{
	for (size_t i = 0; i < t->plain.n; i++)
		if (!(t->plain.p[i] >= 'A' && t->plain.p[i] <= 'Z') && t->plain.p[i] != '_')
			return false;
	return true;
}

static int
check_shape_word(struct rule_reader *r, const struct token *t, bool wrapper)
{
	if (!t->bare || str_find(t->plain, '"') < t->plain.n)
		return read_fail(r, t, "expected words without quotes", NULL);
	if (!str_eq(t->plain, t->code))
		return read_fail(r, t,
		    "expected words without * ? { }, and no ~ or @ at the start", NULL);
	if (token_is(t, "CMD...") && (!wrapper || r->at != r->x.n))
		return read_fail(r, t, "CMD... is the last word of a wrapper", NULL);
	return 0;
}

/* wrapper WORD SLOT ... CMD...   data WORD ... SLOT ... */
static int
read_shape(struct rule_reader *r, struct draft_setting *s)
{
	bool wrapper = s->id == SET_WRAPPER, slot = false;
	const struct token *t = NULL;
	struct buf b;
	int e = 0;

	buf_init(&b, r->d->a);
	while (!e && read_peek(r)) {
		t = read_next(r);
		e = check_shape_word(r, t, wrapper);
		slot |= r->at > 2 && is_slot(t);
		buf_puts(&b, b.n ? " " : "");
		buf_put(&b, t->plain);
	}
	if (e)
		return e;
	if (wrapper && (r->x.n < 3 || !token_is(t, "CMD...")))
		return read_fail(r, t,
		    "expected a program, words and SLOTS, and CMD... at the end", NULL);
	if (!wrapper && !slot)
		return read_fail(
		    r, t, "expected a program, words, and a SLOT in capitals", NULL);
	s->name = buf_str(&b);
	return b.full ? read_no_memory(r) : 0;
}

/* ---- all settings */

static const struct draft_setting *
said_before(const struct rule_reader *r, enum setting id)
{
	for (const struct draft_setting *s = r->d->settings; s; s = s->next)
		if (s->id == id && s->origin.layer == r->origin.layer &&
		    s->origin.file == r->origin.file)
			return s;
	return NULL;
}

static int
check_place(struct rule_reader *r, enum setting id)
{
	if (defs[id].admin && r->origin.layer != LAYER_ADMIN)
		return read_fail(r, &r->x.v[0],
		    "only the administrator's file may have this line", NULL);
	if (defs[id].once && said_before(r, id))
		return read_fail(
		    r, &r->x.v[0], "this setting appears twice in one file", NULL);
	return 0;
}

/* Several lines may add hosts, but `off` and `on` contradict each other. */
static int
check_network(struct rule_reader *r, const struct draft_setting *s)
{
	const struct draft_setting *before = said_before(r, SET_NETWORK);

	if (s->id == SET_NETWORK && before && before->value != s->value)
		return read_fail(
		    r, &r->x.v[1], "another line of this file contradicts this one", NULL);
	return 0;
}

/* Return 1 if the line has no effect, else 0 or an error. */
static int
leave_out(struct rule_reader *r, const struct draft_setting *s)
{
	enum project_may may = (enum project_may)defs[s->id].project;
	enum inert_why why = INERT_UNTRUSTED;

	if (r->origin.layer != LAYER_PROJECT || may == MAY_SAY)
		return 0;
	if (may == MAY_NEVER)
		why = INERT_PROJECT;
	else if (!r->origin.untrusted || (may == MAY_TIGHTEN && s->items.n == 0))
		return 0;
	return draft_leave_out(r->d, s->text, why, &s->origin) ? read_no_memory(r) : 1;
}

/* A switch, not a table: pointers need relocations at start. */
static int
read_form(struct rule_reader *r, struct draft_setting *s)
{
	switch ((enum form)defs[s->id].form) {
	case FORM_VALUE:
		return read_value(r, s);
	case FORM_NETWORK:
		return read_network(r, s);
	case FORM_BITS:
		return read_bits(r, s);
	case FORM_LIST:
		return read_list(r, s);
	case FORM_LOCK:
		return read_lock(r, s);
	case FORM_HOOK:
		return read_hook(r, s);
	case FORM_SET:
		return read_set(r, s);
	case FORM_SHAPE:
		return read_shape(r, s);
	}
	return CORDON_EINVAL;
}

int
read_setting(struct rule_reader *r, enum setting id)
{
	struct draft_setting *s = ARENA_NEW(r->d->a, struct draft_setting);
	int e;

	if (!s)
		return read_no_memory(r);
	s->id = id;
	s->origin = r->origin;
	s->text = r->x.text;
	e = check_place(r, id);
	if (!e)
		e = read_form(r, s);
	if (!e)
		e = read_end(r);
	if (!e)
		e = check_network(r, s);
	if (!e)
		e = leave_out(r, s);
	if (e)
		return e < 0 ? e : 0;
	*r->d->settings_end = s;
	r->d->settings_end = &s->next;
	return 0;
}
