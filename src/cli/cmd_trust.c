#include "cli/cli.h"
#include "cli/project.h"
#include "gate/rules/layers.h"
#include "look/root.h"

#define TRUST_BYTES ((size_t)32 << 20)

struct trust_job {
	const struct process *cli;
	struct arena a;
	struct str root, home;
	const char *rules;
};

static int
complain(struct trust_job *t, const char *what, const char *object, const char *why)
{
	struct buf b;

	buf_init(&b, &t->a);
	buf_puts(&b, what);
	buf_puts(&b, " '");
	buf_puts(&b, object);
	buf_puts(&b, "': ");
	buf_puts(&b, why);
	buf_putc(&b, '\0');
	return internal_error(b.full ? what : b.p, 0);
}

/* Find the project of DIR, as for a command that starts there. */
static int
find_project(struct trust_job *t, int argc, char **argv)
{
	struct opts_result got = opts_read(t->cli, argc, argv, NULL, 0);
	struct place_opts place = { 0 };
	struct project p;
	int status;

	if (got.done)
		return got.status ? got.status : -1;
	if (argc > got.operand + 1)
		return usage_error(t->cli, "one directory expected; unexpected",
		    str_from_c(argv[got.operand + 1]));
	if (!arena_map(&t->a, TRUST_BYTES))
		return internal_error("no memory", 0);
	if (got.operand < argc)
		place.cwd = str_from_c(argv[got.operand]);
	status = project_need(t->cli, &t->a, &place, &p);
	if (status)
		return status;
	t->root = p.root;
	t->rules = STORE_NAME(&t->a, t->root, STR("/.cordon/rules"));
	t->home = p.q.home;
	if (!t->rules)
		return internal_error("no memory", 0);
	return 0;
}

static int
tell(struct trust_job *t, const char *what)
{
	struct buf b;

	buf_init(&b, &t->a);
	buf_puts(&b, what);
	buf_put(&b, t->root);
	buf_putc(&b, '\n');
	return put_out(buf_str(&b));
}

int
cmd_trust(const struct process *cli, int argc, char **argv)
{
	struct trust_job t = { .cli = cli };
	struct str text;
	enum store_result r;
	int status = find_project(&t, argc, argv);

	if (status)
		return status < 0 ? 0 : status;
	r = store_read(&t.a, t.rules, STORE_ANY, POLICY_SOURCE_BYTES, &text, NULL);
	if (r == STORE_MISSING) {
		(void)complain(&t, "nothing to trust: cannot read", t.rules,
		    "no such file (`cordon init` writes one)");
		return EXIT_NOT_OK;
	}
	if (r)
		return complain(&t, "cannot read", t.rules, store_why(r, STORE_ANY));
	status = trust_record(cli, t.home, t.root, text);
	return status ? status : tell(&t, "trusted until its rules change: ");
}

int
cmd_untrust(const struct process *cli, int argc, char **argv)
{
	struct trust_job t = { .cli = cli };
	bool had;
	int status = find_project(&t, argc, argv);

	if (status)
		return status < 0 ? 0 : status;
	status = trust_forget(cli, t.home, t.root, &had);
	if (status)
		return status;
	return tell(&t, had ? "no longer trusted: " : "was not trusted: ");
}
