#include "base/arena.h"
#include "base/buf.h"
#include "cli/cli.h"

#define HELP_BYTES 16384

static void
put_usage(struct buf *b, const struct cmd_entry *cmd)
{
	buf_puts(b, "cordon ");
	buf_puts(b, cmd->name);
	buf_putc(b, ' ');
	buf_puts(b, cmd->usage);
	buf_putc(b, '\n');
}

int
help_print_one(const struct cmd_entry *cmd)
{
	char mem[HELP_BYTES];
	struct arena a;
	struct buf b;

	arena_init(&a, mem, sizeof mem);
	buf_init(&b, &a);
	buf_puts(&b, "Usage: ");
	put_usage(&b, cmd);
	buf_putc(&b, '\n');
	buf_puts(&b, cmd->summary);
	buf_puts(&b, "\n\n");
	buf_puts(&b, cmd->details);
	buf_puts(&b, "\nExamples:\n");
	buf_puts(&b, cmd->examples);
	return put_out(buf_str(&b));
}

int
help_print(const struct cmd_entry *cmds, size_t count)
{
	char mem[HELP_BYTES];
	struct arena a;
	struct buf b;

	arena_init(&a, mem, sizeof mem);
	buf_init(&b, &a);
	buf_puts(&b, "cordon tells what a shell command would do before it runs, and "
		     "decides whether\n"
		     "it may.\n\nUsage:\n");
	for (size_t i = 0; i < count; i++) {
		buf_puts(&b, "  ");
		put_usage(&b, &cmds[i]);
		buf_puts(&b, "      ");
		buf_puts(&b, cmds[i].summary);
		buf_putc(&b, '\n');
	}
	buf_puts(&b, "  cordon help [SUBCOMMAND]\n"
		     "      This page, or the page of a subcommand.\n"
		     "  cordon --version\n\n"
		     "Exit status: 0 done or allow, 10 confine, 11 ask, 12 deny, 1 the "
		     "command is no\n"
		     "valid bash or something was found, 64 wrong usage, 65 a rules file "
		     "is broken,\n"
		     "70 cordon itself failed.\n");
	return put_out(buf_str(&b));
}
