#include "agents/import/rules.h"

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

struct str
import_trim(struct str s)
{
	while (s.n && is_blank(s.p[0]))
		s = str_skip(s, 1);
	while (s.n && is_blank(s.p[s.n - 1]))
		s.n--;
	return s;
}

bool
import_call(struct str text, struct str *name, struct str *inside)
{
	size_t open = str_find(text, '(');

	*name = import_trim(str_cut(text, 0, open));
	*inside = STR("");
	if (open == text.n || text.p[text.n - 1] != ')')
		return false;
	*inside = str_cut(text, open + 1, text.n - 1);
	return true;
}

/* ---- words for the rule language */

static bool
is_bare(char c)
{
	return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') ||
	       (c && strchr("_./+:-", c));
}

/* Keywords of the rule language that could also be a program's argument. */
static const char keywords[] = "read\0write\0delete\0exec\0net\0env\0mcp\0with\0without\0"
			       "on\0in\0exactly\0when\0until\0because\0try\0writable\0"
			       "sandbox\0...\0";

void
import_put_quoted(struct buf *b, struct str text)
{
	static const char hex[] = "0123456789abcdef";

	buf_putc(b, '"');
	for (size_t i = 0; i < text.n; i++) {
		unsigned char c = (unsigned char)text.p[i];

		if (c == '"' || c == '\\')
			buf_putc(b, '\\');
		if (c == '\n' || c == '\t') {
			buf_puts(b, c == '\n' ? "\\n" : "\\t");
		} else if (c < 0x20 || c == 0x7f) {
			buf_puts(b, "\\x");
			buf_putc(b, hex[c >> 4]);
			buf_putc(b, hex[c & 15]);
		} else {
			buf_putc(b, (char)c);
		}
	}
	buf_putc(b, '"');
}

void
import_put_word(struct buf *b, struct str word, bool star)
{
	bool bare = word.n > 0 && !str_among(word, keywords);

	if (star)
		word.n--;
	for (size_t i = 0; i < word.n; i++)
		bare = bare && is_bare(word.p[i]);
	if (bare)
		buf_put(b, word);
	else
		import_put_quoted(b, word);
	if (star)
		buf_putc(b, '*');
}

/* ---- split a command, up to the first word that cannot be expressed */

static bool
is_option(struct str w)
{
	return w.n > 1 && w.p[0] == '-';
}

/* True for a word without shell or pattern characters; an option may not end in `=`. */
static bool
is_plain(struct str w)
{
	for (size_t i = 0; i < w.n; i++) {
		unsigned char c = (unsigned char)w.p[i];

		if (c <= 0x20 || c == 0x7f || strchr("'\"\\$`;&|<>(){}[]?!#~*", (char)c))
			return false;
	}
	return !(is_option(w) && (str_find(w, '=') < w.n || str_is(w, "--")));
}

static void
add_later(struct import_words *w, struct str word)
{
	struct str name = str_cut(word, 0, str_find(word, '='));

	if (is_option(word) && !str_is(name, "--") && is_plain(name) && w->later_n < 8)
		w->later[w->later_n++] = name;
}

void
import_split(struct import *im, struct str text, struct import_words *ret)
{
	struct import_words w = { .exact = true };

	(void)im;
	text = import_trim(text);
	/* `npm run:*` and `npm run *` are the same: anything may follow. */
	if (str_ends(text, STR(":*")) || str_ends(text, STR(" *"))) {
		text = import_trim(str_cut(text, 0, text.n - 2));
		w.exact = false;
	}
	while (text.n) {
		size_t end = 0;
		struct str word;

		while (end < text.n && !is_blank(text.p[end]))
			end++;
		word = str_cut(text, 0, end);
		text = import_trim(str_skip(text, end));
		if (w.cut) {
			add_later(&w, word);
			continue;
		}
		if (!text.n && w.n && word.n > 1 && word.p[word.n - 1] == '*' &&
		    is_plain(str_cut(word, 0, word.n - 1)) && !is_option(word)) {
			w.tail = true;
			w.exact = false;
		} else if (!is_plain(word) || w.n == IMPORT_WORDS) {
			w.cut = true;
			w.exact = false;
			add_later(&w, word);
			continue;
		}
		w.v[w.n++] = word;
	}
	*ret = w;
}

/* ---- several forms of a rule, from exact to wide */

enum way {
	WAY_PLAIN, /* the words in their order */
	WAY_SPLIT, /* -rf as -r -f */
	WAY_WITH,  /* the words before the first option, with the options */
	WAY_FIRST, /* the same with the first option only */
	WAY_WORDS, /* the words before the first option */
	WAY_NAME,  /* the program */
	WAYS,
};

/* -rf as -r -f; any other option as it is. */
static void
put_option(struct buf *b, struct str o, bool split)
{
	if (!split || o.n < 3 || o.p[1] == '-') {
		buf_putc(b, ' ');
		buf_put(b, o);
		return;
	}
	for (size_t i = 1; i < o.n; i++) {
		buf_puts(b, " -");
		buf_putc(b, o.p[i]);
	}
}

static size_t
first_option(const struct import_words *w)
{
	size_t i = 0;

	while (i < w->n && !is_option(w->v[i]))
		i++;
	return i;
}

