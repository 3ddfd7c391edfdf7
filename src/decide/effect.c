/* Effects: directories entered, files touched, variables set, hosts talked to. */
#include "base/path.h"
#include "decide/judge.h"

struct judged *
decide_owner(struct judged *first, struct span at, struct str by)
{
	struct judged *best = NULL, *j;
	size_t looked = 0;

	for (j = first; j && looked < 1024; j = j->next, looked++) {
		if (!j->command ? !(j->at.start == at.start && j->at.end == at.end)
				: !span_within(at, j->at))
			continue;
		/* The innermost; among equals the one that bears the name. */
		if (!best || (j->at.end - j->at.start) < (best->at.end - best->at.start) ||
		    (j->command && by.n && str_eq(j->command->program, by)))
			best = j;
	}
	return best;
}

struct judged *
owner(struct deciding *d, struct span at, struct str by)
{
	struct judged *j = decide_owner(d->first, at, by);

	if (j)
		return j;
	j = arena_zalloc(d->a, sizeof *j);
	if (!j) {
		static struct judged nowhere; /* the decision is a deny in any case */

		d->full = true;
		nowhere = (struct judged){ .verdict = VERDICT_DENY };
		return &nowhere;
	}
	j->at = at;
	j->verdict = VERDICT_ALLOW;
	*d->end = j;
	d->end = &j->next;
	return j;
}

/* ---- directories */

/* Links may lead anywhere, but by its name it lies outside: nobody means the workspace. */
static bool
is_named_outside(const struct deciding *d, struct str path)
{
	if (path.n == 0 || path.p[0] != '/' || path_has_dotdot(path))
		return false;
	for (size_t i = 0; i < d->in->base.roots_n; i++)
		if (path_is_within(d->in->base.roots[i], path))
			return false;
	return !path_is_within(STR("/tmp"), path) && !path_is_within(STR("/dev"), path) &&
	       !path_is_within(STR("/var/tmp"), path);
}

struct spot {
	enum where where;
	struct str path; /* as far as it is known */
	bool whole;      /* all of it is */
	const char *why;
};

static struct finding
leaving(struct deciding *d, struct spot p, struct str what, struct str path)
{
	bool known = p.where == WHERE_OUTSIDE || (p.whole && is_named_outside(d, p.path));
	const char *why = p.why;
	struct finding f = { .gate = GATE_CONTAIN };

	if (d->in->explicit_root)
		f.verdict = VERDICT_DENY;
	else if (known)
		f.verdict = d->set->protect & PROTECT_OUTSIDE ? VERDICT_ASK : held(d);
	else
		f.verdict = held(d);
	f.reason = SAY(d, what, path.n ? STR(" ") : STR(""), path,
	    known ? STR(" is outside the workspace")
		  : STR(": it is not known where that is"),
	    why ? STR(": ") : STR(""), str_from_c(why ? why : ""));
	return f;
}

static struct spot
spot_of(const struct file_effect *f)
{
	return (struct spot){ f->fact.where, f->path, f->known, f->fact.why };
}

void
judge_directories(struct deciding *d)
{
	for (const struct chdir_effect *c = d->in->effects->chdirs; c && !d->full;
	     c = c->next) {
		if (c->fact.where == WHERE_INSIDE || c->fact.where == WHERE_TMP)
			continue;
		tighten(d, owner(d, c->at, STR("cd")),
		    leaving(d,
			(struct spot){ c->fact.where, c->path, c->known, c->fact.why },
			STR("the directory"), c->path));
	}
}

/* ---- what a rule gives */

/* The rule that allows the command gives its sandbox this host. */
static bool
gives_host(const struct deciding *d, const struct judged *j, const struct net_effect *n)
{
	const struct policy *p = d->in->policy;

	for (size_t i = 0; j->covered && n->known && i < j->grant.net.n; i++)
		if (pattern_host(p, patterns_at(p, j->grant.net, i), n->host, true) ==
		    MATCH_CERTAIN)
			return true;
	return false;
}

/* ... or lets it write there. */
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

/* ---- files */

struct visiting {
	struct deciding *d;
	const struct file_effect *f;
	const struct env_change *e;
	const struct net_effect *n;
	struct best_rules best;
};

static void
visit(void *context, size_t rule)
{
	struct visiting *v = context;
	struct rule r;

	if (v->f && match_is_elsewhere(&v->d->m, rule, v->f))
		return;
	policy_rule(v->d->in->policy, rule, &r);
	best_take(&v->best, &r,
	    v->f   ? match_file(&v->d->m, &r, v->f)
	    : v->e ? match_env(&v->d->m, &r, v->e)
		   : match_net(&v->d->m, &r, v->n));
}

