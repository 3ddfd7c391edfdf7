#include "parse/emit.h"
#include "base/json/json.h"
#include "base/show.h"

void
emit_open(struct emit *o, const char *key, const char *kind, const struct span *at)
{
	if (o->json) {
		if (key)
			json_put_key(o->b, key);
		else
			json_put_sep(o->b);
		buf_puts(o->b, "{\"kind\":");
		json_put_str(o->b, str_from_c(kind));
		if (at) {
			json_put_key(o->b, "at");
			buf_putc(o->b, '[');
			buf_putu(o->b, at->start);
			buf_putc(o->b, ',');
			buf_putu(o->b, at->end);
			buf_putc(o->b, ']');
		}
	} else {
		if (o->b->n > 0)
			buf_putc(o->b, '\n');
		for (int i = 0; i < o->depth; i++)
			buf_puts(o->b, "  ");
		if (key) {
			buf_puts(o->b, key);
			buf_puts(o->b, ": ");
		}
		buf_puts(o->b, kind);
		if (at) {
			buf_putc(o->b, ' ');
			buf_putu(o->b, at->start);
			buf_putc(o->b, '-');
			buf_putu(o->b, at->end);
		}
	}
	o->depth++;
}

void
emit_close(struct emit *o)
{
	o->depth--;
	if (o->json)
		buf_putc(o->b, '}');
}

void
emit_list(struct emit *o, const char *key)
{
	if (!o->json)
		return;
	json_put_key(o->b, key);
	buf_putc(o->b, '[');
}

void
emit_list_end(struct emit *o)
{
	if (o->json)
		buf_putc(o->b, ']');
}

void
emit_str(struct emit *o, const char *key, struct str s)
{
	if (o->json) {
		json_put_member(o->b, key, s);
		return;
	}
	buf_putc(o->b, ' ');
	buf_puts(o->b, key);
	buf_puts(o->b, "=\"");
	show_put(o->b, s, SHOW_EXACT);
	buf_putc(o->b, '"');
}

void
emit_int(struct emit *o, const char *key, int64_t n)
{
	if (o->json) {
		json_put_key(o->b, key);
		json_put_int(o->b, n);
		return;
	}
	buf_putc(o->b, ' ');
	buf_puts(o->b, key);
	buf_putc(o->b, '=');
	json_put_int(o->b, n);
}

void
emit_flag(struct emit *o, const char *key, bool set)
{
	if (!set)
		return;
	if (o->json) {
		json_put_key(o->b, key);
		json_put_bool(o->b, true);
		return;
	}
	buf_putc(o->b, ' ');
	buf_puts(o->b, key);
}
