/* Print on stderr why a command is not started. */
#include "base/show.h"
#include "launch/launch.h"
#include <unistd.h>

int
launch_complain(const char *what, struct str object, const char *why)
{
	char memory[8192];
	struct arena a;
	struct buf b;

	arena_init(&a, memory, sizeof memory);
	buf_init(&b, &a);
	buf_puts(&b, "cordon run: ");
	buf_puts(&b, what);
	if (object.p) {
		buf_puts(&b, " '");
		show_put(&b, object, 0);
		buf_puts(&b, "'");
	}
	if (why) {
		buf_puts(&b, ": ");
		buf_puts(&b, why);
	}
	buf_putc(&b, '\n');
	(void)write_all(STDERR_FILENO, buf_str(&b));
	return EXIT_NOT_STARTED;
}
