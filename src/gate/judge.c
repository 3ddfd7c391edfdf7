#include "gate/judge.h"
#include "confine/probe/probe.h"
#include "gate/outcome.h"
#include "gate/secrets.h"
#include "look/rewrite.h"
#include "look/tool.h"
#include "os/clock.h"
#include "os/dir_cache.h"
#include "os/file.h"

#define HEAD_MAX 1024

int
gate_exit_status(enum verdict verdict)
{
	switch (verdict) {
	case VERDICT_ALLOW:
		return EXIT_OK;
	case VERDICT_CONFINE:
		return EXIT_CONFINE;
	case VERDICT_ASK:
		return EXIT_ASK;
	case VERDICT_DENY:
		break;
	}
	return EXIT_DENY;
}

static int
refuse(struct loader *l, int status, const char *what, const char *why)
{
	buf_puts(&l->message, what);
	buf_puts(&l->message, why ? why : "");
	return status;
}

/* ---- roots and lookup options */

static int
find_roots(struct arena *a, struct loader *l, const struct judge_request *q,
    struct judge_answer *to)
{
	struct root_request roots = { .flags = q->root_flags,
		.request = q->root_request,
		.variable = q->root_variable,
		.cwd = q->cwd,
		.projects = q->projects,
		.home = q->home,
		.untrusted = q->untrusted,
		.missing_ok = !q->must_exist };
	struct err e = { 0 };

	if (q->roots)
		to->roots = *q->roots;
	else if (root_find(a, &roots, &to->roots, &e))
		return refuse(l, EXIT_USAGE, "", e.why ? e.why : "no root found");
	return 0;
}

/* Return the branch named after `ref: refs/heads/` in HEAD; .p == NULL: detached or
 * unknown. */
static struct str
branch_of(struct arena *a, const struct root_answer *roots)
{
	static const struct str mark = STR_INIT("ref: refs/heads/");
	struct str path, text, none = { NULL, 0 };
	struct file_read how = { .max = HEAD_MAX, .nofollow = true };
	bool missing;
	struct buf b;

	if (!roots->git || !roots->dirs.gitdir.p)
		return none;
	buf_init(&b, a);
	buf_put(&b, roots->dirs.gitdir);
	buf_puts(&b, "/HEAD");
	path = buf_str(&b);
	if (b.full || file_read(a, path, &how, &text, &missing, NULL) ||
	    !str_starts(text, mark))
		return none;
	text = str_skip(text, mark.n);
	return str_cut(text, 0, str_find(text, '\n'));
}

static bool
list_of(struct arena *a, const struct judge_answer *to, enum policy_list list,
    struct look_list *ret)
{
	struct str *v = NULL;
	bool ok = decide_paths(a, to->in.policy, list, &to->in.base, &v, &ret->n);

	ret->v = v;
	return ok;
}

static bool
names_of(
    struct arena *a, const struct policy *p, enum policy_list list, struct look_list *ret)
{
	size_t n = 0;
	struct str *v;

	while (policy_entry(p, list, n).p)
		n++;
	v = arena_array(a, n, sizeof *v);
	for (size_t i = 0; v && i < n; i++)
		v[i] = policy_entry(p, list, i);
	*ret = (struct look_list){ v, n };
	return v != NULL;
}

/* Append the roots that the policy adds. */
static bool
add_roots(struct arena *a, struct judge_answer *to)
{
	struct look_list more;
	struct str *v;

	if (!list_of(a, to, LIST_ROOT, &more))
		return false;
	if (more.n == 0)
		return true;
	v = arena_array(a, to->roots.n + more.n, sizeof *v);
	if (!v)
		return false;
	memcpy(v, to->roots.roots, to->roots.n * sizeof *v);
	memcpy(v + to->roots.n, more.v, more.n * sizeof *v);
	to->roots.roots = v;
	to->roots.n += more.n;
	to->in.base.roots = v;
	to->in.base.roots_n = to->roots.n;
	return true;
}

static bool
look_with(struct arena *a, const struct judge_request *q, const struct judge_answer *to,
    struct look_opts *ret)
{
	const struct policy_settings *set = policy_settings(to->in.policy);

	*ret = (struct look_opts){ .roots = { to->roots.roots, to->roots.n },
		.explicit_root = to->roots.explicit_root,
		.cwd = q->cwd,
		.home = q->home,
		.read_workspace = set->read_workspace,
		.path = q->search,
		.config = q->config,
		.git_elsewhere = q->git_elsewhere,
		.git = to->roots.git ? &to->roots.dirs : NULL,
		.lexical = q->plain };
	return secrets_watch(a, &to->in, &ret->secret) &&
	       list_of(a, to, LIST_WRITABLE, &ret->writable) &&
	       list_of(a, to, LIST_READABLE, &ret->readable) &&
	       names_of(a, to->in.policy, LIST_IGNORE, &ret->ignore);
}

/* ---- the shell */

static int
judge_shell(struct arena *a, struct loader *l, const struct judge_request *q,
    const struct look_opts *looking, struct judge_answer *to)
{
	struct decide_text how = { .cwd = q->cwd, .home = q->home };
	struct err e = { 0 };

	to->in.text = q->text;
	/* Without all of the facts, use none of the effects. */
	if (decide_analyse(a, &to->in, &how, &to->effects) &&
	    look(a, &to->effects, looking, &to->in.error) == 0)
		to->in.effects = &to->effects;
	decide(a, &to->in, &to->decision);
	if (!q->tool.p)
		return 0;
	to->command = q->text;
	if (!q->plain && rewrite_command(a, to->roots.roots[0], q->text, &to->command, &e))
		return refuse(l, EXIT_INTERNAL, "cannot rewrite the command: ", e.why);
	return 0;
}

