#include "approve/dialog.h"
#include "base/utf8.h"

bool
dialog_init(struct dialog *d, struct arena *a, const struct approve_question *q,
    size_t rows, size_t columns, bool colour)
{
	struct buf b;

	*d = (struct dialog){ .q = q, .colour = colour };
	buf_init(&b, a);
	approve_put_text(&b, q, colour, &d->must);
	if (b.full)
		return false;
	d->text = buf_str(&b);
	d->answer.network = q->can_network && q->wants_network;
	dialog_resize(d, rows, columns);
	return true;
}

void
dialog_resize(struct dialog *d, size_t rows, size_t columns)
{
	d->rows = rows;
	d->columns = columns;
	d->top = 0;
	d->lines = layout_lines(d->text, columns ? columns : 1);
}

void
dialog_end(struct dialog *d, enum approve_end end)
{
	d->answer = (struct approve_answer){ .end = end };
	d->state = DIALOG_DONE;
}

static bool
go(struct dialog *d, enum dialog_state state)
{
	d->state = state;
	d->typed_n = 0;
	return state == DIALOG_DONE;
}

/* A yes requires that the command was on the screen. */
static bool
accept(struct dialog *d, enum approve_choice choice)
{
	if (d->rows < DIALOG_ROWS || d->columns < DIALOG_COLUMNS)
		return false;
	if (d->seen < d->must) {
		d->note = "Not yet: show the rest of the command first (space).";
		return false;
	}
	d->answer.choice = choice;
	return go(d, DIALOG_DONE);
}

static size_t
page(const struct dialog *d)
{
	return d->rows > DIALOG_ROWS ? d->rows - 10 : 1;
}

static bool
scroll(struct dialog *d, uint32_t code)
{
	size_t last = d->lines > page(d) ? d->lines - page(d) : 0, step = page(d) - 1;

	step = step ? step : 1;
	switch (code) {
	case KEY_UP:
	case 'k':
		d->top -= d->top > 0;
		break;
	case KEY_DOWN:
	case 'j':
		d->top++;
		break;
	case KEY_PAGE_UP:
	case 'b':
		d->top -= d->top < step ? d->top : step;
		break;
	case KEY_PAGE_DOWN:
	case ' ':
		d->top += step;
		break;
	case KEY_HOME:
		d->top = 0;
		break;
	case KEY_END:
		/* Scroll page by page, so that nothing is skipped. */
		d->top += step;
		break;
	default:
		return false;
	}
	if (d->top > last)
		d->top = last;
	return true;
}

static bool
main_key(struct dialog *d, uint32_t code)
{
	if (scroll(d, code))
		return false;
	switch (code) {
	case 'y':
		return accept(d, APPROVE_ONCE);
	case 's':
		if (d->q->for_session.lines.p)
			return accept(d, APPROVE_SESSION);
		d->note =
		    d->q->session.p
			? "Not offered for the session: no rule can name this command."
			: "Not offered: there is no session.";
		return false;
	case 'a':
		return go(d, DIALOG_LEVEL);
	case 'h':
		if (approve_here(d->q, &d->answer.level))
			return go(d, DIALOG_PLACE);
		d->note = d->q->hosts.n
			      ? "Not offered: the project's rules cannot be changed."
			      : "Not offered: the question is not about a host.";
		return false;
	case 'e':
		return go(d, DIALOG_SANDBOX);
	case 'm':
		return go(d, DIALOG_MESSAGE);
	case 'n':
	case 'q':
	case KEY_ENTER:
	case KEY_ESCAPE:
		dialog_end(d, APPROVE_CHOSEN);
		return true;
	default:
		d->note = "This key has no meaning here.";
		return false;
	}
}

static bool
level_key(struct dialog *d, uint32_t code)
{
	unsigned level = code - '1';

	if (code == KEY_ESCAPE)
		return go(d, DIALOG_MAIN);
	if (code < '1' || level >= APPROVE_LEVELS)
		return false;
	for (unsigned place = 0; place < APPROVE_PLACES; place++)
		if (d->q->rules[place][level].lines.p) {
			d->answer.level = (enum approve_level)level;
			return go(d, DIALOG_PLACE);
		}
	d->note = "This choice is not offered.";
	return false;
}

