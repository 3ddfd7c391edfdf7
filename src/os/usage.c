/* Usage errors: name the bad argument and point to --help. */
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
		/* 60 bytes fit any option name and still fit on a line. */
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
