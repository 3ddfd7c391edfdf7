/* Draw the dialog: head, text, keys. */
#include "approve/dialog.h"
#include "base/show.h"

#define HEAD 2
#define FOOT 7 /* a separator, five rows, a note */

static void
put_number(struct buf *out, size_t n)
{
	buf_putu(out, (uint64_t)n);
}

/* Move to the start of a row and clear it. */
static void
put_row(struct buf *out, size_t row)
{
	buf_puts(out, "\x1b[");
	put_number(out, row);
	buf_puts(out, ";1H\x1b[0m\x1b[2K");
}

/* Print our own or escaped text, cut to the width. */
static void
put_fitting(struct buf *out, struct str text, size_t columns)
{
	size_t next, end = layout_line(text, 0, columns, &next);

	if (end == text.n || columns < 4) {
		buf_put(out, str_cut(text, 0, end));
		return;
	}
	end = layout_line(text, 0, columns - 3, &next);
	buf_put(out, str_cut(text, 0, end));
	buf_puts(out, "...");
}

static void
put_line(struct buf *out, size_t row, size_t columns, const struct str *parts, size_t n)
{
	struct buf b;

	buf_init(&b, out->a);
	for (size_t i = 0; i < n; i++)
		show_put(&b, parts[i], 0);
	if (b.full)
		out->full = true;
	put_row(out, row);
	put_fitting(out, buf_str(&b), columns);
}

#define LINE(out, row, columns, ...)                                                       \
	put_line((out), (row), (columns), (const struct str[]){ __VA_ARGS__ },             \
	    sizeof((const struct str[]){ __VA_ARGS__ }) / sizeof(struct str))

static void
put_dashes(struct buf *out, size_t row, size_t columns)
{
	put_row(out, row);
	for (size_t i = 0; i < columns; i++)
		buf_putc(out, '-');
}

static void
put_head(struct dialog *d, struct buf *out)
{
	static const struct str title = STR_INIT("cordon asks: may this run?");
	struct str no = { NULL, 0 };
	struct buf b;

	buf_init(&b, out->a);
	buf_puts(&b, "no in ");
	put_number(&b, d->left);
	buf_puts(&b, " s");
	put_row(out, 1);
	buf_puts(out, d->colour ? "\x1b[7m" : "");
	buf_put(out, title);
	for (size_t i = title.n + b.n; i < d->columns; i++)
		buf_putc(out, ' ');
	buf_put(out, buf_str(&b));
	LINE(out, 2, d->columns, STR("in "), d->q->cwd, d->q->asker.p ? STR("  for ") : no,
	    d->q->asker.p ? d->q->asker : no);
	put_dashes(out, 3, d->columns);
}

/* Draw the rows between head and foot; return the number of text lines shown. */
static size_t
put_text(struct dialog *d, struct buf *out, size_t first, size_t rows)
{
	size_t at = 0, line = 0, row = 0, next;

	for (; at < d->text.n && line < d->top; line++)
		(void)layout_line(d->text, at, d->columns, &at);
	for (; row < rows; row++) {
		put_row(out, first + row);
		if (at >= d->text.n)
			continue;
		buf_put(
		    out, str_cut(d->text, at, layout_line(d->text, at, d->columns, &next)));
		/* Count text as seen only if it follows text that was seen. */
		if (at <= d->seen && next > d->seen)
			d->seen = next;
		at = next;
		line++;
	}
	return line - d->top;
}

static void
put_main(struct dialog *d, struct buf *out, size_t row, size_t shown)
{
	struct str no = STR("");
	enum approve_level here;
	struct buf b;

	buf_init(&b, out->a);
	if (shown < d->lines) {
		buf_puts(&b, "Lines ");
		put_number(&b, d->top + 1);
		buf_putc(&b, '-');
		put_number(&b, d->top + shown);
		buf_puts(&b, " of ");
		put_number(&b, d->lines);
		buf_puts(&b, "; space and arrows show the others.");
	}
	LINE(out, row, d->columns, buf_str(&b));
	LINE(out, row + 1, d->columns, STR("y  yes, once"),
	    d->q->for_session.lines.p ? STR("        s  yes, for this session") : no);
	LINE(out, row + 2, d->columns, STR("a  yes, add a rule  e  widen its sandbox"),
	    approve_here(d->q, &here) ? STR("  h  this host, this project") : no);
	LINE(out, row + 3, d->columns,
	    STR("n  no               m  no, with a message to the agent"));
	LINE(out, row + 4, d->columns, STR("Enter, Escape and Ctrl-C mean no."),
	    d->answer.network ? STR("  + network")
	    : d->q->hosts.n   ? STR("  + net ")
			      : no,
	    d->answer.network ? no : d->q->hosts, d->answer.path.p ? STR("  + write ") : no,
	    d->answer.path.p ? d->answer.path : no);
}

/* Join a rule's lines to one row. */
static struct str
joined(struct buf *out, struct str lines)
{
	struct buf b;

	buf_init(&b, out->a);
	for (size_t i = 0; i < lines.n; i++) {
		if (lines.p[i] != '\n')
			buf_putc(&b, lines.p[i]);
		else if (i + 1 < lines.n)
			buf_puts(&b, "  and  ");
	}
	if (b.full)
		out->full = true;
	return buf_str(&b);
}

