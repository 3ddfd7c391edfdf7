/*
 * `cordon run`: the decision by which a command may run, and what it runs in.
 *
 * MUST
 * 1. Judge exactly what will run: the string for bash, or the words, quoted.
 * 2. Let nothing start whose decision is not in the journal, unless the policy goes on
 *    without one.
 * 3. Give what the decision gives, and what the person's own flags add, up to what the
 *    administrator's rules leave open.
 */
#define _GNU_SOURCE /* d_type */
#include "base/quote.h"
#include "gate/ask/ask.h"
#include "gate/ask/grant.h"
#include "gate/external.h"
#include "gate/keep.h"
#include "gate/outcome.h"
#include "launch/exec/run_gate.h"
#include "launch/files/run_agreed.h"
#include "launch/files/run_ignore.h"
#include "launch/files/run_own.h"
#include "launch/files/run_paths.h"
#include "launch/live.h"
#include "launch/run_hint.h"
#include "launch/run_hosts.h"
#include "launch/running.h"
#include <dirent.h>
#include <unistd.h>

struct run_door {
	const struct process *cli;
	struct run_gate gate;
	struct run_paths paths;
	struct loader loader;
	struct judge_request request;
	struct judge_answer answer;
	struct ask_result given; /* by a person who was asked */
	struct keep keep;
	struct keep_who who;
	struct str text;
	uint64_t number;             /* of the decision's record */
	const struct agreed *agreed; /* in the agent's own dialog; NULL: nothing was */
	struct live live;
	struct arena *a;
	struct external_call call; /* for the programs that the rules name */
};

static const struct str none = { NULL, 0 };

/* ---- the question */

/* Where the first word of a line would be no command. */
static bool
is_no_name(struct str word)
{
	return str_find(word, '=') < word.n ||
	       str_among(word,
		   "if\0then\0else\0elif\0fi\0case\0esac\0for\0select\0while\0until\0"
		   "do\0done\0in\0function\0time\0coproc\0{\0}\0!\0[[\0]]\0");
}

/* The words as the one line that bash would read as them. */
static bool
quote_words(struct arena *a, char *const *argv, struct str *ret)
{
	struct buf b;

	buf_init(&b, a);
	for (size_t i = 0; argv[i]; i++) {
		if (i)
			buf_putc(&b, ' ');
		if (i == 0 && is_no_name(str_from_c(argv[0])))
			(void)quote_put_always(&b, QUOTE_BASH, str_from_c(argv[0]), NULL);
		else
			(void)quote_put(&b, QUOTE_BASH, str_from_c(argv[i]), NULL);
	}
	*ret = buf_str(&b);
	return !b.full;
}

/* HOST:ID, in two. */
static struct str
agent_host(struct str agent)
{
	return agent.p ? str_cut(agent, 0, str_find(agent, ':')) : STR("cli");
}

static struct str
agent_id(struct str agent)
{
	return str_skip(agent, str_find(agent, ':') + 1);
}

static int
ask_judge(struct run_door *door, struct arena *a, const struct run_question *q)
{
	struct judge_request *request = &door->request;
	int status = place_take(door->cli, a, q->place, request);

	if (status)
		return status;
	door->text = q->text;
	if (!q->text.p && !quote_words(a, q->argv, &door->text))
		return internal_error("no memory", 0);
	request->text = door->text;
	request->cwd = q->cwd;
	if (!request->session.p)
		request->session =
		    place_agent_session(a, door->cli, request->home, q->place->agent);
	request->must_exist = true;
	request->roots = q->roots;
	/* With a grant somebody was asked already: what about, it says itself. */
	/* Who learns which rules are missing has asked for all of it. */
	request->headless = !q->grant.p && !q->flags->learn &&
			    !ask_is_possible(door->cli, q->flags->ask_seconds > 0);
	request->no_sandbox = q->flags->policy.type == SANDBOX_INSECURE_NONE;
	door->who = (struct keep_who){ .host = agent_host(q->place->agent),
		.session =
		    q->place->agent.p ? agent_id(q->place->agent) : q->place->session,
		.tool = STR("bash"),
		.cwd = q->cwd };
	status = judge(a, &door->loader, request, &door->answer);
	if (!status)
		return 0;
	/* Rules that are broken allow nothing. */
	(void)load_complain(&door->loader, status);
	if (!q->dry)
		(void)keep_refusal(&door->keep, &door->who, door->text,
		    buf_str(&door->loader.message), NULL);
	return status == EXIT_INTERNAL ? EXIT_NOT_STARTED : EXIT_REFUSED;
}

