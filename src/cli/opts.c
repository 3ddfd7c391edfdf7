#include "cli/cli.h"

static struct opts_result
done(int status)
{
	return (struct opts_result){ .done = true, .status = status };
}

/* Find an option by its name, or return NULL. */
static const struct opt *
find(const struct opt *opts, size_t count, struct str name)
{
	for (size_t i = 0; i < count; i++)
		if (str_is(name, opts[i].name))
			return &opts[i];
	return NULL;
}

static const char *
meant_by(const struct opt *opts, size_t count, struct str name)
{
	for (size_t i = 0; i < count; i++)
		if (is_near(name, str_from_c(opts[i].name)))
			return opts[i].name;
	return NULL;
}

/* Return NULL, or what is wrong. */
static const char *
set_value(const struct opt *o, struct str value)
{
	if (o->values) {
		if (o->values->n == OPT_VALUES)
			return "option given too often:";
		o->values->v[o->values->n++] = value;
		return NULL;
	}
	/* Reject a second value: a reader might believe either. */
	if (o->value->p)
		return "option given twice:";
	*o->value = value;
	return NULL;
}

struct opts_result
opts_read(
    const struct process *cli, int argc, char **argv, const struct opt *opts, size_t count)
{
	int i = 1;

	for (; i < argc; i++) {
		struct str arg = str_from_c(argv[i]);
		size_t equals = str_find(arg, '=');
		struct str name = str_cut(arg, 0, equals), value;
		const struct opt *o;
		const char *wrong;

		if (arg.n < 2 || arg.p[0] != '-')
			break;
		if (str_is(arg, "--")) {
			i++;
			break;
		}
		if (str_is(arg, "--help") || str_is(arg, "-h"))
			return done(help_print_one(cli->name));
		o = find(opts, count, name);
		if (!o)
			return done(usage_error_near(
			    cli, "unknown option", name, meant_by(opts, count, name)));
		if (o->flag && equals < arg.n)
			return done(usage_error(cli, "option takes no value:", name));
		if (o->flag) {
			*o->flag = true;
			continue;
		}
		if (equals == arg.n && ++i >= argc)
			return done(usage_error(cli, "option needs a value:", name));
		value = equals < arg.n ? str_skip(arg, equals + 1) : str_from_c(argv[i]);
		wrong = set_value(o, value);
		if (wrong)
			return done(usage_error(cli, wrong, name));
	}
	return (struct opts_result){ .operand = i };
}

struct str
opts_operand(const struct process *cli, int argc, char **argv, int at)
{
	struct str none = { NULL, 0 };

	if (at >= argc)
		(void)usage_error(cli, "no command given", none);
	else if (at + 1 < argc)
		(void)usage_error(cli, "the command must be one quoted word; unexpected",
		    str_from_c(argv[at + 1]));
	else
		return str_from_c(argv[at]);
	return none;
}
