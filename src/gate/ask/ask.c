#include "gate/ask/ask.h"
#include "approve/spool.h"
#include "base/show.h"
#include "look/unsaved/blast.h"
#include "os/file.h"
#include <unistd.h>

static bool
wants_colour(const struct process *cli)
{
	return process_env(cli, "NO_COLOR").n == 0 &&
	       !str_is(process_env(cli, "TERM"), "dumb");
}

/* Prompt only if stdin, stdout or stderr is a terminal; a controlling tty alone may be the
 * agent's own UI. */
static int
open_terminal(void)
{
	if (!isatty(STDIN_FILENO) && !isatty(STDOUT_FILENO) && !isatty(STDERR_FILENO))
		return -1;
	return approve_terminal_open();
}

bool
ask_is_possible(const struct process *cli, bool wait)
{
	cleanup_fd int tty = open_terminal();
	cleanup_fd int dir = -1;

	if (wait || tty >= 0)
		return true;
	dir = spool_find(process_env(cli, "XDG_RUNTIME_DIR"));
	return dir >= 0 && spool_is_held(dir, SPOOL_LOCK);
}

/* Judge again without the cache: ask_offer() needs the rule sources, which a cached image
 * lacks. */
static int
judge_anew(const struct ask *q)
{
	bool before = q->l->no_cache;
	int status;

	q->l->no_cache = true;
	status = gate_judge(q->a, q->l, q->request, q->answer);
	q->l->no_cache = before;
	return status ? load_complain(q->l, status) : 0;
}

static struct str
hex_of(struct arena *a, const uint8_t digest[static SHA256_BYTES])
{
	static const char digits[] = "0123456789abcdef";
	char *p = arena_alloc(a, SHA256_HEX);

	for (size_t i = 0; p && i < SHA256_BYTES; i++) {
		p[2 * i] = digits[digest[i] >> 4];
		p[2 * i + 1] = digits[digest[i] & 15];
	}
	return str_of(p, p ? SHA256_HEX : 0);
}

/* Describe the files that cannot be restored, one per line. */
static struct str
find_lost(const struct ask *q)
{
	const struct judge_answer *answer = q->answer;
	struct look_opts o = { .roots = { answer->roots.roots, answer->roots.n },
		.cwd = q->request->cwd,
		.home = q->request->home };
	struct blast blast;
	struct buf b;

	buf_init(&b, q->a);
	if (!answer->in.effects || !answer->effects.looked ||
	    blast_look(q->a, &answer->effects, &o, &blast, NULL))
		return STR("");
	blast_put(&b, &blast);
	return b.full ? STR("  too many files to list\n") : buf_str(&b);
}

static bool
has_entry(const struct sandbox_list *list, struct str text)
{
	for (size_t i = 0; i < list->n; i++)
		if (str_eq(list->v[i], text))
			return true;
	return false;
}

/* Find the hosts that a yes would add, with the function that adds them later. */
static void
find_network(const struct ask *q, struct approve_question *to)
{
	const struct decision *d = &q->answer->decision;
	struct sandbox_policy p = d->sandbox;
	struct buf b;

	buf_init(&b, q->a);
	if (decide_agreed(q->a, &q->answer->in, d, &p))
		return;
	for (size_t i = 0; i < p.network_allow.n; i++)
		if (!has_entry(&d->sandbox.network_allow, p.network_allow.v[i])) {
			buf_puts(&b, b.n ? " " : "");
			buf_put(&b, p.network_allow.v[i]);
		}
	to->hosts = b.full ? STR("") : buf_str(&b);
	to->wants_network = p.network_access && !d->sandbox.network_access;
}

static void
make_question(const struct ask *q, struct approve_question *to)
{
	const struct policy_settings *set = policy_settings(q->answer->in.policy);
	const struct judge_request *r = q->request;

	*to = (struct approve_question){ .in = &q->answer->in,
		.decision = &q->answer->decision,
		.cwd = r->cwd,
		.asker = q->who->host,
		.digest = hex_of(q->a, q->l->digest),
		.lost = find_lost(q),
		.session = r->session,
		.can_network = set->network || !set->hosts_bounded,
		.can_path = !set->writable_bounded };
	find_network(q, to);
	ask_offer(q, to);
}

