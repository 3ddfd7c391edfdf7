/*
 * `python3 -c 'print(1 + 1)'`: most one-liners compute and print. The text is read as
 * words, strings, numbers and signs. A name must be in a list, or be assigned in the same
 * text and not be called. No name in the lists runs code, takes a callback, opens a file or
 * loads a module.
 */
#include "analyse/programs/pure.h"
#include "analyse/programs/programs.h"

#define DEFINED_MAX 16

static const struct grammar {
	char signs[32];                /* allowed outside of strings */
	char in_double[8];             /* refused in "strings": they have a meaning there */
	bool statements;               /* NAME = value defines a name */
	bool index_any;                /* x["a"] can only be a value, not a function */
	char names[400], members[400]; /* NUL-terminated words, without pointers */
} grammars[] = {
	[LANGUAGE_PYTHON] = { "+-*/%,;:()[]{}<>=!&|^~.", "", true, true,
	    "print\0len\0range\0str\0int\0float\0sum\0min\0max\0abs\0round\0sorted\0list\0"
	    "dict\0set\0tuple\0bool\0repr\0chr\0ord\0hex\0bin\0oct\0enumerate\0zip\0any\0"
	    "all\0divmod\0pow\0reversed\0type\0isinstance\0None\0True\0False\0and\0or\0"
	    "not\0in\0is\0if\0else\0elif\0for\0while\0pass\0break\0continue\0end\0sep\0"
	    "flush\0import\0sys\0",
	    "join\0upper\0lower\0strip\0split\0replace\0format\0append\0items\0keys\0"
	    "values\0index\0count\0startswith\0endswith\0title\0isdigit\0zfill\0rjust\0"
	    "ljust\0version\0version_info\0path\0platform\0executable\0argv\0maxsize\0"
	    "byteorder\0stdout\0stderr\0write\0flush\0exit\0" },
	[LANGUAGE_NODE] = { "+-*%,;:()[]{}<>=!&|^~?.", "", true, false,
	    "console\0JSON\0Math\0process\0Date\0Number\0String\0Array\0Object\0Boolean\0"
	    "undefined\0null\0true\0false\0const\0let\0var\0for\0of\0in\0if\0else\0"
	    "typeof\0",
	    "log\0error\0warn\0info\0stringify\0parse\0floor\0ceil\0round\0max\0min\0"
	    "abs\0random\0sqrt\0pow\0PI\0now\0version\0versions\0platform\0arch\0argv\0"
	    "length\0toString\0toUpperCase\0toLowerCase\0split\0join\0slice\0trim\0keys\0"
	    "values\0entries\0includes\0indexOf\0push\0concat\0repeat\0padStart\0padEnd\0"
	    "toFixed\0exit\0node\0" },
	[LANGUAGE_RUBY] = { "+-*,;().", "#", false, false, "puts\0print\0p\0",
	    "upcase\0downcase\0length\0to_s\0to_i\0reverse\0strip\0" },
	[LANGUAGE_PERL] = { "+-*,;().", "$@", false, false, "print\0say\0", "" },
};

struct pure_reader {
	const struct grammar *g;
	struct str text, defined[DEFINED_MAX];
	size_t i, defined_n;
	struct str word; /* the last word, if only blanks follow it */
	char last;       /* the last byte that is not a blank */
	int depth;
	bool import; /* after `import sys`: only the end may follow */
};

static char
next_sign(const struct pure_reader *r, size_t i)
{
	while (i < r->text.n && (r->text.p[i] == ' ' || r->text.p[i] == '\t'))
		i++;
	return i < r->text.n ? r->text.p[i] : '\0';
}

/* [x for x in ...]: the loop after the name defines it. */
static bool
is_counted(const struct pure_reader *r, struct str word)
{
	static const struct str head = STR_INIT("for "), tail = STR_INIT(" in ");

	for (size_t i = r->i; i + head.n + word.n + tail.n <= r->text.n; i++) {
		struct str rest = str_skip(r->text, i);

		if (str_starts(rest, head) && str_starts(str_skip(rest, head.n), word) &&
		    str_starts(str_skip(rest, head.n + word.n), tail))
			return true;
	}
	return false;
}

static bool
is_defined(const struct pure_reader *r, struct str word)
{
	for (size_t k = 0; k < r->defined_n; k++)
		if (str_eq(r->defined[k], word))
			return true;
	return r->depth > 0 && is_counted(r, word);
}