static void
put_with(struct buf *b, const struct import_words *w, bool one)
{
	bool any = false;

	for (size_t i = 0; i < w->n + w->later_n; i++) {
		struct str o = i < w->n ? w->v[i] : w->later[i - w->n];

		if (!is_option(o) || (any && one))
			continue;
		buf_puts(b, any ? "" : " with");
		put_option(b, o, true);
		any = true;
	}
}

static void
put_way(struct buf *b, const struct import_words *w, enum way way, enum import_verb verb)
{
	size_t n = way >= WAY_WITH ? first_option(w) : w->n;

	if (way == WAY_NAME && n > 1)
		n = 1;
	for (size_t i = 0; i < n; i++) {
		if (is_option(w->v[i])) {
			put_option(b, w->v[i], way == WAY_SPLIT);
			continue;
		}
		buf_putc(b, ' ');
		import_put_word(b, w->v[i], w->tail && i + 1 == w->n && way <= WAY_SPLIT);
	}
	if (way == WAY_WITH || way == WAY_FIRST)
		put_with(b, w, way == WAY_FIRST);
	if (w->exact && way <= WAY_SPLIT)
		buf_puts(b, " exactly");
	else if (verb == IMPORT_ALLOW && w->n > 1)
		buf_puts(b, " ...");
}

/* The command to test: the one that the entry names. */
static struct str
sample_of(struct import *im, const struct import_words *w)
{
	struct buf b;

	buf_init(&b, im->a);
	for (size_t i = 0; i < w->n; i++) {
		struct str word = w->v[i];

		if (w->tail && i + 1 == w->n)
			word.n--;
		if (i)
			buf_putc(&b, ' ');
		buf_put(&b, word);
	}
	for (size_t i = 0; i < w->later_n; i++) {
		buf_putc(&b, ' ');
		buf_put(&b, w->later[i]);
	}
	if (b.full)
		im->full = true;
	return buf_str(&b);
}

static void
keep_rule(struct import *im, enum import_verb verb, const struct import_words *w,
    enum way way, struct str line, struct str sample, struct str entry)
{
	struct import_rule *r = &im->rules[im->rules_n];

	if (im->rules_n + 1 >= IMPORT_RULES) {
		im->rules_n = IMPORT_RULES;
		return;
	}
	*r = (struct import_rule){
		.verb = verb, .line = line, .entry = entry, .test = sample
	};
	for (size_t i = 0; i < w->n; i++) {
		if (!is_option(w->v[i]))
			r->words[r->words_n++] = w->v[i];
		else if (!r->option.p && way < WAY_WORDS)
			r->option = w->v[i].n > 2 && w->v[i].p[1] != '-'
					? str_cut(w->v[i], 0, 2)
					: w->v[i];
		if (way == WAY_NAME || (way >= WAY_WITH && is_option(w->v[i])))
			break;
	}
	im->rules_n++;
}

static void
put_because(struct buf *b, struct str because)
{
	if (!because.p)
		return;
	buf_puts(b, "  because ");
	import_put_quoted(b, because);
}

void
import_command(struct import *im, enum import_verb verb, struct import_words *w,
    struct str entry, struct str because)
{
	static const char verbs[][6] = { "allow", "ask", "deny" };
	struct str sample = sample_of(im, w), proof = sample;
	bool exact = !w->cut;

	/* ./x is another file in another directory. */
	if (verb == IMPORT_ALLOW && w->n && str_find(w->v[0], '/') < w->v[0].n)
		sample = proof = (struct str){ NULL, 0 };

	if (verb == IMPORT_ALLOW && w->cut) {
		import_note(im, entry, IMPORT_LEFT_OUT,
		    "it matches the text of the command, which rules do not see");
		return;
	}
	for (enum way way = exact ? WAY_PLAIN : WAY_WITH; w->n && way < WAYS; way++) {
		struct buf line;

		if (verb == IMPORT_ALLOW && way > WAY_SPLIT)
			break;
		if (way >= WAY_WITH && first_option(w) == 0)
			break;
		buf_init(&line, im->a);
		buf_puts(&line, verbs[verb]);
		put_way(&line, w, way, verb);
		if (verb != IMPORT_ALLOW)
			put_because(&line, because);
		if (line.full || !im->holds(im->context, buf_str(&line), sample, verb))
			continue;
		keep_rule(im, verb, w, way, buf_str(&line), proof, entry);
		if (way > WAY_SPLIT)
			import_note(im, entry, IMPORT_WIDER,
			    "a rule cannot match exactly these commands");
		return;
	}
	if (verb == IMPORT_ALLOW) {
		import_note(im, entry, IMPORT_LEFT_OUT,
		    "a rule with these words would not let the command run without "
		    "asking");
		return;
	}
	/* The entry may match any command, so the rule must. */
	*w = (struct import_words){ .n = 0 };
	keep_rule(im, verb, w, WAY_PLAIN,
	    verb == IMPORT_DENY ? STR("deny *") : STR("ask *"), (struct str){ NULL, 0 },
	    entry);
	import_note(im, entry, IMPORT_WIDER,
	    "a rule cannot match exactly these commands: it matches all of them");
}
