/* tests/inside/filter_run.h: what the kernel would answer by a filter, without the kernel.
 */
#pragma once
#include "confine/filter/filter_tree.h"
#include <string.h>

static inline uint32_t
filter_run(const struct filter *f, const struct kernel_seccomp_data *data)
{
	uint32_t value = 0;

	for (unsigned i = 0; i < f->n; i++) {
		const struct kernel_bpf *b = &f->v[i];
		bool hit = false;

		switch (b->code) {
		case LOAD:
			memcpy(&value, (const char *)data + b->k, sizeof value);
			continue;
		case AND:
			value &= b->k;
			continue;
		case JUMP:
			i += b->k;
			continue;
		case RETURN:
			return b->k;
		case EQUAL:
			hit = value == b->k;
			break;
		case NOT_BELOW:
			hit = value >= b->k;
			break;
		case ANYBIT:
			hit = (value & b->k) != 0;
			break;
		default:
			return KERNEL_SECCOMP_RET_KILL;
		}
		i += hit ? b->jt : b->jf;
	}
	return KERNEL_SECCOMP_RET_KILL;
}
