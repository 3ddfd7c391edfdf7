/* tests/tools/argv_tool.c STATUS WORD...: what a program sees of its call, in digits; ends
 * with the status. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void
put(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		printf("%02x", (unsigned char)p[i]);
	putchar('\n');
}

int
main(int argc, char **argv)
{
	char text[4096];
	size_t n;

	printf("argc %d\n", argc);
	for (int i = 1; i < argc; i++) {
		n = 0;
		while (argv[i][n])
			n++;
		put(argv[i], n);
	}
	if (getcwd(text, sizeof text))
		printf("cwd %s\n", text);
	n = fread(text, 1, sizeof text, stdin);
	printf("stdin ");
	put(text, n);
	fprintf(stderr, "told %d\n", argc);
	return argc > 1 ? (int)strtol(argv[1], NULL, 10) & 127 : 0;
}
