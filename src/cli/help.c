#include "base/arena.h"
#include "base/buf.h"
#include "cli/cli.h"

#define HELP_BYTES 32768

/* Cut off the first line and return it without its newline. */
static struct str
take_line(struct str *rest)
{
	size_t n = str_find(*rest, '\n');
	struct str line = str_cut(*rest, 0, n);

	*rest = str_skip(*rest, n + 1);
	return line;
}

static void
put_usage(struct buf *b, const char *name, struct str usage)
{
	buf_puts(b, program_name());
	buf_putc(b, ' ');
	buf_puts(b, name);
	buf_putc(b, ' ');
	buf_put(b, usage);
	buf_putc(b, '\n');
}

int
help_print_one(const char *name)
{
	char mem[HELP_BYTES];
	struct str page;
	struct arena a;
	struct buf b;
	size_t number = 0;

	while (strcmp(command_name(number), name) != 0)
		number++;
	page = command_page(number);
	arena_init(&a, mem, sizeof mem);
	buf_init(&b, &a);
	buf_puts(&b, "Usage: ");
	put_usage(&b, name, take_line(&page));
	buf_putc(&b, '\n');
	buf_put(&b, page);
	return put_out(buf_str(&b));
}

int
help_print(void)
{
	char mem[HELP_BYTES];
	struct str page;
	struct arena a;
	struct buf b;

	arena_init(&a, mem, sizeof mem);
	buf_init(&b, &a);
	buf_put(&b, command_intro());
	buf_puts(&b, "\nUsage:\n");
	for (size_t i = 0; command_name(i); i++) {
		page = command_page(i);
		buf_puts(&b, "  ");
		put_usage(&b, command_name(i), take_line(&page));
		buf_puts(&b, "      ");
		buf_put(&b, take_line(&page));
		buf_putc(&b, '\n');
	}
	buf_puts(&b, "  ");
	buf_puts(&b, program_name());
	buf_puts(&b, " help [SUBCOMMAND]\n"
		     "      This page, or the page of a subcommand.\n  ");
	buf_puts(&b, program_name());
	buf_puts(&b, " --version\n\n");
	buf_put(&b, command_end());
	return put_out(buf_str(&b));
}
