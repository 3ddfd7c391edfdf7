/*
 * gate/rules/load.h: the layers → one policy, kept as an image.
 *
 * MUST
 * 1. Take all files whole or refuse to work; a broken one is never left out.
 * 2. Use an image only for files that are what they were when it was made, to the
 *    nanosecond, and were not changed so lately that this cannot be told.
 * 3. Run the `test` lines of an image that is made anew; one that shows the policy looser
 *    than it says is an error.
 * 4. Hand out one whole policy for a request, whatever changes meanwhile.
 */
#pragma once
#include "gate/rules/layers.h"
#include "gate/sha256.h"

struct loader {
	const struct process *cli;
	struct arena scratch;    /* names of files, messages */
	struct arena images[2];  /* the policy in use, and the one that is made */
	struct arena handles[2]; /* the same for images that are mapped from a file */
	unsigned current;
	bool loaded, shipped; /* shipped: the policy is the one that is part of cordon */
	char key[SHA256_HEX];
	const struct policy *policy;
	struct str mapped;            /* what `policy` lies in, if it is a file */
	uint8_t digest[SHA256_BYTES]; /* of its image: the same rules have the same */
	struct buf message;
	bool no_cache; /* read and compile whatever is kept: lint */
	bool no_tests; /* test lines are somebody else's business */
	/* Of the last time that files were read: */
	struct policy_source sources[LAYER_FILES + 1];
	size_t sources_n;
};

/* The image of the built-in rules and its digest: tools/image.c, tools/embed.py. */
struct str policy_builtin_image(void);

/* False when there is no memory. */
bool loader_init(struct loader *l, const struct process *cli);

/*
 * 0 and the policy, good until the next call; or EXIT_POLICY or EXIT_INTERNAL, and
 * l->message says where and why, and what to do.
 */
int load_policy(
    struct loader *l, const struct layers_request *q, const struct policy **ret);
/* The message on standard error; returns `status`. */
int load_complain(const struct loader *l, int status);
/* file:line:column, the line and a mark below it. */
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
 * Runs the test lines of one layer against `p`, in a place without files: what lies below
 * the root is inside, everything else outside.
 */
void tests_run(struct arena *a, const struct policy *p, enum layer layer,
    const struct layers_request *q, test_visitor *each, void *context);
/* Those layers with which a layer's tests are judged: itself and what it stands on. */
bool tests_use(enum layer tested, enum layer other);
