#include "policy/lex.h"
#include "base/show.h"

enum sign {
	SIGN_PLAIN,
	SIGN_BLANK,
	SIGN_CONTROL,
	SIGN_META,  /* has a CODE_ byte */
	SIGN_QUOTE, /* ' " and \ */
	SIGN_SHELL, /* allowed only in quotes */
};

/* Bytes that are not listed are literal. */
static const unsigned char signs[256] = {
	[0 ... 8] = SIGN_CONTROL,
	[10 ... 31] = SIGN_CONTROL,
	['\t'] = SIGN_BLANK,
	[' '] = SIGN_BLANK,
	[127] = SIGN_CONTROL,
	['*'] = SIGN_META,
	['?'] = SIGN_META,
	['{'] = SIGN_META,
	[','] = SIGN_META,
	['}'] = SIGN_META,
	['~'] = SIGN_META,
	['@'] = SIGN_META,
	['['] = SIGN_META,
	[']'] = SIGN_META,
	['"'] = SIGN_QUOTE,
	['\''] = SIGN_QUOTE,
	['\\'] = SIGN_QUOTE,
	['|'] = SIGN_SHELL,
	['&'] = SIGN_SHELL,
	[';'] = SIGN_SHELL,
	['<'] = SIGN_SHELL,
	['>'] = SIGN_SHELL,
	['('] = SIGN_SHELL,
	[')'] = SIGN_SHELL,
	['$'] = SIGN_SHELL,
	['`'] = SIGN_SHELL,
};

/* The state of reading one word. */
struct lex_word {
	struct lexer *x;
	size_t at, n; /* position in the line; bytes written */
	bool braces;
	bool front; /* inside braces at the start of the word */
	struct token t;
	struct err *reterr;
};

static enum sign
sign_of(char c)
{
	return (enum sign)signs[(unsigned char)c];
}

static int
bad(struct lex_word *w, const char *why)
{
	return err_at(w->reterr, CORDON_EINVAL, w->at, why);
}

static void
put(struct lex_word *w, char plain, char code)
{
	w->x->plain[w->n] = plain;
	w->x->code[w->n++] = code;
}

/* Read \xHH; the position is at the x. */
static int
take_hex(struct lex_word *w)
{
	struct str line = w->x->line;
	int high = w->at + 2 < line.n ? byte_hex(line.p[w->at + 1]) : -1;
	int low = high < 0 ? -1 : byte_hex(line.p[w->at + 2]);
	int byte = high * 16 + low;

	if (low < 0 || byte == 0)
		return bad(w, "\\x takes two digits 0-9a-f that are not both 0");
	if (byte < 32 || byte == 127)
		w->t.control = true;
	put(w, (char)byte, (char)byte);
	w->at += 3;
	return 0;
}

/* Read the character after a backslash inside "". */
static int
take_escape(struct lex_word *w)
{
	struct str line = w->x->line;
	char c = w->at < line.n ? line.p[w->at] : '\0';

	if (c == 'x')
		return take_hex(w);
	if (c == 'n' || c == 't') {
		w->t.control = true;
		c = c == 'n' ? '\n' : '\t';
	} else if (c != '"' && c != '\\') {
		return bad(w, "inside \"\" a \\ must be followed by one of \" \\ n t xHH");
	}
	put(w, c, c);
	w->at++;
	return 0;
}

static int
take_quoted(struct lex_word *w, char quote)
{
	struct str line = w->x->line;
	size_t opened = w->at++;
	int r;

	while (w->at < line.n && line.p[w->at] != quote) {
		char c = line.p[w->at];

		if (sign_of(c) == SIGN_CONTROL || c == '\t')
			return bad(w, "a control character; inside \"\" it is written \\t, "
				      "\\n or \\xHH");
		w->at++;
		if (quote == '"' && c == '\\') {
			r = take_escape(w);
			if (r)
				return r;
			continue;
		}
		put(w, c, c);
	}
	if (w->at >= line.n) {
		w->at = opened;
		return bad(w, "this quote is not closed on its line");
	}
	w->at++;
	return 0;
}

static int
take_backslash(struct lex_word *w)
{
	struct str line = w->x->line;
	char c = w->at + 1 < line.n ? line.p[w->at + 1] : '\0';

	if (c == '\0' || sign_of(c) == SIGN_CONTROL || c == '\t')
		return bad(w, "a \\ needs a character after it");
	put(w, c, c);
	w->at += 2;
	return 0;
}

static int
take_brace(struct lex_word *w, char c)
{
	if (c == '{' && w->braces)
		return bad(w, "{ } inside { }: write the alternatives out");
	if (c == '}' && !w->braces)
		return bad(w, "} without {; quote it if you mean the character");
	w->braces = c == '{';
	w->front = w->braces && w->n == 0;
	put(w, c, c == '{' ? CODE_OPEN : CODE_CLOSE);
	return 0;
}

/* True at the start of the word, or of an alternative of leading braces. */
static bool
is_front(const struct lex_word *w)
{
	char before = w->n ? w->x->code[w->n - 1] : CODE_OPEN;

	return w->n == 0 || (w->front && (before == CODE_OPEN || before == CODE_NEXT));
}

static int
take_meta(struct lex_word *w, char c)
{
	char code = c;
	int r = 0;

	if (c == '{' || c == '}') {
		r = take_brace(w, c);
		w->at++;
		return r;
	}
	if (c == '*')
		code = CODE_STAR;
	else if (c == '?')
		code = CODE_ANY;
	else if (c == ',' && w->braces)
		code = CODE_NEXT;
	else if (c == '~' && is_front(w))
		code = CODE_TILDE;
	else if (c == '@' && is_front(w))
		code = CODE_AT;
	else if (c == '[' || c == ']')
		w->t.bracket = true;
	put(w, c, code);
	w->at++;
	return r;
}

