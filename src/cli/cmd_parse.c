#include "base/json/json.h"
#include "base/limits.h"
#include "cli/cli.h"
#include "parse/parse.h"
#include "parse/print.h"

/* The printed tree is larger than the tree; unused pages cost nothing. */
#define PRINT_BYTES (16 * LIMIT_ARENA)

static void
put_place(struct buf *b, struct str text, const struct err *e)
{
	struct pos where = err_pos(text, e->at);

	buf_puts(b, "line ");
	buf_putu(b, where.line);
	buf_puts(b, ", column ");
	buf_putu(b, where.column);
	buf_puts(b, ": ");
	buf_puts(b, e->why);
}

static void
put_refusal(struct buf *b, struct arena *a, struct str text, const struct err *e, bool json)
{
	struct buf why;

	if (!json) {
		buf_puts(b, "refused  ");
		put_place(b, text, e);
		return;
	}
	buf_init(&why, a);
	put_place(&why, text, e);
	buf_puts(b, "{\"ok\":false,\"error\":");
	json_put_str(b, buf_str(&why));
	buf_putc(b, '}');
}

static int
print(struct arena *a, struct arena *printed, struct str text, bool json)
{
	struct list *top = NULL;
	struct err e = { 0 };
	struct buf out;
	int err = parse(a, text, NULL, &top, &e), status;

	buf_init(&out, printed);
	if (err)
		put_refusal(&out, a, text, &e, json);
	else if (json)
		tree_print_json(&out, top);
	else
		tree_print(&out, top);
	if (out.n && out.p[out.n - 1] != '\n')
		buf_putc(&out, '\n');
	if (out.full)
		return internal_error("the tree is too large to print", 0);
	status = put_out(buf_str(&out));
	return status ? status : err ? EXIT_NOT_OK : EXIT_OK;
}

int
cmd_parse(const struct process *cli, int argc, char **argv)
{
	bool tree = false, json = false;
	const struct opt opts[] = {
		OPT_FLAG("--tree", &tree),
		OPT_FLAG("--json", &json),
	};
	struct opts_result got =
	    opts_read(cli, argc, argv, opts, sizeof opts / sizeof *opts);
	struct str text;
	struct arena a, printed;

	if (got.done)
		return got.status;
	if (tree && json)
		return usage_error(
		    cli, "use --tree or --json, not both", (struct str){ NULL, 0 });
	text = opts_operand(cli, argc, argv, got.operand);
	if (!text.p)
		return EXIT_USAGE;
	if (!arena_map(&a, LIMIT_ARENA) || !arena_map(&printed, PRINT_BYTES))
		return internal_error("no memory", 0);
	return print(&a, &printed, text, json);
}
