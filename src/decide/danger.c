/*
 * Arguments that suggest that an unknown program deletes or publishes something.  This only
 * tightens a verdict: a sandbox does not restore files of the workspace, nor what another
 * service stores.
 */
#include "decide/judge.h"

/* A subcommand, alone or as part of a longer one: delete-user, remove_node, db:drop. */
static bool
is_verb_of(const char *verbs, struct str word)
{
	for (struct str verb; (verb = know_list_next(&verbs)).n > 0;) {
		char next = word.n > verb.n ? word.p[verb.n] : '\0';

		if (str_starts(word, verb) &&
		    (word.n == verb.n || next == '-' || next == '_' || next == ':'))
			return true;
		if (word.n > verb.n + 1 && str_ends(word, verb) &&
		    (word.p[word.n - verb.n - 1] == ':' ||
			word.p[word.n - verb.n - 1] == '-' ||
			word.p[word.n - verb.n - 1] == '_'))
			return true;
	}
	return false;
}

/* For an unknown program, a second list of verbs counts as well. */
static bool
is_verb(struct str word, bool foreign)
{
	return is_verb_of(know_verbs, word) ||
	       (foreign && is_verb_of(know_foreign_verbs, word));
}

static bool
is_option(struct str word)
{
	word = str_cut(word, 0, str_find(word, '='));
	return know_list_has(know_verb_options, word);
}

/* The program's name is such a verb (DROP TABLE x), or another spelling of a dangerous
 * program where names have no case (RM -rf /). */
static bool
is_named_so(const struct command *c)
{
	char lower[16];
	struct str name;

	if (!c->program.p || c->program.n > sizeof lower)
		return false;
	for (size_t i = 0; i < c->program.n; i++) {
		char b = c->program.p[i];

		lower[i] = (char)(b >= 'A' && b <= 'Z' ? b + 32 : b);
	}
	name = str_of(lower, c->program.n);
	return is_verb(name, true) ||
	       (!str_eq(name, c->program) && know_program(name) &&
		   know_node_class(know_program(name)) >= CLASS_EXEC);
}

/* The policy declares that this word is data. */
static bool
is_data(const struct command *c, size_t i)
{
	return i < 64 && (c->data >> i & 1);
}

/* A verb is one of the first words: tool group verb. */
#define VERB_DEPTH 3

/* Only for unknown programs: `dotnet publish` writes to a folder. */
static bool
has_outward(const struct command *c)
{
	size_t seen = 0;
	bool found = false;

	for (size_t i = 1; i < c->argc; i++) {
		struct str word = c->argv[i].text;

		if (c->argv[i].kind != FIELD_STR || is_data(c, i))
			continue;
		if (str_is(word, "--dry-run"))
			return false;
		if (!str_starts(word, STR("-")) && seen++ < VERB_DEPTH)
			found |= is_verb_of(know_outward, word);
	}
	return found;
}

static bool
has_verb(const struct command *c, bool foreign)
{
	size_t seen = 0;

	for (size_t i = 1; i < c->argc; i++) {
		struct str word = c->argv[i].text;

		if (c->argv[i].kind != FIELD_STR || is_data(c, i))
			continue;
		if (word.n && word.p[0] == '-') {
			if (is_option(word))
				return true;
			continue;
		}
		if (seen++ < VERB_DEPTH && is_verb(word, foreign))
			return true;
	}
	return false;
}

/* True if `text` begins with one of the calls from `at` on that share its first byte. */
static bool
begins_with_call(struct str text, const char *at)
{
	for (struct str call; (call = know_list_next(&at)).n > 0;) {
		if (call.p[0] != text.p[0])
			return false;
		if (str_starts(text, call))
			return true;
	}
	return false;
}

static bool
has_call(struct str code)
{
	for (size_t i = 0; i < code.n; i++) {
		unsigned first = know_call_firsts[(unsigned char)code.p[i]];

		if (first && begins_with_call(str_skip(code, i), know_calls + first - 1))
			return true;
	}
	return false;
}

/* A window over the arguments, joined by spaces, in which calls are searched. */
#define WINDOW 512
/*
 * Bytes kept when the window moves: no call in the table is longer, its length is one byte.
 */
#define WINDOW_KEPT 255

struct passing {
	char text[WINDOW];
	size_t n;
};

