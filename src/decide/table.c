/* Judge a command that no rule names: protections, the know/ table, the default. */
#include "base/path.h"
#include "decide/judge.h"

/* ---- lost work */

static bool
only_makes(struct str by)
{
	return str_among(by,
	    "redirection\0touch\0tee\0mkdir\0cp\0mktemp\0sort\0sed\0truncate\0fallocate\0");
}

/* Another command of the text could put something there first: `mv work x; rm -r x`. */
static bool
may_be_filled(const struct deciding *d, const struct command *c, struct str at)
{
	if (d->in->effects->unknowns)
		return true;
	for (const struct file_effect *f = d->in->effects->files; f; f = f->next) {
		/* Files that the text creates are not older work; files that it moves there
		 * are. */
		if (f->op == FILE_READ || f->op == FILE_EXEC || f->op == FILE_DELETE ||
		    f->fact.where == WHERE_DEVICE || only_makes(f->by))
			continue;
		if (command_owns_file(c, f) && !str_is(f->by, "redirection"))
			continue;
		if (!f->known || path_is_within(at, f->path) || path_is_within(f->path, at))
			return true;
	}
	return false;
}

/* True if the file's content may be lost: nothing shows that it is saved, generated or
 * absent. */
static bool
loses(const struct deciding *d, const struct command *c, const struct file_effect *f)
{
	const struct place_fact *p = &f->fact;

	/* Files that match a pattern are judged one by one. */
	if (f->listed.p)
		return p->where == WHERE_TMP ? !d->in->sandbox
					     : may_be_filled(d, c, f->listed);
	/* `..` after a symlink leads to the target's parent, so only a path that exists is
	 * certain. */
	if (!f->known ||
	    (path_has_dotdot(f->path) && (!p->exists || d->in->effects->unknowns)))
		return true;
	/* A confined command has its own temporary directory. */
	if (p->where == WHERE_TMP) {
		bool all = str_is(p->real, "/tmp") || str_is(p->real, "/var/tmp");

		/* git refers to files elsewhere, such as linked worktrees. */
		return all || !d->in->sandbox || str_is(c->program, "git");
	}
	if (p->where != WHERE_INSIDE)
		return true;
	if (!p->exists)
		return may_be_filled(d, c, f->path);
	/* `unsaved` is known only for files that are deleted or truncated. */
	return (f->op != FILE_DELETE && f->op != FILE_TRUNCATE) || p->unsaved;
}

static bool
has_operand(const struct command *c)
{
	for (size_t i = 0; i < c->scan->count; i++)
		if (!c->scan->items[i].option)
			return true;
	return c->scan->rest < c->argc || c->scan->unknown_option < c->argc;
}

/* An unknown word could be an option, unless it comes from a list of files. */
static bool
is_unsure(const struct command *c)
{
	for (size_t i = c->scan->unsure; i < c->argc; i++)
		if (c->argv[i].kind != FIELD_STR && !c->argv[i].among.p)
			return true;
	return false;
}

static bool
loses_nothing(const struct deciding *d, const struct command *c)
{
	bool any = false;

	if (!c->scan || is_unsure(c) || !d->in->effects->looked)
		return false;
	if (!has_operand(c)) /* without an operand it only prints an error */
		return str_among(c->program, "rm\0rmdir\0unlink\0shred\0");
	for (const struct file_effect *f = d->in->effects->files; f; f = f->next) {
		/* Redirections are judged like other writes. */
		if (f->op == FILE_READ || f->op == FILE_EXEC || !command_owns_file(c, f) ||
		    str_is(f->by, "redirection"))
			continue;
		any = true;
		if (loses(d, c, f))
			return false;
	}
	return any;
}

/* ---- commands that only read */

/* True if it is the program that its name says and nothing makes it run other code. */
static bool
is_certain(const struct deciding *d, const struct command *c)
{
	if (c->found_writable || c->git_runs || c->function)
		return false;
	return d->in->effects->looked || c->builtin;
}

static bool
proved_to_read(const struct command *c)
{
	if (c->class != CLASS_READ && !c->pure)
		return false;
	return !(c->scan && c->scan->unsure < c->argc && c->scan->worst > CLASS_READ);
}