static void
put_question(const struct ask *q, const struct approve_question *question,
    struct approve_answer *ret)
{
	cleanup_fd int tty = q->no_terminal ? -1 : open_terminal();
	unsigned seconds =
	    q->seconds ? q->seconds : policy_settings(question->in->policy)->wait_seconds;
	struct approve_terminal t = {
		.fd = tty, .seconds = seconds, .colour = wants_colour(q->cli)
	};
	struct approve_wait w = { .seconds = seconds, .anyway = q->wait };
	cleanup_fd int dir = -1;

	if (tty >= 0) {
		approve_terminal(q->a, &t, question, ret);
		return;
	}
	dir = spool_open(process_env(q->cli, "XDG_RUNTIME_DIR"), NULL);
	w.dir = dir;
	approve_console(q->a, &w, question, ret);
}

static struct str
outcome_of(struct arena *a, const struct approve_answer *answer)
{
	struct buf b;

	buf_init(&b, a);
	if (answer->choice == APPROVE_REJECT) {
		buf_puts(&b, "rejected");
		return buf_str(&b);
	}
	buf_puts(&b, "accepted ");
	buf_puts(&b, approve_choice_name(answer->choice));
	if (answer->choice == APPROVE_ALLOWLIST) {
		buf_putc(&b, ' ');
		buf_puts(&b, approve_level_name(answer->level));
		buf_putc(&b, ' ');
		buf_puts(&b, approve_place_name(answer->place));
	}
	buf_puts(&b, answer->network ? " +network" : "");
	if (answer->path.p) {
		buf_puts(&b, " +write ");
		show_put(&b, answer->path, 0);
	}
	return buf_str(&b);
}

/* The rules may have changed while the person was thinking. */
static bool
is_same_policy(const struct ask *q, struct str digest)
{
	struct layers_request layers = { .root = q->answer->roots.roots[0],
		.home = q->request->home,
		.policy = q->request->policy,
		.session = q->request->session,
		.untrusted = q->request->untrusted,
		.now = q->answer->in.now };
	const struct policy *p;

	return load_policy(q->l, &layers, &p) == 0 &&
	       str_eq(hex_of(q->a, q->l->digest), digest);
}

static int
reject(const struct ask *q, struct ask_result *ret, struct str reason)
{
	ret->reason = reason;
	/* A rejection stands even if recording fails. */
	(void)keep_answer(q->keep, q->who, q->about, q->request->text, VERDICT_DENY,
	    STR("rejected"), reason);
	return 0;
}

static struct str
reason_of(const struct ask *q, const struct approve_answer *answer)
{
	struct buf b;

	buf_init(&b, q->a);
	buf_puts(&b, approve_end_text(answer->end));
	if (answer->message.n) {
		buf_puts(&b, ": ");
		buf_put(&b, answer->message);
	}
	return buf_str(&b);
}

int
ask_person(const struct ask *q, struct ask_result *ret)
{
	struct approve_question question;
	struct approve_answer answer = { 0 };
	int status = judge_anew(q);

	*ret = (struct ask_result){ 0 };
	if (status)
		return status;
	if (q->answer->decision.verdict != VERDICT_ASK || q->answer->decision.hard)
		return reject(
		    q, ret, STR("the decision changed during the request; try again"));
	make_question(q, &question);
	put_question(q, &question, &answer);
	if (answer.choice == APPROVE_REJECT)
		return reject(q, ret, reason_of(q, &answer));
	if (!is_same_policy(q, question.digest))
		return reject(
		    q, ret, STR("the policy changed while the question was open"));
	if (keep_answer(q->keep, q->who, q->about, q->request->text, VERDICT_CONFINE,
		outcome_of(q->a, &answer), STR("approved by a person")) &&
	    policy_settings(q->answer->in.policy)->journal_required) {
		ret->reason = q->keep->why;
		return 0;
	}
	status = ask_keep(q, &question, &answer);
	if (status)
		return status;
	*ret = (struct ask_result){
		.accepted = true, .network = answer.network, .path = answer.path
	};
	return 0;
}

int
ask_widen(struct arena *a, const struct ask_result *result, struct sandbox_policy *sandbox)
{
	struct sandbox_policy more = { .network_access = result->network };

	if (result->path.p)
		more.readwrite = (struct sandbox_list){ true, &result->path, 1 };
	if (!result->network && !result->path.p)
		return 0;
	return sandbox_add(a, sandbox, &more, sandbox);
}
