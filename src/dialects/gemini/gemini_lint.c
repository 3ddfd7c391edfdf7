/* Lint the lists: entries that never match, have no effect, or are too wide. */
#include "dialects/gemini/gemini.h"

static const char list_names[][13] = { "coreTools", "excludeTools", "allowedTools" };

enum which {
	CORE,
	EXCLUDE,
	ALLOWED,
};

/* An entry of a list, or one alternative of it. */
struct item {
	enum which list;
	struct str entry, text;
	bool all; /* every command */
};

struct gemini_linter {
	struct arena *a;
	struct item *items;
	size_t n, cap;
	struct gemini_finding *first, **end;
	bool full;
};

static void
find(struct gemini_linter *l, enum gemini_level level, enum which list, struct str entry,
    const char *why, struct str other)
{
	struct gemini_finding *f = ARENA_NEW(l->a, struct gemini_finding);

	if (!f) {
		l->full = true;
		return;
	}
	*f = (struct gemini_finding){ level, list_names[list], entry, why, other, NULL };
	*l->end = f;
	l->end = &f->next;
}

static void
add_item(struct gemini_linter *l, struct item item)
{
	if (l->n == l->cap) {
		size_t cap = l->cap ? l->cap * 2 : 16;
		struct item *v = arena_array(l->a, cap, sizeof *v);

		if (!v) {
			l->full = true;
			return;
		}
		if (l->n)
			memcpy(v, l->items, l->n * sizeof *v);
		l->items = v;
		l->cap = cap;
	}
	l->items[l->n++] = item;
}

static bool
equal_without_case(struct str a, struct str b)
{
	if (a.n != b.n)
		return false;
	for (size_t i = 0; i < a.n; i++) {
		char x = a.p[i], y = b.p[i];

		x = (char)(x >= 'A' && x <= 'Z' ? x + 32 : x);
		y = (char)(y >= 'A' && y <= 'Z' ? y + 32 : y);
		if (x != y)
			return false;
	}
	return true;
}

/* True if it looks like a shell tool's name, but is none. */
static bool
is_near_shell(struct str name)
{
	for (size_t i = 0; i < 2; i++)
		if (str_starts(name, gemini_shell_names[i]) ||
		    equal_without_case(gemini_trim(name), gemini_shell_names[i]))
			return true;
	return false;
}

/* ---- one entry */

static void
check_text(struct gemini_linter *l, const struct item *i)
{
	const struct str none = { NULL, 0 };
	struct str normal = gemini_normalise(l->a, i->text);
	struct gemini_view v;

	if (i->list == ALLOWED && str_find(i->text, ' ') < i->text.n) {
		find(l, GEMINI_WARNING, i->list, i->entry,
		    "without a person only first words are compared: this is more than one",
		    none);
		return;
	}
	if (!normal.p || !str_eq(normal, i->text)) {
		find(l, GEMINI_ERROR, i->list, i->entry,
		    "commands are compared with single spaces between words: it matches "
		    "none",
		    none);
		return;
	}
	gemini_look(l->a, i->text, NULL, &v);
	if (gemini_scan_substitution(i->text) || v.substitution)
		find(l, GEMINI_ERROR, i->list, i->entry,
		    "a command with a substitution is refused before it is looked up",
		    none);
	else if (v.parsed && v.n > 1)
		find(l, GEMINI_ERROR, i->list, i->entry,
		    "it is more than one command, and each is looked up alone", none);
	else if (!v.parsed && i->list == CORE)
		find(l, GEMINI_ERROR, i->list, i->entry,
		    "it cannot be parsed, and allows nothing", none);
}

