/* Read rules files line by line. */
#include "policy/read.h"

/* ---- helpers */

int
read_no_memory(struct rule_reader *r)
{
	r->column = 0;
	r->why = STR("the rules need more memory than allowed");
	return CORDON_ENOMEM;
}

int
read_fail(struct rule_reader *r, const struct token *t, const char *why, const char *rest)
{
	struct buf b;

	buf_init(&b, r->d->a);
	buf_puts(&b, why);
	buf_puts(&b, rest ? rest : "");
	if (t) {
		buf_puts(&b, "; found ");
		buf_put(&b, t->raw);
	}
	if (b.full)
		return read_no_memory(r);
	r->why = buf_str(&b);
	r->column = t ? (size_t)(t->raw.p - r->x.line.p)
		      : (size_t)(r->x.text.p + r->x.text.n - r->x.line.p);
	return CORDON_EINVAL;
}

const struct token *
read_peek(const struct rule_reader *r)
{
	return r->at < r->x.n ? &r->x.v[r->at] : NULL;
}

const struct token *
read_next(struct rule_reader *r)
{
	return r->at < r->x.n ? &r->x.v[r->at++] : NULL;
}

int
read_end(struct rule_reader *r)
{
	const struct token *t = read_peek(r);

	return t ? read_fail(r, t, "expected the end of the line", NULL) : 0;
}

bool
token_is(const struct token *t, const char *word)
{
	return t && t->bare && str_is(t->plain, word);
}

/* "expected one of a b c" */
int
read_expected(struct rule_reader *r, const struct token *t, const struct word_value *table)
{
	struct buf b;

	buf_init(&b, r->d->a);
	buf_puts(&b, "expected");
	for (const struct word_value *w = table; w->word[0]; w++) {
		buf_puts(&b, w == table ? " " : w[1].word[0] ? ", " : " or ");
		buf_puts(&b, w->word);
	}
	buf_putc(&b, '\0');
	return b.full ? read_no_memory(r) : read_fail(r, t, b.p, NULL);
}

int
draft_file(struct draft *d, struct str name, uint32_t *ret)
{
	struct draft_file **end = &d->files;
	uint32_t i = 0;

	for (; *end; end = &(*end)->next, i++) {
		if (str_eq((*end)->name, name)) {
			*ret = i;
			return 0;
		}
	}
	*end = ARENA_NEW(d->a, struct draft_file);
	if (!*end)
		return CORDON_ENOMEM;
	(*end)->name = name;
	d->files_n++;
	*ret = i;
	return 0;
}

/* True if a printed rule already lists the part that bounds remove. */
static bool
is_listed(const struct draft *d, const struct draft_inert *new)
{
	for (const struct draft_inert *x = d->inert; x; x = x->next)
		if (x->why == new->why && x->origin.line == new->origin.line &&
		    x->origin.file == new->origin.file &&
		    x->origin.layer == new->origin.layer &&str_eq(x->text, new->text))
			return true;
	return false;
}

int
draft_list_inert(
    struct draft *d, struct str text, enum inert_why why, const struct draft_origin *o)
{
	struct draft_inert *x = ARENA_NEW(d->a, struct draft_inert);

	if (!x)
		return CORDON_ENOMEM;
	*x = (struct draft_inert){ text, why, *o, NULL };
	*d->inert_end = x;
	d->inert_end = &x->next;
	d->inert_n++;
	return 0;
}

int
draft_leave_out(
    struct draft *d, struct str text, enum inert_why why, const struct draft_origin *o)
{
	if (d->printed && is_listed(d, &(struct draft_inert){ text, why, *o, NULL }))
		return 0;
	return draft_list_inert(d, text, why, o);
}

/* ---- test "command" verdict */

static int
read_test(struct rule_reader *r)
{
	const struct token *command = read_next(r), *t;
	struct draft_test *x;
	unsigned verdict;

	if (!command || command->plain.n == 0)
		return read_fail(r, command, "expected a command in quotes", NULL);
	t = read_next(r);
	if (!word_find(verdict_words, t, &verdict))
		return read_expected(r, t, verdict_words);
	x = ARENA_NEW(r->d->a, struct draft_test);
	if (!x)
		return read_no_memory(r);
	*x = (struct draft_test){ command->plain, r->x.text, (enum verdict)verdict,
		r->origin, NULL };
	*r->d->tests_end = x;
	r->d->tests_end = &x->next;
	r->d->tests_n++;
	return read_end(r);
}

/* ---- one line */

