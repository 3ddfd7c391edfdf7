/* The output of a command if it is certain: echo, printf, cat of a here-document. */
#include "analyse/names.h"
#include "analyse/programs/programs.h"
#include "analyse/word/word.h"
#include "base/buf.h"

static const struct str nothing_known = { NULL, 0 };

bool
is_plain(const struct word *word)
{
	for (const struct part *p = word->parts; p; p = p->next) {
		if (p->kind == PART_TEXT)
			continue;
		if (p->kind != PART_PARAM || p->param->op != PARAM_PLAIN ||
		    p->param->indirect || p->param->subscript)
			return false;
	}
	return !word->assign;
}

/* Evaluate the words; false unless all are known. */
static bool
known_words(struct walk *w, const struct word *words, struct state *s, struct fields *ret)
{
	for (const struct word *word = words; word; word = word->next)
		if (!is_plain(word))
			return false;
	eval_words(w, words, s, ret);
	for (size_t i = 0; i < ret->n; i++)
		if (ret->v[i].kind != FIELD_STR)
			return false;
	return ret->n > 0 && !w->failed;
}

/* Decode the escape at *i and move *i to its last byte; false for escapes that shells read
 * differently. */
static bool
read_escape(struct str s, size_t *i, bool zero, bool hex, char *ret)
{
	static const char letters[] = "ntr\\", bytes[] = "\n\t\r\\";
	char c = *i + 1 < s.n ? s.p[*i + 1] : '\0';
	const char *letter = c ? strchr(letters, c) : NULL;
	unsigned n = 0, digits = 0, most = zero ? 4 : 3;

	if (letter) {
		*ret = bytes[letter - letters];
		++*i;
		return true;
	}
	if (c == 'x' && hex) {
		for (++*i; digits < 2 && *i + 1 < s.n && byte_hex(s.p[*i + 1]) >= 0;
		     digits++, ++*i)
			n = n * 16 + (unsigned)byte_hex(s.p[*i + 1]);
	} else if (!zero || c == '0') {
		for (; digits < most && *i + 1 < s.n && s.p[*i + 1] >= '0' &&
		       s.p[*i + 1] <= '7';
		     digits++, ++*i)
			n = n * 8 + (unsigned)(s.p[*i + 1] - '0');
	}
	*ret = (char)n;
	return digits > 0 && n > 0 && n < 256;
}

static bool
put_escaped(struct buf *b, struct str t)
{
	for (size_t i = 0; i < t.n; i++) {
		char c = t.p[i];

		if (c == '\\' && !read_escape(t, &i, true, true, &c))
			return false;
		buf_putc(b, c);
	}
	return true;
}

static struct str
echo_output(struct walk *w, const struct fields *f)
{
	struct buf b;
	bool bash = w->frame.dialect == DIALECT_BASH, escapes = false, line = true;
	size_t first = 1;

	for (; bash && first < f->n; first++) {
		if (field_is(f->v[first], "-n"))
			line = false;
		else if (field_is(f->v[first], "-e") || field_is(f->v[first], "-ne") ||
			 field_is(f->v[first], "-en")) {
			escapes = true;
			line &= f->v[first].text.n == 2;
		} else
			break;
	}
	buf_init(&b, w->a);
	for (size_t i = first; i < f->n; i++) {
		struct str t = f->v[i].text;

		/* Refuse options, and escapes that only some versions of echo expand. */
		if ((i == first && str_starts(t, STR("-"))) ||
		    (!escapes && str_find(t, '\\') < t.n))
			return nothing_known;
		if (i > first)
			buf_putc(&b, ' ');
		if (!escapes)
			buf_put(&b, t);
		else if (!put_escaped(&b, t))
			return nothing_known;
	}
	if (line)
		buf_putc(&b, '\n');
	return b.full ? nothing_known : buf_str(&b);
}

