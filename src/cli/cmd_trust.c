#include "cli/keep.h"
#include "cli/layers.h"
#include "cli/place.h"
#include "cli/sha256.h"
#include "look/root.h"
#include <errno.h>

#define TRUST_BYTES ((size_t)32 << 20)

struct trusting {
	const struct cli *cli;
	struct arena a;
	struct str root;
	const char *rules, *records;
};

static int
complain(struct trusting *t, const char *what, const char *object, const char *why)
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

/* The project that DIR belongs to, by the same rule as for a command that starts there. */
static int
find_project(struct trusting *t, int argc, char **argv)
{
	struct opts_result got = opts_read(t->cli, argc, argv, NULL, 0);
	struct place_opts place = { 0 };
	struct root_answer roots;
	struct judge_request q;
	struct err e = { 0 };
	int status;

	if (got.done)
		return got.status ? got.status : -1;
	if (argc > got.operand + 1)
		return usage_error(t->cli, "one directory is expected, not also",
		    str_from_c(argv[got.operand + 1]));
	if (!arena_map(&t->a, TRUST_BYTES))
		return internal_error("no memory", 0);
	if (got.operand < argc)
		place.cwd = str_from_c(argv[got.operand]);
	status = place_take(t->cli, &t->a, &place, &q);
	if (status)
		return status;
	if (root_find(
		&t->a, &(struct root_request){ .cwd = q.cwd, .home = q.home }, &roots, &e))
		return usage_error(t->cli, e.why ? e.why : "no such project:", q.cwd);
	t->root = roots.roots[0];
	t->rules = STORE_NAME(&t->a, t->root, STR("/.cordon/rules"));
	t->records = own_dir(&t->a, t->cli, q.home, DIR_STATE, STR("/trust"));
	if (!t->rules || !t->records || str_find(t->root, '\n') < t->root.n)
		return usage_error(
		    t->cli, "no place to record the trust: is HOME set?", t->root);
	return 0;
}

/* The records without those of this project. */
static int
read_others(struct trusting *t, struct buf *out, bool *ret_had)
{
	struct str text = STR("");
	enum store_result r =
	    store_read(&t->a, t->records, STORE_OWN, TRUST_MAX, &text, NULL);

	*ret_had = false;
	if (r && r != STORE_MISSING)
		return complain(t, "cannot read", t->records, store_why(r, STORE_OWN));
	buf_init(out, &t->a);
	while (text.n) {
		size_t end = str_find(text, '\n');
		struct str line = str_cut(text, 0, end);

		if (line.n > SHA256_HEX + 1 &&
		    str_eq(str_skip(line, SHA256_HEX + 1), t->root))
			*ret_had = true;
		else if (line.n) {
			buf_put(out, line);
			buf_putc(out, '\n');
		}
		text = str_skip(text, end + 1);
	}
	return 0;
}

static int
write_records(struct trusting *t, const struct buf *records)
{
	if (records->full)
		return internal_error("no memory", 0);
	if (!store_write(t->records, buf_str(records)))
		return complain(t, "cannot write", t->records, strerror(errno));
	return 0;
}

/* In the journal before it counts. */
static int
record(struct trusting *t, struct str op, struct str digest)
{
	struct keep k = { .cli = t->cli };
	struct keep_change change = { .op = op, .path = t->root, .outcome = digest };

	if (keep_change(&k, &change) == 0)
		return 0;
	keep_complain(&k);
	return EXIT_INTERNAL;
}

static int
tell(struct trusting *t, const char *what)
{
	struct buf b;

	buf_init(&b, &t->a);
	buf_puts(&b, what);
	buf_put(&b, t->root);
	buf_putc(&b, '\n');
	return put_out(buf_str(&b));
}

static int
trust(struct trusting *t, struct str text)
{
	char hex[SHA256_HEX];
	struct buf records;
	bool had;
	int status = read_others(t, &records, &had);

	if (status)
		return status;
	sha256_hex(text, hex);
	buf_put(&records, str_of(hex, sizeof hex));
	buf_putc(&records, ' ');
	buf_put(&records, t->root);
	buf_putc(&records, '\n');
	status = record(t, STR("trust"), str_of(hex, sizeof hex));
	return status ? status : write_records(t, &records);
}

int
trust_record(const struct cli *cli, struct str home, struct str root, struct str text)
{
	struct trusting t = { .cli = cli, .root = root };

	if (!arena_map(&t.a, TRUST_BYTES))
		return internal_error("no memory", 0);
	t.records = own_dir(&t.a, cli, home, DIR_STATE, STR("/trust"));
	if (!t.records || str_find(root, '\n') < root.n)
		return internal_error("no place to record the trust: is HOME set?", 0);
	return trust(&t, text);
}

int
cmd_trust(const struct cli *cli, int argc, char **argv)
{
	struct trusting t = { .cli = cli };
	struct str text;
	enum store_result r;
	int status = find_project(&t, argc, argv);

	if (status)
		return status < 0 ? 0 : status;
	r = store_read(&t.a, t.rules, STORE_ANY, POLICY_SOURCE_BYTES, &text, NULL);
	if (r == STORE_MISSING) {
		(void)complain(&t, "nothing to trust: cannot read", t.rules,
		    "there is no such file (`cordon init` writes one)");
		return EXIT_NOT_OK;
	}
	if (r)
		return complain(&t, "cannot read", t.rules, store_why(r, STORE_ANY));
	status = trust(&t, text);
	return status ? status : tell(&t, "trusted, until its rules change: ");
}

int
cmd_untrust(const struct cli *cli, int argc, char **argv)
{
	struct trusting t = { .cli = cli };
	struct buf records;
	bool had;
	int status = find_project(&t, argc, argv);

	if (status)
		return status < 0 ? 0 : status;
	status = read_others(&t, &records, &had);
	if (!status && had)
		status = write_records(&t, &records);
	if (status)
		return status;
	/* It can only tighten: done first, and a journal that fails hinders nothing. */
	if (had)
		(void)record(&t, STR("untrust"), (struct str){ NULL, 0 });
	return tell(&t, had ? "no longer trusted: " : "was not trusted: ");
}