static int
read_statement(struct rule_reader *r)
{
	const struct token *t = read_next(r);
	enum setting id = t->bare ? setting_by_name(t->plain) : SETTINGS;
	unsigned verdict;

	if (id != SETTINGS)
		return read_setting(r, id);
	if (token_is(t, "test"))
		return read_test(r);
	if (word_find(verdict_words, t, &verdict) && verdict != VERDICT_CONFINE)
		return read_rule(r, (enum verdict)verdict);
	return read_fail(
	    r, t, "expected allow, ask, deny, test or a setting such as mode", NULL);
}

static int
read_line(struct rule_reader *r, struct str line)
{
	struct err e = { 0 };
	int code = lex_line(&r->x, line, &e);
	bool skip = false;

	if (code) {
		r->column = e.at;
		r->why = str_from_c(e.why);
		return code;
	}
	r->at = 0;
	if (r->printed) {
		code = printed_origin(r, &skip);
		if (code || skip)
			return code ? read_no_memory(r) : 0;
	}
	return r->x.n == 0 ? 0 : read_statement(r);
}

/* ---- one source */

static int
read_source(
    struct rule_reader *r, const struct policy_source *s, struct policy_error *reterr)
{
	struct draft_origin origin = { .layer = s->layer,
		.untrusted = s->layer == LAYER_PROJECT && !s->trusted && !s->printed };
	size_t from = 0, line_number = 0;
	struct str line = STR("");
	int code = draft_file(r->d, s->file, &origin.file);

	r->printed = s->printed;
	r->d->printed |= s->printed;
	r->x.most = s->printed ? LEX_PRINTED : LEX_LINE;
	if (code)
		read_no_memory(r);
	if (s->text.n > POLICY_SOURCE_BYTES) {
		code = CORDON_ELIMIT;
		r->why = STR("the file is longer than 8 MiB");
		r->column = 0;
	}
	while (!code && from < s->text.n) {
		line = str_skip(s->text, from);
		line.n = str_find(line, '\n');
		from += line.n + 1;
		line_number++;
		r->origin = origin;
		r->origin.line = (uint32_t)line_number;
		code = read_line(r, line);
	}
	if (code)
		*reterr = (struct policy_error){ .line = line_number ? line_number : 1,
			.column = r->column + 1,
			.line_text = line,
			.why = r->why };
	return code;
}

static void
draft_init(struct draft *d, struct arena *a)
{
	*d = (struct draft){ .a = a };
	d->rules_end = &d->rules;
	d->settings_end = &d->settings;
	d->tests_end = &d->tests;
	d->inert_end = &d->inert;
}

/* Find the position of a word that names no set, from its address in the source. */
static void
place_of_word(const struct policy_source *sources, size_t n, struct str word,
    struct policy_error *reterr)
{
	for (size_t i = 0; i < n; i++) {
		struct str text = sources[i].text;
		struct pos place;
		size_t at;

		if ((uintptr_t)word.p < (uintptr_t)text.p ||
		    (uintptr_t)word.p >= (uintptr_t)text.p + text.n)
			continue;
		at = (size_t)(word.p - text.p);
		place = err_pos(text, at);
		reterr->source = i;
		reterr->line = place.line;
		reterr->column = place.column;
		reterr->line_text = str_skip(text, at - (place.column - 1));
		reterr->line_text.n = str_find(reterr->line_text, '\n');
	}
}

static int
resolve_sets(struct draft *d, const struct policy_source *sources, size_t n,
    struct policy_error *reterr)
{
	struct str word = { 0 };
	int r = draft_resolve_sets(d, &word);

	if (!r)
		return 0;
	*reterr = (struct policy_error){ .line = 1, .column = 1 };
	if (r == CORDON_EINVAL)
		reterr->why = STR(
		    "no layer defines this set of hosts; expected a line: set @name HOST");
	else if (r == CORDON_ELIMIT)
		reterr->why = STR("more than 256 hosts in one word");
	else
		reterr->why = STR("the rules need more memory than allowed");
	place_of_word(sources, n, word, reterr);
	return r;
}

int
draft_read(struct arena *a, const struct policy_source *sources, size_t n, struct draft *d,
    struct policy_error *reterr)
{
	struct rule_reader r = { .d = d };
	int code;

	draft_init(d, a);
	code = lex_init(&r.x, a);
	if (code) {
		read_no_memory(&r);
		*reterr = (struct policy_error){ .line = 1, .column = 1, .why = r.why };
		return code;
	}
	/* Process the layers in order, whatever the caller's order is. */
	for (int layer = 0; layer < LAYERS; layer++) {
		for (size_t i = 0; i < n; i++) {
			if ((int)sources[i].layer != layer)
				continue;
			code = read_source(&r, &sources[i], reterr);
			if (code) {
				reterr->source = i;
				return code;
			}
		}
	}
	return resolve_sets(d, sources, n, reterr);
}