static int
take_part(struct lex_word *w)
{
	char c = w->x->line.p[w->at];

	switch (sign_of(c)) {
	case SIGN_PLAIN:
		put(w, c, c);
		w->at++;
		return 0;
	case SIGN_META:
		return take_meta(w, c);
	case SIGN_QUOTE:
		w->t.bare = false;
		return c == '\\' ? take_backslash(w) : take_quoted(w, c);
	case SIGN_CONTROL:
		return bad(w, "a control character; inside \"\" it is written \\xHH");
	case SIGN_SHELL:
	case SIGN_BLANK:
		break;
	}
	return bad(w, c == '$' ? "there are no variables here: ~ is the home directory, "
				 "and a quoted $ is itself"
			       : "rules are about one parsed command each, not about shell "
				 "text; quote this character if you mean it");
}

static int
word_done(struct lex_word *w, size_t start)
{
	struct lexer *x = w->x;
	struct token *t = &w->t;
	bool same;

	t->raw = str_cut(x->line, start, w->at);
	same = t->raw.n == w->n && memcmp(t->raw.p, x->plain, w->n) == 0;
	t->plain = same ? t->raw : arena_copy(x->a, str_of(x->plain, w->n));
	same = w->n == 0 || memcmp(x->plain, x->code, w->n) == 0;
	t->code = same ? t->plain : arena_copy(x->a, str_of(x->code, w->n));
	if (!t->plain.p || !t->code.p)
		return err_at(
		    w->reterr, CORDON_ENOMEM, start, "not enough memory for this word");
	if (x->n == LEX_WORDS)
		return err_at(
		    w->reterr, CORDON_ELIMIT, start, "too many words on one line");
	x->v[x->n++] = *t;
	return 0;
}

static int
take_word(struct lexer *x, size_t *at, struct err *reterr)
{
	struct lex_word w = { .x = x, .at = *at, .t.bare = true, .reterr = reterr };
	int r;

	while (w.at < x->line.n && sign_of(x->line.p[w.at]) != SIGN_BLANK) {
		r = take_part(&w);
		if (r)
			return r;
	}
	if (w.braces) {
		w.at = *at;
		return bad(
		    &w, "{ without }: alternatives are written {a,b}, without blanks");
	}
	r = word_done(&w, *at);
	*at = w.at;
	return r;
}

/* Refuse invisible characters and those that change the reading direction. */
static int
check_visible(struct lexer *x, struct err *reterr)
{
	size_t i = 0, used = x->a->used;
	struct buf shown;
	bool same;

	while (i < x->line.n && (x->line.p[i] & 0x80) == 0)
		i++;
	if (i == x->line.n)
		return 0;
	buf_init(&shown, x->a);
	show_put(&shown, str_skip(x->line, i), 0);
	if (shown.full)
		return err_at(reterr, CORDON_ENOMEM, i, "not enough memory for this line");
	same = str_eq(str_skip(x->line, i), buf_str(&shown));
	if (!same) {
		/* Tabs are harmless. */
		size_t k = i, s = 0;

		for (; k < x->line.n && s < shown.n; k++, s++)
			if (x->line.p[k] == '\t' &&
			    str_starts(str_skip(buf_str(&shown), s), STR("\\t")))
				s++;
			else if (x->line.p[k] != shown.p[s])
				break;
		same = k == x->line.n;
		i = k;
	}
	arena_back(x->a, used);
	return same ? 0
		    : err_at(reterr, CORDON_EINVAL, i,
			  "a byte that is not UTF-8, or a character that cannot be seen; "
			  "inside \"\" "
			  "it is written \\xHH");
}

/* Refuse control characters in comments: they could hide text on a terminal. */
static int
check_comment(const struct lexer *x, size_t at, struct err *reterr)
{
	for (; at < x->line.n; at++)
		if (sign_of(x->line.p[at]) == SIGN_CONTROL)
			return err_at(reterr, CORDON_EINVAL, at, "a control character");
	return 0;
}

int
lex_init(struct lexer *x, struct arena *a)
{
	*x = (struct lexer){ .a = a, .most = LEX_LINE };
	x->v = arena_array(a, LEX_WORDS, sizeof *x->v);
	x->plain = arena_alloc(a, LEX_PRINTED);
	x->code = arena_alloc(a, LEX_PRINTED);
	return x->v && x->plain && x->code ? 0 : CORDON_ENOMEM;
}

int
lex_line(struct lexer *x, struct str line, struct err *reterr)
{
	size_t at = 0, end = 0;
	int r;

	if (line.n > 0 && line.p[line.n - 1] == '\r')
		line.n--;
	x->line = line;
	x->n = 0;
	x->text = str_of(line.p, 0);
	x->comment = (struct str){ 0 };
	if (line.n > x->most)
		return err_at(
		    reterr, CORDON_ELIMIT, x->most, "a line longer than 8192 bytes");
	r = check_visible(x, reterr);
	while (!r) {
		while (at < line.n && sign_of(line.p[at]) == SIGN_BLANK)
			at++;
		if (at == line.n)
			break;
		if (line.p[at] == '#') {
			x->comment = str_skip(line, at + 1);
			r = check_comment(x, at, reterr);
			break;
		}
		r = take_word(x, &at, reterr);
		end = at;
	}
	if (r || x->n == 0)
		return r;
	at = (size_t)(x->v[0].raw.p - line.p);
	x->text = str_cut(line, at, end);
	return 0;
}