/* One pass over the format; false for anything but %s, %% and common escapes. */
static bool
printf_pass(
    struct buf *b, struct str format, const struct fields *f, bool bash, size_t *arg)
{
	for (size_t i = 0; i < format.n; i++) {
		char c = format.p[i], next = i + 1 < format.n ? format.p[i + 1] : '\0';

		if (c == '%' && next == 's') {
			if (*arg < f->n)
				buf_put(b, f->v[(*arg)++].text);
			i++;
		} else if (c == '%' && next == 'b' && bash) {
			if (*arg < f->n && !put_escaped(b, f->v[(*arg)++].text))
				return false;
			i++;
		} else if (c == '%' && next == '%') {
			buf_putc(b, '%');
			i++;
		} else if (c == '%')
			return false;
		else {
			if (c == '\\' && !read_escape(format, &i, false, bash, &c))
				return false;
			buf_putc(b, c);
		}
	}
	return true;
}

struct str
printf_output(struct walk *w, const struct fields *f)
{
	bool bash = w->frame.dialect == DIALECT_BASH;
	struct buf b;
	size_t arg = 2, before;

	if (f->n < 2 || str_starts(f->v[1].text, STR("-")))
		return nothing_known;
	buf_init(&b, w->a);
	do {
		before = arg;
		if (!printf_pass(&b, f->v[1].text, f, bash, &arg))
			return nothing_known;
	} while (arg < f->n && arg > before);
	return b.full ? nothing_known : buf_str(&b);
}

/* The input, if the only redirection is <<E or <<<x. */
static struct str
own_input(struct walk *w, const struct node *node, struct state *s)
{
	const struct redir *r = node->redirs;
	struct field f;
	struct buf b;

	if (!r || r->next || (r->fd != -1 && r->fd != 0) || r->var.p)
		return nothing_known;
	if (r->op == REDIR_HEREDOC && is_plain(r->body)) {
		f = eval_single(w, r->body, s, false);
		return f.kind == FIELD_STR ? f.text : nothing_known;
	}
	if (r->op != REDIR_HERESTRING || !is_plain(r->target))
		return nothing_known;
	f = eval_single(w, r->target, s, false);
	if (f.kind != FIELD_STR)
		return nothing_known;
	buf_init(&b, w->a);
	buf_put(&b, f.text);
	buf_putc(&b, '\n');
	return b.full ? nothing_known : buf_str(&b);
}

struct str
known_output_of(struct walk *w, const struct node *node, struct str in, struct state *s)
{
	struct fields f = { NULL, 0, 0 };

	if (node->kind != NODE_SIMPLE || node->simple.assigns || !node->simple.words ||
	    node->pipe_errors || !known_words(w, node->simple.words, s, &f))
		return nothing_known;
	if (name_has(w, f.v[0].text, NAME_FUNCTION))
		return nothing_known;
	if (node->redirs) {
		in = own_input(w, node, s);
		if (!in.p)
			return nothing_known;
	}
	if (field_is(f.v[0], "echo"))
		return echo_output(w, &f);
	if (field_is(f.v[0], "printf"))
		return printf_output(w, &f);
	if (field_is(f.v[0], "true") || field_is(f.v[0], ":"))
		return STR("");
	in = filter_output(w, &f, in);
	if (in.p && field_is(f.v[0], "tee"))
		note_copied(w, &f, in, s);
	return in;
}

struct str
known_output_node(struct walk *w, const struct node *node, struct state *s)
{
	return known_output_of(w, node, nothing_known, s);
}

/* The first command of a list that has only one pipeline, else NULL. */
static const struct node *
only_command(const struct list *list)
{
	const struct pipeline *p = list->first;

	if (!p || p->next || p->negated || p->timed || p->after == AFTER_BACKGROUND ||
	    !p->first)
		return NULL;
	return p->first;
}

