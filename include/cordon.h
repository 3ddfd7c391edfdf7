/*
 * cordon.h: analysis of shell commands and decisions about them, for programs that embed
 *it.
 *
 *	struct cordon *c = cordon_new();
 *	r = cordon_policy_new(c, NULL, &policy);
 *	r = cordon_check(c, policy, text, len, &opts, &verdict, &json, &json_len);
 *	... use json until the next call on c ...
 *	cordon_policy_free(policy);
 *	cordon_free(c);
 *
 * Only one thread at a time may use a handle; two handles share nothing.  A policy is
 * immutable: any number of threads may use one, each with its own handle.  The library uses
 * no file and no environment, prints nothing, and exits only if an internal check fails.
 */
#ifndef CORDON_H
#define CORDON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define CORDON_API __attribute__((visibility("default")))
#else
#define CORDON_API
#endif

struct cordon;

/* "0.1.0": static text. */
CORDON_API const char *cordon_version(void);

/* Return NULL if memory is exhausted.  cordon_free accepts NULL. */
CORDON_API struct cordon *cordon_new(void);
CORDON_API void cordon_free(struct cordon *c);

/*
 * Set `size` to sizeof(struct cordon_analyse_opts) and unused members to zero, so that
 * a program built today works with a later library that has more fields.  A NULL text
 * means "unknown".  Both directories are absolute.
 */
struct cordon_analyse_opts {
	uint32_t size;
	uint32_t reserved; /* 0 */
	const char *cwd;   /* working directory of the command, without symlinks */
	size_t cwd_len;
	const char *home;
	size_t home_len;
};

/*
 * Store the answer of `cordon analyse --json` in *ret_json: one object without a newline,
 * terminated by NUL.  The handle owns it until the next call on the handle.  `opts` may be
 * NULL.
 *
 * Return 0 if there is an answer, also for text that is not a valid command ("ok":false).
 * Otherwise return a negative number and leave *ret_json unchanged.
 */
CORDON_API int cordon_analyse(struct cordon *c, const char *text, size_t len,
    const struct cordon_analyse_opts *opts, const char **ret_json, size_t *ret_json_len);

/* ---- deciding */

struct cordon_policy;

/* Layers of rules, from low to high. */
#define CORDON_LAYER_PROJECT 1u
#define CORDON_LAYER_USER 2u
#define CORDON_LAYER_SESSION 3u
#define CORDON_LAYER_ADMIN 4u

/* One file of rules, see cordon.rules(5).  All entries of an array have the size of the
 * first. */
struct cordon_source {
	uint32_t size;
	uint32_t layer;
	uint32_t
	    trusted; /* project rules: 1 if the owner trusts them; 0: they only tighten */
	uint32_t reserved; /* 0 */
	const char *name;  /* for messages */
	size_t name_len;
	const char *text;
	size_t text_len;
};

struct cordon_policy_opts {
	uint32_t size;
	uint32_t flags;
	const struct cordon_source *sources; /* lowest layer first */
	size_t sources_n;
};

#define CORDON_NO_BUILTIN 1u /* without the built-in rules */

/*
 * Compile the sources and the built-in rules; `opts` NULL: the built-in rules only.
 * Return CORDON_FAIL_POLICY if a source has an error: cordon_error has position and reason.
 * The policy does not refer to the handle or the texts.
 */
CORDON_API int cordon_policy_new(
    struct cordon *c, const struct cordon_policy_opts *opts, struct cordon_policy **ret);
CORDON_API void cordon_policy_free(struct cordon_policy *p); /* accepts NULL */
/* Message of the last failed call on the handle; empty if there is none. */
CORDON_API const char *cordon_error(const struct cordon *c);

/* Verdicts: a smaller number is stricter. */
#define CORDON_DENY 0
#define CORDON_ASK 1
#define CORDON_CONFINE 2
#define CORDON_ALLOW 3

#define CORDON_HEADLESS 1u      /* nobody can be asked: ask becomes deny */
#define CORDON_EXPLICIT_ROOT 2u /* explicit roots: leaving them is denied */
#define CORDON_NO_SANDBOX 4u    /* there is no sandbox: confine becomes ask */
/* Judge paths by their names.  The caller guarantees that no symlink leads out of the
 * roots, that the user of the command cannot write a directory of PATH, and that the
 * repository's configuration runs no code.  Without this flag, facts about files are
 * unknown, and hardly anything is allowed. */
#define CORDON_BY_NAME 8u
#define CORDON_TRACE 16u /* add the trace of every gate to the answer */

#define CORDON_MODE_OF_POLICY 0u
#define CORDON_MODE_ASK_EVERY_TIME 1u
#define CORDON_MODE_USE_ALLOWLIST 2u
#define CORDON_MODE_RUN_EVERYTHING 3u

struct cordon_check_opts {
	uint32_t size;
	uint32_t flags;
	const char *cwd; /* as in cordon_analyse_opts */
	size_t cwd_len;
	const char *home;
	size_t home_len;
	const char *const
	    *roots; /* of the workspace, absolute, NUL-terminated; none: cwd */
	size_t roots_n;
	int64_t now;       /* seconds since 1970, for rules with `until` */
	uint32_t mode;     /* CORDON_MODE_... */
	uint32_t reserved; /* 0 */
};

/*
 * Store the answer of `cordon check --json` in *ret_json, as cordon_analyse does, and the
 * verdict in *ret_verdict, which is CORDON_DENY if the call fails.  `opts` may be NULL.
 */
CORDON_API int cordon_check(struct cordon *c, const struct cordon_policy *policy,
    const char *text, size_t len, const struct cordon_check_opts *opts, int *ret_verdict,
    const char **ret_json, size_t *ret_json_len);

/*
 * Set the size of the cache of a handle, by default 256 answers of cordon_check; 0 disables
 * it. A cached answer is used if everything that could change it is the same: the content
 * of the policy, the text, the options, and the expired `until` rules.  A policy that is
 * compiled again needs no flush.  The call empties the cache and invalidates earlier
 * answers.  Return 0 or CORDON_FAIL_MEMORY; on failure nothing changes.
 */
CORDON_API int cordon_cache(struct cordon *c, size_t entries);
/* Hits and misses of the cache since the last cordon_cache(). */
CORDON_API void cordon_cache_counts(
    const struct cordon *c, uint64_t *ret_hits, uint64_t *ret_misses);

/* Negative results.  Numbers are never reused; treat an unknown one as a failure. */
#define CORDON_FAIL_INPUT (-1)  /* an option is invalid */
#define CORDON_FAIL_MEMORY (-2) /* the memory limit of one command is reached */
#define CORDON_FAIL_POLICY (-3) /* a source of rules has an error */

#ifdef __cplusplus
}
#endif

#endif
