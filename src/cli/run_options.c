#include "base/ignore/ignore.h"
#include "base/json/json.h"
#include "base/path.h"
#include "gate/ask/ask.h"
#include "launch/run_review.h"
#include "os/file.h"

#define IGNORE_BYTES ((size_t)1 << 20)

/* ---- options to values */

static bool
read_number(struct str text, uint64_t *ret)
{
	return str_number(text, UINT64_MAX, ret) && *ret > 0;
}

/* Bytes, or with K, M, G behind. */
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

/* Seconds, also with a fraction. */
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

/* What becomes of the changes that a review shows. */
static int
take_review(struct running *r)
{
	if (r->changes.p && !r->review)
		return usage_error(r->cli, "--changes needs --review, not", r->changes);
	if (r->review && r->place.session.p)
		return usage_error(r->cli,
		    "--review stands alone, and not in a session:", r->place.session);
	if (r->review && r->learn)
		return usage_error(
		    r->cli, "--review and --learn:", STR("one of them at a time"));
	if (!r->changes.p || str_is(r->changes, "ask"))
		r->answer = REVIEW_ASK;
	else if (str_is(r->changes, "apply"))
		r->answer = REVIEW_APPLY;
	else if (str_is(r->changes, "drop"))
		r->answer = REVIEW_DROP;
	else
		return usage_error(
		    r->cli, "--changes takes ask, apply or drop, not", r->changes);
	return 0;
}

int
run_take_limits(struct running *r)
{
	struct plan_limits *l = &r->limits;
	uint64_t wait = 0;
	int status = take_review(r);

	if (status)
		return status;

	if (r->timeout.p && !read_seconds(r->timeout, &l->wall_ms))
		return usage_error(
		    r->cli, "--timeout takes seconds, such as 90 or 1.5, not", r->timeout);
	if (r->wait.p && (!read_number(r->wait, &wait) || wait > ASK_SECONDS_MAX))
		return usage_error(
		    r->cli, "--wait takes seconds, up to a day, not", r->wait);
	r->flags.ask_seconds = (unsigned)wait;
	if (r->memory.p && !read_size(r->memory, &l->memory))
		return usage_error(
		    r->cli, "--memory takes bytes, such as 64K or 2G, not", r->memory);
	if (r->pids.p && !read_number(r->pids, &l->processes))
		return usage_error(r->cli, "--pids takes a number from 1 on, not", r->pids);
	if (r->file_size.p && !read_size(r->file_size, &l->file_size))
		return usage_error(r->cli,
		    "--file-size takes bytes, such as 64K or 2G, not", r->file_size);
	if (r->files.p && !read_number(r->files, &l->files))
		return usage_error(
		    r->cli, "--open-files takes a number from 1 on, not", r->files);
	if (r->tmp_size.p && !read_size(r->tmp_size, &l->tmp))
		return usage_error(
		    r->cli, "--tmp-size takes bytes, such as 64K or 2G, not", r->tmp_size);
	if (r->output.p && !read_size(r->output, &l->output))
		return usage_error(r->cli,
		    "--output-limit takes bytes, such as 64K or 2G, not", r->output);
	return 0;
}

static int
read_policy_file(struct running *r)
{
	static const struct file_read how = { .max = (size_t)8 << 20 };
	const struct json *v;
	struct str text;
	struct err e = { 0 };
	bool missing;

	if (!r->policy_file.p)
		return 0;
	if (file_read(&r->a, r->policy_file, &how, &text, &missing, &e))
		return run_complain("cannot use the policy", r->policy_file, e.why);
	if (json_read(&r->a, text, NULL, &v, &e) ||
	    sandbox_read(&r->a, v, &r->flags.policy, &e)) {
		struct place at = err_place(text, e.at);
		struct buf b;

		buf_init(&b, &r->a);
		buf_put(&b, r->policy_file);
		buf_putc(&b, ':');
		buf_putu(&b, at.line);
		buf_putc(&b, ':');
		buf_putu(&b, at.column);
		return run_complain("cannot use the policy", buf_str(&b), e.why);
	}
	r->flags.whole = true;
	return 0;
}

