/* Match patterns: name, name(text), name(*), name(a,b). */
#include "dialects/gemini/gemini.h"
#include "parse/parse.h"

const struct str gemini_shell_names[2] = { STR_INIT("run_shell_command"),
	STR_INIT("ShellTool") };

bool
gemini_is_shell(struct str name)
{
	return str_eq(name, gemini_shell_names[0]) || str_eq(name, gemini_shell_names[1]);
}

/* ---- one pattern */

/* Split name(argument): from the first ( to the ), which must be the last byte. */
static bool
pattern_argument(struct str pattern, struct str *ret_name, struct str *ret)
{
	size_t open = str_find(pattern, '(');

	*ret_name = str_cut(pattern, 0, open);
	if (open == pattern.n || pattern.p[pattern.n - 1] != ')')
		return false;
	*ret = str_cut(pattern, open + 1, pattern.n - 1);
	return true;
}

/* The next part of a,b,c; commas inside quotes do not separate. */
static bool
next_part(struct str *rest, struct str *ret)
{
	char quote = 0;
	size_t i = 0;

	if (!rest->p)
		return false;
	for (; i < rest->n && (quote || rest->p[i] != ','); i++) {
		char c = rest->p[i];

		if (c == '\\' && quote != '\'')
			i++;
		else if ((c == '\'' || c == '"') && (!quote || quote == c))
			quote = quote ? 0 : c;
	}
	i = i < rest->n ? i : rest->n;
	*ret = gemini_trim(str_cut(*rest, 0, i));
	*rest = i < rest->n ? str_skip(*rest, i + 1) : (struct str){ NULL, 0 };
	return true;
}

bool
gemini_text_matches(struct str text, struct str entry)
{
	return str_starts(text, entry) && (text.n == entry.n || text.p[entry.n] == ' ');
}

static bool
argument_matches(struct str text, struct str argument)
{
	struct str part;

	if (gemini_text_matches(text, argument))
		return true;
	while (next_part(&argument, &part))
		if (str_is(part, "*") || (part.n && gemini_text_matches(text, part)))
			return true;
	return false;
}

static bool
has_star(struct str argument)
{
	struct str part;

	while (next_part(&argument, &part))
		if (str_is(part, "*"))
			return true;
	return false;
}

/* ---- doesToolInvocationMatch */

static bool
call_is(const struct gemini_call *call, struct str name, bool shell)
{
	for (size_t i = 0; i < 2; i++)
		if (call->names[i].p && str_eq(call->names[i], name))
			return true;
	return shell && gemini_is_shell(name);
}

bool
gemini_call_matches(const struct gemini_call *call, const struct gemini_list *patterns)
{
	bool shell = (call->names[0].p && gemini_is_shell(call->names[0])) ||
		     (call->names[1].p && gemini_is_shell(call->names[1]));

	for (size_t i = 0; i < patterns->n; i++) {
		struct str name, argument;
		bool has = pattern_argument(patterns->v[i], &name, &argument);

		if (!call_is(call, name, shell))
			continue;
		if (name.n == patterns->v[i].n)
			return true;
		if (has && shell && call->command.p &&
		    argument_matches(call->command, argument))
			return true;
	}
	return false;
}

bool
gemini_names_all(const struct gemini_list *patterns)
{
	for (size_t i = 0; i < patterns->n; i++) {
		struct str name, argument;
		bool has = pattern_argument(patterns->v[i], &name, &argument);

		if (gemini_is_shell(name) &&
		    (name.n == patterns->v[i].n || (has && has_star(argument))))
			return true;
	}
	return false;
}

bool
gemini_names_some(const struct gemini_list *patterns)
{
	for (size_t i = 0; i < patterns->n; i++) {
		size_t open = str_find(patterns->v[i], '(');

		if (open < patterns->v[i].n &&
		    gemini_is_shell(str_cut(patterns->v[i], 0, open)))
			return true;
	}
	return false;
}

/* ---- entries: patterns prepared for comparing words */

static bool
literal_word(struct arena *a, const struct word *word, struct str *ret)
{
	struct buf b;

	buf_init(&b, a);
	if (word->assign)
		return false;
	for (const struct part *p = word->parts; p; p = p->next) {
		if (p->kind != PART_TEXT)
			return false;
		buf_put(&b, p->text);
	}
	*ret = buf_str(&b);
	return !b.full;
}

/* The simple command that makes up the whole text, or NULL. */
static const struct node *
single_command(struct arena *a, struct str text)
{
	struct list *tree = NULL;
	const struct node *n;

	if (parse(a, text, NULL, &tree, NULL) || !tree->first || tree->first->next)
		return NULL;
	n = tree->first->first;
	if (!n || n->next || n->kind != NODE_SIMPLE || tree->first->negated ||
	    tree->first->timed || tree->first->after == AFTER_BACKGROUND)
		return NULL;
	return n;
}

static bool
shell_words(struct arena *a, struct gemini_entry *e)
{
	const struct node *n = single_command(a, e->text);

	if (!n)
		return false;
	for (const struct word *d = n->simple.words; d; d = d->next) {
		struct str word;

		if (!literal_word(a, d, &word))
			return false;
		gemini_add(a, &e->words, word);
	}
	e->plain = !n->simple.assigns && !n->redirs;
	return e->words.n > 0;
}

static void
blank_words(struct arena *a, struct gemini_entry *e)
{
	size_t i = 0, from;

	e->words = (struct gemini_list){ 0 };
	e->plain = true;
	while (i < e->text.n) {
		size_t n = gemini_blank(e->text, i);

		if (n) {
			i += n;
			continue;
		}
		for (from = i; i < e->text.n && gemini_blank(e->text, i) == 0;)
			i++;
		gemini_add(a, &e->words, str_cut(e->text, from, i));
	}
}

