/* Match commands against the lists ($Jt), and offer entries for them (qJt). */
#include "decide/match/match.h"
#include "dialects/cursor/cursor.h"

/* True if the trimmed text begins with the pattern, followed by a blank or the end. */
bool
cursor_matches(struct str text, struct str pattern)
{
	text = gemini_trim(text);
	return str_starts(text, pattern) &&
	       (text.n == pattern.n || gemini_blank(text, pattern.n) != 0);
}

void
cursor_view(struct arena *a, const struct cursor_input *in, struct cursor_view *ret)
{
	*ret = (struct cursor_view){ .a = a, .in = in };
	gemini_add_literals(a, &ret->allowed, &in->settings.allowed);
	gemini_add_literals(a, &ret->safe, &in->safe);
	gemini_add_literals(a, &ret->blocked, &in->settings.blocked);
	gemini_add_literals(a, &ret->composite, &in->composite);
	ret->full =
	    ret->allowed.full || ret->safe.full || ret->blocked.full || ret->composite.full;
}

/* Commands inside a string or backquotes have the position of that word, not their own.  (A
 * command whose first word contains a backquote has no known name.) */
/* The text of a command; .p == NULL: inside a string, without its own position. */
static struct str
cursor_text(const struct cursor_view *v, const struct command *c)
{
	struct str none = { NULL, 0 }, text;

	if (c->via || c->at.end > v->in->command.n || c->at.start > c->at.end)
		return none;
	text = gemini_trim(str_cut(v->in->command, c->at.start, c->at.end));
	for (size_t i = 0; !c->assigns && i < text.n && gemini_blank(text, i) == 0; i++)
		if (text.p[i] == '`')
			return none;
	return text;
}

/* The original's parser does not count `[`. */
bool
cursor_counts(const struct command *c)
{
	return !(c->builtin && str_is(c->program, "["));
}

/* Match by text or by argv. */
bool
cursor_is(const struct cursor_view *v, const struct command *c, struct str program)
{
	struct str text = cursor_text(v, c);

	return (text.p && cursor_matches(text, program)) ||
	       (c->program.p && str_eq(c->program, program)) ||
	       (c->argc && c->argv[0].kind == FIELD_STR &&
		   str_eq(str_base(c->argv[0].text), program));
}

struct str
cursor_blocked(const struct cursor_view *v, const struct command *c)
{
	struct str text = cursor_text(v, c);

	for (size_t i = 0; i < v->blocked.n; i++) {
		const struct gemini_entry *e = &v->blocked.v[i];

		if ((text.p && cursor_matches(text, e->text)) ||
		    gemini_blocks(e, c) != MATCH_NO)
			return e->text;
	}
	return (struct str){ NULL, 0 };
}

bool
cursor_covers(
    const struct cursor_view *v, const struct gemini_entry *e, const struct command *c)
{
	struct str text = cursor_text(v, c);

	return gemini_allows(e, c) && (!text.p || cursor_matches(text, e->text));
}

static bool
one_covers(
    const struct cursor_view *v, const struct gemini_entries *list, const struct command *c)
{
	for (size_t i = 0; i < list->n; i++)
		if (cursor_covers(v, &list->v[i], c))
			return true;
	return false;
}

bool
cursor_allowed(const struct cursor_view *v, const struct command *c, bool safe_too)
{
	return one_covers(v, &v->allowed, c) || (safe_too && one_covers(v, &v->safe, c));
}

static bool
all_known(const struct command *c)
{
	for (size_t i = 0; i < c->argc; i++)
		if (c->argv[i].kind != FIELD_STR)
			return false;
	return c->argc > 0;
}

bool
cursor_spelt_out(const struct cursor_view *v, struct span at)
{
	for (const struct command *c = v->effects->commands; c; c = c->next) {
		if (!span_within(at, c->at) || !cursor_text(v, c).p || !all_known(c))
			continue;
		for (size_t i = 0; i < v->allowed.n; i++)
			if (cursor_covers(v, &v->allowed.v[i], c) &&
			    at.end <= c->at.start + v->allowed.v[i].text.n)
				return true;
	}
	return false;
}

/* ---- candidates */

/* The number of words that a composite entry covers, or 0. */
static size_t
composite_words(const struct cursor_view *v, const struct command *c)
{
	size_t most = 0;

	for (size_t i = 0; i < v->composite.n; i++)
		if (gemini_allows(&v->composite.v[i], c) &&
		    v->composite.v[i].words.n > most)
			most = v->composite.v[i].words.n;
	return most;
}

/*
 * The number of words of a candidate: the program, or for a composite one up to its
 * subcommand, with global options, since an entry is a prefix of the text.  Without a
 * subcommand, all words: an entry for the program alone would be too wide.
 */
static size_t
candidate_words(const struct cursor_view *v, const struct command *c)
{
	size_t composite = composite_words(v, c);

	if (composite == 0)
		return 1;
	if (c->scan && c->scan->depth >= composite)
		return c->scan->path[composite - 1] + 1;
	for (size_t i = composite; i < c->argc; i++)
		if (!str_starts(c->argv[i].text, STR("-")))
			return i + 1;
	return c->argc;
}

/* The first `n` words joined; .p == NULL: one of them is unknown. */
static struct str
join_words(const struct cursor_view *v, const struct command *c, size_t n)
{
	struct buf b;

	buf_init(&b, v->a);
	for (size_t i = 0; i < n; i++) {
		if (c->argv[i].kind != FIELD_STR)
			return (struct str){ NULL, 0 };
		if (i)
			buf_putc(&b, ' ');
		buf_put(&b, c->argv[i].text);
	}
	return b.full ? (struct str){ NULL, 0 } : buf_str(&b);
}

/* True if something in it is unknown, and no entry spells it out. */
static bool
has_unknown(const struct cursor_view *v, const struct command *c)
{
	for (const struct unknown *u = v->effects->unknowns; u; u = u->next)
		if (span_within(u->at, c->at) && cursor_text(v, c).p &&
		    !cursor_spelt_out(v, u->at))
			return true;
	return false;
}

/*
 * Offer an entry that would cover the command.  If the words differ from the beginning of
 * the text (quotes, assignments), offer that beginning; for wrappers and commands that run
 * something unknown, offer the whole text: the name alone would cover anything they start.
 */
static void
add_candidate(const struct cursor_view *v, const struct command *c, struct gemini_list *ret)
{
	struct str text = cursor_text(v, c);
	size_t n = candidate_words(v, c);
	struct str words = join_words(v, c, n);
	size_t end;

	if (!words.p)
		return;
	if (text.p && (c->wrapper || has_unknown(v, c))) {
		if (all_known(c))
			gemini_add_once(v->a, ret, text);
		return;
	}
	end = c->argv[n - 1].at.end;
	if (text.p && !cursor_matches(text, words) && end > c->at.start && end <= c->at.end)
		words = gemini_trim(str_cut(v->in->command, c->at.start, end));
	gemini_add_once(v->a, ret, words);
}

void
cursor_candidates(const struct cursor_view *v, bool all, struct gemini_list *ret)
{
	*ret = (struct gemini_list){ .given = true };
	for (const struct command *c = v->effects->commands; c; c = c->next)
		if (cursor_counts(c) && c->argc && !c->function && !c->value &&
		    (all || !cursor_allowed(v, c, true) || has_unknown(v, c)))
			add_candidate(v, c, ret);
}
