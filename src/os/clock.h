/* os/clock.h: the clocks.  Plain system calls: for one question, mapping the kernel's page
 * of time costs more than it saves. */
#pragma once
#include <stdint.h>

int64_t clock_now_ns(void); /* since 1970 */
int64_t now_seconds(void);  /* since 1970 */
uint64_t clock_ms(void);    /* monotonic */
