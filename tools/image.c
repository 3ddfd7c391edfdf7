/*
 * tools/image.c: compile the built-in rules to an image, when cordon is built.
 *
 *   policy_image OUT
 *
 * A machine without other rules then needs no file for its policy, and the first call does not
 * compile it.
 */
#include "policy/policy.h"
#include <stdio.h>

#define IMAGE_ROOM ((size_t)64 << 20)

static bool
save(const char *path, struct str bytes)
{
	FILE *f = fopen(path, "wb");
	bool done = f && fwrite(bytes.p, 1, bytes.n, f) == bytes.n;

	return f && fclose(f) == 0 && done;
}

int
main(int argc, char **argv)
{
	struct policy_source source = { .layer = LAYER_BUILTIN,
		.trusted = true,
		.file = STR("builtin.rules"),
		.text = policy_builtin() };
	struct arena *a = arena_new(IMAGE_ROOM);
	struct policy_error e = { 0 };
	const struct policy *p = NULL;
	struct buf image;
	bool done;

	if (argc != 2 || !a)
		return 64;
	buf_init(&image, a);
	if (policy_compile(a, &source, 1, &image, &e) || image.full ||
	    policy_open(a, buf_str(&image), &p)) {
		fprintf(stderr, "builtin.rules:%u:%u: %.*s\n", (unsigned)e.line,
		    (unsigned)e.column, (int)e.why.n, e.why.p);
		return 65;
	}
	done = save(argv[1], buf_str(&image));
	arena_free(a);
	return done ? 0 : 74;
}
