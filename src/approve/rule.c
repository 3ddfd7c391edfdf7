#include "approve/approve.h"
#include "base/quote.h"

static void
put_word(struct buf *b, struct str word)
{
	buf_putc(b, ' ');
	/* Quoted, so that it is no keyword; a word has no NUL. */
	(void)quote_put_always(b, QUOTE_RULE, word, NULL);
}

static bool
is_plain(struct field f)
{
	return f.kind == FIELD_STR && str_find(f.text, '\n') == f.text.n &&
	       str_find(f.text, '\0') == f.text.n;
}

/* True if every word that the rule needs is plain text. */
static bool
are_plain(const struct command *c, enum approve_level level)
{
	if (c->argc == 0 || !is_plain(c->argv[0]))
		return false;
	for (size_t i = 0; level == APPROVE_SUBCOMMAND && c->scan && i < c->scan->depth;
	     i++)
		if (!is_plain(c->argv[c->scan->path[i]]))
			return false;
	for (size_t i = 0; level == APPROVE_EXACT && i < c->argc; i++)
		if (!is_plain(c->argv[i]))
			return false;
	return true;
}

const char *
approve_rule(struct buf *out, const struct command *c, enum approve_level level)
{
	if (!are_plain(c, level))
		return "the command has an unknown word:";
	buf_puts(out, "allow");
	put_word(out, c->argv[0].text);
	switch (level) {
	case APPROVE_COMMAND:
		break;
	case APPROVE_SUBCOMMAND:
		for (size_t i = 0; c->scan && i < c->scan->depth; i++)
			put_word(out, c->argv[c->scan->path[i]].text);
		break;
	case APPROVE_EXACT:
	case APPROVE_LEVELS:
		for (size_t i = 1; i < c->argc; i++)
			put_word(out, c->argv[i].text);
		buf_puts(out, " exactly");
		break;
	}
	buf_putc(out, '\n');
	return NULL;
}

/* Asked because of the network: add only the network access that it needs. */
static void
put_hosts(struct buf *line, const struct text_list *h)
{
	if (!h || line->n == 0)
		return;
	line->n--; /* drop the newline */
	buf_puts(line, " net");
	for (; h; h = h->next) {
		buf_putc(line, ' ');
		decide_put_host(line, h->text);
	}
	buf_putc(line, '\n');
}

/* Start a new file with its version line. */
static void
put_reads(struct buf *line, const struct text_list *f)
{
	if (!f || line->n == 0)
		return;
	line->n--;
	buf_puts(line, " readable");
	for (; f; f = f->next) {
		buf_putc(line, ' ');
		buf_put(line, f->text);
	}
	buf_putc(line, '\n');
}

bool
approve_here(const struct approve_question *q, enum approve_level *ret)
{
	/* As wide as the candidates of `check`, or narrower. */
	static const enum approve_level order[] = { APPROVE_SUBCOMMAND, APPROVE_COMMAND,
		APPROVE_EXACT };

	if (!q->hosts.n || q->wants_network)
		return false;
	for (size_t i = 0; i < sizeof order / sizeof *order; i++)
		if (q->rules[APPROVE_PROJECT][order[i]].lines.p) {
			*ret = order[i];
			return true;
		}
	return false;
}

static bool
has_line(struct str lines, struct str line)
{
	while (lines.n) {
		size_t end = str_find(lines, '\n') + 1;

		if (str_eq(str_cut(lines, 0, end), line))
			return true;
		lines = str_skip(lines, end);
	}
	return false;
}

static struct approve_rules
refuse(const char *why)
{
	return (struct approve_rules){ .why = str_from_c(why) };
}

struct approve_rules
approve_rules(struct arena *a, const struct decision *d, enum approve_level level)
{
	struct buf all, one;

	buf_init(&all, a);
	for (const struct judged *j = d->judged; j; j = j->next) {
		if (j->verdict == VERDICT_DENY || j->hard)
			return refuse("no rule can allow a denied command");
		if (j->verdict != VERDICT_ASK)
			continue;
		if (!j->command || j->command->function)
			return refuse(
			    "the question is not about a command that a rule can name");
		buf_init(&one, a);
		if (approve_rule(&one, j->command, level))
			return refuse("one of its words is unknown before it runs");
		put_hosts(&one, j->hosts);
		put_reads(&one, j->reads);
		if (one.full)
			return refuse("no memory");
		if (!has_line(buf_str(&all), buf_str(&one))) {
			struct str line = buf_str(&one);

			buf_put(&all, line);
		}
	}
	if (all.full)
		return refuse("no memory");
	if (all.n == 0)
		return refuse("the question is not about a command that a rule can name");
	return (struct approve_rules){ .lines = buf_str(&all) };
}
