/* Evaluate a word into the fields that the command gets. */
#include "analyse/word/word.h"
#include "analyse/guess.h"
#include "analyse/names.h"
#include "analyse/programs/programs.h"
#include "base/buf.h"

/* A field under construction. */
struct field_maker {
	struct walk *w;
	struct fields *out;
	struct span at;
	struct buf text;
	bool open;    /* a field exists, even if it is empty */
	bool inexact; /* only its prefix is known */
	bool number;  /* the unknown part is digits */
	bool many;    /* the word may become any number of fields */
	bool bracket; /* an unquoted [ is not closed yet */
	bool single;  /* no splitting, braces or globs: always one field */
	bool shaped;  /* looks like an assignment: tildes count after = and : */
	/* The field as a pattern, once a part of it is unknown; see struct field. */
	struct buf among;
	bool patterned, anything; /* anything: no pattern describes it */
};

void
among_put(struct buf *b, struct str text)
{
	for (size_t i = 0; i < text.n; i++) {
		if (memchr(FIELD_SIGNS, text.p[i], sizeof FIELD_SIGNS - 1))
			buf_putc(b, '\\');
		buf_putc(b, text.p[i]);
	}
}

void
among_put_signs(struct buf *b, struct str text)
{
	/* Two stars are one here, but `**` has a meaning in our patterns. */
	for (size_t i = 0; i < text.n; i++)
		if (text.p[i] != '*' || i == 0 || text.p[i - 1] != '*')
			buf_putc(b, text.p[i]);
}

/* Begin the pattern with the known prefix. */
static void
begin_pattern(struct field_maker *m)
{
	if (m->patterned)
		return;
	m->patterned = true;
	buf_init(&m->among, m->w->a);
	among_put(&m->among, buf_str(&m->text));
}

static struct str
pattern_made(struct field_maker *m)
{
	if (!m->patterned || m->anything || m->among.full)
		return (struct str){ NULL, 0 };
	return buf_str(&m->among);
}

void
fields_add(struct walk *w, struct fields *f, struct field field)
{
	if (f->n == f->cap) {
		size_t cap = f->cap ? f->cap * 2 : 8;
		struct field *v = arena_alloc(w->a, cap * sizeof *v);

		if (!v) {
			walk_fail(
			    w, CORDON_ENOMEM, field.at, "the command has too many words");
			return;
		}
		if (f->n)
			memcpy(v, f->v, f->n * sizeof *v);
		f->v = v;
		f->cap = cap;
	}
	f->v[f->n++] = field;
}

bool
fields_split(struct walk *w, struct fields *f, struct field text, const char *signs)
{
	static const char blanks[] = " \t\n\v\f\r";
	size_t i = 0;

	for (size_t k = 0; k < text.text.n; k++)
		if (strchr(signs, text.text.p[k]))
			return false;
	while (i < text.text.n) {
		size_t from = i;

		while (i < text.text.n && !strchr(blanks, text.text.p[i]))
			i++;
		if (i > from)
			fields_add(w, f,
			    field_made(FIELD_STR, str_cut(text.text, from, i), text.at));
		i++;
	}
	return true;
}

static void
begin(struct field_maker *m)
{
	buf_init(&m->text, m->w->a);
	m->open = m->inexact = m->number = m->bracket = false;
	m->patterned = m->anything = false;
}

static struct field
finished(struct field_maker *m)
{
	if (m->text.full)
		walk_fail(m->w, CORDON_ENOMEM, m->at, "a word is too long");
	return (struct field){ .kind = m->inexact ? FIELD_ONE : FIELD_STR,
		.text = buf_str(&m->text),
		.number = m->inexact && m->number,
		.at = m->at,
		.among = m->inexact ? pattern_made(m) : (struct str){ NULL, 0 } };
}

static void
finish(struct field_maker *m)
{
	if (m->open)
		fields_add(m->w, m->out, finished(m));
	begin(m);
}

static void
put_text(struct field_maker *m, struct str text)
{
	m->open = true;
	if (m->patterned)
		among_put(&m->among, text);
	if (!m->inexact)
		buf_put(&m->text, text);
	else if (text.n)
		m->number = false;
}

/* Append text whose special bytes are a pattern. */
static void
put_globbed(struct field_maker *m, struct str text)
{
	begin_pattern(m);
	among_put_signs(&m->among, text);
	m->patterned = false;
	put_text(m, text);
	m->patterned = true;
}