/* for x in, const x =, or x = at the start of a statement. */
static bool
defines(const struct pure_reader *r, size_t end)
{
	bool begins = r->last == '\0' || r->last == ';' || r->last == '\n';
	struct str rest = str_skip(r->text, end);
	size_t gap = 0;

	if (!r->g->statements || r->depth > 1)
		return false;
	if (r->word.p && str_among(r->word, "for\0const\0let\0var\0"))
		return true;
	while (gap < rest.n && rest.p[gap] == ' ')
		gap++;
	return begins && r->depth == 0 && gap + 1 < rest.n && rest.p[gap] == '=' &&
	       rest.p[gap + 1] != '=';
}

static bool
take_word(struct pure_reader *r)
{
	size_t from = r->i;
	struct str word;
	char next;

	while (r->i < r->text.n && byte_is_word(r->text.p[r->i]))
		r->i++;
	word = str_cut(r->text, from, r->i);
	next = next_sign(r, r->i);
	if (str_starts(word, STR("__")) || r->import ||
	    (r->i < r->text.n && (r->text.p[r->i] == '"' || r->text.p[r->i] == '\'')))
		return false;
	if (r->word.p && str_is(r->word, "import")) {
		r->import = str_is(word, "sys"); /* sys is part of the interpreter */
		if (!r->import)
			return false;
	} else if (r->last == '.') {
		if (!str_among(word, r->g->members))
			return false;
	} else if (!str_among(word, r->g->names)) {
		if (!is_defined(r, word)) {
			if (!defines(r, r->i) || r->defined_n == DEFINED_MAX)
				return false;
			r->defined[r->defined_n++] = word;
		}
		if (next == '(')
			return false;
	} else if (defines(r, r->i)) /* len = ...: the name has another meaning now */
		return false;
	r->word = word;
	r->last = 'a';
	return true;
}

static bool
take_string(struct pure_reader *r)
{
	char quote = r->text.p[r->i], before = r->last;
	r->i++;

	for (; r->i < r->text.n && r->text.p[r->i] != quote; r->i++) {
		char c = r->text.p[r->i];

		if (c == '\n' || c == '`' || c == '\0' ||
		    (quote == '"' && strchr(r->g->in_double, c)))
			return false;
		if (c == '\\')
			r->i++;
	}
	if (r->i >= r->text.n || before == '"')
		return false; /* not closed, or two adjacent strings: """ */
	r->i++;
	r->last = '"';
	r->word.p = NULL;
	return true;
}

static bool
take_sign(struct pure_reader *r)
{
	char c = r->text.p[r->i], next = next_sign(r, r->i + 1);

	if (c == '\0' || !strchr(r->g->signs, c))
		return false;
	/* A call of a value: f()(), x[0](), "text"(). */
	if (c == '(' && r->last != '\0' && strchr(")]}\"", r->last))
		return false;
	if (c == '[' && !r->g->index_any && r->last != '\0' && strchr("a)]}\"", r->last) &&
	    !(byte_is_digit(next)))
		return false;
	if (c == '=' && next == '>') /* a function */
		return false;
	if (r->import && c != ';')
		return false;
	r->import = false;
	r->depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
	r->last = c;
	r->word.p = NULL;
	r->i++;
	return true;
}

bool
code_is_pure(enum language language, struct str code)
{
	struct pure_reader r = { .g = &grammars[language], .text = code };

	if (language == LANGUAGE_NONE)
		return false;
	while (r.i < code.n) {
		char c = code.p[r.i];

		if (c == ' ' || c == '\t' || c == '\n') {
			if (c == '\n' && r.depth == 0) {
				r.last = '\n';
				r.word.p = NULL;
				r.import = false;
			}
			r.i++;
		} else if (byte_is_digit(c)) {
			while (r.i < code.n &&
			       (byte_is_word(code.p[r.i]) || code.p[r.i] == '.'))
				r.i++;
			r.last = '0';
			r.word.p = NULL;
		} else if (c == '"' || c == '\'') {
			if (!take_string(&r))
				return false;
		} else if (byte_is_word(c) ? !take_word(&r) : !take_sign(&r))
			return false;
	}
	return r.depth == 0 && r.last != '\0';
}

enum language
language_of(struct str program)
{
	static const struct {
		char name[8];
		enum language language;
	} names[] = { { "python", LANGUAGE_PYTHON }, { "node", LANGUAGE_NODE },
		{ "ruby", LANGUAGE_RUBY }, { "perl", LANGUAGE_PERL } };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct str name = str_from_c(names[i].name);
		struct str rest = str_skip(program, name.n);

		if (!str_starts(program, name))
			continue;
		for (size_t k = 0; k < rest.n; k++)
			if (rest.p[k] != '.' && (!byte_is_digit(rest.p[k])))
				return LANGUAGE_NONE;
		return names[i].language;
	}
	return LANGUAGE_NONE;
}
