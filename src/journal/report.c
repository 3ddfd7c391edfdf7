#include "journal/report.h"
#include "base/json/json.h"
#include "base/show.h"

static const struct str none = { NULL, 0 };

void
journal_fault_put_json(struct buf *b, const struct journal_fault *f)
{
	buf_putc(b, '{');
	json_put_member(b, journal_fault_is_note(f->kind) ? "note" : "fault",
	    str_from_c(journal_fault_name(f->kind)));
	json_put_member_or_null(b, "file", f->file.n ? f->file : none);
	json_put_member_u(b, "offset", f->offset);
	json_put_member_u(b, "size", f->size);
	json_put_member_u(b, "sequence", f->sequence);
	json_put_member_u(b, "missing", f->count);
	json_put_member(b, "means", str_from_c(journal_fault_text(f->kind)));
	json_put_member_or_null(b, "why", str_from_c(f->why));
	buf_putc(b, '}');
}

void
journal_fault_put_line(struct buf *b, const struct journal_fault *f)
{
	buf_puts(b, journal_fault_is_note(f->kind) ? "note " : "FAULT ");
	if (f->file.n) {
		show_put(b, f->file, 0);
		buf_puts(b, " at byte ");
		buf_putu(b, f->offset);
		buf_puts(b, ": ");
	}
	buf_puts(b, journal_fault_text(f->kind));
	buf_puts(b, " (");
	buf_puts(b, journal_fault_name(f->kind));
	if (f->size) {
		buf_puts(b, ", bytes ");
		buf_putu(b, f->size);
	}
	if (f->sequence) {
		buf_puts(b, ", sequence ");
		buf_putu(b, f->sequence);
	}
	if (f->count) {
		buf_puts(b, ", missing ");
		buf_putu(b, f->count);
	}
	if (f->why) {
		buf_puts(b, ", ");
		buf_puts(b, f->why);
	}
	buf_putc(b, ')');
}

void
journal_head_put(struct buf *b, const struct journal_head *head)
{
	buf_putu(b, head->sequence);
	buf_putc(b, ':');
	record_put_hex(b, head->chain, sizeof head->chain);
}

void
journal_sum_put_json(struct buf *b, const struct journal_verify *v)
{
	buf_putc(b, '{');
	json_put_member_bool(b, "intact", v->faults == 0);
	json_put_member_u(b, "files", v->files);
	json_put_member_u(b, "records", v->records);
	json_put_member_u(b, "bytes", v->bytes);
	json_put_member_u(b, "faults", v->faults);
	json_put_member_u(b, "notes", v->notes);
	json_put_key(b, "head");
	if (v->started) {
		buf_putc(b, '"');
		journal_head_put(b, &v->head);
		buf_puts(b, "\"}\n");
	} else {
		buf_puts(b, "null}\n");
	}
}

void
journal_sum_put_line(struct buf *b, const struct journal_verify *v)
{
	buf_puts(b, v->faults ? "not intact: " : "intact: ");
	buf_putu(b, v->records);
	buf_puts(b, " records in ");
	buf_putu(b, v->files);
	buf_puts(b, " files, ");
	buf_putu(b, v->faults);
	buf_puts(b, " faults, ");
	buf_putu(b, v->notes);
	buf_puts(b, " notes\n");
	if (v->started) {
		buf_puts(b, "head ");
		journal_head_put(b, &v->head);
		buf_putc(b, '\n');
	}
}

static int
hex_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool
journal_head_read(struct str s, struct journal_head *ret)
{
	size_t colon = str_find(s, ':');
	struct str hex = str_skip(s, colon + 1);
	struct journal_head head = { 0 };

	if (colon > 18 || hex.n != 2 * sizeof head.chain ||
	    !str_number(str_cut(s, 0, colon), UINT64_MAX, &head.sequence))
		return false;
	for (size_t i = 0; i < sizeof head.chain; i++) {
		int high = hex_digit(hex.p[2 * i]), low = hex_digit(hex.p[2 * i + 1]);

		if (high < 0 || low < 0)
			return false;
		head.chain[i] = (uint8_t)(high << 4 | low);
	}
	*ret = head;
	return true;
}
