/*
 * The policy of a sandbox: the decision's, widened by flags and answers, then bounded.
 *
 * The order of the steps is the security argument: every step that widens comes before
 * every step that bounds, so that access given by a flag or a yes never exceeds a bound.
 */
#define _GNU_SOURCE /* d_type */
#include "launch/deny_hosts.h"
#include "launch/files/agreed_paths.h"
#include "launch/launch_internal.h"
#include "os/file.h"
#include <dirent.h>

/* ---- callbacks of the run, struct run_policy: the context is the launch */

static enum verdict
judge_exec(void *ctx, const struct exec_request *request)
{
	struct launch *l = ctx;

	return exec_judge_one(&l->gate, request);
}

static enum run_path_answer
judge_path(void *ctx, enum run_op op, struct str path, struct str *ret_why)
{
	struct launch *l = ctx;

	return path_rules_judge(&l->paths, op, path, ret_why);
}

static bool
judge_way(void *ctx, struct str directory)
{
	struct launch *l = ctx;

	return path_rules_way(&l->paths, directory);
}

static bool
judge_host(void *ctx, struct str host)
{
	struct launch *l = ctx;

	return decide_host(&l->answer.in, host);
}

/* ---- steps that widen */

/* --sandbox-policy replaces the policy, but keeps what the rules block. */
static struct sandbox_policy
replaced(const struct sandbox_policy *p, const struct sandbox_policy *flags)
{
	struct sandbox_policy out = *flags;

	if (out.type == SANDBOX_UNSPECIFIED)
		out.type = p->type;
	out.block_git_writes |= p->block_git_writes;
	out.disable_tmp_write |= p->disable_tmp_write;
	if (!out.debug_output_dir.p)
		out.debug_output_dir = p->debug_output_dir;
	return out;
}

static int
add_flags(struct launch *l, struct err *e)
{
	struct sandbox_policy *p = &l->sandbox;

	(void)e;
	if (!l->flags.whole)
		return sandbox_add(&l->a, p, &l->flags.policy, p);
	*p = replaced(p, &l->flags.policy);
	return 0;
}

/* Add the paths that a person agreed to in the agent's dialog. */
static int
add_agreed(struct launch *l, struct err *e)
{
	const struct agreed *agreed = l->agreed;
	struct sandbox_policy more;

	(void)e;
	if (!agreed)
		return 0;
	l->plan.names = agreed->names;
	l->plan.names_n = agreed->names_n;
	more = (struct sandbox_policy){ .readwrite = {
					    true, agreed->paths, agreed->paths_n } };
	return agreed->paths_n ? sandbox_add(&l->a, &l->sandbox, &more, &l->sandbox) : 0;
}

/* Add the hosts that a person agreed to.  If the hosts are unknown, only a yes in an
 * agent's own dialog opens the whole network: that dialog has no finer choice. */
static int
add_hosts(struct launch *l, struct err *e)
{
	bool network = l->sandbox.network_access;
	int err;

	(void)e;
	if (!l->gate.approved)
		return 0;
	err = decide_agreed(&l->a, &l->answer.in, &l->answer.decision, &l->sandbox);
	if (l->given.accepted)
		l->sandbox.network_access = network;
	return err;
}

/* --network off overrides every yes except one that explicitly adds network access. */
static int
close_network(struct launch *l, struct err *e)
{
	(void)e;
	if (l->flags.network && !l->flags.policy.network_access) {
		l->sandbox.network_access = false;
		l->sandbox.network_allow = (struct sandbox_list){ .given = true };
	}
	return 0;
}

/* Add the access that the person chose in our own dialog. */
static int
add_width(struct launch *l, struct err *e)
{
	(void)e;
	return ask_widen(&l->a, &l->given, &l->sandbox);
}

/* ---- steps that bound */

static int
type_rank(enum sandbox_type type)
{
	return sandbox_level(&(struct sandbox_policy){ .type = type });
}

/* Restrict the sandbox to the administrator's settings. */
static int
bound_by_admin(struct launch *l, struct err *e)
{
	struct arena *a = &l->a;
	const struct decide_input *in = &l->answer.in;
	struct sandbox_policy *p = &l->sandbox;
	const struct policy_settings *set = policy_settings(in->policy);
	struct sandbox_list hosts = { .given = true }, paths = { .given = true };
	struct str *v = NULL;
	int err = 0;

	(void)e;
	if (agreed_admin_says(in->policy, "sandbox") &&
	    type_rank(p->type) > type_rank(set->sandbox))
		p->type = set->sandbox;
	if (agreed_admin_says(in->policy, "network"))
		p->network_access &= set->network;
	if (agreed_admin_says(in->policy, "git_writes"))
		p->block_git_writes |= !set->git_writes;
	if (agreed_admin_says(in->policy, "tmp_write"))
		p->disable_tmp_write |= !set->tmp_write;
	if (set->writable_bounded) {
		if (!decide_paths(a, in->policy, LIST_WRITABLE, &in->base, &v, &paths.n))
			return CORDON_ENOMEM;
		paths.v = v;
		err = sandbox_list_meet(
		    a, SANDBOX_PATHS, &p->readwrite, &paths, &p->readwrite);
	}
	if (!err && set->hosts_bounded) {
		while (policy_entry(in->policy, LIST_NET, hosts.n).p)
			hosts.n++;
		v = arena_array(a, hosts.n, sizeof *v);
		for (size_t i = 0; v && i < hosts.n; i++)
			v[i] = policy_entry(in->policy, LIST_NET, i);
		hosts.v = v;
		err = v ? sandbox_list_meet(a, SANDBOX_HOSTS, &p->network_allow, &hosts,
			      &p->network_allow)
			: CORDON_ENOMEM;
	}
	return err;
}

