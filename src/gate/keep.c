#include "gate/keep.h"
#include "base/json/json.h"
#include "base/show.h"
#include "gate/outcome.h"
#include "journal/decision.h"
#include <errno.h>
#include <unistd.h>

/* Messages, names and details, in addition to the scratch memory of one append. */
#define KEEP_BYTES (JOURNAL_SCRATCH + ((size_t)1 << 20))
/* Longer ids of an agent are cut. */
#define ID_MAX ((size_t)1024)

/* ---- errors */

static int
fail(struct keep *k, const struct err *e, int cause)
{
	struct buf b;

	buf_init(&b, &k->a);
	buf_puts(&b, "not recorded: ");
	buf_puts(&b, e->why ? e->why : err_text(e->code));
	if (cause) {
		buf_puts(&b, ": ");
		buf_puts(&b, strerror(cause));
	}
	if (k->dir.n) {
		buf_puts(&b, " (");
		show_put(&b, k->dir, 0);
		buf_puts(&b, ")");
	}
	k->why = b.full ? STR("not recorded: no memory") : buf_str(&b);
	return e->code;
}

void
keep_complain(const struct keep *k)
{
	(void)write_all(STDERR_FILENO, STR("cordon: "));
	(void)write_all(STDERR_FILENO, k->why);
	(void)write_all(STDERR_FILENO, STR("\n"));
}

/* ---- the journal */

int
keep_ready(struct keep *k)
{
	struct str home = k->cli->home;
	const char *dir;
	struct err e = { 0 };

	arena_back(&k->a, k->base);
	if (k->open)
		return 0;
	if (!k->a.mem && !arena_map(&k->a, KEEP_BYTES)) {
		k->why = STR("not recorded: no memory");
		return CORDON_ENOMEM;
	}
	if (home.n && home.p[0] != '/')
		home = (struct str){ NULL, 0 };
	dir = own_dir(&k->a, k->cli, home, DIR_STATE, STR(""));
	if (!dir) {
		(void)err_at(&e, CORDON_EIO, 0, "neither XDG_STATE_HOME nor HOME is set");
		return fail(k, &e, 0);
	}
	k->dir = str_from_c(dir);
	if (journal_open(&k->j, k->dir, NULL, &e))
		return fail(k, &e, e.code == CORDON_EIO ? errno : 0);
	k->open = true;
	k->base = k->a.used;
	return 0;
}

static struct str
short_id(struct str s)
{
	return s.n > ID_MAX ? str_cut(s, 0, ID_MAX) : s;
}

/* Fields without a column of their own: {"event":"PreToolUse","call":"toolu_1"}. */
static struct str
detail_of(struct keep *k, const struct keep_who *who)
{
	struct buf b;

	if (!who->event.p && !who->call.p)
		return (struct str){ NULL, 0 };
	buf_init(&b, &k->a);
	buf_putc(&b, '{');
	if (who->event.p)
		json_put_member(&b, "event", short_id(who->event));
	if (who->call.p)
		json_put_member(&b, "call", short_id(who->call));
	buf_putc(&b, '}');
	return b.full ? (struct str){ NULL, 0 } : buf_str(&b);
}

int
keep_record(struct keep *k, const struct keep_who *who, struct record *r, uint64_t *ret)
{
	struct journal_head head = { 0 };
	struct err e = { 0 };
	int err, cause;

	if (ret)
		*ret = 0;
	if (who) {
		r->host = who->host;
		r->session = who->session;
		r->tool = who->tool;
		r->cwd = who->cwd;
		if (!r->detail.p)
			r->detail = detail_of(k, who);
	}
	r->pid = (struct record_number){ true, (uint64_t)getpid() };
	err = journal_append(&k->j, &k->a, r, &head, &e);
	cause = err == CORDON_EIO ? errno : 0;
	if (err)
		return fail(k, &e, cause);
	if (ret)
		*ret = head.sequence;
	return 0;
}

/* ---- decisions */

static void
deny_unrecorded(struct keep *k, struct decision *d)
{
	outcome_deny(
	    d, &(struct denial){ .hard = true,
		   .reason = k->why,
		   .fix = STR("free some space or repair the journal's directory "
			      "(`cordon log verify`), or put `journal optional` into your "
			      "rules") });
}

int
keep_decision(struct keep *k, const struct keep_who *who, const struct loader *l,
    struct str command, struct judge_answer *answer, uint64_t *ret_number)
{
	struct decision *d = &answer->decision;
	struct record r = { .command = command };
	struct err e = { 0 };
	int err = keep_ready(k);

	if (ret_number)
		*ret_number = 0;
	if (!err && (err = record_decision(&k->a, d, &r, &e)))
		err = fail(k, &e, 0);
	if (!err) {
		r.path = answer->path;
		if (answer->in.file_tool && answer->effects.files)
			r.op = str_from_c(file_op_name(answer->effects.files->op));
		r.policy.set = true;
		memcpy(r.policy.b, l->digest, sizeof r.policy.b);
		err = keep_record(k, who, &r, ret_number);
	}
	if (!err)
		return 0;
	if (!policy_settings(answer->in.policy)->journal_required)
		return 0;
	deny_unrecorded(k, d);
	return err;
}

int
keep_refusal(struct keep *k, const struct keep_who *who, struct str command,
    struct str reason, uint64_t *ret_number)
{
	struct record r = { .kind = RECORD_DECISION,
		.command = command,
		.verdict = { true, VERDICT_DENY },
		.hard = { true, 0 },
		.reason = reason };
	int err = keep_ready(k);

	return err ? err : keep_record(k, who, &r, ret_number);
}

int
keep_answer(struct keep *k, const struct keep_who *who, uint64_t about, struct str command,
    enum verdict verdict, struct str outcome, struct str reason)
{
	struct record r = { .kind = RECORD_ANSWER,
		.command = command,
		.verdict = { true, verdict },
		.about = { about != 0, about },
		.outcome = outcome,
		.reason = reason };
	int err = keep_ready(k);

	return err ? err : keep_record(k, who, &r, NULL);
}

int
keep_change(struct keep *k, const struct keep_change *change)
{
	struct record r = { .kind = RECORD_POLICY,
		.op = change->op,
		.path = change->path,
		.command = change->command,
		.session = change->session,
		.outcome = change->outcome,
		.reason = change->reason };
	int err = keep_ready(k);

	if (change->about)
		r.about = (struct record_number){ true, change->about };
	if (change->added.p) {
		r.at = (struct record_number){ true, change->at };
		r.size = (struct record_number){ true, change->added.n };
		r.digest.set = true;
		sha256_of(change->added, r.digest.b);
	}
	return err ? err : keep_record(k, NULL, &r, NULL);
}
