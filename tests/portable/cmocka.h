/*
 * tests/portable/cmocka.h: as much of cmocka as the unit tests of the core use, in ISO C,
 * for machines that have no cmocka.  What fails ends its test; TAP says which and where.
 */
#pragma once
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct CMUnitTest {
	const char *name;
	void (*run)(void **state);
};

#define cmocka_unit_test(test) ((struct CMUnitTest){ #test, (test) })

static jmp_buf cm_out;

#ifdef __clang__
#define CM_FORM printf
#else
#define CM_FORM gnu_printf
#endif
__attribute__((noreturn, format(CM_FORM, 3, 4))) static void
cm_fail(const char *file, int line, const char *form, ...)
{
	va_list args;

	va_start(args, form);
	printf("# %s:%d: ", file, line);
	vprintf(form, args);
	printf("\n");
	va_end(args);
	longjmp(cm_out, 1);
}

static inline void
cm_true(int64_t truth, const char *text, const char *file, int line)
{
	if (!truth)
		cm_fail(file, line, "not so: %s", text);
}

static inline void
cm_same(int64_t got, int64_t want, const char *text, const char *file, int line)
{
	if (got != want)
		cm_fail(file, line, "%s: %lld, not %lld", text, (long long)got,
		    (long long)want);
}

#define cm_must(truth, text) cm_true(!!(truth), text, __FILE__, __LINE__)
#define print_error printf
#define fail_msg(...) cm_fail(__FILE__, __LINE__, __VA_ARGS__)
#define assert_true(c) cm_must(c, #c)
#define assert_false(c) cm_must(!(c), "!(" #c ")")
#define assert_null(p) cm_must(!(p), #p " == NULL")
#define assert_non_null(p) cm_must(p, #p " != NULL")
#define assert_int_equal(a, b)                                                             \
	cm_same((int64_t)(a), (int64_t)(b), #a " == " #b, __FILE__, __LINE__)
#define assert_int_not_equal(a, b) cm_must((int64_t)(a) != (int64_t)(b), #a " != " #b)
#define assert_ptr_equal(a, b) cm_must((const void *)(a) == (const void *)(b), #a " == " #b)
#define assert_ptr_not_equal(a, b)                                                         \
	cm_must((const void *)(a) != (const void *)(b), #a " != " #b)
#define assert_string_equal(a, b) cm_must(strcmp((a), (b)) == 0, #a " is " #b)
#define assert_memory_equal(a, b, n) cm_must(memcmp((a), (b), (n)) == 0, #a " is " #b)
#define assert_in_range(a, least, most)                                                    \
	cm_must((uint64_t)(a) >= (uint64_t)(least) && (uint64_t)(a) <= (uint64_t)(most),   \
	    #a " in " #least ".." #most)

#define cmocka_run_group_tests(tests, setup, teardown)                                     \
	cm_run_all((tests), sizeof(tests) / sizeof *(tests), (setup), (teardown))

static inline int
cm_run_all(const struct CMUnitTest *tests, size_t n, int (*setup)(void **),
    int (*teardown)(void **))
{
	volatile int failed = 0;
	void *state = NULL;

	if (setup && setup(&state) != 0)
		return 1;
	for (volatile size_t i = 0; i < n; i++) {
		if (setjmp(cm_out) == 0) {
			tests[i].run(&state);
			printf("ok %s\n", tests[i].name);
		} else {
			failed++;
			printf("not ok %s\n", tests[i].name);
		}
		fflush(stdout);
	}
	if (teardown && teardown(&state) != 0)
		failed++;
	return failed;
}