static bool
passes_call(struct passing *p, struct str s)
{
	while (s.n) {
		size_t n;

		if (p->n == WINDOW) {
			if (has_call(str_of(p->text, WINDOW)))
				return true;
			memmove(p->text, p->text + WINDOW - WINDOW_KEPT, WINDOW_KEPT);
			p->n = WINDOW_KEPT;
		}
		n = s.n < WINDOW - p->n ? s.n : WINDOW - p->n;
		memcpy(p->text + p->n, s.p, n);
		p->n += n;
		s = str_skip(s, n);
	}
	return false;
}

static bool
words_have_call(const struct command *c)
{
	struct passing p;

	p.n = 0;
	for (size_t i = 1; i < c->argc; i++)
		if (!is_data(c, i) &&
		    (passes_call(&p, c->argv[i].text) || passes_call(&p, STR(" "))))
			return true;
	return has_call(str_of(p.text, p.n));
}

/* Any argument of a program that runs code may be code; for others, only those that know/
 * marks as code. */
static bool
is_handed_calls(const struct command *c)
{
	if ((!c->scan || c->class == CLASS_EXEC) && words_have_call(c))
		return true;
	if (c->code.p && has_call(c->code))
		return true;
	for (size_t i = 0; c->scan && i < c->scan->count; i++) {
		const struct know_item *item = &c->scan->items[i];

		if (item->role == ROLE_CODE && !item->option_only &&
		    !is_data(c, item->index) && has_call(item->value.text))
			return true;
	}
	return false;
}

/* --version, --help, or -c without its text: the shell reads no input. */
static bool
is_told_all(struct str option)
{
	return str_is(option, "--version") || str_is(option, "--help") ||
	       (option.p[1] != '-' && str_find(option, 'c') < option.n);
}

/* `... | sh`: the shell reads commands from an input that is not known. */
static bool
is_fed_shell(const struct command *c)
{
	const struct know_node *node = c->program.p ? know_program(c->program) : NULL;

	if (!node || know_handler(node) != HANDLER_SHELL || c->wrapper)
		return false;
	for (size_t i = 1; i < c->argc; i++)
		if (c->argv[i].kind != FIELD_STR || c->argv[i].text.n < 2 ||
		    c->argv[i].text.p[0] != '-' || is_told_all(c->argv[i].text))
			return false;
	return true;
}

/* Not in the table, or used with arguments that the table does not have: perhaps another
 * program of the same name. */
static bool
is_foreign(const struct command *c)
{
	size_t odd = c->scan ? c->scan->unknown_option : 0;

	if (!c->scan)
		return true;
	return c->class == CLASS_UNKNOWN &&
	       (c->scan->unlisted < c->argc ||
		   (odd < c->argc && !str_starts(c->argv[odd].text, STR("-"))));
}

const char *
command_danger(const struct command *c)
{
	if (c->builtin || c->function)
		return NULL;
	if (is_handed_calls(c))
		return "the code passed to it may delete or overwrite something";
	if (is_fed_shell(c))
		return "the shell runs commands from an input that cordon cannot see";
	if (is_foreign(c) && (is_named_so(c) || has_verb(c, true)))
		return "unknown program whose arguments suggest that it deletes something";
	if (c->class == CLASS_EXEC && !c->wrapper && has_verb(c, false))
		return "its arguments suggest that the code it runs deletes something";
	if (is_foreign(c) && has_outward(c))
		return "unknown program whose arguments suggest that it publishes "
		       "something";
	return NULL;
}

/* Text such as `"; touch x; echo "`: a program that uses it without quoting runs what is
 * inside. */
static bool
closes_and_opens(struct str text)
{
	for (size_t i = 0; i + 1 < text.n; i++) {
		char quote = text.p[i];
		size_t k = i + 1;

		if (quote != '"' && quote != '\'')
			continue;
		while (k < text.n && (text.p[k] == ' ' || text.p[k] == '\t'))
			k++;
		if (k < text.n && strchr(";|&\n", text.p[k]) &&
		    str_find(str_skip(text, k), quote) < text.n - k)
			return true;
	}
	return false;
}

bool
command_breaks_out(const struct command *c)
{
	if (!c->program.p || !str_among(c->program, "echo\0printf\0"))
		return false;
	for (size_t i = 1; i < c->argc; i++)
		if (closes_and_opens(c->argv[i].text))
			return true;
	return false;
}