struct str
known_output(struct walk *w, const struct list *list, struct state *s)
{
	struct str text = nothing_known;

	for (const struct node *node = only_command(list); node; node = node->next) {
		text = known_output_of(w, node, text, s);
		if (!text.p)
			break;
	}
	return text;
}

struct str
function_output(struct walk *w, const struct list *list, struct state *s)
{
	const struct node *node = w->functions ? only_command(list) : NULL;
	const struct part *p = node && node->kind == NODE_SIMPLE && node->simple.words
				   ? node->simple.words->parts
				   : NULL;
	struct function *f =
	    p && p->kind == PART_TEXT && !p->next ? function_named(w, p->text) : NULL;
	struct str text = nothing_known;

	if (f && f->body->kind == NODE_GROUP && !f->active) {
		f->active = true; /* the function may call itself */
		text = known_output(w, f->body->body, s);
		f->active = false;
	}
	while (text.n && text.p[text.n - 1] == '\n')
		text.n--;
	return text;
}

static bool
word_is(const struct word *word, const char *text)
{
	const struct part *p = word ? word->parts : NULL;

	return p && !p->next && p->kind == PART_TEXT && str_is(p->text, text);
}

static bool
is_literal_number(const struct word *word)
{
	const struct part *p = word->parts;

	return p && !p->next && p->kind == PART_TEXT && is_number(p->text);
}

bool
numeric_output(const struct list *list)
{
	static const struct {
		char name[6], option[8]; /* without option: any words */
	} table[] = { { "wc", "-l" }, { "wc", "-c" }, { "wc", "-w" }, { "wc", "-m" },
		{ "date", "+%s" }, { "date", "+%s%N" }, { "date", "+%Y" }, { "id", "-u" },
		{ "id", "-g" }, { "nproc", "" }, { "seq", "" } };
	const struct node *node = only_command(list);
	const struct word *name;

	while (node && node->next)
		node = node->next;
	if (!node || node->kind != NODE_SIMPLE)
		return false;
	name = node->simple.words;
	/* seq -f and -s print anything, and an unknown first word could be such an
	 * option. */
	if (word_is(name, "seq"))
		return name->next && is_literal_number(name->next);
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		if (!word_is(name, table[i].name))
			continue;
		if (!table[i].option[0] ||
		    (word_is(name->next, table[i].option) && !name->next->next))
			return true;
	}
	return false;
}

/* The names that mktemp creates from a template. */
static struct str
template_pattern(struct walk *w, struct str dir, struct str template)
{
	struct buf b;
	size_t known = str_find(template, 'X');

	if (known == template.n || str_has_any(str_cut(template, 0, known), FIELD_SIGNS))
		return nothing_known;
	buf_init(&b, w->a);
	buf_put(&b, dir);
	buf_put(&b, str_cut(template, 0, known));
	buf_putc(&b, '*');
	return b.full ? nothing_known : buf_str(&b);
}

struct str
fresh_name(struct walk *w, const struct list *list)
{
	const struct node *node = only_command(list);
	const struct word *word;
	struct str dir = { NULL, 0 };

	if (!node || node->next || node->kind != NODE_SIMPLE || node->simple.assigns ||
	    !word_is(node->simple.words, "mktemp") ||
	    name_has(w, STR("mktemp"), NAME_FUNCTION))
		return nothing_known;
	for (word = node->simple.words->next; word; word = word->next) {
		const struct part *p = word->parts;

		if (!p || p->next || p->kind != PART_TEXT)
			return nothing_known;
		if (str_is(p->text, "-t") || str_is(p->text, "-dt"))
			dir = STR("/tmp/");
		else if (!str_among(p->text, "-d\0-q\0--directory\0--quiet\0"))
			break;
	}
	if (!word)
		return dir.p ? nothing_known : STR("/tmp/tmp.*");
	if (word->next || (!dir.p && !str_starts(word->parts->text, STR("/tmp/"))))
		return nothing_known;
	return template_pattern(w, dir, word->parts->text);
}