static void
put_levels(struct dialog *d, struct buf *out, size_t row)
{
	LINE(out, row, d->columns, STR("Which rule?  Escape goes back, Enter means no."));
	for (unsigned i = 0; i < APPROVE_LEVELS; i++) {
		const struct approve_rules *r = &d->q->rules[APPROVE_USER][i];
		char digit[] = { (char)('1' + i), ' ', ' ' };

		if (!r->lines.p)
			r = &d->q->rules[APPROVE_PROJECT][i];
		LINE(out, row + 1 + i, d->columns, str_of(digit, 3),
		    str_from_c(approve_level_name((enum approve_level)i)), STR(": "),
		    r->lines.p ? joined(out, r->lines) : STR("not offered: "),
		    r->lines.p ? STR("") : d->q->rules[APPROVE_USER][i].why);
	}
	put_row(out, row + 4);
}

static void
put_place(struct dialog *d, struct buf *out, size_t row, enum approve_place place)
{
	const struct approve_rules *r = &d->q->rules[place][d->answer.level];

	LINE(out, row, d->columns, place == APPROVE_USER ? STR("u  ") : STR("p  "),
	    str_from_c(approve_place_name(place)),
	    r->lines.p ? STR(": ") : STR(": not offered: "),
	    r->lines.p ? d->q->files[place] : r->why);
}

static void
put_places(struct dialog *d, struct buf *out, size_t row)
{
	const struct approve_rules *user = &d->q->rules[APPROVE_USER][d->answer.level],
				   *project =
				       &d->q->rules[APPROVE_PROJECT][d->answer.level];

	LINE(out, row, d->columns, STR("Add   "),
	    joined(out, user->lines.p ? user->lines : project->lines));
	put_place(d, out, row + 1, APPROVE_USER);
	put_place(d, out, row + 2, APPROVE_PROJECT);
	LINE(out, row + 3, d->columns,
	    STR("The command runs now, and later everything that the rule matches."));
	LINE(out, row + 4, d->columns, STR("Escape goes back, Enter means no."));
}

static void
put_sandbox(struct dialog *d, struct buf *out, size_t row)
{
	LINE(out, row, d->columns, STR("Only for this run:"));
	LINE(out, row + 1, d->columns, STR("n  network: "),
	    d->answer.network ? STR("on")
	    : d->q->hosts.n   ? d->q->hosts
			      : STR("as the policy says"));
	LINE(out, row + 2, d->columns, STR("w  also writable: "),
	    d->answer.path.p ? d->answer.path : STR("nothing"),
	    d->answer.path.p ? STR("   c  clears it") : STR(""));
	LINE(out, row + 3, d->columns, STR("y  yes, once, with this"));
	LINE(out, row + 4, d->columns, STR("Escape goes back, Enter means no."));
}

static void
put_typed(struct dialog *d, struct buf *out, size_t row)
{
	struct str typed = str_of(d->typed, d->typed_n);
	size_t room = d->columns > 8 ? d->columns - 8 : 1;

	/* Show the end of what is typed. */
	if (typed.n > room)
		typed = str_skip(typed, typed.n - room);
	put_row(out, row + 1);
	LINE(out, row, d->columns,
	    d->state == DIALOG_PATH
		? STR("Path that this run may write:")
		: STR("The command does not run.  Tell the agent why:"));
	put_row(out, row + 2);
	put_row(out, row + 3);
	LINE(out, row + 4, d->columns,
	    d->state == DIALOG_PATH
		? STR("Enter accepts it, Escape goes back.")
		: STR("Enter says no with this message, Escape goes back."));
	LINE(out, row + 1, d->columns, STR("> "), typed, STR("_"));
}

void
dialog_draw(struct dialog *d, struct buf *out)
{
	size_t rows, foot, shown;

	buf_puts(out, "\x1b[?25l");
	if (d->rows < DIALOG_ROWS || d->columns < DIALOG_COLUMNS) {
		buf_puts(out, "\x1b[2J");
		LINE(out, 1, d->columns, STR("cordon asks: enlarge this window"));
		LINE(out, 2, d->columns, STR("Enter means no"));
		return;
	}
	rows = d->rows - HEAD - 1 - FOOT;
	foot = d->rows - FOOT + 1;
	put_head(d, out);
	shown = put_text(d, out, HEAD + 2, rows);
	put_dashes(out, foot, d->columns);
	switch (d->state) {
	case DIALOG_MAIN:
	case DIALOG_DONE:
		put_main(d, out, foot + 1, shown);
		break;
	case DIALOG_LEVEL:
		put_levels(d, out, foot + 1);
		break;
	case DIALOG_PLACE:
		put_places(d, out, foot + 1);
		break;
	case DIALOG_SANDBOX:
		put_sandbox(d, out, foot + 1);
		break;
	case DIALOG_PATH:
	case DIALOG_MESSAGE:
		put_typed(d, out, foot + 1);
		break;
	}
	LINE(out, foot + 6, d->columns - 1, str_from_c(d->note ? d->note : ""));
}