static void
add_alternatives(struct gemini_linter *l, enum which list, struct str entry)
{
	struct gemini_list one = { .v = &entry, .n = 1 };
	struct gemini_entries parts = { 0 };

	gemini_add_patterns(l->a, &parts, &one);
	l->full = l->full || parts.full;
	/* The first is the whole entry; alternatives follow, if any. */
	for (size_t i = parts.n > 1 ? 1 : 0; i < parts.n; i++) {
		struct item item = { list, entry, parts.v[i].text, false };

		check_text(l, &item);
		add_item(l, item);
	}
}

static const char *const all_words[] = { "it allows every command",
	"it disables the shell: no other entry matters",
	"it allows every command without a person" };

static void
check_entry(struct gemini_linter *l, enum which list, struct str entry)
{
	const struct str none = { NULL, 0 };
	struct gemini_list one = { .v = &entry, .n = 1 };
	size_t open = str_find(entry, '(');
	struct str name = str_cut(entry, 0, open);

	if (!gemini_is_shell(name)) {
		if (is_near_shell(name))
			find(l, GEMINI_ERROR, list, entry,
			    "it is not run_shell_command or ShellTool, and matches no "
			    "command",
			    none);
		return;
	}
	if (gemini_names_all(&one)) {
		find(l, GEMINI_WARNING, list, entry, all_words[list], none);
		add_item(l, (struct item){ list, entry, STR(""), true });
	} else if (entry.p[entry.n - 1] != ')')
		find(l, GEMINI_ERROR, list, entry,
		    "it has no ) at its end, and matches nothing", none);
	else if (gemini_trim(str_cut(entry, open + 1, entry.n - 1)).n == 0)
		find(l, GEMINI_ERROR, list, entry,
		    "it names no command, and matches nothing", none);
	else
		add_alternatives(l, list, entry);
}

/* ---- pairs of entries */

static bool
covers(const struct item *wide, const struct item *i)
{
	return wide->all || (!i->all && gemini_text_matches(i->text, wide->text));
}

/* Of two equal entries, the first one stays. */
static const char *
verdict_of(const struct gemini_linter *l, size_t i, size_t other)
{
	const struct item *x = &l->items[i], *y = &l->items[other];
	bool same = x->all == y->all && str_eq(x->text, y->text);

	if (x->list == ALLOWED || y->list == ALLOWED || !covers(y, x))
		return NULL;
	if (x->list == CORE && y->list == EXCLUDE)
		return same ? "it is in both lists, and blocked"
			    : "it can never matter: it is blocked";
	if (x->list != y->list || (same && other > i))
		return NULL;
	return same ? "it stands there twice"
		    : "it can never matter: a wider entry is there";
}

static void
compare(struct gemini_linter *l)
{
	for (size_t i = 0; i < l->n; i++)
		for (size_t k = 0; k < l->n; k++) {
			const char *why = i == k ? NULL : verdict_of(l, i, k);

			if (!why)
				continue;
			find(l, GEMINI_WARNING, l->items[i].list, l->items[i].entry, why,
			    l->items[k].entry);
			break;
		}
}

const struct gemini_finding *
gemini_lint(struct arena *a, const struct gemini_config *c, bool *ret_full)
{
	struct gemini_linter l = { .a = a };
	const struct gemini_list *lists[] = { &c->core, &c->exclude, &c->allowed };

	l.end = &l.first;
	for (size_t k = 0; k < 3; k++)
		for (size_t i = 0; i < lists[k]->n; i++)
			check_entry(&l, (enum which)k, lists[k]->v[i]);
	compare(&l);
	*ret_full = l.full;
	return l.first;
}

void
gemini_put_finding(struct buf *out, const struct gemini_finding *f)
{
	json_put_sep(out);
	buf_putc(out, '{');
	json_put_member(
	    out, "level", f->level == GEMINI_ERROR ? STR("error") : STR("warning"));
	json_put_member(out, "list", str_from_c(f->list));
	json_put_member(out, "entry", f->entry);
	json_put_member(out, "why", str_from_c(f->why));
	if (f->other.p)
		json_put_member(out, "other", f->other);
	buf_putc(out, '}');
}
