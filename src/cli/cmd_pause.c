#include "base/show.h"
#include "cli/cli.h"
#include "cli/project.h"
#include "gate/ask/pause.h"
#include "gate/keep.h"
#include "gate/owner.h"
#include "os/clock.h"
#include "os/store.h"
#include <errno.h>
#include <unistd.h>

#define PAUSE_ARENA ((size_t)32 << 20)

static const struct str none = { NULL, 0 };

/* Check whether the administrator's rules for this project forbid a pause. */
static int
may_pause(const struct process *cli, struct arena *a)
{
	struct layers_request q = { .now = now_seconds() };
	const struct policy *policy;
	static struct loader loader;
	struct project p;
	int status = project_find(cli, a, &(struct place_opts){ 0 }, &p);

	if (status)
		return status;
	q.home = p.q.home;
	q.root = p.root;
	if (!loader_init(&loader, cli))
		return internal_error("no memory", 0);
	status = load_policy(&loader, &q, &policy);
	if (status)
		return load_complain(&loader, status);
	if (pause_may(policy_settings(policy)))
		return 0;
	(void)internal_error("the administrator's rules forbid a pause", 0);
	return EXIT_DENY;
}

/* Write the journal record first: an unrecorded pause must not start. */
static int
keep(const struct process *cli, const char *path, struct str op, struct str outcome)
{
	struct keep k = { .cli = cli };
	struct keep_change change = {
		.op = op, .path = str_from_c(path), .outcome = outcome
	};

	if (keep_change(&k, &change) == 0)
		return 0;
	keep_complain(&k);
	return EXIT_INTERNAL;
}

static int
begin(const struct process *cli, struct arena *a, const char *path, struct str text,
    int64_t seconds)
{
	struct pause p = { .from = now_seconds() };
	struct buf b, out;
	int status = may_pause(cli, a);

	if (!status)
		status = keep(cli, path, STR("pause"), text);
	if (status)
		return status;
	p.until = p.from + seconds;
	buf_init(&b, a);
	pause_put(&b, &p);
	if (!store_write(path, buf_str(&b)))
		return internal_error("cannot start the pause", errno);
	buf_init(&out, a);
	buf_puts(&out, "cordon is paused for ");
	buf_put(&out, text);
	buf_puts(&out, ".  Where it would ask or confine, the agents' own permissions "
		       "decide;\ndenials still apply.  `cordon pause off` ends the "
		       "pause.\n");
	return put_out(buf_str(&out));
}

static int
end(const struct process *cli, struct arena *a, const char *path)
{
	struct str text;
	int status;

	if (store_read(a, path, STORE_ANY, 4096, &text, NULL) == STORE_MISSING)
		return put_out(STR("cordon is not paused\n"));
	/* Ending a pause only tightens, so do it even if it cannot be recorded. */
	status = keep(cli, path, STR("pause off"), none);
	if (unlink(path))
		return internal_error("cannot end the pause", errno);
	(void)status;
	return put_out(STR("the pause has ended\n"));
}

int
cmd_pause(const struct process *cli, int argc, char **argv)
{
	struct opts_result got = opts_read(cli, argc, argv, NULL, 0);
	const char *path, *why = NULL;
	static struct arena a;
	struct str text;
	int64_t seconds;

	if (got.done)
		return got.status;
	if (got.operand + 1 != argc)
		return usage_error(cli, "no duration given: 10m, 2h or off", none);
	text = str_from_c(argv[got.operand]);
	if (!arena_map(&a, PAUSE_ARENA))
		return internal_error("no memory", 0);
	path = pause_path(&a, cli, cli->home);
	if (!path)
		return usage_error(
		    cli, "no directory for the pause file: is HOME set?", none);
	if (str_is(text, "off"))
		return end(cli, &a, path);
	seconds = owner_duration(text);
	if (seconds <= 0 || seconds > PAUSE_MAX)
		return usage_error(cli, "a pause must be 1s to 8h, or off, not", text);
	if (!owner_is_here(cli, &why)) {
		struct buf b;

		buf_init(&b, &a);
		buf_puts(&b, "only the user at a terminal can pause cordon: ");
		buf_puts(&b, why);
		buf_putc(&b, '\0');
		(void)internal_error(b.p, 0);
		return EXIT_DENY;
	}
	return begin(cli, &a, path, text, seconds);
}
