/*
 * awk programs. The language is not parsed. `system` and `getline` are found anywhere;
 * after `print`, a > or | counts unless it is in a string or in parentheses.
 */
#include "analyse/guess.h"
#include "analyse/programs/programs.h"
#include "analyse/word/word.h"

/* Limit for print statements, each read to its end, to stay linear. */
#define PRINTS_MAX 64

/* The index of `word` as a whole word, from `from` on; text.n if there is none. */
static size_t
find_word(struct str text, struct str word, size_t from)
{
	for (size_t i = from; i + word.n <= text.n; i++)
		if (str_eq(str_cut(text, i, i + word.n), word) &&
		    (i == 0 || !byte_is_word(text.p[i - 1])) &&
		    (i + word.n == text.n || !byte_is_word(text.p[i + word.n])))
			return i;
	return text.n;
}

static size_t
skip_string(struct str text, size_t i)
{
	for (i++; i < text.n && text.p[i] != '"'; i++)
		if (text.p[i] == '\\')
			i++;
	return i;
}

/* > "file" with nothing after it is a known file. */
static void
writes_to(struct walk *w, struct invocation *c, struct str text, size_t i, struct span at,
    const struct state *s)
{
	struct field f = { .kind = FIELD_MANY, .at = at };
	size_t end, after;

	while (i < text.n && (text.p[i] == '>' || text.p[i] == ' '))
		i++;
	if (i < text.n && text.p[i] == '"') {
		end = skip_string(text, i);
		after = end + 1;
		while (after < text.n && text.p[after] == ' ')
			after++;
		if (end < text.n && (after >= text.n || strchr(";\n}", text.p[after])) &&
		    str_find(str_cut(text, i + 1, end), '\\') == end - i - 1)
			f = field_made(FIELD_STR, str_cut(text, i + 1, end), at);
	}
	if (field_is(f, "/dev/stderr") || field_is(f, "/dev/stdout") ||
	    field_is(f, "/dev/null"))
		return;
	raise_class(c, CLASS_WRITE);
	add_file(w, FILE_WRITE, false, f, s->cwd, STR("awk"));
}

static void
leaves(struct walk *w, struct invocation *c, struct span at)
{
	raise_class(c, CLASS_EXEC);
	add_unknown(w, at, "an awk program could run commands");
}

/* Does the statement continue after the end of this line? `last` is its last byte. */
static bool
goes_on(char last)
{
	return last != '\0' && strchr(",\\&|{?:", last);
}

/* Examine one print statement, from after its keyword. */
static void
look_at_print(struct walk *w, struct invocation *c, struct str text, size_t i,
    struct span at, const struct state *s)
{
	int depth = 0;
	bool slash = false;
	char last = '\0';

	for (; i < text.n && !strchr(";}", text.p[i]); i++) {
		char ch = text.p[i];

		if (ch == '\n' && !goes_on(last))
			break;
		if (ch == '#') { /* a comment; in a regular expression `slash` is set */
			i += str_find(str_skip(text, i), '\n') - 1;
			continue;
		}
		if (ch != ' ' && ch != '\t' && ch != '\n')
			last = ch;
		if (ch == '"')
			i = skip_string(text, i);
		else if (ch == '(')
			depth++;
		else if (ch == ')')
			depth--;
		else if (ch == '/')
			slash = true;
		else if (ch == '|' && i + 1 < text.n && text.p[i + 1] == '|')
			i++;
		else if (ch == '|') {
			leaves(w, c, at);
			return;
		} else if (ch == '>' && depth <= 0) {
			writes_to(w, c, text, i, at, s);
			return;
		}
	}
	/* A regular expression could contain a quote: then the count above is wrong. */
	if (slash && (str_find(text, '|') < text.n || str_find(text, '>') < text.n))
		leaves(w, c, at);
}

static size_t
skip_blanks(struct str text, size_t i)
{
	while (i < text.n && (text.p[i] == ' ' || text.p[i] == '\t'))
		i++;
	return i;
}

