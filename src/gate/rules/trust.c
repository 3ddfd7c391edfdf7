#include "gate/keep.h"
#include "gate/rules/layers.h"
#include "gate/sha256.h"
#include "os/output.h"
#include <errno.h>

#define TRUST_BYTES ((size_t)32 << 20)

struct trusting {
	const struct process *cli;
	struct arena a;
	struct str root;
	const char *records;
};

/* Each line is `HASH PATH`: the hash of the rules file and the root of the project. */
bool
trust_has(struct str records, struct str root, struct str text)
{
	char hex[SHA256_HEX];

	sha256_hex(text, hex);
	while (records.n) {
		size_t end = str_find(records, '\n');
		struct str line = str_cut(records, 0, end);

		if (line.n == SHA256_HEX + 1 + root.n && line.p[SHA256_HEX] == ' ' &&
		    str_eq(str_cut(line, 0, SHA256_HEX), str_of(hex, SHA256_HEX)) &&
		    str_eq(str_skip(line, SHA256_HEX + 1), root))
			return true;
		records = str_skip(records, end + 1);
	}
	return false;
}

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

/* Read the records of all other projects. */
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

/* Record the change in the journal before it takes effect. */
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

/* Map memory and find the trust file. */
static int
trust_begin(struct trusting *t, struct str home)
{
	if (!arena_map(&t->a, TRUST_BYTES))
		return internal_error("no memory", 0);
	t->records = own_dir(&t->a, t->cli, home, DIR_STATE, STR("/trust"));
	if (!t->records || str_find(t->root, '\n') < t->root.n)
		return internal_error("cannot record the trust: HOME is not set", 0);
	return 0;
}

int
trust_record(const struct process *cli, struct str home, struct str root, struct str text)
{
	struct trusting t = { .cli = cli, .root = root };
	int status = trust_begin(&t, home);

	return status ? status : trust(&t, text);
}

int
trust_forget(const struct process *cli, struct str home, struct str root, bool *ret_had)
{
	struct trusting t = { .cli = cli, .root = root };
	struct buf records;
	int status = trust_begin(&t, home);

	if (!status)
		status = read_others(&t, &records, ret_had);
	if (!status && *ret_had)
		status = write_records(&t, &records);
	/* Forgetting only tightens, so it does not depend on the journal. */
	if (!status && *ret_had)
		(void)record(&t, STR("untrust"), (struct str){ NULL, 0 });
	return status;
}
