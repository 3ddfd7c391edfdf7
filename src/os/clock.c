#define _GNU_SOURCE
#include "os/clock.h"
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int64_t
clock_now_ns(void)
{
	struct timespec t = { 0, 0 };

#if defined SYS_clock_gettime && __SIZEOF_POINTER__ == 8
	(void)syscall(SYS_clock_gettime, CLOCK_REALTIME, &t);
#else
	(void)clock_gettime(CLOCK_REALTIME, &t);
#endif
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t
now_seconds(void)
{
	return clock_now_ns() / 1000000000;
}

uint64_t
clock_ms(void)
{
	struct timespec t;

	(void)syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}
