#include "base/near.h"

bool
is_near(struct str a, struct str b)
{
	size_t head = 0, tail = 0;

	while (head < a.n && head < b.n && a.p[head] == b.p[head])
		head++;
	while (tail < a.n - head && tail < b.n - head &&
	       a.p[a.n - 1 - tail] == b.p[b.n - 1 - tail])
		tail++;
	a = str_cut(a, head, a.n - tail);
	b = str_cut(b, head, b.n - tail);
	/* One letter added, removed or replaced, or two neighbours swapped. */
	return (a.n <= 1 && b.n <= 1) ||
	       (a.n == 2 && b.n == 2 && a.p[0] == b.p[1] && a.p[1] == b.p[0]);
}