static int
take_type(struct running *r)
{
	if (!r->sandbox.p)
		return 0;
	if (str_is(r->sandbox, "readwrite"))
		r->flags.policy.type = SANDBOX_WORKSPACE_READWRITE;
	else if (str_is(r->sandbox, "readonly"))
		r->flags.policy.type = SANDBOX_WORKSPACE_READONLY;
	else if (str_is(r->sandbox, "none"))
		r->flags.policy.type = SANDBOX_INSECURE_NONE;
	else
		return usage_error(
		    r->cli, "--sandbox is readwrite, readonly or none, not", r->sandbox);
	return 0;
}

static int
take_network(struct running *r)
{
	if (!r->network.p)
		return 0;
	if (!str_is(r->network, "on") && !str_is(r->network, "off"))
		return usage_error(r->cli, "--network is on or off, not", r->network);
	r->flags.policy.network_access = str_is(r->network, "on");
	r->flags.network = true;
	return 0;
}

/* The values of an option behind what the policy has. */
static int
add_list(struct running *r, const struct opt_values *more, struct sandbox_list *list)
{
	struct str *v = arena_array(&r->a, list->n + more->n + 1, sizeof *v);

	if (!v)
		return internal_error("no memory", 0);
	for (size_t i = 0; i < list->n; i++)
		v[i] = list->v[i];
	for (size_t i = 0; i < more->n; i++)
		if (path_normal(&r->a, r->cwd, more->v[i], &v[list->n + i], NULL))
			return usage_error(
			    r->cli, "no path can have this name:", more->v[i]);
	if (more->n)
		*list = (struct sandbox_list){ true, v, list->n + more->n };
	return 0;
}

/* Patterns of the files given with --ignore, as a mapping for the first root. */
static int
add_ignores(struct running *r)
{
	static const struct file_read how = { .max = IGNORE_BYTES };
	struct ignore_text *files = arena_array(&r->a, r->ignore.n + 1, sizeof *files);
	struct str mapping;
	struct err e = { 0 };
	struct buf b;

	if (!files)
		return internal_error("no memory", 0);
	if (r->ignore.n == 0)
		return 0;
	for (size_t i = 0; i < r->ignore.n; i++) {
		bool missing;
		struct str path;

		if (path_normal(&r->a, r->cwd, r->ignore.v[i], &path, NULL) ||
		    file_read(&r->a, path, &how, &files[i].text, &missing, &e))
			return run_complain("cannot read", r->ignore.v[i], e.why);
		files[i].dir = STR("");
		files[i].name = str_base(path);
	}
	buf_init(&b, &r->a);
	ignore_put_json(&b, r->roots.roots[0], files, r->ignore.n);
	mapping = buf_str(&b);
	if (b.full ||
	    sandbox_add_ignore(&r->a, mapping, &r->flags.policy, &r->flags.policy, &e))
		return run_complain(
		    "cannot use the ignore files", (struct str){ NULL, 0 }, e.why);
	return 0;
}

static int
take_gate(struct running *r)
{
	static const char *const names[] = { "on", "report", "off" };

	for (int i = 0; r->gating.p && i < 3; i++)
		if (str_is(r->gating, names[i]))
			r->flags.gating = GATING_ON + i;
	if (r->gating.p && r->flags.gating == GATING_DEFAULT)
		return usage_error(
		    r->cli, "--exec-gate is on, report or off, not", r->gating);
	r->flags.no_tracer = str_is(r->tracer, "refuse");
	if (r->tracer.p && !r->flags.no_tracer && !str_is(r->tracer, "report"))
		return usage_error(r->cli, "--tracer is report or refuse, not", r->tracer);
	return 0;
}

int
run_take_flags(struct running *r)
{
	int status = read_policy_file(r);

	if (status || (status = take_type(r)) || (status = take_network(r)) ||
	    (status = add_list(r, &r->rw, &r->flags.policy.readwrite)) ||
	    (status = add_list(r, &r->ro, &r->flags.policy.readonly)) ||
	    (status = take_gate(r)))
		return status;
	r->flags.policy.block_git_writes |= r->block_git;
	r->flags.policy.disable_tmp_write |= r->no_tmp;
	r->flags.learn = r->learn;
	if (r->debug_dir.p)
		r->flags.policy.debug_output_dir = r->debug_dir;
	return add_ignores(r);
}
