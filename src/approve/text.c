/* Print the question: what would run, why cordon asks, what would be lost. */
#include "approve/approve.h"
#include "base/show.h"
#include "decide/show.h"
#include "journal/sha256.h"

const char *
approve_choice_name(enum approve_choice choice)
{
	static const char names[APPROVE_CHOICES][10] = { "reject", "once", "session",
		"allowlist" };

	return choice < APPROVE_CHOICES ? names[choice] : names[0];
}

const char *
approve_level_name(enum approve_level level)
{
	static const char names[APPROVE_LEVELS][11] = { "exact", "subcommand", "command" };

	return level < APPROVE_LEVELS ? names[level] : names[0];
}

const char *
approve_place_name(enum approve_place place)
{
	return place == APPROVE_PROJECT ? "project" : "user";
}

const char *
approve_end_text(enum approve_end end)
{
	switch (end) {
	case APPROVE_CHOSEN:
		return "a person rejected it";
	case APPROVE_TIMEOUT:
		return "nobody answered in time";
	case APPROVE_INTERRUPTED:
		return "the question was interrupted";
	case APPROVE_LOST:
		return "the terminal or the console went away";
	case APPROVE_NOBODY:
		break;
	}
	return "there is nobody to ask";
}

static void
put_heading(struct buf *out, const char *text, bool colour)
{
	buf_puts(out, colour ? "\x1b[1m" : "");
	buf_puts(out, text);
	buf_puts(out, colour ? "\x1b[0m\n" : "\n");
}

static void
put_paragraph(struct buf *out, struct str text)
{
	struct buf b;

	buf_init(&b, out->a);
	show_put(&b, text, 0);
	if (b.full)
		out->full = true;
	buf_puts(out, "  ");
	show_wrap(out, buf_str(&b), 2, 2);
}

void
approve_put_text(
    struct buf *out, const struct approve_question *q, bool colour, size_t *ret_must)
{
	const struct decision *d = q->decision;

	draw_command(out, q->in->text, d, colour);
	put_heading(out, "Why cordon asks", colour);
	put_paragraph(out, d->reason);
	if (q->lost.n) {
		put_heading(out, "What would be lost", colour);
		buf_put(out, q->lost);
	}
	*ret_must = out->n;
	put_heading(out, "Its sandbox", colour);
	decision_show_sandbox(out, &d->sandbox);
	if (q->in->effects) {
		put_heading(out, "What it does", colour);
		decision_show_effects(out, q->in->effects);
	}
	put_heading(out, "Each part", colour);
	decision_show_parts(out, q->in->text, d, colour);
}

static void
put_part(struct sha256 *s, struct str part)
{
	uint64_t n = part.n;
	char length[8];

	for (size_t i = 0; i < sizeof length; i++)
		length[i] = (char)(n >> (8 * i) & 255);
	sha256_put(s, str_of(length, sizeof length));
	sha256_put(s, part);
}

void
approve_bind(const struct approve_question *q, char ret[static APPROVE_BIND])
{
	static const char digits[] = "0123456789abcdef";
	uint8_t sum[SHA256_BYTES];
	struct sha256 s;

	sha256_init(&s);
	put_part(&s, q->in->text);
	put_part(&s, q->cwd);
	put_part(&s, q->digest);
	sha256_done(&s, sum);
	for (size_t i = 0; i < SHA256_BYTES; i++) {
		ret[2 * i] = digits[sum[i] >> 4];
		ret[2 * i + 1] = digits[sum[i] & 15];
	}
}
