/*
 * cordon.h: what a shell command would do, and whether it may, for programs that embed it.
 *
 *	struct cordon *c = cordon_new();
 *	r = cordon_policy_new(c, NULL, &policy);
 *	r = cordon_check(c, policy, text, len, &opts, &verdict, &json, &json_len);
 *	... use json until the next call on c ...
 *	cordon_policy_free(policy);
 *	cordon_free(c);
 *
 * A handle is used by one thread at a time; two handles share nothing.  A policy is
 * never changed: any number of threads may use one, each with a handle of its own.  The
 * library touches no file and no environment, prints nothing and never exits but on a
 * fault of its own.
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

/* NULL when there is no memory.  cordon_free takes NULL. */
CORDON_API struct cordon *cordon_new(void);
CORDON_API void cordon_free(struct cordon *c);

/*
 * Set `size` to sizeof(struct cordon_analyse_opts) and the rest to zero: then a
 * program built today runs with a library that knows more fields.  A NULL text
 * means "unknown".  Both directories are absolute.
 */
struct cordon_analyse_opts {
	uint32_t size;
	uint32_t reserved; /* 0 */
	const char *cwd;   /* where the command would start; no links in it */
	size_t cwd_len;
	const char *home;
	size_t home_len;
};

/*
 * The answer of `cordon analyse --json`, one object without a newline, in *ret_json;
 * it belongs to the handle until the next call on it, and a NUL follows it.  `opts`
 * may be NULL.
 *
 * 0 when there is an answer, also for text that is no valid command: the object then
 * says so ("ok":false).  Else a negative number, and *ret_json is untouched.
 */
CORDON_API int cordon_analyse(struct cordon *c, const char *text, size_t len,
    const struct cordon_analyse_opts *opts, const char **ret_json, size_t *ret_json_len);

/* ---- deciding */

struct cordon_policy;

/* Where rules come from, low to high. */
#define CORDON_LAYER_PROJECT 1u
#define CORDON_LAYER_USER 2u
#define CORDON_LAYER_SESSION 3u
#define CORDON_LAYER_ADMIN 4u

/* One file of rules, see cordon.rules(5).  All of an array have the size of the first. */
struct cordon_source {
	uint32_t size;
	uint32_t layer;
	uint32_t
	    trusted; /* of a project: 1 if its owner said so; else it may only tighten */
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

#define CORDON_NO_BUILTIN 1u /* without the rules that are shipped */

/*
 * Compiles the sources, above the shipped rules; `opts` may be NULL: only those.
 * CORDON_FAIL_POLICY when a source is broken: cordon_error says where and why.
 * The policy does not need the handle, nor the texts, any longer.
 */
CORDON_API int cordon_policy_new(
    struct cordon *c, const struct cordon_policy_opts *opts, struct cordon_policy **ret);
CORDON_API void cordon_policy_free(struct cordon_policy *p); /* takes NULL */
/* The message of the last call on the handle that failed; empty if there is none. */
CORDON_API const char *cordon_error(const struct cordon *c);

/* Verdicts: the stricter is the smaller. */
#define CORDON_DENY 0
#define CORDON_ASK 1
#define CORDON_CONFINE 2
#define CORDON_ALLOW 3

#define CORDON_HEADLESS 1u      /* nobody can be asked: ask becomes deny */
#define CORDON_EXPLICIT_ROOT 2u /* somebody said which root: leaving it is denied */
#define CORDON_NO_SANDBOX 4u    /* none can be had: confine becomes ask */
/* Paths are judged by their names, and programs and git are what they seem: the caller
 * vouches that no link leads out of the roots, that PATH has no entry which the user of
 * the command could write, and that the repository's configuration runs nothing.
 * Without it what depends on files is not known, and hardly anything is allowed. */
#define CORDON_BY_NAME 8u
#define CORDON_TRACE 16u /* the answer has the trace of every gate, too */

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
	    *roots; /* of the workspace, absolute, each ends with a NUL; none: cwd */
	size_t roots_n;
	int64_t now;       /* seconds since 1970, for rules with `until` */
	uint32_t mode;     /* CORDON_MODE_... */
	uint32_t reserved; /* 0 */
};

/*
 * The answer of `cordon check --json` in *ret_json, as with cordon_analyse; the verdict
 * also in *ret_verdict, which is CORDON_DENY whenever the call fails.  `opts` may be NULL.
 */
CORDON_API int cordon_check(struct cordon *c, const struct cordon_policy *policy,
    const char *text, size_t len, const struct cordon_check_opts *opts, int *ret_verdict,
    const char **ret_json, size_t *ret_json_len);

/*
 * A handle keeps answers of cordon_check, 256 of them by default, and gives them again when
 * everything that could change them is the same: what the policy says, text, options, and
 * which rules with `until` are over.  A policy that was compiled anew needs no notice.
 * `entries` 0: nothing is kept.  What was kept is forgotten; an answer from before the call
 * is no longer valid.  0, or CORDON_FAIL_MEMORY: then all is as it was.
 */
CORDON_API int cordon_cache(struct cordon *c, size_t entries);
/* How often a kept answer was given, and how often there was none, since then. */
CORDON_API void cordon_cache_counts(
    const struct cordon *c, uint64_t *ret_hits, uint64_t *ret_misses);

/* Results below zero.  Numbers are never reused; an unknown one is a failure too. */
#define CORDON_FAIL_INPUT (-1)  /* an option is not well formed */
#define CORDON_FAIL_MEMORY (-2) /* more memory than one command is allowed */
#define CORDON_FAIL_POLICY (-3) /* a source of rules is broken */

#ifdef __cplusplus
}
#endif

#endif