static void
put_unknown(struct field_maker *m, bool number)
{
	begin_pattern(m);
	if (number)
		buf_putc(&m->among, '*');
	else
		m->anything = true;
	m->number = number && !m->inexact;
	m->open = m->inexact = true;
}

/* Append a part that begins with `text` and matches `pattern`. */
static void
put_among(struct field_maker *m, struct str text, struct str pattern)
{
	begin_pattern(m);
	buf_put(&m->among, pattern);
	if (!m->inexact)
		buf_put(&m->text, text);
	m->number = false;
	m->open = m->inexact = true;
}

/* Unquoted literal text may be a glob: the file system decides what it matches. */
static void
look_for_glob(struct field_maker *m, struct str text)
{
	for (size_t i = 0; i < text.n && !m->many; i++) {
		char c = text.p[i];

		if (c == '*' || c == '?' || (c == ']' && m->bracket))
			m->many = !m->single;
		else if (c == '[')
			m->bracket = true;
	}
	/* Extended globs apply only if the shell option is set. */
	if (m->many && (str_find(text, '(') < text.n || str_find(text, '\\') < text.n))
		m->anything = true;
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

/* Append a value that may be a glob, if it stays one word. */
static void
put_value_pattern(struct field_maker *m, struct str value, bool plain_ifs)
{
	for (size_t i = 0; i < value.n; i++)
		if (!plain_ifs || is_blank(value.p[i]) || memchr("(\\", value.p[i], 2))
			m->anything = true;
	put_globbed(m, value);
}

/* True for a separator; one that is not a blank ends a field even if it is empty. */
static bool
is_cutting(struct str ifs, char c, bool *blank)
{
	*blank = is_blank(c);
	return str_find(ifs, c) < ifs.n;
}

/* A mix of blanks and other separators has special rules. */
static bool
is_simple_ifs(struct str ifs)
{
	size_t blanks = 0;

	for (size_t i = 0; i < ifs.n; i++)
		blanks += is_blank(ifs.p[i]);
	return ifs.p && (blanks == 0 || blanks == ifs.n);
}

/* Append an unquoted value: split it, and treat globs. */
static void
put_split(struct field_maker *m, struct str value, struct str ifs)
{
	bool plain_ifs = str_is(ifs, " \t\n"), blank;

	if (m->single) {
		put_text(m, value);
		return;
	}
	for (size_t i = 0; i < value.n; i++)
		if (!is_simple_ifs(ifs) || memchr("*?[\\", value.p[i], 4) ||
		    (value.p[i] == ']' && m->bracket)) {
			put_value_pattern(m, value, plain_ifs);
			m->many = true;
			return;
		}
	for (size_t i = 0; i < value.n; i++) {
		if (!is_cutting(ifs, value.p[i], &blank)) {
			put_text(m, str_of(value.p + i, 1));
			continue;
		}
		m->open |= !blank;
		finish(m);
	}
}

static void put_parts(
    struct field_maker *m, const struct part *parts, struct state *s, bool assign);

/* "$@" and "${a[@]}": the first field joins the text before, the last the text after. */
static void
put_list(
    struct field_maker *m, const struct field *v, size_t n, bool quoted, struct str ifs)
{
	for (size_t i = 0; i < n; i++) {
		if (v[i].kind == FIELD_MANY || (v[i].kind == FIELD_ONE && !quoted))
			m->many = true;
		if (i > 0 && !m->single)
			finish(m);
		else if (i > 0)
			put_text(m, STR(" "));
		if (quoted || m->single)
			put_text(m, v[i].text);
		else
			put_split(m, v[i].text, ifs);
		if (v[i].kind == FIELD_ONE)
			put_unknown(m, false);
	}
}

static void
put_value(struct field_maker *m, struct value v, bool quoted, const struct state *s)
{
	bool ifs = ifs_is_default(s);
	struct str signs = ifs_of(s);

	if (!signs.p && m->w->guessing)
		signs = STR(" \t\n");
	switch (v.kind) {
	case VALUE_TEXT:
		if (quoted)
			put_text(m, v.text);
		else
			put_split(m, v.text, signs);
		return;
	case VALUE_LIST:
		if (m->single && !ifs)
			put_unknown(m, false);
		else
			put_list(m, v.items, v.n, quoted, signs);
		return;
	case VALUE_NUMBER:
		if (!quoted && !ifs && !m->single)
			m->many = true;
		put_unknown(m, true);
		return;
	case VALUE_ONE:
		if (!quoted && !m->single)
			m->many = true;
		if (v.among.p) {
			put_among(m, v.text, v.among);
			return;
		}
		put_text(m, v.text);
		put_unknown(m, v.number);
		return;
	case VALUE_MANY:
		if (!m->single)
			m->many = true;
		put_unknown(m, false);
		return;
	}
}

/* The length of a tilde prefix at the start of `text`. */
static size_t
tilde_length(struct str text, bool assign)
{
	size_t n = 1;

	while (n < text.n && text.p[n] != '/' && !(assign && text.p[n] == ':'))
		n++;
	return n;
}

static void
put_tilde(struct field_maker *m, struct str login, bool last, const struct state *s)
{
	struct str home = home_of(m->w, s);
	struct value guess;

	if (login.n == 0 && last && home.p)
		put_text(m, home);
	else if (last && guess_tilde(m->w, login, s, &guess))
		put_text(m, guess.text);
	else
		put_unknown(m, false);
}

/* The index of the = of name= or name+=, or 0. */
static size_t
assignment_shape(struct str text)
{
	size_t n = name_length(text);

	if (n > 0 && n < text.n && text.p[n] == '+')
		n++;
	return n > 0 && n < text.n && text.p[n] == '=' ? n : 0;
}

/* Append unquoted text. `first`: it begins the word; `assign`: tildes also count after =
 * and :. */
static void
put_unquoted(struct field_maker *m, const struct part *part, bool first, bool assign,
    const struct state *s)
{
	struct str text = part->text;
	void (*put)(struct field_maker *, struct str) =
	    !m->single && str_has_any(text, "*?[]") ? put_globbed : put_text;
	size_t equals = first && !assign ? assignment_shape(text) : 0, from = 0;
	bool shaped;

	m->shaped |= equals > 0 && m->w->frame.dialect == DIALECT_BASH;
	shaped = m->shaped;
	look_for_glob(m, text);
	for (size_t i = 0; i < text.n; i++) {
		bool at_start = first && i == 0;
		bool after =
		    i > 0 && ((assign && text.p[i - 1] == ':') ||
				 (shaped && ((equals && i == equals + 1) ||
						(i > equals && text.p[i - 1] == ':'))));

		if (text.p[i] != '~' || !(at_start || after))
			continue;
		if (i > from)
			put(m, str_cut(text, from, i));
		size_t n = tilde_length(str_skip(text, i), assign || shaped);
		bool ends = i + n < text.n || !part->next;

		put_tilde(m, str_cut(text, i + 1, i + n), ends, s);
		from = i + n;
		i = from - 1;
	}
	if (from < text.n)
		put(m, str_skip(text, from));
}

static void
put_substitution(struct field_maker *m, const struct part *part, struct state *s)
{
	struct walk *w = m->w;
	struct str text = known_output(w, part->sub->body, s);
	struct frame frame = w->frame;
	bool number = numeric_output(part->sub->body);
	struct value guess;

	if (part->sub->how == SUB_BACKQUOTE)
		w->frame = (struct frame){ true, m->at, frame.dialect, part->sub->text };
	if (!w->quiet)
		walk_sub(w, part->sub->body, *s);
	w->frame = frame;
	if (text.p) {
		while (text.n && text.p[text.n - 1] == '\n')
			text.n--;
		put_value(
		    m, (struct value){ .kind = VALUE_TEXT, .text = text }, part->quoted, s);
	} else if ((text = function_output(w, part->sub->body, s)).p &&
		   guess_text(w, text, &guess))
		put_value(m, guess, part->quoted, s);
	else
		put_value(m,
		    (struct value){ .kind = VALUE_ONE,
			.text = STR(""),
			.number = number,
			.among = fresh_name(w, part->sub->body) },
		    part->quoted, s);
}

static void
put_part(struct field_maker *m, const struct part *part, bool first, struct state *s,
    bool assign)
{
	switch (part->kind) {
	case PART_TEXT:
		if (part->quoted)
			put_text(m, part->text);
		else
			put_unquoted(m, part, first, assign, s);
		return;
	case PART_PARAM:
		put_value(m, eval_param(m->w, part, m->at, m->single || part->quoted, s),
		    part->quoted, s);
		return;
	case PART_COMMAND:
		put_substitution(m, part, s);
		return;
	case PART_PROCESS:
		if (part->sub->how == SUB_IN)
			note_fed(m->w, m->at, known_output(m->w, part->sub->body, s));
		if (!m->w->quiet)
			walk_sub(m->w, part->sub->body, *s);
		put_text(m, STR("/dev/fd/"));
		put_unknown(m, true);
		m->anything = true;
		return;
	case PART_ARITH:
		may_abort(m->w, s);
		arith_word(m->w, part->arith, s);
		put_value(m, (struct value){ .kind = VALUE_NUMBER }, part->quoted, s);
		return;
	case PART_OPAQUE:
		put_unknown(m, false);
		return;
	}
}

static void
put_parts(struct field_maker *m, const struct part *parts, struct state *s, bool assign)
{
	for (const struct part *p = parts; p && !m->w->failed; p = p->next)
		put_part(m, p, p == parts, s, assign);
}

/* Fast path: a word of one plain text, as nearly all are. */
static bool
plain(const struct word *word, struct str *ret)
{
	const struct part *p = word->parts;

	if (!p || p->next || p->kind != PART_TEXT)
		return false;
	if (!p->quoted)
		for (size_t i = 0; i < p->text.n; i++)
			if (memchr("{~*?[", p->text.p[i], 5))
				return false;
	*ret = p->text;
	return true;
}

static void
eval_one(struct walk *w, const struct word *word, struct span at, struct state *s,
    struct fields *ret)
{
	struct field_maker m = { .w = w, .out = ret, .at = at };
	size_t before = ret->n;

	begin(&m);
	put_parts(&m, word->parts, s, false);
	if (m.many) {
		/* Fields that are complete already could also be more or fewer. */
		bool alone = ret->n == before;

		ret->n = before;
		fields_add(w, ret,
		    (struct field){ .kind = FIELD_MANY,
			.text = STR(""),
			.number = m.number && m.text.n == 0,
			.at = at,
			.among = alone ? pattern_made(&m) : (struct str){ NULL, 0 } });
		return;
	}
	finish(&m);
}

void
eval_word(struct walk *w, const struct word *word, struct state *s, struct fields *ret)
{
	struct span at = walk_span(w, word->at);
	bool too_many = false;
	size_t before = ret->n;
	struct str text;

	if (plain(word, &text)) {
		fields_add(w, ret, field_made(FIELD_STR, text, at));
		return;
	}
	if (!braces_agree(w, word)) {
		add_unknown(w, at, "bash expands braces here that look quoted");
		too_many = true;
		eval_visit(w, word, s);
	} else
		for (const struct word *b = brace_expand(w, word, &too_many);
		     b && !w->failed; b = b->next)
			eval_one(w, b, at, s, ret);
	if (too_many) {
		ret->n = before;
		fields_add(w, ret, field_made(FIELD_MANY, STR(""), at));
	}
}

void
eval_declared(struct walk *w, const struct word *word, struct state *s, struct fields *ret)
{
	bool too_many = false;
	size_t before = ret->n;

	if (!braces_agree(w, word)) {
		add_unknown(
		    w, walk_span(w, word->at), "bash expands braces here that look quoted");
		eval_visit(w, word, s);
		return;
	}
	for (const struct word *b = brace_expand(w, word, &too_many); b && !w->failed;
	     b = b->next)
		fields_add(w, ret, eval_single(w, b, s, false));
	if (!too_many)
		return;
	ret->n = before;
	fields_add(w, ret, field_made(FIELD_MANY, STR(""), walk_span(w, word->at)));
}

void
eval_words(struct walk *w, const struct word *words, struct state *s, struct fields *ret)
{
	for (; words && !w->failed; words = words->next)
		eval_word(w, words, s, ret);
}

struct field
eval_single(struct walk *w, const struct word *word, struct state *s, bool assign)
{
	struct field_maker m = { .w = w, .single = true };

	if (!word)
		return (struct field){ .kind = FIELD_STR, .text = STR("") };
	m.at = walk_span(w, word->at);
	begin(&m);
	put_parts(&m, word->parts, s, assign);
	return finished(&m);
}

void
eval_visit(struct walk *w, const struct word *word, struct state *s)
{
	if (word)
		(void)eval_single(w, word, s, false);
}
