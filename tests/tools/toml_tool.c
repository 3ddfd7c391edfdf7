/* Reads TOML documents, each behind a line with its length, and prints each as one line of
 * JSON, or `!` and why not.  For the comparison with Python's reader. */
#include "base/toml.h"
#include <stdio.h>
#include <stdlib.h>

static void
put(struct buf *b, const struct json *v)
{
	bool object = v->kind == JSON_OBJECT;

	if (v->kind == JSON_STRING)
		json_put_str(b, v->text);
	else if (v->kind == JSON_BOOL)
		json_put_bool(b, v->truth);
	else if (v->kind == JSON_NUMBER) {
		buf_puts(b, "{\"number\":");
		json_put_str(b, v->text);
		buf_putc(b, '}');
	}
	if (!object && v->kind != JSON_ARRAY)
		return;
	buf_putc(b, object ? '{' : '[');
	for (const struct json *m = v->first; m; m = m->next) {
		if (m != v->first)
			buf_putc(b, ',');
		if (object) {
			json_put_str(b, m->key);
			buf_putc(b, ':');
		}
		put(b, m);
	}
	buf_putc(b, object ? '}' : ']');
}

int
main(void)
{
	static char mem[64 << 20], text[LIMIT_TOML];
	size_t n;

	while (scanf("%zu", &n) == 1 && getchar() == '\n' && n <= sizeof text) {
		const struct json *v = NULL;
		struct err e = { 0 };
		struct arena a;
		struct buf b;

		if (fread(text, 1, n, stdin) != n)
			return 1;
		arena_init(&a, mem, sizeof mem);
		if (toml_read(&a, str_of(text, n), &v, &e)) {
			printf("!%zu %s\n", e.at, e.why);
			continue;
		}
		buf_init(&b, &a);
		put(&b, v);
		buf_putc(&b, '\n');
		fwrite(b.p, 1, b.n, stdout);
	}
	return 0;
}