static void
add_entry(struct arena *a, struct gemini_entries *all, struct str text)
{
	struct gemini_entry e = { .text = text };

	if (!shell_words(a, &e))
		blank_words(a, &e);
	if (all->n == all->cap) {
		size_t cap = all->cap ? all->cap * 2 : 8;
		struct gemini_entry *v = arena_array(a, cap, sizeof *v);

		if (v && all->n)
			memcpy(v, all->v, all->n * sizeof *v);
		all->full = all->full || !v;
		all->v = v ? v : all->v;
		all->cap = v ? cap : all->cap;
	}
	all->full = all->full || e.words.full;
	if (!all->full)
		all->v[all->n++] = e;
}

void
gemini_add_literals(
    struct arena *a, struct gemini_entries *e, const struct gemini_list *entries)
{
	for (size_t i = 0; i < entries->n; i++)
		add_entry(a, e, entries->v[i]);
}

void
gemini_add_patterns(
    struct arena *a, struct gemini_entries *e, const struct gemini_list *patterns)
{
	for (size_t i = 0; i < patterns->n; i++) {
		struct str name, argument, part;

		if (!pattern_argument(patterns->v[i], &name, &argument) ||
		    !gemini_is_shell(name))
			continue;
		add_entry(a, e, argument);
		if (str_find(argument, ',') == argument.n)
			continue;
		while (next_part(&argument, &part))
			if (part.n)
				add_entry(a, e, part);
	}
}

/* ---- entries against the words of a command */

static enum match
word_matches(struct str want, struct field f)
{
	if (f.kind == FIELD_STR)
		return str_eq(want, f.text) ? MATCH_CERTAIN : MATCH_NO;
	if (f.kind == FIELD_ONE && !str_starts(want, f.text))
		return MATCH_NO;
	return MATCH_POSSIBLE;
}

/* Compare from the second word on; after a MANY, positions are unknown. */
static enum match
words_match(const struct gemini_list *want, const struct field *argv, size_t argc)
{
	enum match all = MATCH_CERTAIN;

	for (size_t i = 1; i < want->n; i++) {
		enum match m = i < argc ? word_matches(want->v[i], argv[i]) : MATCH_NO;

		if (i < argc && argv[i].kind == FIELD_MANY)
			return MATCH_POSSIBLE;
		if (m == MATCH_NO)
			return MATCH_NO;
		all = m < all ? m : all;
	}
	return all;
}

static bool
names_program(struct str want, const struct command *c)
{
	bool path = str_find(want, '/') < want.n;

	if (str_eq(want, c->argv[0].text) || (c->program.p && str_eq(want, c->program)))
		return true;
	if (!path)
		return str_eq(want, str_base(c->argv[0].text));
	return str_find(c->argv[0].text, '/') == c->argv[0].text.n &&
	       str_eq(str_base(want), c->argv[0].text);
}

/* `git -C . push` also counts as `git push`. */
static enum match
skipped_match(const struct gemini_entry *e, const struct command *c)
{
	size_t from;

	if (!c->scan || c->scan->depth == 0 || c->scan->path[0] < 2 || e->words.n < 2)
		return MATCH_NO;
	from = c->scan->path[0] - 1;
	return words_match(&e->words, c->argv + from, c->argc - from);
}

enum match
gemini_blocks(const struct gemini_entry *e, const struct command *c)
{
	enum match m, skipped;

	if (!e->plain || e->words.n == 0 || c->argc == 0)
		return MATCH_NO;
	if (c->argv[0].kind != FIELD_STR && !c->program.p)
		return MATCH_POSSIBLE;
	if (!names_program(e->words.v[0], c))
		return MATCH_NO;
	m = words_match(&e->words, c->argv, c->argc);
	skipped = skipped_match(e, c);
	return m > skipped ? m : skipped;
}

bool
gemini_allows(const struct gemini_entry *e, const struct command *c)
{
	if (e->words.n == 0 || c->argc == 0 || (!e->plain && c->via))
		return false;
	/* `exec -a` sets a name other than the program's. */
	if (c->program.p && !str_eq(c->program, str_base(c->argv[0].text)))
		return false;
	return word_matches(e->words.v[0], c->argv[0]) == MATCH_CERTAIN &&
	       words_match(&e->words, c->argv, c->argc) == MATCH_CERTAIN;
}

/* ---- parseAllowedSubcommands */

/* The original's regular expression does not match newlines. */
static bool
has_line_end(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] == '\n' || s.p[i] == '\r' ||
		    str_starts(str_skip(s, i), STR("\xe2\x80\xa8")) ||
		    str_starts(str_skip(s, i), STR("\xe2\x80\xa9")))
			return true;
	return false;
}

static void
add_subcommands(struct arena *a, struct str inside, struct gemini_list *ret)
{
	while (inside.p) {
		size_t comma = str_find(inside, ',');
		struct str part = gemini_trim(str_cut(inside, 0, comma));

		if (part.n)
			gemini_add_once(a, ret, part);
		inside = comma < inside.n ? str_skip(inside, comma + 1)
					  : (struct str){ NULL, 0 };
	}
}

void
gemini_allowed_subcommands(
    struct arena *a, const struct gemini_list *allowed, struct gemini_list *ret)
{
	struct str name, inside;

	*ret = (struct gemini_list){ .given = true };
	for (size_t i = 0; i < allowed->n; i++) {
		if (gemini_is_shell(allowed->v[i])) {
			*ret = (struct gemini_list){ 0 };
			return;
		}
		if (pattern_argument(allowed->v[i], &name, &inside) &&
		    gemini_is_shell(name) && !has_line_end(inside))
			add_subcommands(a, inside, ret);
	}
}
