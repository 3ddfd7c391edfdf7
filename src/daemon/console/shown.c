#include "base/limits.h"
#include "base/show.h"
#include "daemon/console/server.h"

void
shown_put_str(struct buf *out, struct str s)
{
	struct buf b;

	buf_init(&b, out->a);
	show_put(&b, s, SHOW_NEWLINES);
	if (b.full)
		out->full = true;
	json_put_str(out, buf_str(&b));
}

static void
put(struct buf *out, const struct json *v, unsigned depth)
{
	bool object = v->kind == JSON_OBJECT;

	if (depth > LIMIT_JSON_DEPTH) {
		out->full = true;
		return;
	}
	switch (v->kind) {
	case JSON_STRING:
		shown_put_str(out, v->text);
		return;
	case JSON_NUMBER:
		buf_put(out, v->text);
		return;
	case JSON_BOOL:
		json_put_bool(out, v->truth);
		return;
	case JSON_NULL:
		buf_puts(out, "null");
		return;
	case JSON_ARRAY:
	case JSON_OBJECT:
		break;
	}
	buf_putc(out, object ? '{' : '[');
	for (const struct json *m = v->first; m; m = m->next) {
		json_put_sep(out);
		if (object) {
			shown_put_str(out, m->key);
			buf_putc(out, ':');
		}
		put(out, m, depth + 1);
	}
	buf_putc(out, object ? '}' : ']');
}

void
shown_put(struct buf *out, const struct json *v)
{
	put(out, v, 0);
}
