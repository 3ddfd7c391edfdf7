/* os/clock.h: wall clock and monotonic clock. These are plain system calls: a short process
 * asks once, and mapping the vDSO costs more than it saves. */
#pragma once
#include <stdint.h>

int64_t clock_now_ns(void); /* nanoseconds since 1970 */
int64_t now_seconds(void);  /* seconds since 1970 */
uint64_t clock_ms(void);    /* monotonic milliseconds */
