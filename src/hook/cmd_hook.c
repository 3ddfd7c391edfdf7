#define _GNU_SOURCE /* readlink, chdir in every library */
#include "base/limits.h"
#include "base/path.h"
#include "cli/cli.h"
#include "hook/hook.h"
#include "hook/hook_deadline.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

/* Most payloads fit in here; a larger one gets its own mapping. */
#define SMALL_INPUT ((size_t)64 << 10)
/* Bytes of memory per byte of payload, in addition to those of a judgement. */
#define READ_FACTOR 12
/* A longer conversation id, or one with other bytes, is hashed. */
#define ID_BYTES 64

struct hook_opts {
	struct place_opts place;
	struct str deadline, shell;
	bool ask;
};

/* ---- the payload */

static bool
read_into(char *to, size_t room, size_t *n)
{
	while (*n < room) {
		ssize_t got = read(STDIN_FILENO, to + *n, room - *n);

		if (got < 0 && errno != EINTR)
			return false;
		if (got == 0)
			return true;
		if (got > 0)
			*n += (size_t)got;
	}
	return true;
}

/* Read all of stdin; .p == NULL: a read error, or too large. */
static struct str
read_input(struct arena *a)
{
	struct str none = { NULL, 0 };
	char *small = arena_alloc(a, SMALL_INPUT), *large;
	size_t n = 0;

	if (!small || !read_into(small, SMALL_INPUT, &n))
		return none;
	if (n < SMALL_INPUT) {
		/* Give back the rest, so that what follows shares the last touched page. */
		arena_back(a, a->used - (SMALL_INPUT - n));
		return str_of(small, n);
	}
	large = mmap(NULL, LIMIT_JSON + 1, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (large == MAP_FAILED)
		return none;
	memcpy(large, small, n);
	if (!read_into(large, LIMIT_JSON + 1, &n) || n > LIMIT_JSON)
		return none;
	return str_of(large, n);
}

/* ---- exits */

static noreturn void
leave_with(struct hook *h, const struct agent_answer *answer)
{
	struct agent_bytes bytes;

	if (!agent_write(&h->a, &h->call, answer, &bytes))
		hook_refuse();
	hook_leave(&bytes);
}

static noreturn void
leave_denied(struct hook *h, const char *what, const char *why)
{
	struct keep_who who = hook_who(h);
	struct agent_answer answer;
	struct buf b;

	buf_init(&b, &h->a);
	buf_puts(&b, what);
	buf_puts(&b, why ? why : "");
	if (b.full)
		hook_refuse();
	(void)keep_refusal(&h->keep, &who, h->call.command, buf_str(&b), NULL);
	hook_deny(h, buf_str(&b), STR(""), &answer);
	answer.fault = true;
	leave_with(h, &answer);
}

/* ---- directories */

static bool
is_id(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			(c >= '0' && c <= '9') || c == '-' || c == '_'))
			return false;
	}
	return s.n > 0 && s.n <= ID_BYTES;
}

/* Return AGENT:ID; hash an id that could be mistaken for something else. */
static struct str
conversation(struct hook *h)
{
	struct str id = h->call.session;
	char sum[SHA256_HEX];
	struct buf b;

	if (!id.p || id.n == 0)
		return (struct str){ NULL, 0 };
	buf_init(&b, &h->a);
	buf_puts(&b, agent_name(h->call.agent));
	buf_putc(&b, ':');
	if (is_id(id))
		buf_put(&b, id);
	else {
		sha256_hex(id, sum);
		buf_put(&b, str_of(sum, 32));
	}
	return b.full ? (struct str){ NULL, 0 } : buf_str(&b);
}

/* Read the variable in which the agent names its project directory. */
static struct str
project_variable(struct hook *h)
{
	const char *name = agent_profile(h->call.agent)->variable;
	struct str dir = name[0] ? process_env(h->cli, name) : (struct str){ NULL, 0 };

	return dir.n && dir.p[0] == '/' ? dir : (struct str){ NULL, 0 };
}

/* Roots come from the agent's open folders, not from a directory that commands can
 * change. */
static bool
take_projects(struct hook *h)
{
	struct str one = project_variable(h), *all = h->call.projects;
	size_t n = h->call.projects_n;

	if (n == 0 && one.p) {
		all = arena_array(&h->a, 1, sizeof *all);
		if (!all)
			return false;
		all[0] = one;
		n = 1;
	}
	for (size_t i = 0; i < n; i++)
		wrap_add(&h->frame, WRAP_PROJECT, all[i]);
	h->base.projects = (struct look_list){ all, n };
	return !h->frame.full;
}

/* Pass on the options of this hook, so that `cordon run` decides by the same rules. */
static void
frame_options(struct hook *h, const struct hook_opts *o)
{
	const struct judge_request *q = &h->base;

	for (size_t i = 0; i < q->root_flags.n; i++)
		wrap_add(&h->frame, WRAP_ROOT, q->root_flags.v[i]);
	if (q->policy.p)
		wrap_add(&h->frame, WRAP_POLICY, q->policy);
	if (q->session.p)
		wrap_add(&h->frame, WRAP_SESSION, q->session);
	if (o->place.mode.p)
		wrap_add(&h->frame, WRAP_MODE, o->place.mode);
	if (o->place.home.p)
		wrap_add(&h->frame, WRAP_HOME, o->place.home);
	if (h->call.untrusted)
		wrap_add(&h->frame, WRAP_UNTRUSTED, STR(""));
}

