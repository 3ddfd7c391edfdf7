#include "base/ignore/ignore.h"
#include "base/json/json.h"
#include "base/path.h"
#include "gate/ask/ask.h"
#include "launch/launch.h"
#include "os/file.h"

#define IGNORE_BYTES ((size_t)1 << 20)

/* ---- parse values */

static bool
read_number(struct str text, uint64_t *ret)
{
	return str_number(text, UINT64_MAX, ret) && *ret > 0;
}

/* Parse bytes, with an optional K, M or G. */
static bool
read_size(struct str text, uint64_t *ret)
{
	static const char units[] = "KMG";
	const char *unit = text.n ? strchr(units, text.p[text.n - 1] & ~0x20) : NULL;
	unsigned shift = unit && *unit ? 10 * (unsigned)(unit - units + 1) : 0;

	if (shift)
		text.n--;
	if (!read_number(text, ret) || *ret > UINT64_MAX >> shift)
		return false;
	*ret <<= shift;
	return true;
}

/* Parse seconds, with an optional fraction. */
static bool
read_seconds(struct str text, uint64_t *ret_ms)
{
	size_t dot = str_find(text, '.');
	struct str rest = str_skip(text, dot + 1);
	uint64_t whole = 0, part = 0, scale = 100;

	if (dot > 0 && !read_number(str_cut(text, 0, dot), &whole) &&
	    !str_is(str_cut(text, 0, dot), "0"))
		return false;
	for (size_t i = 0; i < rest.n; i++, scale /= 10) {
		if (rest.p[i] < '0' || rest.p[i] > '9')
			return false;
		part += (uint64_t)(rest.p[i] - '0') * scale;
	}
	*ret_ms = whole * 1000 + part;
	return *ret_ms > 0 && whole < UINT64_MAX / 2000;
}

/* Parse --changes. */
static int
take_review(struct launch *l)
{
	if (l->o.changes.p && !l->review)
		return usage_error(l->cli, "--changes needs --review:", l->o.changes);
	if (l->review && l->place.session.p)
		return usage_error(
		    l->cli, "--review does not work in a session:", l->place.session);
	if (l->review && l->learn)
		return usage_error(
		    l->cli, "--review and --learn:", STR("use only one of them"));
	if (!l->o.changes.p || str_is(l->o.changes, "ask"))
		l->changes = REVIEW_ASK;
	else if (str_is(l->o.changes, "apply"))
		l->changes = REVIEW_APPLY;
	else if (str_is(l->o.changes, "drop"))
		l->changes = REVIEW_DROP;
	else
		return usage_error(
		    l->cli, "--changes must be ask, apply or drop, not", l->o.changes);
	return 0;
}

int
run_take_limits(struct launch *l)
{
	struct plan_limits *to = &l->limits;
	uint64_t wait = 0;
	int status = take_review(l);

	if (status)
		return status;

	if (l->o.timeout.p && !read_seconds(l->o.timeout, &to->wall_ms))
		return usage_error(l->cli,
		    "--timeout must be seconds, such as 90 or 1.5, not", l->o.timeout);
	if (l->o.wait.p && (!read_number(l->o.wait, &wait) || wait > ASK_SECONDS_MAX))
		return usage_error(
		    l->cli, "--wait must be seconds, up to a day, not", l->o.wait);
	l->flags.ask_seconds = (unsigned)wait;
	if (l->o.memory.p && !read_size(l->o.memory, &to->memory))
		return usage_error(
		    l->cli, "--memory must be bytes, such as 64K or 2G, not", l->o.memory);
	if (l->o.pids.p && !read_number(l->o.pids, &to->processes))
		return usage_error(
		    l->cli, "--pids must be a number from 1 on, not", l->o.pids);
	if (l->o.file_size.p && !read_size(l->o.file_size, &to->file_size))
		return usage_error(l->cli,
		    "--file-size must be bytes, such as 64K or 2G, not", l->o.file_size);
	if (l->o.files.p && !read_number(l->o.files, &to->files))
		return usage_error(
		    l->cli, "--open-files must be a number from 1 on, not", l->o.files);
	if (l->o.tmp_size.p && !read_size(l->o.tmp_size, &to->tmp))
		return usage_error(l->cli,
		    "--tmp-size must be bytes, such as 64K or 2G, not", l->o.tmp_size);
	if (l->o.output.p && !read_size(l->o.output, &to->output))
		return usage_error(l->cli,
		    "--output-limit must be bytes, such as 64K or 2G, not", l->o.output);
	return 0;
}

