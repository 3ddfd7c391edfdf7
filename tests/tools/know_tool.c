/* know_tool: one argument vector a line in, what the table says of it a line out. */
#include "tools/know_lines.h"
#include <stdio.h>

#define MAX_LINE 65536

int
main(void)
{
	static char line[MAX_LINE];
	cleanup_arena struct arena *a = arena_new((size_t)32 << 20);

	while (a && fgets(line, sizeof line, stdin)) {
		struct str answer;

		arena_reset(a);
		answer = know_line(a, str_of(line, strcspn(line, "\n")));
		fwrite(answer.p, 1, answer.n, stdout);
		putchar('\n');
	}
	return a ? 0 : 1;
}