static bool
place_key(struct dialog *d, uint32_t code)
{
	enum approve_place place = code == 'p' ? APPROVE_PROJECT : APPROVE_USER;

	if (code == KEY_ESCAPE)
		return go(d, DIALOG_LEVEL);
	if (code != 'u' && code != 'p')
		return false;
	if (!d->q->rules[place][d->answer.level].lines.p) {
		d->note = "This file is not offered.";
		return false;
	}
	d->answer.place = place;
	return accept(d, APPROVE_ALLOWLIST);
}

static bool
sandbox_key(struct dialog *d, uint32_t code)
{
	switch (code) {
	case KEY_ESCAPE:
		return go(d, DIALOG_MAIN);
	case 'n':
		if (d->q->can_network)
			d->answer.network = !d->answer.network;
		else
			d->note = "The administrator's rules allow no network.";
		return false;
	case 'w':
		if (d->q->can_path)
			return go(d, DIALOG_PATH);
		d->note = "The administrator's rules allow no further path.";
		return false;
	case 'c':
		d->answer.path = (struct str){ NULL, 0 };
		return false;
	case 'y':
		return accept(d, APPROVE_ONCE);
	default:
		return false;
	}
}

/* ---- typed text */

static void
type(struct dialog *d, struct keypress k)
{
	char bytes[4];
	size_t n;

	if (k.code == KEY_ERASE) {
		/* Delete a whole character: first byte and continuation bytes. */
		while (d->typed_n && ((unsigned char)d->typed[--d->typed_n] & 0xc0) == 0x80)
			;
		return;
	}
	if (k.code == KEY_ERASE_LINE) {
		d->typed_n = 0;
		return;
	}
	if (k.code >= KEY_ENTER || k.code < 0x20)
		return;
	n = utf8_give(k.code, bytes);
	if (d->typed_n + n > sizeof d->typed) {
		d->note = "The text is too long.";
		return;
	}
	memcpy(d->typed + d->typed_n, bytes, n);
	d->typed_n += n;
}

static bool
text_key(struct dialog *d, struct keypress k)
{
	struct str typed = str_of(d->typed, d->typed_n);

	if (k.code == KEY_ESCAPE)
		return go(d, d->state == DIALOG_PATH ? DIALOG_SANDBOX : DIALOG_MAIN);
	if (k.code != KEY_ENTER || k.pasted) {
		type(d, k);
		return false;
	}
	if (d->state == DIALOG_MESSAGE) {
		memcpy(d->message, typed.p, typed.n);
		dialog_end(d, APPROVE_CHOSEN);
		if (typed.n)
			d->answer.message = str_of(d->message, typed.n);
		return true;
	}
	if (typed.n && typed.p[0] != '/') {
		d->note = "The path must start with a slash.";
		return false;
	}
	memcpy(d->path, typed.p, typed.n);
	d->answer.path = typed.n ? str_of(d->path, typed.n) : (struct str){ NULL, 0 };
	return go(d, DIALOG_SANDBOX);
}

bool
dialog_key(struct dialog *d, struct keypress k)
{
	d->note = NULL;
	if (k.code == KEY_INTERRUPT) {
		dialog_end(d, APPROVE_INTERRUPTED);
		return true;
	}
	if (d->state == DIALOG_PATH || d->state == DIALOG_MESSAGE)
		return text_key(d, k);
	/* Ignore pasted text. */
	if (k.pasted || k.code == KEY_NONE || k.code == KEY_REDRAW)
		return false;
	if (k.code == KEY_ENTER) {
		dialog_end(d, APPROVE_CHOSEN);
		return true;
	}
	switch (d->state) {
	case DIALOG_MAIN:
		return main_key(d, k.code);
	case DIALOG_LEVEL:
		return level_key(d, k.code);
	case DIALOG_PLACE:
		return place_key(d, k.code);
	case DIALOG_SANDBOX:
		return sandbox_key(d, k.code);
	case DIALOG_PATH:
	case DIALOG_MESSAGE:
	case DIALOG_DONE:
		break;
	}
	return true;
}
