#include "cli/cli.h"

static struct opts_result
done(int status)
{
	return (struct opts_result){ .done = true, .status = status };
}

/* The option that `name` is, or NULL. */
static const struct opt *
find(const struct opt *opts, size_t count, struct str name)
{
	for (size_t i = 0; i < count; i++)
		if (str_is(name, opts[i].name))
			return &opts[i];
	return NULL;
}

static const char *
set_value(const struct opt *o, struct str value)
{
	/* Two values for one thing: whoever reads the line might believe either. */
	if (o->value->p)
		return "option given twice:";
	*o->value = value;
	return NULL;
}

struct opts_result
opts_read(
    const struct cli *cli, int argc, char **argv, const struct opt *opts, size_t count)
{
	int i = 1;

	for (; i < argc; i++) {
		struct str arg = str_from_c(argv[i]);
		size_t equals = str_find(arg, '=');
		struct str name = str_cut(arg, 0, equals);
		const struct opt *o;
		const char *wrong = NULL;

		if (arg.n < 2 || arg.p[0] != '-')
			break;
		if (str_is(arg, "--")) {
			i++;
			break;
		}
		if (str_is(arg, "--help") || str_is(arg, "-h"))
			return done(help_print_one(cli->cmd));
		o = find(opts, count, name);
		if (!o)
			return done(usage_error(cli, "unknown option", name));
		if (o->flag && equals < arg.n)
			return done(usage_error(cli, "option takes no value:", name));
		if (o->flag)
			*o->flag = true;
		else if (equals < arg.n)
			wrong = set_value(o, str_skip(arg, equals + 1));
		else if (++i < argc)
			wrong = set_value(o, str_from_c(argv[i]));
		else
			wrong = "option needs a value:";
		if (wrong)
			return done(usage_error(cli, wrong, name));
	}
	return (struct opts_result){ .operand = i };
}

struct str
opts_operand(const struct cli *cli, int argc, char **argv, int at)
{
	struct str none = { NULL, 0 };

	if (at >= argc)
		(void)usage_error(cli, "no command given", none);
	else if (at + 1 < argc)
		(void)usage_error(cli, "the command must be one word in quotes, not also",
		    str_from_c(argv[at + 1]));
	else
		return str_from_c(argv[at]);
	return none;
}
