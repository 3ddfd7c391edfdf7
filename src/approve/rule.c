#include "approve/approve.h"

static void
put_word(struct buf *b, struct str word)
{
	buf_puts(b, " \"");
	for (size_t i = 0; i < word.n; i++) {
		if (word.p[i] == '"' || word.p[i] == '\\')
			buf_putc(b, '\\');
		buf_putc(b, word.p[i]);
	}
	buf_putc(b, '"');
}

/* The program, and the subcommands that were found among its words. */
static void
put_subcommand(struct buf *b, const struct command *c)
{
	put_word(b, c->argv[0].text);
	for (size_t i = 0; c->scan && i < c->scan->depth; i++)
		put_word(b, c->argv[c->scan->path[i]].text);
}

const char *
approve_rule(struct buf *out, const struct command *c, enum approve_level level)
{
	for (size_t i = 0; i < c->argc; i++)
		if (c->argv[i].kind != FIELD_STR ||
		    str_find(c->argv[i].text, '\n') < c->argv[i].text.n ||
		    str_find(c->argv[i].text, '\0') < c->argv[i].text.n)
			return "every word must be known, not";
	if (c->argc == 0)
		return "there is no command in";
	buf_puts(out, "allow");
	switch (level) {
	case APPROVE_COMMAND:
		put_word(out, c->argv[0].text);
		break;
	case APPROVE_SUBCOMMAND:
		put_subcommand(out, c);
		break;
	case APPROVE_EXACT:
	case APPROVE_LEVELS:
		for (size_t i = 0; i < c->argc; i++)
			put_word(out, c->argv[i].text);
		buf_puts(out, " exactly");
		break;
	}
	buf_putc(out, '\n');
	return NULL;
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
			return refuse("no rule lifts a refusal");
		if (j->verdict != VERDICT_ASK)
			continue;
		if (!j->command || j->command->function)
			return refuse("what asks is no command that a rule could name");
		buf_init(&one, a);
		if (approve_rule(&one, j->command, level))
			return refuse("a word of it is not known before it runs");
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
		return refuse("what asks is no command that a rule could name");
	return (struct approve_rules){ .lines = buf_str(&all) };
}
