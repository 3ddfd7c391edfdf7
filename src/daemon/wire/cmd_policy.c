#include "base/limits.h"
#include "cli/cli.h"
#include "daemon/daemon.h"
#include "daemon/wire/sandbox_wire.h"
#include <errno.h>
#include <unistd.h>

/* Memory for the input, its tree or message, and the output. */
#define CONVERT_BYTES ((size_t)96 << 20)

static const struct str none = { NULL, 0 };

/* Read standard input; one byte over the limit shows that it is too long. */
static const char *
get_all(struct arena *a, size_t limit, struct str *ret)
{
	char *mem = arena_alloc(a, limit + 1);
	size_t n = 0;

	if (!mem)
		return "no memory";
	while (n <= limit) {
		ssize_t got = read(STDIN_FILENO, mem + n, limit + 1 - n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return "cannot read standard input";
		if (got == 0) {
			*ret = str_of(mem, n);
			return NULL;
		}
		n += (size_t)got;
	}
	return "standard input is too long";
}

/* Convert standard input to standard output; refused input exits 65. */
static int
convert_input(struct arena *a, bool to_json)
{
	struct err e = { 0 };
	struct str in = STR("");
	struct buf out;

	buf_init(&out, a);
	e.why = get_all(a, to_json ? LIMIT_WIRE : LIMIT_JSON, &in);
	if (e.why || (to_json ? convert_to_json(a, in, &out, &e)
			      : convert_to_wire(a, in, &out, &e))) {
		(void)internal_error_why("cannot convert the policy", &e, "", 0);
		return EXIT_POLICY;
	}
	if (to_json)
		buf_putc(&out, '\n');
	return out.full ? internal_error("no memory", 0) : put_out(buf_str(&out));
}

static int
convert(const struct process *cli, int argc, char **argv)
{
	struct str to = none;
	const struct opt opts[] = { OPT_VALUE("--to", &to) };
	struct opts_result got =
	    opts_read(cli, argc, argv, opts, sizeof opts / sizeof *opts);
	struct arena a;

	if (got.done)
		return got.status;
	if (got.operand < argc)
		return usage_error(cli, "convert reads standard input; unexpected",
		    str_from_c(argv[got.operand]));
	if (!to.p)
		return usage_error(cli, "no format given: --to json or --to wire", none);
	if (!str_is(to, "json") && !str_is(to, "wire"))
		return usage_error(cli, "--to must be json or wire, not", to);
	if (!arena_map(&a, CONVERT_BYTES))
		return internal_error("no memory", 0);
	return convert_input(&a, str_is(to, "json"));
}

int
cordond_policy(const struct process *cli, int argc, char **argv)
{
	struct str verb = argc > 1 ? str_from_c(argv[1]) : none;

	if (str_is(verb, "--help") || str_is(verb, "-h"))
		return help_print_one(cli->name);
	if (!str_is(verb, "convert"))
		return usage_error(cli, "the verb must be convert, not", verb);
	return convert(cli, argc - 1, argv + 1);
}
