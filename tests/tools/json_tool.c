/*
 * json_tool [bytes]: reads framed documents with our JSON reader, and prints a line for
 * each: `refused OFFSET REASON`, or `ok` and the value in a form that any other reader's
 * value can be brought into: strings in hexadecimal, numbers as they were spelt.
 */
#include "base/json/json.h"
#include "base/limits.h"
#include "tools/frames.h"

static void
dump_bytes(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		printf("%02x", (unsigned char)s.p[i]);
}

static void
dump(const struct json *v)
{
	static const char open[] = "[{", close[] = "]}";

	switch (v->kind) {
	case JSON_NULL:
		printf("null");
		return;
	case JSON_BOOL:
		printf(v->truth ? "true" : "false");
		return;
	case JSON_NUMBER:
		printf("%.*s", (int)v->text.n, v->text.p);
		return;
	case JSON_STRING:
		putchar('s');
		dump_bytes(v->text);
		return;
	case JSON_ARRAY:
	case JSON_OBJECT:
		break;
	}
	putchar(open[v->kind == JSON_OBJECT]);
	for (const struct json *m = v->first; m; m = m->next) {
		if (v->kind == JSON_OBJECT) {
			putchar('s');
			dump_bytes(m->key);
			putchar(':');
		}
		dump(m);
		putchar(',');
	}
	putchar(close[v->kind == JSON_OBJECT]);
}

int
main(int argc, char **argv)
{
	struct json_opts opts = { .surrogate_bytes =
				      argc > 1 && str_is(str_from_c(argv[1]), "bytes") };
	cleanup_arena struct arena *a = arena_new(16 * LIMIT_JSON);
	size_t n;

	for (char *p; (p = frame_next(&n)); free(p)) {
		const struct json *v = NULL;
		struct err e = { 0 };

		arena_reset(a);
		if (json_read(a, str_of(p, n), &opts, &v, &e)) {
			printf("refused %zu %s", e.at, e.why);
		} else {
			printf("ok ");
			dump(v);
		}
		putchar('\n');
	}
	return 0;
}
