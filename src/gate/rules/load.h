/*
 * gate/rules/load.h: compile the layers into one policy and cache it as an image.
 *
 * MUST
 * 1. Use all files completely or fail; never skip a broken file.
 * 2. Use a cached image only if the timestamps of all files are unchanged, to the
 *    nanosecond, and old enough to show every change.
 * 3. Run the `test` lines when compiling; a test that finds the policy looser than stated
 *    is an error.
 * 4. Use one consistent policy for a request, even if files change meanwhile.
 */
#pragma once
#include "gate/rules/layers.h"
#include "gate/sha256.h"

struct loader {
	const struct process *cli;
	struct arena scratch;    /* file names, messages */
	struct arena images[2];  /* the policy in use, and the one being compiled */
	struct arena handles[2]; /* same, for images mapped from a file */
	unsigned current;
	bool loaded, shipped; /* shipped: the built-in policy, compiled at build time */
	char key[SHA256_HEX];
	const struct policy *policy;
	struct str mapped; /* the mapping that holds `policy`, if it came from a file */
	uint8_t digest[SHA256_BYTES]; /* of the image: equal rules give equal digests */
	struct buf message;
	bool no_cache; /* always read and compile: lint */
	bool no_tests; /* skip test lines: the caller runs them */
	/* Set when files were last read: */
	struct policy_source sources[LAYER_FILES + 1];
	size_t sources_n;
};

/* The image of the built-in rules followed by its digest: tools/image.c, tools/embed.py. */
struct str policy_builtin_image(void);

/* Return false if out of memory. */
bool loader_init(struct loader *l, const struct process *cli);

/*
 * Return 0 and the policy, valid until the next call; or EXIT_POLICY or EXIT_INTERNAL with
 * position, cause and hint in l->message.
 */
int load_policy(
    struct loader *l, const struct layers_request *q, const struct policy **ret);
/* Print l->message on stderr; return `status`. */
int load_complain(const struct loader *l, int status);
/* Format file:line:column, the line, and a mark below the column. */
void load_put_error(struct buf *b, struct str file, const struct policy_error *e);

/* ---- tests.c: `test` lines */

struct test_failure {
	struct policy_test test;
	enum verdict found;
	bool looser;
	struct str reason;
};
typedef void test_visitor(void *context, const struct test_failure *f, bool passed);
/*
 * Run the test lines of one layer against `p`, by names alone: a path below the root is
 * inside, every other path outside.
 */
void tests_run(struct arena *a, const struct policy *p, enum layer layer,
    const struct layers_request *q, test_visitor *each, void *context);
/* True if the tests of one layer run with the other layer's rules: its own and those below
 * it. */
bool tests_use(enum layer tested, enum layer other);
