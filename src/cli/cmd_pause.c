#include "base/show.h"
#include "cli/cli.h"
#include "gate/ask/pause.h"
#include "gate/keep.h"
#include "gate/owner.h"
#include "gate/place.h"
#include "look/root.h"
#include "os/store.h"
#include <errno.h>
#include <time.h>
#include <unistd.h>

#define PAUSE_ARENA ((size_t)32 << 20)

static const struct str none = { NULL, 0 };

static int64_t
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return t.tv_sec;
}

/* The administrator's word, in the project that we are in. */
static int
may_pause(const struct process *cli, struct arena *a)
{
	struct place_opts place = { 0 };
	struct layers_request q = { .now = now() };
	const struct policy *policy;
	static struct loader loader;
	struct root_answer roots;
	struct judge_request r;
	int status = place_take(cli, a, &place, &r);

	if (status)
		return status;
	q.home = r.home;
	if (root_find(a, &(struct root_request){ .cwd = r.cwd, .home = r.home }, &roots,
		NULL) == 0)
		q.root = roots.roots[0];
	if (!loader_init(&loader, cli))
		return internal_error("no memory", 0);
	status = load_policy(&loader, &q, &policy);
	if (status)
		return load_complain(&loader, status);
	if (pause_may(policy_settings(policy)))
		return 0;
	(void)internal_error("the administrator's rules leave no room for a pause", 0);
	return EXIT_DENY;
}

/* Recorded before it is done: what is not in the journal does not happen. */
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
	struct pause p = { .from = now() };
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
		return internal_error("cannot write the pause", errno);
	buf_init(&out, a);
	buf_puts(&out, "cordon steps back for ");
	buf_put(&out, text);
	buf_puts(&out,
	    ": where it would ask or confine, the agents' own permissions decide.\n"
	    "What is denied stays denied.  `cordon pause off` ends it.\n");
	return put_out(buf_str(&out));
}

static int
end(const struct process *cli, struct arena *a, const char *path)
{
	struct str text;
	int status;

	if (store_read(a, path, STORE_ANY, 4096, &text, NULL) == STORE_MISSING)
		return put_out(STR("cordon is not paused\n"));
	/* It only tightens: it is done whether it can be recorded or not. */
	status = keep(cli, path, STR("pause off"), none);
	if (unlink(path))
		return internal_error("cannot end the pause", errno);
	(void)status;
	return put_out(STR("the pause is over\n"));
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
		return usage_error(cli, "for how long? 10m, 2h, or off", none);
	text = str_from_c(argv[got.operand]);
	if (!arena_map(&a, PAUSE_ARENA))
		return internal_error("no memory", 0);
	path = pause_path(&a, cli, cli->home);
	if (!path)
		return usage_error(cli, "no place to keep it: is HOME set?", none);
	if (str_is(text, "off"))
		return end(cli, &a, path);
	seconds = owner_duration(text);
	if (seconds <= 0 || seconds > PAUSE_MAX)
		return usage_error(cli, "a pause is 1s to 8h, or off, not", text);
	if (!owner_is_here(cli, &why)) {
		struct buf b;

		buf_init(&b, &a);
		buf_puts(&b, "only the owner at a terminal can pause cordon: ");
		buf_puts(&b, why);
		buf_putc(&b, '\0');
		(void)internal_error(b.p, 0);
		return EXIT_DENY;
	}
	return begin(cli, &a, path, text, seconds);
}
