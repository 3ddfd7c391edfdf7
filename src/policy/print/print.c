/*
 * Print the effective policy as rules.
 *
 * MUST
 * 1. Compiled again with `printed`, it prints the same bytes.
 * 2. Lines without effect are printed as comments.
 */
#include "base/show.h"
#include "policy/image/image.h"
#include "policy/print/printed.h"

#define COLUMN 48

struct policy_printer {
	const struct policy *p;
	struct buf *out;
	size_t start; /* of the line */
};

static void
begin(struct policy_printer *x, const char *word)
{
	x->start = x->out->n;
	buf_puts(x->out, word);
}

static void
put_word(struct policy_printer *x, const char *word)
{
	buf_putc(x->out, ' ');
	buf_puts(x->out, word);
}

static void
put_origin(struct policy_printer *x, const struct image_origin *o)
{
	struct policy_origin origin = image_origin(x->p, o);

	buf_puts(x->out, "# ");
	buf_puts(x->out, layer_name(origin.layer));
	buf_puts(x->out, o->untrusted ? PRINTED_UNTRUSTED : "");
	buf_putc(x->out, ' ');
	show_put(x->out, origin.file, 0);
	buf_putc(x->out, ':');
	buf_putu(x->out, origin.line);
	buf_putc(x->out, '\n');
}

/* Print the origin as a comment in its own column; `o` not said: a default. */
static void
end(struct policy_printer *x, const struct image_origin *o)
{
	do
		buf_putc(x->out, ' ');
	while (!x->out->full && x->out->n - x->start < COLUMN);
	if (o->said)
		put_origin(x, o);
	else
		buf_puts(x->out, "#" PRINTED_DEFAULT "\n");
}

/* ---- settings */

static void
put_bits(struct policy_printer *x, enum setting id, unsigned bits, bool shifted)
{
	if (!bits || !x->p->head->settings.by[id].said)
		return;
	begin(x, setting_name(id));
	for (const struct word_value *w = setting_words(id); w->word[0]; w++)
		if (bits & (shifted ? 1u << w->value : w->value))
			put_word(x, w->word);
	end(x, &x->p->head->settings.by[id]);
}

static void
put_values(struct policy_printer *x)
{
	const struct image_settings *s = &x->p->head->settings;

	for (int i = 0; i < SET_VALUES; i++) {
		if (i == SET_AUTORUN && s->value[i])
			continue;
		begin(x, setting_name((enum setting)i));
		put_word(x, word_of(setting_words((enum setting)i), s->value[i]));
		end(x, &s->by[i]);
	}
	put_bits(x, SET_PROTECT, s->protect, false);
	put_bits(x, SET_FORBID, s->forbidden, true);
}

/* ---- lists */

static bool
same_origin(const struct image_origin *a, const struct image_origin *b)
{
	return a->file == b->file && a->line == b->line && a->layer == b->layer;
}

static void
put_entry(struct policy_printer *x, const struct image_entry *e)
{
	const struct pattern *pattern = &x->p->patterns[e->pattern];
	struct alternative alt = image_alternative(x->p, pattern->first);

	buf_putc(x->out, ' ');
	if (str_is(alt.code, "@read")) /* the one entry that is not a program */
		buf_put(x->out, alt.code);
	else
		alternative_put(x->out, &alt, (enum pattern_kind)pattern->kind, true);
}

static void
put_seconds(struct policy_printer *x, const struct image_entry *e)
{
	struct str text = image_str(x->p, e->text);

	put_word(x, "timeout ");
	buf_put(x->out, str_cut(text, 0, str_find(text, ' ')));
}

/* True if the line is long enough to start another. */
static bool
is_long(const struct policy_printer *x, uint32_t entries)
{
	return entries >= 100 || x->out->n - x->start > 4000;
}