/* ---- what it runs in */

static int
type_rank(enum sandbox_type type)
{
	return sandbox_level(&(struct sandbox_policy){ .type = type });
}

/* No more than the administrator leaves open. */
static int
bound(struct arena *a, const struct decide_input *in, struct sandbox_policy *p)
{
	const struct policy_settings *set = policy_settings(in->policy);
	struct sandbox_list hosts = { .given = true }, paths = { .given = true };
	struct str *v = NULL;
	int err = 0;

	if (run_admin_says(in->policy, "sandbox") &&
	    type_rank(p->type) > type_rank(set->sandbox))
		p->type = set->sandbox;
	if (run_admin_says(in->policy, "network"))
		p->network_access &= set->network;
	if (run_admin_says(in->policy, "git_writes"))
		p->block_git_writes |= !set->git_writes;
	if (run_admin_says(in->policy, "tmp_write"))
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

/* What the policy forbids stays forbidden; what it gives, the flags have. */
static struct sandbox_policy
instead(const struct sandbox_policy *p, const struct sandbox_policy *flags)
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

/* Rules about files, as far as the sandbox can hold them. */
static int
find_paths(struct run_door *door, struct arena *a, bool agreed, struct sandbox_policy *p,
    struct run_answer *ret, struct err *e)
{
	struct str *hidden = NULL, patterns = { NULL, 0 };
	int err;

	run_paths_init(&door->paths, &door->answer, p, agreed);
	ret->paths = run_paths_judge;
	ret->ways = run_paths_way;
	ret->paths_context = &door->paths;
	ret->judge_reads = door->paths.reads;
	err = run_paths_hidden(a, &door->paths, &hidden, &ret->hidden_n, e);
	ret->hidden = hidden;
	if (!err)
		err = run_paths_patterns(a, &door->paths, &patterns, e);
	if (!err)
		err = run_add_ignores(a, door->answer.in.policy, &door->answer.roots,
		    patterns, p, &ret->ignores, e);
	return err;
}

/* Everywhere but where the sandbox has its own. */
static bool
is_open_to_learn(const struct dirent *e)
{
	return e->d_type == DT_DIR && e->d_name[0] != '.' &&
	       !str_among(
		   str_from_c(e->d_name), "proc\0sys\0dev\0run\0tmp\0boot\0lost+found\0");
}

/* Writes are let happen wherever the user may write, and told. */
static int
open_to_learn(struct run_door *door, struct arena *a, struct sandbox_policy *p,
    struct run_answer *ret, struct err *e)
{
	const struct root_answer *roots = &door->answer.roots;
	const struct decide_input *in = &door->answer.in;
	struct str *given = arena_array(a, roots->n + p->readwrite.n + 2, sizeof *given);
	struct str *v = arena_array(a, SANDBOX_LIST_MAX, sizeof *v);
	const struct dirent *entry;
	size_t n = 0;
	DIR *d;

	if (run_admin_says(in->policy, "sandbox") ||
	    policy_settings(in->policy)->writable_bounded)
		return err_at(e, CORDON_EREFUSED, 0,
		    "--learn would go beyond the administrator's rules");
	if (!given || !v || !(d = opendir("/")))
		return err_at(e, CORDON_ENOMEM, 0, "the root directory cannot be listed");
	for (size_t i = 0; i < roots->n; i++)
		given[ret->learn_n++] = roots->roots[i];
	for (size_t i = 0; i < p->readwrite.n; i++)
		given[ret->learn_n++] = p->readwrite.v[i];
	given[ret->learn_n++] = STR("/tmp");
	given[ret->learn_n++] = STR("/var/tmp");
	while ((entry = readdir(d)) && n < SANDBOX_LIST_MAX)
		if (is_open_to_learn(entry)) {
			const char *path =
			    STORE_NAME(a, STR("/"), str_from_c(entry->d_name));

			if (path)
				v[n++] = str_from_c(path);
		}
	(void)closedir(d);
	p->type = SANDBOX_WORKSPACE_READWRITE;
	p->readwrite = (struct sandbox_list){ true, v, n };
	ret->learn = given;
	return 0;
}

static int
add_agreed(struct arena *a, const struct agreed *agreed, struct sandbox_policy *p,
    struct run_answer *ret)
{
	struct sandbox_policy more = { .readwrite = {
					   true, agreed->paths, agreed->paths_n } };

	ret->names = agreed->names;
	ret->names_n = agreed->names_n;
	return agreed->paths_n ? sandbox_add(a, p, &more, p) : 0;
}

static int
find_sandbox(struct run_door *door, struct arena *a, const struct run_question *q,
    struct run_answer *ret)
{
	const struct decide_input *in = &door->answer.in;
	const struct run_flags *flags = q->flags;
	struct sandbox_policy p = door->answer.decision.sandbox;
	struct err e = { 0 };
	int err = 0;

	if (flags->whole)
		p = instead(&p, &flags->policy);
	else if (!err)
		err = sandbox_add(a, &p, &flags->policy, &p);
	if (!err && door->agreed)
		err = add_agreed(a, door->agreed, &p, ret);
	/* The hosts that were asked about; the whole network, where nobody knows which,
	 * only from an agent's own dialog, which has no more to give. */
	if (!err && door->gate.approved) {
		bool network = p.network_access;

		err = decide_agreed(a, in, &door->answer.decision, &p);
		if (door->given.accepted)
			p.network_access = network;
	}
	if (flags->network && !flags->policy.network_access) {
		p.network_access = false;
		p.network_allow = (struct sandbox_list){ .given = true };
	}
	if (!err)
		err = ask_widen(a, &door->given, &p);
	if (!err)
		err = bound(a, in, &p);
	if (!err)
		err = run_hosts_hold(a, in, &p);
	if (!err && flags->learn)
		err = open_to_learn(door, a, &p, ret, &e);
	if (!err && p.type != SANDBOX_INSECURE_NONE)
		err = find_paths(door, a, door->gate.approved != NULL, &p, ret, &e);
	if (err)
		return run_complain("not started: the sandbox's policy", none,
		    e.why ? e.why : err_text(err));
	door->gate.in.offline = !p.network_access && p.network_allow.n == 0;
	ret->sandbox = p;
	return 0;
}

/* ---- the answer */

static bool
may_run(enum verdict verdict)
{
	return verdict == VERDICT_ALLOW || verdict == VERDICT_CONFINE;
}

static struct str
outcome_of(struct arena *a, const struct agreed *agreed)
{
	struct buf b;

	buf_init(&b, a);
	buf_puts(&b, "accepted once, in the agent's dialog");
	buf_puts(&b, agreed->said.n ? " +" : "");
	buf_put(&b, agreed->said);
	return b.full ? STR("accepted once") : buf_str(&b);
}

/* A person has said yes in the agent's own dialog, to exactly this. */
static bool
was_granted(struct run_door *door, struct arena *a, const struct run_question *q)
{
	const struct agreed *agreed = q->grant.p ? run_agreed(a, &door->answer) : NULL;
	struct grant_terms terms = { .command = door->text,
		.cwd = q->cwd,
		.session = q->place->agent,
		.policy = door->loader.digest,
		.now = door->answer.in.now };
	int err;

	if (!agreed)
		return false;
	terms.width = agreed->said;
	if (!grant_take(a, door->cli, q->place->home, q->grant, &terms))
		return false;
	err = keep_answer(&door->keep, &door->who, door->number, door->text,
	    VERDICT_CONFINE, outcome_of(a, agreed), door->answer.decision.reason);
	if (err && policy_settings(door->answer.in.policy)->journal_required)
		return false;
	door->agreed = agreed;
	return true;
}

static const struct external_call *
call_of(struct run_door *door)
{
	door->call = (struct external_call){
		.command = door->text, .cwd = door->who.cwd, .session = door->who.session
	};
	return &door->call;
}

static void
begins(void *context)
{
	struct run_door *door = context;
	struct live_run run = {
		.command = door->text, .cwd = door->who.cwd, .session = door->who.session
	};

	live_begin(&door->live, door->cli, &run);
}

static void
ended(void *context, const struct run_result *result)
{
	struct run_door *door = context;

	live_end(&door->live);
	if (policy_entry(door->answer.in.policy, LIST_AFTER_HOOK, 0).p &&
	    !external_after(door->a, door->cli, call_of(door), &door->answer,
		run_exit_status(result), result->wall_ms))
		(void)run_complain(
		    "a hook that is told of finished commands failed", none, NULL);

	if (keep_run(&door->keep, &door->who, door->number, door->text, result))
		keep_complain(&door->keep);
}

static void
hints(void *context, const struct run_result *result, struct buf *out)
{
	struct run_door *door = context;

	run_hint_put(door->a, door->cli, &door->request, &door->answer, result, out);
}

static bool
reviewed(void *context, bool apply, size_t changes, struct str why)
{
	struct run_door *door = context;

	if (!keep_review(
		&door->keep, &door->who, door->number, door->text, apply, changes, why))
		return true;
	keep_complain(&door->keep);
	return !policy_settings(door->answer.in.policy)->journal_required;
}

static void
choose_gate(struct run_door *door, const struct run_flags *flags, struct run_answer *ret)
{
	int gating = flags->gating;

	if (flags->learn && gating == GATING_DEFAULT)
		gating = GATING_REPORT;
	ret->judge_context = &door->gate;
	if (gating != GATING_OFF)
		ret->judge = run_gate_judge;
	ret->gate_reports = gating == GATING_REPORT;
	ret->refuse_tracer = flags->no_tracer;
}

/* A person is asked; what they give besides counts for this run. */
static int
approve(struct run_door *door, struct arena *a, const struct run_question *q,
    struct run_answer *ret, unsigned *ret_facts)
{
	struct ask ask = { .cli = door->cli,
		.a = a,
		.l = &door->loader,
		.request = &door->request,
		.answer = &door->answer,
		.keep = &door->keep,
		.who = &door->who,
		.about = door->number,
		.seconds = q->flags->ask_seconds,
		.wait = q->flags->ask_seconds > 0 };
	int status = ask_person(&ask, &door->given);

	if (status)
		return status == EXIT_POLICY ? EXIT_REFUSED : EXIT_NOT_STARTED;
	*ret_facts = door->given.accepted ? SAID_YES : SAID_NO;
	if (!door->given.accepted) {
		ret->reason = door->given.reason;
		ret->fix = (struct str){ NULL, 0 };
	}
	return 0;
}

static int
decide_run(
    void *context, struct arena *a, const struct run_question *q, struct run_answer *ret)
{
	struct run_door *door = context;
	struct decision *d = &door->answer.decision;
	unsigned facts = 0;
	int status = ask_judge(door, a, q);

	door->a = a;
	if (status)
		return status;
	if (!q->dry)
		external_before(a, door->cli, call_of(door), &door->answer);
	if (!q->dry)
		/* A failure is in the decision. */
		(void)keep_decision(&door->keep, &door->who, &door->loader, door->text,
		    &door->answer, &door->number);
	if (door->keep.why.n && may_run(d->verdict))
		keep_complain(&door->keep);
	*ret = (struct run_answer){ .reason = d->reason, .fix = d->fix };
	if (d->verdict == VERDICT_ASK &&
	    (q->flags->learn || (!q->dry && was_granted(door, a, q))))
		facts = SAID_YES;
	else if (d->verdict == VERDICT_ASK && !q->dry)
		status = approve(door, a, q, ret, &facts);
	if (status)
		return status;
	ret->verdict = outcome_run(d->verdict, facts);
	if (!may_run(ret->verdict))
		return 0;
	if (!run_gate_init(&door->gate, &door->answer, door->answer.in.base.home))
		return internal_error("no memory", 0);
	if (d->verdict == VERDICT_ASK && !q->flags->learn)
		door->gate.approved = d->judged;
	if (!run_own(a, door->cli, door->answer.in.base.home, ret))
		return internal_error("no memory", 0);
	ret->roots = &door->answer.roots;
	ret->read_workspace = policy_settings(door->answer.in.policy)->read_workspace;
	ret->begins = begins;
	ret->denied = run_hosts_denied;
	ret->denied_context = &door->answer.in;
	ret->ended = ended;
	ret->hints = hints;
	ret->reviewed = reviewed;
	ret->ended_context = door;
	choose_gate(door, q->flags, ret);
	return find_sandbox(door, a, q, ret);
}

int
launch_judged(struct running *r, char *const *argv)
{
	struct run_door door = {
		.cli = r->cli, .keep = { .cli = r->cli }, .live = { .dir = -1 }
	};

	if (!loader_init(&door.loader, r->cli))
		return internal_error("no memory", 0);
	return launch(r, argv, decide_run, &door);
}
