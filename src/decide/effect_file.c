/* Judge the files that commands read, write, delete or run. */
#include "base/path.h"
#include "decide/judge.h"

/* True if the rule that allows the command makes this path writable in its sandbox. */
static bool
gives_path(const struct deciding *d, const struct judged *j, const struct file_effect *f)
{
	const struct policy *p = d->in->policy;

	for (size_t i = 0;
	     j->covered && f->known && f->fact.real.p && i < j->grant.writable.n; i++)
		if (pattern_path(p, patterns_at(p, j->grant.writable, i), f->fact.real,
			true, &d->in->base) == MATCH_CERTAIN)
			return true;
	return false;
}

struct visiting {
	struct deciding *d;
	const struct file_effect *f;
	struct best_rules best;
};

/* A public SSH key: named .pub, and its real path as well. */
static bool
is_public_key(const struct file_effect *f)
{
	struct str real = f->fact.real.p ? f->fact.real : f->path;
	struct str dir = str_cut(real, 0, str_rfind(real, '/'));

	return f->op == FILE_READ && f->known && str_ends(f->path, STR(".pub")) &&
	       str_ends(real, STR(".pub")) && str_is(str_base(dir), ".ssh");
}

static void
visit(void *context, size_t rule)
{
	struct visiting *v = context;
	struct rule r;

	if (match_is_elsewhere(&v->d->m, rule, v->f))
		return;
	policy_rule(v->d->in->policy, rule, &r);
	if (r.layer == LAYER_BUILTIN && r.verdict == VERDICT_DENY && is_public_key(v->f))
		return;
	best_take(&v->best, &r, match_file(&v->d->m, &r, v->f));
}

static struct best_rules
rules_for_file(struct deciding *d, const struct file_effect *f)
{
	struct visiting v = { .d = d, .f = f };
	struct path_place place = match_place(&d->m, f);

	/* A directory listing whose directory is unknown: rules about contents do not
	 * apply. */
	if (f->names && !f->known)
		return v.best;
	if (f->op == FILE_READ || f->op == FILE_EXEC)
		policy_files(d->in->policy, RULE_READ, place, visit, &v);
	if (f->op == FILE_EXEC)
		policy_files(d->in->policy, RULE_EXEC, place, visit, &v);
	else if (f->op == FILE_DELETE)
		policy_files(d->in->policy, RULE_DELETE, place, visit, &v);
	else if (f->op != FILE_READ)
		policy_files(d->in->policy, RULE_WRITE, place, visit, &v);
	return v.best;
}

bool
decide_path(
    const struct decide_input *in, enum file_op op, struct str path, struct rule *ret)
{
	static const struct effects nothing;
	struct path_hint hint = { 0 };
	struct deciding d = {
		.in = in, .set = policy_settings(in->policy), .m = { in, &nothing, &hint }
	};
	struct file_effect f = { .op = op,
		.known = true,
		.path = path,
		.fact = { .real = path, .where = WHERE_INSIDE } };
	struct best_rules b = rules_for_file(&d, &f);

	if (b.deny.any && b.deny.match == MATCH_CERTAIN)
		*ret = b.deny.rule;
	else if (b.open.any)
		*ret = b.open.rule;
	else
		return false;
	return true;
}

static struct str
file_text(struct deciding *d, const struct file_effect *f)
{
	return SAY(d, str_from_c(file_op_name(f->op)), STR(" "),
	    f->path.n ? f->path : STR("of an unknown file"),
	    f->known ? STR("") : STR("\xe2\x80\xa6"));
}

static struct file_place
spot_of(const struct file_effect *f)
{
	return (struct file_place){ f->fact.where, f->path, f->known, f->fact.why };
}

static void
judge_write(struct deciding *d, struct judged *j, const struct file_effect *f, bool allowed)
{
	enum where where = f->fact.where;
	struct str what;

	if (where == WHERE_DEVICE)
		return;
	what = file_text(d, f);
	if ((where == WHERE_OUTSIDE || where == WHERE_UNKNOWN) &&
	    (!allowed || d->in->explicit_root))
		judge_tighten(d, j, judge_outside(d, spot_of(f), what, STR("")));
	if (where == WHERE_TMP && !d->set->tmp_write)
		judge_gate(d, j, VERDICT_ASK, GATE_PROTECT,
		    SAY(d, what,
			STR(": the policy forbids writing to temporary directories")));
	if (allowed)
		return;
	if (f->fact.dotfile && (d->set->protect & PROTECT_DOTFILES))
		judge_gate(
		    d, j, VERDICT_ASK, GATE_PROTECT, SAY(d, what, STR(" is a dot file")));
	if (f->op == FILE_DELETE && (d->set->protect & PROTECT_DELETE))
		judge_gate(d, j, VERDICT_ASK, GATE_PROTECT,
		    SAY(d, what, STR(": deleting files needs approval")));
	/* Writes happen inside the sandbox unless a rule allows them. */
	if (!d->in->file_tool)
		judge_gate(d, j, judge_contained(d), GATE_SANDBOX,
		    SAY(d, what, STR(" changes files")));
}

/* A start-up file of the user's shell: the user's own, and outside the directories that the
 * agent may write without approval. */