/* Enforce `deny net`, whatever opened the network. */
static int
bound_hosts(struct launch *l, struct err *e)
{
	(void)e;
	l->run.policy.host_denied = judge_host;
	l->plan.denied = l->run.policy.host_denied;
	l->plan.denied_context = l;
	return launch_deny_hosts(&l->a, &l->answer.in, &l->sandbox);
}

/* True for directories below / that the sandbox does not replace. */
static bool
is_open_to_learn(const struct dirent *e)
{
	return e->d_type == DT_DIR && e->d_name[0] != '.' &&
	       !str_among(
		   str_from_c(e->d_name), "proc\0sys\0dev\0run\0tmp\0boot\0lost+found\0");
}

/* --learn: permit writes wherever the user may write, and report them.  Comes after the
 * bounds, and refuses if the administrator set one. */
static int
open_to_learn(struct launch *l, struct err *e)
{
	const struct root_answer *roots = &l->answer.roots;
	const struct decide_input *in = &l->answer.in;
	struct sandbox_policy *p = &l->sandbox;
	struct str *given, *v;
	const struct dirent *entry;
	size_t n = 0, given_n = 0;
	DIR *d;

	if (!l->learn)
		return 0;
	given = arena_array(&l->a, roots->n + p->readwrite.n + 2, sizeof *given);
	v = arena_array(&l->a, SANDBOX_LIST_MAX, sizeof *v);
	if (agreed_admin_says(in->policy, "sandbox") ||
	    policy_settings(in->policy)->writable_bounded)
		return err_at(e, CORDON_EREFUSED, 0,
		    "--learn would exceed the administrator's rules");
	if (!given || !v || !(d = opendir("/")))
		return err_at(e, CORDON_ENOMEM, 0, "cannot list /");
	for (size_t i = 0; i < roots->n; i++)
		given[given_n++] = roots->roots[i];
	for (size_t i = 0; i < p->readwrite.n; i++)
		given[given_n++] = p->readwrite.v[i];
	given[given_n++] = STR("/tmp");
	given[given_n++] = STR("/var/tmp");
	while ((entry = readdir(d)) && n < SANDBOX_LIST_MAX)
		if (is_open_to_learn(entry)) {
			const char *path =
			    STORE_NAME(&l->a, STR("/"), str_from_c(entry->d_name));

			if (path)
				v[n++] = str_from_c(path);
		}
	(void)closedir(d);
	p->type = SANDBOX_WORKSPACE_READWRITE;
	p->readwrite = (struct sandbox_list){ true, v, n };
	l->run.policy.learn = given;
	l->run.policy.learn_n = given_n;
	return 0;
}

/* Enforce rules about files.  The last step: it needs the final writable paths. */
static int
hide_files(struct launch *l, struct err *e)
{
	struct str *hidden = NULL, patterns = { NULL, 0 };
	int err;

	if (l->sandbox.type == SANDBOX_INSECURE_NONE)
		return 0;
	path_rules_init(
	    &l->paths, &l->a, &l->answer, &l->sandbox, l->gate.approved != NULL);
	l->run.policy.path = judge_path;
	l->run.policy.way = judge_way;
	l->plan.judge_reads = l->paths.reads;
	err = path_rules_hidden(&l->a, &l->paths, &hidden, &l->plan.hidden_n, e);
	l->plan.hidden = hidden;
	if (!err)
		err = path_rules_patterns(&l->a, &l->paths, &patterns, e);
	if (!err)
		err = ignore_files_add(&l->a, l->answer.in.policy, &l->answer.roots,
		    patterns, &l->sandbox, &l->ignores, e);
	return err;
}

/* ---- the table of steps */

static int (*const steps[])(struct launch *l, struct err *e) = {
	add_flags,
	add_agreed,
	add_hosts,
	close_network,
	add_width,
	bound_by_admin,
	bound_hosts,
	open_to_learn,
	hide_files,
};

static void
choose_gate(struct launch *l)
{
	enum run_gating gating = l->flags.gating;

	if (l->learn && gating == GATING_DEFAULT)
		gating = GATING_REPORT;
	l->run.policy.ctx = l;
	if (gating != GATING_OFF)
		l->run.policy.judge = judge_exec;
	l->run.policy.gate_reports = gating == GATING_REPORT;
	l->run.policy.refuse_traced = l->flags.no_tracer;
}

int
launch_find_sandbox(struct launch *l)
{
	struct err e = { 0 };
	int err = 0;

	choose_gate(l);
	l->plan.read_workspace = policy_settings(l->answer.in.policy)->read_workspace;
	l->sandbox = l->answer.decision.sandbox;
	for (size_t i = 0; !err && i < sizeof steps / sizeof *steps; i++)
		err = steps[i](l, &e);
	if (err)
		return launch_complain("not started: the sandbox's policy",
		    (struct str){ NULL, 0 }, e.why ? e.why : err_text(err));
	l->gate.in.offline = !l->sandbox.network_access && l->sandbox.network_allow.n == 0;
	return 0;
}
