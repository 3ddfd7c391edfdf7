/* What was wrong with the words of a command line, and where to find help. */
#include "base/show.h"
#include "os/output.h"

int
usage_error(const struct process *cli, const char *what, struct str object)
{
	return usage_error_near(cli, what, object, NULL);
}

int
usage_error_near(
    const struct process *cli, const char *what, struct str object, const char *meant)
{
	struct message m;

	message_begin(&m);
	if (cli->name) {
		buf_putc(&m.text, ' ');
		buf_puts(&m.text, cli->name);
	}
	buf_puts(&m.text, ": ");
	buf_puts(&m.text, what);
	if (object.p) {
		/* Long enough for any option, short enough for a line. */
		struct str part = object.n > 60 ? str_cut(object, 0, 60) : object;

		buf_puts(&m.text, " '");
		show_put(&m.text, part, 0);
		buf_puts(&m.text, part.n < object.n ? "...'" : "'");
	}
	if (meant) {
		buf_puts(&m.text, "; did you mean '");
		buf_puts(&m.text, meant);
		buf_puts(&m.text, "'?");
	}
	buf_puts(&m.text, "\nTry '");
	buf_puts(&m.text, program_name());
	buf_putc(&m.text, ' ');
	buf_puts(&m.text, cli->name ? cli->name : "--help");
	buf_puts(&m.text, cli->name ? " --help'." : "'.");
	message_end(&m);
	return EXIT_USAGE;
}