/* Change to the directory of the call, which must exist, and use its real path. */
static void
enter(struct hook *h)
{
	const char *path = h->call.cwd.p ? STORE_NAME(&h->a, h->call.cwd) : NULL;

	if (h->call.cwd.p && (!path || chdir(path)))
		leave_denied(h, "cannot enter the directory of the call: ",
		    strerror(path ? errno : EINVAL));
	h->base.cwd = h->base.here = place_here(&h->a);
	if (!h->base.cwd.p)
		leave_denied(h, "the directory of the call was removed", NULL);
}

static void
take_place(struct hook *h, const struct hook_opts *o)
{
	enter(h);
	h->base.must_exist = true;
	h->base.untrusted = h->call.untrusted;
	h->base.plain = h->call.plain;
	h->agent = conversation(h);
	if (h->agent.p)
		wrap_add(&h->frame, WRAP_FOR, h->agent);
	if (!take_projects(h))
		leave_denied(
		    h, "too many workspace folders or hook options (limit 24)", NULL);
	frame_options(h, o);
	if (!h->base.session.p)
		h->base.session =
		    place_agent_session(&h->a, h->cli, h->base.home, h->agent);
	approval_void(&h->a, h->cli, h->base.home, h->agent);
}

/* ---- options */

static void
take_deadline(struct hook *h, struct str s)
{
	uint64_t n = 0;

	if (!s.p)
		return;
	if (!str_number(s, HOOK_DEADLINE_MAX - 1, &n) || n == 0)
		leave_denied(h, "--deadline takes milliseconds, 1 to 3599999", NULL);
	hook_set_deadline((unsigned)n);
}

/* Make file names absolute before the directory changes. */
static bool
fix_paths(struct hook *h, struct place_opts *o)
{
	struct str dir = place_here(&h->a);
	bool file = o->session.p && !session_is_name(o->session);

	return (!o->policy.p ||
		   path_normal(&h->a, dir, o->policy, &o->policy, NULL) == 0) &&
	       (!file || path_normal(&h->a, dir, o->session, &o->session, NULL) == 0);
}

/* Without options the start directory of the hook does not matter. */
static bool
take_request(struct hook *h, struct place_opts *o)
{
	struct str home = h->cli->home;

	if (o->policy.p || o->session.p || o->mode.p || o->home.p || o->roots.n)
		return fix_paths(h, o) && place_take(h->cli, &h->a, o, &h->base) == 0;
	h->base.home = home.n && home.p[0] == '/' ? home : (struct str){ NULL, 0 };
	h->base.root_variable = process_env(h->cli, "WORKTREE_SANDBOX_PATH");
	place_environment(h->cli, &h->base);
	return true;
}

/* Wrong options are a mistake in the agent's settings: deny instead of ignoring them. */
static void
take_opts(struct hook *h, struct hook_opts *o, int argc, char **argv)
{
	const struct opt opts[] = {
		OPT_VALUE("--deadline", &o->deadline),
		OPT_VALUE("--shell", &o->shell),
		OPT_FLAG("--ask", &o->ask),
		OPT_VALUE("--mode", &o->place.mode),
		OPT_VALUE("--session", &o->place.session),
		OPT_VALUE("--policy", &o->place.policy),
		OPT_VALUE("--home", &o->place.home),
		OPT_LIST("--root", &o->place.roots),
	};
	struct opts_result got =
	    opts_read(h->cli, argc, argv, opts, sizeof opts / sizeof *opts);

	if (got.done && got.status == 0)
		_exit(0);
	if (got.done || got.operand < argc || !take_request(h, &o->place))
		leave_denied(h, "the hook is registered with invalid options", NULL);
	take_deadline(h, o->deadline);
	h->shell = o->shell;
}

/* ---- the command */

static noreturn void
run_hook(struct hook *h, enum agent agent, int argc, char **argv)
{
	struct hook_opts o = { 0 };
	struct agent_answer answer;
	struct err e = { 0 };
	struct str text;

	h->call.agent = agent;
	h->keep.cli = h->cli;
	if (!arena_map(&h->a, HOOK_BYTES) || !loader_init(&h->loader, h->cli))
		hook_refuse();
	take_opts(h, &o, argc, argv);
	text = read_input(&h->a);
	if (!text.p)
		leave_denied(h, "cannot read the input, or it exceeds 8 MiB", NULL);
	if (text.n > SMALL_INPUT && !arena_map(&h->a, HOOK_BYTES + READ_FACTOR * text.n))
		hook_refuse();
	if (agent_read(&h->a, agent, o.ask, text, &h->call, &e)) {
		hook_set_refusal(agent_refusal(h->call.agent));
		leave_denied(h, "cannot parse the input: ", e.why);
	}
	hook_set_refusal(agent_refusal(h->call.agent));
	take_place(h, &o);
	hook_answer(h, &answer);
	leave_with(h, &answer);
}

int
cmd_hook(const struct process *cli, int argc, char **argv)
{
	/* lives until the process exits */
	struct hook h = { .cli = cli, .argv = argv, .argc = (size_t)argc };
	struct str name = argc > 1 ? str_from_c(argv[1]) : STR("");
	enum agent agent = AGENT_AUTO;

	if (str_is(name, "--help") || str_is(name, "-h"))
		return help_print_one(cli->name);
	if (!agent_by_name(name, &agent)) {
		(void)usage_error(cli, agent_expected(name.n > 0, true),
		    name.n ? name : (struct str){ NULL, 0 });
		return 2;
	}
	hook_arm(agent_refusal(agent));
	run_hook(&h, agent, argc - 1, argv + 1);
}