static struct best_rules
rules_for_file(struct deciding *d, const struct file_effect *f)
{
	struct visiting v = { .d = d, .f = f };

	if (f->op == FILE_READ || f->op == FILE_EXEC)
		policy_effects(d->in->policy, RULE_READ, visit, &v);
	if (f->op == FILE_EXEC)
		policy_effects(d->in->policy, RULE_EXEC, visit, &v);
	else if (f->op == FILE_DELETE)
		policy_effects(d->in->policy, RULE_DELETE, visit, &v);
	else if (f->op != FILE_READ)
		policy_effects(d->in->policy, RULE_WRITE, visit, &v);
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

static void
judge_rules(
    struct deciding *d, struct judged *j, const struct best_rules *b, struct str what)
{
	if (b->deny.any && b->deny.match == MATCH_CERTAIN)
		tighten(d, j,
		    (struct finding){ VERDICT_DENY, GATE_DENY, true,
			rule_reason(d, &b->deny.rule, what), &b->deny.rule });
	else if (b->deny.any)
		tighten(d, j,
		    (struct finding){ held(d), GATE_DENY, false,
			SAY(d, what, STR(" could be what a rule denies ("),
			    rule_place(d, &b->deny.rule), STR(")")),
			&b->deny.rule });
	if (b->open.any && b->open.rule.verdict == VERDICT_ASK)
		tighten(d, j,
		    (struct finding){ VERDICT_ASK, GATE_ASK, false,
			rule_reason(d, &b->open.rule, what), &b->open.rule });
	else if (b->possible_ask.any &&
		 (!b->open.any || b->possible_ask.rule.layer >= b->open.rule.layer))
		tighten(d, j,
		    (struct finding){ held(d), GATE_ASK, false,
			SAY(d, what, STR(" could be what a rule asks about ("),
			    rule_place(d, &b->possible_ask.rule), STR(")")),
			&b->possible_ask.rule });
}

static void
judge_write(struct deciding *d, struct judged *j, const struct file_effect *f, bool allowed)
{
	struct str what = file_text(d, f);
	enum where where = f->fact.where;

	if (where == WHERE_DEVICE)
		return;
	if ((where == WHERE_OUTSIDE || where == WHERE_UNKNOWN) &&
	    (!allowed || d->in->explicit_root))
		tighten(d, j, leaving(d, spot_of(f), what, STR("")));
	if (where == WHERE_TMP && !d->set->tmp_write)
		tighten(d, j,
		    (struct finding){ VERDICT_ASK, GATE_PROTECT, false,
			SAY(d, what, STR(": the policy gives no temporary directory")),
			NULL });
	if (allowed)
		return;
	if (f->fact.dotfile && (d->set->protect & PROTECT_DOTFILES))
		tighten(d, j,
		    (struct finding){ VERDICT_ASK, GATE_PROTECT, false,
			SAY(d, what, STR(" is a dot file")), NULL });
	if (f->op == FILE_DELETE && (d->set->protect & PROTECT_DELETE))
		tighten(d, j,
		    (struct finding){ VERDICT_ASK, GATE_PROTECT, false,
			SAY(d, what, STR(" deletes")), NULL });
	/* What it writes it writes in the sandbox, unless a rule lets it. */
	if (!d->in->file_tool)
		tighten(d, j,
		    (struct finding){ held(d), GATE_SANDBOX, false,
			SAY(d, what, STR(" changes files")), NULL });
}

/*
 * What a shell of the user's reads at its start is the user's own, and lies where the
 * agent could not have written unasked.
 */
static bool
is_own_start(const struct deciding *d, const struct file_effect *f)
{
	static const char names[] =
	    ".profile\0.bash_profile\0.bash_login\0.zshenv\0.zprofile\0"
	    ".config/fish/config.fish\0";
	struct str home = d->in->base.home;

	return f->known && f->fact.where == WHERE_OUTSIDE && home.n > 1 &&
	       f->path.n > home.n + 1 && str_starts(f->path, home) &&
	       f->path.p[home.n] == '/' &&
	       str_among(str_skip(f->path, home.n + 1), names) && know_program(f->by) &&
	       know_handler(know_program(f->by)) == HANDLER_SHELL &&
	       (!f->fact.real.p || str_eq(f->fact.real, f->path));
}

/*
 * Neither the workspace, nor the system's, nor where users live: who owns what lies there
 * nobody has said.  With a root that somebody has named homes are such places, too.
 */
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

static void
judge_read(struct deciding *d, struct judged *j, const struct file_effect *f, bool allowed,
    bool placed)
{
	struct str what = file_text(d, f);

	if (!placed && is_foreign(d, f))
		tighten(d, j,
		    (struct finding){ held(d), GATE_SANDBOX, false,
			SAY(d, what, STR(" is outside the workspace")), NULL });

	if (f->op == FILE_EXEC && !allowed && !is_own_start(d, f))
		tighten(d, j,
		    (struct finding){ held(d), GATE_SANDBOX, false,
			SAY(d, what, STR(" runs what is in it")), NULL });
	if (!d->set->read_workspace || allowed || f->fact.where == WHERE_INSIDE ||
	    f->fact.where == WHERE_TMP || f->fact.where == WHERE_DEVICE)
		return;
	tighten(d, j, leaving(d, spot_of(f), what, STR("")));
}

void
judge_files(struct deciding *d)
{
	for (const struct file_effect *f = d->in->effects->files; f && !d->full;
	     f = f->next) {
		struct judged *j = owner(d, f->at, f->by);
		struct best_rules b = rules_for_file(d, f);
		/* A rule for the command itself covers what it touches, unless that is
		 * denied. */
		bool placed = (b.open.any && b.open.rule.verdict == VERDICT_ALLOW) ||
			      gives_path(d, j, f);
		bool allowed = placed || (j->rule.set && j->verdict == VERDICT_ALLOW &&
					     !str_is(f->by, "redirection"));

		if (d->in->inside) {
			judge_rules(d, j, &b, file_text(d, f));
			continue;
		}
		if (f->fact.ignored)
			tighten(d, j,
			    (struct finding){ VERDICT_DENY, GATE_CONTAIN, false,
				SAY(d, file_text(d, f), STR(": an ignore file hides it")),
				NULL });
		else if (f->fact.ignored_below)
			tighten(d, j,
			    (struct finding){ held(d), GATE_SANDBOX, false,
				SAY(d, file_text(d, f),
				    STR(": an ignore file may hide something in it")),
				NULL });
		judge_rules(d, j, &b, file_text(d, f));
		if (f->op == FILE_READ || f->op == FILE_EXEC)
			judge_read(d, j, f, allowed, placed);
		else
			judge_write(d, j, f, allowed);
	}
}

/* ---- variables */

/* In front of a builtin that starts nothing no program sees it. */
static bool
has_no_use(const struct env_change *e, const struct command *c)
{
	return c && c->builtin && span_within(e->at, c->at) &&
	       str_among(c->program, "echo\0printf\0true\0false\0pwd\0:\0");
}

static void
judge_variable(
    struct deciding *d, const struct env_change *e, struct judged *j, bool changes)
{
	struct visiting v = { .d = d, .e = e };
	struct str what = SAY(d, STR("the variable "), e->name);

	policy_effects(d->in->policy, RULE_ENV, visit, &v);
	judge_rules(d, j, &v.best, what);
	if (!changes || (v.best.open.any && v.best.open.rule.verdict == VERDICT_ALLOW))
		return;
	tighten(d, j,
	    (struct finding){
		e->runs && (d->set->protect & PROTECT_ENV) && !has_no_use(e, j->command)
		    ? VERDICT_ASK
		    : held(d),
		GATE_PROTECT, false, SAY(d, what, STR(" changes what programs do")),
		NULL });
}

void
judge_environment(struct deciding *d)
{
	for (const struct env_change *e = d->in->effects->env; e && !d->full; e = e->next)
		judge_variable(d, e, owner(d, e->at, STR("")), true);
	/* Others concern only who has a rule for them. */
	for (struct judged *j = d->first; j && !d->full; j = j->next)
		for (const struct env_change *e = j->command ? j->command->assigns : NULL;
		     e; e = e->next)
			judge_variable(d, e, j, false);
}

/* ---- the network */

struct str
host_of(struct str address)
{
	size_t at = 0, end = 0;

	for (size_t i = 0; i + 2 < address.n; i++)
		if (address.p[i] == ':' && address.p[i + 1] == '/' &&
		    address.p[i + 2] == '/') {
			at = i + 3;
			break;
		}
	address = str_skip(address, at);
	while (end < address.n && !strchr("/?#\\", address.p[end]))
		end++;
	/* Behind the last @ before the path: what stands there is the host. */
	for (size_t i = end; i > 0; i--)
		if (address.p[i - 1] == '@') {
			address = str_cut(address, i, end);
			return str_cut(address, 0, str_find(address, ':'));
		}
	address = str_cut(address, 0, end);
	return str_cut(address, 0, str_find(address, ':'));
}

bool
host_granted(const struct deciding *d, struct str host, bool known)
{
	if (d->set->network)
		return true;
	for (size_t i = 0; known; i++) {
		struct str entry = policy_entry(d->in->policy, LIST_NET, i);

		if (!entry.p)
			return false;
		if (str_eq(entry, host) ||
		    (str_starts(entry, STR("*.")) && str_ends(host, str_skip(entry, 1))))
			return true;
	}
	return false;
}

bool
decide_host(const struct decide_input *in, struct str host)
{
	static const struct effects nothing;
	struct path_hint hint = { 0 };
	struct deciding d = {
		.in = in, .set = policy_settings(in->policy), .m = { in, &nothing, &hint }
	};
	struct net_effect n = { .host = host, .known = true };
	struct visiting v = { .d = &d, .n = &n };
	/* Two ways to write one address are not told apart: then it may be that one. */
	bool address = true;

	for (size_t i = 0; i < host.n && host.p[0] != '['; i++)
		address &= (host.p[i] >= '0' && host.p[i] <= '9') || host.p[i] == '.' ||
			   host.p[i] == ':';
	policy_effects(in->policy, RULE_NET, visit, &v);
	return v.best.deny.any && (v.best.deny.match == MATCH_CERTAIN || address);
}

/*
 * Without the network a sandbox has a loopback of its own: what it reaches there was
 * started in it, and a person's yes would give it no more.  So only a rule of theirs is
 * asked.
 */
static bool
is_own_loopback(
    const struct deciding *d, const struct net_effect *n, const struct best_rules *b)
{
	static const char names[] = "localhost\0"
				    "127.0.0.1\0";

	if (!n->known || !d->in->sandbox || d->set->network || b->deny.any ||
	    b->possible_ask.any || (b->open.any && b->open.rule.layer > LAYER_BUILTIN))
		return false;
	return str_among(n->host, names) || str_ends(n->host, STR(".localhost"));
}

static void
judge_host(struct deciding *d, const struct net_effect *n)
{
	struct visiting v = { .d = d };
	struct net_effect host = *n;
	struct judged *j = owner(d, n->at, n->by);
	struct str what;

	host.host = host_of(n->host);
	v.n = &host;
	what = SAY(d, STR("the network ("),
	    host.host.n ? host.host : STR("an unknown host"), STR(")"));
	policy_effects(d->in->policy, RULE_NET, visit, &v);
	/* Who has allowed the command with this host has been asked about the host. */
	if (v.best.open.any && v.best.open.rule.verdict == VERDICT_ASK &&
	    j->rule.layer > v.best.open.rule.layer && gives_host(d, j, &host))
		v.best.open.any = false;
	if (is_own_loopback(d, &host, &v.best)) {
		tighten(d, j,
		    (struct finding){ held(d), GATE_SANDBOX, false,
			SAY(d, what, STR(" is the sandbox's own")), NULL });
		return;
	}
	judge_rules(d, j, &v.best, what);
	if (gives_host(d, j, &host) ||
	    (v.best.open.any && v.best.open.rule.verdict == VERDICT_ALLOW) ||
	    host_granted(d, host.host, n->known) ||
	    (j->rule.set && j->verdict == VERDICT_ALLOW)) {
		if (n->known && v.best.open.any &&
		    v.best.open.rule.verdict == VERDICT_ALLOW)
			add_host(d, &j->given, host.host);
		tighten(d, j,
		    (struct finding){ held(d), GATE_SANDBOX, false,
			SAY(d, what, STR(" is reached from the sandbox only")), NULL });
		return;
	}
	if (n->known)
		add_host(d, &j->hosts, host.host);
	tighten(d, j,
	    (struct finding){
		VERDICT_ASK, GATE_PROTECT, false, SAY(d, STR("it needs "), what), NULL });
}

/* Which hosts it names has been judged. */
static bool
names_host(const struct deciding *d, const struct command *c)
{
	for (const struct net_effect *n = d->in->effects->nets; n; n = n->next)
		if (n->known && span_within(n->at, c->at) && str_eq(n->by, c->program))
			return true;
	return false;
}

void
judge_network(struct deciding *d)
{
	for (const struct net_effect *n = d->in->effects->nets; n && !d->full;
	     n = n->next) {
		struct net_effect to =
		    is_remote(n) ? remote_named(owner(d, n->at, n->by), n) : *n;

		judge_host(d, &to);
	}
	/* Programs that go online without naming a host in their words. */
	for (struct judged *j = d->first; j && !d->full; j = j->next) {
		const struct command *c = j->command;

		if (!c || !c->scan || !c->scan->network || d->set->network)
			continue;
		/* npx, docker run may find here what they start: no question for that
		 * alone. */
		if (c->wrapper && j->verdict > VERDICT_ASK)
			continue;
		if (names_host(d, c))
			continue;
		if ((j->rule.set && j->verdict == VERDICT_ALLOW) ||
		    (j->covered && j->grant.net.n))
			continue;
		if (c->git_url.p) {
			judge_host(d, &(struct net_effect){ .known = true,
					  .host = c->git_url,
					  .at = c->at,
					  .by = c->program });
			continue;
		}
		if (know_hosts_of(c->program).p)
			add_host(d, &j->hosts, know_hosts_of(c->program));
		tighten(d, j,
		    (struct finding){ VERDICT_ASK, GATE_PROTECT, false,
			SAY(d, c->program, STR(" needs the network")), NULL });
	}
}