/* Print the entries of one origin on one line. */
static void
put_list(struct policy_printer *x, enum policy_list list, const char *words)
{
	const uint32_t *starts = x->p->head->settings.lists;
	bool hook = list == LIST_BEFORE_HOOK || list == LIST_AFTER_HOOK;

	for (uint32_t i = starts[list]; i < starts[list + 1];) {
		const struct image_entry *first = &x->p->entries[i];
		uint32_t from = i;

		begin(x, words);
		do
			put_entry(x, &x->p->entries[i]);
		while (++i < starts[list + 1] && !hook && !is_long(x, i - from) &&
		       same_origin(&first->origin, &x->p->entries[i].origin));
		if (hook)
			put_seconds(x, first);
		end(x, &first->origin);
	}
}

static bool
has_admin_entry(const struct policy *p, enum policy_list list)
{
	const uint32_t *starts = p->head->settings.lists;

	for (uint32_t i = starts[list]; i < starts[list + 1]; i++)
		if (p->entries[i].origin.layer == LAYER_ADMIN)
			return true;
	return false;
}

static const struct {
	enum policy_list list;
	char words[20];
} lists[] = {
	{ LIST_LOCKED, "lock" },
	{ LIST_WRITABLE, "writable" },
	{ LIST_READABLE, "readable" },
	{ LIST_IGNORE, "ignore" },
	{ LIST_ROOT, "root" },
	{ LIST_DEBUG_DIR, "debug_dir" },
	{ LIST_BEFORE_HOOK, "hook before-shell" },
	{ LIST_AFTER_HOOK, "hook after-shell" },
	{ LIST_COMPOSITE, "composite" },
	{ LIST_SAFE, "safe" },
	{ LIST_MCP_ALLOW, "mcp_allow" },
};

static void
put_lists(struct policy_printer *x)
{
	const struct image_settings *s = &x->p->head->settings;

	/* With `network on` the hosts have no effect. */
	if (!s->value[SET_NETWORK])
		put_list(x, LIST_NET, "network off except");
	if (s->bounded & 1 && !has_admin_entry(x->p, LIST_WRITABLE)) {
		begin(x, "writable none");
		end(x, &s->bound_by);
	}
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		put_list(x, lists[i].list, lists[i].words);
}

static void
put_lines(struct policy_printer *x)
{
	static const char words[LINES][9] = { "wrapper ", "data ", "" };

	for (size_t i = 0; i < image_count(x->p, SECTION_LINES); i++) {
		const struct image_line *line = &x->p->lines[i];

		begin(x, words[line->kind]);
		buf_put(x->out, image_str(x->p, line->text));
		end(x, &line->origin);
	}
}

/* ---- rules, tests and lines without effect */

static void
put_rules(struct policy_printer *x)
{
	for (size_t i = 0; i < image_count(x->p, SECTION_RULES); i++) {
		begin(x, i ? "" : "\n");
		buf_put(x->out, image_str(x->p, x->p->rules[i].text));
		end(x, &x->p->rules[i].origin);
	}
}

static void
put_tests(struct policy_printer *x)
{
	for (size_t i = 0; i < image_count(x->p, SECTION_TESTS); i++) {
		begin(x, i ? "" : "\n");
		buf_put(x->out, image_str(x->p, x->p->tests[i].text));
		end(x, &x->p->tests[i].origin);
	}
}

static void
put_inert(struct policy_printer *x)
{
	for (size_t i = 0; i < image_count(x->p, SECTION_INERT); i++) {
		const struct image_inert *t = &x->p->inert[i];

		begin(x, i ? "#- " : "\n#- ");
		buf_puts(x->out, inert_text((enum inert_why)t->why));
		buf_puts(x->out, ": ");
		buf_put(x->out, image_str(x->p, t->text));
		buf_putc(x->out, ' ');
		put_origin(x, &t->origin);
	}
}

void
policy_print(const struct policy *p, struct buf *out)
{
	struct policy_printer x = { p, out, 0 };

	put_values(&x);
	put_lists(&x);
	put_lines(&x);
	put_rules(&x);
	put_tests(&x);
	put_inert(&x);
}