static bool
is_own_start(const struct deciding *d, const struct file_effect *f)
{
	static const char names[] =
	    ".profile\0.bash_profile\0.bash_login\0.zshenv\0.zprofile\0"
	    ".config/fish/config.fish\0";
	struct str home = d->in->base.home;
	bool symlink = f->fact.real.p && !str_eq(f->fact.real, f->path);
	const struct know_node *reader;

	if (!f->known || f->fact.where != WHERE_OUTSIDE || symlink)
		return false;
	if (home.n <= 1 || !path_is_within(home, f->path) ||
	    !str_among(str_skip(f->path, home.n + 1), names))
		return false;
	reader = know_program(f->by);
	return reader && know_handler(reader) == HANDLER_SHELL;
}

/* True for a path outside the workspace, the system directories and the homes: nothing says
 * who owns it.  With an explicit root, homes count as foreign as well. */
static bool
is_foreign(const struct deciding *d, const struct file_effect *f)
{
	static const char system[] =
	    "bin\0boot\0dev\0etc\0lib\0lib32\0lib64\0libx32\0nix\0opt\0proc\0run\0sbin\0"
	    "snap\0sys\0usr\0var\0Applications\0Library\0System\0";
	static const char homes[] = "Users\0home\0media\0mnt\0root\0srv\0";
	struct str path = f->fact.real.p ? f->fact.real : f->path, top = str_skip(path, 1);

	if (f->fact.where != WHERE_OUTSIDE || !f->known || path.n < 2)
		return false;
	top = str_cut(top, 0, str_find(top, '/'));
	if (!d->in->explicit_root &&
	    (str_among(top, homes) || path_is_within(d->in->base.home, path)))
		return false;
	return !str_among(top, system);
}

/* Build the text only when a check fails: most reads pass all of them. */
static void
judge_read(struct deciding *d, struct judged *j, const struct file_effect *f, bool allowed,
    bool placed)
{
	if (!placed && is_foreign(d, f))
		judge_gate(d, j, judge_contained(d), GATE_SANDBOX,
		    SAY(d, file_text(d, f), STR(" is outside the workspace")));

	if (f->op == FILE_EXEC && !allowed && !is_own_start(d, f))
		judge_gate(d, j, judge_contained(d), GATE_SANDBOX,
		    SAY(d, file_text(d, f), STR(" runs the code in it")));
	if (!d->set->read_workspace || allowed || f->fact.where == WHERE_INSIDE ||
	    f->fact.where == WHERE_TMP || f->fact.where == WHERE_DEVICE)
		return;
	judge_tighten(d, j, judge_outside(d, spot_of(f), file_text(d, f), STR("")));
}

/* True if an ask rule matches a file that is known, so that an approval can name it. */
static bool
is_asked_read(const struct file_effect *f, const struct best_rules *b)
{
	return f->op == FILE_READ && f->known && f->fact.real.n > 1 && !b->deny.any &&
	       b->open.any && b->open.rule.verdict == VERDICT_ASK;
}

static void
add_read(struct deciding *d, struct judged *j, struct str real)
{
	struct text_list **end = &j->reads, *new;
	struct str text;
	struct buf b;

	buf_init(&b, d->a);
	decide_put_path(&b, d->in, real);
	text = buf_str(&b);
	for (; *end; end = &(*end)->next)
		if (str_eq((*end)->text, text))
			return;
	new = ARENA_NEW(d->a, struct text_list);
	if (!new || b.full) {
		d->full = true;
		return;
	}
	new->text = text;
	*end = new;
}

void
judge_files(struct deciding *d)
{
	for (const struct file_effect *f = d->in->effects->files; f && !d->full;
	     f = f->next) {
		struct judged *j = judge_owner(d, f->at, f->by);
		struct best_rules b = rules_for_file(d, f);
		/* An allow for the command covers the files that it touches, unless a rule
		 * denies them. */
		bool placed = (b.open.any && b.open.rule.verdict == VERDICT_ALLOW) ||
			      gives_path(d, j, f);
		bool allowed = placed || (j->rule.set && j->verdict == VERDICT_ALLOW &&
					     !str_is(f->by, "redirection"));

		if (is_asked_read(f, &b)) {
			if (grant_readable(d->in, j, &b.open.rule, f->fact.real))
				b.open.any = b.possible_ask.any = false;
			else
				add_read(d, j, f->fact.real);
		}
		if (d->in->inside) {
			/* The sandbox judges each open(2) itself: it knows which files the
			 * run created and which a rule opens. */
			if (f->op != FILE_READ && best_any(&b))
				judge_rules(d, j, &b, file_text(d, f));
			continue;
		}
		if (f->fact.ignored)
			judge_gate(d, j, VERDICT_DENY, GATE_CONTAIN,
			    SAY(d, file_text(d, f), STR(": an ignore file hides it")));
		if (best_any(&b))
			judge_rules(d, j, &b, file_text(d, f));
		if (f->fact.ignored_below && !f->fact.ignored)
			judge_gate(d, j, judge_contained(d), GATE_SANDBOX,
			    SAY(d, file_text(d, f),
				f->known && f->fact.real.p
				    ? STR(": an ignore file may hide something in it")
				    : STR(": an ignore file may hide it")));
		if (f->op == FILE_READ || f->op == FILE_EXEC)
			judge_read(d, j, f, allowed, placed);
		else
			judge_write(d, j, f, allowed);
	}
}