static int
read_policy_file(struct launch *l)
{
	static const struct file_read how = { .max = (size_t)8 << 20 };
	const struct json *v;
	struct str text;
	struct err e = { 0 };
	bool missing;

	if (!l->o.policy_file.p)
		return 0;
	if (file_read(&l->a, l->o.policy_file, &how, &text, &missing, &e))
		return launch_complain("cannot use the policy", l->o.policy_file, e.why);
	if (json_read(&l->a, text, NULL, &v, &e) ||
	    sandbox_read(&l->a, v, &l->flags.policy, &e)) {
		struct pos at = err_pos(text, e.at);
		struct buf b;

		buf_init(&b, &l->a);
		buf_put(&b, l->o.policy_file);
		buf_putc(&b, ':');
		buf_putu(&b, at.line);
		buf_putc(&b, ':');
		buf_putu(&b, at.column);
		return launch_complain("cannot use the policy", buf_str(&b), e.why);
	}
	l->flags.whole = true;
	return 0;
}

static int
take_type(struct launch *l)
{
	if (!l->o.sandbox.p)
		return 0;
	if (str_is(l->o.sandbox, "readwrite"))
		l->flags.policy.type = SANDBOX_WORKSPACE_READWRITE;
	else if (str_is(l->o.sandbox, "readonly"))
		l->flags.policy.type = SANDBOX_WORKSPACE_READONLY;
	else if (str_is(l->o.sandbox, "none"))
		l->flags.policy.type = SANDBOX_INSECURE_NONE;
	else
		return usage_error(l->cli,
		    "--sandbox must be readwrite, readonly or none, not", l->o.sandbox);
	return 0;
}

static int
take_network(struct launch *l)
{
	if (!l->o.network.p)
		return 0;
	if (!str_is(l->o.network, "on") && !str_is(l->o.network, "off"))
		return usage_error(
		    l->cli, "--network must be on or off, not", l->o.network);
	l->flags.policy.network_access = str_is(l->o.network, "on");
	l->flags.network = true;
	return 0;
}

/* Append an option's values to the policy's. */
static int
add_list(struct launch *l, const struct opt_values *more, struct sandbox_list *list)
{
	struct str *v = arena_array(&l->a, list->n + more->n + 1, sizeof *v);

	if (!v)
		return internal_error("no memory", 0);
	for (size_t i = 0; i < list->n; i++)
		v[i] = list->v[i];
	for (size_t i = 0; i < more->n; i++)
		if (path_normal(&l->a, l->cwd, more->v[i], &v[list->n + i], NULL))
			return usage_error(l->cli, "not a possible path:", more->v[i]);
	if (more->n)
		*list = (struct sandbox_list){ true, v, list->n + more->n };
	return 0;
}

/* Read the patterns of the --ignore files as a mapping for the first root. */
static int
add_ignores(struct launch *l)
{
	static const struct file_read how = { .max = IGNORE_BYTES };
	struct ignore_text *files = arena_array(&l->a, l->o.ignore.n + 1, sizeof *files);
	struct str mapping;
	struct err e = { 0 };
	struct buf b;

	if (!files)
		return internal_error("no memory", 0);
	if (l->o.ignore.n == 0)
		return 0;
	for (size_t i = 0; i < l->o.ignore.n; i++) {
		bool missing;
		struct str path;

		if (path_normal(&l->a, l->cwd, l->o.ignore.v[i], &path, NULL) ||
		    file_read(&l->a, path, &how, &files[i].text, &missing, &e))
			return launch_complain("cannot read", l->o.ignore.v[i], e.why);
		files[i].dir = STR("");
		files[i].name = str_base(path);
	}
	buf_init(&b, &l->a);
	ignore_put_json(&b, l->roots.roots[0], files, l->o.ignore.n);
	mapping = buf_str(&b);
	if (b.full ||
	    sandbox_add_ignore(&l->a, mapping, &l->flags.policy, &l->flags.policy, &e))
		return launch_complain(
		    "cannot use the ignore files", (struct str){ NULL, 0 }, e.why);
	return 0;
}

static int
take_gate(struct launch *l)
{
	static const char *const names[] = { "on", "report", "off" };

	for (int i = 0; l->o.gating.p && i < 3; i++)
		if (str_is(l->o.gating, names[i]))
			l->flags.gating = (enum run_gating)(GATING_ON + i);
	if (l->o.gating.p && l->flags.gating == GATING_DEFAULT)
		return usage_error(
		    l->cli, "--exec-gate must be on, report or off, not", l->o.gating);
	l->flags.no_tracer = str_is(l->o.tracer, "refuse");
	if (l->o.tracer.p && !l->flags.no_tracer && !str_is(l->o.tracer, "report"))
		return usage_error(
		    l->cli, "--tracer must be report or refuse, not", l->o.tracer);
	return 0;
}

int
run_take_flags(struct launch *l)
{
	int status = read_policy_file(l);

	if (status || (status = take_type(l)) || (status = take_network(l)) ||
	    (status = add_list(l, &l->o.rw, &l->flags.policy.readwrite)) ||
	    (status = add_list(l, &l->o.ro, &l->flags.policy.readonly)) ||
	    (status = take_gate(l)))
		return status;
	l->flags.policy.block_git_writes |= l->o.block_git;
	l->flags.policy.disable_tmp_write |= l->o.no_tmp;
	if (l->o.debug_dir.p)
		l->flags.policy.debug_output_dir = l->o.debug_dir;
	return add_ignores(l);
}