/* ---- file tools */

static enum file_op
op_of(enum tool tool)
{
	switch (tool) {
	case TOOL_WRITE:
	case TOOL_EDIT:
		return FILE_WRITE;
	case TOOL_DELETE:
		return FILE_DELETE;
	case TOOL_READ:
	case TOOL_LIST:
	case TOOL_GLOB:
	case TOOL_GREP:
	case TOOLS:
		break;
	}
	return FILE_READ;
}

static void
deny_tool(struct judge_answer *to, const struct tool_fact *fact)
{
	struct denial why = { .gate = GATE_CONTAIN,
		.reason = str_from_c(fact->why ? fact->why : "the path cannot be used"),
		.fix = str_from_c(
		    fact->hint ? fact->hint : "use a path inside the workspace") };

	if (fact->problem != TOOL_FINE && to->decision.verdict != VERDICT_DENY)
		outcome_deny(&to->decision, &why);
}

static int
judge_file(struct arena *a, struct loader *l, const struct judge_request *q, enum tool tool,
    const struct look_opts *looking, struct judge_answer *to)
{
	struct file_effect *touch = ARENA_NEW(a, struct file_effect),
			   *read = ARENA_NEW(a, struct file_effect);
	struct tool_fact fact = { 0 };
	struct err e = { 0 };

	if (!touch || !read)
		return refuse(l, EXIT_INTERNAL, "no memory for the tool", NULL);
	if (tool_path(
		a, tool, q->path.p ? q->path : STR(""), !q->plain, looking, &fact, &e))
		return refuse(l, EXIT_INTERNAL, "cannot judge the tool's path: ", e.why);
	*touch = (struct file_effect){ .op = op_of(tool),
		.known = fact.problem != TOOL_EMPTY && fact.problem != TOOL_VARIABLE,
		.path = fact.path,
		.by = q->tool,
		.fact = fact.fact };
	*read = *touch;
	read->op = FILE_READ;
	touch->next = tool == TOOL_EDIT ? read : NULL;
	to->effects = (struct effects){ .files = touch, .looked = true };
	to->in.effects = &to->effects;
	to->in.file_tool = true;
	to->in.sandbox = false;
	decide(a, &to->in, &to->decision);
	deny_tool(to, &fact);
	to->path = fact.path.p ? fact.path : STR("");
	return 0;
}

static int
judge_mcp(struct arena *a, const struct judge_request *q, struct judge_answer *to)
{
	struct str server = q->server, name = q->name;
	size_t colon;

	if (!server.p && q->path.p) {
		colon = str_find(q->path, ':');
		server = str_cut(q->path, 0, colon);
		name = str_skip(q->path, colon + 1);
	}
	decide_mcp(a, &to->in, server.p ? server : STR(""), name.p ? name : STR(""),
	    &to->decision);
	return 0;
}

/* ---- one request */

static int
find_policy(struct loader *l, const struct judge_request *q, struct judge_answer *to)
{
	struct layers_request layers = { .root = to->roots.roots[0],
		.home = q->home,
		.policy = q->policy,
		.session = q->session,
		.untrusted = q->untrusted,
		.now = to->in.now };

	return load_policy(l, &layers, &to->in.policy);
}

static bool
has_sandbox(struct loader *l, const struct judge_request *q)
{
	const char *why;

	if (q->no_sandbox || !q->probe_sandbox)
		return !q->no_sandbox;
	return probe_can_confine(
	    own_dir(&l->scratch, l->cli, l->cli->home, DIR_CACHE, STR("")), &why);
}

static int
judge_place(struct arena *a, struct loader *l, const struct judge_request *q,
    struct judge_answer *ret)
{
	struct look_opts looking;
	enum tool tool;
	int err;

	*ret = (struct judge_answer){ .in = { .now = now_seconds(),
					  .has_mode = q->has_mode,
					  .mode = q->mode,
					  .interactive = !q->headless,
					  .sandbox = has_sandbox(l, q),
					  .requested = q->requested,
					  .trace = q->trace,
					  .hook = VERDICT_ALLOW } };
	arena_reset(&l->scratch);
	buf_init(&l->message, &l->scratch);
	err = find_roots(a, l, q, ret);
	if (!err)
		err = find_policy(l, q, ret);
	if (err)
		return err;
	/* Without a sandbox nothing confines an unproved command, so decide as if none
	 * existed. */
	if (policy_settings(ret->in.policy)->sandbox == SANDBOX_INSECURE_NONE)
		ret->in.sandbox = false;
	ret->in.base = (struct pattern_base){ q->home, ret->roots.roots, ret->roots.n };
	ret->in.explicit_root = ret->roots.explicit_root;
	ret->in.linked_worktree = ret->roots.git && ret->roots.dirs.linked;
	if (policy_settings(ret->in.policy)->branches)
		ret->in.branch = branch_of(a, &ret->roots);
	if (!add_roots(a, ret) || !look_with(a, q, ret, &looking))
		return refuse(l, EXIT_INTERNAL, "no memory for the policy's paths", NULL);
	if (!q->tool.p || str_is(q->tool, "bash"))
		return judge_shell(a, l, q, &looking, ret);
	if (str_is(q->tool, "mcp"))
		return judge_mcp(a, q, ret);
	if (!tool_by_name(q->tool, &tool))
		return refuse(l, EXIT_USAGE, "unknown tool", NULL);
	return judge_file(a, l, q, tool, &looking, ret);
}

int
gate_judge(struct arena *a, struct loader *l, const struct judge_request *q,
    struct judge_answer *ret)
{
	struct dir_cache cache;
	int err;

	dir_cache_begin(&cache, q->here);
	err = judge_place(a, l, q, ret);
	dir_cache_end();
	return err;
}
