/*
 * cordon.h: what a shell command would do, for programs that embed it.
 *
 *	struct cordon *c = cordon_new();
 *	r = cordon_analyse(c, text, len, NULL, &json, &json_len);
 *	... use json until the next call on c ...
 *	cordon_free(c);
 *
 * A handle is used by one thread at a time; two handles share nothing.  The
 * library touches no file and no environment, prints nothing and never exits
 * but on a fault of its own.
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

/* Results below zero.  Numbers are never reused; an unknown one is a failure too. */
#define CORDON_FAIL_INPUT (-1)  /* an option is not well formed */
#define CORDON_FAIL_MEMORY (-2) /* more memory than one command is allowed */

#ifdef __cplusplus
}
#endif

#endif
