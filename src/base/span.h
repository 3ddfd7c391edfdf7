/* base/span.h: a range of a text. */
#pragma once
#include <stdint.h>

struct span {
	uint32_t start, end; /* bytes [start, end) */
};