/* A string at i without escapes, followed by one of `ends`. */
static bool
literal(struct str text, size_t i, const char *ends, struct field *ret)
{
	size_t end, after;

	i = skip_blanks(text, i);
	if (i >= text.n || text.p[i] != '"')
		return false;
	end = skip_string(text, i);
	after = skip_blanks(text, end + 1);
	ret->kind = FIELD_STR;
	ret->text = str_cut(text, i + 1, end);
	return end < text.n && str_find(ret->text, '\\') == ret->text.n &&
	       str_find(ret->text, '\n') == ret->text.n &&
	       (after >= text.n || strchr(ends, text.p[after]));
}

/* system("text"): walk the text. A match inside a string does no harm. */
static bool
runs_known(
    struct walk *w, struct invocation *c, struct str text, struct span at, struct state s)
{
	struct field f = { .at = at };
	int seen = 0;

	for (size_t i = 0;
	     (i = find_word(text, STR("system"), i)) < text.n && !w->failed;) {
		i = skip_blanks(text, i + 6);
		if (++seen > PRINTS_MAX || i >= text.n || text.p[i] != '(' ||
		    !literal(text, i + 1, ")", &f))
			return false;
		raise_class(c, CLASS_EXEC);
		run_shell_text(w, f, STR("awk"), s);
	}
	return true;
}

/* getline < "file", getline x < "file"; after a | it would run a command. */
static bool
reads_known(struct walk *w, struct str text, struct span at, const struct state *s)
{
	struct field f = { .at = at };
	int seen = 0;

	for (size_t i = 0; (i = find_word(text, STR("getline"), i)) < text.n;) {
		i = skip_blanks(text, i + 7);
		while (i < text.n && byte_is_word(text.p[i]))
			i++;
		i = skip_blanks(text, i);
		if (++seen > PRINTS_MAX || i >= text.n || text.p[i] != '<' ||
		    str_find(text, '|') < text.n || !literal(text, i + 1, ";)}\n", &f))
			return false;
		add_file(w, FILE_READ, false, f, s->cwd, STR("awk"));
	}
	return true;
}

/* "cmd" | getline, print | "cmd": guess the command. */
static void
guess_pipes(struct walk *w, struct str text, struct span at, const struct state *s)
{
	for (size_t i = 0; i < text.n && !w->failed; i++) {
		struct field f = { .at = at };
		size_t end, after;

		if (text.p[i] == '|' && literal(text, i + 1, ";)}\n|", &f))
			guess_shell(w, f, STR("awk"), *s);
		if (text.p[i] != '"')
			continue;
		end = skip_string(text, i);
		after = end + 1;
		while (after < text.n && strchr(" \t)", text.p[after]))
			after++;
		if (after + 1 < text.n && text.p[after] == '|' && text.p[after + 1] != '|')
			guess_shell(w, field_made(FIELD_STR, str_cut(text, i + 1, end), at),
			    STR("awk"), *s);
		i = end;
	}
}

static void
look_at_program(struct walk *w, struct invocation *c, struct str text, struct span at,
    const struct state *s)
{
	static const struct str prints[] = { STR_INIT("print"), STR_INIT("printf") };
	int seen = 0;

	if (str_find(text, '|') < text.n)
		guess_pipes(w, text, at, s);
	if (str_find(text, '@') < text.n || !runs_known(w, c, text, at, *s) ||
	    !reads_known(w, text, at, s)) {
		leaves(w, c, at);
		return;
	}
	if (str_find(text, '|') == text.n && str_find(text, '>') == text.n)
		return;
	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0;
		     (i = find_word(text, prints[k], i)) < text.n && !w->failed;) {
			i += prints[k].n;
			if (++seen > PRINTS_MAX) {
				leaves(w, c, at);
				return;
			}
			look_at_print(w, c, text, i, at, s);
		}
}

void
run_awk(struct walk *w, struct invocation *c, const struct know_scan *scan, struct state s)
{
	for (size_t i = 0; i < scan->count; i++) {
		const struct know_item *item = &scan->items[i];

		if (item->role == ROLE_EXEC_FILE && !item->option_only &&
		    names_stdin(item->value))
			leaves(w, c, item->value.at);
		if (item->option_only || item->role != ROLE_CODE)
			continue;
		if (item->value.kind == FIELD_STR)
			look_at_program(w, c, item->value.text, item->value.at, &s);
		else
			leaves(w, c, item->value.at);
	}
}