bool
judge_is_safe(const struct deciding *d, const struct command *c)
{
	const struct policy *p = d->in->policy;
	struct field name = { .kind = FIELD_STR, .text = c->program };

	if (!c->program.p || !is_certain(d, c))
		return false;
	for (size_t i = 0;; i++) {
		struct str entry = policy_entry(p, LIST_SAFE, i);

		if (!entry.p)
			return false;
		if (str_is(entry, "@read")
			? proved_to_read(c)
			: pattern_word(p, policy_entry_pattern(p, LIST_SAFE, i), name) ==
			      MATCH_CERTAIN)
			return true;
	}
}

/*
 * True if it only starts, on this machine, a command that is judged by itself.  Programs
 * that download what they start (npx, uvx) or look it up in the project (poetry run test)
 * do more.
 */
static bool
only_starts(const struct deciding *d, const struct command *c)
{
	if (!c->wrapper || c->class > CLASS_EXEC || c->found_writable ||
	    (c->scan && (c->scan->network || c->scan->finds)))
		return false;
	/* The started command follows in the list; `bash -c ""` starts none. */
	if (!c->next || c->next->via == c->via)
		return false;
	if (d->any_remote)
		for (const struct command *k = d->in->effects->commands; k; k = k->next)
			if (k->remote && k->via && span_within(k->at, c->at))
				return false;
	return true;
}

/* A function that does not hide a program: its body is judged where it is defined. */
static bool
is_plain_function(const struct command *c)
{
	return c->function && !(c->program.p && know_program(c->program));
}

/* ---- the whole table */

static struct finding
by_default(const struct deciding *d)
{
	struct finding f = { .verdict = d->set->by_default, .gate = GATE_SANDBOX };

	/* Inside a run, the default was applied to the command that started it. */
	if ((judge_mode(d) == MODE_RUN_EVERYTHING || d->in->inside) &&
	    f.verdict < VERDICT_CONFINE)
		f.verdict = VERDICT_CONFINE;
	if (f.verdict == VERDICT_CONFINE)
		f.verdict = judge_contained(d);
	return f;
}

static struct str
why_not(struct deciding *d, const struct command *c)
{
	struct str what = command_text(d, c);

	if (c->git_runs)
		return SAY(d, what, STR(": "), str_from_c(c->git_runs));
	if (c->function)
		return SAY(
		    d, what, STR(": a shell function hides the program of that name"));
	if (c->found_writable && c->class == CLASS_READ)
		return SAY(d, what,
		    STR(": the user can write this program or a directory before it "
			"on PATH"));
	return SAY(d, what, STR(" is not on any list"));
}

/* A protection asks; under `default deny` it denies. */
static struct finding
protect_by(const struct deciding *d, struct str reason)
{
	if (by_default(d).verdict == VERDICT_DENY)
		return (struct finding){ VERDICT_DENY, GATE_SANDBOX, false, reason, NULL };
	return (struct finding){ VERDICT_ASK, GATE_PROTECT, false, reason, NULL };
}

struct finding
judge_by_table(struct deciding *d, const struct command *c)
{
	struct finding f = by_default(d);
	/* Inside a run this check is useless: programs delete files without an exec. */
	unsigned protect = d->in->inside ? 0 : d->set->protect;
	const char *danger;

	if (c->class == CLASS_DESTROY && (protect & PROTECT_DESTROY) &&
	    !loses_nothing(d, c))
		return protect_by(
		    d, SAY(d, command_text(d, c), STR(" may delete uncommitted work")));
	if (c->class == CLASS_ADMIN && !(d->in->inside && d->in->offline) &&
	    !command_signals_own(d, c))
		return protect_by(d,
		    SAY(d, command_text(d, c), STR(" changes the system or shared state")));
	if (only_starts(d, c) || is_plain_function(c))
		return (
		    struct finding){ VERDICT_ALLOW, GATE_ALLOW, false, { NULL, 0 }, NULL };
	if (judge_is_safe(d, c))
		return (struct finding){ VERDICT_ALLOW, GATE_ALLOW, false,
			SAY(d, command_text(d, c), STR(" only reads")), NULL };
	danger = protect & PROTECT_DESTROY ? command_danger(c) : NULL;
	if (danger)
		return protect_by(
		    d, SAY(d, command_text(d, c), STR(": "), str_from_c(danger)));
	f.reason = why_not(d, c);
	return f;
}
