#include "base/json/json.h"
#include "base/show.h"
#include "daemon/log/suggest.h"

#define REFUSED_SHOWN 10

static struct str
without_newline(struct str line)
{
	return str_cut(line, 0, str_find(line, '\n'));
}

/* The line that avoids most, of those not yet printed. */
static struct line *
next_line(struct suggest *s, const struct line *before)
{
	struct line *best = NULL;

	for (struct line *l = s->lines; l; l = l->next) {
		if (l == before || l->dropped)
			continue;
		if (before && (l->avoids > before->avoids ||
				  (l->avoids == before->avoids &&
				      str_cmp(l->text, before->text) <= 0)))
			continue;
		if (!best || l->avoids > best->avoids ||
		    (l->avoids == best->avoids && str_cmp(l->text, best->text) < 0))
			best = l;
	}
	return best;
}

static const char *
why_refused(const struct wish *w)
{
	return w->why ? w->why : w->line ? w->line->dropped : NULL;
}

static struct wish *
next_refused(struct suggest *s, const struct wish *before)
{
	struct wish *best = NULL;

	for (struct wish *w = s->wishes; w; w = w->next) {
		if (w == before || !why_refused(w))
			continue;
		if (before && (w->asked > before->asked ||
				  (w->asked == before->asked &&
				      str_cmp(w->shown, before->shown) <= 0)))
			continue;
		if (!best || w->asked > best->asked ||
		    (w->asked == best->asked && str_cmp(w->shown, best->shown) < 0))
			best = w;
	}
	return best;
}

/* ---- JSON */

static void
put_line_json(struct buf *b, const struct line *l)
{
	json_put_sep(b);
	buf_puts(b, "{\"rule\":");
	json_put_str(b, without_newline(l->text));
	json_put_member_u(b, "avoids", l->avoids);
	json_put_member_u(b, "commands", l->different);
	json_put_member_u(b, "accepted", l->accepted);
	learn_put_time(b, "first", l->first);
	learn_put_time(b, "last", l->last);
	json_put_key(b, "records");
	buf_putc(b, '[');
	for (size_t i = 0; i < l->records_n; i++) {
		buf_puts(b, i ? "," : "");
		buf_putu(b, l->records[i]);
	}
	buf_putc(b, ']');
	json_put_key(b, "examples");
	buf_putc(b, '[');
	for (size_t i = 0; i < l->examples_n; i++) {
		json_put_sep(b);
		json_put_str(b, l->examples[i]);
	}
	buf_puts(b, "]}");
}

static void
put_json(struct suggest *s, struct buf *b)
{
	buf_puts(b, "{\"rules\":[");
	for (struct line *l = NULL; (l = next_line(s, l));)
		put_line_json(b, l);
	buf_puts(b, "],\"refused\":[");
	for (struct wish *w = NULL; (w = next_refused(s, w));) {
		json_put_sep(b);
		buf_puts(b, "{\"command\":");
		json_put_str(b, w->shown);
		json_put_member_u(b, "asked", w->asked);
		json_put_member(b, "why", str_from_c(why_refused(w)));
		buf_putc(b, '}');
	}
	buf_puts(b, "],\"questions\":");
	buf_putu(b, s->questions);
	json_put_member_u(b, "avoided", s->avoided);
	json_put_member_u(b, "unjudged", s->l.unjudged);
	buf_puts(b, "}\n");
}

/* ---- print text */

static void
put_line(struct buf *b, const struct line *l)
{
	show_put(b, without_newline(l->text), 0);
	buf_puts(b, "\n    avoids ");
	buf_putu(b, l->avoids);
	buf_puts(b, l->avoids == 1 ? " question (" : " questions (");
	buf_putu(b, l->accepted);
	buf_puts(b, " were answered yes), ");
	buf_putu(b, l->different);
	buf_puts(b, l->different == 1 ? " command, " : " different commands, ");
	record_put_time(b, l->first, false);
	buf_puts(b, " to ");
	record_put_time(b, l->last, false);
	buf_putc(b, '\n');
	for (size_t i = 0; i < l->examples_n; i++) {
		buf_puts(b, "    #");
		buf_putu(b, i < l->records_n ? l->records[i] : l->records[0]);
		buf_puts(b, "  ");
		show_put(b, l->examples[i], 0);
		buf_putc(b, '\n');
	}
}

static void
put_table(struct suggest *s, struct buf *b)
{
	struct wish *w = NULL;
	size_t shown = 0;

	for (struct line *l = NULL; (l = next_line(s, l));)
		put_line(b, l);
	while (shown < REFUSED_SHOWN && (w = next_refused(s, w))) {
		if (shown++ == 0)
			buf_puts(b, "\nno rule suggested for\n");
		buf_puts(b, "    ");
		learn_put_column(b, w->shown, 40);
		buf_puts(b, "  asked ");
		buf_putu(b, w->asked);
		buf_puts(b, " x: ");
		buf_puts(b, why_refused(w));
		buf_putc(b, '\n');
	}
	buf_puts(b, shown || s->avoided ? "\n" : "");
	buf_putu(b, s->avoided);
	buf_puts(b, " of ");
	buf_putu(b, s->questions);
	buf_puts(b, " questions would have been avoided; ");
	buf_putu(b, s->l.unjudged);
	buf_puts(b, " decisions cannot be judged again\n");
}

/* Print lines for a rules file. */
static void
put_rules(struct suggest *s, struct buf *b)
{
	for (struct line *l = NULL; (l = next_line(s, l));) {
		buf_put(b, without_newline(l->text));
		buf_puts(b, "  # avoids ");
		buf_putu(b, l->avoids);
		buf_puts(b, " questions\n");
	}
}

int
suggest_print(struct suggest *s)
{
	static struct arena out;
	struct buf b;

	if (!arena_map(&out, LEARN_BYTES))
		return internal_error("no memory", 0);
	buf_init(&b, &out);
	if (s->json)
		put_json(s, &b);
	else if (s->rules)
		put_rules(s, &b);
	else
		put_table(s, &b);
	return b.full ? internal_error("no memory for the answer", 0)
		      : put_out(buf_str(&b));
}
